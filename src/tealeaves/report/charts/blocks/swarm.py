"""Points on a strip, moved aside so that they do not hide each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tealeaves.report.charts.blocks.rows import chart_of
from tealeaves.report.charts.blocks.style import DARK, alt

_GOLDEN = 0.618034  # the golden ratio: its multiples, modulo 1, fill a range evenly
_HIDDEN = 0.25  # of a point's size: closer points hide each other anyway


def golden_ratio_spread(number: int) -> list[float]:
    """Return so many places between 0 and 1, in which neighbours are far from each other.

    >>> golden_ratio_spread(4)
    [0.0, 0.618, 0.2361, 0.8541]
    """
    return [round(place * _GOLDEN % 1, 4) for place in range(number)]


def swarm(positions: Sequence[float], size: float, most: float) -> list[float]:
    """Return how far to move each point aside: as little as possible, and at most ``most``.

    Points ``size`` apart do not hide each other. If that cannot be, a point is moved where the
    nearest other point is farthest away. If there is no space left, points fill it evenly.

    >>> swarm([0.0, 10.0, 10.0, 10.0], 4, 8)
    [0.0, 0.0, 4.0, -4.0]
    """
    steps = [size / 2 * number for number in range(1, int(most / (size / 2)) + 1)]
    candidates = [0.0, *(side * step for step in steps for side in (1, -1))]
    asides = [0.0] * len(positions)
    near: set[tuple[float, float]] = set()  # points that the next one may hide
    for number, point in enumerate(sorted(range(len(positions)), key=positions.__getitem__)):
        position = positions[point]
        near = {other for other in near if position - other[0] < size}
        distances = [_nearest(position, aside, near, size) for aside in candidates]
        if max(distances) >= _HIDDEN * size:
            asides[point] = candidates[distances.index(max(distances))]
            near.add((position, asides[point]))
        else:
            asides[point] = most * (2 * (number * _GOLDEN % 1) - 1)
    return asides


def aside(field: str, limits: Sequence[float], **scale: Any) -> Any:
    """Return how far points are from the middle of their strip; the limits are its edges."""
    return alt.YOffset(f"{field}:Q", scale=alt.Scale(domain=list(limits), **scale))


def strip_ticks(rows: Iterable[Mapping[str, Any]], size: float, **mark: Any) -> Any:
    """Return thick lines across strips, such as the mean or the median of their points."""
    return chart_of(rows).mark_tick(color=DARK, thickness=2.5, size=size, aria=False, **mark)


def _nearest(x: float, y: float, others: set[tuple[float, float]], most: float) -> float:
    """Return the distance to the nearest other point, or ``most`` if that is farther away."""
    distances = (((x - other[0]) ** 2 + (y - other[1]) ** 2) ** 0.5 for other in others)
    return min(most, min(distances, default=most))
