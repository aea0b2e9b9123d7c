"""The results as a page."""

from __future__ import annotations

import datetime as dt
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from measure import Spread, processors, walls
from timing import Comparison, Single

_HOW = """\
## How to repeat

    TEALEAVES_DATA=... make bench

`TEALEAVES_DATA` names the folder that holds `20newsgroups/processed.jsonl.gz` (field `text`,
tokens separated by spaces). gensim gets an environment of its own, `.venv-gensim`. The topics in
`benchmarks/topics/` were made by `benchmarks/make_topics.py` (LDA, 50 and 500 topics, top 10
words). A new case is one more `Case` in `benchmarks/cases.py`.
"""

_NOTES = """\
- Both tools read the same prepared file, one document a line, and the same topics; a run is a
  whole process: start, import, read, count, score, print. Times are median (least-greatest).
- Before a case is timed, our `compat=gensim` metric must equal gensim's number for every topic
  (column "difference": the greatest). Timed is our exact metric, which counts windows that gensim
  loses.
- gensim runs with `processes=1`. It is slow, so it has fewer runs; the median of two is their
  mean. MB is the greatest peak of any run.
- For document NPMI gensim's window is as long as the longest document.
- Runs of the two tools are interleaved, but for gensim's first: it comes before ours, gives the
  numbers to compare, and is timed too. Ours are timed after an untimed run, for numba compiles
  the kernels once on a machine; what that costs is in the rows "first run" (numba's cache empty,
  files in the page cache).
"""

_STEPS = """\
The steps are of other runs than the first table's, made after them; `benchmarks/breakdown.py`.
"""


@dataclass(frozen=True)
class Machine:
    """Where and when the numbers were measured."""

    ours: str
    peer: str
    load_before: float

    def lines(self) -> list[str]:
        """Describe the machine, and whether it was idle."""
        after = os.getloadavg()[0]
        return [
            f"- Date: {dt.datetime.now(dt.UTC):%Y-%m-%d %H:%M} UTC",
            f"- Machine: {_processor()}, {os.cpu_count()} cores, {_memory():.0f} GB memory, "
            f"{platform.system()} {platform.release()}",
            f"- tealeaves: {self.ours}",
            f"- gensim: {self.peer}",
            f"- Load average (1 minute) before the first run {self.load_before:.2f}, after the "
            f"last {after:.2f}; the benchmark itself is a load of about 1. Above that the machine "
            "was not idle, and CPU seconds say more than wall seconds.",
        ]


def page(
    machine: Machine,
    comparisons: Sequence[Comparison],
    singles: Sequence[Single],
    steps: Mapping[str, Spread],
    subject: Comparison,
) -> str:
    """Put the whole page together; ``steps`` are those of the case ``subject``."""
    parts = [
        "# Benchmark results",
        "Written by `make bench`; do not edit.",
        "\n".join(machine.lines()),
        "## Against gensim, 20 Newsgroups",
        comparison_table(comparisons),
        _NOTES.rstrip(),
        "## Without a peer",
        single_table(singles),
        f"## Where our time goes: {subject.case.name}",
        step_table(steps, subject),
        _STEPS.rstrip(),
        _HOW.rstrip(),
    ]
    return "\n\n".join(parts) + "\n"


def comparison_table(comparisons: Sequence[Comparison]) -> str:
    """Show both tools side by side, and how many times more gensim takes."""
    headings = ["case", "metric", "runs"]
    headings += ["wall s", "gensim wall s", "ratio", "CPU s", "gensim CPU s", "ratio"]
    headings += ["MB", "gensim MB", "difference"]
    return _table(headings, [_comparison_row(one) for one in comparisons])


def _comparison_row(one: Comparison) -> list[str]:
    ours, theirs = one.ours, one.theirs
    row = [one.case.name, f"`{one.case.timed}`", f"{len(ours)} / {len(theirs)}"]
    for a, b in [(walls(ours), walls(theirs)), (processors(ours), processors(theirs))]:
        row += [str(a), str(b), _ratio(b.median / a.median, one.case.goal)]
    peaks = [f"{max(run.megabytes for run in runs):.0f}" for runs in (ours, theirs)]
    return [*row, *peaks, f"{one.difference:.0e}"]


def _ratio(times: float, goal: float | None) -> str:
    if goal is None:
        return f"{times:.1f}x"
    return f"{times:.1f}x (goal {goal:g}x: {'met' if times >= goal else 'MISSED'})"


def single_table(singles: Sequence[Single]) -> str:
    """Show what only we have."""
    rows = [[one.name, str(one.wall), str(one.cpu), one.verdict] for one in singles]
    return _table(["what", "wall s", "CPU s", "goal"], rows)


def step_table(steps: Mapping[str, Spread], subject: Comparison) -> str:
    """Show the steps of one case, their sum, and the whole process beside it."""
    rows = [[step, str(seconds)] for step, seconds in steps.items()]
    total = sum(seconds.median for seconds in steps.values())
    rows.append(["sum of the medians", f"{total:.2f}"])
    rows.append(["whole process, from the first table", str(processors(subject.ours))])
    return _table(["step", "CPU s"], rows)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _processor() -> str:
    """Return the model of the processor as Linux tells it, else what Python knows."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _memory() -> float:
    """Return the gigabytes of memory."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
