"""``make bench``: run all cases, take our time apart, write ``RESULTS.md`` and its picture.

Needs nothing but the standard library; each tool runs in its own environment.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.folders import ROOT
from benchmarks.machine import versions
from benchmarks.processes import run
from benchmarks.speed.case import Outcome, SpeedCase, carry_out
from benchmarks.speed.cases import DEMO, PEOPLE, Runs, all_cases
from benchmarks.speed.page import Environment, numbers, page
from benchmarks.speed.steps import small_and_large
from benchmarks.speed.tables import outcome_table, step_table
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
from benchmarks.speed.tools import GENSIM, PLOT, STREAM, TOMOTOPY, VECTORS, Tools, environment

_VECTOR_PACKAGES = ("stream-topic", "sentence-transformers", "transformers", "torch", "numpy")
_OUR_PACKAGES = ("tealeaves", "numpy", "scipy", "numba", "llvmlite", "msgspec", "polars")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run all cases, or those that are named; only a whole run writes the page."""
    options = _options(arguments)
    tools = Tools(
        _our_python(options.venv),
        environment(ROOT / ".venv-gensim", GENSIM),
        environment(ROOT / ".venv-tomotopy", TOMOTOPY),
        environment(ROOT / ".venv-vectors", VECTORS, STREAM),
    )
    _prepare(tools)
    runs = Runs(2, 1) if options.quick else Runs(options.ours, options.theirs)
    cases = [case for case in all_cases(tools, runs) if _is_chosen(case, options.case)]
    if options.list:
        print(*(case.name for case in cases), sep="\n")
        return
    environment_before = Environment(_versions(tools), os.getloadavg()[0])
    outcomes = [_shown(case) for case in cases]
    if options.case:
        return
    steps = small_and_large(tools, runs.ours)
    print("", step_table(steps), sep="\n", flush=True)
    folder = FILES if options.quick else HERE
    (folder / "RESULTS.md").write_text(page(environment_before, outcomes, steps), encoding="utf-8")
    (FILES / "results.json").write_text(json.dumps(numbers(outcomes), indent=1), encoding="utf-8")
    draw(folder / "results.svg")
    print(f"\n{folder / 'RESULTS.md'} and results.svg are written", file=sys.stderr)


def draw(target: Path) -> None:
    """Draw the picture in an environment of its own."""
    python = environment(ROOT / ".venv-plot", PLOT)
    run([str(python), "-m", "benchmarks.speed.plot", str(FILES / "results.json"), str(target)])


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks speed", description=__doc__)
    usual = Runs()
    parser.add_argument("--venv", type=Path, default=ROOT / ".venv", help="where tealeaves is")
    parser.add_argument("--ours", type=int, default=usual.ours, help="runs of tealeaves a case")
    parser.add_argument(
        "--theirs", type=int, default=usual.theirs, help="runs of gensim or scipy a case"
    )
    parser.add_argument("--case", action="append", help="part of a case's name; may be repeated")
    parser.add_argument("--quick", action="store_true", help="few runs; RESULTS.md goes to .work")
    parser.add_argument("--list", action="store_true", help="name the cases and stop")
    return parser.parse_args(arguments)


def _is_chosen(case: SpeedCase, parts: list[str] | None) -> bool:
    return not parts or any(part in case.name for part in parts)


def _shown(case: SpeedCase) -> Outcome:
    print(f"{case.name} ...", file=sys.stderr, flush=True)
    outcome = carry_out(case)
    print(outcome_table(outcome), flush=True)
    return outcome


def _prepare(tools: Tools) -> None:
    """Make the files that are missing, in a process of its own (see ``benchmarks.processes``)."""
    raw = [raw_texts(size) for size in sorted(SIZES, reverse=True)]
    files = [PREPARED, *raw, *map(in_format, FORMATS)]
    subprocess.run([*tools.script("texts"), *map(str, files)], check=True)
    if not DEMO.exists():
        run(tools.program("demo", "--copy", str(DEMO)))
    run(tools.script("work.people", str(PEOPLE)))  # small, so made anew each time
    # once through the page cache, so that no first run reads from the disk
    run(tools.script("work.floor", str(raw_texts(LARGE_BYTES))))


def _versions(tools: Tools) -> dict[str, str]:
    return {
        "tealeaves": versions(tools.ours, _OUR_PACKAGES),
        "gensim": versions(tools.gensim, ("gensim", "numpy", "scipy")),
        "tomotopy": versions(tools.tomotopy, ("tomotopy", "numpy")),
        "STREAM, and tealeaves beside it": versions(tools.vectors, _VECTOR_PACKAGES),
    }


def _our_python(venv: Path) -> Path:
    python = venv / "bin" / "python"
    if not python.with_name("tealeaves").exists():
        sys.exit(f"benchmarks: tealeaves is not installed in {venv}: run make bench")
    return python
