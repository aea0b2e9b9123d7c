r"""Ranked lists of words, and how far two lists overlap: Jaccard, and rank-biased overlap.

Rank-biased overlap (Webber, Moffat & Zobel 2010) is :math:`(1 - p) \sum_{d \ge 1} p^{d-1} A_d`,
where the agreement :math:`A_d` is the share of the first d words that both lists have. Lists end;
extrapolation (their equation 32) goes on with the agreement seen last. With lengths
:math:`s \le l` and :math:`X_d` shared words at depth d,

.. math:: A_d = X_d / d \quad (d \le s), \qquad
          A_d = \frac{X_d + (d - s) X_s / s}{d} \quad (s < d \le l), \qquad A_d = A_l \quad (d > l).

Each shared word contributes to this independently. If m is the lower of its two ranks, it
contributes :math:`E(s) - U(m - 1)` where m ≤ s, and :math:`E(l) - U(m - 1)` where only the longer
list reaches m, with :math:`U(k) = (1 - p) \sum_{d \le k} p^{d-1} / d` and
:math:`E(k) = U(k) + p^k / k`. So rank-biased overlap is a sum over shared words.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, NamedTuple, Self

import numpy as np
from msgspec import Meta

from tealeaves.arrays import Array, Floats, Integers, offsets
from tealeaves.topics.topics import Topics

DEFAULT_P = 0.9
Persistence = Annotated[float, Meta(gt=0, lt=1)]

_MOST_PAIRS = 1_000_000  # at once: this bounds the memory


class SharedWords(NamedTuple):
    """Words that two lists share: the numbers of the lists, and the lower of the word's ranks."""

    left: Integers
    right: Integers
    rank: Integers


