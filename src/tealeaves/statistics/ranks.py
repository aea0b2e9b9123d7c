"""``Groups``: equal values of a column, and the ranks that they get in weighted samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tealeaves.arrays import Floats, Integers


@dataclass(frozen=True)
class Groups:
    """The groups of equal values of one column, in the order of the values.

    Weights are (n, samples): a row for each observation, so that sorting moves whole rows.
    """

    group: Integers  # of each observation
    order: Integers
    starts: Integers  # where each group begins in that order

    @classmethod
    def of(cls, values: Floats) -> Groups:
        """Sort a column once."""
        order = np.argsort(values, kind="stable")
        ordered = values[order]
        new = np.ones(len(values), dtype=bool)
        new[1:] = ordered[1:] != ordered[:-1]
        group = np.empty(len(values), dtype=np.int64)
        group[order] = np.cumsum(new) - 1
        return cls(group, order, np.flatnonzero(new))

    def sums(self, rows: Floats) -> Floats:
        """Add up the rows of each group: (groups, samples)."""
        ordered = rows[self.order]
        if len(self.starts) == len(self.order):
            return ordered
        added: Floats = np.add.reduceat(ordered, self.starts, axis=0)
        return added

    def ranks(self, sizes: Floats) -> tuple[Floats, Floats]:
        """Return the centred mid-rank of each group, and the sum of squares of all ranks.

        ``sizes`` are the weights of the groups. The mid-rank of a group is what is below it and
        half of itself (and half, which centring takes away again); the mean is half of all.
        Halves of integers are exact, so that the squares of a constant column sum to exactly 0.
        """
        total = sizes.sum(axis=0)
        ranks = np.cumsum(sizes, axis=0)
        ranks -= sizes / 2
        ranks -= total / 2
        return ranks, (total**3 - np.einsum("gb,gb,gb->b", sizes, sizes, sizes)) / 12


def as_columns(values: ArrayLike) -> Floats:
    """Return an array (n, columns); one dimension is one column.

    >>> as_columns([1, 2]).tolist()
    [[1.0], [2.0]]
    """
    found = np.asarray(values, dtype=np.float64)
    return found[:, None] if found.ndim == 1 else found


def mid_ranks(columns: Floats) -> Floats:
    """Return the ranks of each column, counted from 1; equal values share their mean rank.

    >>> mid_ranks(np.array([[5.0], [7.0], [5.0], [9.0]])).T.tolist()
    [[1.5, 3.0, 1.5, 4.0]]
    """
    found = np.empty(columns.shape)
    for column, values in enumerate(columns.T):
        groups = Groups.of(values)
        ranks, _ = groups.ranks(groups.sums(np.ones((len(values), 1))))
        found[:, column] = ranks[groups.group, 0] + (len(values) + 1) / 2
    return found
