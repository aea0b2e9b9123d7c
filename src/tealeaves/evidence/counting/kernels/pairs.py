"""Pairs: the number of a pair of terms, and the sums of counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tealeaves.kernels import Arguments

if TYPE_CHECKING:
    from tealeaves.kernels import I32, I64, U64

SPREAD = 0x9E3779B97F4A7C15
_MODULUS = 1 << 64


@dataclass(frozen=True)
class PairTable(Arguments):
    """The pairs that are counted.

    The partners of term t, the terms that it is paired with, are ``partner[start[t]:start[t + 1]]``
    in order; the numbers of these pairs are at the same places of ``pair``. ``filter`` has a bit
    for each pair and rules out most others; ``filter_bits`` is the logarithm of its bits.
    """

    start: I64
    partner: I32
    pair: I32
    filter: U64
    filter_bits: int


@dataclass(frozen=True)
class CountSums(Arguments):
    """Sums of a request: of terms and pairs.

    ``last`` has -1 for each term, before and after a kernel runs; the kernel keeps there where the
    term last stood.
    """

    last: I32
    singles: I64
    pairs: I64


def filter_place(product: int, bits: int) -> int:
    """Return the bit of a pair in the filter, by the product of its terms' numbers from 1."""
    return product * SPREAD % _MODULUS >> (64 - bits)


def pair_of(a: int, b: int, table: PairTable) -> int:
    """Return the number of a pair, or -1 if it was not requested."""
    bit = filter_place((a + 1) * (b + 1), table.filter_bits)
    if not int(table.filter[bit >> 6]) >> (bit & 63) & 1:
        return -1
    low, high = table.start[a], table.start[a + 1]
    while low < high:
        middle = (low + high) >> 1
        if table.partner[middle] < b:
            low = middle + 1
        else:
            high = middle
    if low < table.start[a + 1] and table.partner[low] == b:
        return int(table.pair[low])
    return -1
