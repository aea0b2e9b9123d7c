"""The hash table of words in which tokens are looked up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.arrays import offsets
from tealeaves.kernels import Arguments, kernel

if TYPE_CHECKING:
    from tealeaves.kernels import I64, U8, U64

_SLOTS = 2  # per word, or up to twice as many: most look-ups end with the first slot
_SLOT_WORDS = 4
_SIEVE_BITS = 16  # per word: one of sixteen other tokens passes the sieve
_PADDING = 16  # bytes after the last word that may be read


@dataclass(frozen=True)
class WordTable(Arguments):
    """A hash table of words.

    Word i is ``letters[word_start[i]:word_start[i + 1]]``. A slot is four numbers: the first and
    the second eight bytes of a short word, or the hash of a longer one, then its number and length.
    ``bits`` is the logarithm of the number of slots, or 0 if there are no words at all;
    ``sieve_bits`` is that of the number of bits in ``sieve``, which rules out most other tokens.
    ``shortest`` is the number of bytes of the shortest word.
    """

    sieve: U64
    sieve_bits: int
    slots: U64
    bits: int
    shortest: int
    word_start: I64
    letters: U8

    @classmethod
    def of(cls, words: Sequence[str]) -> WordTable:
        """Make the table of some words; the number of a word is its position."""
        encoded = [word.encode("utf-8", "surrogatepass") for word in words]
        bits = (_SLOTS * len(encoded)).bit_length()
        sieve_bits = max(_SIEVE_BITS * len(encoded), 64).bit_length()
        # collisions may push the last words on, and the last slot stays empty
        slots = (1 << bits) + len(encoded) + 1
        table = cls(
            np.zeros(1 << (sieve_bits - 6), dtype=np.uint64),
            sieve_bits,
            np.zeros(_SLOT_WORDS * slots, dtype=np.uint64),
            bits,
            min(map(len, encoded), default=1),
            offsets([len(word) for word in encoded]),
            np.frombuffer(b"".join([*encoded, bytes(_PADDING)]), dtype=np.uint8),
        )
        if bits:
            fill_table(table)
        return table


@kernel
def fill_table(words: WordTable) -> None:
    """Put each word into the first free slot from its own one on."""
    raise NotImplementedError  # without the library, tokens are found in strings
