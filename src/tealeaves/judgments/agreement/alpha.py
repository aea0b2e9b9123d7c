"""Krippendorff's α and Fleiss' κ: how far answers agree beyond chance.

α = 1 − D_o / D_e: the disagreement of answers to the same item, divided by the disagreement of any
two answers (Krippendorff 2004, chapter 11). It does not matter who answered. Answers may be
missing. An item with a single answer has no pair of answers and is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np

from tealeaves.arrays import Floats, Integers
from tealeaves.errors import InputError, did_you_mean
from tealeaves.judgments.ratings import Ratings

Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = get_args(Level)
# numbers that are held in memory at once
_BLOCK = 4_000_000


class Tally:
    """How often each item has each value, for items with two answers or more.

    ``weights`` are (draws, items), with all items of the ratings: how often each item counts.

    >>> ratings = Ratings.of(list("aabbc"), [None] * 5, [1.0, 2.0, 2.0, 2.0, 1.0])
    >>> tally = Tally(ratings)
    >>> tally.values.tolist(), tally.answers.tolist()
    ([1.0, 2.0], [2.0, 2.0, 0.0])
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
        #: Answers of each item; 0 for an item with a single answer.
        self.answers: Floats = np.where(per_item >= 2, per_item, 0).astype(np.float64)
        ones = np.ones(len(self.item))
        shape = (self.items, len(self.values))
        self._counts: Any = csr_array((ones, (self.item, self.code)), shape=shape)

    @cached_property
    def pairs(self) -> Floats:
        """How many ordered pairs of equal answers each item has."""
        squares = np.asarray((self._counts * self._counts).sum(axis=1), dtype=np.float64)
        return squares.ravel() - self.answers

    def margins(self, weights: Floats) -> Floats:
        """Return how often each value was given: (draws, values)."""
        return np.asarray((self._counts.T @ weights.T).T, dtype=np.float64)

    def sums(self, scores: Floats) -> Floats:
        """Return the sum over each item's answers of the scores of values: (draws, items)."""
        return np.asarray((self._counts @ scores.T).T, dtype=np.float64)

    def statistic(
        self, compute: Callable[[Tally, Floats], Floats], weights: Floats | None
    ) -> Floats:
        """Compute a statistic for each draw, some draws at a time; one number without weights."""
        if weights is None:
            return np.asarray(compute(self, np.ones((1, self.items)))[0])
        if not len(weights):
            return np.empty(0)
        step = max(_BLOCK // max(self.items, len(self.values), 1), 1)
        blocks = (weights[start : start + step] for start in range(0, len(weights), step))
        return np.concatenate([compute(self, block) for block in blocks])


def alpha(ratings: Ratings, level: str = "ordinal", weights: Floats | None = None) -> Floats:
    """Return α of each draw; ``weights`` (draws, items) say how often each item counts.

    Without weights the array has no dimension: a single number. The level says what the difference
    of two answers is: ``nominal`` 0 or 1; ``ordinal`` how many answers lie between them, which
    depends on the draw; ``interval`` the difference of their numbers, squared. NaN if there are no
    two answers to one item, or all answers are the same.

    >>> ratings = Ratings.of(list("aabbcc"), [None] * 6, [1.0, 1.0, 2.0, 3.0, 4.0, 4.0])
    >>> float(alpha(ratings, "nominal")), float(alpha(ratings, "interval"))
    (0.615, 0.912)
    """
    check_level(level)

    def compute(tally: Tally, weights: Floats) -> Floats:
        observed, expected = _DISAGREEMENTS[level](tally, weights)
        n = weights @ tally.answers
        values = np.full(len(weights), np.nan)
        varied = expected > 0
        values[varied] = 1 - (n[varied] - 1) * observed[varied] / expected[varied]
        return values

    return Tally(ratings).statistic(compute, weights)


def check_level(level: str) -> None:
    """Raise for an unknown level of α."""
    if level not in LEVELS:
        raise InputError(
            f"no level {level}{did_you_mean(level, LEVELS)} (there are {', '.join(LEVELS)})"
        )


def kappa(ratings: Ratings, weights: Floats | None = None) -> Floats:
    """Return Fleiss' κ of each draw; ``weights`` (draws, items) say how often each item counts.

    Without weights the array has no dimension: a single number. Fleiss (1971) had the same number
    of answers to each item. If numbers differ, an item's agreement is the share of equal pairs
    among the pairs of its answers, each item counts the same, and the share of a class is its
    share of all answers to items with two answers or more. NaN if all answers are the same.

    >>> ratings = Ratings.of(list("aabbcc"), [None] * 6, [1.0, 1.0, 2.0, 3.0, 4.0, 4.0])
    >>> float(kappa(ratings))  # agreement 2/3, by chance (4 + 1 + 1 + 4) / 36
    0.538
    """

    def compute(tally: Tally, weights: Floats) -> Floats:
        paired = tally.answers > 1
        like = np.zeros(tally.items)
        np.divide(tally.pairs, tally.answers * (tally.answers - 1), out=like, where=paired)
        margins = tally.margins(weights)
        values = np.full(len(weights), np.nan)
        varied = (margins > 0).sum(1) > 1
        drawn, counted = weights[varied], margins[varied]
        agreed = drawn @ like / (drawn @ paired)
        chance = ((counted / counted.sum(1, keepdims=True)) ** 2).sum(1)
        values[varied] = (agreed - chance) / (1 - chance)
        return values

    return Tally(ratings).statistic(compute, weights)


# Each returns Σ o_ck δ²_ck and Σ n_c n_k δ²_ck of each draw: o are pairs within items, those of an
# item divided by its answers less one; n_c says how often a value was given.


def _nominal(tally: Tally, weights: Floats) -> tuple[Floats, Floats]:
    answers = tally.answers
    unlike = answers * (answers - 1) - tally.pairs
    margins = tally.margins(weights)
    return weights @ _per_answer(unlike, tally), margins.sum(1) ** 2 - (margins**2).sum(1)


def _ordinal(tally: Tally, weights: Floats) -> tuple[Floats, Floats]:
    # δ_ck, the answers from c to k less half of those at the ends, is a difference of mean ranks
    margins = tally.margins(weights)
    ranks = np.cumsum(margins, axis=1) - margins / 2
    ranks -= margins.sum(1, keepdims=True) / 2
    squares, sums = tally.sums(ranks**2), tally.sums(ranks)
    apart = 2 * (tally.answers * squares - sums**2)
    observed = (weights * _per_answer(apart, tally)).sum(1)
    expected = 2 * margins.sum(1) * (margins * ranks**2).sum(1)
    return observed, np.where((margins > 0).sum(1) > 1, expected, 0.0)


def _interval(tally: Tally, weights: Floats) -> tuple[Floats, Floats]:
    if not len(tally.values):
        return np.zeros(len(weights)), np.zeros(len(weights))
    # about the middle of all answers, so that no digits are lost
    values = (tally.values - tally.values[tally.code].mean())[tally.code]
    answers = np.maximum(tally.answers, 1)
    sums = np.bincount(tally.item, values, tally.items)
    squares = np.bincount(tally.item, values**2, tally.items)
    within = np.bincount(tally.item, (values - (sums / answers)[tally.item]) ** 2, tally.items)
    observed = weights @ _per_answer(2 * answers * within, tally)
    n, total, power = weights @ tally.answers, weights @ sums, weights @ squares
    expected = 2 * (n * power - total**2)
    # a remainder of rounding equal numbers is no variation
    return observed, np.where(expected > 1e-12 * n * power, expected, 0.0)


def _per_answer(pairs: Floats, tally: Tally) -> Floats:
    return pairs / np.maximum(tally.answers - 1, 1)


_DISAGREEMENTS: dict[str, Callable[[Tally, Floats], tuple[Floats, Floats]]] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
}
