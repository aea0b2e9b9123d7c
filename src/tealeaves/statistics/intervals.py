"""Intervals: of bootstrap draws (percentile, BCa), and Wilson's of a share."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from tealeaves.arrays import Floats

#: With fewer draws the ends of an interval would be single draws.
LEAST_DRAWS = 20
# One cluster alone cannot be left out.
_FEWEST = 2
# Draws as near as this to the value are equal to it but for rounding.
_EQUAL = 1e-12


class Interval(NamedTuple):
    """The two ends of an interval; NaN if it is not defined."""

    low: float
    high: float


NO_INTERVAL = Interval(math.nan, math.nan)


def percentile_interval(draws: Floats, level: float = 0.95) -> Interval:
    """Return the interval of the middle share of draws; draws that are not finite do not count.

    >>> percentile_interval(np.arange(101.0), level=0.9)
    Interval(low=5.0, high=95.0)
    """
    finite = draws[np.isfinite(draws)]
    if len(finite) < LEAST_DRAWS:
        return NO_INTERVAL
    tail = (1 - level) / 2
    return _quantile_interval(finite, tail, 1 - tail)


def bca_interval(
    value: float,
    draws: Floats,
    jackknife: Floats,
    level: float = 0.95,
    *,
    clusters: int | None = None,
) -> Interval:
    """Return the bias-corrected and accelerated interval (Efron 1987), expanded.

    The bias comes from the share of draws below the value, where draws that equal it count half.
    The acceleration comes from the skewness of the jackknife. It is the percentile interval where
    these are not defined: if all draws are equal or on one side of the value, or if a value of the
    jackknife is not defined or all are equal.

    Both are too narrow for few clusters, as a variance that is divided by n is. So the level is
    expanded as Hesterberg (2015) does for percentiles, by the number of ``clusters``: as many as
    the jackknife has, unless it left out several at a time.

    >>> draws = np.arange(101.0)
    >>> symmetric = np.tile([49.0, 50.0, 51.0], 10**4)
    >>> [round(end, 1) for end in bca_interval(50.0, draws, symmetric, level=0.9)]
    [5.0, 95.0]
    >>> bca_interval(45.0, draws, symmetric, level=0.9).high < 95  # draws lie above the value
    True
    """
    finite = draws[np.isfinite(draws)]
    if math.isnan(value) or len(finite) < LEAST_DRAWS:
        return NO_INTERVAL
    level = _expand_level(level, clusters or len(jackknife))
    bias, acceleration = _bias(value, finite), _acceleration(jackknife)
    if math.isnan(bias) or math.isnan(acceleration):
        return percentile_interval(finite, level)
    tail = (1 - level) / 2
    low, high = (_adjust_tail(end, bias, acceleration) for end in (tail, 1 - tail))
    return _quantile_interval(finite, low, high)


def bca_p(value: float, draws: Floats, jackknife: Floats, *, clusters: int | None = None) -> float:
    """Return the two-sided p of no difference: 1 less the level of the interval that ends at 0.

    So p and :func:`bca_interval` agree, also where that is the percentile interval. No p is less
    than two of the draws allow.

    >>> draws = np.arange(-49.5, 151.5)  # a quarter of them is below 0
    >>> round(bca_p(50.5, draws, np.tile([49.5, 50.5, 51.5], 10**4)), 2)
    0.5
    """
    finite = draws[np.isfinite(draws)]
    if math.isnan(value) or len(finite) < LEAST_DRAWS:
        return math.nan
    if np.ptp(finite) <= _EQUAL:
        return 1.0 if abs(value) <= _EQUAL else math.nan
    equal = np.abs(finite) <= _EQUAL
    share = float(np.mean((finite < 0) & ~equal) + np.mean(equal) / 2)
    least = 1 / (len(finite) + 1)
    end = NormalDist().inv_cdf(min(max(share, least), 1 - least))
    bias, acceleration = _bias(value, finite), _acceleration(jackknife)
    if not (math.isnan(bias) or math.isnan(acceleration)):
        lead = end - bias
        # beyond the pole the interval reaches to the last draw
        end = lead / max(1 + acceleration * lead, least) - bias
    return max(_two_sided_p(end, clusters or len(jackknife)), 2 * least)


def normal_interval(
    value: float, draws: Floats, level: float = 0.95, *, bounds: tuple[float, float]
) -> Interval:
    """Return the normal interval around a value, with the standard deviation of draws, in bounds.

    >>> normal_interval(0.5, np.tile([0.4, 0.6], 50), bounds=(0.0, 1.0))
    Interval(low=0.303, high=0.697)
    """
    finite = draws[np.isfinite(draws)]
    if math.isnan(value) or len(finite) < LEAST_DRAWS:
        return NO_INTERVAL
    half = NormalDist().inv_cdf((1 + level) / 2) * float(finite.std(ddof=1))
    return Interval(max(bounds[0], value - half), min(bounds[1], value + half))


def wilson_interval(successes: float, n: int, level: float = 0.95) -> Interval:
    """Return Wilson's (1927) interval of a share.

    >>> [round(end, 4) for end in wilson_interval(8, 10)]
    [0.4902, 0.9433]
    """
    if n == 0:
        return NO_INTERVAL
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = successes / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    # exactly 0 and 1 at the ends, where rounding would not be
    low = 0.0 if successes == 0 else middle - half
    return Interval(low, 1.0 if successes == n else middle + half)


def _quantile_interval(draws: Floats, low: float, high: float) -> Interval:
    ends = np.quantile(draws, [low, high])
    return Interval(float(ends[0]), float(ends[1]))


def _expand_level(level: float, clusters: int) -> float:
    """Return the level at which normal quantiles are as wide as t's, with n - 1 for n."""
    if clusters < _FEWEST:
        return level
    from scipy.special import stdtrit

    quantile = float(stdtrit(clusters - 1, (1 + level) / 2))
    return 2 * NormalDist().cdf(quantile * math.sqrt(clusters / (clusters - 1))) - 1


def _two_sided_p(quantile: float, clusters: int) -> float:
    """Return the two-sided p of a normal quantile, after :func:`_expand_level`."""
    if clusters < _FEWEST:
        return 2 * NormalDist().cdf(-abs(quantile))
    from scipy.special import stdtr

    return 2 * float(stdtr(clusters - 1, -abs(quantile) * math.sqrt((clusters - 1) / clusters)))


def _bias(value: float, draws: Floats) -> float:
    equal = np.abs(draws - value) <= _EQUAL
    below = float(np.mean((draws < value) & ~equal) + np.mean(equal) / 2)
    if not 0 < below < 1 or np.ptp(draws) <= _EQUAL:
        return math.nan
    return NormalDist().inv_cdf(below)


def _acceleration(jackknife: Floats) -> float:
    if len(jackknife) < _FEWEST or not np.isfinite(jackknife).all():
        return math.nan
    lead = jackknife.mean() - jackknife
    square = float((lead**2).sum())
    # equal values may differ by rounding
    if square <= len(jackknife) * _EQUAL**2:
        return math.nan
    return float((lead**3).sum() / (6 * square**1.5))


def _adjust_tail(tail: float, bias: float, acceleration: float) -> float:
    shifted = bias + NormalDist().inv_cdf(tail)
    rest = 1 - acceleration * shifted
    if rest <= 0:  # beyond the pole: to the last draw
        return 0.0 if shifted < 0 else 1.0
    return NormalDist().cdf(bias + shifted / rest)
