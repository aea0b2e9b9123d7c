"""Views of the words of a bitext: whole, by their beginnings, by their ends.

Rare forms are what an aligner errs on most, and inflected languages have many. The first letters
of a word, or the last, are shared by its forms, and what was learned of one form serves the others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.lexicon.alignment.kernels.pairing import name_pairs, number_pairs
from tealeaves.lexicon.words import Words

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64

#: how many letters beginnings and ends may have
LENGTHS = (2, 3, 4, 5)


@dataclass(frozen=True, eq=False)
class Grid:
    """The cells of a bitext: the pairs of tokens that stand side by side, passage by passage.

    Parameters
    ----------
    source, target
        Passages with the same number on both sides.
    """

    source: Words
    target: Words

    @property
    def sizes(self) -> I64:
        """How many cells each passage has."""
        return np.diff(self.source.starts) * np.diff(self.target.starts)

    @property
    def starts(self) -> I64:
        """The first cell of each passage, and where the last ends."""
        return np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)

    @property
    def firsts(self) -> I64:
        """The first cell of each source token, and where the last ends."""
        lengths = np.diff(self.target.starts)[self.source.rows]
        return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)

    def some(self, most: int) -> Grid:
        """Return at most so many passages, evenly spaced."""
        if len(self.source) <= most:
            return self
        rows = np.linspace(0, len(self.source) - 1, most).astype(np.int64)
        return Grid(self.source.taken(rows), self.target.taken(rows))


@dataclass(frozen=True, eq=False)
class View:
    """The words of a grid, seen in a way, and the pairs that they make.

    ``cells`` has the number of the pair in each cell; ``pair_source`` and ``pair_target`` the two
    words of each pair.
    """

    source: I32
    target: I32
    sources: int
    targets: int
    cells: I32
    pair_source: I32
    pair_target: I32

    @classmethod
    def of(cls, grid: Grid, target: I32) -> View:
        """Number the pairs of a grid whose target words have these numbers."""
        source, rows, firsts = grid.source.numbers, grid.source.rows, grid.firsts
        starts = grid.target.starts
        targets = int(target.max(initial=-1)) + 1
        cells = np.empty(firsts[-1], np.int32)
        pairs = number_pairs(
            np.argsort(source, kind="stable"), rows, source, starts, target, firsts,
            np.full(targets, -1, np.int32), np.zeros(targets, np.int32), cells,
        )  # fmt: skip
        named = np.zeros((2, pairs), np.int32)
        name_pairs(rows, source, starts, target, firsts, cells, named[0], named[1])
        return cls(source, target, len(grid.source.vocabulary), targets, cells, named[0], named[1])


def beginnings(words: Words, letters: int) -> I32:
    """Return the number of the first letters of each token's word.

    >>> beginnings(Words.of([["hand", "hands"], ["foot", "hang"]]), 3).tolist()
    [0, 0, 1, 0]
    """
    return _renumbered(words, lambda word: word[:letters])


def endings(words: Words, letters: int) -> I32:
    """Return the number of the last letters of each token's word.

    >>> endings(Words.of([["hand", "land"], ["foot"]]), 3).tolist()
    [0, 0, 1]
    """
    return _renumbered(words, lambda word: word[-letters:])


def _renumbered(words: Words, seen: Callable[[str], str]) -> I32:
    known: dict[str, int] = {}
    numbers = [known.setdefault(seen(word), len(known)) for word in words.vocabulary]
    return np.array(numbers, np.int32)[words.numbers]
