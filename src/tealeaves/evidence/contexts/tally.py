"""A tally of pairs: how often each was seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I64

_AT_ONCE = 1 << 22  # pairs that are kept one by one before they are summed
_BITS = 32
_LOW = (1 << _BITS) - 1


class Tally:
    """Counts pairs of numbers of less than 2^31 each.

    Pairs are few among all that could be, so they are sorted rather than kept in a table. What
    waits to be summed is never less than the sums, so each pair is merged only a few times.

    >>> tally = Tally()
    >>> tally.add(np.array([2, 1, 2]), np.array([7, 0, 7]))
    >>> [values.tolist() for values in tally.sums()]
    [[1, 2], [0, 7], [1, 2]]
    """

    def __init__(self) -> None:
        self._keys: I64 = np.empty(0, dtype=np.int64)
        self._counts: I64 = np.empty(0, dtype=np.int64)
        self._waiting: list[I64] = []
        self._number = 0

    def add(self, left: I64, right: I64) -> None:
        """Count some pairs, each once for each time it is there."""
        self._waiting.append((left.astype(np.int64) << _BITS) | right)
        self._number += len(left)
        if self._number >= max(_AT_ONCE, len(self._keys)):
            self._sum_up()

    def sums(self) -> tuple[I64, I64, I64]:
        """Return the pairs, sorted, as left and right numbers, and how often each was counted."""
        self._sum_up()
        return self._keys >> _BITS, self._keys & _LOW, self._counts

    def _sum_up(self) -> None:
        if not self._number:
            return
        waiting = np.sort(np.concatenate(self._waiting))
        self._waiting, self._number = [], 0
        keys, counts = _runs(waiting, np.ones(len(waiting), dtype=np.int64))
        keys = np.concatenate([self._keys, keys])
        order = np.argsort(keys, kind="stable")  # two sorted halves: quick to merge
        counts = np.concatenate([self._counts, counts])[order]
        self._keys, self._counts = _runs(keys[order], counts)


def _runs(keys: I64, counts: I64) -> tuple[I64, I64]:
    """Add up the counts of equal keys, which are sorted."""
    first = np.flatnonzero(np.diff(keys, prepend=keys[0] - 1))
    return keys[first], np.add.reduceat(counts, first)
