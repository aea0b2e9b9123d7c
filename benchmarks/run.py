"""``make bench``: compare with gensim, time the rest, write ``RESULTS.md``.

Needs nothing but the standard library; each tool runs in its own environment.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from cases import CASES, Case
from report import Machine, comparison_table, page, single_table, step_table
from texts import HERE, prepared_texts
from timing import breakdown, compare, singles
from tools import GENSIM, Gensim, Tealeaves, environment, versions

ROOT = HERE.parent
_OURS = ("tealeaves", "numpy", "numba", "msgspec")
_THEIRS = ("gensim", "numpy", "scipy")


def main() -> None:
    """Run all cases, or those that are named; only a whole run writes the page."""
    options = _options()
    prepared_texts()
    ours = Tealeaves(_our_python(options.venv))
    peer = Gensim(environment(ROOT / ".venv-gensim", GENSIM))
    machine = Machine(
        versions(ours.python, _OURS), versions(peer.python, _THEIRS), os.getloadavg()[0]
    )
    counts = {ours.name: options.ours, peer.name: options.theirs}
    comparisons = []
    for case in _chosen(options.case):
        print(f"{case.name} ...", file=sys.stderr, flush=True)
        comparisons.append(compare(case, ours, peer, counts))
    print(comparison_table(comparisons), flush=True)
    if options.case:
        return
    subject = comparisons[0]
    alone = list(singles(ours, subject.case))
    print("", single_table(alone), sep="\n", flush=True)
    steps = breakdown(ours, subject.case)
    print("", step_table(steps, subject), sep="\n")
    results = page(machine, comparisons, alone, steps, subject)
    (HERE / "RESULTS.md").write_text(results, encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--venv", type=Path, default=ROOT / ".venv", help="where tealeaves is")
    parser.add_argument("--ours", type=int, default=5, help="runs of tealeaves a case")
    parser.add_argument("--theirs", type=int, default=2, help="runs of gensim a case")
    parser.add_argument("--case", action="append", help="part of a case's name; may be repeated")
    return parser.parse_args()


def _chosen(parts: list[str] | None) -> list[Case]:
    return [case for case in CASES if not parts or any(part in case.name for part in parts)]


def _our_python(venv: Path) -> Path:
    python = venv / "bin" / "python"
    if not python.with_name("tealeaves").exists():
        sys.exit(f"benchmarks: tealeaves is not installed in {venv}: run make bench")
    return python


if __name__ == "__main__":
    main()
