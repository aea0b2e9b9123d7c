"""The error of extraction, E (Beekhuizen 2020)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.lexicon.error.kinds import Kinds, Series

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64


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

    J is Jaccard's coefficient, the share of all expressions of two tokens that both have. So it is
    never asked of two empty sets. Written out for a pair of tokens, each of which is empty (0) or
    expressed (1) on the two sides (e a):

    ============  =====  =====  =====  =====
    i \\ j         1 1    0 0    1 0    0 1
    ============  =====  =====  =====  =====
    1 1            ΔJ     0      1      1
    0 0            0      0      1      1
    1 0, 0 1       1      1      1      1
    ============  =====  =====  =====  =====

    Hence E is 0 where both sides are empty throughout, and 1 where one is and the other nowhere.
    Of n tokens, m that are empty on one side alone cost :math:`1 - \binom{n-m}{2} / \binom{n}{2}`,
    whatever the rest. It is NaN for fewer than two tokens, which have no pairs.

    E misleads where annotated tokens are mostly of one expression, or mostly of different ones:
    then the answers "all the same" and "all different" have a low error too. Where both sides are
    empty, pairs are right whatever the other token is. See :func:`error_parts`.

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
    found: F64 = np.where(kinds.expressed, apart, kinds.mismatched.astype(np.float64))
    return found


def mean_over_pairs(kinds: Kinds, values: F64) -> float:
    """Return the mean over pairs of different tokens; NaN where there are none."""
    if kinds.tokens < 2:
        return math.nan
    return float((kinds.weights * values).sum() / (kinds.tokens * (kinds.tokens - 1)))
