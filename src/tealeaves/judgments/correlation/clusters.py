"""Clusters of near-identical topics, which have most of their words in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.arrays import Integers, offsets
from tealeaves.errors import InputError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_BLOCK = 128  # topics that are compared with all others at once


def clusters_of(words: Sequence[Sequence[str]], threshold: float = 0.5) -> Integers:
    """Return the cluster of each topic, numbered as they first appear.

    Topics are linked if the Jaccard index of their word sets is ``threshold`` or more; topics that
    are linked through others are one cluster. The order and repetition of words do not matter. A
    topic without words is a cluster of its own.

    >>> clusters_of([["a", "b", "c"], ["x"], ["b", "c", "a"], ["b", "c", "d"], []]).tolist()
    [0, 1, 0, 0, 2]
    """
    if not 0 < threshold <= 1:
        raise InputError(f"a Jaccard index is above 0 and at most 1: {threshold} is no threshold")
    # topics with the same words are one topic when others are compared
    numbers: dict[frozenset[str] | int, int] = {}
    keys = [frozenset(row) or place for place, row in enumerate(words)]
    which = np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)
    if not numbers:
        return which
    sets = [key if isinstance(key, frozenset) else frozenset[str]() for key in numbers]
    return _as_they_appear(_components(sets, threshold)[which])


def _components(sets: list[frozenset[str]], threshold: float) -> Integers:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    count = len(sets)
    labels = np.arange(count, dtype=np.int64)
    # block by block, because there may be as many links as pairs of topics
    for left, right in _links(_incidence(sets), threshold):
        ones = np.ones(left.size, dtype=np.int8)
        graph = coo_array((ones, (labels[left], labels[right])), shape=(count, count))
        labels = connected_components(graph, directed=False)[1][labels].astype(np.int64)
    return labels


def _incidence(sets: list[frozenset[str]]) -> csr_array:
    """Return a row for each set, with a 1 in the column of each of its words."""
    from scipy.sparse import csr_array

    column: dict[str, int] = {}
    columns = [column.setdefault(word, len(column)) for row in sets for word in row]
    starts = offsets([len(row) for row in sets])
    ones = np.ones(len(columns), dtype=np.int32)
    return csr_array((ones, columns, starts), shape=(len(sets), max(1, len(column))))


def _links(incidence: csr_array, threshold: float) -> Iterator[tuple[Integers, Integers]]:
    """Yield pairs of rows whose Jaccard index is high enough, for a block of rows at a time."""
    sizes = np.diff(incidence.indptr)
    for start in range(0, incidence.shape[0], _BLOCK):
        block = incidence[start : start + _BLOCK]
        # earlier blocks have the pairs with earlier rows; pairs without a common word have no entry
        common = (block @ incidence[start:].T).tocoo()
        left, right = common.row + start, common.col + start
        index = common.data / (sizes[left] + sizes[right] - common.data)
        near = (index >= threshold) & (left < right)
        yield left[near], right[near]


def _as_they_appear(labels: Integers) -> Integers:
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(first.size, dtype=np.int64)
    rank[np.argsort(first)] = np.arange(first.size)
    return rank[inverse]
