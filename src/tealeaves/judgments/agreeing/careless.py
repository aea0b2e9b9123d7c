"""Signs of carelessness: flags, not bans."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from tealeaves.judgments.agreeing.ceiling import against_rest, correlation
from tealeaves.judgments.agreeing.preparing import Prepared, prepared
from tealeaves.judgments.judgments import Judgments
from tealeaves.tables.numbers import DASH, number_text
from tealeaves.tables.table import Table, text_table
from tealeaves.tables.tidy import Tidy

if TYPE_CHECKING:
    import polars as pl

_LEAST_COMMON = 5
# What tells one annotator of one task from all others.
_PERSON = ("dataset", "task", "annotator")


@dataclass(frozen=True)
class Thresholds:
    """When an annotator is flagged.

    A median time below ``seconds`` an answer; ``line`` equal answers in a row, or more; less than
    the share ``gold`` of at least ``checks`` items with a known answer that test attention. Times
    and lines are of one task. Checks are few, so those of all tasks of a data set count together.
    """

    seconds: float = 1.5
    line: int = 12
    gold: float = 0.7
    checks: int = 3


@dataclass(frozen=True)
class Annotator:
    """What is known of one annotator's care in one task.

    ``rest`` is Spearman's correlation with the others; ``gold`` counts the checks of all tasks of
    the data set, and ``gold_right`` those that were answered rightly.
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


class Careless(Tidy):
    """The annotators of each data set and task, a row each, with their flags."""

    def __init__(self, rows: Iterable[Annotator], notes: Sequence[str] = ()) -> None:
        self.rows = list(rows)
        self.notes = list(notes)

    @property
    def flagged(self) -> list[Annotator]:
        """The annotators with a flag."""
        return [one for one in self.rows if one.flags]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries; flags are text with semicolons between."""
        return [asdict(one) | {"flags": "; ".join(one.flags)} for one in self.rows]

    def table(self) -> Table:
        """Return the table that is printed."""
        columns = ["answers", "median time", "longest line", "gold", "with the rest", "flags"]
        return text_table(
            ["data set", "task", "annotator"],
            columns,
            [([one.dataset, one.task, one.annotator], _cells(one)) for one in self.rows],
        )


def careless(judgments: Judgments, thresholds: Thresholds | None = None) -> list[Annotator]:
    """Return the annotators of each data set and task; none where nobody knows who answered.

    Who saw nothing but items that test attention is not among them.
    Lines are of equal answers in the order of the rows. Where answers are right or wrong the same
    one may often be right: then lines are of the column ``position``, the place that was chosen,
    if there is one.

    >>> rows = [{"annotator": "ann", "topic": t, "answer": 3, "time": 0.8} for t in range(12)]
    >>> careless(Judgments.of(rows))[0].flags
    ('0.8 s an answer', '12 equal answers in a row')
    """
    limits = thresholds or Thresholds()
    checks = _checks(judgments)
    parts = (judgments.part(*part) for part in judgments.parts)
    return [one for part in parts for one in _of_part(part, checks, limits)]


def without_flagged(
    judgments: Judgments, thresholds: Thresholds | None = None
) -> tuple[Judgments, list[Annotator]]:
    """Leave out who is flagged, from the data set and task of the flag alone, and say who.

    Answers of which nobody knows whose are kept.

    >>> rows = [{"annotator": "ann", "topic": "a", "answer": 3, "time": s} for s in (9, 8)]
    >>> rows += [{"annotator": "bob", "topic": "a", "answer": 3, "time": s} for s in (1, 0.5)]
    >>> kept, flagged = without_flagged(Judgments.of(rows))
    >>> kept.frame["annotator"].to_list(), [one.annotator for one in flagged]
    (['ann', 'ann'], ['bob'])
    """
    import polars as pl

    flagged = [one for one in careless(judgments, thresholds) if one.flags]
    names = [(one.dataset, one.task, one.annotator) for one in flagged]
    gone = pl.DataFrame(names, schema=dict.fromkeys(_PERSON, pl.String), orient="row")
    numbered = judgments.frame.with_row_index("row")
    kept = numbered.join(gone, on=_PERSON, how="anti")["row"].implode()
    return judgments.filtered(pl.int_range(pl.len()).is_in(kept)), flagged


def longest_line(answers: Iterable[object]) -> int:
    """Return how many answers in a row are the same, at most.

    >>> longest_line([3, 1, 1, 1, 2])
    3
    """
    return max((sum(1 for _ in run) for _, run in itertools.groupby(answers)), default=0)


_Checks = dict[tuple[str, str], tuple[int, int]]


def _checks(judgments: Judgments) -> _Checks:
    """Return how many checks each annotator of a data set has right, and has answered."""
    import polars as pl

    frame = judgments.checks.frame.filter(pl.col("correct").is_not_null())
    right = pl.col("correct").sum()
    counts = frame.group_by("dataset", "annotator").agg(right.alias("right"), pl.len())
    return {(dataset, who): (right, count) for dataset, who, right, count in counts.iter_rows()}


def _of_part(part: Judgments, checks: _Checks, limits: Thresholds) -> list[Annotator]:
    """Return the annotators of one data set and task."""
    frame = part.frame.filter(part.frame["annotator"].is_not_null())
    if frame.is_empty():
        return []
    found = prepared(part)
    rest = _with_rest(found)
    column = (
        "answer" if not found.rows.has_key else "position" if "position" in frame.columns else None
    )
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
    column: str | None,
    rest: float,
    checks: tuple[int, int],
    limits: Thresholds,
) -> Annotator:
    times = rows["time"].drop_nulls().drop_nans()
    # a median of no times is unknown
    time = float(times.median()) if len(times) else math.nan  # type: ignore[arg-type]
    line = longest_line(rows[column].drop_nulls().to_list()) if column else None
    right, gold = checks
    flags = []
    if time < limits.seconds:
        flags.append(f"{time:.2g} s an answer")
    if line is not None and line >= limits.line:
        what = "places" if column == "position" else "answers"
        flags.append(f"{line} equal {what} in a row")
    if gold >= max(limits.checks, 1) and right / gold < limits.gold:
        flags.append(f"{right} of {gold} checks right")
    first = rows.row(0, named=True)
    return Annotator(
        first["dataset"], first["task"], first["annotator"], rows.height, time, line, right, gold,
        rest, tuple(flags),
    )  # fmt: skip


def _with_rest(found: Prepared) -> dict[str, float]:
    """Return each annotator's correlation with the others, where they have items in common."""
    if found.unnumbered:
        return {}
    return {
        one.who: correlation("spearman", one)
        for one in against_rest(found.ratings)
        if len(one.item) >= _LEAST_COMMON
    }


def _cells(one: Annotator) -> list[str]:
    return [
        str(one.answers),
        number_text(one.time, 1),
        DASH if one.line is None else str(one.line),
        f"{one.gold_right} of {one.gold}" if one.gold else DASH,
        number_text(one.rest, 2),
        ", ".join(one.flags),
    ]
