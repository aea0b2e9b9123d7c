"""The answers to one task as arrays: ``Ratings``, and ``TaskRatings`` with what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.arrays import Floats, Integers
from tealeaves.errors import InputError

if TYPE_CHECKING:
    from tealeaves.judgments.judgments import CountedAnswers, Judgments


@dataclass(frozen=True)
class Ratings:
    """Item, annotator and value of each answer: three arrays of the same length, without NaN.

    ``annotator`` is -1 if the annotator is unknown.

    >>> ratings = Ratings.of(["a", "a", "b"], ["ann", None, "ann"], [1.0, 2.0, float("nan")])
    >>> ratings.items, ratings.annotators, ratings.annotator.tolist(), ratings.dropped
    (['a', 'b'], ['ann'], [0, -1], 1)
    """

    items: list[str]
    annotators: list[str]
    item: Integers
    annotator: Integers
    value: Floats
    dropped: int = 0

    @classmethod
    def of(
        cls,
        items: Sequence[str],
        annotators: Sequence[str | None],
        values: Sequence[float] | Floats,
    ) -> Ratings:
        """Number items and annotators; answers without a value are dropped and counted."""
        names = {name: number for number, name in enumerate(dict.fromkeys(items))}
        people = dict.fromkeys(who for who in annotators if who)
        numbers = {who: number for number, who in enumerate(people)}
        value = np.asarray(values, dtype=np.float64)
        known = ~np.isnan(value)
        item = np.array([names[name] for name in items], dtype=np.int64)
        annotator = np.array([numbers.get(who or "", -1) for who in annotators], dtype=np.int64)
        return cls(
            list(names),
            list(numbers),
            item[known],
            annotator[known],
            value[known],
            int((~known).sum()),
        )

    @property
    def per_item(self) -> Integers:
        """How many answers each item has."""
        return np.bincount(self.item, minlength=len(self.items)).astype(np.int64)


@dataclass(frozen=True)
class TaskRatings:
    """The answers that count of one data set and task, and the number of each item's model.

    ``unnumbered`` is empty if answers are numbers. Otherwise it says why they are names, which can
    only be equal or not; their values are then numbers of names.
    """

    counting: CountedAnswers
    ratings: Ratings
    models: Integers
    unnumbered: str

    @classmethod
    def of(cls, part: Judgments) -> TaskRatings:
        """Take the answers of one data set and task."""
        rows = part.counted
        values, unnumbered = _values(rows)
        items = rows.frame["item"].to_list()
        ratings = Ratings.of(items, rows.frame["annotator"].to_list(), values)
        model_of = dict(zip(items, rows.frame["model"].to_list(), strict=True))
        numbers = {name: number for number, name in enumerate(dict.fromkeys(model_of.values()))}
        models = np.array([numbers[model_of[item]] for item in ratings.items], dtype=np.int64)
        return cls(part.counting, ratings, models, unnumbered)

    @property
    def rows(self) -> Judgments:
        """The answers that count."""
        return self.counting.judgments


def _values(rows: Judgments) -> tuple[Sequence[float], str]:
    """Return the answers as numbers; if these only number names, return also why."""
    import polars as pl

    column = rows.frame["answer"]
    if rows.has_key or rows.scale.values or column.dtype != pl.String:
        return rows.values.to_list(), ""
    answers = column.to_list()
    try:
        return rows.scale.numbers_of(answers), ""
    except InputError as error:
        number = {name: float(place) for place, name in enumerate(sorted(set(answers)))}
        return [number[answer] for answer in answers], str(error)
