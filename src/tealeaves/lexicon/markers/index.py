"""``MarkerIndex``: all substrings of all words, and the passages that they occur in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.lexicon.markers.kernels import count_markers
from tealeaves.lexicon.markers.substrings import BOUNDARY, substrings
from tealeaves.lexicon.words import Words

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64
    from tealeaves.lexicon.markers.substrings import BoolArray


@dataclass(frozen=True, eq=False)
class MarkerIndex:
    """The markers of a text: words, and substrings of words.

    A word is bounded by ``#``: ``#hand#`` is the word, ``#hand`` a beginning, ``and#`` an end. A
    marker stands for the set of words that it is in; of markers with the same set only the longest
    is kept, since nothing tells them apart. Marker m is part of the words
    ``members[starts[m]:starts[m + 1]]``; word w has the markers
    ``word_markers[word_starts[w]:word_starts[w + 1]]``.

    Parameters
    ----------
    words
        The texts, one for each passage.
    starts, members
        The numbers of the words of each marker, in ascending order.
    bearer, begin, lengths
        A word that a marker is part of, where it begins in the bounded word, and its length.

    >>> index = MarkerIndex.of(Words.of([["hand", "and"], ["hands"], ["sand"]]))
    >>> [index.text(marker) for marker in range(len(index))]
    ['#hand#', '#and#', '#hands#', '#sand#', 'and', 'and#', '#hand']
    >>> index.frequencies.tolist()
    [1, 1, 1, 1, 3, 2, 2]
    >>> index.passages_of(6).tolist()
    [0, 1]
    """

    words: Words
    shortest: int
    longest: int
    starts: I64
    members: I32
    bearer: I32
    begin: I32
    lengths: I32

    @classmethod
    def of(cls, words: Words, shortest: int = 3, longest: int = 9) -> MarkerIndex:
        """Index texts by substrings of these lengths, boundaries counted, and by whole words."""
        occurring = np.flatnonzero(np.bincount(words.numbers, minlength=len(words.vocabulary)))
        found = substrings([words.vocabulary[n] for n in occurring], shortest, longest)
        members, bearer = occurring[found.members], occurring[found.bearer]
        return cls(
            words, shortest, longest, found.starts,
            members.astype(np.int32), bearer.astype(np.int32), found.begin, found.lengths,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.lengths)

    def text(self, marker: int) -> str:
        """Return the string that a marker is."""
        word = self.words.vocabulary[self.bearer[marker]]
        begin, length = int(self.begin[marker]), int(self.lengths[marker])
        return f"{BOUNDARY}{word}{BOUNDARY}"[begin : begin + length]

    def words_of(self, marker: int) -> I32:
        """Return the numbers of the words that a marker is part of, in ascending order."""
        return self.members[self.starts[marker] : self.starts[marker + 1]]

    def markers_of(self, word: int) -> I32:
        """Return the markers that are part of a word, in ascending order."""
        return self.word_markers[self.word_starts[word] : self.word_starts[word + 1]]

    def passages_of(self, marker: int) -> I64:
        """Return the rows that a marker occurs in, each once, in ascending order."""
        return np.flatnonzero(self._occurs(self.words, marker))

    def among(self, marker: int, rows: I64) -> BoolArray:
        """Say of each of some rows whether a marker occurs in it."""
        return self._occurs(self.words.taken(rows), marker)

    def borne_by(self, marker: int) -> BoolArray:
        """Say of each word of the vocabulary whether a marker is part of it."""
        bears = np.zeros(len(self.words.vocabulary), bool)
        bears[self.words_of(marker)] = True
        return bears

    def _occurs(self, words: Words, marker: int) -> BoolArray:
        occurs = np.zeros(len(words), bool)
        occurs[words.rows[self.borne_by(marker)[words.numbers]]] = True
        return occurs

    def places_of(self, marker: int, row: int) -> list[int]:
        """Return the places of a passage where a word stands that a marker is part of."""
        starts = self.words.starts
        held = np.isin(self.words.numbers[starts[row] : starts[row + 1]], self.words_of(marker))
        return [int(place) for place in np.flatnonzero(held)]

    def count(self, rows: I64) -> I32:
        """Return, for each marker, in how many of some passages it occurs."""
        counts = np.zeros(len(self), np.int32)
        last = np.full(len(self), -1, np.int32)
        chosen = np.ascontiguousarray(rows, np.int64)
        words, markers = self.word_starts, self.word_markers
        count_markers(chosen, self.words.starts, self.words.numbers, words, markers, last, counts)
        return counts

    @cached_property
    def frequencies(self) -> I32:
        """In how many passages each marker occurs."""
        return self.count(np.arange(len(self.words)))

    @cached_property
    def word_starts(self) -> I64:
        """Where the markers of each word begin."""
        starts = np.zeros(len(self.words.vocabulary) + 1, np.int64)
        np.cumsum(np.bincount(self.members, minlength=len(starts) - 1), out=starts[1:])
        return starts

    @cached_property
    def word_markers(self) -> I32:
        """The markers of all words, word by word."""
        markers = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.starts))
        return markers[np.argsort(self.members, kind="stable")]
