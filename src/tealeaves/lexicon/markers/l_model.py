"""The L-model: markers are chosen greedily, the one that fits the seed best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.lexicon.extraction.result import Extracted
from tealeaves.lexicon.markers.measures import MEASURES, THRESHOLDS
from tealeaves.lexicon.markers.substrings import BOUNDARY, MarkerIndex

if TYPE_CHECKING:
    from tealeaves.kernels import F64, I32, I64


@dataclass(frozen=True)
class Marker:
    """A marker of a seed.

    Parameters
    ----------
    number
        Its number in the index.
    text
        Its string.
    both
        In how many passages of the seed that earlier markers do not cover it occurs.
    frequency
        In how many of all passages that earlier markers do not cover it occurs.
    score
        Its value of the measure.
    """

    number: int
    text: str
    both: int
    frequency: int
    score: float


def find_markers(
    index: MarkerIndex,
    rows: I64,
    *,
    measure: str = "g2",
    threshold: float | None = None,
    least: int = 2,
    most: int = 30,
) -> list[Marker]:
    """Find the markers of the passages of a seed; ``rows`` are distinct.

    The best marker is chosen and the passages that it covers are removed, until the best is below
    the threshold, no passage is left, or there are ``most`` markers. A marker must occur in at
    least ``least`` of the remaining passages, and in more than by chance. Of equally good markers
    the rarer is chosen, then the longer, then the first in the alphabet.

    >>> from tealeaves.lexicon.words import Words
    >>> texts = [["käsi", "on"], ["käden", "on"], ["jalka"]] + [["on"]] * 9
    >>> index = MarkerIndex.of(Words.of(texts))
    >>> markers = find_markers(index, np.array([0, 1]), threshold=5)
    >>> [(m.text, m.both, round(m.score, 2)) for m in markers]
    [('#kä', 2, 10.81)]
    """
    bound = THRESHOLDS[measure] if threshold is None else threshold
    left, total = rows, len(index.words)
    both, frequency = index.count(rows).astype(np.int64), index.frequencies.astype(np.int64)
    candidates = np.flatnonzero(both >= least)
    chosen: list[Marker] = []
    while len(left) and len(chosen) < most:
        candidates = candidates[both[candidates] >= least]
        a, f = both[candidates], frequency[candidates]
        attracted = np.flatnonzero(a * total > f * len(left))
        if not len(attracted):
            break
        scores = MEASURES[measure](a[attracted], f[attracted], len(left), total)
        place = _best(scores, f[attracted], candidates[attracted], index)
        if not scores[place] >= bound:
            break
        best = int(candidates[attracted[place]])
        counts = int(both[best]), int(frequency[best])
        chosen.append(Marker(best, index.text(best), *counts, float(scores[place])))
        covered = index.occurs(best, left)
        gone = index.count(left[covered])
        both, frequency = both - gone, frequency - gone
        total -= int(covered.sum())
        left = left[~covered]
    return chosen


def _best(scores: F64, frequencies: I64, markers: I64, index: MarkerIndex) -> int:
    best = float(scores.max())
    # scores that differ by rounding only are equal
    top = np.flatnonzero(scores >= best - 1e-12 * max(abs(best), 1.0))
    top = top[frequencies[top] == frequencies[top].min()]
    lengths = index.lengths[markers[top]]
    top = top[lengths == lengths.max()]
    return int(min(top, key=lambda one: index.text(int(markers[one]))))


def expressions_of(markers: Sequence[Marker], merge: int = 0) -> list[str]:
    """Return the expression of each marker: itself, or the first marker with the same beginning.

    Markers that share at least ``merge`` initial letters are one expression; boundaries do not
    count.

    >>> markers = [Marker(0, text, 2, 2, 9.0) for text in ("#käden", "jalka", "kädes")]
    >>> expressions_of(markers, merge=4)
    ['#käden', 'jalka', '#käden']
    >>> expressions_of(markers)
    ['#käden', 'jalka', 'kädes']
    """
    if not merge:
        return [marker.text for marker in markers]
    first: dict[str, str] = {}
    expressions = []
    for marker in markers:
        beginning = marker.text.strip(BOUNDARY)[:merge]
        is_long = len(beginning) == merge
        expressions.append(first.setdefault(beginning, marker.text) if is_long else marker.text)
    return expressions


def first_in_passage(
    index: MarkerIndex, rows: I32, markers: Sequence[int], expressions: Sequence[str]
) -> list[Extracted]:
    """Return for each token the first marker that occurs in its passage, if one does.

    >>> from tealeaves.lexicon.words import Words
    >>> index = MarkerIndex.of(Words.of([["ja", "käsi"], ["jalka"], ["käden", "käsi"]]))
    >>> texts = [index.text(m) for m in range(len(index))]
    >>> tokens = first_in_passage(index, np.array([0, 1, 2, 2]), [texts.index("#kä")], ["kä"])
    >>> [(sorted(token.expressions), token.words) for token in tokens]
    [(['kä'], (1,)), ([], ()), (['kä'], (0, 1)), (['kä'], (0, 1))]
    """
    passages, tokens = np.unique(rows, return_inverse=True)
    words = index.words.taken(passages.astype(np.int64))
    extracted = [Extracted()] * len(passages)
    is_open = np.ones(len(passages), bool)
    for marker, expression in zip(markers, expressions, strict=True):
        at = np.flatnonzero(index.contained_in(marker)[words.numbers] & is_open[words.rows])
        covered, starts = np.unique(words.rows[at], return_index=True)
        places = np.split(at - words.starts[words.rows[at]], starts[1:])
        for row, where in zip(covered, places, strict=False):  # np.split of nothing is one part
            extracted[row] = Extracted(frozenset([expression]), tuple(where.tolist()))
        is_open[covered] = False
    return [extracted[token] for token in tokens]
