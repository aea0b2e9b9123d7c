"""Where the tokens of polylingual texts are, and which parts of them are sampled side by side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tealeaves.compiling.arrays import I32, I64

_MOST_PARTS = 16
_LEAST_TOKENS = 250_000  # of a part


class Texts(Protocol):
    """What a sampler needs of :class:`~tealeaves.models.polylingual.texts.PolylingualTexts`."""

    @property
    def vocabularies(self) -> Sequence[Sequence[str]]:
        """The words of each language."""

    @property
    def starts(self) -> I64:
        """Where the tokens of each side begin."""

    @property
    def words(self) -> I32:
        """The word of each token, by its number in the language's vocabulary."""


@dataclass(frozen=True, eq=False)
class Layout:
    """The tokens of texts: those of tuple d in language l lie between two ``starts``."""

    starts: I64
    words: I32
    vocabulary: I64  # the size of each language's

    @classmethod
    def of(cls, texts: Texts) -> Layout:
        """Look at texts as a sampler does."""
        made = cls(
            np.ascontiguousarray(texts.starts, dtype=np.int64),
            np.ascontiguousarray(texts.words, dtype=np.int32),
            np.array([len(words) for words in texts.vocabularies], dtype=np.int64),
        )
        made._check()
        return made

    def _check(self) -> None:
        """Refuse what would lead machine code astray."""
        starts, words = self.starts, self.words
        if (len(starts) - 1) % self.languages or starts[0] != 0 or starts[-1] != len(words):
            raise ValueError("the starts of texts are not those of their words")
        if (np.diff(starts) < 0).any():
            raise ValueError("the starts of texts are not in order")
        if (words < 0).any() or (words >= self.vocabulary[self.token_languages]).any():
            raise ValueError("a word is not in the vocabulary of its language")

    @property
    def languages(self) -> int:
        """The number of languages."""
        return len(self.vocabulary)

    @property
    def tuples(self) -> int:
        """The number of tuples."""
        return (len(self.starts) - 1) // self.languages

    @cached_property
    def rows(self) -> I64:
        """The row of each language's first word, and at the end the number of rows."""
        return np.concatenate([[0], np.cumsum(self.vocabulary)]).astype(np.int64)

    @cached_property
    def lengths(self) -> I64:
        """The number of tokens of each tuple, all languages together."""
        return np.diff(self.starts[:: self.languages])

    @cached_property
    def token_rows(self) -> I64:
        """The row of each token's word."""
        return self.words + self.rows[:-1][self.token_languages]

    @cached_property
    def token_languages(self) -> I64:
        """The language of each token."""
        return np.repeat(np.tile(np.arange(self.languages), self.tuples), np.diff(self.starts))

    def tuple_of(self, token: int) -> int:
        """Return the tuple of a token."""
        return int(np.searchsorted(self.starts, token, side="right") - 1) // self.languages

    def language_of(self, token: int) -> int:
        """Return the language of a token."""
        return int(np.searchsorted(self.starts, token, side="right") - 1) % self.languages

    def divided(self, parts: int) -> list[tuple[int, int]]:
        """Divide the tuples into parts with about as many tokens each."""
        ends = self.starts[:: self.languages]
        wanted = np.arange(1, parts) * (int(ends[-1]) / parts)
        cuts = [0, *np.searchsorted(ends, wanted).tolist(), self.tuples]
        return [(first, max(first, last)) for first, last in pairwise(cuts)]


def number_of_parts(tokens: int, cells: int) -> int:
    """Choose how many parts are sampled side by side: a power of two, 16 at most.

    Each part works on its own copy of the counts. So it has at least as many tokens as there are
    cells (copying and adding one takes about a twentieth of sampling a token), and 250,000 at
    least: smaller texts are sampled fast enough, and a chain of several parts needs more sweeps.

    >>> number_of_parts(40_000, 10_000), number_of_parts(2_000_000, 500_000)
    (1, 4)
    """
    most = min(_MOST_PARTS, tokens // max(cells, _LEAST_TOKENS))
    return int(1 << max(0, int(most).bit_length() - 1))
