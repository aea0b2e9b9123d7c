"""Seriation: things in a row so that those which are alike stand beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Floats

_FEWEST = 3  # two have but one order
_MOST = 500  # of more, the best order would take seconds; a good one is at once


def seriate(distances: Floats, *, most: int | None = None) -> NDArray[np.int64]:
    """Return an order with short ways: the best one of the tree of average linkage.

    Of all orders that the tree allows it is that with the least sum of distances between
    neighbours (Bar-Joseph et al. 2001); of more than ``most`` things, any that the tree allows.
    Distances must all be known.

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
    tree = linkage(condensed, "average")
    if most is None or len(distances) <= most:
        tree = optimal_leaf_ordering(tree, condensed)
    return np.asarray(leaves_list(tree), np.int64)


def seriated(similarity: Floats) -> list[int]:
    """Return an order in which neighbours are as similar as can be (see :func:`seriate`).

    A similarity of 1 is the largest; 0 and NaN are none. Groups that have none with each other
    stand in the order of their first members, and each begins with the end that was given first.

    >>> seriated(np.array([[1, 0.1, 0.9], [0.1, 1, 0.5], [0.9, 0.5, 1]]))
    [0, 2, 1]
    """
    from scipy.sparse.csgraph import connected_components

    known = np.nan_to_num(np.asarray(similarity, dtype=np.float64), nan=0.0)
    _, group = connected_components(known != 0, directed=False)
    order: list[int] = []
    for number in dict.fromkeys(group.tolist()):  # by the first member of each
        members = np.flatnonzero(group == number)
        order += members[_connected(known[np.ix_(members, members)])].tolist()
    return order


def cosines(rows: Floats) -> Floats:
    """Return the cosine of all rows with all; it is 0 for a row of zeros.

    >>> cosines(np.array([[1.0, 1.0], [2.0, 0.0], [0.0, 0.0]])).round(3).tolist()
    [[1.0, 0.707, 0.0], [0.707, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    lengths = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    unit = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    found: Floats = unit @ unit.T
    return found


def along_diagonal(matrix: Floats) -> list[int]:
    """Return an order of rows in which the largest numbers lie along the diagonal.

    A row stands where the column of its largest number does. Rows of one column lean: those whose
    other numbers are further left come first, then those with the larger number.

    >>> along_diagonal(np.array([[0, 1, 5], [6, 2, 0], [0, 4, 1], [3, 4, 0]]))
    [1, 3, 2, 0]
    """
    largest = matrix.max(axis=1)
    sums = matrix.sum(axis=1)
    centre = np.divide(
        matrix @ np.arange(matrix.shape[1]), sums, out=np.zeros(len(matrix)), where=sums > 0
    )
    # rounded, for sums in another order differ in their last digits
    order: list[int] = np.lexsort((-largest, centre.round(9), matrix.argmax(axis=1))).tolist()
    return order


def _connected(similarity: Floats) -> NDArray[np.int64]:
    """Order what is connected; of the two ends the one that was given first comes first."""
    order = seriate(np.maximum(1.0 - similarity, 0.0), most=_MOST)
    return order if order[0] <= order[-1] else order[::-1]
