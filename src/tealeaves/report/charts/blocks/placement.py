"""Points on a plane, moved apart so that they do not hide each other."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers

_STEPS = 60
_FLATTEST, _STEEPEST = 0.5, 1.0  # of the height, in widths
_TOUCH = 1.08  # between the middles of two points that touch, in diameters
_FARTHEST = 2.0  # that a point may be pushed, in radii
_LARGEST, _SMALLEST = 0.01, 0.003  # radii, in widths
_SHRINK = 0.85  # from a radius to the next that is tried
_COVERED = 0.05  # of the points may be covered, if a smaller radius is to be tried
_WIDEST = 0.08  # of a pile, from its middle, in widths


class Placement(NamedTuple):
    """Where points are drawn, in pixels from the upper left corner.

    ``homes`` are their true places, before points at the same place were moved apart.
    """

    x: Floats
    y: Floats
    width: float
    height: float
    radius: float
    homes: Floats


def place_points(points: Floats, *, width: float, radius: float | None = None) -> Placement:
    """Scale points to a width, and move those apart that would hide each other.

    Both dimensions have the same scale, because the picture shows distances. Points at one place
    become a dense pile around it. Then points that cover each other are pushed apart, by no more
    than two radii: a point stays near its place, even if some remain covered. The default radius is
    the largest at which few are.

    >>> placing = place_points(np.array([[0.0, 0.0], [2.0, 1.0]]), width=220, radius=10)
    >>> placing.x.tolist(), placing.y.tolist(), placing.height
    ([20.0, 200.0], [110.0, 20.0], 130.0)
    """
    size = radius_for(len(points), width) if radius is None else radius
    placing = _placed(points, width, size)
    while radius is None and _crowded(placing) and size * _SHRINK >= _SMALLEST * width:
        size *= _SHRINK
        placing = _placed(points, width, size)
    return placing


def radius_for(number: int, width: float) -> float:
    """Return a radius at which so many points leave space between them.

    >>> radius_for(10, 720), radius_for(500, 720)
    (7.2, 3.86)
    """
    return round(width * float(np.clip(0.12 / math.sqrt(max(number, 1)), 0.004, _LARGEST)), 2)


def spread(points: Floats, radius: float) -> Floats:
    """Push points apart that are closer than two radii, in small steps and never far."""
    from scipy.spatial import cKDTree

    moved, least = points.copy(), 2 * radius * _TOUCH
    for _ in range(_STEPS):
        pairs = cKDTree(moved).query_pairs(least * 0.995, output_type="ndarray")
        if not len(pairs):
            break
        one, other = pairs.T
        way = moved[other] - moved[one]
        far = np.hypot(*way.T)
        way[far < 1e-9] = (1e-9, 0)  # any direction will do
        push = way * ((least - far) / np.maximum(far, 1e-9) / 2)[:, None]
        np.add.at(moved, other, push)
        np.add.at(moved, one, -push)
        away = moved - points
        length = np.maximum(np.hypot(*away.T), 1e-9)
        moved = points + away * np.minimum(1, _FARTHEST * radius / length)[:, None]
    return moved


def _placed(points: Floats, width: float, radius: float) -> Placement:
    if not len(points):
        nothing = np.zeros(0)
        return Placement(nothing, nothing, width, width * _FLATTEST, radius, np.zeros((0, 2)))
    margin = 2 * radius
    homes, height = _scaled(points, width, margin)
    piles = _piles(homes, radius / 10)
    piled = homes[piles] + _pile_offsets(piles, 2 * radius * _TOUCH)
    return _fitted(spread(piled, radius), homes, (width, height), margin)


def _scaled(points: Floats, width: float, margin: float) -> tuple[Floats, float]:
    """Return points in pixels, and the height of the picture."""
    low, spans = points.min(0), np.ptp(points, 0)
    wide, high = float(spans[0]), float(spans[1])
    inner_width = width - 2 * margin
    inner_height = inner_width * float(
        np.clip(high / wide if wide else _STEEPEST, _FLATTEST, _STEEPEST)
    )
    ratios = [space / span for space, span in ((inner_width, wide), (inner_height, high)) if span]
    scale = min(ratios, default=1.0)
    left, top = (inner_width - wide * scale) / 2, (inner_height - high * scale) / 2
    # the second dimension points upwards, pixels downwards
    raw = (points - low) * scale + (left, top)
    raw[:, 1] = inner_height - raw[:, 1]
    return raw + margin, inner_height + 2 * margin


def _fitted(moved: Floats, homes: Floats, size: tuple[float, float], margin: float) -> Placement:
    """Shrink the picture if points were moved over its edge."""
    low, high = moved.min(0), moved.max(0)
    shift = np.maximum(margin - low, 0)
    over = np.maximum(high + shift + margin - size, 0)
    wide, tall = size[0] + float(over[0]), size[1] + float(over[1])
    factor = size[0] / wide
    x, y = ((moved + shift) * factor).round(2).T
    homes = ((homes + shift) * factor).round(2)
    return Placement(x, y, size[0], round(tall * factor, 2), round(margin / 2 * factor, 2), homes)


def _crowded(placing: Placement) -> bool:
    """Whether many points are covered, or a pile is wide."""
    from scipy.spatial import cKDTree

    places = np.stack([placing.x, placing.y], axis=1)
    if len(places) < 2:
        return False
    nearest = cKDTree(places).query(places, k=2)[0][:, 1]
    widest = np.hypot(*(places - placing.homes).T).max()
    covered = np.mean(nearest < 1.2 * placing.radius)
    return bool(covered > _COVERED or widest > _WIDEST * placing.width)


def _piles(points: Floats, within: float) -> Integers:
    """Return for each point the first point within a distance: both belong to one pile.

    >>> _piles(np.array([[0.0, 0.0], [9.0, 9.0], [0.0, 0.1], [9.0, 9.0]]), 0.5).tolist()
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


def _pile_offsets(piles: Integers, apart: float) -> Floats:
    """Return the offset of each point from the place of its pile, with neighbours so far apart."""
    offsets = np.zeros((len(piles), 2))
    for first in np.unique(piles):
        rows = np.flatnonzero(piles == first)
        offsets[rows] = _hexagons(len(rows)) * apart
    return offsets


@lru_cache(maxsize=256)
def _hexagons(number: int) -> Floats:
    """Return so many cells of a honeycomb, from the middle outwards, around their mean.

    Two neighbours are 1 apart; this is the densest packing of equal discs.

    >>> np.hypot(*_hexagons(7).T).round(2).tolist(), np.hypot(*_hexagons(2).T).round(2).tolist()
    ([0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [0.5, 0.5])
    """
    reach = math.ceil(math.sqrt(number)) + 1
    along, up = np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1))
    x, y = (along + up / 2).ravel(), (up * math.sqrt(3) / 2).ravel()
    # rings of equal distance begin at one side and go round
    order = np.lexsort([np.arctan2(y, x).round(6), (x**2 + y**2).round(6)])[:number]
    cells = np.stack([x[order], y[order]], axis=1)
    return np.asarray(cells - cells.mean(0), np.float64)
