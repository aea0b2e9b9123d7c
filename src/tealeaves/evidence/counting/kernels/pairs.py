"""Pairs: the number of a pair of terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tealeaves.compiling.kernel import inlined

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64, U64

SPREAD = 0x9E3779B97F4A7C15
_SPREAD = np.uint64(SPREAD)
_ONE = np.uint64(1)


@inlined
def may_be_asked(a: int, b: int, asked: U64, bits: int) -> int:
    """Return 0 for most pairs that were not requested, by a filter of bits; in either order."""
    number = np.uint64((a + 1) * (b + 1)) * _SPREAD >> np.uint64(64 - bits)
    return np.int64((asked[number >> np.uint64(6)] >> (number & np.uint64(63))) & _ONE)


@inlined
def pair_of(
    a: int, b: int, partner_start: I64, partner: I32, partner_pair: I32, asked: U64, bits: int
) -> int:
    """Return the number of a pair, or -1 if it was not requested."""
    if not may_be_asked(a, b, asked, bits):
        return -1
    low, high = partner_start[a], partner_start[a + 1]
    while low < high:
        middle = (low + high) >> 1
        if partner[middle] < b:
            low = middle + 1
        else:
            high = middle
    if low < partner_start[a + 1] and partner[low] == b:
        return partner_pair[low]
    return -1
