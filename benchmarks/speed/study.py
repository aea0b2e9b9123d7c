"""``make bench``: run all cases, take our time apart, write ``RESULTS.md`` and its picture.

Needs nothing but the standard library; each tool runs in its own environment. A whole run keeps
each case that is done until the page is written: one that was stopped goes on with the next case,
if the code, the versions and the numbers of runs are the same. ``--against`` runs other cases: the
same work by this version and by another one.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.checkpoints import append_rows, code_digest, read_rows
from benchmarks.folders import HERE as BENCHMARKS
from benchmarks.folders import ROOT
from benchmarks.machine import versions
from benchmarks.processes import run
from benchmarks.speed.case import Outcome, SpeedCase, carry_out
from benchmarks.speed.cases import DEMO, PEOPLE, Runs, all_cases
from benchmarks.speed.page import Environment, numbers, page
from benchmarks.speed.steps import small_and_large
from benchmarks.speed.tables import outcome_table, step_table, version_table
from benchmarks.speed.texts import (
    FILES,
    FORMATS,
    HERE,
    LARGE_BYTES,
    PREPARED,
    SIZES,
    in_format,
    raw_texts,
)
from benchmarks.speed.tools import (
    GENSIM,
    PEERS,
    PLOT,
    TOMOTOPY,
    TOPICA,
    VECTORS,
    Tools,
    make_environments,
)
from benchmarks.speed.versions import OTHER, THIS, version_cases

_VECTOR_PACKAGES = ("stream-topic", "sentence-transformers", "transformers", "torch", "numpy")
_OUR_PACKAGES = ("tealeaves", "numpy", "scipy", "msgspec", "polars")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run all cases, or those that are named; only a whole run writes the page."""
    options = _options(arguments)
    tools = Tools(_our_python(options.venv))
    _prepare(tools)
    runs = Runs(2, 1) if options.quick else Runs(options.ours, options.theirs)
    if options.against:
        other = Tools(_our_python(options.against.resolve() / ".venv"))
        cases = list(version_cases(tools, other, runs))
    else:
        cases = list(all_cases(tools, runs))
    cases = [case for case in cases if _is_chosen(case, options.case)]
    if options.list:
        print(*(case.name for case in cases), sep="\n")
        return
    make_environments(one.command for case in cases for one in case.contenders)
    if options.against or options.case:
        outcomes = [_shown(case) for case in cases]
        if options.against:
            print("", version_table(outcomes, THIS, OTHER), sep="\n")
        return
    for peer in PEERS:
        peer.make()
    environment_before = Environment(_versions(tools), os.getloadavg()[0])
    kept = KeptOutcomes(
        FILES / "outcomes.jsonl",
        {
            "code": code_digest(ROOT / "src", BENCHMARKS),
            "versions": environment_before.tools,
            "runs": asdict(runs),
        },
    )
    outcomes = kept.all_of(cases)
    steps = small_and_large(tools, runs.ours)
    print("", step_table(steps), sep="\n", flush=True)
    folder = FILES if options.quick else HERE
    (folder / "RESULTS.md").write_text(page(environment_before, outcomes, steps), encoding="utf-8")
    (FILES / "results.json").write_text(json.dumps(numbers(outcomes), indent=1), encoding="utf-8")
    draw(folder / "results.svg")
    kept.remove()
    print(f"\n{folder / 'RESULTS.md'} and results.svg are written", file=sys.stderr)


class KeptOutcomes:
    """The cases that are done, as lines of a file; those that were made otherwise do not count."""

    def __init__(self, path: Path, made_by: dict[str, Any]) -> None:
        self._path = path
        self._made_by = made_by

    def all_of(self, cases: Sequence[SpeedCase]) -> list[Outcome]:
        """Return the outcomes of all cases; run those that are not done yet."""
        rows = read_rows(self._path)
        done = {row["case"]: row for row in rows if row["made_by"] == self._made_by}
        return [self._outcome(case, done.get(case.name)) for case in cases]

    def _outcome(self, case: SpeedCase, known: dict[str, Any] | None) -> Outcome:
        outcome = Outcome.from_json(case, known) if known else _measured(case)
        if not known:
            row = {"case": case.name, "made_by": self._made_by, **outcome.to_json()}
            append_rows(self._path, [row])
        print(outcome_table(outcome), flush=True)
        return outcome

    def remove(self) -> None:
        """Remove the file: the next run measures anew."""
        self._path.unlink(missing_ok=True)


