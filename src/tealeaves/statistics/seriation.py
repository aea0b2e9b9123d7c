"""Seriation: orders of things in which similar ones are neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Floats

_FEWEST = 3  # two things have only one order
_MOST = 500  # the best order of more things would take seconds


def seriation_order(distances: Floats, *, most: int | None = None) -> NDArray[np.int64]:
    """Return an order with small distances between neighbours, by a tree of average linkage.

    Of all orders that the tree allows it is the one with the least sum of distances between
    neighbours (Bar-Joseph et al. 2001); of more than ``most`` things it is any order that the tree
    allows. No distance may be missing.

    >>> line = np.array([5.0, 0.0, 9.0, 1.0])
    >>> order = seriation_order(np.abs(np.subtract.outer(line, line)))
    >>> line[order].tolist() in ([0.0, 1.0, 5.0, 9.0], [9.0, 5.0, 1.0, 0.0])
    True
    """
    if len(distances) < _FEWEST:
        return np.arange(len(distances))
    from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
    from scipy.spatial.distance import squareform

    condensed = squareform(distances, checks=False)
    tree = linkage(condensed, "average")
    if most is None or len(distances) <= most:
        tree = optimal_leaf_ordering(tree, condensed)
    return np.asarray(leaves_list(tree), np.int64)


def similarity_order(similarity: Floats) -> list[int]:
    """Return an order in which neighbours are similar (see :func:`seriation_order`).

    The largest similarity is 1; 0 and NaN are none. Groups without any similarity between them keep
    the order of their first members, and each begins with the end that was given first.

    >>> similarity_order(np.array([[1, 0.1, 0.9], [0.1, 1, 0.5], [0.9, 0.5, 1]]))
    [0, 2, 1]
    """
    from scipy.sparse.csgraph import connected_components

    known = np.nan_to_num(np.asarray(similarity, dtype=np.float64), nan=0.0)
    _, group = connected_components(known != 0, directed=False)
    order: list[int] = []
    for number in dict.fromkeys(group.tolist()):
        members = np.flatnonzero(group == number)
        order += members[_order_connected(known[np.ix_(members, members)])].tolist()
    return order


def cosines(rows: Floats) -> Floats:
    """Return the cosine of each row with each; it is 0 for a row of zeros.

    >>> cosines(np.array([[1.0, 1.0], [2.0, 0.0], [0.0, 0.0]])).round(3).tolist()
    [[1.0, 0.707, 0.0], [0.707, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    lengths = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    unit = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    similarity: Floats = unit @ unit.T
    return similarity


def diagonal_order(matrix: Floats) -> list[int]:
    """Return an order of rows in which the largest numbers lie along the diagonal.

    Rows are ordered by the column of their largest number. Of rows with the same column, those
    whose other numbers are further left come first, then those with the larger number.

    >>> diagonal_order(np.array([[0, 1, 5], [6, 2, 0], [0, 4, 1], [3, 4, 0]]))
    [1, 3, 2, 0]
    """
    largest = matrix.max(axis=1)
    sums = matrix.sum(axis=1)
    centre = np.divide(
        matrix @ np.arange(matrix.shape[1]), sums, out=np.zeros(len(matrix)), where=sums > 0
    )
    # rounded, as sums in another order differ in their last digits
    order: list[int] = np.lexsort((-largest, centre.round(9), matrix.argmax(axis=1))).tolist()
    return order


def _order_connected(similarity: Floats) -> NDArray[np.int64]:
    """Return an order of connected things; of its ends the one that was given first is first."""
    order = seriation_order(np.maximum(1.0 - similarity, 0.0), most=_MOST)
    return order if order[0] <= order[-1] else order[::-1]
