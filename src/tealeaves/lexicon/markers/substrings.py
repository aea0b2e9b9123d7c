"""``MarkerIndex``: the substrings of the words of a text, and the passages that they occur in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.arrays import offsets, ranges
from tealeaves.lexicon.markers.kernels import MarkerPlaces, count_markers
from tealeaves.lexicon.words import Words

if TYPE_CHECKING:
    from tealeaves.arrays import Bools
    from tealeaves.kernels import I32, I64

#: The sign for the beginning and the end of a word.
BOUNDARY = "#"


@dataclass(frozen=True, eq=False)
class MarkerIndex:
    """The markers of a text: words, and substrings of words.

    A word is bounded by ``#``: ``#hand#`` is the word, ``#hand`` a beginning, ``and#`` an end. A
    marker stands for the set of words that contain it; of markers with the same set only the
    longest is kept, because the others occur in the same passages. The words with marker m are
    ``members[starts[m]:starts[m + 1]]``; the markers of word w are
    ``word_markers[word_starts[w]:word_starts[w + 1]]``.

    Parameters
    ----------
    words
        The texts, one for each passage.
    starts, members
        The numbers of the words of each marker, in ascending order.
    bearer, begin, lengths
        A word that contains the marker, where it begins in the bounded word, and its length.

    >>> index = MarkerIndex.of(Words.of([["hand", "and"], ["hands"], ["sand"]]))
    >>> [index.text(marker) for marker in range(len(index))]
    ['#hand#', '#and#', '#hands#', '#sand#', 'and', 'and#', '#hand']
    >>> index.frequencies.tolist()
    [1, 1, 1, 1, 3, 2, 2]
    >>> index.occurs(6, np.array([0, 1, 2])).tolist()
    [True, True, False]
    """

    words: Words
    starts: I64
    members: I32
    bearer: I32
    begin: I32
    lengths: I32

    @classmethod
    def of(cls, words: Words, shortest: int = 3, longest: int = 9) -> MarkerIndex:
        """Index texts by whole words and substrings of these lengths, boundaries counted."""
        occurring = np.flatnonzero(np.bincount(words.numbers, minlength=len(words.vocabulary)))
        vocabulary = [words.vocabulary[n] for n in occurring]
        markers = _substrings(vocabulary, shortest, longest)
        members, bearer = occurring[markers.members], occurring[markers.bearer]
        return cls(
            words, markers.starts, members.astype(np.int32), bearer.astype(np.int32),
            markers.begin, markers.lengths,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.lengths)

    def text(self, marker: int) -> str:
        """Return the string of a marker."""
        word = self.words.vocabulary[self.bearer[marker]]
        begin, length = int(self.begin[marker]), int(self.lengths[marker])
        return f"{BOUNDARY}{word}{BOUNDARY}"[begin : begin + length]

    def words_of(self, marker: int) -> I32:
        """Return the numbers of the words that contain a marker, in ascending order."""
        return self.members[self.starts[marker] : self.starts[marker + 1]]

    def markers_of(self, word: int) -> I32:
        """Return the markers that a word contains, in ascending order."""
        return self.word_markers[self.word_starts[word] : self.word_starts[word + 1]]

    def contained_in(self, marker: int) -> Bools:
        """Return for each word of the vocabulary whether it contains a marker."""
        contained = np.zeros(len(self.words.vocabulary), bool)
        contained[self.words_of(marker)] = True
        return contained

    def occurs(self, marker: int, rows: I64) -> Bools:
        """Return for each of some passages whether a marker occurs in it."""
        words = self.words.taken(rows)
        occurs = np.zeros(len(words), bool)
        occurs[words.rows[self.contained_in(marker)[words.numbers]]] = True
        return occurs

    def count(self, rows: I64) -> I32:
        """Return, for each marker, in how many of some passages it occurs."""
        counts = np.zeros(len(self), np.int32)
        last = np.full(len(self), -1, np.int32)
        rows = np.ascontiguousarray(rows, np.int64)
        count_markers(rows, self._places, last, counts)
        return counts

    @cached_property
    def frequencies(self) -> I32:
        """In how many passages each marker occurs."""
        return self.count(np.arange(len(self.words)))

    @cached_property
    def _places(self) -> MarkerPlaces:
        words = self.words
        return MarkerPlaces(words.starts, words.numbers, self.word_starts, self.word_markers)

    @cached_property
    def word_starts(self) -> I64:
        """Where the markers of each word begin."""
        return offsets(np.bincount(self.members, minlength=len(self.words.vocabulary)))

    @cached_property
    def word_markers(self) -> I32:
        """The markers of all words, word by word."""
        markers = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.starts))
        return markers[np.argsort(self.members, kind="stable")]


def repeated_strings(
    letters: I64, owners: I64, ends: I64, longest: int
) -> Iterator[tuple[I64, I64]]:
    """Yield for each length the places where strings of several texts begin, and their ids.

    Strings of one text only are left out, and so is every longer string that contains one: strings
    of n + 1 letters are searched where there is one of n. The first length without strings ends
    the search.

    Parameters
    ----------
    letters
        The letters of all texts, one after the other, as numbers.
    owners
        The text of each letter, in ascending order.
    ends
        Where each text ends.
    longest
        The greatest length.

    >>> letters, owners = np.array([0, 1, 2, 1, 2]), np.array([0, 0, 0, 1, 1])
    >>> strings = repeated_strings(letters, owners, np.array([3, 5]), 2_000_000_000)
    >>> [(at.tolist(), ids.tolist()) for at, ids in strings]
    [([1, 2, 3, 4], [0, 1, 0, 1]), ([1, 3], [0, 0])]
    """
    size = int(letters.max(initial=0)) + 1
    at, ids = np.arange(len(letters)), letters
    for length in range(1, longest + 1):
        if length > 1:
            fits = at + length <= ends[owners[at]]
            at, ids = at[fits], ids[fits]
            ids = np.unique(ids * size + letters[at + length - 1], return_inverse=True)[1]
        several = _in_several(ids, owners[at])
        kept = several[ids]
        at, ids = at[kept], (np.cumsum(several) - 1)[ids[kept]]
        if not len(at):
            return
        yield at, ids


def _in_several(ids: I64, owners: I64) -> Bools:
    """Return for each string whether it occurs in more than one text."""
    first, last = np.zeros((2, int(ids.max(initial=-1)) + 1), np.int64)
    # texts are in ascending order, and the last assignment counts
    last[ids] = owners
    first[ids[::-1]] = owners[::-1]
    several: Bools = first != last
    return several


def code_points(text: str) -> I64:
    """Return the letters of a text as numbers from 0 on, in the order of their code points."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return np.unique(points, return_inverse=True)[1].astype(np.int64)


