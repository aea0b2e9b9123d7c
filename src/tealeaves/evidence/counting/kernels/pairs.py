"""Pairs: the number of a pair of terms, and the sums of counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.arrays import Integers32, offsets
from tealeaves.errors import InputError
from tealeaves.kernels import Arguments, kernel

if TYPE_CHECKING:
    from tealeaves.kernels import I32, I64, U64

_AT_ONCE = 1 << 20  # numbers that numpy may convert: this bounds the memory
_FILTER_BITS = 16  # per partner, or down to half as many: few other terms pass the filter


@dataclass(frozen=True)
class PartnerTable(Arguments):
    """The pairs that are counted.

    The partners of term t, which it is paired with, are ``partner[start[t]:start[t + 1]]``; the
    numbers of these pairs are at the same places of ``pair``.

    The library looks a pair up by a filter: each term has a power of two of words, from
    ``filter_start`` on, in which the bits of its partners are set, by their last binary digits. The
    partners are listed word by word, and ``bucket_end`` says where those of a word end, from the
    term's start on.
    """

    start: I64
    partner: I32
    pair: I32
    filter_start: I64
    filter: U64
    bucket_end: I32

    @classmethod
    def of(cls, count: int, pairs: Integers32) -> PartnerTable:
        """Make the table of pairs of ``count`` terms; the number of a pair is its position."""
        if (pairs[:, 0] == pairs[:, 1]).any():
            raise InputError("a pair that is counted has two different terms")
        rows = np.ascontiguousarray(pairs).reshape(-1)
        partners = np.zeros(count, dtype=np.int64)
        for part in range(0, len(rows), _AT_ONCE):
            partners += np.bincount(rows[part : part + _AT_ONCE], minlength=count)
        words = np.maximum(_FILTER_BITS * partners // 64, 1)
        filter_start = offsets(1 << np.log2(words).astype(np.int64))
        table = cls(
            start=offsets(partners),
            partner=np.empty(len(rows), dtype=np.int32),
            pair=np.empty(len(rows), dtype=np.int32),
            filter_start=filter_start,
            filter=np.zeros(filter_start[-1], dtype=np.uint64),
            bucket_end=np.zeros(filter_start[-1], dtype=np.int32),
        )
        fill_pairs(rows, table)
        return table


@kernel
def fill_pairs(rows: I32, pairs: PartnerTable) -> None:
    """List the partners of each term and the pairs; ``rows`` are the terms of each pair, by turns.

    The library lists them in another order, and fills the filter, which Python does not need.
    """
    listed = list(pairs.start)
    for k, term in enumerate(rows):
        pairs.partner[listed[term]] = rows[k ^ 1]
        pairs.pair[listed[term]] = k >> 1
        listed[term] += 1


@dataclass(frozen=True)
class CountSums(Arguments):
    """Sums of a request: of terms and pairs.

    ``last`` has -1 for each term, before and after a kernel runs; the kernel keeps there where the
    term last stood.
    """

    last: I32
    singles: I64
    pairs: I64


def pair_of(a: int, b: int, table: PartnerTable) -> int:
    """Return the number of a pair, or -1 if it was not requested."""
    start = table.start[a]
    partners = list(table.partner[start : table.start[a + 1]])
    return int(table.pair[start + partners.index(b)]) if b in partners else -1
