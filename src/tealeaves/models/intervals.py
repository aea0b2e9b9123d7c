"""Means over runs, and how far they can be told apart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

LEVEL = 0.95


@dataclass(frozen=True)
class Mean:
    """A mean over the runs that have a value, and their variance; NaN of a single run.

    >>> mean_of([1.0, 2.0, 3.0, math.nan])
    Mean(value=2.0, variance=1.0, runs=3)
    """

    value: float
    variance: float
    runs: int


def mean_of(values: Sequence[float]) -> Mean:
    """Average the runs that have a value."""
    known = [value for value in values if not math.isnan(value)]
    n = len(known)
    if not n:
        return Mean(math.nan, math.nan, 0)
    if not all(map(math.isfinite, known)):
        return Mean(sum(known) / n, math.nan, n)
    mean = math.fsum(known) / n
    if n == 1:
        return Mean(mean, math.nan, n)
    return Mean(mean, math.fsum((value - mean) ** 2 for value in known) / (n - 1), n)


@dataclass(frozen=True)
class Spread:
    """The variance of runs about their means, pooled over all candidates.

    With few runs the variance of each candidate alone says little; together they tell how large
    a difference of two means must be (Fisher's least significant difference). The intervals that
    are shown rest on the same variance, so that they cannot contradict the verdict.

    >>> spread = spread_of([mean_of([1.0, 1.2, 0.8]), mean_of([2.0, 2.1, 1.9])])
    >>> round(spread.variance, 3), spread.freedom  # (2 * 0.04 + 2 * 0.01) / 4
    (0.025, 4)
    >>> round(spread.half(mean_of([1.0, 1.2, 0.8])), 4)  # t(4) = 2.776; 2.776 * √(0.025 / 3)
    0.2535
    """

    variance: float
    freedom: int

    def half(self, mean: Mean) -> float:
        """Return half the width of a mean's interval; NaN where nothing can be said."""
        if not self.freedom or not math.isfinite(mean.value):
            return math.nan
        return _quantile(self.freedom) * math.sqrt(self.variance / mean.runs)

    def clearly_differ(self, one: Mean, other: Mean) -> bool | None:
        """Tell whether the interval of the difference of two means leaves out 0.

        None where nothing can be said: all are of a single run, or one has no finite value.
        """
        distance = abs(one.value - other.value)
        if not self.freedom or not math.isfinite(distance):
            return None
        error = math.sqrt(self.variance * (1 / one.runs + 1 / other.runs))
        return distance > _quantile(self.freedom) * error


def spread_of(means: Iterable[Mean]) -> Spread:
    """Pool the variances of candidates of several runs."""
    known = [mean for mean in means if not math.isnan(mean.variance)]
    freedom = sum(mean.runs - 1 for mean in known)
    if not freedom:
        return Spread(math.nan, 0)
    squares = math.fsum((mean.runs - 1) * mean.variance for mean in known)
    return Spread(squares / freedom, freedom)


def _quantile(freedom: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + LEVEL) / 2))