class _Substrings(NamedTuple):
    """Substrings of a vocabulary, as in ``MarkerIndex``."""

    starts: I64
    members: I32
    bearer: I32
    begin: I32
    lengths: I32


def _substrings(vocabulary: Sequence[str], shortest: int, longest: int) -> _Substrings:
    """Return the words, and their substrings of some lengths.

    Of substrings of the same words there is the longest. A substring of one word only is left out,
    because the word itself is there.
    """
    words = len(vocabulary)
    sizes = np.array([len(word) + 2 for word in vocabulary], np.int64)
    # the boundary is no letter, because a word may contain the sign #
    letters = code_points("".join(f"\0{word}\0" for word in vocabulary))
    owners = np.repeat(np.arange(words), sizes)
    ends = np.cumsum(sizes)
    numbers = np.arange(words, dtype=np.int32)
    whole = _Substrings(
        np.arange(words + 1), numbers, numbers, np.zeros(words, np.int32), sizes.astype(np.int32)
    )
    parts = [whole]
    for length, (at, ids) in enumerate(repeated_strings(letters, owners, ends, longest), 1):
        if length < shortest:
            continue
        # a boundary alone is no substring
        real = letters[at] > 0 if length == 1 else np.ones(len(at), bool)
        places = at[real]
        pairs, first = np.unique(ids[real] * words + owners[places], return_index=True)
        strings, starts = np.unique(pairs // words, return_index=True)
        seen = places[first[starts]]
        bearer = owners[seen]
        parts.append(
            _Substrings(
                np.append(starts, len(pairs)),
                (pairs % words).astype(np.int32),
                bearer.astype(np.int32),
                (seen - (ends - sizes)[bearer]).astype(np.int32),
                np.full(len(strings), length, np.int32),
            )
        )
    return _longest_of_each_set(parts)


def _longest_of_each_set(parts: list[_Substrings]) -> _Substrings:
    """Keep, of substrings of the same words, the longest; of equally long ones the first."""
    sizes = np.concatenate([np.diff(part.starts) for part in parts])
    starts = offsets(sizes)
    members = np.concatenate([part.members for part in parts])
    bearer, begin, lengths = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("bearer", "begin", "lengths")
    )
    rows = np.arange(len(sizes))
    order = np.lexsort((rows, -lengths, _digests(starts, members)))
    kept = np.sort(order[_begins(order, starts, members)])
    return _Substrings(
        offsets(sizes[kept]),
        members[ranges(starts[kept], sizes[kept])],
        bearer[kept],
        begin[kept],
        lengths[kept],
    )


def _digests(starts: I64, members: I32) -> I64:
    """Return a hash of each set of words."""
    drawn = np.random.default_rng(0).integers(
        np.iinfo(np.int64).min, np.iinfo(np.int64).max, int(members.max(initial=0)) + 1
    )
    sums = offsets(drawn[members])
    digests: I64 = sums[starts[1:]] - sums[starts[:-1]]
    return digests


def _begins(order: I64, starts: I64, members: I32) -> Bools:
    """Return which sets differ from the one before in an order."""
    sizes = np.diff(starts)[order]
    alike = np.flatnonzero(sizes[1:] == sizes[:-1]) + 1
    lengths = sizes[alike]
    here, before = (
        members[ranges(starts[side], lengths)] for side in (order[alike], order[alike - 1])
    )
    differ = np.add.reduceat(here != before, np.cumsum(lengths) - lengths) if len(alike) else alike
    begins = np.ones(len(order), bool)
    begins[alike] = differ > 0
    return begins
