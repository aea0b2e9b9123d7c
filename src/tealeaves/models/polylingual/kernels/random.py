"""Random numbers by their number: the n-th of a key needs none before it."""

from __future__ import annotations

from typing import Any

import numpy as np

from tealeaves.compiling.kernel import inlined
from tealeaves.text.digest import mix

_STEP = np.uint64(0x9E3779B97F4A7C15)
_UNUSED = np.uint64(11)  # a double holds 53 of the 64 bits
_UNIT = 2.0**-53


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
