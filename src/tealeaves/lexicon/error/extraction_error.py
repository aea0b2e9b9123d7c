"""The error of extraction, E (Beekhuizen 2020), its parts, and what simple answers would have.

All measures here compare pairs of tokens. Tokens that have the same expressions on both sides are
of one kind, so pairs of kinds are compared, and weighted by the number of their tokens.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.kernels import F64

    Flags = NDArray[np.bool_]

_COLLECTIONS = {frozenset, set, list, tuple}

#: The expressions of each token, in order; an empty set if nothing expresses it.
Series = Sequence[Iterable[str]]


def extraction_error(extracted: Series, annotated: Series) -> float:
    r"""Return how far extracted expressions are from annotated ones: 0 is right, 1 is all wrong.

    Both sides have a set of expressions for each token of a lemma, in the same order. E asks
    whether tokens that are expressed alike on one side are so on the other, whatever the
    expressions are called:

    .. math:: E = \binom{n}{2}^{-1} \sum_{i<j} \varepsilon_{ij}

    where :math:`\varepsilon_{ij}` is, by the first rule that holds,

    ===========================================================  ================================
    e_i is empty and a_i is not, or the reverse; or so at j      1
    e_i and a_i are both empty, or e_j and a_j are               0
    otherwise: all four have expressions                         \|J(e_i, e_j) - J(a_i, a_j)\|
    ===========================================================  ================================

    J is Jaccard's coefficient, the share of all expressions of two tokens that both have; it is
    not needed for two empty sets. For a pair of tokens, each of which is empty (0) or expressed (1)
    on the two sides (e a):

    ============  =====  =====  =====  =====
    i \\ j         1 1    0 0    1 0    0 1
    ============  =====  =====  =====  =====
    1 1            ΔJ     0      1      1
    0 0            0      0      1      1
    1 0, 0 1       1      1      1      1
    ============  =====  =====  =====  =====

    So E is 0 if all tokens are empty on both sides, and 1 if all are empty on one side and none on
    the other. Of n tokens, m that are empty on one side only cost
    :math:`1 - \binom{n-m}{2} / \binom{n}{2}`. E is NaN for fewer than two tokens.

    E misleads if most annotated tokens have the same expression, or most have different ones: the
    answers "all the same" and "all different" then have a low error too. If a token is empty on
    both sides, its pairs are right whatever the other token is. See :func:`error_parts`.

    Parameters
    ----------
    extracted, annotated
        A set of expressions for each token; the empty set for none.

    References
    ----------
    Beekhuizen (2020). A dataset and metric to evaluate lexical extraction from parallel corpora.
    SIGTYP. (Its formula divides by n over k; what is meant is n over 2.)

    >>> extraction_error([{"a"}, {"a"}, {"b"}], [{"x"}, {"x"}, {"x"}])  # (0 + 1 + 1) / 3
    0.666667
    >>> extraction_error([{"a"}, {"a", "b"}, set()], [{"x"}, {"x"}, set()])  # (1/2 + 0 + 0) / 3
    0.166667
    """
    kinds = Kinds.of(extracted, annotated)
    return mean_over_pairs(kinds, pair_errors(kinds))


def pair_errors(kinds: Kinds) -> F64:
    """Return ε of each two kinds of tokens."""
    apart = np.abs(kinds.extracted.jaccard - kinds.annotated.jaccard)
    errors: F64 = np.where(kinds.expressed, apart, kinds.mismatched.astype(np.float64))
    return errors


def mean_over_pairs(kinds: Kinds, values: F64) -> float:
    """Return the mean over pairs of different tokens; NaN if there are none."""
    if kinds.tokens < 2:
        return math.nan
    return float((kinds.weights * values).sum() / (kinds.tokens * (kinds.tokens - 1)))


class Corrected:
    """The error of a lemma against those of simple answers, as shares."""

    __slots__ = ()

    error: float
    all_same: float
    all_different: float
    chance: float

    @property
    def corrected(self) -> float:
        """1 - E / the better simple answer: 1 is right, 0 no better; NaN if that is right.

        >>> parts = error_parts([{"a"}, {"a"}, {"b"}], [{"x"}, {"y"}, {"y"}])
        >>> parts.error, parts.all_same, parts.all_different, parts.corrected
        (0.666667, 0.666667, 0.333333, -1.0)
        """
        return corrected(self.error, min(self.all_same, self.all_different))

    @property
    def adjusted(self) -> float:
        """1 - E / chance: 1 is right; 0 for an answer that does not depend on the token.

        >>> error_parts([{"a"}] * 3, [{"x"}, {"y"}, {"y"}]).adjusted
        0.0
        """
        return corrected(self.error, self.chance)


@dataclass(frozen=True)
class ErrorParts(Corrected):
    """The error of one lemma, its parts, and the errors of simple answers.

    ``error = mismatched + expressed_error × expressed_pairs / pairs``. All are NaN if there are
    fewer than two tokens.

    Parameters
    ----------
    error
        E, see :func:`extraction_error`.
    tokens, pairs
        The number of tokens, and of pairs of tokens.
    expressed_error, expressed_pairs
        The error over the pairs that are expressed on both sides, and their number; NaN if there
        are none.
    mismatched
        The share of pairs with a token that is empty on one side only; all of it is error.
    all_same, all_different
        The error of an answer with one expression for all tokens, or another for each.
    chance
        The expected error if the extracted sets were assigned to the tokens at random.
    empty_extracted, empty_annotated
        The share of tokens without expression.
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


