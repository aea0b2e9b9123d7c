"""``WordLists``: ranked lists of words as numbers, made to be compared with each other."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from tealeaves.arrays import Floats, Integers

_MOST_PAIRS = 1_000_000  # at once: what bounds the memory


class Shared(NamedTuple):
    """Words that two lists share: the numbers of the lists, and the lower of the word's ranks."""

    left: Integers
    right: Integers
    rank: Integers


@dataclass(frozen=True)
class WordLists:
    """Ranked lists of distinct words.

    Lists meet only in the words that they share, so words are sorted by number and list: the
    partners of a word are then a range. This costs as much as words are shared, not as much as
    there are pairs of lists.

    >>> lists = WordLists.of([["cat", "dog", "horse"], ["horse", "cat"], ["soup"]])
    >>> lists.summed(range(3), range(3))
    array([[3., 2., 0.],
           [2., 2., 0.],
           [0., 0., 1.]])

    Parameters
    ----------
    lengths
        How many words each list has.
    starts
        Where each list begins among all the words, and where the last one ends.
    words
        The numbers of the words, list after list.
    keys, lists, ranks
        Of the words in the order of their number and list: ``number * len(self) + list``, the
        list, and the rank in it, from 1.
    """

    lengths: Integers
    starts: Integers
    words: Integers
    keys: Integers
    lists: Integers
    ranks: Integers

    @classmethod
    def of(cls, lists: Sequence[Sequence[Hashable]]) -> Self:
        """Number the words of lists."""
        numbers: dict[Hashable, int] = {}
        return cls.numbered(
            [[numbers.setdefault(word, len(numbers)) for word in one] for one in lists]
        )

    @classmethod
    def numbered(cls, lists: Sequence[Sequence[int]]) -> Self:
        """Lay out lists of words that are numbered already, if not without gaps."""
        lengths = np.array([len(one) for one in lists], dtype=np.int64)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        flat = np.array([number for one in lists for number in one], dtype=np.int64)
        words = np.unique(flat, return_inverse=True)[1]
        where = np.repeat(np.arange(len(lists)), lengths)
        keys = words * len(lists) + where
        order = np.argsort(keys)
        ranks = np.arange(1, len(words) + 1) - np.repeat(starts[:-1], lengths)
        return cls(lengths, starts, words, keys[order], where[order], ranks[order])

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def longest(self) -> int:
        """The length of the longest list."""
        return int(self.lengths.max(initial=0))

    def lists_of_each_word(self) -> Integers:
        """Return for each word of each list, in their order, how many lists have it."""
        return np.bincount(self.words)[self.words]

    def shared(self, rows: range, columns: range) -> Iterator[Shared]:
        """Yield, some at a time, the words that the lists of ``rows`` share with ``columns``."""
        first, last = self.starts[rows.start], self.starts[rows.stop]
        base = self.words[first:last] * len(self)
        low = np.searchsorted(self.keys, base + columns.start)
        counts = np.searchsorted(self.keys, base + columns.stop) - low
        where = np.repeat(np.arange(rows.start, rows.stop), self.lengths[rows.start : rows.stop])
        ranks = np.arange(first, last) - self.starts[where] + 1
        ends = np.cumsum(counts)
        cuts = (np.flatnonzero(np.diff(ends // _MOST_PAIRS)) + 1).tolist()
        for start, stop in zip([0, *cuts], [*cuts, len(ends)], strict=True):
            part = slice(start, stop)
            many = counts[part]
            skipped = low[part] - (np.cumsum(many) - many)
            partner = np.arange(many.sum()) + np.repeat(skipped, many)
            lower = np.maximum(np.repeat(ranks[part], many), self.ranks[partner])
            yield Shared(np.repeat(where[part], many), self.lists[partner], lower)

    def summed(
        self, rows: range, columns: range, worth: Callable[[Shared], Floats] | None = None
    ) -> Floats:
        """Return for each pair of lists the sum over the words they share, each worth 1 or so."""
        cells = np.zeros(len(rows) * len(columns))
        for shared in self.shared(rows, columns):
            at = (shared.left - rows.start) * len(columns) + (shared.right - columns.start)
            weights = None if worth is None else worth(shared)
            cells += np.bincount(at, weights, minlength=cells.size)
        return cells.reshape(len(rows), len(columns))
