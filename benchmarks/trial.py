"""Carrying out a case: first that the results are equal, then the runs, interleaved."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from case import Case, Contender, Goal, Output
from measure import Run, Spread, interleaved, run


@dataclass(frozen=True)
class Outcome:
    """The runs of all contenders of a case; ``difference`` is the greatest of any result."""

    case: Case
    runs: dict[str, list[Run]]
    outputs: dict[str, list[Output]]
    difference: float

    def wall(self, name: str, *, inside: bool | None = None) -> Spread:
        """Return the wall seconds of a contender, as the case wants them measured."""
        if self.case.inside if inside is None else inside:
            return Spread.of(value for one in self.outputs[name] for value in one.wall)
        return Spread.of(one.wall for one in self.runs[name])

    def cpu(self, name: str, *, inside: bool | None = None) -> Spread:
        """Return its CPU seconds, all threads together."""
        if self.case.inside if inside is None else inside:
            return Spread.of(value for one in self.outputs[name] for value in one.cpu)
        return Spread.of(one.cpu for one in self.runs[name])

    def peak(self, name: str) -> float:
        """Return the greatest memory of any of its processes, in megabytes."""
        return max(one.megabytes for one in self.runs[name])

    def mean(self, name: str) -> float:
        """Return the mean of its results."""
        values = self.outputs[name][0].values
        return sum(values) / len(values)

    def reached(self, goal: Goal) -> float:
        """Return what was measured of a goal: a ratio, or seconds."""
        ours = self.wall(goal.contender).median
        if not goal.against:
            return ours
        theirs = self.wall(goal.against).median
        return theirs / ours if goal.least else ours / theirs

    def is_met(self, goal: Goal) -> bool:
        """Whether a goal was met."""
        reached = self.reached(goal)
        return reached >= goal.least if goal.least else reached <= goal.most


def carry_out(case: Case) -> Outcome:
    """Time a case, once it is certain that all contenders do the same work."""
    runs: dict[str, list[Run]] = {}
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
    runs: dict[str, list[Run]], contenders: dict[str, Contender]
) -> dict[str, list[Output]]:
    return {
        name: [contenders[name].read(finished.output) for finished in done]
        for name, done in runs.items()
    }


def _difference(case: Case, values: dict[str, list[float]]) -> float:
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
