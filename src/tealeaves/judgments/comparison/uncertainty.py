"""Intervals of means and of their differences: bootstrap, and Student's t where units are few."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.judgments.comparison.sampling import Sample
from tealeaves.statistics.intervals import Interval, bca_interval
from tealeaves.statistics.resampling import cluster_weights, is_constant

#: Resampled from fewer units than these, an interval is much too narrow: t is taken instead.
FEWEST_RESAMPLED = 10
_MOST_WEIGHTS = 10_000_000  # numbers at once: what bounds the memory
_FEWEST_DRAWS = 1000


def interval_of_mean(values: Floats, draws: int, seed: int, level: float) -> Interval:
    """Return the interval that holds the mean of what the values were drawn from.

    NaN of a single value, and where a value is infinite.
    """
    if len(values) < 2 or not np.isfinite(values).all():
        return Interval(math.nan, math.nan)
    mean = float(values.mean())
    if is_constant(values):
        return Interval(mean, mean)
    if len(values) < FEWEST_RESAMPLED:
        return _student(mean, float(values.var(ddof=1)) / len(values), len(values) - 1, level)
    return bca_interval(mean, _means(values, draws, seed), _left_out(values), level)


def interval_of_difference(sample: Sample, draws: int, seed: int, level: float) -> Interval:
    """Return the interval of the difference of two means; pairs are drawn together."""
    if sample.paired:
        return interval_of_mean(sample.differences, draws, seed, level)
    a, b = sample.a, sample.b
    difference = sample.difference
    if is_constant(a) and is_constant(b):
        return Interval(difference, difference)
    if min(len(a), len(b)) < FEWEST_RESAMPLED:
        return _welch(a, b, level)
    # other samples of b than of a, or equal sizes would be drawn as pairs
    drawn = _means(a, draws, seed) - _means(b, draws, seed + 1)
    left_out = np.concatenate([_left_out(a) - b.mean(), a.mean() - _left_out(b)])
    return bca_interval(difference, drawn, left_out, level)


def is_student(values: Floats) -> bool:
    """Tell whether the interval of a mean is Student's t, as there are too few to resample."""
    return 2 <= len(values) < FEWEST_RESAMPLED and not is_constant(values)


def samples_of(size: int, draws: int) -> int:
    """Return how many samples are drawn of so many units: fewer where memory would not do.

    >>> samples_of(1000, 10_000), samples_of(5000, 10_000)
    (10000, 2000)
    """
    return min(draws, max(_FEWEST_DRAWS, _MOST_WEIGHTS // size))


def _means(values: Floats, draws: int, seed: int) -> Floats:
    size = len(values)
    found: Floats = _weights(size, samples_of(size, draws), seed) @ values / size
    return found


@lru_cache(maxsize=4)
def _weights(size: int, draws: int, seed: int) -> Floats:
    """Return how often each unit is drawn; many pairs of models have the same sizes."""
    return cluster_weights(np.arange(size), draws, seed)


def _left_out(values: Floats) -> Floats:
    """Return the means without each value in turn."""
    found: Floats = (values.sum() - values) / (len(values) - 1)
    return found


def _welch(a: Floats, b: Floats, level: float) -> Interval:
    """Return Welch's interval of the difference of two means."""
    parts = [float(side.var(ddof=1)) / len(side) for side in (a, b)]
    squares = sum(part**2 / (len(side) - 1) for part, side in zip(parts, (a, b), strict=True))
    freedom = sum(parts) ** 2 / squares
    return _student(float(a.mean() - b.mean()), sum(parts), freedom, level)


def _student(value: float, variance: float, freedom: float, level: float) -> Interval:
    from scipy.special import stdtrit

    half = float(stdtrit(freedom, (1 + level) / 2)) * math.sqrt(variance)
    return Interval(value - half, value + half)
