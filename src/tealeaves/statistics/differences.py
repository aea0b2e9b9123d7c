"""Tests of a difference of means or of ranks, paired and of two samples; every p is two-sided.

Missing values are for the caller to drop; here they are an error. Every test is NaN where a side
has fewer than two values, and 1 where there is no difference at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from tealeaves.arrays import Floats, Integers
from tealeaves.errors import InputError
from tealeaves.statistics.arrangements import deals, flips, is_exact
from tealeaves.statistics.samples import constant, sample

# the same numbers, summed in another order, differ in the last digits, and still are ties
_ROUNDING = 1e-10
_FEWEST = 2


def sign_flip_p(differences: Floats | Sequence[float], draws: int, seed: int) -> float:
    """Test the mean of paired differences by flipping their signs.

    All 2^n patterns of signs where these are not more than ``draws``; otherwise as many random
    ones, with p = (c + 1) / (draws + 1).

    >>> sign_flip_p([1, 2, 3], draws=1000, seed=0)  # all of one sign: 2 of 8 patterns
    0.25
    """
    return float(sign_flip_ps(sample(differences)[None], draws, seed)[0])


def sign_flip_ps(rows: Floats, draws: int, seed: int) -> Floats:
    """Test several rows of equally many differences at once; each p is that of a row alone.

    >>> sign_flip_ps(np.array([[1.0, 2, 3], [-1, 2, 4]]), draws=1000, seed=0).tolist()
    [0.25, 0.5]
    """
    count, n = rows.shape
    if n < _FEWEST:
        return np.full(count, math.nan)
    totals, scale = rows.sum(axis=1), np.abs(rows).sum(axis=1)
    bound = np.abs(totals) - _ROUNDING * scale
    reached = np.zeros(count, dtype=np.int64)
    for block in flips(n, draws, seed, width=count):
        reached += (np.abs(totals - 2 * (block @ rows.T)) >= bound).sum(axis=0)
    return _shares(reached, 2**n, draws)


def two_sample_p(
    a: Floats | Sequence[float], b: Floats | Sequence[float], draws: int, seed: int
) -> float:
    """Test the difference of two means by dealing the values out anew.

    All ways of dealing where these are not more than ``draws``; otherwise as many random ones, with
    p = (c + 1) / (draws + 1). As extreme is what has as large a Welch's t, in either direction. By
    t the test is exact where the two are of one kind, and holds its level in large samples where
    only the means are the same, but not the spread (Janssen 1997; Chung and Romano 2013). The
    difference of means itself would err by far where the smaller sample has the larger spread.

    >>> two_sample_p([1, 2], [3, 4], draws=1000, seed=0)  # the two extremes of 6
    0.333333
    """
    return float(two_sample_ps(sample(a)[None], sample(b)[None], draws, seed)[0])


def two_sample_ps(a: Floats, b: Floats, draws: int, seed: int) -> Floats:
    """Test several rows of two samples at once; each p is that of a row alone.

    >>> two_sample_ps(np.array([[1.0, 2], [1, 1]]), np.array([[3.0, 4], [1, 1]]), 9, 0).tolist()
    [0.333333, 1.0]
    """
    if a.shape[1] > b.shape[1]:
        a, b = b, a  # the arrangements are then the same, whichever is named first
    (count, n), m = a.shape, b.shape[1]
    if n < _FEWEST:
        return np.full(count, math.nan)
    values = np.concatenate([a, b], axis=1)
    alike = np.array([constant(row) for row in values])
    # around their mean, and of one scale, no digits are lost in the squares
    values = values - values.mean(axis=1, keepdims=True)
    values[alike] = 0.0
    values[~alike] /= np.sqrt((values[~alike] ** 2).sum(axis=1, keepdims=True))
    squares = values**2
    bound = _welch(values[:, :n].sum(axis=1), squares[:, :n].sum(axis=1), n, m) - _ROUNDING
    reached = np.zeros(count, dtype=np.int64)
    for block in deals(n, n + m, draws, seed, width=count):
        reached += (_welch(block @ values.T, block @ squares.T, n, m) >= bound).sum(axis=0)
    return np.where(alike, 1.0, _shares(reached, math.comb(n + m, n), draws))


def _welch(sums: Floats, squares: Floats, n: int, m: int) -> Floats:
    """Return t² / (t² + n + m - 2) of Welch's t, which grows with t and is 1 where t is infinite.

    Of the first n of values whose sum is 0 and whose squares sum up to 1.
    """
    distance = (sums * (1 / n + 1 / m)) ** 2
    first = np.maximum(squares - sums**2 / n, 0) / (n * (n - 1))
    second = np.maximum(1 - squares - sums**2 / m, 0) / (m * (m - 1))
    found: Floats = distance / (distance + (n + m - 2) * (first + second))
    return found


def _shares(reached: Integers, arrangements: int, draws: int) -> Floats:
    """Return the share of arrangements as extreme as the observed one, which is one of them."""
    if is_exact(arrangements, draws):
        return reached / arrangements
    found: Floats = (reached + 1) / (draws + 1)
    return found


def paired_t_p(differences: Floats | Sequence[float]) -> float:
    """Test the mean of paired differences by Student's t.

    NaN where all differences are the same but not 0, since t is then infinite.

    >>> paired_t_p([1, 2, 3])  # t = 2 √3 with 2 degrees of freedom
    0.074180
    """
    row = sample(differences)
    if row.size < 2 or constant(row):
        return _without_spread(row.size, alike=not row.any())
    from scipy.stats import ttest_1samp

    return float(ttest_1samp(row, 0.0).pvalue)


def welch_t_p(a: Floats | Sequence[float], b: Floats | Sequence[float]) -> float:
    """Test the difference of two means by Welch's t.

    NaN where neither side varies and the two differ, since t is then infinite.

    >>> welch_t_p([1, 2, 3], [2, 3, 4])  # t = -√1.5 with 4 degrees of freedom
    0.287864
    """
    sides = sample(a), sample(b)
    fewest = min(side.size for side in sides)
    if fewest < 2 or all(constant(side) for side in sides):
        return _without_spread(fewest, alike=constant(np.concatenate(sides)))
    from scipy.stats import ttest_ind_from_stats

    spreads = [0.0 if constant(side) else side.std(ddof=1) for side in sides]
    moments = [(side.mean(), sd, side.size) for side, sd in zip(sides, spreads, strict=True)]
    return float(ttest_ind_from_stats(*moments[0], *moments[1], equal_var=False).pvalue)


def wilcoxon_p(differences: Floats | Sequence[float]) -> float:
    """Test paired differences by Wilcoxon's signed ranks; differences of 0 are left out.

    Exact, or by the normal distribution, as scipy decides by n and ties.

    >>> wilcoxon_p([1, 2, 3, 4])  # all of one sign: 2 of 16 patterns
    0.125
    """
    row = sample(differences)
    if row.size < 2 or not row.any():
        return _without_spread(row.size, alike=True)
    from scipy.stats import wilcoxon

    return float(wilcoxon(row[row != 0]).pvalue)


def mann_whitney_p(a: Floats | Sequence[float], b: Floats | Sequence[float]) -> float:
    """Test whether values of one sample tend to be above those of the other, by ranks.

    Exact, or by the normal distribution with ties counted in, as scipy decides by n and ties.

    >>> mann_whitney_p([1, 2], [3, 4])  # the two extremes of 6
    0.333333
    """
    first, second = sample(a), sample(b)
    fewest = min(first.size, second.size)
    if fewest < 2 or np.ptp(np.concatenate([first, second])) == 0:
        return _without_spread(fewest, alike=True)
    from scipy.stats import mannwhitneyu

    return float(mannwhitneyu(first, second).pvalue)


def _mirrored(n: int, m: int) -> float:
    return 2 / math.comb(n + m, n)


_LEAST: dict[str, Callable[[int, int], float]] = {
    "sign_flip": lambda n, _: 2 / 2**n,
    "wilcoxon": lambda n, _: 2 / 2**n,
    # dealt out the other way round, sides of unequal size have another t
    "two_sample": lambda n, m: _mirrored(n, m) / (1 if n == m else 2),
    "mann_whitney": _mirrored,
}
_OF_TWO_SAMPLES = ("two_sample", "mann_whitney")


def least_p(test: str, n: int, m: int | None = None, *, draws: int | None = None) -> float:
    """Return the smallest p that a test of so many units can give, however large the difference.

    ``test`` is sign_flip or wilcoxon with n pairs, two_sample or mann_whitney with n and m values;
    of the tests by ranks, the exact ones. ``draws`` tells how many are drawn where there are more
    arrangements than that. NaN where the test is, with fewer than two units.

    >>> least_p("sign_flip", 5), least_p("two_sample", 3, 3)
    (0.0625, 0.1)
    """
    if test not in _LEAST:
        raise InputError(f"no least p of {test!r}: one of {', '.join(_LEAST)}")
    if (m is not None) != (test in _OF_TWO_SAMPLES):
        wanted = "two numbers of values" if m is None else "one number of pairs"
        raise InputError(f"the least p of {test} needs {wanted}")
    if min(n, n if m is None else m) < 2:
        return math.nan
    ways = 2**n if m is None else math.comb(n + m, n)
    if draws is not None and not is_exact(ways, draws):
        return 1 / (draws + 1)
    return _LEAST[test](n, m or 0)


def _without_spread(n: int, *, alike: bool) -> float:
    return 1.0 if n >= 2 and alike else math.nan
