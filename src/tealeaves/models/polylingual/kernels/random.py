"""Random numbers: the n-th of a key is computed without those before it (SplitMix64)."""

from __future__ import annotations

_ALL = 2**64 - 1  # the bits of a number
STEP = 0x9E3779B97F4A7C15


def mix(value: int) -> int:
    """Mix the bits of a 64-bit number."""
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _ALL
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _ALL
    return value ^ (value >> 31)


def mixed_with(key: int, number: int) -> int:
    """Return the key that belongs to a key and one more number of 64 bits.

    >>> mixed_with(mixed_with(0, 1), 2) != mixed_with(mixed_with(0, 2), 1)
    True
    """
    return mix(((key ^ number) * STEP) & _ALL)


def uniform(key: int, number: int) -> float:
    """Return the random number of a key with this number, from 0 up to below 1.

    >>> 0 <= uniform(key_of(1, 2), 3) < 1
    True
    """
    bits = mix((key + number * STEP) & _ALL)
    return (bits >> 11) * 2.0**-53  # a double holds 53 of the 64 bits


def key_of(*parts: int) -> int:
    """Return the key that belongs to some numbers, such as a seed and a sweep: 63 bits.

    >>> key_of(1, 2) != key_of(2, 1)
    True
    """
    key = 0
    for part in parts:
        key = mixed_with(key, mix((part + STEP) & _ALL))
    return key >> 1
