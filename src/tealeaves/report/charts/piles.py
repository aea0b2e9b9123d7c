"""Points at one place as a pile: side by side around it, as narrow as can be."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Floats

    Rows = NDArray[np.int64]


def pile_up(points: Floats, within: float) -> Rows:
    """Return for each point the first one that lies so close that both have one place.

    >>> pile_up(np.array([[0.0, 0.0], [9.0, 9.0], [0.0, 0.1], [9.0, 9.0]]), 0.5).tolist()
    [0, 1, 0, 1]
    """
    from scipy.spatial import cKDTree

    tree = cKDTree(points)
    first = np.full(len(points), -1)
    for row, point in enumerate(points):
        if first[row] < 0:
            near = np.array(tree.query_ball_point(point, within))
            first[near[first[near] < 0]] = row
    return first


def pile_offsets(piles: Rows, apart: float) -> Floats:
    """Return how far each point lies from the place of its pile; neighbours lie so far apart."""
    offsets = np.zeros((len(piles), 2))
    for first in np.unique(piles):
        rows = np.flatnonzero(piles == first)
        offsets[rows] = hexagons(len(rows)) * apart
    return offsets


@lru_cache(maxsize=256)
def hexagons(number: int) -> Floats:
    """Return so many cells of a honeycomb, from the middle outwards, around their mean.

    Two neighbours are 1 apart, and nothing packs discs of one size closer.

    >>> np.hypot(*hexagons(7).T).round(2).tolist(), np.hypot(*hexagons(2).T).round(2).tolist()
    ([0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [0.5, 0.5])
    """
    reach = math.ceil(math.sqrt(number)) + 1
    along, up = np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1))
    x, y = (along + up / 2).ravel(), (up * math.sqrt(3) / 2).ravel()
    # rings of equal distance begin at one side and go round
    order = np.lexsort([np.arctan2(y, x).round(6), (x**2 + y**2).round(6)])[:number]
    cells = np.stack([x[order], y[order]], axis=1)
    return np.asarray(cells - cells.mean(0), np.float64)