@dataclass(frozen=True)
class WordLists:
    """Ranked lists of distinct words.

    Words are sorted by number and list, so that the other lists with a word are a range. The cost
    grows with the number of shared words, not with the number of pairs of lists.

    >>> lists = WordLists.of([["cat", "dog", "horse"], ["horse", "cat"], ["soup"]])
    >>> lists.sum_shared(range(3), range(3))
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
    models
        The lists are those of so many models, which have as many lists each and share no number.
    """

    lengths: Integers
    starts: Integers
    words: Integers
    keys: Integers
    lists: Integers
    ranks: Integers
    models: int = 1

    @classmethod
    def of(cls, lists: Sequence[Sequence[Hashable]]) -> Self:
        """Number the words of lists."""
        numbers: dict[Hashable, int] = {}
        return cls.of_numbers(
            [[numbers.setdefault(word, len(numbers)) for word in words] for words in lists]
        )

    @classmethod
    def of_numbers(cls, lists: Sequence[Sequence[int]], models: int = 1) -> Self:
        """Make lists of words that have numbers already; the numbers may have gaps."""
        lengths = np.array([len(numbers) for numbers in lists], dtype=np.int64)
        starts = offsets(lengths)
        flat = np.array([number for numbers in lists for number in numbers], dtype=np.int64)
        words = np.unique(flat, return_inverse=True)[1]
        list_of_word = np.repeat(np.arange(len(lists)), lengths)
        keys = words * len(lists) + list_of_word
        order = np.argsort(keys)
        ranks = np.arange(1, len(words) + 1) - np.repeat(starts[:-1], lengths)
        return cls(lengths, starts, words, keys[order], list_of_word[order], ranks[order], models)

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def per_model(self) -> int:
        """The number of lists of each model."""
        return len(self) // self.models

    @property
    def longest(self) -> int:
        """The length of the longest list."""
        return int(self.lengths.max(initial=0))

    def lists_per_word(self) -> Integers:
        """Return for each word of each list, in their order, how many lists have it."""
        return np.bincount(self.words)[self.words]

    def shared_words(self, rows: range, columns: range) -> Iterator[SharedWords]:
        """Yield, in parts, the words that the lists of ``rows`` share with those of ``columns``."""
        first, last = self.starts[rows.start], self.starts[rows.stop]
        base = self.words[first:last] * len(self)
        low = np.searchsorted(self.keys, base + columns.start)
        counts = np.searchsorted(self.keys, base + columns.stop) - low
        row_of = np.repeat(np.arange(rows.start, rows.stop), self.lengths[rows.start : rows.stop])
        ranks = np.arange(first, last) - self.starts[row_of] + 1
        ends = np.cumsum(counts)
        cuts = (np.flatnonzero(np.diff(ends // _MOST_PAIRS)) + 1).tolist()
        for start, stop in zip([0, *cuts], [*cuts, len(ends)], strict=True):
            part = slice(start, stop)
            many = counts[part]
            skipped = low[part] - (np.cumsum(many) - many)
            partner = np.arange(many.sum()) + np.repeat(skipped, many)
            lower = np.maximum(np.repeat(ranks[part], many), self.ranks[partner])
            yield SharedWords(np.repeat(row_of[part], many), self.lists[partner], lower)

    def sum_shared(
        self,
        rows: range,
        columns: range | None,
        weight: Callable[[SharedWords], Floats] | None = None,
    ) -> Floats:
        """Return for each pair of lists the sum of their shared words' weights, 1 by default.

        ``columns=None`` compares each row with the lists of its own model.
        """
        width = self.per_model if columns is None else len(columns)
        cells: Array | None = None
        every = range(len(self)) if columns is None else columns
        for shared in self.shared_words(rows, every):
            right = shared.right % width if columns is None else shared.right - columns.start
            at = (shared.left - rows.start) * width + right
            weights = None if weight is None else weight(shared)
            part = np.bincount(at, weights, minlength=len(rows) * width)
            cells = part if cells is None else cells + part
        return np.asarray(cells, dtype=np.float64).reshape(len(rows), width)

    def lengths_of(self, columns: range | None, rows: range) -> Integers:
        """Return the lengths of the lists that ``sum_shared`` compares each row with."""
        if columns is not None:
            return self.lengths[None, columns.start : columns.stop]
        by_model = self.lengths.reshape(self.models, self.per_model)
        return by_model[np.arange(rows.start, rows.stop) // self.per_model]


def word_lists_of(models: Sequence[Topics], top: int | None) -> WordLists:
    """Return the first words of all topics, as the topics spell them."""
    return WordLists.of([topic.words[:top] for model in models for topic in model.topics])


def lists_by_model(models: Sequence[Topics], top: int | None) -> list[WordLists]:
    """Return the first words of all topics, numbered apart for each model.

    Models that follow each other and are alike in size are together, as far as memory allows.
    """

    def size(model: Topics) -> tuple[int, int]:
        return len(model), max(len(topic.words[:top]) for topic in model.topics)

    together = []
    for (topics, longest), alike in groupby(models, size):
        several = list(alike)
        step = max(1, _MOST_PAIRS // (topics * topics * longest))
        for start in range(0, len(several), step):
            part = several[start : start + step]
            lists, first = [], 0
            for model in part:
                lists += [[first + n for n in words[:top]] for words in model.word_numbers]
                first += 1 + max(map(max, model.word_numbers))
            together.append(WordLists.of_numbers(lists, len(part)))
    return together


def filled_shares(lists: WordLists, top: int | None) -> Floats:
    """Return the share of the ``top`` words that each list has."""
    shares: Floats = lists.lengths / top if top else np.ones(len(lists))
    return shares


def jaccard(lists: WordLists, rows: range, columns: range | None) -> Floats:
    r"""Return :math:`|A \cap B| / |A \cup B|` of each pair of lists.

    >>> lists = WordLists.of([["cat", "dog", "horse"], ["horse", "cow"]])
    >>> jaccard(lists, range(1), range(1, 2))  # horse, of cat, dog, horse and cow
    array([[0.25]])
    """
    shared = lists.sum_shared(rows, columns)
    left = lists.lengths[rows.start : rows.stop, None]
    coefficients: Floats = shared / (left + lists.lengths_of(columns, rows) - shared)
    return coefficients


def rbo(lists: WordLists, rows: range, columns: range | None, p: float) -> Floats:
    """Return the extrapolated rank-biased overlap of each pair of lists.

    >>> lists = WordLists.of(["abcdefg", "bacdefg"])
    >>> rbo(lists, range(1), range(2), 0.9).round(3)
    array([[1. , 0.9]])
    """
    depths = np.arange(1, lists.longest + 1)
    until = np.concatenate([[0.0], np.cumsum((1 - p) * p ** (depths - 1.0) / depths)])  # U
    extrapolated = until + np.concatenate([[0.0], p**depths / depths])  # E
    lengths = lists.lengths
    if len(lists) and (lengths == lengths[0]).all():
        by_rank = extrapolated[-1] - np.concatenate([[0.0], until[:-1]])
        overlap = lists.sum_shared(rows, columns, lambda shared: by_rank[shared.rank])
    else:

        def weight(shared: SharedWords) -> Floats:
            left, right = lengths[shared.left], lengths[shared.right]
            shorter, longer = np.minimum(left, right), np.maximum(left, right)
            depth = np.where(shared.rank <= shorter, shorter, longer)
            value: Floats = extrapolated[depth] - until[shared.rank - 1]
            return value

        overlap = lists.sum_shared(rows, columns, weight)
    return np.minimum(overlap, 1.0, out=overlap)  # rounding may exceed 1
