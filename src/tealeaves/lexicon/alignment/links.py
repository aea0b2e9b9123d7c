"""``Links``: which target words each source word is aligned with, and how probable that is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.arrays import offsets

if TYPE_CHECKING:
    from tealeaves.kernels import F32, I32, I64


@dataclass(frozen=True, eq=False)
class Links:
    """The links of all source tokens, in the order of the tokens.

    Source token s (counted through all passages) is linked with the target words at the places
    ``places[starts[s]:starts[s + 1]]`` of its passage, in ascending order. ``probabilities`` are
    those of the links; all are 1 if the aligner has none.

    >>> links = Links.of(3, [(0, 2, 0.9), (2, 0, 1.0), (0, 1, 0.25)])
    >>> links.places.tolist(), links.starts.tolist(), links.probabilities.tolist()
    ([1, 2, 0], [0, 2, 2, 3], [0.25, 0.8999999761581421, 1.0])
    """

    starts: I64
    places: I32
    probabilities: F32

    @classmethod
    def of(cls, tokens: int, links: Iterable[tuple[int, int, float]]) -> Links:
        """Make links of triples: source token, place of the target word, probability."""
        triples = list(links)
        return cls.from_arrays(
            tokens,
            np.array([source for source, _, _ in triples], np.int64),
            np.array([place for _, place, _ in triples], np.int32),
            np.array([probability for _, _, probability in triples], np.float32),
        )

    @classmethod
    def from_arrays(
        cls, tokens: int, sources: I64, places: I32, probabilities: F32 | None = None
    ) -> Links:
        """Make links of arrays in any order, with one element for each link.

        >>> Links.from_arrays(2, np.array([1, 0, 1]), np.array([3, 0, 1])).places.tolist()
        [0, 1, 3]
        """
        order = np.lexsort((places, sources))
        starts = offsets(np.bincount(sources, minlength=tokens))
        if probabilities is None:
            probabilities = np.ones(len(order), np.float32)
        return cls(starts, places[order].astype(np.int32), probabilities[order].astype(np.float32))

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def tokens(self) -> I64:
        """The source token of each link."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def of_token(self, token: int) -> tuple[I32, F32]:
        """Return the places and probabilities of one source token."""
        part = slice(self.starts[token], self.starts[token + 1])
        return self.places[part], self.probabilities[part]

    def above(self, least: float) -> Links:
        """Return the links of at least this probability."""
        kept = self.probabilities >= least
        before = offsets(kept)
        return Links(before[self.starts], self.places[kept], self.probabilities[kept])

    def reversed(self, passages: I64, others: I64) -> Links:
        """Return the same links as links of the tokens of the other side.

        Parameters
        ----------
        passages
            Where the tokens of each passage begin on this side: ``Words.starts``.
        others
            The same of the other side.

        >>> there = Links.of(3, [(0, 1, 0.5), (1, 1, 1.0), (2, 0, 1.0)])
        >>> back = there.reversed(np.array([0, 2, 3]), np.array([0, 2, 4]))
        >>> back.starts.tolist(), back.places.tolist(), back.probabilities.tolist()
        ([0, 0, 2, 3, 3], [0, 1, 0], [0.5, 1.0, 1.0])
        """
        rows = np.searchsorted(passages, self.tokens, side="right") - 1
        places = (self.tokens - passages[rows]).astype(np.int32)
        return Links.from_arrays(
            int(others[-1]), others[rows] + self.places, places, self.probabilities
        )
