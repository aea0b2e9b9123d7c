"""The substrings of a vocabulary, and which words each is part of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.lexicon.markers.repeating import repeated_strings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.compiling.arrays import I32, I64

    BoolArray = NDArray[np.bool_]

#: what stands for the beginning and the end of a word
BOUNDARY = "#"


@dataclass(frozen=True, eq=False)
class Substrings:
    """Substrings with the words that they are part of; the first ones are the words themselves.

    Substring m is part of the words ``members[starts[m]:starts[m + 1]]``; it can be read in the
    word ``bearer[m]``, with a boundary at either end, from ``begin[m]`` on.
    """

    starts: I64
    members: I32
    bearer: I32
    begin: I32
    lengths: I32


def substrings(vocabulary: Sequence[str], shortest: int, longest: int) -> Substrings:
    """Find the substrings of some lengths; of those of the same words, the longest.

    A substring of one word only is that word: it is left out.
    """
    text = _Text(vocabulary)
    found = [text.whole_words()]
    repeated = repeated_strings(text.letters, text.owners, text.ends, longest)
    for length, (at, ids) in enumerate(repeated, 1):
        if length >= shortest:
            found.append(text.grouped(at, ids, length))
    return _merged(found)


class _Text:
    """The words of a vocabulary one after the other, each between boundaries, as numbers."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self.words = len(vocabulary)
        lengths = np.array([len(word) + 2 for word in vocabulary], np.int64)
        # a boundary is no letter, so that a word with the sign # in it is no trouble
        bounded = "".join(f"\0{word}\0" for word in vocabulary)
        points = np.frombuffer(bounded.encode("utf-32-le", "surrogatepass"), np.uint32)
        self.letters = np.unique(points, return_inverse=True)[1].astype(np.int64)
        self.owners = np.repeat(np.arange(self.words), lengths)
        self.ends = np.cumsum(lengths)
        self.lengths = lengths

    def whole_words(self) -> Substrings:
        numbers = np.arange(self.words, dtype=np.int32)
        starts = np.arange(self.words + 1)
        lengths = self.lengths.astype(np.int32)
        return Substrings(starts, numbers, numbers, np.zeros(self.words, np.int32), lengths)

    def grouped(self, at: I64, ids: I64, length: int) -> Substrings:
        """Collect the words of each substring of a length."""
        letters = self.letters[at] > 0 if length == 1 else np.ones(len(at), bool)
        at, ids = at[letters], ids[letters]
        pairs, first = np.unique(ids * self.words + self.owners[at], return_index=True)
        numbers, starts = np.unique(pairs // self.words, return_index=True)
        seen = at[first[starts]]
        bearer = self.owners[seen]
        begin = seen - (self.ends - self.lengths)[bearer]
        return Substrings(
            np.append(starts, len(pairs)),
            (pairs % self.words).astype(np.int32),
            bearer.astype(np.int32),
            begin.astype(np.int32),
            np.full(len(numbers), length, np.int32),
        )


def _merged(found: list[Substrings]) -> Substrings:
    """Keep, of substrings of the same words, the longest; of equally long ones the first."""
    sizes = np.concatenate([np.diff(one.starts) for one in found])
    starts = np.concatenate([[0], np.cumsum(sizes)])
    members = np.concatenate([one.members for one in found])
    bearer, begin, lengths = (
        np.concatenate([getattr(one, name) for one in found])
        for name in ("bearer", "begin", "lengths")
    )
    rows = np.arange(len(sizes))
    order = np.lexsort((rows, -lengths, _digests(starts, members)))
    kept = np.sort(order[_begins(order, starts, members)])
    within = np.arange(sizes[kept].sum()) - np.repeat(
        np.cumsum(sizes[kept]) - sizes[kept], sizes[kept]
    )
    return Substrings(
        np.concatenate([[0], np.cumsum(sizes[kept])]),
        members[np.repeat(starts[kept], sizes[kept]) + within],
        bearer[kept],
        begin[kept],
        lengths[kept],
    )


def _digests(starts: I64, members: I32) -> I64:
    """Return a number for each set of words; sets with different numbers differ."""
    drawn = np.random.default_rng(0).integers(
        np.iinfo(np.int64).min, np.iinfo(np.int64).max, int(members.max(initial=0)) + 1
    )
    before = np.concatenate([[0], np.cumsum(drawn[members])])
    digests: I64 = before[starts[1:]] - before[starts[:-1]]
    return digests


def _begins(order: I64, starts: I64, members: I32) -> BoolArray:
    """Say which sets differ from the one before in an order."""
    sizes = np.diff(starts)[order]
    alike = np.flatnonzero(sizes[1:] == sizes[:-1]) + 1
    lengths = sizes[alike]
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    here, before = (
        members[np.repeat(starts[side], lengths) + within]
        for side in (order[alike], order[alike - 1])
    )
    differ = np.add.reduceat(here != before, np.cumsum(lengths) - lengths) if len(alike) else alike
    begins = np.ones(len(order), bool)
    begins[alike] = differ > 0
    return begins
