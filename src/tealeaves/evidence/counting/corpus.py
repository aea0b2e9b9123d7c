"""``count_corpus``: one reading of a corpus for all counts that were requested."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import EvidenceError, InputError, TealeavesError
from tealeaves.evidence.counting.blocks import (
    FingerprintBuilder,
    ReadingProgress,
    blocks_with_documents,
    source_names_in_errors,
)
from tealeaves.evidence.counting.counters import RequestCounter, RequestTables, group_counters
from tealeaves.evidence.counting.events import TermSearch, term_events
from tealeaves.evidence.counts import Counts, PipelineStamp, Totals
from tealeaves.evidence.requests import CountRequest, Term, join_count_requests
from tealeaves.files import Meter
from tealeaves.kernels import warn_of_python
from tealeaves.memo import Identity
from tealeaves.parameters import check_natural
from tealeaves.system import processors
from tealeaves.text.blocks import BLOCK_BYTES, TextBlock
from tealeaves.text.corpus import Corpus
from tealeaves.text.digest import DIGESTS
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.evidence.texts import TextEncoder
    from tealeaves.kernels import U8


OnCheckpoint = Callable[[list[Counts]], None]

_AGAIN = "or start it again (--restart)"
_CHANGED = (
    "the unfinished count read texts that are not in this corpus: bring them back if they have "
    f"changed, {_AGAIN}"
)


def count_corpus(
    corpus: Corpus,
    pipeline: Pipeline,
    requests: Sequence[CountRequest],
    *,
    threads: int | None = None,
    block_bytes: int = BLOCK_BYTES,
    resume: Sequence[Counts] = (),
    checkpoint: float = 30.0,
    on_checkpoint: OnCheckpoint | None = None,
    stop: Callable[[], bool] = lambda: False,
    progress: bool = False,
    encoder: TextEncoder | None = None,
) -> list[Counts]:
    """Count what the requests ask for, reading the corpus once.

    The counts do not depend on the number of threads nor on the size of blocks.

    Parameters
    ----------
    corpus
        The texts.
    pipeline
        How they become tokens.
    requests
        What is counted, in which units.
    threads
        How many threads count while this one reads; by default one for each processor. With 1
        this thread does both. Pipelines that need Python for each text (``icu``, lemmas, HTML)
        use one.
    block_bytes
        How many bytes of text are counted at a time.
    resume
        The counts of an unfinished reading for the same requests; their documents are skipped.
    checkpoint
        Seconds between two calls of ``on_checkpoint``.
    on_checkpoint
        A function that is called with the counts so far, also when the reading is stopped.
    stop
        A function that is called after each block; if it returns True, the reading stops with
        KeyboardInterrupt.
    progress
        Show a bar on standard error.
    encoder
        Encodes the texts while they are read.

    >>> from tealeaves.evidence.requests import Term
    >>> from tealeaves.evidence.units import Unit
    >>> cat, dog = Term(("cat",)), Term(("dog",))
    >>> corpus = Corpus.of(["a cat and a dog", "a dog", "nothing"])
    >>> request = CountRequest.of(Unit(), [[cat, dog]])
    >>> [counts] = count_corpus(corpus, Pipeline.parse("words"), [request])
    >>> counts.single(dog), counts.pair(cat, dog), counts.totals.units
    (2, 1, 3)
    """
    for name, value in (("threads", threads), ("block_bytes", block_bytes)):
        if value is not None:
            check_natural(name, value)
    with source_names_in_errors(corpus):
        requests = join_count_requests(requests)
        earlier = _resumable_counts(resume, requests, pipeline, corpus)
        skip = earlier[0].fingerprint if earlier else Fingerprint()
        meter = Meter(corpus.size)
        blocks = _read_blocks(corpus, meter, block_bytes, encoder)
        plan = CountingPlan(requests, pipeline, skip=skip)
        saved = time.monotonic()
        with (
            ReadingProgress("counting", [meter], shown=progress) as bar,
            CountingPool(plan, threads or processors()) as pool,
        ):
            read = 0
            for block in blocks:
                warn_of_python(read, read := read + block.size)
                pool.add(block)
                bar.update()
                stopped = stop()
                if on_checkpoint and (stopped or time.monotonic() - saved >= checkpoint):
                    on_checkpoint(pool.counts(earlier))
                    saved = time.monotonic()
                if stopped:
                    raise KeyboardInterrupt
            counts = pool.counts(earlier)
        if pool.skipped != (skip.documents, skip.digest):
            raise EvidenceError(_CHANGED)
        if counts:
            counts[0].fingerprint.check_copies()
        return counts


def _resumable_counts(
    resume: Sequence[Counts], requests: Sequence[CountRequest], pipeline: Pipeline, corpus: Corpus
) -> list[Counts]:
    """Return unfinished counts in the order of the requests; refuse those of another reading."""
    if not resume:
        return []
    by_unit = {counts.unit: counts for counts in resume}
    ordered = [by_unit[request.unit] for request in requests if request.unit in by_unit]
    stamps = {stamp.signature for counts in resume for stamp in counts.pipelines.values()}
    if stamps != {pipeline.signature}:
        used = ", ".join(sorted(stamps))
        raise EvidenceError(f"the unfinished count used other tokens: give {used}, {_AGAIN}")
    if len(resume) != len(requests) or [one.request for one in ordered] != list(requests):
        raise EvidenceError(
            "the unfinished count was for other words, metrics or windows: give the topics and "
            f"metrics that it was begun with, {_AGAIN}"
        )
    if not set(ordered[0].fingerprint.spans) <= corpus.identities:
        raise EvidenceError(_CHANGED)
    return ordered


def _read_blocks(
    corpus: Corpus, meter: Meter, size: int, encoder: TextEncoder | None
) -> Iterator[TextBlock]:
    """Read the corpus in blocks; an encoder sees each of them, with its documents."""
    if encoder is None:
        yield from corpus.blocks(meter, size)
        return
    for documents, block in blocks_with_documents(corpus.documents(meter), size):
        encoder.add(documents, block)
        yield block


def check_not_empty(counts: Sequence[Counts], corpus: Corpus) -> None:
    """Raise an error if a whole corpus has nothing to count."""
    if not counts or counts[0].totals.tokens:
        return
    totals = counts[0].totals
    if not totals.documents:
        why = "it holds no documents"
    elif totals.dropped:
        why = f"of {totals.documents} documents, {totals.dropped} are shorter than min_tokens"
    else:
        why = f"none of its {totals.documents} documents has a token"
    raise InputError(f"{corpus.name}: the corpus is empty: {why}")


# ---------------------------------------------------------------------- threads


class CountingPlan:
    """What all workers share: how terms are found, and the tables of all requests.

    The texts of ``skip`` are not counted.
    """

    def __init__(
        self,
        requests: Sequence[CountRequest],
        pipeline: Pipeline,
        *,
        skip: Fingerprint | None = None,
    ) -> None:
        universe = _universe(requests)
        self.search = TermSearch(universe, pipeline)
        self.tables = _request_tables(requests, universe, {"": PipelineStamp.of(pipeline)})
        self.skip = skip or Fingerprint()


def _universe(requests: Sequence[CountRequest]) -> Sequence[Term]:
    """Return the terms of all requests, sorted."""
    if requests and all(one.terms == requests[0].terms for one in requests):
        return requests[0].sorted_terms()
    return sorted({term for request in requests for term in request.terms})


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
        self._search, self._skip = plan.search, plan.skip
        self._find_hits = plan.search.finder()
        self._counters = [RequestCounter(tables) for tables in plan.tables]
        self._groups = group_counters(self._counters)
        self._read = FingerprintBuilder()
        self._totals = Totals()
        self.skipped = 0, 0  # the number of texts that were skipped, and the sum of their digests

    def add(self, block: TextBlock) -> None:
        """Count the texts of a block."""
        wanted = _wanted_texts(block, self._skip)
        hits = self._find_hits(block, wanted)
        events = term_events(hits, self._search.vocabulary)
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

    def add_to(self, counts: Sequence[Counts]) -> list[Counts]:
        """Add to the arrays of counts of the same requests; return them with all texts."""
        fingerprint = Fingerprint.join(
            [*(one.fingerprint for one in counts[:1]), self._read.fingerprint()]
        )
        return [
            counter.added(one, fingerprint, self._totals)
            for one, counter in zip(counts, self._counters, strict=True)
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

    def add(self, block: TextBlock) -> None:
        """Count a block, now or soon; wait while all workers are busy."""
        worker = self._free_worker()
        if self._pool is None:
            worker.add(block)
            self._free.put(worker)
        else:
            self._pool.submit(self._work, self._blocks, worker, block)
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

    def _work(self, number: int, worker: CountingWorker, block: TextBlock) -> None:
        try:
            worker.add(block)
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

    def counts(self, earlier: Sequence[Counts] = ()) -> list[Counts]:
        """Return the sum of all workers, and of the counts of earlier texts.

        Unlike ``+`` it does not refuse copies: a file that is read in part may look like another.
        """
        self._wait()
        if not self._workers:
            self._workers.append(CountingWorker(self._plan))
            self._free.put(self._workers[0])
        total = [one.copy() for one in earlier or (tables.zeros for tables in self._plan.tables)]
        for worker in self._workers:
            total = worker.add_to(total)
        return total

    @property
    def skipped(self) -> tuple[int, int]:
        """The number of texts that were skipped, and the sum of their digests."""
        numbers, digests = zip(*(worker.skipped for worker in self._workers), strict=True)
        return sum(numbers), sum(digests) % DIGESTS
