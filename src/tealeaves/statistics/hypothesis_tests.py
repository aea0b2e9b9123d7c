"""Hypothesis tests: of differences of means and ranks, and of correlations; p is two-sided.

A permutation test takes all arrangements of the values where these are not more than the draws, and
otherwise as many random ones. Missing values are an error: callers drop them first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np

from tealeaves.arrays import Array, Floats, Integers
from tealeaves.errors import InputError, did_you_mean
from tealeaves.statistics.correlation import (
    COEFFICIENTS,
    TieGroups,
    as_columns,
    mid_ranks,
    pair_excess,
    unit_columns,
)
from tealeaves.statistics.resampling import finite_sample, is_constant, permutations

# The same numbers, summed in another order, differ in the last digits; they count as ties.
_ROUNDING = 1e-10
_FEWEST = 2
# A determinant of three correlations that is as near to 0 as this is 0.
_SINGULAR = 1e-12
_BLOCK = 1 << 21  # numbers at once, which limits the memory


# ---------------------------------------------------------------------- differences
#
# Every test is NaN if a side has fewer than two values, and 1 if there is no difference at all.


def sign_flip_ps(rows: Floats, draws: int, seed: int) -> Floats:
    """Test the mean of each row of paired differences by flipping their signs.

    All 2^n patterns of signs where these are not more than ``draws``; otherwise as many random
    ones, with p = (c + 1) / (draws + 1). The p of a row does not depend on the others.

    >>> sign_flip_ps(np.array([[1.0, 2, 3], [-1, 2, 4]]), draws=1000, seed=0).tolist()
    [0.25, 0.5]
    """
    count, n = rows.shape
    if n < _FEWEST:
        return np.full(count, math.nan)
    totals, scale = rows.sum(axis=1), np.abs(rows).sum(axis=1)
    bound = np.abs(totals) - _ROUNDING * scale
    extreme = np.zeros(count, dtype=np.int64)
    for block in _sign_patterns(n, draws, seed, width=count):
        extreme += (np.abs(totals - 2 * (block @ rows.T)) >= bound).sum(axis=0)
    return _shares(extreme, 2**n, draws)


def two_sample_ps(a: Floats, b: Floats, draws: int, seed: int) -> Floats:
    """Test the difference of two means, row by row, by dividing the values into two samples anew.

    All divisions where these are not more than ``draws``; otherwise as many random ones, with
    p = (c + 1) / (draws + 1). A division is as extreme if its Welch's t is as large, in either
    direction. With t the test is exact if both samples have one distribution, and keeps its level
    in large samples if only the means are the same, but not the spread (Janssen 1997; Chung and
    Romano 2013). The difference of means itself would be far off if the smaller sample has the
    larger spread. The p of a row does not depend on the others.

    >>> two_sample_ps(np.array([[1.0, 2], [1, 1]]), np.array([[3.0, 4], [1, 1]]), 9, 0).tolist()
    [0.333333, 1.0]
    """
    if a.shape[1] > b.shape[1]:
        a, b = b, a  # so that the divisions are the same, whichever is named first
    (count, n), m = a.shape, b.shape[1]
    if n < _FEWEST:
        return np.full(count, math.nan)
    values = np.concatenate([a, b], axis=1)
    constant = np.array([is_constant(row) for row in values])
    # around their mean, and of one scale, no digits are lost in the squares
    values = values - values.mean(axis=1, keepdims=True)
    values[constant] = 0.0
    values[~constant] /= np.sqrt((values[~constant] ** 2).sum(axis=1, keepdims=True))
    squares = values**2
    bound = _welch(values[:, :n].sum(axis=1), squares[:, :n].sum(axis=1), n, m) - _ROUNDING
    extreme = np.zeros(count, dtype=np.int64)
    for block in _divisions(n, n + m, draws, seed, width=count):
        extreme += (_welch(block @ values.T, block @ squares.T, n, m) >= bound).sum(axis=0)
    return np.where(constant, 1.0, _shares(extreme, math.comb(n + m, n), draws))


def _welch(sums: Floats, squares: Floats, n: int, m: int) -> Floats:
    """Return t² / (t² + n + m - 2) of Welch's t, which grows with t and is 1 where t is infinite.

    ``sums`` and ``squares`` are those of the first n values; those of all values are 0 and 1.
    """
    distance = (sums * (1 / n + 1 / m)) ** 2
    first = np.maximum(squares - sums**2 / n, 0) / (n * (n - 1))
    second = np.maximum(1 - squares - sums**2 / m, 0) / (m * (m - 1))
    ratio: Floats = distance / (distance + (n + m - 2) * (first + second))
    return ratio


def paired_t_p(differences: Floats | Sequence[float]) -> float:
    """Test the mean of paired differences by Student's t.

    NaN where all differences are the same but not 0, since t is then infinite.

    >>> paired_t_p([1, 2, 3])  # t = 2 √3 with 2 degrees of freedom
    0.074180
    """
    row = finite_sample(differences)
    if row.size < _FEWEST or is_constant(row):
        return _p_without_spread(row.size, equal=not row.any())
    from scipy.stats import ttest_1samp

    return float(ttest_1samp(row, 0.0).pvalue)


def welch_t_p(a: Floats | Sequence[float], b: Floats | Sequence[float]) -> float:
    """Test the difference of two means by Welch's t.

    NaN where neither side varies and the two differ, since t is then infinite.

    >>> welch_t_p([1, 2, 3], [2, 3, 4])  # t = -√1.5 with 4 degrees of freedom
    0.287864
    """
    sides = finite_sample(a), finite_sample(b)
    fewest = min(side.size for side in sides)
    if fewest < _FEWEST or all(is_constant(side) for side in sides):
        return _p_without_spread(fewest, equal=is_constant(np.concatenate(sides)))
    from scipy.stats import ttest_ind_from_stats

    spreads = [0.0 if is_constant(side) else side.std(ddof=1) for side in sides]
    moments = [(side.mean(), sd, side.size) for side, sd in zip(sides, spreads, strict=True)]
    return float(ttest_ind_from_stats(*moments[0], *moments[1], equal_var=False).pvalue)


def wilcoxon_p(differences: Floats | Sequence[float]) -> float:
    """Test paired differences by Wilcoxon's signed ranks; differences of 0 are left out.

    Exact, or by the normal distribution, as scipy decides by n and ties.

    >>> wilcoxon_p([1, 2, 3, 4])  # all of one sign: 2 of 16 patterns
    0.125
    """
    row = finite_sample(differences)
    if row.size < _FEWEST or not row.any():
        return _p_without_spread(row.size, equal=True)
    from scipy.stats import wilcoxon

    return float(wilcoxon(row[row != 0]).pvalue)


def mann_whitney_p(a: Floats | Sequence[float], b: Floats | Sequence[float]) -> float:
    """Test whether values of one sample tend to be above those of the other, by ranks.

    Exact, or by the normal distribution corrected for ties, as scipy decides by n and ties.

    >>> mann_whitney_p([1, 2], [3, 4])  # the two extremes of 6
    0.333333
    """
    first, second = finite_sample(a), finite_sample(b)
    fewest = min(first.size, second.size)
    if fewest < _FEWEST or np.ptp(np.concatenate([first, second])) == 0:
        return _p_without_spread(fewest, equal=True)
    from scipy.stats import mannwhitneyu

    return float(mannwhitneyu(first, second).pvalue)


def _p_without_spread(n: int, *, equal: bool) -> float:
    return 1.0 if n >= _FEWEST and equal else math.nan


def least_p(test: str, n: int, m: int | None = None, *, draws: int | None = None) -> float:
    """Return the smallest p that a test of so many units can give, however large the difference.

    ``test`` is sign_flip or wilcoxon with n pairs, two_sample or mann_whitney with n and m values;
    tests of ranks are the exact ones. ``draws`` is the number of random arrangements if there are
    more than that. NaN with fewer than two units.

    >>> least_p("sign_flip", 5), least_p("two_sample", 3, 3)
    (0.0625, 0.1)
    """
    if test not in _LEAST_P:
        raise InputError(f"no least p of {test!r}: one of {', '.join(_LEAST_P)}")
    if (m is not None) != (test in _OF_TWO_SAMPLES):
        sizes = "two numbers of values" if m is None else "one number of pairs"
        raise InputError(f"the least p of {test} needs {sizes}")
    if min(n, n if m is None else m) < _FEWEST:
        return math.nan
    arrangements = 2**n if m is None else math.comb(n + m, n)
    if draws is not None and not _is_exact(arrangements, draws):
        return 1 / (draws + 1)
    return _LEAST_P[test](n, m or 0)


_LEAST_P: dict[str, Callable[[int, int], float]] = {
    "sign_flip": lambda n, _: 2 / 2**n,
    "wilcoxon": lambda n, _: 2 / 2**n,
    # With sides of unequal size the mirrored division has another t.
    "two_sample": lambda n, m: (2 if n == m else 1) / math.comb(n + m, n),
    "mann_whitney": lambda n, m: 2 / math.comb(n + m, n),
}
_OF_TWO_SAMPLES = ("two_sample", "mann_whitney")


# ---------------------------------------------------------------------- arrangements
#
# An arrangement is a row of zeros and ones: which signs are flipped, or which values are in the
# first sample. So the sums of many rows under many arrangements are one matrix product.


def _is_exact(arrangements: int, draws: int) -> bool:
    """Tell whether all arrangements are taken, since they are not more than the draws."""
    if draws < 1:
        raise InputError(f"a permutation test needs at least one draw, not {draws}")
    return arrangements <= draws


def _shares(extreme: Integers, arrangements: int, draws: int) -> Floats:
    """Return the share of arrangements as extreme as the observed one, which is one of them."""
    if _is_exact(arrangements, draws):
        return extreme / arrangements
    shares: Floats = (extreme + 1) / (draws + 1)
    return shares


def _sign_patterns(n: int, draws: int, seed: int, *, width: int) -> Iterator[Floats]:
    """Yield blocks of patterns of n flipped signs; ``width`` rows are arranged at once."""
    exact = _is_exact(2**n, draws)
    generator = np.random.default_rng(seed)
    for start, stop in _blocks(2**n if exact else draws, max(n, width)):
        if exact:
            patterns: Array = np.arange(start, stop)[:, None] >> np.arange(n) & 1
        else:
            # random integers of few bits would depend on where a block ends
            patterns = generator.random((stop - start, n)) < 0.5
        yield patterns.astype(np.float64)


def _divisions(n: int, total: int, draws: int, seed: int, *, width: int) -> Iterator[Floats]:
    """Yield blocks of divisions, in which n of all values are in the first sample."""
    ways = math.comb(total, n)
    exact = _is_exact(ways, draws)
    every = combinations(range(total), n)
    generator = np.random.default_rng(seed)
    first = np.zeros(total, dtype=np.int8)
    first[:n] = 1
    for start, stop in _blocks(ways if exact else draws, max(total, width)):
        if exact:
            block = np.zeros((stop - start, total))
            np.put_along_axis(block, np.array(list(islice(every, stop - start))), 1.0, axis=1)
            yield block
        else:
            same = np.broadcast_to(first, (stop - start, total))
            yield generator.permuted(same, axis=1).astype(np.float64)


def _blocks(count: int, width: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of blocks of arrangements that fit into memory."""
    step = max(1, _BLOCK // width)
    for start in range(0, count, step):
        yield start, min(start + step, count)


# ---------------------------------------------------------------------- correlations


def permutation_p(name: str, X: Floats, y: Floats, draws: int, seed: int) -> Floats:  # noqa: N803
    """Test the correlation of each column with y by permuting y: (c + 1) / (draws + 1).

    ``c`` permutations of ``y`` have a coefficient as far from 0 as the observed one. All columns
    have the same permutations. NaN where a side is constant.

    >>> x = np.arange(30.0)
    >>> permutation_p("spearman", x, x**2, draws=99, seed=0)
    array([0.01])
    """
    if name not in COEFFICIENTS:
        hint = did_you_mean(name, COEFFICIENTS)
        raise InputError(f"no coefficient {name!r}: there are {', '.join(COEFFICIENTS)}{hint}")
    columns, y = as_columns(X), np.asarray(y, dtype=np.float64)
    p = np.full(columns.shape[1], np.nan)
    if len(columns) == 0 or np.ptp(y) == 0:
        return p
    varies = np.ptp(columns, axis=0) > 0
    if varies.any():
        count = _kendall_extremes if name == "kendall" else _product_extremes
        if name == "spearman":
            columns, y = mid_ranks(columns), mid_ranks(y[:, None])[:, 0]
        p[varies] = (count(columns[:, varies], y, draws, seed) + 1) / (draws + 1)
    return p


def _product_extremes(columns: Floats, y: Floats, draws: int, seed: int) -> Floats:
    """Return how many permutations have an r as far from 0 as the observed one."""
    x, unit_y = unit_columns(columns), unit_columns(y[:, None])[:, 0]
    least = np.abs(unit_y @ x) - _ROUNDING
    count = np.zeros(columns.shape[1])
    for orders in permutations(len(y), draws, seed):
        count += (np.abs(unit_y[orders] @ x) >= least).sum(axis=0)
    return count


def _kendall_extremes(columns: Floats, y: Floats, draws: int, seed: int) -> Floats:
    """Compare numerators alone: a permutation leaves the ties of both sides as they are."""
    x = [TieGroups.of(column).group for column in columns.T]
    # small integers are compared many at a time
    groups = TieGroups.of(y).group.astype(np.int16 if len(y) < np.iinfo(np.int16).max else np.int32)
    permuted = [groups[orders] for orders in permutations(len(y), draws, seed)]
    excess = np.abs(pair_excess(x, np.concatenate([groups[None], *permuted])))
    count: Floats = (excess[1:] >= excess[0]).sum(axis=0).astype(np.float64)
    return count


class CorrelationTest(NamedTuple):
    """A statistic and its two-sided p; both NaN where the test is not defined."""

    statistic: float
    p: float


_UNDEFINED = CorrelationTest(math.nan, math.nan)


def williams(r_xy: float, r_zy: float, r_xz: float, n: int) -> CorrelationTest:
    """Test r_xy against r_zy, measured on the same n units, by Williams' t with n - 3 degrees.

    Williams (1959), in the form T2 that Steiger (1980, eq. 7) recommends. It is positive if x
    correlates more with y than z does. The test is for Pearson's coefficient under normality; for
    rank correlations it is an approximation. NaN with fewer than 4 units, if a correlation is NaN
    or ±1 (x and z may be the same metric), or if the three make a singular matrix or no
    correlation matrix at all.

    >>> williams(0.80, 0.72, 0.89, 26)  # Howell, Statistical Methods for Psychology
    CorrelationTest(statistic=1.361, p=0.187)
    """
    if not _is_defined(r_xy, r_zy, r_xz, n):
        return _UNDEFINED
    from scipy.special import stdtr

    mean = (r_xy + r_zy) / 2
    determinant = _determinant(r_xy, r_zy, r_xz)
    variance = 2 * (n - 1) / (n - 3) * determinant + mean**2 * (1 - r_xz) ** 3
    t = (r_xy - r_zy) * math.sqrt((n - 1) * (1 + r_xz) / variance)
    return CorrelationTest(t, float(2 * stdtr(n - 3, -abs(t))))


def steiger(r_xy: float, r_zy: float, r_xz: float, n: int) -> CorrelationTest:
    """Test r_xy against r_zy by Steiger's Z, compared with the normal distribution.

    Steiger (1980, eq. 14): the difference of Fisher's z, with the covariance of the two (eq. 10) at
    the mean of the two correlations, which are the same under the null hypothesis (the
    modification of Dunn and Clark's test, not the one with separate correlations). NaN as in
    ``williams``.

    >>> steiger(0.5, 0.3, 0.4, 103)
    CorrelationTest(statistic=2.0661, p=0.0388)
    """
    if not _is_defined(r_xy, r_zy, r_xz, n):
        return _UNDEFINED
    square = ((r_xy + r_zy) / 2) ** 2
    covariance = r_xz * (1 - 2 * square) - square * (1 - 2 * square - r_xz**2) / 2
    rest = 2 - 2 * covariance / (1 - square) ** 2
    if rest <= _SINGULAR:
        return _UNDEFINED
    z = (math.atanh(r_xy) - math.atanh(r_zy)) * math.sqrt((n - 3) / rest)
    return CorrelationTest(z, math.erfc(abs(z) / math.sqrt(2)))


def _determinant(r_xy: float, r_zy: float, r_xz: float) -> float:
    return 1 - r_xy**2 - r_zy**2 - r_xz**2 + 2 * r_xy * r_zy * r_xz


def _is_defined(r_xy: float, r_zy: float, r_xz: float, n: int) -> bool:
    # written so that NaN fails
    return (
        n >= 4
        and all(1 - abs(r) > _SINGULAR for r in (r_xy, r_zy, r_xz))
        and _determinant(r_xy, r_zy, r_xz) > _SINGULAR
    )
