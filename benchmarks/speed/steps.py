"""Where the time goes: the steps of a small and of a large scoring."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.processes import TimeSpread, run
from benchmarks.speed.cases import SCORINGS
from benchmarks.speed.texts import LARGE_BYTES, PREPARED, raw_texts
from benchmarks.speed.tools import Tools
from benchmarks.speed.work.steps import BYTES, COUNT, IMPORTS, LINES, READ, STRINGS, SUMS

_START, _END = "start of the interpreter", "end of the process"
_PASS = (READ, LINES, BYTES, STRINGS, COUNT, SUMS)


@dataclass(frozen=True)
class Steps:
    """CPU seconds of each step, in the order of the work, with one thread."""

    name: str
    seconds: Mapping[str, TimeSpread]

    @property
    def total(self) -> float:
        """The sum of the medians."""
        return sum(one.median for one in self.seconds.values())

    def share(self, *names: str) -> float:
        """Return the share of some steps in the whole, in per cent."""
        medians = [self.seconds[name].median for name in names if name in self.seconds]
        return 100 * sum(medians) / self.total

    def share_of_pass(self, *names: str) -> float:
        """Return the share of some steps in the pass over the text, in per cent."""
        return 100 * self.share(*names) / self.share(*_PASS)

    @property
    def fixed(self) -> float:
        """The share of starting, importing and ending, in per cent."""
        return self.share(_START, IMPORTS, _END)


def small_and_large(tools: Tools, repeats: int) -> tuple[Steps, Steps]:
    """Take two scorings apart: the first case of all, and raw text of the largest size."""
    first = SCORINGS[0]
    large = f"raw text, {LARGE_BYTES / 1e6:.0f} MB, {first.measure}, 500 topics"
    return (
        _steps(tools, f"20 Newsgroups, {first.name}", (str(PREPARED), "tokens"), repeats),
        _steps(tools, large, (str(raw_texts(LARGE_BYTES)), "words"), max(2, repeats // 2)),
    )


def _steps(tools: Tools, name: str, work: tuple[str, str], repeats: int) -> Steps:
    texts, tokens = work
    first = SCORINGS[0]
    command = tools.script("work.steps", first.topic_file, texts, f"{first.measure}@10", tokens)
    seconds_of: dict[str, list[float]] = {_START: []}
    run(command)
    for _ in range(repeats):
        seconds_of[_START].append(run([str(tools.ours), "-c", "pass"]).cpu)
        finished = run(command)
        printed = json.loads(finished.output)
        for step, seconds in printed["steps"].items():
            seconds_of.setdefault(step, []).append(seconds)
        seconds_of.setdefault(_END, []).append(max(0.0, finished.cpu - printed["all"]))
    return Steps(name, {step: TimeSpread.of(values) for step, values in seconds_of.items()})
