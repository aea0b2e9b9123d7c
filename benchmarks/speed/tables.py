"""The tables of the page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from benchmarks.markdown import table
from benchmarks.speed.case import Goal, Outcome
from benchmarks.speed.cases import FLOOR, ONE, OURS, TOMOTOPY, TWO
from benchmarks.speed.steps import Steps
from benchmarks.speed.work.steps import (
    BYTES,
    COUNT,
    IMPORTS,
    KERNELS,
    LINES,
    READ,
    SCORE,
    STRINGS,
    SUMS,
    TABLES,
    TOPICS,
    WRITE,
)

_table = partial(table, spaced=True)
_GROWN = 1.15  # memory that differs by less has not grown: threads take it in other orders


def outcome_table(one: Outcome) -> str:
    """Show one case, whatever its kind: what the terminal shows after each."""
    rows = []
    for contender in one.case.contenders:
        name = contender.name
        row = [name, str(len(one.runs[name]))]
        row += [str(one.wall(name, inside=False)), str(one.cpu(name, inside=False))]
        if one.outputs[name] and one.outputs[name][0].wall:
            row += [str(one.wall(name, inside=True)), str(one.cpu(name, inside=True))]
        else:
            row += ["", ""]
        rows.append([*row, f"{one.peak(name):.0f}"])
    headings = ["contender", "runs", "process wall s", "process CPU s"]
    headings += ["inside wall s", "inside CPU s", "MB"]
    verdicts = [f"{_against(goal)}{goal}: {_measured(one, goal)}" for goal in one.case.goals]
    return "\n".join([f"\n{one.case.name}", _table(headings, rows), *verdicts])


def goal_table(outcomes: Sequence[Outcome]) -> str:
    """Show everything that was promised."""
    rows = []
    for one in outcomes:
        for goal in one.case.goals:
            against = f"; {goal.contender} against {goal.against}" if goal.against else ""
            rows.append([one.case.name + against, str(goal), _measured(one, goal)])
    return _table(["what", "promised", "measured (wall)"], [*rows, *_memory_rows(outcomes)])


def _measured(one: Outcome, goal: Goal) -> str:
    reached = one.reached(goal)
    digits = 2 if goal.most and goal.most < 2 else 1
    shown = f"{reached:.{digits}f}x" if goal.against else f"{reached:.2f} s"
    return f"{shown}: {_verdict(goal, met=one.is_met(goal))}"


def _verdict(goal: Goal, *, met: bool) -> str:
    if goal.aim:
        return "reached" if met else "not reached"
    return "met" if met else "MISSED"


def _memory_rows(outcomes: Sequence[Outcome]) -> list[list[str]]:
    growth = [one for one in outcomes if one.case.group == "growth"]
    if len(growth) < 2:
        return []
    peaks = [one.peak(TWO) for one in growth]
    met = max(peaks) <= _GROWN * peaks[0]
    sizes = f"{growth[0].case.megabytes:.0f} to {growth[-1].case.megabytes:.0f} MB"
    shown = f"{min(peaks):.0f} to {max(peaks):.0f} MB: {'met' if met else 'MISSED'}"
    return [[f"peak memory, text of {sizes}, {TWO}", "goal: does not grow", shown]]


def peer_table(outcomes: Sequence[Outcome], group: str, peer: str) -> str:
    """Show a peer and us side by side, and how many times more it takes."""
    headings = ["case", "timed", "wall s", f"{peer} wall s", "ratio"]
    headings += ["CPU s", f"{peer} CPU s", "ratio", "MB", f"{peer} MB", "difference"]
    rows = []
    for one in _of(outcomes, group):
        least = next((goal.least for goal in one.case.goals if goal.against == peer), 0.0)
        timed = [str(len(one.wall(name).values)) for name in (OURS, peer)]
        row = [one.case.name, " / ".join(timed)]
        for ours, theirs in [
            (one.wall(OURS), one.wall(peer)),
            (one.cpu(OURS), one.cpu(peer)),
        ]:
            row += [str(ours), str(theirs), _ratio(theirs.median / ours.median, least)]
        peaks = [f"{one.peak(name):.0f}" for name in (OURS, peer)]
        rows.append([*row, *peaks, f"{one.difference:.0e}"])
    return _table(headings, rows)


def _ratio(times: float, least: float) -> str:
    verdict = f" (goal {least:g}x: {'met' if times >= least else 'MISSED'})" if least else ""
    return f"{times:.1f}x{verdict}"


def tomotopy_table(outcomes: Sequence[Outcome]) -> str:
    """Show tomotopy, with the means that tell that it computes something else."""
    rows = []
    for one in _of(outcomes, "whole"):
        if TOMOTOPY in one.runs:
            ours, theirs = one.wall(OURS), one.wall(TOMOTOPY)
            means = [f"{one.mean(name):.4f}" for name in (OURS, TOMOTOPY)]
            ratio = f"{theirs.median / ours.median:.1f}x"
            rows.append([one.case.name, str(ours), str(theirs), ratio, *means])
    headings = ["case", "wall s", "tomotopy wall s", "ratio", "mean score", "tomotopy's mean"]
    return _table(headings, rows)


def version_table(outcomes: Sequence[Outcome], this: str, other: str) -> str:
    """Show two versions side by side, and how many times the other's each takes of this one."""
    headings = ["what", "timed"]
    for unit in ("wall s", "CPU s", "MB"):
        headings += [unit, f"{other}'s", "ratio"]
    rows = []
    for one in outcomes:
        row = [one.case.name, str(len(one.wall(this).values))]
        for new, old in [(one.wall(this), one.wall(other)), (one.cpu(this), one.cpu(other))]:
            row += [str(new), str(old), f"{new.median / old.median:.2f}x"]
        peaks = [one.peak(name) for name in (this, other)]
        row += [*(f"{peak:.0f}" for peak in peaks), f"{peaks[0] / peaks[1]:.2f}x"]
        goals = [f"{_against(goal)}{goal}: {_measured(one, goal)}" for goal in one.case.goals]
        rows.append([*row, "; ".join(goals)])
    return _table([*headings, "goal"], rows)


