"""Conceptualizer: strings that may span words, chosen by χ² over passages (Liu et al. 2023)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.arrays import offsets
from tealeaves.lexicon.extraction.result import Extracted
from tealeaves.lexicon.markers.kernels import MarkerPlaces, count_markers
from tealeaves.lexicon.markers.measures import chi_square
from tealeaves.lexicon.markers.substrings import code_points, repeated_strings
from tealeaves.lexicon.words import Words

if TYPE_CHECKING:
    from tealeaves.arrays import Bools
    from tealeaves.kernels import I32, I64

#: The sign before, between and after words.
EDGE = "$"


def bounded(text: list[str]) -> str:
    """Return words as one string with edges.

    >>> bounded(["my", "hand"])
    '$my$hand$'
    """
    return EDGE + EDGE.join(text) + EDGE


@dataclass(frozen=True, eq=False)
class SpanIndex:
    """The strings that occur in at least two passages and may span words.

    Parameters
    ----------
    letters
        All passages, bounded, one after the other.
    starts
        Where the letters of each passage begin.
    slots, strings
        The strings that begin at letter n are ``strings[slots[n]:slots[n + 1]]``, shorter first.
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
        """Index texts by strings of up to ``longest`` letters, edges counted.

        >>> index = SpanIndex.of(Words.of([["a", "cat"], ["cat"], ["at"]]), longest=4)
        >>> sorted(index.text(n) for n in range(len(index)) if index.frequencies[n] == 2)
        ['$a', '$c', '$ca', '$cat', 'c', 'ca', 'cat', 'cat$']
        """
        texts = [bounded(text) for text in words]
        sizes = np.array([len(text) for text in texts], np.int64)
        starts = offsets(sizes)
        joined = "".join(texts)
        owners = np.repeat(np.arange(len(texts)), sizes)
        strings = _numbered(code_points(joined), owners, starts[1:], longest)
        return cls(joined, starts, *strings)

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
        rows = np.ascontiguousarray(rows, np.int64)
        count_markers(rows, self._places, last, counts)
        return counts

    def occurs(self, string: int, rows: I64) -> Bools:
        """Return for each of some passages whether a string occurs in it."""
        text = self.text(string)
        return np.array([text in self.letters[self.starts[r] : self.starts[r + 1]] for r in rows])

    @cached_property
    def frequencies(self) -> I32:
        """In how many passages each string occurs."""
        return self.count(np.arange(len(self.starts) - 1))

    @cached_property
    def _places(self) -> MarkerPlaces:
        letters = np.arange(len(self.letters), dtype=np.int32)
        return MarkerPlaces(self.starts, letters, self.slots, self.strings)


def _numbered(letters: I64, owners: I64, ends: I64, longest: int) -> tuple[I64, I32, I64, I32]:
    """Number strings, shorter ones first; return slots, strings, first letters and lengths."""
    numbers: list[I32] = []
    firsts: list[I64] = []
    before = 0
    depths = np.zeros(len(letters), np.int64)  # how many strings begin at a letter
    for length, (at, ids) in enumerate(repeated_strings(letters, owners, ends, longest), 1):
        first = np.zeros(int(ids.max()) + 1, np.int64)
        first[ids[::-1]] = at[::-1]
        numbers.append((ids + before).astype(np.int32))
        firsts.append(first)
        before += len(first)
        depths[at] = length
    slots = offsets(depths)
    strings = np.empty(int(slots[-1]), np.int32)
    for length, of_length in enumerate(numbers, 1):
        strings[slots[:-1][depths >= length] + length - 1] = of_length
    lengths = np.repeat(np.arange(1, len(firsts) + 1), [len(first) for first in firsts])
    first_letters = np.concatenate([np.zeros(0, np.int64), *firsts])
    return slots, strings, first_letters, lengths.astype(np.int32)


@dataclass(frozen=True)
class ChosenString:
    """A string of a seed.

    ``covered`` is the number of passages of the seed that it covers, ``elsewhere`` that of other
    passages with it.
    """

    text: str
    covered: int
    elsewhere: int
    score: float


