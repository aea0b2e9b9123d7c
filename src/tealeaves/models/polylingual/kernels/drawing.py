"""Drawing from weights whose running sums are kept in eight lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tealeaves.compiling.intrinsics import LANES, lane_of
from tealeaves.compiling.kernel import inlined

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64

_STRIDE = 8  # blocks of lanes


@inlined
def count_up_to(sums: F64, place: int, step: int, number: int, limit: float) -> int:
    """Count how many of some sums are at most the limit, without a branch to guess."""
    found = 0
    for _ in range(number):
        found += sums[place] <= limit
        place += step
    return found


@inlined
def draw(sums: F64, size: int, most: int, random: float) -> int:
    """Draw a place by ``size`` running sums of weights in lanes; it is below ``most``."""
    lane, rest = lane_of(sums, size - LANES, random)
    block = 0
    left = size // LANES - 1
    if left > _STRIDE:  # long rows in strides first
        strides = left // _STRIDE
        block = _STRIDE * count_up_to(
            sums, (_STRIDE - 1) * LANES + lane, _STRIDE * LANES, strides, rest
        )
        left = min(left - block, _STRIDE - 1)
    block += count_up_to(sums, block * LANES + lane, LANES, left, rest)
    place = block * LANES + lane
    return max(place - LANES * (place >= most), 0)  # only by rounding


@inlined
def total_of_lanes(sums: F64, last: int) -> Any:
    """Add up the sums of all lanes, as drawing does."""
    first = (sums[last] + sums[last + 1]) + (sums[last + 2] + sums[last + 3])
    return first + ((sums[last + 4] + sums[last + 5]) + (sums[last + 6] + sums[last + 7]))
