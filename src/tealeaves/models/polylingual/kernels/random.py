"""Random numbers, and draws from weights.

The n-th random number of a key is computed without those before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.compiling.intrinsics import LANES, lane_of
from tealeaves.compiling.kernel import inlined
from tealeaves.text.digest import mix

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64

_STEP = np.uint64(0x9E3779B97F4A7C15)
_UNUSED = np.uint64(11)  # a double holds 53 of the 64 bits
_UNIT = 2.0**-53
_STRIDE = 8  # blocks of lanes


@inlined
def uniform(key: int, number: int) -> Any:
    """Return the random number of a key with this number, from 0 up to below 1 (SplitMix64)."""
    bits = mix(np.uint64(key) + np.uint64(number) * _STEP)
    return np.int64(bits >> _UNUSED) * _UNIT


def key_of(*parts: int) -> int:
    """Return the key that belongs to some numbers, such as a seed and a sweep.

    >>> key_of(1, 2) != key_of(2, 1)
    True
    """
    key = np.zeros(1, dtype=np.uint64)
    for part in parts:
        key = mix((key ^ mix(np.array([part % 2**64], dtype=np.uint64) + _STEP)) * _STEP)
    return int(key[0] >> np.uint64(1))


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
