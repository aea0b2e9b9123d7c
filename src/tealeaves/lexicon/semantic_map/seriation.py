"""Seriation: an order in which what is alike stands together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64, I64
    from tealeaves.lexicon.semantic_map.groups import Groups

_FEWEST = 3  # two have but one order


def seriate(distances: F64) -> I64:
    """Return an order with short ways: the best one of the tree of average linkage.

    Of all orders that the tree allows it is that with the least sum of distances between
    neighbours (Bar-Joseph et al. 2001). Distances must all be known.

    >>> line = np.array([5.0, 0.0, 9.0, 1.0])
    >>> order = seriate(np.abs(np.subtract.outer(line, line)))
    >>> line[order].tolist() in ([0.0, 1.0, 5.0, 9.0], [9.0, 5.0, 1.0, 0.0])
    True
    """
    if len(distances) < _FEWEST:
        return np.arange(len(distances))
    from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
    from scipy.spatial.distance import squareform

    condensed = squareform(distances, checks=False)
    tree = optimal_leaf_ordering(linkage(condensed, "average"), condensed)
    return np.asarray(leaves_list(tree), np.int64)


def seriate_groups(distances: F64, groups: Groups) -> I64:
    """Return an order of tokens in which each group stands together, near groups side by side.

    >>> from tealeaves.lexicon.semantic_map.groups import group_tokens
    >>> line = np.array([0.0, 10.0, 1.0, 11.0, 2.0])
    >>> distances = np.abs(np.subtract.outer(line, line))
    >>> line[seriate_groups(distances, group_tokens(distances))].tolist()
    [0.0, 1.0, 2.0, 10.0, 11.0]
    """
    order = seriate(distances[np.ix_(groups.medoids, groups.medoids)])
    if len(order) and groups.sizes[order[-1]] > groups.sizes[order[0]]:
        order = order[::-1]  # the larger end is read first
    placed: list[int] = []
    for number in order:
        rows = np.flatnonzero(groups.members == number)
        inside = rows[seriate(distances[np.ix_(rows, rows)])]
        placed += _joined(distances, placed, inside, groups, order).tolist()
    return np.array(placed, np.int64)


def _joined(distances: F64, placed: list[int], rows: I64, groups: Groups, order: I64) -> I64:
    """Return the tokens of a group in the direction in which they go on from those before."""
    if placed:
        turned = distances[placed[-1], rows[-1]] < distances[placed[-1], rows[0]]
    else:
        # the first group ends where the second begins
        following = groups.medoids[order[min(1, len(order) - 1)]]
        turned = distances[rows[0], following] < distances[rows[-1], following]
    return rows[::-1] if turned else rows