def find_strings(
    index: SpanIndex, rows: I64, *, coverage: float = 0.85, rounds: int = 5
) -> list[ChosenString]:
    """Find the strings of the passages of a seed; ``rows`` are distinct.

    The string with the highest χ² (with Yates's correction) is chosen and the passages that it
    covers are removed. This ends when the share ``coverage`` is covered, after ``rounds`` further
    strings, or when a string would cover only one more passage. Left out are strings that occur in
    too few passages of the seed (fewer than a tenth of the remaining ones, or than 3 if that is
    less), in more than 20 times as many other passages, in more than a tenth of all others, or in
    no more than by chance. Of equally good strings that contain each other the longest counts; of
    others the one most similar to those chosen before, by edit distance, then the longest, then
    the first in the alphabet.

    >>> texts = [["käsi"], ["käden"], ["käsi"], ["jalka"]] + [["on"], ["ei"]] * 8
    >>> index = SpanIndex.of(Words.of(texts))
    >>> [(string.text, string.covered) for string in find_strings(index, np.array([0, 1, 2]))]
    [('$kä', 3)]
    """
    left, total = np.asarray(rows, np.int64), len(index.starts) - 1
    inside, everywhere = index.count(left).astype(np.int64), index.frequencies.astype(np.int64)
    outside = everywhere - inside
    chosen: list[ChosenString] = []
    while len(left) and len(chosen) <= rounds and len(left) > (1 - coverage) * len(rows):
        least = min(max(1, len(left) // 10), 3)
        kept = np.flatnonzero(
            (inside >= least)
            & (outside // 20 <= inside)
            & (outside <= total // 10)
            & (inside * total > (inside + outside) * len(left))
        )
        if not len(kept):
            break
        both = inside[kept]
        scores = chi_square(both, both + outside[kept], len(left), total)
        # scores that differ by rounding only are equal
        top = kept[scores >= scores.max() * (1 - 1e-12)]
        best = _best(index, top, chosen)
        if chosen and inside[best] <= 1:
            break
        chosen.append(
            ChosenString(
                index.text(best), int(inside[best]), int(outside[best]), float(scores.max())
            )
        )
        covered = index.occurs(best, left)
        inside = inside - index.count(left[covered])
        total -= int(covered.sum())
        left = left[~covered]
    return chosen


def _best(index: SpanIndex, top: I64, chosen: Sequence[ChosenString]) -> int:
    """Return the best of strings with equal scores."""
    texts = {index.text(int(number)): int(number) for number in top}
    outer = [text for text in texts if not any(text in two for two in texts if text != two)]
    winner = min(
        outer,
        key=lambda text: (sum(edit_distance(text, old.text) for old in chosen), -len(text), text),
    )
    return texts[winner]


def edit_distance(one: str, other: str) -> int:
    """Return how many letters must be inserted, deleted or changed; edges do not count.

    >>> edit_distance("$käsi", "käden")
    3
    """
    one, other = one.replace(EDGE, ""), other.replace(EDGE, "")
    before = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, there in enumerate(other, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != there)))
        before = row
    return before[-1]


def first_string(words: Words, rows: I32, strings: Sequence[str]) -> list[Extracted]:
    """Return for each token the first string that occurs in its passage, if one does."""
    passages, tokens = np.unique(rows, return_inverse=True)
    extracted = [_first_in(bounded(words.text(int(row))), strings) for row in passages]
    return [extracted[token] for token in tokens]


def _first_in(passage: str, strings: Sequence[str]) -> Extracted:
    for string in strings:
        if string in passage:
            return Extracted(frozenset([string]), tuple(sorted(_places(passage, string))))
    return Extracted()


def _places(passage: str, string: str) -> set[int]:
    """Return the places of the words that a string covers, wholly or in part."""
    places: set[int] = set()
    at = passage.find(string)
    while at >= 0:
        inner = string.strip(EDGE)
        begin = at + string.index(inner)
        first = passage.count(EDGE, 0, begin) - 1
        places |= set(range(first, first + inner.count(EDGE) + 1))
        at = passage.find(string, at + 1)
    return places
