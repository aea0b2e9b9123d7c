"""SuperPivot: markers of aligned words that are significant by χ² (Asgari and Schütze 2017)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.lexicon.extraction.result import Extracted
from tealeaves.lexicon.markers.measures import chi_square
from tealeaves.lexicon.markers.substrings import MarkerIndex
from tealeaves.statistics.correction import correct_p

if TYPE_CHECKING:
    from tealeaves.kernels import F64, I32, I64


def significant(
    index: MarkerIndex, rows: I64, words: Sequence[int] | I32, alpha: float = 0.05
) -> list[int]:
    """Return the markers of some words that are significant for a seed's passages, the best first.

    Each marker of the words, which are numbers of the vocabulary, is tested by χ² over passages; p
    is corrected by Benjamini and Hochberg's method. Of equally good markers the rarer comes first,
    then the longer, then the first in the alphabet.

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
            -round(float(scores[n]), 9),  # scores that differ by rounding only are equal
            int(frequency[n]),
            -int(index.lengths[markers[n]]),
            index.text(int(markers[n])),
        ),
    )
    return [int(markers[n]) for n in order]


def _upper_tails(scores: F64) -> F64:
    """Return p of χ² with one degree of freedom; NaN for a marker that is in all passages."""
    return np.array([math.erfc(math.sqrt(score / 2)) for score in scores])


def best_in_words(
    index: MarkerIndex, markers: Sequence[int], words: Sequence[int], places: Sequence[int]
) -> Extracted:
    """Return the best marker in the words, at these places, that a token is aligned with.

    ``markers`` are ordered, the best first.
    """
    rank = {marker: order for order, marker in enumerate(markers)}
    ranked = [
        min((rank[m] for m in index.markers_of(word).tolist() if m in rank), default=len(rank))
        for word in words
    ]
    best = min(ranked, default=len(rank))
    if best == len(rank):
        return Extracted()
    best_places = [place for place, order in zip(places, ranked, strict=True) if order == best]
    return Extracted(frozenset([index.text(markers[best])]), tuple(sorted(best_places)))
