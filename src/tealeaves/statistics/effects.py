"""Effect sizes: how large a difference is, whatever its p."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.statistics.resampling import finite_sample, is_constant


def cohen_d(a: Floats | Sequence[float], b: Floats | Sequence[float]) -> float:
    """Return the difference of means in units of the pooled standard deviation (Cohen 1988).

    NaN if a side has fewer than two values, or if neither side varies.

    >>> cohen_d([2, 4, 6], [1, 3, 5])  # (4 - 3) / 2
    0.5
    """
    first, second = finite_sample(a), finite_sample(b)
    if min(first.size, second.size) < 2:
        return math.nan
    squares = sum(0.0 if is_constant(s) else float(s.var() * s.size) for s in (first, second))
    if squares == 0:
        return math.nan
    pooled = math.sqrt(squares / (first.size + second.size - 2))
    return float(first.mean() - second.mean()) / pooled


def hedges_g(a: Floats | Sequence[float], b: Floats | Sequence[float]) -> float:
    """Return Cohen's d without its bias in small samples (Hedges 1981; the exact factor, by Γ).

    >>> round(hedges_g([2, 4, 6], [1, 3, 5]), 6)  # 0.5 × Γ(2) / (√2 Γ(1.5))
    0.398942
    """
    freedom = len(a) + len(b) - 2
    d = cohen_d(a, b)
    if math.isnan(d):
        return math.nan
    # the logarithms of Γ do not overflow where Γ does
    exponent = math.lgamma(freedom / 2) - math.lgamma((freedom - 1) / 2)
    return d * math.exp(exponent) / math.sqrt(freedom / 2)


def cohen_dz(differences: Floats | Sequence[float]) -> float:
    """Return the mean of paired differences in units of their own standard deviation.

    NaN if there are fewer than two differences, or if all are the same.

    >>> cohen_dz([1, 2, 3])
    2.0
    """
    row = finite_sample(differences)
    if row.size < 2 or is_constant(row):
        return math.nan
    return float(row.mean() / row.std(ddof=1))


def cliff_delta(a: Floats | Sequence[float], b: Floats | Sequence[float]) -> float:
    """Return how much more often a value of a is above one of b than below (Cliff 1993).

    It is 1 if every a is above every b, and 0 if neither prevails; ties count for neither. It needs
    no spread, so that one value on each side is enough; NaN if a side is empty.

    >>> cliff_delta([1, 2, 3], [1, 1, 2])  # (5 above - 1 below) / 9
    0.444444
    """
    first, second = finite_sample(a), np.sort(finite_sample(b))
    if min(first.size, second.size) == 0:
        return math.nan
    below = int(np.searchsorted(second, first, side="left").sum())
    not_above = int(np.searchsorted(second, first, side="right").sum())
    above = first.size * second.size - not_above
    return (below - above) / (first.size * second.size)
