"""Seriation of tokens: an order in which each group stands together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tealeaves.statistics.seriation import seriation_order

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64, I64
    from tealeaves.lexicon.semantic_map.groups import Groups


def seriate_groups(distances: F64, groups: Groups) -> I64:
    """Return an order of tokens in which each group stands together, near groups side by side.

    >>> from tealeaves.lexicon.semantic_map.groups import group_tokens
    >>> line = np.array([0.0, 10.0, 1.0, 11.0, 2.0])
    >>> distances = np.abs(np.subtract.outer(line, line))
    >>> line[seriate_groups(distances, group_tokens(distances))].tolist()
    [0.0, 1.0, 2.0, 10.0, 11.0]
    """
    order = seriation_order(distances[np.ix_(groups.medoids, groups.medoids)])
    if len(order) and groups.sizes[order[-1]] > groups.sizes[order[0]]:
        order = order[::-1]  # the larger end is read first
    placed: list[int] = []
    for number in order:
        rows = np.flatnonzero(groups.members == number)
        inside = rows[seriation_order(distances[np.ix_(rows, rows)])]
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
