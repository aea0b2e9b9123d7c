"""Weights in eight lanes: their running sums, and draws by them.

A lane has every eighth weight. A processor adds up lanes side by side, in vectors; each adds up its
own weights, so that the sums are the same whatever the width of vectors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tealeaves.kernels import F64, I32

LANES = 8
_STRIDE = 8  # blocks of lanes


def running_weights(
    sums: F64, factors: F64, counts: I32 | F64, start: int, more: float, own: int, weight: float
) -> None:
    """Add up the weights ``factors[k] * (counts[start + k] + more)`` in each of eight lanes.

    Only that of place ``own`` is ``weight``. ``sums[k]`` is the sum of the weights k, k - 8, k - 16
    and so on; there must be a multiple of 8.
    """
    for k in range(len(sums)):
        before = sums[k - LANES] if k >= LANES else 0.0
        sums[k] = before + (weight if k == own else factors[k] * (counts[start + k] + more))


def running_weights_at(
    sums: F64, factors: F64, places: I32, counts: I32, start: int, size: int, own: int
) -> None:
    """Add up the weights ``factors[places[start + n]] * counts[start + n]`` in eight lanes.

    As :func:`running_weights`, for the few places that have a count at all; ``size`` is a multiple
    of 8, and the count of the place ``own`` is one less.
    """
    for n in range(size):
        place = places[start + n]
        added = factors[place] * (counts[start + n] - (place == own))
        sums[n] = (sums[n - LANES] if n >= LANES else 0.0) + added


def total_of_lanes(sums: F64, last: int) -> float:
    """Add up the sums of all lanes, which are those from ``last`` on, as drawing does."""
    first = (sums[last] + sums[last + 1]) + (sums[last + 2] + sums[last + 3])
    return float(first + ((sums[last + 4] + sums[last + 5]) + (sums[last + 6] + sums[last + 7])))


def lane_of(sums: F64, last: int, uniform: float) -> tuple[int, float]:
    """Draw one of eight lanes by the sums from ``last`` on; ``uniform`` is below 1.

    Returns the lane and the rest of the drawn weight, which lies within this lane but for
    rounding: the sums of lanes are added in pairs.

    >>> lane_of([1.0] * 8, 0, 0.4)
    (3, 0.20...)
    """
    totals = list(sums[last : last + LANES])
    for step in (1, 2, 4):
        totals = [value + (totals[k - step] if k >= step else 0) for k, value in enumerate(totals)]
    target = uniform * totals[-1]
    lane = sum(total <= target for total in totals[:-1])
    return lane, target - (totals[lane - 1] if lane else 0.0)


def draw(sums: F64, size: int, most: int, random: float) -> int:
    """Draw a place by ``size`` running sums of weights in lanes; it is below ``most``.

    >>> draw([0.0] * 8 + [0.0, 2.0] + [0.0] * 6, 16, 16, 0.5)
    9
    """
    lane, rest = lane_of(sums, size - LANES, random)
    block = 0
    left = size // LANES - 1
    if left > _STRIDE:  # long rows in strides first
        strides = left // _STRIDE
        block = _STRIDE * _count_up_to(
            sums, (_STRIDE - 1) * LANES + lane, _STRIDE * LANES, strides, rest
        )
        left = min(left - block, _STRIDE - 1)
    block += _count_up_to(sums, block * LANES + lane, LANES, left, rest)
    place = block * LANES + lane
    return max(place - LANES * (place >= most), 0)  # only by rounding


def _count_up_to(sums: F64, place: int, step: int, number: int, limit: float) -> int:
    """Count how many of some sums are at most the limit."""
    return sum(sums[place + n * step] <= limit for n in range(number))
