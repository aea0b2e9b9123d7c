"""Tables: terms, pairs and words as the arrays that the kernels read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.evidence.counting.kernels.pairs import SPREAD
from tealeaves.evidence.counting.kernels.word_table import SHORT, fill_table
from tealeaves.evidence.requests import Term

if TYPE_CHECKING:
    from tealeaves.arrays import Integers
    from tealeaves.compiling.arrays import I32, I64, U8, U64

_FILTER_BITS = 16  # per pair: the filter lets one of sixteen other pairs through
_SLOTS = 4  # per word: most look-ups end with the first slot
_SIEVE_BITS = 16  # per word: the sieve lets one of sixteen other tokens through


@dataclass(frozen=True)
class Vocabulary:
    """The tokens of all terms, and which terms each token belongs to.

    ``term_of_token`` is the one-token term of each token id, or -1. Longer terms are filed under
    their last token: those of token t are ``grams[gram_start[t]:gram_start[t + 1]]``, and the
    token ids of term g are ``tokens[token_start[g]:token_start[g + 1]]``. If all terms are
    ``single`` tokens, token ids and term numbers are the same.
    """

    token_ids: dict[str, int]
    term_of_token: Integers
    gram_start: Integers
    grams: Integers
    token_start: Integers
    tokens: Integers
    single: bool

    @classmethod
    def of(cls, terms: Sequence[Term]) -> Vocabulary:
        """Make the vocabulary of some terms; the number of a term is its position."""
        token_ids: dict[str, int] = {}
        for term in terms:
            for token in term.tokens:
                token_ids.setdefault(token, len(token_ids))
        sequences = [[token_ids[token] for token in term.tokens] for term in terms]
        term_of_token = np.full(len(token_ids), -1, dtype=np.int64)
        by_last: list[list[int]] = [[] for _ in token_ids]
        for number, sequence in enumerate(sequences):
            if len(sequence) == 1:
                term_of_token[sequence[0]] = number
            elif sequence:
                by_last[sequence[-1]].append(number)
        gram_start, grams = ragged_rows(by_last)
        token_start, tokens = ragged_rows(sequences)
        single = all(len(sequence) == 1 for sequence in sequences)
        return cls(token_ids, term_of_token, gram_start, grams, token_start, tokens, single)


def ragged_rows(rows: Sequence[Sequence[int]]) -> tuple[Integers, Integers]:
    """Concatenate rows of different lengths; return where each row starts, and all values."""
    start = np.zeros(len(rows) + 1, dtype=np.int64)
    start[1:] = np.cumsum([len(row) for row in rows], dtype=np.int64)
    values = np.array([value for row in rows for value in row], dtype=np.int64)
    return start, values


def partner_table(count: int, pairs: Integers) -> tuple[I64, I32, I32]:
    """List the partners of each of ``count`` terms: the terms that it is paired with, sorted.

    Return three arrays: the partners of term t are ``partner[start[t]:start[t + 1]]``, and the
    numbers of their pairs are at the same places of ``number``.
    """
    left = np.concatenate([pairs[:, 0], pairs[:, 1]])
    right = np.concatenate([pairs[:, 1], pairs[:, 0]])
    number = np.concatenate([np.arange(len(pairs), dtype=np.int64)] * 2)
    order = np.lexsort((right, left))
    start = np.zeros(count + 1, dtype=np.int64)
    start[1:] = np.cumsum(np.bincount(left, minlength=count))
    return start, right[order].astype(np.int32), number[order].astype(np.int32)


def pair_filter(pairs: Integers) -> tuple[U64, int]:
    """Return the bits that :func:`.kernels.pairs.may_be_asked` reads, and their logarithm."""
    bits = max(_FILTER_BITS * len(pairs), 64).bit_length()
    product = ((pairs[:, 0] + 1) * (pairs[:, 1] + 1)).astype(np.uint64)
    number = (product * np.uint64(SPREAD)) >> np.uint64(64 - bits)
    filter_bits = np.zeros(1 << (bits - 6), dtype=np.uint64)
    np.bitwise_or.at(filter_bits, number >> np.uint64(6), np.uint64(1) << (number & np.uint64(63)))
    return filter_bits, bits


class WordTable(NamedTuple):
    """A hash table of words, in which kernels look up tokens.

    Word i is ``letters[word_start[i]:word_start[i + 1]]``; ``words`` are the words of the slots.
    ``bits`` is the logarithm of the number of slots, or 0 if there are no words at all;
    ``sieve_bits`` is that of the number of bits in ``sieve``.
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
        """Make the table of some words; the number of a word is its position."""
        encoded = [word.encode("utf-8", "surrogatepass") for word in words]
        bits = (_SLOTS * len(encoded)).bit_length()
        sieve_bits = max(_SIEVE_BITS * len(encoded), 64).bit_length()
        # collisions may push the last words on, and the last slot stays empty
        slots = (1 << bits) + len(encoded) + 1
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
