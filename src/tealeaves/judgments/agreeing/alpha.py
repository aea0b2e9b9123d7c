"""Krippendorff's α: how far answers agree, beyond what their frequencies alone would give.

α = 1 − D_o / D_e: the disagreement of answers to the same item, by the disagreement of any two
answers (Krippendorff 2004, chapter 11). Who answered does not matter; missing answers are natural;
an item with a single answer cannot be paired and is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.errors import InputError, did_you_mean
from tealeaves.judgments.agreeing.tallies import Tally
from tealeaves.judgments.ratings import Ratings

Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = get_args(Level)


def alpha(ratings: Ratings, level: str = "ordinal", weights: Floats | None = None) -> Floats:
    """Return α of each draw; ``weights`` (draws, items) say how often each item counts.

    Without weights the array has no dimension: a single number. The level says what the difference
    of two answers is: ``nominal`` 0 or 1; ``ordinal`` how many answers lie between them, which
    depends on the draw; ``interval`` the difference of their numbers, squared. NaN where fewer
    than two answers can be paired, or where all are the same.

    >>> ratings = Ratings.of(list("aabbcc"), [None] * 6, [1.0, 1.0, 2.0, 3.0, 4.0, 4.0])
    >>> float(alpha(ratings, "nominal")), float(alpha(ratings, "interval"))
    (0.615, 0.912)
    """
    if level not in _DISAGREEMENTS:
        raise InputError(
            f"no level {level}{did_you_mean(level, LEVELS)} (there are {', '.join(LEVELS)})"
        )
    tally = Tally(ratings)
    if weights is None:
        return np.asarray(_alpha(tally, level, np.ones((1, tally.items)))[0])
    if not len(weights):
        return np.empty(0)
    return np.concatenate([_alpha(tally, level, block) for block in tally.blocks(weights)])


def _alpha(tally: Tally, level: str, weights: Floats) -> Floats:
    observed, expected = _DISAGREEMENTS[level](tally, weights)
    n = weights @ tally.answers
    found = np.full(len(weights), np.nan)
    varied = expected > 0
    found[varied] = 1 - (n[varied] - 1) * observed[varied] / expected[varied]
    return found


# Each returns Σ o_ck δ²_ck and Σ n_c n_k δ²_ck of each draw: o are pairs within items, each item's
# divided by its answers less one; n_c says how often a value was given.


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
    return observed, _varied(margins, 2 * margins.sum(1) * (margins * ranks**2).sum(1))


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
    # what is left of equal numbers by rounding is no variation
    return observed, np.where(expected > 1e-12 * n * power, expected, 0.0)


def _per_answer(pairs: Floats, tally: Tally) -> Floats:
    return pairs / np.maximum(tally.answers - 1, 1)


def _varied(margins: Floats, expected: Floats) -> Floats:
    return np.where((margins > 0).sum(1) > 1, expected, 0.0)


_DISAGREEMENTS: dict[str, Callable[[Tally, Floats], tuple[Floats, Floats]]] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
}
