"""Pairs: the number of a pair of terms, and the sums of counts."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.arrays import Integers, offsets
from tealeaves.errors import InputError
from tealeaves.kernels import Arguments, kernel

if TYPE_CHECKING:
    from tealeaves.kernels import I32, I64, U64

_FILTER_BITS = 16  # per partner: one of sixteen other terms passes the filter
_SLOTS = 2  # per pair: most look-ups end with the first slot


@dataclass(frozen=True)
class PartnerTable(Arguments):
    """The pairs that are counted.

    The partners of term t, the terms that it is paired with, are ``partner[start[t]:start[t + 1]]``
    in order; the numbers of these pairs are at the same places of ``pair``.

    The library looks a pair up by two more tables. ``filter`` has some words of bits for each term,
    from ``filter_start`` on, in which the bits of its partners are set. ``slots`` are hash tables
    of partners and pairs, by turns, one for each term, from slot ``slot_start`` on; the term that
    has fewer partners holds the pair.
    """

    start: I64
    partner: I32
    pair: I32
    filter_start: I64
    filter: U64
    slot_start: I64
    slots: I32

    @classmethod
    def of(cls, count: int, pairs: Integers) -> PartnerTable:
        """Make the table of pairs of ``count`` terms; the number of a pair is its position."""
        if (pairs[:, 0] == pairs[:, 1]).any():
            raise InputError("a pair that is counted has two different terms")
        left = np.concatenate([pairs[:, 0], pairs[:, 1]])
        right = np.concatenate([pairs[:, 1], pairs[:, 0]])
        number = np.concatenate([np.arange(len(pairs), dtype=np.int64)] * 2)
        order = np.argsort(left * count + right, kind="stable")
        partners = np.bincount(left, minlength=count)
        words = np.maximum(_FILTER_BITS * partners // 64, 1)
        filter_start = offsets(1 << np.ceil(np.log2(words)).astype(np.int64))
        holds = (partners[left] < partners[right]) | (
            (partners[left] == partners[right]) & (left < right)
        )
        slot_start = offsets(_SLOTS * np.bincount(left[holds], minlength=count))
        table = cls(
            start=offsets(partners),
            partner=right[order].astype(np.int32),
            pair=number[order].astype(np.int32),
            filter_start=filter_start,
            filter=np.zeros(filter_start[-1], dtype=np.uint64),
            slot_start=slot_start,
            slots=np.full(2 * slot_start[-1], -1, dtype=np.int32),
        )
        fill_pairs(table)
        return table


@kernel
def fill_pairs(pairs: PartnerTable) -> None:
    """Fill the filter and the hash tables, which Python does not need."""


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
    end = table.start[a + 1]
    place = bisect_left(table.partner, b, table.start[a], end)
    return int(table.pair[place]) if place < end and table.partner[place] == b else -1