def draw(target: Path) -> None:
    """Draw the picture in an environment of its own."""
    PLOT.make()
    source = str(FILES / "results.json")
    run([str(PLOT.python), "-m", "benchmarks.speed.plot", source, str(target)])


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    summary = (__doc__ or "").split("\n", 1)[0].replace("``", "")
    parser = argparse.ArgumentParser(prog="python -m benchmarks speed", description=summary)
    usual = Runs()
    parser.add_argument(
        "--venv",
        type=Path,
        default=ROOT / ".venv",
        metavar="FOLDER",
        help="the environment that tealeaves is installed in (.venv)",
    )
    parser.add_argument(
        "--ours",
        type=int,
        default=usual.ours,
        metavar="N",
        help=f"how many times each case is timed with tealeaves ({usual.ours})",
    )
    parser.add_argument(
        "--theirs",
        type=int,
        default=usual.theirs,
        metavar="N",
        help=f"how many times each case is timed with other packages ({usual.theirs})",
    )
    parser.add_argument(
        "--case",
        action="append",
        metavar="TEXT",
        help="only cases with this text in their names, and no page; may be repeated",
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="time tealeaves twice and the others once; RESULTS.md goes to benchmarks/.work/speed",
    )
    parser.add_argument(
        "--against",
        type=Path,
        metavar="FOLDER",
        help="compare with the version that is installed in FOLDER/.venv, and print the ratios; "
        "no page",
    )
    parser.add_argument("--list", action="store_true", help="print the names of the cases and stop")
    return parser.parse_args(arguments)


def _is_chosen(case: SpeedCase, parts: list[str] | None) -> bool:
    return not parts or any(part in case.name for part in parts)


def _shown(case: SpeedCase) -> Outcome:
    outcome = _measured(case)
    print(outcome_table(outcome), flush=True)
    return outcome


def _measured(case: SpeedCase) -> Outcome:
    print(f"{case.name} ...", file=sys.stderr, flush=True)
    return carry_out(case)


def _prepare(tools: Tools) -> None:
    """Make the files that are missing, in a process of its own (see ``benchmarks.processes``)."""
    # pip does this for the others; Python may be told not to do it for us
    compileall.compile_dir(ROOT / "src", quiet=1)
    raw = [raw_texts(size) for size in sorted(SIZES, reverse=True)]
    files = [PREPARED, *raw, *map(in_format, FORMATS)]
    subprocess.run([*tools.script("texts"), *map(str, files)], check=True)
    if not DEMO.exists():
        run(tools.program("demo", "--copy", str(DEMO)))
    run(tools.script("work.people", str(PEOPLE)))  # small, so made anew each time
    run(tools.script("work.single", "make"))
    # once through the page cache, so that no first run reads from the disk
    run(tools.script("work.floor", str(raw_texts(LARGE_BYTES))))


def _versions(tools: Tools) -> dict[str, str]:
    return {
        "tealeaves": versions(tools.ours, _OUR_PACKAGES),
        "gensim": versions(GENSIM.python, ("gensim", "numpy", "scipy")),
        "tomotopy": versions(TOMOTOPY.python, ("tomotopy", "numpy")),
        "topica": versions(TOPICA.python, ("topica", "numpy", "pandas")),
        "STREAM, and tealeaves beside it": versions(VECTORS.python, _VECTOR_PACKAGES),
    }


def _our_python(venv: Path) -> Path:
    python = venv / "bin" / "python"
    if not python.with_name("tealeaves").exists():
        sys.exit(f"benchmarks: tealeaves is not installed in {venv}")
    return python
