"""``Tally``: how often each value was given to each item."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from tealeaves.arrays import Floats, Integers
from tealeaves.judgments.ratings import Ratings

# numbers that are held at once while draws are counted
_BLOCK = 4_000_000


class Tally:
    """Items by values, of the items with two answers or more; others cannot be paired.

    ``weights`` are always of all items of the ratings, (draws, items): how often each counts.

    >>> ratings = Ratings.of(list("aabbc"), [None] * 5, [1.0, 2.0, 2.0, 2.0, 1.0])
    >>> tally = Tally(ratings)
    >>> tally.values.tolist(), tally.answers.tolist(), tally.single
    ([1.0, 2.0], [2.0, 2.0, 0.0], 1)
    >>> tally.margins(np.ones((1, 3))).tolist()
    [[1.0, 3.0]]
    """

    def __init__(self, ratings: Ratings) -> None:
        from scipy.sparse import csr_array

        per_item = ratings.per_item
        paired = per_item[ratings.item] >= 2
        self.items = len(ratings.items)
        self.item: Integers = ratings.item[paired]
        self.values, self.code = np.unique(ratings.value[paired], return_inverse=True)
        #: Answers of each item; 0 where they cannot be paired.
        self.answers: Floats = np.where(per_item >= 2, per_item, 0).astype(np.float64)
        #: Items with a single answer.
        self.single = int((per_item == 1).sum())
        ones = np.ones(len(self.item))
        shape = (self.items, len(self.values))
        self._counts: Any = csr_array((ones, (self.item, self.code)), shape=shape)

    @cached_property
    def pairs(self) -> Floats:
        """Ordered pairs of answers that are the same, of each item."""
        squares = np.asarray((self._counts * self._counts).sum(axis=1), dtype=np.float64)
        return squares.ravel() - self.answers

    def margins(self, weights: Floats) -> Floats:
        """Return how often each value was given: (draws, values)."""
        return np.asarray((self._counts.T @ weights.T).T, dtype=np.float64)

    def sums(self, scores: Floats) -> Floats:
        """Return the sum over each item's answers of scores of values: (draws, items)."""
        return np.asarray((self._counts @ scores.T).T, dtype=np.float64)

    def blocks(self, weights: Floats) -> list[Floats]:
        """Cut many draws into pieces, so that what is made of each fits into memory."""
        width = max(self.items, len(self.values), 1)
        step = max(_BLOCK // width, 1)
        return [weights[start : start + step] for start in range(0, len(weights), step)]
