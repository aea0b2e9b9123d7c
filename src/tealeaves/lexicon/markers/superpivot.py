"""Strings of a seed as SuperPivot finds them: in aligned words, significant by χ²."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.lexicon.extraction.result import Extracted
from tealeaves.lexicon.markers.index import MarkerIndex
from tealeaves.lexicon.markers.measures import chi_square
from tealeaves.statistics.correction import correct_p

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64, I32, I64


def significant(
    index: MarkerIndex, rows: I64, words: Sequence[int] | I32, alpha: float = 0.05
) -> list[int]:
    """Return the markers of some words that go with the passages of a seed, the best first.

    Every marker of the words, which are numbers of the vocabulary, is tested by χ² over passages;
    p is corrected after Benjamini and Hochberg for as many tests. Of equally good markers the rarer
    comes first, then the longer, then the first in the alphabet.

    >>> from tealeaves.lexicon.words import Words
    >>> texts = Words.of([["käsi", "on"], ["käden", "on"], ["jalka"]] + [["on"]] * 9)
    >>> index = MarkerIndex.of(texts)
    >>> [index.text(n) for n in significant(index, np.array([0, 1]), [0, 1, 2])]
    ['#kä', '#käden#', '#käsi#']
    """
    tested = np.unique(np.concatenate([[], *(index.markers_of(int(word)) for word in words)]))
    markers = tested.astype(np.int64)
    both, frequency = index.count(rows)[markers], index.frequencies[markers]
    scores = chi_square(both, frequency, len(rows), len(index.words), yates=False)
    good = (correct_p(_upper_tails(np.abs(scores))) <= alpha) & (scores > 0)
    order = sorted(
        np.flatnonzero(good).tolist(),
        key=lambda n: (
            -round(float(scores[n]), 9),  # what only rounding tells apart is equal
            int(frequency[n]),
            -int(index.lengths[markers[n]]),
            index.text(int(markers[n])),
        ),
    )
    return [int(markers[n]) for n in order]


def _upper_tails(scores: F64) -> F64:
    """Return p of χ² with one degree of freedom; NaN where a marker is everywhere."""
    return np.array([math.erfc(math.sqrt(score / 2)) for score in scores])


def best_in_words(
    index: MarkerIndex, found: Sequence[int], words: Sequence[int], places: Sequence[int]
) -> Extracted:
    """Express a token by the best marker of the words that it is aligned with, at these places."""
    rank = {marker: order for order, marker in enumerate(found)}
    ranked = [
        min((rank[m] for m in index.markers_of(word).tolist() if m in rank), default=len(rank))
        for word in words
    ]
    best = min(ranked, default=len(rank))
    if best == len(rank):
        return Extracted()
    held = [place for place, order in zip(places, ranked, strict=True) if order == best]
    return Extracted(frozenset([index.text(found[best])]), tuple(sorted(held)))
