"""From terms to the tables that the kernels read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.evidence.kernels.pairs import SPREAD
from tealeaves.evidence.terms import Term

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FILTER_BITS = 16  # for each pair: one of sixteen pairs that nobody asked for gets through


@dataclass(frozen=True)
class Vocabulary:
    """The tokens that any term is made of, and where each term is found.

    ``term_of_token`` gives the one-token term of a token id, or -1. Longer terms are filed under
    their last token: those of token t stand at ``grams[gram_start[t]:gram_start[t + 1]]``, the
    token ids of term g at ``tokens[token_start[g]:token_start[g + 1]]``. Where all terms are
    ``single`` tokens, these are numbered as the terms are.
    """

    token_ids: dict[str, int]
    term_of_token: NDArray[np.int64]
    gram_start: NDArray[np.int64]
    grams: NDArray[np.int64]
    token_start: NDArray[np.int64]
    tokens: NDArray[np.int64]
    single: bool

    @classmethod
    def of(cls, terms: Sequence[Term]) -> Vocabulary:
        """Lay out terms, which are known to the kernels by their position."""
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
        gram_start, grams = ragged(by_last)
        token_start, tokens = ragged(sequences)
        single = all(len(sequence) == 1 for sequence in sequences)
        return cls(token_ids, term_of_token, gram_start, grams, token_start, tokens, single)


def ragged(rows: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Lay rows of different lengths one after the other: where each starts, and all values."""
    start = np.zeros(len(rows) + 1, dtype=np.int64)
    start[1:] = np.cumsum([len(row) for row in rows], dtype=np.int64)
    values = np.array([value for row in rows for value in row], dtype=np.int64)
    return start, values


def partners(
    count: int, pairs: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """List for each of ``count`` terms the terms it is paired with, sorted, and the pair's number.

    The partners of term t stand at ``partner[start[t]:start[t + 1]]``, their pairs' numbers at
    the same places of ``number``.
    """
    left = np.concatenate([pairs[:, 0], pairs[:, 1]])
    right = np.concatenate([pairs[:, 1], pairs[:, 0]])
    number = np.concatenate([np.arange(len(pairs), dtype=np.int64)] * 2)
    order = np.lexsort((right, left))
    start = np.zeros(count + 1, dtype=np.int64)
    start[1:] = np.cumsum(np.bincount(left, minlength=count))
    return start, right[order].astype(np.int32), number[order].astype(np.int32)


def asked_filter(pairs: NDArray[np.int64]) -> tuple[NDArray[np.uint64], int]:
    """Return the bits that :func:`.kernels.pairs.may_be_asked` looks at, and their logarithm."""
    bits = max(_FILTER_BITS * len(pairs), 64).bit_length()
    product = ((pairs[:, 0] + 1) * (pairs[:, 1] + 1)).astype(np.uint64)
    number = (product * np.uint64(SPREAD)) >> np.uint64(64 - bits)
    asked = np.zeros(1 << (bits - 6), dtype=np.uint64)
    np.bitwise_or.at(asked, number >> np.uint64(6), np.uint64(1) << (number & np.uint64(63)))
    return asked, bits