def corrected(error: float, baseline: float) -> float:
    """Return how much better than a baseline an error is, as a share; NaN if the baseline is 0.

    >>> corrected(0.2, 0.5)
    0.6
    """
    return 1 - error / baseline if baseline > 0 else math.nan


def error_parts(extracted: Series, annotated: Series) -> ErrorParts:
    """Return the error of extraction, its parts, and the errors of simple answers.

    Parameters
    ----------
    extracted
        The expressions of each token, as extracted; an empty set if there are none.
    annotated
        The expressions of each token, as annotated.

    >>> parts = error_parts([{"a"}, {"a"}, set()], [{"x"}, {"y"}, {"y"}])
    >>> parts.error, parts.mismatched, parts.expressed_error, parts.expressed_pairs
    (1.0, 0.666667, 1.0, 1)
    """
    return parts_of(Kinds.of(extracted, annotated))


def parts_of(kinds: Kinds) -> ErrorParts:
    """Return the parts of the error of tokens as kinds."""
    errors = pair_errors(kinds)
    expressed = float((kinds.weights * kinds.expressed).sum())
    summed = float((kinds.weights * kinds.expressed * errors).sum())
    annotated = kinds.annotated
    empty = annotated.empty[:, None] | annotated.empty[None, :]
    return ErrorParts(
        error=mean_over_pairs(kinds, errors),
        tokens=kinds.tokens,
        pairs=kinds.pairs,
        expressed_error=summed / expressed if expressed else math.nan,
        expressed_pairs=int(expressed) // 2,
        mismatched=mean_over_pairs(kinds, kinds.mismatched.astype(np.float64)),
        # simple answers are never empty, so an empty annotated set is a mismatch
        all_same=mean_over_pairs(kinds, np.where(empty, 1.0, 1 - annotated.jaccard)),
        all_different=mean_over_pairs(kinds, np.where(empty, 1.0, annotated.jaccard)),
        chance=_chance(kinds),
        empty_extracted=_share_empty(kinds, kinds.extracted),
        empty_annotated=_share_empty(kinds, annotated),
    )


def _share_empty(kinds: Kinds, side: Side) -> float:
    return float(kinds.counts @ side.empty) / kinds.tokens if kinds.tokens > 1 else math.nan


def _chance(kinds: Kinds) -> float:
    """Return the mean error over all orders of the extracted sets.

    Over all orders, each pair of extracted sets meets each pair of annotated sets equally often. So
    the mean is computed without trying any order.
    """
    if kinds.tokens < 2:
        return math.nan
    sides = (kinds.extracted, kinds.annotated)
    e_empty, a_empty = (_empty_patterns(kinds, side) for side in sides)
    (e, e_shares), (a, a_shares) = (_jaccard_distribution(kinds, side) for side in sides)
    apart = np.abs(e[:, None] - a[None, :])
    # pairs with the same pattern of empty sets have no mismatch
    return float(1 - e_empty @ a_empty + e_shares @ apart @ a_shares)


def _empty_patterns(kinds: Kinds, side: Side) -> F64:
    """Return the shares of pairs in which no set, the first, the second, or both are empty."""
    empty = float(kinds.counts @ side.empty)
    full = kinds.tokens - empty
    pairs = [full * (full - 1), full * empty, full * empty, empty * (empty - 1)]
    return np.array(pairs) / (kinds.tokens * (kinds.tokens - 1))


def _jaccard_distribution(kinds: Kinds, side: Side) -> tuple[F64, F64]:
    """Return the values of Jaccard's coefficient over expressed pairs, and their shares of all."""
    coefficients, weights = side.jaccard, kinds.weights
    if side.empty.any():
        full = np.ix_(~side.empty, ~side.empty)
        coefficients, weights = coefficients[full], weights[full]
    values, places = np.unique(coefficients, return_inverse=True)
    summed = np.bincount(places.ravel(), weights.ravel(), minlength=len(values))
    return values, summed / (kinds.tokens * (kinds.tokens - 1))


# ---------------------------------------------------------------------- kinds of tokens


