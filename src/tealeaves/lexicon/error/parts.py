"""What an error of extraction consists of, and what simple answers would have had."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.lexicon.error.extraction_error import mean_over_pairs, pair_errors
from tealeaves.lexicon.error.kinds import Kinds, Series, Side

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64


@dataclass(frozen=True)
class ErrorParts:
    """The error of one lemma, its parts, and lines to hold it against.

    ``error = mismatched + expressed_error × expressed_pairs / pairs``. Everything is NaN where
    there are fewer than two tokens.

    Parameters
    ----------
    error
        E, see :func:`extraction_error`.
    tokens, pairs
        How many tokens there are, and how many pairs of them.
    expressed_error, expressed_pairs
        The error over the pairs that are expressed on both sides, and how many these are. NaN where
        there are none.
    mismatched
        The share of pairs where a token is empty on one side alone; all of it is error.
    all_same, all_different
        The error of an answer that has one expression for all tokens, or another for each.
    chance
        The error to be expected if the extracted sets were dealt out to the tokens at random.
    empty_extracted, empty_annotated
        The share of tokens that nothing expresses.
    """

    error: float
    tokens: int
    pairs: int
    expressed_error: float
    expressed_pairs: int
    mismatched: float
    all_same: float
    all_different: float
    chance: float
    empty_extracted: float
    empty_annotated: float

    @property
    def corrected(self) -> float:
        """1 - E / the lower line: 1 is right, 0 as good as a simple answer; NaN if that is right.

        >>> parts = error_parts([{"a"}, {"a"}, {"b"}], [{"x"}, {"y"}, {"y"}])
        >>> parts.error, parts.all_same, parts.all_different, parts.corrected
        (0.666667, 0.666667, 0.333333, -1.0)
        """
        return corrected(self.error, min(self.all_same, self.all_different))

    @property
    def adjusted(self) -> float:
        """1 - E / chance: 1 is right; 0 for every answer that knows nothing of single tokens.

        >>> error_parts([{"a"}] * 3, [{"x"}, {"y"}, {"y"}]).adjusted
        0.0
        """
        return corrected(self.error, self.chance)


def corrected(error: float, line: float) -> float:
    """Return how much better than a line an error is, as a share; NaN where the line is 0.

    >>> corrected(0.2, 0.5)
    0.6
    """
    return 1 - error / line if line > 0 else math.nan


def error_parts(extracted: Series, annotated: Series) -> ErrorParts:
    """Return the error of extraction, its parts, and lines to hold it against.

    >>> parts = error_parts([{"a"}, {"a"}, set()], [{"x"}, {"y"}, {"y"}])
    >>> parts.error, parts.mismatched, parts.expressed_error, parts.expressed_pairs
    (1.0, 0.666667, 1.0, 1)
    """
    return parts_of(Kinds.of(extracted, annotated))


def parts_of(kinds: Kinds) -> ErrorParts:
    """Return the parts of the error of tokens that are sorted already."""
    errors = pair_errors(kinds)
    expressed = float((kinds.weights * kinds.expressed).sum())
    summed = float((kinds.weights * kinds.expressed * errors).sum())
    annotated = kinds.annotated
    lost = annotated.empty[:, None] | annotated.empty[None, :]
    return ErrorParts(
        error=mean_over_pairs(kinds, errors),
        tokens=kinds.tokens,
        pairs=kinds.pairs,
        expressed_error=summed / expressed if expressed else math.nan,
        expressed_pairs=int(expressed) // 2,
        mismatched=mean_over_pairs(kinds, kinds.mismatched.astype(np.float64)),
        # neither answer is ever empty: wherever the annotated set is, that is a mismatch
        all_same=mean_over_pairs(kinds, np.where(lost, 1.0, 1 - annotated.jaccard)),
        all_different=mean_over_pairs(kinds, np.where(lost, 1.0, annotated.jaccard)),
        chance=_chance(kinds),
        empty_extracted=_share_empty(kinds, kinds.extracted),
        empty_annotated=_share_empty(kinds, annotated),
    )


def _share_empty(kinds: Kinds, side: Side) -> float:
    return float(kinds.counts @ side.empty) / kinds.tokens if kinds.tokens > 1 else math.nan


def _chance(kinds: Kinds) -> float:
    """Return the mean error over all orders of the extracted sets.

    Over all orders each pair of extracted sets meets each pair of annotated ones equally often, so
    that no order need be tried.
    """
    if kinds.tokens < 2:
        return math.nan
    sides = (kinds.extracted, kinds.annotated)
    e_met, a_met = (_patterns(kinds, side) for side in sides)
    e, a = (_spread(kinds, side) for side in sides)
    # patterns that are the same have no mismatch
    apart = np.abs(e.values[:, None] - a.values[None, :])
    return float(1 - e_met @ a_met + e.shares @ apart @ a.shares)


def _patterns(kinds: Kinds, side: Side) -> F64:
    """Return the shares of pairs with no empty set, with the one, with the other, and with two."""
    empty = float(kinds.counts @ side.empty)
    full = kinds.tokens - empty
    pairs = [full * (full - 1), full * empty, full * empty, empty * (empty - 1)]
    return np.array(pairs) / (kinds.tokens * (kinds.tokens - 1))


@dataclass(frozen=True)
class _Spread:
    """The values of Jaccard's coefficient over expressed pairs, each with its share of all."""

    values: F64
    shares: F64


def _spread(kinds: Kinds, side: Side) -> _Spread:
    coefficients, weights = side.jaccard, kinds.weights
    if side.empty.any():
        full = np.ix_(~side.empty, ~side.empty)
        coefficients, weights = coefficients[full], weights[full]
    values, places = np.unique(coefficients, return_inverse=True)
    summed = np.bincount(places.ravel(), weights.ravel(), minlength=len(values))
    return _Spread(values, summed / (kinds.tokens * (kinds.tokens - 1)))