def _against(goal: Goal) -> str:
    return f"against {goal.against}, " if goal.against else ""


def growth_table(outcomes: Sequence[Outcome]) -> str:
    """Show raw text to counts by size."""
    headings = ["MB of text", "read and sum, s"]
    for name in (ONE, TWO):
        headings += [f"{name}, s", "times the floor", "MB/s", "whole process s", "peak MB"]
    rows = []
    for one in _of(outcomes, "growth"):
        row = [f"{one.case.megabytes:.0f}", str(one.wall(FLOOR))]
        for name in (ONE, TWO):
            seconds = one.wall(name)
            row += [str(seconds), f"{seconds.median / one.wall(FLOOR).median:.1f}x"]
            row += [f"{one.case.megabytes / seconds.median:.0f}"]
            row += [f"{one.wall(name, inside=False).median:.2f}", f"{one.peak(name):.0f}"]
        rows.append(row)
    return _table(headings, rows)


def format_table(one: Outcome) -> str:
    """Show the speed of each format."""
    rows = []
    for contender in one.case.contenders:
        name = contender.name
        seconds = one.wall(name)
        speed = f"{one.case.megabytes / seconds.median:.0f}"
        rows.append([name, str(seconds), str(one.cpu(name)), speed, f"{one.peak(name):.0f}"])
    return _table(["format", "wall s", "CPU s", "MB of text a second", "peak MB"], rows)


def way_table(outcomes: Sequence[Outcome], group: str, base: str) -> str:
    """Show ways of our own side by side, and how many times more each takes than one of them."""
    headings = ["way", "timed", "wall s", f"times {base}", "CPU s", f"times {base}", "peak MB"]
    rows = []
    for one in _of(outcomes, group):
        for name in (contender.name for contender in one.case.contenders):
            row = [name, str(len(one.wall(name).values))]
            for seconds, of_base in [
                (one.wall(name), one.wall(base)),
                (one.cpu(name), one.cpu(base)),
            ]:
                row += [str(seconds), f"{seconds.median / of_base.median:.1f}x"]
            rows.append([*row, f"{one.peak(name):.0f}"])
    return _table(headings, rows)


def sampler_table(outcomes: Sequence[Outcome], group: str, base: str) -> str:
    """Show how many tokens samplers go over; what is timed is a million of them."""
    headings = ["what", "sampler", "timed", "M tokens/s", "M tokens/CPU s", f"times {base} (CPU)"]
    rows = []
    for one in _of(outcomes, group):
        for name in (contender.name for contender in one.case.contenders):
            wall, cpu = one.wall(name), one.cpu(name)
            ratio = one.cpu(base).median / cpu.median
            speeds = [f"{1 / wall.median:.1f}", f"{1 / cpu.median:.1f}", f"{ratio:.2f}x"]
            rows.append([one.case.name, name, str(len(wall.values)), *speeds])
    return _table(headings, rows)


def single_table(outcomes: Sequence[Outcome], group: str = "alone") -> str:
    """Show what only we have."""
    rows = []
    for one in _of(outcomes, group):
        goals = "; ".join(
            f"{goal}: {_verdict(goal, met=one.is_met(goal))}" for goal in one.case.goals
        )
        rows.append([one.case.name, str(one.wall(OURS)), str(one.cpu(OURS)), goals])
    return _table(["what", "wall s", "CPU s", "goal"], rows)


_ORDER = (IMPORTS, TOPICS, KERNELS, TABLES, READ, LINES, BYTES, STRINGS, COUNT, SUMS, SCORE, WRITE)


def step_table(columns: Sequence[Steps]) -> str:
    """Show the steps of some scorings side by side, and their sums."""
    first, *_, last = columns[0].seconds
    names = [first, *_ORDER, last]
    rows = []
    for name in names:
        row = [name]
        for one in columns:
            seconds = one.seconds.get(name)
            row += [str(seconds), f"{one.share(name):.0f} %"] if seconds else ["-", "-"]
        rows.append(row)
    sums = [cell for one in columns for cell in (f"{one.total:.2f}", "100 %")]
    headings = [cell for one in columns for cell in (f"{one.name}: CPU s", "share")]
    return _table(["step", *headings], [*rows, ["sum of the medians", *sums]])


def _of(outcomes: Sequence[Outcome], group: str) -> list[Outcome]:
    return [one for one in outcomes if one.case.group == group]
