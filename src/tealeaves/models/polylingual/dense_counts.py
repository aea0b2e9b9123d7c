"""The counts of the dense sampler: a table of words and topics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.compiling.intrinsics import LANES
from tealeaves.models.polylingual.kernels.dense import sample_dense, weigh_dense

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from tealeaves.compiling.arrays import F64, I32, I64
    from tealeaves.models.polylingual.layout import Layout

_LINE = 64  # bytes of a line of the processor's cache


def aligned(size: int, kind: Any) -> Any:
    """Return zeros that begin where a line of the processor's cache begins."""
    width = np.dtype(kind).itemsize
    room = np.zeros(size * width + _LINE, dtype=np.uint8)
    begin = -room.ctypes.data % _LINE
    return room[begin : begin + size * width].view(kind)


def padded(values: F64, width: int) -> F64:
    """Return a row with zeros added to its end."""
    row: F64 = aligned(width, np.float64)
    row[: len(values)] = values
    return row


@dataclass(eq=False)
class DenseCounts:
    """How often each word, and each language, has each topic; rows are padded with zeros."""

    layout: Layout
    k: int
    table: I32
    totals: I32

    @classmethod
    def of(cls, layout: Layout, k: int, topics: I32) -> DenseCounts:
        """Count."""
        made = cls.empty(layout, k)
        width = made.width
        places = layout.token_rows * width + topics
        made.table[:] = np.bincount(places, minlength=len(made.table))
        places = layout.token_languages * width + topics
        made.totals[:] = np.bincount(places, minlength=len(made.totals))
        return made

    @classmethod
    def empty(cls, layout: Layout, k: int) -> DenseCounts:
        """Make counts of nothing."""
        width = -(-k // LANES) * LANES
        rows = int(layout.rows[-1])
        table, totals = (aligned(n * width, np.int32) for n in (rows, layout.languages))
        return cls(layout, k, table, totals)

    @property
    def width(self) -> int:
        """The length of a row."""
        return -(-self.k // LANES) * LANES

    @property
    def cells(self) -> int:
        """How much there is to copy for a part."""
        return len(self.table)

    def assign(self, other: DenseCounts) -> None:
        """Take over all counts of another."""
        np.copyto(self.table, other.table)
        np.copyto(self.totals, other.totals)

    def merge(self, part: DenseCounts, base: DenseCounts) -> None:
        """Add what sampling a part has changed; ``part`` is spoilt by it."""
        for own, changed, before in (
            (self.table, part.table, base.table),
            (self.totals, part.totals, base.totals),
        ):
            np.subtract(changed, before, out=changed)
            np.add(own, changed, out=own)

    def replay(self, before: I32, topics: I32) -> None:
        """Do nothing: all changes have been merged."""

    def sample(self, topics: I32, alpha: F64, beta: F64, span: tuple[int, int], key: int) -> None:
        """Sample the topics of the tokens of some tuples."""
        sample_dense(*span, self.layout.languages, self.k, key, *self._arrays(topics, alpha, beta))

    def conditional(self, topics: I32, alpha: F64, beta: F64, token: int) -> F64:
        """Return how likely each topic is for a token, given the topics of all others."""
        arrays = self._arrays(topics, alpha, beta)
        weigh_dense(self.layout.tuple_of(token), token, self.layout.languages, *arrays)
        sums = arrays[-1].reshape(-1, LANES)
        weights = np.diff(sums, axis=0, prepend=0.0).ravel()[: self.k]
        return np.asarray(weights / weights.sum(), dtype=np.float64)

    @cached_property
    def _rooms(self) -> Any:
        """Room to work in: alpha, mixed, shares, factors, sums."""
        width = self.width
        shares = aligned(len(self.totals), np.float64)
        alpha, factors, sums = (aligned(width, np.float64) for _ in range(3))
        return alpha, aligned(width, np.int32), shares, factors, sums

    def _arrays(self, topics: I32, alpha: F64, beta: F64) -> tuple[Any, ...]:
        layout, (padded_alpha, *rooms) = self.layout, self._rooms
        sizes = beta * np.maximum(layout.vocabulary, 1)
        padded_alpha[: self.k] = alpha
        np.divide(1.0, self.totals + np.repeat(sizes, self.width), out=rooms[1])
        return (
            layout.starts, layout.words, topics, layout.rows, self.table, self.totals,
            padded_alpha, beta, sizes, *rooms,
        )  # fmt: skip

    def word_topics(self) -> I32:
        """Return how often each word has each topic, a row a word, all languages' words in turn."""
        return self.table.reshape(-1, self.width)[:, : self.k]

    def language_topics(self) -> I64:
        """Return how many tokens of each language have each topic."""
        return self.totals.reshape(-1, self.width)[:, : self.k].astype(np.int64)

    def word_counts(self, language: int) -> I64:
        """Return how many pairs of a word and a topic occur once, twice and so on; 0 at place 0."""
        first, last = self.layout.rows[language : language + 2] * self.width
        found = np.bincount(self.table[first:last], minlength=1)
        found[0] = 0
        return found

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what cannot be counted again: nothing."""
        return {}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Do nothing: all has been counted again."""
