"""From what batches say of pairs of places to relevance, which adds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.evidence.relevance.frame import Frame
from tealeaves.evidence.relevance.heads import HeadStatistics
from tealeaves.evidence.relevance.relevance import Relevance
from tealeaves.evidence.relevance.rowwise import of_chunk
from tealeaves.evidence.relevance.running import Run
from tealeaves.evidence.relevance.sampling import Chosen
from tealeaves.evidence.relevance.stamp import RelevanceTotals
from tealeaves.text.fingerprint import Fingerprint

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers


class Collector:
    """Collects the runs of some texts, whose order in the chunk is kept whatever batches they had.

    Parameters
    ----------
    frame
        What is asked for, and which heads are fixed.
    by_head
        Whether each head is kept by itself.
    """

    def __init__(self, frame: Frame, *, by_head: bool) -> None:
        self._frame = frame
        self._by_head = by_head
        self._heads: list[tuple[Integers, Floats]] = []
        self._pairs: list[tuple[Integers, Integers, Floats]] = []  # texts, keys, values
        self._statistics: list[HeadStatistics] = []
        self._undecided = 0

    def add(self, run: Run, numbers: Integers) -> None:
        """Take a run of texts that have these numbers in the chunk."""
        fixed = self._frame.fixed
        layers = np.arange(len(fixed.confident))
        lrp = run.lrp[:, fixed.important].sum(axis=1)
        improved = np.full(len(lrp), np.nan) if run.improved is None else run.improved
        attention = run.attention[:, layers, fixed.confident].mean(axis=1)
        values = np.stack([attention, lrp, improved, np.ones(len(lrp)), lrp > 0], axis=1)
        self._pairs.append((numbers[run.entries.text], run.entries.key, values))
        if self._by_head:
            heads = np.stack([run.attention, run.lrp, run.lrp > 0], axis=1)
            self._heads.append(_summed(run.entries.key, heads))
        self._statistics.append(HeadStatistics.of_texts(run.confidence, run.relevance))
        self._undecided += int(run.undecided.sum())

    def relevance(self, texts: Sequence[Chosen]) -> Relevance:
        """Return the relevance of the texts, all of whose runs were taken."""
        size = len(self._frame.terms) ** 2
        number, keys, values = (np.concatenate(part) for part in zip(*self._pairs, strict=True))
        in_text, by_text = _summed(number * size + keys, values)
        of_text, text_keys = np.divmod(in_text, size)
        row_keys, by_row = _summed(text_keys, by_text[:, 3])
        heads: tuple[Floats | None, ...] = (None, None, None)
        if self._by_head:
            stacked = [np.concatenate(part) for part in zip(*self._heads, strict=True)]
            row_keys, by_head = _summed(*stacked)
            heads = (by_head[:, 0], by_head[:, 1], by_head[:, 2])
        return of_chunk(
            self._frame,
            fingerprint_of(texts),
            RelevanceTotals(
                used=len(texts),
                cut=sum(one.text.cut for one in texts),
                undecided=self._undecided,
            ),
            summed_statistics(self._statistics),
            row_keys,
            by_row.astype(np.int64),
            heads[0],
            heads[1],
            None if heads[2] is None else heads[2].astype(np.int64),
            np.searchsorted(of_text, np.arange(len(texts) + 1)),
            text_keys,
            by_text[:, :3],
            by_text[:, 3].astype(np.int64),
            by_text[:, 4].astype(np.int64),
        )


def summed_statistics(parts: Sequence[HeadStatistics]) -> HeadStatistics:
    """Add the statistics of several batches."""
    found = parts[0]
    for part in parts[1:]:
        found = found + part
    return found


def fingerprint_of(texts: Sequence[Chosen]) -> Fingerprint:
    """Return which texts these are."""
    documents = [one.document for one in texts]
    return Fingerprint.join(Fingerprint.of(d.source, d.position, [d.text]) for d in documents)


def _summed(keys: Integers, values: Floats) -> tuple[Integers, Floats]:
    """Sum the values of each key, in the order in which they come."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    return ordered[starts], np.add.reduceat(values[order], starts, axis=0)
