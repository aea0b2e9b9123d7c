"""Points along a line, moved aside so that none hides another."""

from __future__ import annotations

from collections.abc import Sequence

_TURN = 0.618034  # of the golden ratio: points that follow each other come to lie apart
_HIDDEN = 0.25  # of a point's size: nearer ones hide each other anyway


def swarm(places: Sequence[float], size: float, room: float) -> list[float]:
    """Return how far aside each point lies: as little as it can, and at most ``room``.

    ``size`` is how far apart points must be to be seen whole. Where that cannot be, a point comes
    to lie where the nearest other is farthest away; where all is full, points fill the room evenly.

    >>> swarm([0.0, 10.0, 10.0, 10.0], 4, 8)
    [0.0, 0.0, 4.0, -4.0]
    """
    steps = [size / 2 * number for number in range(1, int(room / (size / 2)) + 1)]
    asides = [0.0, *(side * aside for aside in steps for side in (1, -1))]
    found = [0.0] * len(places)
    near: dict[tuple[float, float], None] = {}  # points that may be hidden yet
    for number, point in enumerate(sorted(range(len(places)), key=places.__getitem__)):
        along = places[point]
        near = {other: None for other in near if along - other[0] < size}
        apart = [_nearest(along, aside, near, size) for aside in asides]
        if max(apart) >= _HIDDEN * size:
            found[point] = asides[apart.index(max(apart))]
            near[along, found[point]] = None
        else:
            found[point] = room * (2 * (number * _TURN % 1) - 1)
    return found


def _nearest(
    along: float, aside: float, near: dict[tuple[float, float], None], size: float
) -> float:
    """Return the distance to the nearest other point; one that is far enough away is as good."""
    distances = (((along - x) ** 2 + (aside - y) ** 2) ** 0.5 for x, y in near)
    return min(size, min(distances, default=size))
