r"""Rank-biased overlap with word embeddings (Terragni, Fersini & Messina 2021), extrapolated.

It is rank-biased overlap (see :mod:`tealeaves.metrics.comparing.rbo`) in which words that are not
the same overlap too, by their angular similarity :math:`a = 1 - \arccos(\cos) / \pi`:

- matched: :math:`X_d` is the sum of a over a greedy one-to-one matching of the first d words;
- of centroids: :math:`A_d` is a of the centroids of the first d words.

A list ends; the agreement seen last goes on to count.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats, Integers
from tealeaves.metrics.embedded.angular import angular
from tealeaves.metrics.embedded.greedy import NO_WORD, matched_overlaps
from tealeaves.metrics.embedded.space import ROUNDING, Space, unit

_MOST_CELLS = 2_000_000  # pairs of words, or of topics, at once: what bounds the memory
_NOTHING = 1e-14  # what all further depths together may count for, and not be looked at
_PADDING = -1


@dataclass(frozen=True, eq=False)
class _Lists:
    """The words with vectors of the topics that have some, and how many there are."""

    rows: Integers
    lengths: Integers

    @classmethod
    def of(cls, space: Space, there: NDArray[np.bool_], depth: int | None = None) -> _Lists:
        """Take the first words, as many as ``depth``, of the topics that are there."""
        known = [rows[:depth] for rows, fine in zip(space.known_topics, there, strict=True) if fine]
        lengths = np.array([len(rows) for rows in known], dtype=np.int64)
        padded = np.full((len(known), lengths.max(initial=0)), _PADDING)
        for row, words in zip(padded, known, strict=True):
            row[: len(words)] = words
        return cls(padded, lengths)

    @property
    def longest(self) -> int:
        return int(self.rows.shape[1])


def has_words(space: Space) -> NDArray[np.bool_]:
    """Whether each topic has a word with a vector."""
    return np.array([len(rows) > 0 for rows in space.known_topics], dtype=np.bool_)


def matched_sums(space: Space, p: float) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the sum of each topic's matched overlap with the others, and which have words."""
    there = has_words(space)
    lists = _Lists.of(space, there, _reach(p))
    vectors = np.vstack([unit(space.vectors), np.zeros(space.vectors.shape[1])])  # padding
    weights = _depth_weights(lists.longest, p)
    sums = np.zeros(len(space))
    at = np.flatnonzero(there)
    for left, right in _tiles(len(at), lists.longest):
        one, other = _each_once(left, right)
        overlaps = matched_overlaps(_likeness_of_words(vectors, lists.rows[one], lists.rows[other]))
        lengths = lists.lengths[one], lists.lengths[other]
        shorter, longer = np.minimum(*lengths), np.maximum(*lengths)
        found = (weights[longer] * _agreements(overlaps, shorter)).sum(axis=1)
        sums += np.bincount(at[one], found, len(sums)) + np.bincount(at[other], found, len(sums))
    return sums, there


def centroid_sums(space: Space, p: float, *, twice: bool) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the sum of each topic's overlap of centroids with the others, and which have one.

    A topic needs a centroid at every depth. With ``twice``, the agreement is divided by the depth,
    as OCTIS does, though it is not a number of words.
    """
    there = has_words(space)
    for centroids in _running_centroids(space, _Lists.of(space, np.ones_like(there))):
        there &= np.isfinite(centroids).all(axis=1)
    lists = _Lists.of(space, there)
    weights = _depth_weights(lists.longest, p)
    if twice:
        weights = weights / np.arange(1, lists.longest + 1)
    found = np.zeros(len(lists.lengths))
    for depth, centroids in enumerate(_running_centroids(space, lists)):
        for rows in _strips(len(found)):
            likeness = angular(centroids[rows] @ centroids.T)
            longer = np.maximum.outer(lists.lengths[rows], lists.lengths)
            worth = weights[:, depth][longer] * likeness
            worth[np.arange(len(worth)), np.arange(rows.start, rows.stop)] = 0.0
            found[rows] += worth.sum(axis=1)
    sums = np.zeros(len(space))
    sums[there] = found
    return sums, there


def _reach(p: float) -> int:
    """Return the depth beyond which all that comes counts for nothing.

    What comes after depth d has the weight p^d in all, and an agreement of at most 1.

    >>> _reach(0.5), 0.5**47 < 1e-14 < 0.5**46
    (47, True)
    """
    return math.ceil(math.log(_NOTHING) / math.log(p))


def _depth_weights(longest: int, p: float) -> Floats:
    """Return how much the agreement at each depth counts (columns), by where lists end (rows)."""
    depths = np.arange(1, longest + 1)
    ends = np.arange(longest + 1)[:, None]
    seen = np.where(depths <= ends, (1 - p) * p ** (depths - 1.0), 0.0)
    found: Floats = seen + np.where(depths == ends, p**depths, 0.0)
    return found


def _agreements(overlaps: Floats, shorter: Integers) -> Floats:
    """Return the agreement of each pair at each depth, up to where the longer list ends."""
    depths = np.arange(1, overlaps.shape[1] + 1)
    last = overlaps[np.arange(len(overlaps)), shorter - 1] / shorter
    further = np.maximum(depths - shorter[:, None], 0) * last[:, None]
    found: Floats = (overlaps + further) / depths
    return found


def _likeness_of_words(vectors: Floats, left: Integers, right: Integers) -> Floats:
    """Return that of each word of one list with each of the other, pair by pair of lists."""
    (one, at), (other, beside) = _distinct(left), _distinct(right)
    found = angular(vectors[one] @ vectors[other].T)
    found[one == _PADDING] = NO_WORD
    found[:, other == _PADDING] = NO_WORD
    return found[at[:, :, None], beside[:, None, :]]


def _distinct(lists: Integers) -> tuple[Integers, Integers]:
    """Return the words of lists, each once, and which of these each word is."""
    words, places = np.unique(lists, return_inverse=True)
    return words, places.reshape(lists.shape)


def _running_centroids(space: Space, lists: _Lists) -> Iterator[Floats]:
    """Yield the directions of the centroids of the first words, depth by depth.

    They are NaN where the words point against each other, and only rounding is left.
    """
    vectors = np.vstack([space.vectors, np.zeros(space.vectors.shape[1])])  # padding adds nothing
    lengths = np.linalg.norm(vectors, axis=1)
    total = np.zeros((len(lists.rows), vectors.shape[1]))
    longest = np.zeros(len(total))
    for column in lists.rows.T:
        total += vectors[column]
        longest += lengths[column]
        found = np.linalg.norm(total, axis=1)
        yield total / np.where(found > ROUNDING * longest, found, np.nan)[:, None]


def _tiles(count: int, longest: int) -> Iterator[tuple[slice, slice]]:
    """Cut the pairs of topics into pieces whose pairs of words fit into memory."""
    size = max(1, int((_MOST_CELLS / max(1, longest) ** 2) ** 0.5))
    for top in range(0, count, size):
        for start in range(top, count, size):
            yield slice(top, min(top + size, count)), slice(start, min(start + size, count))


def _each_once(left: slice, right: slice) -> tuple[Integers, Integers]:
    """Return the pairs of topics of a tile, each once, the earlier topic first."""
    one, other = np.mgrid[left, right]
    once = one < other
    return one[once], other[once]


def _strips(count: int) -> Iterator[slice]:
    height = max(1, _MOST_CELLS // max(1, count))
    for start in range(0, count, height):
        yield slice(start, min(start + height, count))
