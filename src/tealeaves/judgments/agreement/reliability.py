"""Reliability of mean answers: would other people give the same means?"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from tealeaves.arrays import Floats, Integers
from tealeaves.judgments.agreement.estimates import Estimate, Resampling, estimate
from tealeaves.judgments.ratings import Ratings

_SPLITS = 100  # times that answers are split in halves


class Reliability(NamedTuple):
    """Split-half reliability of the means, and what correlation that leaves to any metric.

    ``halves`` is the correlation of the halves, ``factor`` how many times more answers the means
    have than the halves.
    """

    reliability: Estimate
    attainable: Estimate
    halves: float
    factor: float


def spearman_brown(correlation: Floats | float, factor: float = 2.0) -> Floats:
    """Return the reliability of means of ``factor`` times as many answers.

    The formula of Spearman (1910) and Brown (1910). Below -1, and beyond its pole, it is -1: no
    reliability at all.

    >>> float(spearman_brown(0.6)), float(spearman_brown(0.5, 3))
    (0.75, 0.75)
    """
    r = np.asarray(correlation, dtype=np.float64)
    below = 1 + (factor - 1) * r
    stepped = np.divide(factor * r, below, out=np.full(r.shape, -1.0), where=below > 0)
    return np.where(np.isnan(r), np.nan, np.maximum(stepped, -1.0))


def reliability(
    ratings: Ratings,
    *,
    groups: Integers | None = None,
    splits: int = _SPLITS,
    resampling: Resampling | None = None,
) -> Reliability:
    """Correlate the means of random halves of each item's answers, stepped up to all answers.

    The correlation is the mean over ``splits``. As far as possible an annotator is in the same half
    for all items: if all answered all items, an annotator who is always milder is no noise. Of an
    odd number of answers one is left out, so that the halves are equal, and the formula of
    Spearman and Brown steps up from the size of the halves to the number of answers. ``groups``
    numbers each item's model: then the reliability is that of the means of models.

    ``attainable`` is the square root: a metric that knew the true means could not be expected to
    correlate more with these; 0 if there is no sign of reliability.
    """
    settings = resampling or Resampling()
    counts = ratings.per_item
    paired = np.flatnonzero(counts >= 2)
    first, second = _halves(ratings, splits, settings.seed)
    if groups is not None:
        first, second = (_group_means(side, groups[paired]) for side in (first, second))
    factor = _factor(counts[paired])

    def statistic(weights: Floats) -> Floats:
        return spearman_brown(_mean_correlation(first, second, weights), factor)

    units = len(first)
    halves = float(_mean_correlation(first, second, np.ones((1, units)))[0])
    stepped_up = estimate(statistic, units, settings, "items" if groups is None else "models")
    value, low, high = map(_root, stepped_up[:3])
    attainable = stepped_up._replace(value=value, low=low, high=high)
    return Reliability(stepped_up, attainable, halves, factor)


def _halves(ratings: Ratings, splits: int, seed: int) -> tuple[Floats, Floats]:
    """Return the means of both halves of each item with two answers or more: (items, splits)."""
    rng = np.random.default_rng(seed)
    counts = ratings.per_item
    rows = np.flatnonzero(counts[ratings.item] >= 2)
    item, value, who = ratings.item[rows], ratings.value[rows], ratings.annotator[rows]
    size, half = counts[item], counts[item] // 2
    paired = np.flatnonzero(counts >= 2)
    begin = np.searchsorted(np.sort(item), item)
    both = np.empty((2, len(paired), splits))
    for split in range(splits):
        ranks = rng.random(len(ratings.annotators))
        keys = rng.random(len(rows))
        known = who >= 0
        keys[known] = ranks[who[known]]
        place = np.empty(len(rows), dtype=np.int64)
        place[np.lexsort((keys, item))] = np.arange(len(rows))
        place -= begin
        # keys are random, so it is random too which half comes first
        for number, chosen in enumerate((place < half, place >= size - half)):
            sums = np.bincount(item[chosen], value[chosen], len(counts))
            both[number, :, split] = sums[paired] / (counts[paired] // 2)
    return both[0], both[1]


def _factor(counts: Integers) -> float:
    """Return how much smaller the noise of all answers' means is than that of halves."""
    if not len(counts):
        return math.nan
    return float(np.mean(1 / (counts // 2)) / np.mean(1 / counts))


def _group_means(side: Floats, groups: Integers) -> Floats:
    names, place = np.unique(groups, return_inverse=True)
    sums = np.zeros((len(names), side.shape[1]))
    np.add.at(sums, place, side)
    return sums / np.bincount(place)[:, None]


def _mean_correlation(first: Floats, second: Floats, weights: Floats) -> Floats:
    """Return Pearson's r of the two sides of each split, averaged over splits: (draws,)."""
    n = np.maximum(weights.sum(1, keepdims=True), 1)
    a, b = (side - side.mean(0) if len(side) else side for side in (first, second))
    mean_a, mean_b = weights @ a / n, weights @ b / n
    power_a, power_b = weights @ a**2 / n, weights @ b**2 / n
    spread_a, spread_b = power_a - mean_a**2, power_b - mean_b**2
    # a remainder of rounding equal numbers is no variation
    varied = (spread_a > 1e-12 * power_a) & (spread_b > 1e-12 * power_b)
    joint = weights @ (a * b) / n - mean_a * mean_b
    r = np.zeros_like(joint)
    np.divide(joint, np.sqrt(np.where(varied, spread_a * spread_b, 1)), out=r, where=varied)
    count = varied.sum(1)
    mean = np.full(len(r), np.nan)
    np.divide(r.sum(1), count, out=mean, where=count > 0)
    return mean


def _root(value: float) -> float:
    return math.nan if math.isnan(value) else math.sqrt(max(value, 0.0))
