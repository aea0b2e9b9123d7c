"""Estimates: a number with its interval, and the number of units behind it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.statistics.intervals import NO_INTERVAL, Interval, bca_interval
from tealeaves.statistics.resampling import cluster_weights, jackknife_weights

#: With fewer items there is no interval: too few to say how items differ.
LEAST_ITEMS = 4
# groups of items that the jackknife leaves out, for the skewness of the statistic
_GROUPS = 100


class Estimate(NamedTuple):
    """A value, its interval, and ``n`` of some ``unit`` that it rests on."""

    value: float
    low: float
    high: float
    n: int
    unit: str
    note: str = ""


class Resampling(NamedTuple):
    """How often items are drawn, the seed, and the confidence of the interval."""

    draws: int = 2000
    seed: int = 0
    confidence: float = 0.95


def estimate(
    statistic: Callable[[Floats], Floats],
    items: int,
    resampling: Resampling,
    unit: str = "items",
    n: int | None = None,
) -> Estimate:
    """Return a statistic and its BCa interval over items.

    ``statistic`` takes weights (draws, items). Each item is drawn as a whole, with all its answers.
    Draws in which the statistic is undefined are left out and counted. ``n`` of ``unit`` is what
    the number rests on; by default the items.

    In simulations of α (16 settings of 12 to 300 items, levels nominal and ordinal, 400 samples
    each) BCa intervals contained the true value in 94 % of samples, with equal tails; percentile
    intervals in 93 %, missing it three times as often above as below; jackknife intervals in
    94.5 %, but they can exceed 1. With 12 items all are too narrow (87 to 93 %).
    """
    n = items if n is None else n
    value = float(statistic(np.ones((1, items)))[0]) if items else math.nan
    (low, high), note = NO_INTERVAL, ""
    if not math.isnan(value) and resampling.draws:
        (low, high), note = _interval(statistic, items, resampling, value)
    return Estimate(value, low, high, n, unit, note)


def _interval(
    statistic: Callable[[Floats], Floats], items: int, resampling: Resampling, value: float
) -> tuple[Interval, str]:
    if items < LEAST_ITEMS:
        return NO_INTERVAL, f"fewer than {LEAST_ITEMS} to draw from: no interval"
    draws = statistic(cluster_weights(np.arange(items), resampling.draws, resampling.seed))
    left = statistic(jackknife_weights(np.arange(items) % _GROUPS))
    undefined = int(np.isnan(draws).sum())
    note = f"undefined in {undefined} of {len(draws)} draws" if undefined else ""
    return bca_interval(value, draws, left, resampling.confidence), note
