"""The L-model: markers are taken greedily, the one that goes best with the seed first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.lexicon.markers.index import MarkerIndex
from tealeaves.lexicon.markers.measures import MEASURES, THRESHOLDS

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64, I64


@dataclass(frozen=True)
class FoundMarker:
    """A marker of a seed.

    Parameters
    ----------
    number
        Its number in the index.
    text
        The string that it is.
    both
        In how many passages of the seed, not covered by earlier markers, it occurs.
    frequency
        In how many passages at all, but those covered.
    score
        By the measure that it was found with.
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
) -> list[FoundMarker]:
    """Find the markers of the passages of a seed, each row given once.

    The best marker is taken and the passages that it covers are put away, until the best is below
    the threshold, nothing is left, or there are as many as may be. A marker must occur in at least
    ``least`` of the passages left, and in more than by chance. Of equally good ones the rarer is
    taken, then the longer, then the first in the alphabet.

    >>> from tealeaves.lexicon.words import Words
    >>> texts = [["käsi", "on"], ["käden", "on"], ["jalka"]] + [["on"]] * 9
    >>> index = MarkerIndex.of(Words.of(texts))
    >>> found = find_markers(index, np.array([0, 1]), threshold=5)
    >>> [(m.text, m.both, round(m.score, 2)) for m in found]
    [('#kä', 2, 10.81)]
    """
    bound = THRESHOLDS[measure] if threshold is None else threshold
    left, total = rows, len(index.words)
    both, frequency = index.count(rows).astype(np.int64), index.frequencies.astype(np.int64)
    candidates = np.flatnonzero(both >= least)
    found: list[FoundMarker] = []
    while len(left) and len(found) < most:
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
        numbers = int(both[best]), int(frequency[best])
        found.append(FoundMarker(best, index.text(best), *numbers, float(scores[place])))
        covered = index.among(best, left)
        gone = index.count(left[covered])
        both, frequency = both - gone, frequency - gone
        total -= int(covered.sum())
        left = left[~covered]
    return found


def _best(scores: F64, frequencies: I64, markers: I64, index: MarkerIndex) -> int:
    best = float(scores.max())
    # scores that only rounding tells apart are equal
    top = np.flatnonzero(scores >= best - 1e-12 * max(abs(best), 1.0))
    top = top[frequencies[top] == frequencies[top].min()]
    lengths = index.lengths[markers[top]]
    top = top[lengths == lengths.max()]
    return int(min(top, key=lambda one: index.text(int(markers[one]))))


def expressions_of(markers: Sequence[FoundMarker], merge: int = 0) -> list[str]:
    """Name the expression of each marker: itself, or the first that begins alike.

    Markers that share at least ``merge`` initial letters are one expression; boundaries are not
    counted.

    >>> found = [FoundMarker(0, text, 2, 2, 9.0) for text in ("#käden", "jalka", "kädes")]
    >>> expressions_of(found, merge=4)
    ['#käden', 'jalka', '#käden']
    >>> expressions_of(found)
    ['#käden', 'jalka', 'kädes']
    """
    if not merge:
        return [marker.text for marker in markers]
    first: dict[str, str] = {}
    named = []
    for marker in markers:
        beginning = marker.text.strip("#")[:merge]
        whole = len(beginning) == merge
        named.append(first.setdefault(beginning, marker.text) if whole else marker.text)
    return named
