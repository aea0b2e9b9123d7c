"""Workers: several threads that each count blocks of their own, and the sum of their counts."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from queue import SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.compiling.kernel import Kernel
from tealeaves.errors import TealeavesError
from tealeaves.evidence.counting.blocks import FingerprintBuilder
from tealeaves.evidence.counting.counters import (
    RequestCounter,
    RequestTables,
    counting_kernels,
    group_counters,
)
from tealeaves.evidence.counting.events import TermSearch, term_events
from tealeaves.evidence.counts import Counts, PipelineStamp, Totals
from tealeaves.evidence.requests import CountRequest, Term
from tealeaves.memo import Identity
from tealeaves.text.blocks import TextBlock
from tealeaves.text.digest import DIGESTS
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import U8


class CountingPlan:
    """What all workers share: how terms are found, and the tables of all requests."""

    def __init__(
        self, requests: Sequence[CountRequest], pipeline: Pipeline, *, compiled: bool = True
    ) -> None:
        universe = sorted({term for request in requests for term in request.terms})
        self.search = TermSearch(universe, pipeline, compiled=compiled)
        self.tables = _request_tables(requests, universe, {"": PipelineStamp.of(pipeline)})
        self._compiled = compiled

    @property
    def kernels(self) -> list[Kernel]:
        """All kernels that have to be compiled for it."""
        return self.search.kernels + counting_kernels(self.tables) if self._compiled else []

    def prepare(self) -> None:
        """Load the kernels, or compile them."""
        for kernel in self.kernels:
            kernel.prepare()


def _request_tables(
    requests: Sequence[CountRequest], universe: Sequence[Term], stamps: dict[str, PipelineStamp]
) -> list[RequestTables]:
    """Make the tables of requests; requests for the same terms in other units share theirs."""
    known: dict[tuple[Identity, ...], RequestTables] = {}
    tables = []
    for request in requests:
        key = tuple(map(Identity, (request.terms, request.pairs, request.sets)))
        if key in known:
            tables.append(known[key].for_unit(request.unit))
        else:
            known[key] = RequestTables(Counts.zeros(request, stamps), universe)
            tables.append(known[key])
    return tables


class CountingWorker:
    """Counts blocks, one at a time, and has the sums of those that it counted."""

    def __init__(self, plan: CountingPlan) -> None:
        self._search = plan.search
        self._find_hits = plan.search.finder()
        self._counters = [RequestCounter(tables, plan.search.run) for tables in plan.tables]
        self._groups = group_counters(self._counters, plan.search.run)
        self._read = FingerprintBuilder()
        self._totals = Totals()
        self.skipped = 0, 0  # the number of texts that were skipped, and the sum of their digests

    def add(self, block: TextBlock, skip: Fingerprint) -> None:
        """Count the texts of a block that are not in ``skip``."""
        wanted = _wanted_texts(block, skip)
        hits = self._find_hits(block, wanted)
        events = term_events(hits, self._search.vocabulary, self._search.run)
        for counter in self._groups:
            counter.add(events, hits.lengths)
        self._read.add(block, hits.digests, wanted)
        documents = int(wanted.sum())
        number, digest = self.skipped
        skipped = int(hits.digests[wanted == 0].sum())
        self.skipped = number + block.count - documents, digest + skipped
        self._totals += Totals(
            tokens=int(hits.lengths.sum()),
            documents=documents,
            empty=int((hits.lengths == 0).sum()),
            dropped=hits.dropped,
        )

    def counts(self) -> list[Counts]:
        """Return the counts so far, request by request."""
        fingerprint = self._read.fingerprint()
        return [
            counter.counts(fingerprint, self._totals + Totals(units=counter.units))
            for counter in self._counters
        ]


def _wanted_texts(block: TextBlock, skip: Fingerprint) -> U8:
    wanted = np.ones(block.count, dtype=np.uint8)
    here = 0
    for source, position, count in block.runs:
        for start, stop in skip.runs(source):
            low, high = max(start - position, 0), min(stop - position, count)
            wanted[here + low : here + max(low, high)] = 0
        here += count
    return wanted


class CountingPool:
    """Gives each block to a worker that is free. One worker counts in the thread that reads."""

    def __init__(self, plan: CountingPlan, threads: int) -> None:
        self._plan = plan
        # strings are split in Python, where several threads are no faster than one
        self._threads = threads if plan.search.in_bytes else 1
        self._workers: list[CountingWorker] = []
        self._free: SimpleQueue[CountingWorker] = SimpleQueue()
        self._blocks = 0
        self._failures: dict[int, BaseException] = {}  # by the number of the block
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> CountingPool:
        if self._threads > 1:
            self._pool = ThreadPoolExecutor(self._threads, "tealeaves")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._pool is None:
            return
        self._pool.shutdown()
        if self._failures and (kind is None or issubclass(kind, TealeavesError)):
            raise self._first_failure()  # it comes before the error of the thread that reads

    def _first_failure(self) -> BaseException:
        """Return the error that a single thread would have raised."""
        return self._failures[min(self._failures)]

    def add(self, block: TextBlock, skip: Fingerprint) -> None:
        """Count a block, now or soon; wait while all workers are busy."""
        worker = self._free_worker()
        if self._pool is None:
            worker.add(block, skip)
            self._free.put(worker)
        else:
            self._pool.submit(self._work, self._blocks, worker, block, skip)
            self._blocks += 1

    def _free_worker(self) -> CountingWorker:
        if self._free.empty() and len(self._workers) < self._threads:
            self._workers.append(CountingWorker(self._plan))
            return self._workers[-1]
        worker = self._free.get()
        if self._failures:
            self._free.put(worker)
            self._wait()
        return worker

    def _work(
        self, number: int, worker: CountingWorker, block: TextBlock, skip: Fingerprint
    ) -> None:
        try:
            worker.add(block, skip)
        except BaseException as error:  # noqa: BLE001  # raised again in the thread that reads
            self._failures[number] = error
        finally:
            self._free.put(worker)

    def _wait(self) -> None:
        """Wait until all workers are free; raise the first of their errors."""
        idle = [self._free.get() for _ in self._workers]
        for worker in idle:
            self._free.put(worker)
        if self._failures:
            raise self._first_failure()

    def counts(self) -> list[Counts]:
        """Return the sum of all workers."""
        self._wait()
        if not self._workers:
            self._workers.append(CountingWorker(self._plan))
            self._free.put(self._workers[0])
        return sum_parts([worker.counts() for worker in self._workers])

    @property
    def skipped(self) -> tuple[int, int]:
        """The number of texts that were skipped, and the sum of their digests."""
        numbers, digests = zip(*(worker.skipped for worker in self._workers), strict=True)
        return sum(numbers), sum(digests) % DIGESTS


def sum_parts(parts: Sequence[Sequence[Counts]]) -> list[Counts]:
    """Add parts of one reading, request by request.

    Unlike ``+`` it does not refuse copies: a file that is read in part may look like another.
    """
    fingerprint = Fingerprint.join(part[0].fingerprint for part in parts if part)
    return [
        replace(
            same[0],
            fingerprint=fingerprint,
            totals=sum((one.totals for one in same), Totals()),
            singles=sum(one.singles for one in same),
            pair_counts=sum(one.pair_counts for one in same),
            set_counts=sum(one.set_counts for one in same),
        )
        for same in zip(*parts, strict=True)
    ]
