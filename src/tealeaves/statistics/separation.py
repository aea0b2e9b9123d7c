"""Separation (AUC): how well a column separates a high group of observations from a low one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tealeaves.arrays import Bools, Floats
from tealeaves.statistics.correlation import TieGroups, as_columns
from tealeaves.statistics.resampling import memory_slices


class ExtremeGroups(NamedTuple):
    """Which observations are in the high group and which in the low one; the others are in none."""

    high: Bools
    low: Bools


def extreme_groups(values: Floats, parts: int) -> ExtremeGroups:
    """Return the highest and the lowest of several equal parts: 2 for halves, 3 for thirds.

    Equal values are never separated: all that equal the last value of a group are in it too. A
    value that would so be in both groups is in neither, unless a group would be empty then.

    >>> high, low = extreme_groups(np.array([1.0, 2, 2, 3, 4, 5, 5]), parts=3)
    >>> high.astype(int).tolist(), low.astype(int).tolist()
    ([0, 0, 0, 0, 0, 1, 1], [1, 1, 1, 0, 0, 0, 0])
    >>> extreme_groups(np.array([1.0, 2, 2, 3]), parts=2).high.tolist()
    [False, False, False, True]
    """
    if len(values) == 0 or np.ptp(values) == 0:
        empty = np.zeros(len(values), dtype=np.bool_)
        return ExtremeGroups(empty, empty)
    ordered, size = np.sort(values), max(1, len(values) // parts)
    bottom, top = ordered[size - 1], ordered[-size]
    if bottom < top:
        return ExtremeGroups(values >= top, values <= bottom)
    high, low = values > top, values < bottom
    if not high.any():
        high = values == top
    elif not low.any():
        low = values == bottom
    return ExtremeGroups(high, low)


def auc(X: Floats, ends: ExtremeGroups, weights: Floats | None = None) -> Floats:  # noqa: N803
    """Return how likely a high observation has a larger value than a low one; ties count half.

    It is the area under the ROC curve, and Mann and Whitney's U as a share of its largest value.
    ``X`` is (n, columns), or one column (n,), without missing values; ``weights`` (samples, n) are
    how often each observation is in each sample. The result is (samples, columns), or (columns,)
    without weights, with NaN where a group is empty.

    >>> high = np.array([True, True, False, False])
    >>> auc(np.array([3.0, 2.0, 2.0, 1.0]), ExtremeGroups(high, ~high))
    array([0.875])
    """
    if weights is None:
        unweighted: Floats = auc(X, ends, np.ones((1, len(ends.high))))[0]
        return unweighted
    columns = [TieGroups.of(column) for column in as_columns(X).T]
    areas = np.empty((len(weights), len(columns)))
    # small enough to stay in the cache while all columns are computed
    for rows in memory_slices(len(weights), 8 * len(ends.high), budget=1 << 19):
        areas[rows] = _auc(columns, ends, np.ascontiguousarray(weights[rows].T))
    return areas


def _auc(columns: list[TieGroups], ends: ExtremeGroups, weights: Floats) -> Floats:
    high, low = weights * ends.high[:, None], weights * ends.low[:, None]
    pairs = high.sum(axis=0) * low.sum(axis=0)
    wins = np.empty((weights.shape[1], len(columns)))
    for number, column in enumerate(columns):
        high_sums, low_sums = column.sums(high), column.sums(low)
        below = np.cumsum(low_sums, axis=0) - low_sums / 2
        wins[:, number] = np.einsum("gb,gb->b", high_sums, below)
    shares: Floats = np.divide(
        wins, pairs[:, None], out=np.full_like(wins, np.nan), where=pairs[:, None] > 0
    )
    return shares
