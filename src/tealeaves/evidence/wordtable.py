"""Words as the hash table in which kernels look up tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.compiling.kernel import compiled
from tealeaves.evidence.kernels.table import SHORT, hash_of, sieve_place

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64, U8, U64

_SLOTS = 4  # for each word: most look-ups end with the first
_SIEVE = 16  # bits for each word: one of so many other tokens gets through
_SIX, _ONE = np.uint64(6), np.uint64(1)


class WordTable(NamedTuple):
    """Word i is at ``letters[word_start[i]:word_start[i + 1]]``; ``words`` numbers the slots.

    ``bits`` is the logarithm of the number of slots, or 0 where there are no words at all;
    ``sieve_bits`` that of the bits in ``sieve``.
    """

    sieve: U64
    sieve_bits: int
    hashes: U64
    words: I32
    bits: int
    word_start: I64
    letters: U8

    @classmethod
    def of(cls, words: Sequence[str]) -> WordTable:
        """Lay out words; their numbers are their places."""
        encoded = [word.encode("utf-8", "surrogatepass") for word in words]
        bits = (_SLOTS * len(encoded)).bit_length()
        sieve_bits = max(_SIEVE * len(encoded), 64).bit_length()
        slots = (1 << bits) + len(encoded) + 1  # the last may be pushed on, and one stays empty
        start = np.zeros(len(encoded) + 1, dtype=np.int64)
        start[1:] = np.cumsum([len(word) for word in encoded], dtype=np.int64)
        table = cls(
            np.zeros(1 << (sieve_bits - 6), dtype=np.uint64),
            sieve_bits,
            np.zeros(slots, dtype=np.uint64),
            np.full(slots, -1, dtype=np.int32),
            bits,
            start,
            np.frombuffer(b"".join([*encoded, bytes(SHORT)]), dtype=np.uint8),
        )
        if bits:
            fill_table(*table)
        return table


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
    """Give each word the first free slot from its own on."""
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
