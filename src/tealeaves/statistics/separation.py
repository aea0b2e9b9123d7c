"""AUC: how well a column separates a high group of observations from a low one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats
from tealeaves.statistics.ranks import Groups, as_columns
from tealeaves.statistics.resampling import pieces

Booleans = NDArray[np.bool_]


class Ends(NamedTuple):
    """Which observations are in the high group, and which in the low one; others are in none."""

    high: Booleans
    low: Booleans


def ends_of(values: Floats, parts: int) -> Ends:
    """Put the highest and the lowest of so many equal parts into groups: 2 halves, 3 thirds.

    Equal values are never put apart: all that equal the last of a group are in it, too. Where one
    value would so be in both groups it is in neither, unless a group were left with nothing.

    >>> high, low = ends_of(np.array([1.0, 2, 2, 3, 4, 5, 5]), parts=3)
    >>> high.astype(int).tolist(), low.astype(int).tolist()
    ([0, 0, 0, 0, 0, 1, 1], [1, 1, 1, 0, 0, 0, 0])
    >>> ends_of(np.array([1.0, 2, 2, 3]), parts=2).high.tolist()
    [False, False, False, True]
    """
    if len(values) == 0 or np.ptp(values) == 0:
        nothing = np.zeros(len(values), dtype=np.bool_)
        return Ends(nothing, nothing)
    ordered, size = np.sort(values), max(1, len(values) // parts)
    bottom, top = ordered[size - 1], ordered[-size]
    if bottom < top:
        return Ends(values >= top, values <= bottom)
    high, low = values > top, values < bottom
    if not high.any():
        high = values == top
    elif not low.any():
        low = values == bottom
    return Ends(high, low)


def auc(X: Floats, ends: Ends, weights: Floats | None = None) -> Floats:  # noqa: N803
    """Return how likely a high observation has more than a low one; equal ones count half.

    It is the area under the curve of true against false alarms, and Mann and Whitney's U as a
    share of its largest. ``X`` is (n, columns), or one column (n,), without missing values;
    ``weights`` (samples, n) tell how often each observation is in each sample. What comes back is
    (samples, columns), or (columns,) without weights, and NaN where a group is empty.

    >>> ends = Ends(np.array([True, True, False, False]), np.array([False, False, True, True]))
    >>> auc(np.array([3.0, 2.0, 2.0, 1.0]), ends)
    array([0.875])
    """
    if weights is None:
        alone: Floats = auc(X, ends, np.ones((1, len(ends.high))))[0]
        return alone
    columns = [Groups.of(column) for column in as_columns(X).T]
    found = np.empty((len(weights), len(columns)))
    # small enough to stay in the cache while all columns are gone through
    for rows in pieces(len(weights), 8 * len(ends.high), budget=1 << 19):
        found[rows] = _auc(columns, ends, np.ascontiguousarray(weights[rows].T))
    return found


def _auc(columns: list[Groups], ends: Ends, weights: Floats) -> Floats:
    high, low = weights * ends.high[:, None], weights * ends.low[:, None]
    pairs = high.sum(axis=0) * low.sum(axis=0)
    found = np.empty((weights.shape[1], len(columns)))
    for number, column in enumerate(columns):
        above, equal = column.sums(high), column.sums(low)
        below = np.cumsum(equal, axis=0) - equal / 2
        found[:, number] = np.einsum("gb,gb->b", above, below)
    shares: Floats = np.divide(
        found, pairs[:, None], out=np.full_like(found, np.nan), where=pairs[:, None] > 0
    )
    return shares
