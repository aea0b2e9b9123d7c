"""``Words``: texts as arrays of numbers of words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.arrays import offsets, ranges

if TYPE_CHECKING:
    from tealeaves.kernels import I32, I64


@dataclass(frozen=True, eq=False)
class Words:
    """Texts as sequences of numbers of words.

    The words of text t are ``numbers[starts[t]:starts[t + 1]]``; word n is ``vocabulary[n]``. Words
    are numbered in the order of their first occurrences.

    >>> words = Words.of([["a", "cat"], [], ["cat", "a", "cat"]])
    >>> words.vocabulary, words.numbers.tolist(), words.starts.tolist()
    (('a', 'cat'), [0, 1, 1, 0, 1], [0, 2, 2, 5])
    >>> words.text(2), len(words)
    (['cat', 'a', 'cat'], 3)
    """

    vocabulary: tuple[str, ...]
    numbers: I32
    starts: I64

    @classmethod
    def of(cls, texts: Iterable[Sequence[str]]) -> Words:
        """Number the words of texts."""
        known: dict[str, int] = {}
        flat: list[int] = []
        starts = [0]
        for text in texts:
            flat.extend(known.setdefault(word, len(known)) for word in text)
            starts.append(len(flat))
        return cls(tuple(known), np.array(flat, np.int32), np.array(starts, np.int64))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __iter__(self) -> Iterator[list[str]]:
        return (self.text(row) for row in range(len(self)))

    def text(self, row: int) -> list[str]:
        """Return the words of one text."""
        return [self.vocabulary[n] for n in self.numbers[self.starts[row] : self.starts[row + 1]]]

    def word(self, row: int, place: int) -> str:
        """Return the word at a place of a text."""
        return self.vocabulary[int(self.numbers[self.starts[row] + place])]

    @cached_property
    def rows(self) -> I32:
        """The text of each token."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.starts))

    def mapped(self, change: Callable[[str], str]) -> Words:
        """Return the same texts with another word in the place of each.

        >>> words = Words.of([["A", "Cat"], ["a"]]).mapped(str.lower)
        >>> words.vocabulary, words.numbers.tolist()
        (('a', 'cat'), [0, 1, 0])
        """
        known: dict[str, int] = {}
        numbers = [known.setdefault(change(word), len(known)) for word in self.vocabulary]
        return Words(tuple(known), np.array(numbers, np.int32)[self.numbers], self.starts)

    def taken(self, rows: Sequence[int] | I64) -> Words:
        """Return some of the texts, in this order; the numbers of words stay."""
        chosen = np.asarray(rows, np.int64)
        lengths = np.diff(self.starts)[chosen]
        numbers = self.numbers[ranges(self.starts[chosen], lengths)]
        return Words(self.vocabulary, numbers, offsets(lengths))
