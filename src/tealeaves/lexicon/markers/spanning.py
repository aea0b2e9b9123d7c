"""``SpanIndex``: strings of letters that may span words, and the passages that they occur in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.lexicon.markers.kernels import count_markers
from tealeaves.lexicon.markers.repeating import repeated_strings
from tealeaves.lexicon.words import Words

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64

#: what stands before, between and after words
EDGE = "$"


def bounded(text: list[str]) -> str:
    """Return words as one string.

    >>> bounded(["my", "hand"])
    '$my$hand$'
    """
    return EDGE + EDGE.join(text) + EDGE


@dataclass(frozen=True, eq=False)
class SpanIndex:
    """The strings of up to some letters that occur in at least two passages.

    Parameters
    ----------
    letters
        All passages, bounded, one after the other.
    starts
        Where the letters of each passage begin.
    slots, strings
        At letter n begin the strings ``strings[slots[n]:slots[n + 1]]``, shorter ones first.
    first, lengths
        For each string a place where it begins, and its length.
    """

    letters: str
    starts: I64
    slots: I64
    strings: I32
    first: I64
    lengths: I32

    @classmethod
    def of(cls, words: Words, longest: int = 8) -> SpanIndex:
        """Index texts by strings of 1 to so many letters, edges counted.

        >>> index = SpanIndex.of(Words.of([["a", "cat"], ["cat"], ["at"]]), longest=4)
        >>> sorted(index.text(n) for n in range(len(index)) if index.frequencies[n] == 2)
        ['$a', '$c', '$ca', '$cat', 'c', 'ca', 'cat', 'cat$']
        """
        texts = [bounded(text) for text in words]
        sizes = np.array([len(text) for text in texts], np.int64)
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        joined = "".join(texts)
        points = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
        letters = np.unique(points, return_inverse=True)[1].astype(np.int64)
        owners = np.repeat(np.arange(len(texts)), sizes)
        return cls(joined, starts, *_numbered(letters, owners, starts[1:], longest))

    def __len__(self) -> int:
        return len(self.first)

    def text(self, string: int) -> str:
        """Return a string."""
        begin = int(self.first[string])
        return self.letters[begin : begin + int(self.lengths[string])]

    def count(self, rows: I64) -> I32:
        """Return, for each string, in how many of some passages it occurs."""
        counts = np.zeros(len(self), np.int32)
        last = np.full(len(self), -1, np.int32)
        chosen = np.ascontiguousarray(rows, np.int64)
        count_markers(chosen, self.starts, self._places, self.slots, self.strings, last, counts)
        return counts

    def among(self, string: int, rows: I64) -> np.ndarray:
        """Say of each of some passages whether a string occurs in it."""
        text = self.text(string)
        return np.array([text in self.letters[self.starts[r] : self.starts[r + 1]] for r in rows])

    @cached_property
    def frequencies(self) -> I32:
        """In how many passages each string occurs."""
        return self.count(np.arange(len(self.starts) - 1))

    @cached_property
    def _places(self) -> I32:
        return np.arange(len(self.letters), dtype=np.int32)


def _numbered(letters: I64, owners: I64, ends: I64, longest: int) -> tuple[I64, I32, I64, I32]:
    """Number strings, shorter ones first; return slots, strings, first places and lengths."""
    numbers: list[I32] = []
    firsts: list[I64] = []
    before = 0
    depths = np.zeros(len(letters), np.int64)  # how many strings begin at a letter: of 1, 2, … n
    for length, (at, ids) in enumerate(repeated_strings(letters, owners, ends, longest), 1):
        first = np.zeros(int(ids.max()) + 1, np.int64)
        first[ids[::-1]] = at[::-1]
        numbers.append((ids + before).astype(np.int32))
        firsts.append(first)
        before += len(first)
        depths[at] = length
    slots = np.concatenate([[0], np.cumsum(depths)])
    strings = np.empty(int(slots[-1]), np.int32)
    for length, some in enumerate(numbers, 1):
        strings[slots[:-1][depths >= length] + length - 1] = some
    lengths = np.repeat(np.arange(1, len(firsts) + 1), [len(first) for first in firsts])
    places = np.concatenate([np.zeros(0, np.int64), *firsts])
    return slots, strings, places, lengths.astype(np.int32)
