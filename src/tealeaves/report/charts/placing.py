"""Points of a plane as pixels: near what is alike, and hardly covering each other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.report.charts.piles import pile_offsets, pile_up

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

_STEPS = 60
_FLATTEST, _STEEPEST = 0.5, 1.0  # of the height, in widths
_ROOM = 1.08  # between the middles of two points that touch, in diameters
_FARTHEST = 2.0  # that a point may be pushed, in radii
_LARGEST, _SMALLEST = 0.01, 0.003  # radii, in widths
_SHRINK = 0.85  # from a radius to the next that is tried
_COVERED = 0.05  # of the points may be covered, if a smaller radius is to be tried
_WIDEST = 0.08  # of a pile, from its middle, in widths


class Placing(NamedTuple):
    """Where points come to stand, in pixels from the upper left corner.

    ``homes`` are their true places, which those that share one cannot all have.
    """

    x: Floats
    y: Floats
    width: float
    height: float
    radius: float
    homes: Floats


def place_points(points: Floats, *, width: float, radius: float | None = None) -> Placing:
    """Scale points to a width, both dimensions alike.

    A pixel is as far in one dimension as in the other: distances are what such a picture shows.
    Points at one place become a pile around it, as narrow as they can lie side by side. Then those
    that cover each other are pushed apart, but no farther than two radii: a point never lies far
    from its place, even if some stay covered. Without a radius it is the largest at which few are.

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
    """Return a radius at which so many points leave room between them.

    >>> radius_for(10, 720), radius_for(500, 720)
    (7.2, 3.86)
    """
    return round(width * float(np.clip(0.12 / math.sqrt(max(number, 1)), 0.004, _LARGEST)), 2)


def spread(points: Floats, radius: float) -> Floats:
    """Push apart points that are closer than two radii, a little at a time and never far."""
    from scipy.spatial import cKDTree

    moved, least = points.copy(), 2 * radius * _ROOM
    for _ in range(_STEPS):
        pairs = cKDTree(moved).query_pairs(least * 0.995, output_type="ndarray")
        if not len(pairs):
            break
        one, other = pairs.T
        way = moved[other] - moved[one]
        far = np.hypot(*way.T)
        way[far < 1e-9] = (1e-9, 0)  # no direction is any better
        push = way * ((least - far) / np.maximum(far, 1e-9) / 2)[:, None]
        np.add.at(moved, other, push)
        np.add.at(moved, one, -push)
        away = moved - points
        length = np.maximum(np.hypot(*away.T), 1e-9)
        moved = points + away * np.minimum(1, _FARTHEST * radius / length)[:, None]
    return moved


def _placed(points: Floats, width: float, radius: float) -> Placing:
    if not len(points):
        nothing = np.zeros(0)
        return Placing(nothing, nothing, width, width * _FLATTEST, radius, np.zeros((0, 2)))
    margin = 2 * radius
    homes, height = _scaled(points, width, margin)
    piles = pile_up(homes, radius / 10)
    piled = homes[piles] + pile_offsets(piles, 2 * radius * _ROOM)
    return _fitted(spread(piled, radius), homes, (width, height), margin)


def _scaled(points: Floats, width: float, margin: float) -> tuple[Floats, float]:
    """Return points in pixels, and the height of the picture."""
    low, spans = points.min(0), np.ptp(points, 0)
    wide, high = float(spans[0]), float(spans[1])
    room = width - 2 * margin
    inner = room * float(np.clip(high / wide if wide else _STEEPEST, _FLATTEST, _STEEPEST))
    ratios = [space / span for space, span in ((room, wide), (inner, high)) if span]
    scale = min(ratios, default=1.0)
    left, top = (room - wide * scale) / 2, (inner - high * scale) / 2
    # the second dimension points upwards, pixels downwards
    raw = (points - low) * scale + (left, top)
    raw[:, 1] = inner - raw[:, 1]
    return raw + margin, inner + 2 * margin


def _fitted(moved: Floats, homes: Floats, size: tuple[float, float], margin: float) -> Placing:
    """Make room for what lies over the edge."""
    low, high = moved.min(0), moved.max(0)
    shift = np.maximum(margin - low, 0)
    over = np.maximum(high + shift + margin - size, 0)
    wide, tall = size[0] + float(over[0]), size[1] + float(over[1])
    factor = size[0] / wide
    x, y = ((moved + shift) * factor).round(2).T
    homes = ((homes + shift) * factor).round(2)
    return Placing(x, y, size[0], round(tall * factor, 2), round(margin / 2 * factor, 2), homes)


def _crowded(placing: Placing) -> bool:
    """Say whether many points are covered, or a pile is wide."""
    from scipy.spatial import cKDTree

    places = np.stack([placing.x, placing.y], axis=1)
    if len(places) < 2:
        return False
    nearest = cKDTree(places).query(places, k=2)[0][:, 1]
    widest = np.hypot(*(places - placing.homes).T).max()
    covered = np.mean(nearest < 1.2 * placing.radius)
    return bool(covered > _COVERED or widest > _WIDEST * placing.width)
