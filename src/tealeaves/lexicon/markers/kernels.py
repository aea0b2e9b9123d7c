"""Kernels: counts of markers in passages, and the tail of Fisher's exact test."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tealeaves.kernels import Arguments, kernel

if TYPE_CHECKING:
    from tealeaves.kernels import F64, I32, I64


@dataclass(frozen=True, eq=False)
class MarkerPlaces(Arguments):
    """The words of passages, and the markers of words.

    The words of passage p are ``row_words[row_starts[p]:row_starts[p + 1]]``; the markers of word w
    are ``word_markers[word_starts[w]:word_starts[w + 1]]``.
    """

    row_starts: I64
    row_words: I32
    word_starts: I64
    word_markers: I32


@kernel
def count_markers(rows: I64, places: MarkerPlaces, last: I32, counts: I32) -> None:
    """Count, for each marker, the passages that it occurs in.

    ``last``, at first -1 for each marker, is the last passage in which the marker was counted.
    """
    for k, row in enumerate(rows):
        for place in range(places.row_starts[row], places.row_starts[row + 1]):
            word = places.row_words[place]
            for m in range(places.word_starts[word], places.word_starts[word + 1]):
                marker = places.word_markers[m]
                if last[marker] != k:
                    last[marker] = k
                    counts[marker] += 1


@kernel
def upper_tails(both: I64, marker: I64, seed: int, total: int, logs: F64, tails: F64) -> None:
    """Write log p of at least so many passages with both; ``logs[i]`` is log i!.

    The terms are summed from the observed number away from the middle, where they decrease.
    """
    for i in range(len(both)):
        a, f = both[i], marker[i]
        least, most = max(0, f + seed - total), min(f, seed)
        above = a * total > f * seed
        k = a if above else a - 1
        if a <= least:
            tails[i] = 0.0
            continue
        first = (
            logs[f] - logs[k] - logs[f - k]
            + logs[total - f] - logs[seed - k] - logs[total - f - seed + k]
            - logs[total] + logs[seed] + logs[total - seed]
        )  # fmt: skip
        term, terms = 1.0, 1.0
        while term > terms * 1e-17 and least < k < most:
            if above:
                term *= (f - k) * (seed - k) / ((k + 1.0) * (total - f - seed + k + 1.0))
                k += 1
            else:
                term *= k * (total - f - seed + k) / ((f - k + 1.0) * (seed - k + 1.0))
                k -= 1
            terms += term
        tail = first + math.log(terms)
        # below the middle, the lower tail was summed
        tails[i] = tail if above else math.log1p(-min(math.exp(tail), 1.0 - 1e-16))
