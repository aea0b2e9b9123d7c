"""Chunks of texts through the network: batch by batch, collected into relevance, which adds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.evidence.attention.batch_relevance import BatchRelevance, batch_relevance
from tealeaves.evidence.attention.batches import BatchMaker, in_batches
from tealeaves.evidence.attention.devices import free_memory, is_memory_error, memory_error
from tealeaves.evidence.attention.frame import Frame, RelevanceTotals
from tealeaves.evidence.attention.heads import HeadStatistics
from tealeaves.evidence.attention.relevance import PairSums, Relevance, TextSums, of_chunk
from tealeaves.evidence.attention.sample import SampledText, fingerprint_of

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers
    from tealeaves.evidence.attention.network.network import Network

_PIECES = 1024  # in a batch: more are not faster, and take a gigabyte of memory


class ChunkReader:
    """Runs chunks of texts through the network of a classifier.

    ``improved`` tells whether Improved LRP is computed, which takes most of the time, and
    ``by_head`` whether each head is kept by itself.
    """

    def __init__(
        self, network: Network, batches: BatchMaker, *, improved: bool, by_head: bool
    ) -> None:
        self.network = network
        self.batches = batches
        self.improved = improved
        self.by_head = by_head
        self._pieces = _PIECES

    def relevance(self, texts: Sequence[SampledText], frame: Frame) -> Relevance:
        """Return the relevance of a chunk."""
        collector = Collector(frame, by_head=self.by_head)
        numbers = {sampled: number for number, sampled in enumerate(texts)}
        for batch, result in self._results(texts, improved=self.improved):
            collector.add(result, np.array([numbers[sampled] for sampled in batch]))
        return collector.relevance(texts)

    def statistics(self, texts: Sequence[SampledText]) -> HeadStatistics:
        """Return how confident and how important the heads are in some texts."""
        results = self._results(texts, improved=False)
        parts = [HeadStatistics.of_texts(one.confidence, one.relevance) for _, one in results]
        return reduce(add, parts)

    def _results(
        self, texts: Sequence[SampledText], *, improved: bool
    ) -> Iterator[tuple[Sequence[SampledText], BatchRelevance]]:
        """Yield batch by batch: the numbers of all pairs of a chunk would take much memory."""
        waiting = list(texts)
        while waiting:
            batch = next(in_batches(waiting, self._pieces))
            try:
                tensors = self.batches.batch(batch)
                result = batch_relevance(self.network, tensors, batch, improved=improved)
            except (RuntimeError, MemoryError) as error:
                self._reduce_batches(error, batch)
                continue
            yield batch, result
            done = set(batch)
            waiting = [sampled for sampled in waiting if sampled not in done]

    def _reduce_batches(self, error: Exception, batch: Sequence[SampledText]) -> None:
        """Continue with smaller batches if memory was too small, else raise the error."""
        if not is_memory_error(error):
            raise error
        device = self.network.device
        free_memory(device)
        if len(batch) == 1:
            what = f"a text of {len(batch[0].text)} word pieces"
            raise memory_error(device, what, "fit the classifier with a smaller longest") from error
        self._pieces = max(1, len(batch) // 2) * max(len(sampled.text) for sampled in batch)


class Collector:
    """Collects the batches of a chunk; their order does not matter."""

    def __init__(self, frame: Frame, *, by_head: bool) -> None:
        self._frame = frame
        self._by_head = by_head
        self._heads: list[tuple[Integers, Floats]] = []
        self._pairs: list[tuple[Integers, Integers, Floats]] = []  # texts, keys, values
        self._statistics: list[HeadStatistics] = []
        self._undecided = 0

    def add(self, batch: BatchRelevance, numbers: Integers) -> None:
        """Take a batch of texts that have these numbers in the chunk."""
        attention, lrp = batch.of_heads(self._frame.fixed)
        improved = np.full(len(lrp), np.nan) if batch.improved is None else batch.improved
        values = np.stack([attention, lrp, improved, np.ones(len(lrp)), lrp > 0], axis=1)
        self._pairs.append((numbers[batch.entries.text], batch.entries.key, values))
        if self._by_head:
            heads = np.stack([batch.attention, batch.lrp, batch.lrp > 0], axis=1)
            self._heads.append(_sum_by_key(batch.entries.key, heads))
        self._statistics.append(HeadStatistics.of_texts(batch.confidence, batch.relevance))
        self._undecided += int(batch.undecided.sum())

    def relevance(self, texts: Sequence[SampledText]) -> Relevance:
        """Return the relevance of the texts, all of whose batches were taken."""
        size = len(self._frame.terms) ** 2
        number, keys, values = (np.concatenate(part) for part in zip(*self._pairs, strict=True))
        in_text, by_text = _sum_by_key(number * size + keys, values)
        of_text, text_keys = np.divmod(in_text, size)
        row_keys, together = _sum_by_key(text_keys, by_text[:, 3])
        pairs = PairSums(row_keys, together.astype(np.int64))
        if self._by_head:
            stacked = [np.concatenate(part) for part in zip(*self._heads, strict=True)]
            # the keys are the same: every pair of a batch has all heads
            _, heads = _sum_by_key(*stacked)
            attention, lrp, positive = heads[:, 0], heads[:, 1], heads[:, 2].astype(np.int64)
            pairs = pairs._replace(attention=attention, lrp=lrp, positive=positive)
        totals = RelevanceTotals(
            used=len(texts),
            cut=sum(sampled.text.cut for sampled in texts),
            undecided=self._undecided,
        )
        return of_chunk(
            self._frame,
            fingerprint_of(texts),
            totals,
            reduce(add, self._statistics),
            pairs,
            TextSums(
                np.searchsorted(of_text, np.arange(len(texts) + 1)),
                text_keys,
                by_text[:, :3],
                by_text[:, 3].astype(np.int64),
                by_text[:, 4].astype(np.int64),
            ),
        )


def _sum_by_key(keys: Integers, values: Floats) -> tuple[Integers, Floats]:
    """Sum the values of each key, in the order in which they come."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    return ordered[starts], np.add.reduceat(values[order], starts, axis=0)
