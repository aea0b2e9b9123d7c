"""``Ratings``: the answers to one task as arrays, for whoever counts with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tealeaves.arrays import Floats, Integers


@dataclass(frozen=True)
class Ratings:
    """Which item, by whom, what: three arrays of the same length, without missing values.

    ``annotator`` is -1 where nobody knows who answered.

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
    def anonymous(self) -> bool:
        """Whether some answers have no known annotator."""
        return bool((self.annotator < 0).any())

    @property
    def per_item(self) -> Integers:
        """How many answers each item has."""
        return np.bincount(self.item, minlength=len(self.items)).astype(np.int64)
