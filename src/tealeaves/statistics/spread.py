"""How values are spread: quartiles, the size of most values, and where a logarithm helps."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from tealeaves.arrays import Floats

_HEAVY = 8  # the range, in widths of the middle half, from which a few values press others flat


class GroupSpread(NamedTuple):
    """The spread of values in groups.

    ``quartiles`` are the lower quartile, the median and the upper quartile of each group that has
    values. ``bend`` is where an axis of all values should turn from linear to logarithmic; NaN if
    a linear axis shows them well.
    """

    quartiles: dict[str, tuple[float, float, float]]
    bend: float


def group_spread(groups: Mapping[str, Floats]) -> GroupSpread:
    """Return the spread of the values of each group.

    >>> group_spread({"high": np.array([1.0, 2, 3]), "low": np.zeros(0)})
    GroupSpread(quartiles={'high': (1.5, 2.0, 2.5)}, bend=nan)
    """
    quartiles = {}
    for name, values in groups.items():
        if len(values):
            low, median, high = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
            quartiles[name] = (low, median, high)
    return GroupSpread(quartiles, logarithm_bend(np.concatenate([np.zeros(0), *groups.values()])))


def logarithm_bend(values: Floats) -> float:
    """Return where a signed logarithm should be linear: most values lie beyond.

    It is NaN unless a few values would press all others flat on a linear axis, and a logarithm
    would help. It would not if those values differ from the others by no factor.

    >>> [logarithm_bend(np.array([1.0, 2, 3, 4, last])) for last in (5, 100)]
    [nan, 2.0]
    >>> logarithm_bend(np.array([1001.0, 1002, 1003, 1004, 1100]))
    nan
    """
    if not values.any():
        return math.nan
    low, high = np.quantile(values, [0.25, 0.75])
    bend = float(np.quantile(np.abs(values[values != 0]), 0.25))
    flat = np.ptp(values) > _HEAVY * (high - low)
    return bend if flat and np.abs(values).max() > _HEAVY * bend else math.nan


def size_of_most(values: Floats, share: float = 0.99) -> float:
    """Return the size that a share of the values does not exceed; the largest size if that is 0.

    Values that are not finite are left out; without values it is NaN.

    >>> size_of_most(np.array([-1.0, 2, 3, np.nan]), 0.5)
    2.0
    """
    sizes = np.abs(values[np.isfinite(values)])
    return float(np.quantile(sizes, share) or sizes.max()) if sizes.size else math.nan
