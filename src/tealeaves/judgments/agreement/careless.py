"""Careless annotators: signs by which they are flagged."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from tealeaves.judgments.agreement.ceiling import against_rest, correlation
from tealeaves.judgments.judgments import Judgments
from tealeaves.judgments.ratings import TaskRatings
from tealeaves.tables.numbers import DASH, number_text
from tealeaves.tables.table import Table, text_table
from tealeaves.tables.tidy import Tidy

if TYPE_CHECKING:
    import polars as pl

_LEAST_COMMON = 5
# the columns that identify one annotator of one task
_PERSON = ("dataset", "task", "annotator")


@dataclass(frozen=True)
class Thresholds:
    """When an annotator is flagged as careless.

    Times and equal answers in a row are those of one task. Items that test attention are few, so
    those of all tasks of a data set count together.

    Parameters
    ----------
    seconds
        The median time per answer is shorter than this.
    line
        This many equal answers in a row, or more.
    gold
        The share of right answers to items that test attention is less than this.
    checks
        The least number of such items for that.
    """

    seconds: float = 1.5
    line: int = 12
    gold: float = 0.7
    checks: int = 3


@dataclass(frozen=True)
class Annotator:
    """What is known of one annotator's care in one task.

    ``rest`` is Spearman's correlation with the others; ``gold`` counts the checks of all tasks of
    the data set, and ``gold_right`` the right answers to them.
    """

    dataset: str
    task: str
    annotator: str
    answers: int
    time: float
    line: int | None
    gold_right: int
    gold: int
    rest: float
    flags: tuple[str, ...]


@dataclass(repr=False, eq=False)
class Careless(Tidy):
    """The annotators of each data set and task, one per row, with their flags."""

    rows: list[Annotator]
    notes: list[str] = field(default_factory=list)

    @property
    def flagged(self) -> list[Annotator]:
        """The annotators with a flag."""
        return [row for row in self.rows if row.flags]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries; flags are text, separated by semicolons."""
        return [asdict(row) | {"flags": "; ".join(row.flags)} for row in self.rows]

    def table(self) -> Table:
        """Return the table that is printed."""
        columns = ["answers", "median time", "longest line", "gold", "with the rest", "flags"]
        lines = [
            (
                [row.dataset, row.task, row.annotator],
                [
                    str(row.answers),
                    number_text(row.time, 1),
                    DASH if row.line is None else str(row.line),
                    f"{row.gold_right} of {row.gold}" if row.gold else DASH,
                    number_text(row.rest, 2),
                    ", ".join(row.flags),
                ],
            )
            for row in self.rows
        ]
        return text_table(["data set", "task", "annotator"], columns, lines)


def annotators_of(judgments: Judgments, thresholds: Thresholds | None = None) -> list[Annotator]:
    """Return the annotators of each data set and task, with flags; none if they are unknown.

    Annotators who only saw items that test attention are left out. Lines are of equal answers, in
    the order of the rows. In tasks with right answers the same answer may often be right: there
    lines are of the column ``position``, the place that was chosen, if there is one.

    >>> rows = [{"annotator": "ann", "topic": t, "answer": 3, "time": 0.8} for t in range(12)]
    >>> annotators_of(Judgments.of(rows))[0].flags
    ('0.8 s an answer', '12 equal answers in a row')
    """
    limits = thresholds or Thresholds()
    checks = _checks(judgments)
    parts = (judgments.part(*part) for part in judgments.parts)
    return [one for part in parts for one in _annotators(part, checks, limits)]


def careless_notes(annotators: Sequence[Annotator]) -> list[str]:
    """Say how many annotators of one task are flagged, and in which order answers are counted."""
    if not annotators:
        return ["annotators are not known: nobody can be flagged as careless"]
    flagged = [one for one in annotators if one.flags]
    if not flagged:
        return []
    be = "is" if len(flagged) == 1 else "are"
    notes = [f"{len(flagged)} of {len(annotators)} annotators {be} flagged as careless"]
    if any("in a row" in flag for one in flagged for flag in one.flags):
        notes.append(
            "equal answers in a row are counted in the order of the rows: they say little if items "
            "were shown in another order"
        )
    return notes