@dataclass(frozen=True, eq=False)
class Side:
    """The expressions of each kind on one side: extracted, or annotated."""

    sets: list[frozenset[str]]

    @cached_property
    def sizes(self) -> F64:
        """The number of expressions of each kind."""
        return np.array([len(one) for one in self.sets], np.float64)

    @cached_property
    def empty(self) -> Flags:
        """Whether a kind has no expression."""
        empty: Flags = self.sizes == 0
        return empty

    @cached_property
    def shared(self) -> F64:
        """The number of expressions that each two kinds share."""
        number: dict[str, int] = {}
        columns = [[number.setdefault(text, len(number)) for text in one] for one in self.sets]
        # single precision counts exactly up to 2^24, and no token has so many expressions
        has = np.zeros((len(columns), len(number)), np.float32)
        rows = np.repeat(np.arange(len(columns)), self.sizes.astype(np.int64))
        has[rows, [column for row in columns for column in row]] = 1
        return (has @ has.T).astype(np.float64)

    @cached_property
    def jaccard(self) -> F64:
        """Jaccard's coefficient of each two kinds; 0 for two empty sets, which is never used."""
        either = self.sizes[:, None] + self.sizes[None, :] - self.shared
        coefficients: F64 = self.shared / np.maximum(either, 1)
        return coefficients


@dataclass(frozen=True, eq=False)
class Kinds:
    """The kinds of tokens of one lemma: the number of tokens of each, and its two sides."""

    counts: F64
    extracted: Side
    annotated: Side

    @classmethod
    def of(cls, extracted: Series, annotated: Series) -> Kinds:
        """Count the tokens of each kind.

        >>> kinds = Kinds.of([{"a"}, {"a"}, {"b"}], [{"x"}, {"x"}, {"x"}])
        >>> kinds.counts.tolist(), kinds.tokens, kinds.pairs
        ([2.0, 1.0], 3, 3)
        """
        sides = (as_sets(extracted, "extracted"), as_sets(annotated, "annotated"))
        if len(sides[0]) != len(sides[1]):
            raise InputError(
                f"{len(sides[0])} tokens are extracted and {len(sides[1])} annotated: "
                "both sides must have the same tokens, in the same order"
            )
        kinds = Counter(zip(*sides, strict=True))
        counts = np.array(list(kinds.values()), np.float64)
        return cls(counts, Side([e for e, _ in kinds]), Side([a for _, a in kinds]))

    @cached_property
    def tokens(self) -> int:
        """The number of tokens."""
        return int(self.counts.sum())

    @property
    def pairs(self) -> int:
        """The number of pairs of different tokens."""
        return self.tokens * (self.tokens - 1) // 2

    @cached_property
    def weights(self) -> F64:
        """The number of ordered pairs of different tokens of each two kinds."""
        weights: F64 = np.outer(self.counts, self.counts) - np.diag(self.counts)
        return weights

    @cached_property
    def mismatched(self) -> Flags:
        """Whether one of each two kinds is empty on one side and not on the other."""
        return _either(self.extracted.empty != self.annotated.empty)

    @cached_property
    def expressed(self) -> Flags:
        """Whether both of each two kinds are expressed on both sides."""
        return ~_either(self.extracted.empty | self.annotated.empty)


def _either(flags: Flags) -> Flags:
    either: Flags = flags[:, None] | flags[None, :]
    return either


def as_sets(series: Series, name: str) -> list[frozenset[str]]:
    """Return the expressions of each token as a set; raise for anything else.

    >>> as_sets([["a", "a"], ()], "extracted")
    [frozenset({'a'}), frozenset()]
    """
    if isinstance(series, str):
        raise InputError(f"{name}: {series!r} is one text, not a set of expressions for each token")
    if not isinstance(series, Iterable):
        raise InputError(f"{name}: {series!r:.40} is no series of sets, one for each token")
    tokens = list(series)
    # All texts are checked at once, which is faster. Otherwise one by one, to say which is wrong.
    if {type(one) for one in tokens} <= _COLLECTIONS:
        with suppress(TypeError):  # lists in lists
            sets = [frozenset(one) for one in tokens]
            texts: frozenset[object] = frozenset().union(*sets)
            if "" not in texts and all(isinstance(text, str) for text in texts):
                return sets
    return [_as_set(one, name, place) for place, one in enumerate(tokens, 1)]


def _as_set(value: Iterable[str], name: str, place: int) -> frozenset[str]:
    where = f"{name}, token {place}"
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise InputError(f"{where}: {value!r} is no set; write {{{value!r}}}, or set() for nothing")
    texts = list(value)
    for text in texts:
        if not isinstance(text, str):
            raise InputError(f"{where}: the expression {text!r} is no text")
        if not text:
            raise InputError(f"{where}: an expression is empty text; nothing is written set()")
    return frozenset(texts)
