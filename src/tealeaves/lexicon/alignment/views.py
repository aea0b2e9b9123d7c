"""Views of the words of a bitext: whole, by their beginnings, by their ends.

Aligners make most errors with rare forms, and inflected languages have many. The forms of a word
share their first or last letters, so that one form helps to align the others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.arrays import offsets
from tealeaves.lexicon.alignment.kernels.pairs import TokenCells, name_pairs, number_pairs
from tealeaves.lexicon.words import Words

if TYPE_CHECKING:
    from tealeaves.kernels import I32, I64

#: The numbers of letters that beginnings and ends may have.
LENGTHS = (2, 3, 4, 5)


@dataclass(frozen=True, eq=False)
class TokenGrid:
    """The cells of a bitext: all pairs of a source and a target token of the same passage.

    Parameters
    ----------
    source, target
        The same number of passages in both languages.
    """

    source: Words
    target: Words

    @property
    def starts(self) -> I64:
        """The first cell of each passage, and where the last ends."""
        return offsets(np.diff(self.source.starts) * np.diff(self.target.starts))

    @property
    def firsts(self) -> I64:
        """The first cell of each source token, and where the last ends."""
        return offsets(np.diff(self.target.starts)[self.source.rows])

    def tokens(self, target: I32) -> TokenCells:
        """Return the tokens and their cells; the target words have these numbers."""
        source = self.source
        return TokenCells(source.rows, source.numbers, self.target.starts, target, self.firsts)

    def sample(self, most: int) -> TokenGrid:
        """Return at most so many passages, evenly spaced."""
        if len(self.source) <= most:
            return self
        rows = np.linspace(0, len(self.source) - 1, most).astype(np.int64)
        return TokenGrid(self.source.taken(rows), self.target.taken(rows))


@dataclass(frozen=True, eq=False)
class WordView:
    """The words of a grid in one view, and their pairs.

    ``source`` and ``target`` are the numbers of the tokens' words. ``cells`` has the number of the
    pair in each cell, ``pair_source`` and ``pair_target`` the two words of each pair.
    """

    source: I32
    target: I32
    cells: I32
    pair_source: I32
    pair_target: I32

    @classmethod
    def of(cls, grid: TokenGrid, target: I32) -> WordView:
        """Number the pairs of a grid whose target words have these numbers."""
        tokens, source = grid.tokens(target), grid.source.numbers
        targets = int(target.max(initial=-1)) + 1
        last_pairs = np.full(2 * targets, -1, np.int32)
        cells = np.empty(tokens.firsts[-1], np.int32)
        order = np.argsort(source, kind="stable")
        pairs = np.zeros((2, number_pairs(order, tokens, last_pairs, cells)), np.int32)
        name_pairs(tokens, cells, pairs[0], pairs[1])
        return cls(source, target, cells, pairs[0], pairs[1])


def beginnings(words: Words, letters: int) -> I32:
    """Return the number of the first letters of each token's word.

    >>> beginnings(Words.of([["hand", "hands"], ["foot", "hang"]]), 3).tolist()
    [0, 0, 1, 0]
    """
    return _numbered(words, lambda word: word[:letters])


def endings(words: Words, letters: int) -> I32:
    """Return the number of the last letters of each token's word.

    >>> endings(Words.of([["hand", "land"], ["foot"]]), 3).tolist()
    [0, 0, 1]
    """
    return _numbered(words, lambda word: word[-letters:])


def _numbered(words: Words, part: Callable[[str], str]) -> I32:
    return words.mapped(part).numbers