def without_flagged(
    judgments: Judgments, thresholds: Thresholds | None = None
) -> tuple[Judgments, list[Annotator]]:
    """Leave out flagged annotators, each from the data set and task of the flag; return both.

    Answers of unknown annotators are kept.

    >>> rows = [{"annotator": "ann", "topic": "a", "answer": 3, "time": s} for s in (9, 8)]
    >>> rows += [{"annotator": "bob", "topic": "a", "answer": 3, "time": s} for s in (1, 0.5)]
    >>> kept, flagged = without_flagged(Judgments.of(rows))
    >>> kept.frame["annotator"].to_list(), [one.annotator for one in flagged]
    (['ann', 'ann'], ['bob'])
    """
    import polars as pl

    flagged = [one for one in annotators_of(judgments, thresholds) if one.flags]
    names = [(one.dataset, one.task, one.annotator) for one in flagged]
    excluded = pl.DataFrame(names, schema=dict.fromkeys(_PERSON, pl.String), orient="row")
    numbered = judgments.frame.with_row_index("row")
    kept = numbered.join(excluded, on=_PERSON, how="anti")["row"].implode()
    return judgments.filtered(pl.int_range(pl.len()).is_in(kept)), flagged


_Checks = dict[tuple[str, str], tuple[int, int]]


def _checks(judgments: Judgments) -> _Checks:
    """Return how many checks each annotator of a data set has right, and has answered."""
    import polars as pl

    frame = judgments.checks.frame.filter(pl.col("correct").is_not_null())
    right = pl.col("correct").sum()
    counts = frame.group_by("dataset", "annotator").agg(right.alias("right"), pl.len())
    return {(dataset, who): (right, count) for dataset, who, right, count in counts.iter_rows()}


def _annotators(part: Judgments, checks: _Checks, limits: Thresholds) -> list[Annotator]:
    """Return the annotators of one data set and task."""
    frame = part.frame.filter(part.frame["annotator"].is_not_null())
    if frame.is_empty():
        return []
    task = TaskRatings.of(part)
    rest: dict[str, float] = {}  # of annotators with enough items in common with others
    if not task.unnumbered:
        rest = {
            one.who: correlation("spearman", one)
            for one in against_rest(task.ratings)
            if len(one.item) >= _LEAST_COMMON
        }
    column = "answer" if not task.rows.has_key else "position"
    groups = frame.partition_by("annotator", maintain_order=True, as_dict=True)
    people = {str(who): rows for (who,), rows in groups.items() if not rows["gold"].all()}
    dataset = frame["dataset"][0]
    return [
        _annotator(
            rows, column, rest.get(who, math.nan), checks.get((dataset, who), (0, 0)), limits
        )
        for who, rows in people.items()
    ]


def _annotator(
    rows: pl.DataFrame,
    column: str,
    rest: float,
    checks: tuple[int, int],
    limits: Thresholds,
) -> Annotator:
    times = rows["time"].drop_nulls().drop_nans()
    # the median of no times is unknown
    time = float(times.median()) if len(times) else math.nan  # type: ignore[arg-type]
    line = longest_line(rows[column].drop_nulls().to_list()) if column in rows.columns else None
    right, gold = checks
    flags = []
    if time < limits.seconds:
        flags.append(f"{time:.2g} s an answer")
    if line is not None and line >= limits.line:
        what = "places" if column == "position" else "answers"
        flags.append(f"{line} equal {what} in a row")
    if gold >= max(limits.checks, 1) and right / gold < limits.gold:
        flags.append(f"{right} of {gold} checks right")
    dataset, task, who = rows.select(_PERSON).row(0)
    answers = rows.height
    return Annotator(dataset, task, who, answers, time, line, right, gold, rest, tuple(flags))


def longest_line(answers: Iterable[object]) -> int:
    """Return how many answers in a row are the same, at most.

    >>> longest_line([3, 1, 1, 1, 2])
    3
    """
    return max((sum(1 for _ in run) for _, run in itertools.groupby(answers)), default=0)
