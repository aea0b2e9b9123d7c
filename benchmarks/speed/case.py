"""A case is the same work for several contenders, with what is promised of it; how it is run."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchmarks.processes import FinishedProcess, TimeSpread, interleaved, run


class Output(NamedTuple):
    """What a contender prints: its results, and the seconds of what it timed itself."""

    values: list[float]
    wall: list[float]
    cpu: list[float]


def read_json(output: str) -> Output:
    """Read what the scripts in ``work`` and ``peers`` print."""
    printed = json.loads(output)
    return Output(printed.get("values", []), printed.get("wall", []), printed.get("cpu", []))


def read_rows(output: str) -> Output:
    """Read the rows that ``tealeaves score`` prints; the row of the whole model has no topic."""
    rows = [json.loads(line) for line in output.splitlines()]
    return Output([row["value"] for row in rows if row["topic"] is not None], [], [])


def read_drawn(output: str) -> Output:
    """Read the page that a browser has drawn: all its charts must be there."""
    drawn = re.search(r'data-drawn="(\d+)/(\d+)"', output)
    if drawn is None or drawn[1] != drawn[2]:
        sys.exit("benchmarks: the browser did not draw all charts of the report")
    return Output([], [], [])


def read_nothing(output: str) -> Output:  # noqa: ARG001
    """Pass over what a command prints."""
    return Output([], [], [])


@dataclass(frozen=True)
class Contender:
    """One who does the work of a case, as a process of its own.

    Parameters
    ----------
    name
        As shown in the tables.
    command
        Its command line.
    runs
        How many times it is timed.
    read
        How what it prints is understood.
    check
        Another command, for results that can be compared with the other contenders' (our
        ``compat=gensim``); without it those of ``command`` are.
    slow
        Its first run is timed too; of the others an untimed run comes before all timed ones.
    equal
        Its results must equal those of the other contenders.
    fresh
        It runs as on a machine on which tealeaves was just installed.
    """

    name: str
    command: tuple[str, ...]
    runs: int
    read: Callable[[str], Output] = read_json
    check: tuple[str, ...] | None = None
    slow: bool = False
    equal: bool = True
    fresh: bool = False


@dataclass(frozen=True)
class Goal:
    """A promise on the median wall time of a contender, or on its CPU time.

    With ``least`` it must be that many times faster than the contender ``against``; with ``most``
    it may take so many times the seconds of ``against``, or so many seconds if there is no such.
    An ``aim`` is hoped for, not promised. With ``cpu`` it is judged by CPU seconds, which say more
    of the work of one thread if the machine is not idle.
    """

    contender: str
    against: str = ""
    least: float = 0.0
    most: float = 0.0
    aim: bool = False
    cpu: bool = False

    def __str__(self) -> str:
        """Say what is promised."""
        kind = ("aim" if self.aim else "goal") + (" (CPU)" if self.cpu else "")
        if self.least:
            return f"{kind} {self.least:g}x"
        return f"{kind} at most {self.most:g}x" if self.against else f"{kind} < {self.most:g} s"


@dataclass(frozen=True)
class SpeedCase:
    """The same work for one or more contenders.

    Parameters
    ----------
    name
        Unique; ``--case`` finds cases by a part of it.
    group
        The table of the page it belongs to.
    contenders
        The first is ours.
    goals
        What is promised.
    inside
        Judged are the seconds that contenders measure themselves, not those of whole processes.
    megabytes
        The size of the text, where the speed is of interest.
    tolerance
        How far results of contenders may differ, where one rounds its own.
    """

    name: str
    group: str
    contenders: tuple[Contender, ...]
    goals: tuple[Goal, ...] = ()
    inside: bool = False
    megabytes: float = 0.0
    tolerance: float = 1e-9


# ---------------------------------------------------------------------- carrying out


@dataclass(frozen=True)
class Outcome:
    """The runs of all contenders of a case; ``difference`` is the greatest of any result."""

    case: SpeedCase
    runs: dict[str, list[FinishedProcess]]
    outputs: dict[str, list[Output]]
    difference: float

    @classmethod
    def from_json(cls, case: SpeedCase, row: Mapping[str, Any]) -> Outcome:
        """Return an outcome that was kept; what the processes printed was not."""
        runs = {
            name: [FinishedProcess(wall, cpu, megabytes, "") for wall, cpu, megabytes in some]
            for name, some in row["runs"].items()
        }
        outputs = {name: [Output(*one) for one in some] for name, some in row["outputs"].items()}
        return cls(case, runs, outputs, row["difference"])

    def to_json(self) -> dict[str, Any]:
        """Return what is kept of a case that is done."""
        runs = {
            name: [(one.wall, one.cpu, one.megabytes) for one in some]
            for name, some in self.runs.items()
        }
        return {"runs": runs, "outputs": self.outputs, "difference": self.difference}

    def wall(self, name: str, *, inside: bool | None = None) -> TimeSpread:
        """Return the wall seconds of a contender, as the case wants them measured."""
        if self.case.inside if inside is None else inside:
            return TimeSpread.of(value for one in self.outputs[name] for value in one.wall)
        return TimeSpread.of(one.wall for one in self.runs[name])

    def cpu(self, name: str, *, inside: bool | None = None) -> TimeSpread:
        """Return its CPU seconds, all threads together."""
        if self.case.inside if inside is None else inside:
            return TimeSpread.of(value for one in self.outputs[name] for value in one.cpu)
        return TimeSpread.of(one.cpu for one in self.runs[name])

    def peak(self, name: str) -> float:
        """Return the greatest memory of any of its processes, in megabytes."""
        return max(one.megabytes for one in self.runs[name])

    def mean(self, name: str) -> float:
        """Return the mean of its results."""
        values = self.outputs[name][0].values
        return sum(values) / len(values)

    def reached(self, goal: Goal) -> float:
        """Return what was measured of a goal: a ratio, or seconds."""
        seconds = self.cpu if goal.cpu else self.wall
        ours = seconds(goal.contender).median
        if not goal.against:
            return ours
        theirs = seconds(goal.against).median
        return theirs / ours if goal.least else ours / theirs

    def is_met(self, goal: Goal) -> bool:
        """Whether a goal was met."""
        reached = self.reached(goal)
        return reached >= goal.least if goal.least else reached <= goal.most


def carry_out(case: SpeedCase) -> Outcome:
    """Time a case, once it is certain that all contenders do the same work."""
    runs: dict[str, list[FinishedProcess]] = {}
    values: dict[str, list[float]] = {}
    for one in case.contenders:
        first = run(one.check or one.command, fresh=one.fresh)
        values[one.name] = one.read(first.output).values
        runs[one.name] = [first] if one.slow else []
    difference = _difference(case, values)
    contenders = {one.name: one for one in case.contenders}
    missing = {one.name: one.runs - len(runs[one.name]) for one in case.contenders}
    for name in interleaved(missing):
        one = contenders[name]
        runs[name].append(run(one.command, fresh=one.fresh))
    return Outcome(case, runs, _outputs(runs, contenders), difference)


def _outputs(
    runs: dict[str, list[FinishedProcess]], contenders: dict[str, Contender]
) -> dict[str, list[Output]]:
    return {
        name: [contenders[name].read(finished.output) for finished in done]
        for name, done in runs.items()
    }


def _difference(case: SpeedCase, values: dict[str, list[float]]) -> float:
    """Return the greatest difference of any result; a real one stops the benchmark."""
    compared = [one.name for one in case.contenders if one.equal]
    greatest = 0.0
    for name in compared[1:]:
        pairs = zip(values[compared[0]], values[name], strict=True)
        differences = [abs(a - b) for a, b in pairs]
        if not all(difference <= case.tolerance for difference in differences):  # nor is NaN
            sys.exit(f"benchmarks: {case.name}: {name} differs by {max(differences)}")
        greatest = max(greatest, *differences)
    return greatest
