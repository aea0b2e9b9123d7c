"""The hash table of words in which tokens are looked up (see :class:`.tables.WordTable`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tealeaves.compiling.intrinsics import load64
from tealeaves.compiling.kernel import called, compiled, inlined

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64, U8, U64


SHORT = 16  # bytes of a token that are read at once

_ALL = 0xFFFFFFFFFFFFFFFF
#: which bits of the first and the second eight bytes belong to a token of so many bytes
_FIRST_MASK = np.array([_ALL >> (64 - 8 * min(n, 8)) for n in range(SHORT + 1)], dtype=np.uint64)
_SECOND_MASK = np.array([_ALL >> (64 - 8 * max(n - 8, 0)) for n in range(SHORT + 1)], np.uint64)

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xFF51AFD7ED558CCD)
_HALF, _SIX, _REST = np.uint64(32), np.uint64(6), np.uint64(63)
_ONE = np.uint64(1)


@inlined
def hash_of(text: U8, start: int, length: int) -> int:
    """Return a hash of the token at these bytes, never 0; it reads up to fifteen bytes more."""
    if length > SHORT:
        return long_hash(text, start, length)
    size = np.uint64(length)
    first = load64(text, start) & _FIRST_MASK[size]
    second = load64(text, start + 8) & _SECOND_MASK[size]
    return (((first ^ (second * _MIX)) + size) * _SPREAD) | _ONE


@called
def long_hash(text: U8, start: int, length: int) -> int:
    """Return the hash of a token that is not short."""
    mixed = np.uint64(length)
    for place in range(start, start + length - 8, 8):
        mixed = ((mixed ^ (mixed >> _HALF)) * _MIX) ^ load64(text, place)
    mixed = ((mixed ^ (mixed >> _HALF)) * _MIX) ^ load64(text, start + length - 8)
    return ((mixed ^ (mixed >> _HALF)) * _SPREAD) | _ONE


@inlined
def sieve_place(text: U8, start: int, length: int, bits: int) -> int:
    """Return the bit of the sieve for a token, by its length and its first eight bytes."""
    first = load64(text, start) & _FIRST_MASK[min(length, 8)]
    return (first + np.uint64(length)) * _SPREAD >> np.uint64(64 - bits)


@inlined
def may_be_word(text: U8, start: int, length: int, sieve: U64, bits: int) -> int:
    """Return 0 for most tokens that are not in the table."""
    place = sieve_place(text, start, length, bits)
    return np.int64((sieve[place >> _SIX] >> (place & _REST)) & _ONE)


@inlined
def same_bytes(text: U8, start: int, letters: U8, first: int, length: int) -> int:
    """Return whether a token and a word are the same."""
    if length <= SHORT:
        one = (load64(text, start) ^ load64(letters, first)) & _FIRST_MASK[length]
        two = (load64(text, start + 8) ^ load64(letters, first + 8)) & _SECOND_MASK[length]
        return np.int64((one | two) == np.uint64(0))
    for place in range(length):
        if text[start + place] != letters[first + place]:
            return 0
    return 1


@inlined
def find_word(
    text: U8,
    start: int,
    length: int,
    hashes: U64,
    words: I32,
    bits: int,
    word_start: I64,
    letters: U8,
) -> int:
    """Return the number of the word at these bytes, or -1 if it is not in the table."""
    hashed = hash_of(text, start, length)
    slot = hashed >> np.uint64(64 - bits)
    while hashes[slot] != np.uint64(0):  # the table ends with empty slots
        if hashes[slot] == hashed:
            word = words[slot]
            first = word_start[word]
            if word_start[word + 1] - first == length and same_bytes(
                text, start, letters, first, length
            ):
                return word
        slot += _ONE
    return -1


@compiled
def fill_table(
    sieve: U64,
    sieve_bits: int,
    hashes: U64,
    words: I32,
    bits: int,
    word_start: I64,
    letters: U8,
) -> None:
    """Put each word into the first free slot from its own one on."""
    for word in range(len(word_start) - 1):
        length = word_start[word + 1] - word_start[word]
        if length == 0:
            continue
        place = sieve_place(letters, word_start[word], length, sieve_bits)
        sieve[place >> _SIX] |= _ONE << (place & np.uint64(63))
        hashed = hash_of(letters, word_start[word], length)
        slot = hashed >> np.uint64(64 - bits)
        while hashes[slot] != np.uint64(0):
            slot += _ONE
        hashes[slot] = hashed
        words[slot] = word
