"""How often each word has each topic: a full table, or of each word only the topics it has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.arrays import offsets
from tealeaves.models.polylingual.kernels.dense import (
    DenseBuffers,
    TopicTotals,
    TupleWords,
    sample_dense,
    weigh_dense,
)
from tealeaves.models.polylingual.kernels.lanes import LANES
from tealeaves.models.polylingual.kernels.sparse import (
    SparseBuffers,
    WordRows,
    fill_rows,
    move_tokens,
    sample_sparse,
    weigh_sparse,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tealeaves.arrays import Array
    from tealeaves.kernels import F64, I32, I64
    from tealeaves.models.polylingual.dirichlet import Priors
    from tealeaves.models.texts import TrainingTexts

_LINE = 64  # bytes of a line of the processor's cache
# against the time to sample a token, a cell is copied so many times faster than with dense counts
_SPARSE_DISCOUNT = 4


def aligned_zeros(size: int, kind: Any) -> Any:
    """Return zeros that begin where a line of the processor's cache begins."""
    width = np.dtype(kind).itemsize
    memory = np.zeros(size * width + _LINE, dtype=np.uint8)
    begin = -memory.ctypes.data % _LINE
    return memory[begin : begin + size * width].view(kind)


def padded(size: int) -> int:
    """Return the length of a row of ``size`` numbers, filled up for the vector unit."""
    return -(-size // LANES) * LANES


def dense_buffers(width: int) -> DenseBuffers:
    """Return memory for the samplers that weigh every topic."""
    factors, sums = (aligned_zeros(width, np.float64) for _ in range(2))
    return DenseBuffers(aligned_zeros(width, np.int32), factors, sums)


@dataclass(eq=False)
class TopicCounts:
    """The counts of a chain.

    A sweep over several parts samples each part with its own copy of the counts, and then brings
    the changes together: a table by ``add_changes``, part by part; lists of topics, whose order
    must not depend on which part ends first, by ``apply_moves`` when all parts have ended.

    Parameters
    ----------
    width
        The padded length of a row that has all topics.
    totals
        How often each language has each topic, in padded rows.
    """

    texts: TrainingTexts
    k: int
    width: int
    totals: I32

    def add_changes(self, part: Any, base: Any) -> None:
        """Add the changes of a part since ``base``; ``part`` is overwritten."""

    def apply_moves(self, before: I32, topics: I32) -> None:
        """Move all tokens whose topic has changed."""

    def arrays(self) -> dict[str, Array]:
        """Return what cannot be counted again."""
        return {}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Take over what :meth:`arrays` returned."""

    def language_topics(self) -> I64:
        """Return how many tokens of each language have each topic."""
        return self.totals.reshape(-1, self.width)[:, : self.k].astype(np.int64)

    def _count_totals(self, topics: I32) -> None:
        places = self.texts.token_languages * self.width + topics
        self.totals[:] = np.bincount(places, minlength=len(self.totals))

    @cached_property
    def _words(self) -> TupleWords:
        texts = self.texts
        return TupleWords(len(texts.languages), texts.starts, texts.words, texts.offsets)

    @cached_property
    def _padded_priors(self) -> tuple[F64, F64]:
        """Memory of the padded alpha and of the shares 1 / (n_lk + V_l * beta_l)."""
        return aligned_zeros(self.width, np.float64), aligned_zeros(len(self.totals), np.float64)

    def _topic_totals(self, priors: Priors) -> TopicTotals:
        alpha, shares = self._padded_priors
        sizes = priors.beta * np.maximum(self.texts.vocabulary_sizes, 1)
        alpha[: self.k] = priors.alpha
        np.divide(1.0, self.totals + np.repeat(sizes, self.width), out=shares)
        return TopicTotals(self.k, alpha, priors.beta, sizes, self.totals, shares)

    def _tuple_of(self, token: int) -> int:
        place = int(np.searchsorted(self.texts.starts, token, side="right") - 1)
        return place // len(self.texts.languages)


@dataclass(eq=False)
class DenseCounts(TopicCounts):
    """A table of words and topics; rows are padded with zeros."""

    table: I32

    @classmethod
    def of(cls, texts: TrainingTexts, k: int, topics: I32) -> DenseCounts:
        """Count the topics of all tokens."""
        counts = cls.empty(texts, k)
        places = texts.token_rows * counts.width + topics
        counts.table[:] = np.bincount(places, minlength=len(counts.table))
        counts._count_totals(topics)
        return counts

    @classmethod
    def empty(cls, texts: TrainingTexts, k: int) -> DenseCounts:
        """Return counts of no tokens."""
        width = padded(k)
        rows = int(texts.offsets[-1])
        table, totals = (aligned_zeros(n * width, np.int32) for n in (rows, len(texts.languages)))
        return cls(texts, k, width, totals, table)

    @property
    def cells(self) -> int:
        """The number of cells of the table."""
        return len(self.table)

    def copy_from(self, other: DenseCounts) -> None:
        """Take over all counts of another."""
        np.copyto(self.table, other.table)
        np.copyto(self.totals, other.totals)

    def add_changes(self, part: DenseCounts, base: DenseCounts) -> None:
        """Add the changes of a part since ``base``; ``part`` is overwritten."""
        for sums, changed, before in (
            (self.table, part.table, base.table),
            (self.totals, part.totals, base.totals),
        ):
            np.subtract(changed, before, out=changed)
            np.add(sums, changed, out=sums)

    def sample(self, topics: I32, priors: Priors, span: tuple[int, int], key: int) -> None:
        """Sample the topics of the tokens of some tuples."""
        totals = self._topic_totals(priors)
        sample_dense(*span, key, self._words, topics, self.table, totals, self._buffers)

    def conditional(self, topics: I32, priors: Priors, token: int) -> F64:
        """Return how likely each topic is for a token, given the topics of all others."""
        d, totals, buffers = self._tuple_of(token), self._topic_totals(priors), self._buffers
        weigh_dense(d, token, self._words, topics, self.table, totals, buffers)
        sums = buffers.sums.reshape(-1, LANES)
        weights = np.diff(sums, axis=0, prepend=0.0).ravel()[: self.k]
        return np.asarray(weights / weights.sum(), dtype=np.float64)

    @cached_property
    def _buffers(self) -> DenseBuffers:
        return dense_buffers(self.width)

    def word_topics(self) -> I32:
        """Return how often each word has each topic: one row per word, language by language."""
        return self.table.reshape(-1, self.width)[:, : self.k]

    def word_counts(self, language: int) -> I32:
        """Return how often words of a language have topics, in any order, with zeros."""
        first, last = self.texts.offsets[language : language + 2] * self.width
        return self.table[first:last]


@dataclass(eq=False)
class SparseCounts(TopicCounts):
    """The topics of each word and how often it has them, laid out as in :mod:`.kernels.sparse`."""

    begins: I64
    lengths: I32
    places: I32
    counts: I32

    @classmethod
    def of(cls, texts: TrainingTexts, k: int, topics: I32) -> SparseCounts:
        """Count the topics of all tokens."""
        counts = cls.empty(texts, k)
        fill_rows(topics, texts.token_rows, counts._rows)
        counts._count_totals(topics)
        return counts

    @classmethod
    def empty(cls, texts: TrainingTexts, k: int) -> SparseCounts:
        """Return counts of no tokens, with space for all topics that words can have."""
        frequency = np.bincount(texts.token_rows, minlength=int(texts.offsets[-1]))
        sizes = -(-np.minimum(frequency, k) // LANES) * LANES
        begins = offsets(sizes)
        places, counts = (aligned_zeros(int(begins[-1]), np.int32) for _ in range(2))
        places[:] = k
        width = padded(k + 1)  # with a place for a topic that has no weight
        totals = aligned_zeros(len(texts.languages) * width, np.int32)
        lengths = np.zeros(len(frequency), np.int32)
        return cls(texts, k, width, totals, begins, lengths, places, counts)

    @property
    def cells(self) -> int:
        """How many cells are copied for a part, as cells of a dense table."""
        return len(self.places) // _SPARSE_DISCOUNT

    def copy_from(self, other: SparseCounts) -> None:
        """Take over all counts of another."""
        for name in ("lengths", "places", "counts", "totals"):
            np.copyto(getattr(self, name), getattr(other, name))

    def apply_moves(self, before: I32, topics: I32) -> None:
        """Move all tokens whose topic has changed."""
        move_tokens(before, topics, self.texts.token_rows, self._rows, self.k)
        self._count_totals(topics)

    def sample(self, topics: I32, priors: Priors, span: tuple[int, int], key: int) -> None:
        """Sample the topics of the tokens of some tuples."""
        totals = self._topic_totals(priors)
        sample_sparse(*span, key, self._words, topics, self._rows, totals, self._buffers)

    def conditional(self, topics: I32, priors: Priors, token: int) -> F64:
        """Return how likely each topic is for a token, given the topics of all others."""
        d, totals, buffers = self._tuple_of(token), self._topic_totals(priors), self._buffers
        weights = np.zeros(self.k + 1)
        weigh_sparse(d, token, self._words, topics, self._rows, totals, buffers, weights)
        sums = buffers.sums.reshape(-1, LANES)
        smoothing = np.diff(sums, axis=0, prepend=0.0).ravel()[: self.k]
        smoothing *= priors.beta[self.texts.token_languages[token]]
        return np.asarray((weights[: self.k] + smoothing) / weights[self.k], dtype=np.float64)

    @cached_property
    def _rows(self) -> WordRows:
        return WordRows(self.begins, self.lengths, self.places, self.counts)

    @cached_property
    def _buffers(self) -> SparseBuffers:
        mixed, present, where = (aligned_zeros(self.width, np.int32) for _ in range(3))
        factors, sums, row_sums = (aligned_zeros(self.width, np.float64) for _ in range(3))
        return SparseBuffers(mixed, present, where, factors, sums, row_sums)

    def word_topics(self) -> I32:
        """Return how often each word has each topic: one row per word, language by language."""
        rows = np.repeat(np.arange(len(self.lengths)), np.diff(self.begins))
        table = np.zeros((len(self.lengths), self.k + 1), dtype=np.int32)
        table[rows, self.places] = self.counts
        return table[:, : self.k]

    def word_counts(self, language: int) -> I32:
        """Return how often words of a language have topics, in any order, with zeros."""
        first, last = self.begins[self.texts.offsets[language : language + 2]]
        return self.counts[first:last]

    def arrays(self) -> dict[str, Array]:
        """Return what cannot be counted again: the order of topics in rows."""
        return {"places": self.places.copy()}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Put topics into the order that they had; refuse others."""
        saved = np.asarray(arrays["places"], dtype=np.int32)
        rows = np.repeat(np.arange(len(self.lengths)), np.diff(self.begins))
        if saved.shape != self.places.shape:
            raise ValueError("the topics of words differ")
        counted, theirs = (np.lexsort((places, rows)) for places in (self.places, saved))
        if not np.array_equal(self.places[counted], saved[theirs]):
            raise ValueError("the topics of words differ")
        filled = np.arange(len(rows)) - self.begins[rows] < self.lengths[rows]
        if not np.array_equal(saved == self.k, ~filled):
            raise ValueError("the topics of words have gaps")
        counts = np.empty_like(self.counts)
        counts[theirs] = self.counts[counted]
        np.copyto(self.places, saved)
        np.copyto(self.counts, counts)
