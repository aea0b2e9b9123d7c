"""The counts of the sparse sampler: of each word only the topics that it has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.compiling.intrinsics import LANES
from tealeaves.models.polylingual.dense_counts import aligned
from tealeaves.models.polylingual.kernels.rows import fill_rows, move_tokens
from tealeaves.models.polylingual.kernels.sparse import sample_sparse, weigh_sparse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from tealeaves.compiling.arrays import F64, I32, I64
    from tealeaves.models.polylingual.layout import Layout

_LIGHT = 4  # copying a cell takes so much less, against sampling a token, than in a dense table


@dataclass(eq=False)
class SparseCounts:
    """The topics of each word and how often it has them, as :mod:`.kernels.sparse` lays them out.

    ``totals`` says how often each language has each topic.
    """

    layout: Layout
    k: int
    begins: I64
    lengths: I32
    places: I32
    counts: I32
    totals: I32

    @classmethod
    def of(cls, layout: Layout, k: int, topics: I32) -> SparseCounts:
        """Count."""
        made = cls.empty(layout, k)
        fill_rows(topics, layout.token_rows, made.begins, made.lengths, made.places, made.counts)
        made._add_totals(topics)
        return made

    @classmethod
    def empty(cls, layout: Layout, k: int) -> SparseCounts:
        """Make counts of nothing, with room for all topics that words can have."""
        frequency = np.bincount(layout.token_rows, minlength=int(layout.rows[-1]))
        room = -(-np.minimum(frequency, k) // LANES) * LANES
        begins = np.concatenate([[0], np.cumsum(room)]).astype(np.int64)
        places, counts = (aligned(int(begins[-1]), np.int32) for _ in range(2))
        places[:] = k
        totals = aligned(layout.languages * (k // LANES + 1) * LANES, np.int32)
        return cls(layout, k, begins, np.zeros(len(frequency), np.int32), places, counts, totals)

    @property
    def width(self) -> int:
        """The length of a row of all topics, with room for one that has no weight."""
        return (self.k // LANES + 1) * LANES

    @property
    def cells(self) -> int:
        """How much there is to copy for a part, in cells of a dense table."""
        return len(self.places) // _LIGHT

    def assign(self, other: SparseCounts) -> None:
        """Take over all counts of another."""
        for name in ("lengths", "places", "counts", "totals"):
            np.copyto(getattr(self, name), getattr(other, name))

    def merge(self, part: SparseCounts, base: SparseCounts) -> None:
        """Do nothing: the order of topics in a row must not depend on which part ends first."""

    def replay(self, before: I32, topics: I32) -> None:
        """Move all tokens whose topic has changed."""
        rows = self.begins, self.lengths, self.places, self.counts
        move_tokens(before, topics, self.layout.token_rows, *rows, self.k)
        self._add_totals(topics)

    def _add_totals(self, topics: I32) -> None:
        places = self.layout.token_languages * self.width + topics
        self.totals[:] = np.bincount(places, minlength=len(self.totals))

    def sample(self, topics: I32, alpha: F64, beta: F64, span: tuple[int, int], key: int) -> None:
        """Sample the topics of the tokens of some tuples."""
        arrays = self._arrays(topics, alpha, beta)
        sample_sparse(*span, self.layout.languages, self.k, key, *arrays)

    def conditional(self, topics: I32, alpha: F64, beta: F64, token: int) -> F64:
        """Return how likely each topic is for a token, given the topics of all others."""
        arrays, weights = self._arrays(topics, alpha, beta), np.zeros(self.k + 1)
        weigh_sparse(self.layout.tuple_of(token), token, self.layout.languages, *arrays, weights)
        sums = arrays[-2].reshape(-1, LANES)
        smoothing = np.diff(sums, axis=0, prepend=0.0).ravel()[: self.k]
        smoothing *= beta[self.layout.language_of(token)]
        return np.asarray((weights[: self.k] + smoothing) / weights[self.k], dtype=np.float64)

    @cached_property
    def _rooms(self) -> Any:
        """Room to work in: alpha, mixed, present, where, shares, factors, sums, row sums."""
        mixed, present, where = (aligned(self.width, np.int32) for _ in range(3))
        alpha, factors, sums, row_sums = (aligned(self.width, np.float64) for _ in range(4))
        shares = aligned(len(self.totals), np.float64)
        return alpha, mixed, present, where, shares, factors, sums, row_sums

    def _arrays(self, topics: I32, alpha: F64, beta: F64) -> tuple[Any, ...]:
        layout, (padded_alpha, *rooms) = self.layout, self._rooms
        sizes = beta * np.maximum(layout.vocabulary, 1)
        padded_alpha[: self.k] = alpha
        np.divide(1.0, self.totals + np.repeat(sizes, self.width), out=rooms[3])
        return (
            layout.starts, layout.words, topics, layout.rows, self.begins, self.lengths,
            self.places, self.counts, self.totals, padded_alpha, beta, sizes, *rooms,
        )  # fmt: skip

    def word_topics(self) -> I32:
        """Return how often each word has each topic: a row a word, all languages' words in turn."""
        rows = np.repeat(np.arange(len(self.lengths)), np.diff(self.begins))
        table = np.zeros((len(self.lengths), self.k + 1), dtype=np.int32)
        table[rows, self.places] = self.counts
        return table[:, : self.k]

    def language_topics(self) -> I64:
        """Return how many tokens of each language have each topic."""
        return self.totals.reshape(-1, self.width)[:, : self.k].astype(np.int64)

    def word_counts(self, language: int) -> I64:
        """Return how many pairs of a word and a topic occur once, twice and so on; 0 at place 0."""
        first, last = self.begins[self.layout.rows[language : language + 2]]
        found = np.bincount(self.counts[first:last], minlength=1)
        found[0] = 0
        return found

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what cannot be counted again: the order of topics in rows."""
        return {"places": self.places.copy()}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Put topics into the order that they had; refuse others."""
        wanted = np.asarray(arrays["places"], dtype=np.int32)
        rows = np.repeat(np.arange(len(self.lengths)), np.diff(self.begins))
        if wanted.shape != self.places.shape:
            raise ValueError("the topics of words are others")
        own, theirs = (np.lexsort((places, rows)) for places in (self.places, wanted))
        if not np.array_equal(self.places[own], wanted[theirs]):
            raise ValueError("the topics of words are others")
        filled = np.arange(len(rows)) - self.begins[rows] < self.lengths[rows]
        if not np.array_equal(wanted == self.k, ~filled):
            raise ValueError("the topics of words have gaps")
        counts = np.empty_like(self.counts)
        counts[theirs] = self.counts[own]
        np.copyto(self.places, wanted)
        np.copyto(self.counts, counts)
