"""Texts through the network, chunk by chunk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.evidence.relevance.asking import Asking
from tealeaves.evidence.relevance.batches import in_batches
from tealeaves.evidence.relevance.collecting import Collector, summed_statistics
from tealeaves.evidence.relevance.frame import Frame
from tealeaves.evidence.relevance.heads import HeadStatistics
from tealeaves.evidence.relevance.memory import free, is_memory_error, too_little
from tealeaves.evidence.relevance.relevance import Relevance
from tealeaves.evidence.relevance.running import Run, run
from tealeaves.evidence.relevance.sampling import Chosen

if TYPE_CHECKING:
    from tealeaves.evidence.relevance.network.network import Network

_PIECES = 1024  # in a batch: more are not faster, and take a gigabyte of memory


class Passing:
    """Lets chunks of texts through a network.

    Parameters
    ----------
    network
        A classifier's.
    asking
        What is asked of the texts.
    improved
        Whether Improved LRP is wanted, which takes most of the time.
    by_head
        Whether each head is kept by itself.
    """

    def __init__(self, network: Network, asking: Asking, *, improved: bool, by_head: bool) -> None:
        self.network = network
        self.asking = asking
        self.improved = improved
        self.by_head = by_head
        self._pieces = _PIECES

    def relevance(self, texts: Sequence[Chosen], frame: Frame) -> Relevance:
        """Return the relevance of a chunk."""
        collector = Collector(frame, by_head=self.by_head)
        numbers = {one: number for number, one in enumerate(texts)}
        for batch, found in self._runs(texts, improved=self.improved):
            collector.add(found, np.array([numbers[one] for one in batch]))
        return collector.relevance(texts)

    def statistics(self, texts: Sequence[Chosen]) -> HeadStatistics:
        """Return how confident and how important the heads are in some texts."""
        found = self._runs(texts, improved=False)
        return summed_statistics(
            [HeadStatistics.of_texts(one.confidence, one.relevance) for _, one in found]
        )

    def _runs(
        self, texts: Sequence[Chosen], *, improved: bool
    ) -> Iterator[tuple[Sequence[Chosen], Run]]:
        """Yield batch by batch: the numbers of all pairs of a chunk would take much memory."""
        waiting = list(texts)
        while waiting:
            batch = next(in_batches(waiting, self._pieces))
            try:
                done = run(self.network, self.asking.batch(batch), batch, improved=improved)
            except (RuntimeError, MemoryError) as error:
                self._make_smaller(error, batch)
                continue
            yield batch, done
            passed = set(batch)
            waiting = [one for one in waiting if one not in passed]

    def _make_smaller(self, error: Exception, batch: Sequence[Chosen]) -> None:
        """Where memory is too small, go on with smaller batches."""
        if not is_memory_error(error):
            raise error
        device = self.network.device
        free(device)
        if len(batch) == 1:
            what = f"a text of {len(batch[0].text)} word pieces"
            raise too_little(device, what, "fit the classifier with a smaller longest") from error
        self._pieces = max(1, len(batch) // 2) * max(len(one.text) for one in batch)
