"""Gathering: one reading of a corpus for everything that was asked of it."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from tealeaves.errors import EvidenceError, InputError, TealeavesError
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.encoded import Encoder, blocks_with_documents
from tealeaves.evidence.lane import SMALL, Plan
from tealeaves.evidence.lanes import Lanes, summed
from tealeaves.evidence.request import Request, join_requests
from tealeaves.jobs import processors
from tealeaves.text.blocks import BLOCK_BYTES, TextBlock
from tealeaves.text.compression import Meter
from tealeaves.text.corpus import Corpus
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.text.pipeline import Pipeline

Checkpoint = Callable[[list[Counts]], None]


def gather(
    corpus: Corpus,
    pipeline: Pipeline,
    requests: Sequence[Request],
    *,
    threads: int | None = None,
    block_bytes: int = BLOCK_BYTES,
    resume: Sequence[Counts] = (),
    checkpoint: Checkpoint | None = None,
    every: float = 30.0,
    stop: Callable[[], bool] = lambda: False,
    progress: bool = False,
    encoder: Encoder | None = None,
) -> list[Counts]:
    """Count what the requests ask for, reading the corpus once.

    The counts are the same whatever the threads and the size of blocks.

    Parameters
    ----------
    threads
        How many threads count while this one reads; by default as many as there are processors.
        With 1 this one does both.
        Pipelines that need Python for each text (``icu``, lemmas, HTML) use one.
    block_bytes
        Bytes of text that are counted at a time.
    resume
        Counts of an unfinished pass for the same requests; the documents in them are passed over.
    checkpoint
        Called with the counts so far every ``every`` seconds, and when it is stopped.
    stop
        Asked after each block; where it says so, KeyboardInterrupt is raised.
    progress
        Show a bar on standard error.
    encoder
        Encodes the texts while they are read.

    >>> from tealeaves.evidence.terms import Term
    >>> from tealeaves.evidence.units import Unit
    >>> cat, dog = Term(("cat",)), Term(("dog",))
    >>> corpus = Corpus.of(["a cat and a dog", "a dog", "nothing"])
    >>> [counts] = gather(corpus, Pipeline.parse("words"), [Request.of(Unit(), [[cat, dog]])])
    >>> counts.single(dog), counts.pair(cat, dog), counts.totals.units
    (2, 1, 3)
    """
    if (threads is not None and threads < 1) or block_bytes < 1:
        raise InputError("threads and block_bytes are at least 1")
    with sources_named(corpus):
        requests = join_requests(requests)
        start = _resumable(resume, requests, pipeline, corpus)
        skip = start[0][0].fingerprint if start else Fingerprint()
        meter = Meter(corpus.size)
        blocks, small = _looked_into(_blocks(corpus, meter, block_bytes, encoder))
        plan = Plan(requests, pipeline, compiled=not small)
        saved = time.monotonic()
        with Lanes(plan, threads or processors()) as lanes:
            for block in _with_progress(blocks, plan, meter) if progress else blocks:
                lanes.add(block, skip)
                stopped = stop()
                if checkpoint and (stopped or time.monotonic() - saved >= every):
                    checkpoint(summed([*start, lanes.counts()]))
                    saved = time.monotonic()
                if stopped:
                    raise KeyboardInterrupt
            found = summed([*start, lanes.counts()])
        if lanes.passed != (skip.documents, skip.digest):
            raise EvidenceError(_CHANGED)
        if found:
            found[0].fingerprint.refuse_copies()
        return found


def _blocks(
    corpus: Corpus, meter: Meter, size: int, encoder: Encoder | None
) -> Iterator[TextBlock]:
    """Read the corpus in blocks; with an encoder, documents are needed with their ids."""
    if encoder is None:
        yield from corpus.blocks(meter, size)
        return
    for documents, block in blocks_with_documents(corpus.documents(meter), size):
        encoder.add(documents, block)
        yield block


_CHANGED = "the unfinished count read texts that are not in this corpus: have they changed?"


def _looked_into(blocks: Iterator[TextBlock]) -> tuple[Iterator[TextBlock], bool]:
    """Say whether there is so little text that compiled kernels are not worth loading."""
    first: list[TextBlock] = []
    try:
        while sum(block.size for block in first) <= SMALL:
            block = next(blocks, None)
            if block is None:
                return iter(first), True
            first.append(block)
    except TealeavesError as error:  # the blocks so far may hold an error that comes before it
        return itertools.chain(first, _raised(error)), False
    return itertools.chain(first, blocks), False


def _raised(error: TealeavesError) -> Iterator[TextBlock]:
    def fail() -> TextBlock | None:
        raise error

    return iter(fail, None)


@contextmanager
def sources_named(corpus: Corpus) -> Iterator[None]:
    """Let errors call sources by their names."""
    try:
        yield
    except EvidenceError as error:
        raise EvidenceError(corpus.name_sources(str(error))) from error


def _resumable(
    resume: Sequence[Counts], requests: Sequence[Request], pipeline: Pipeline, corpus: Corpus
) -> list[list[Counts]]:
    """Return unfinished counts in the order of the requests, or say why they are of no use."""
    if not resume:
        return []
    by_unit = {counts.unit: counts for counts in resume}
    ordered = [by_unit[request.unit] for request in requests if request.unit in by_unit]
    stamps = {stamp.signature for counts in resume for stamp in counts.pipelines.values()}
    if stamps != {pipeline.signature}:
        raise EvidenceError(f"the unfinished count used other tokens: {', '.join(stamps)}")
    if not len(ordered) == len(requests) == len(resume) or any(
        counts.request != request for counts, request in zip(ordered, requests, strict=False)
    ):
        raise EvidenceError("the unfinished count was for other words, metrics or windows")
    if not set(ordered[0].fingerprint.spans) <= corpus.identities:
        raise EvidenceError(_CHANGED)
    return [ordered]


def check_not_empty(found: Sequence[Counts], corpus: Corpus) -> None:
    """Raise where a whole corpus turned out to hold nothing to count."""
    if not found or found[0].totals.tokens:
        return
    totals = found[0].totals
    if not totals.documents:
        why = "it holds no documents"
    elif totals.dropped:
        why = f"of {totals.documents} documents, {totals.dropped} are shorter than min_tokens"
    else:
        why = f"none of its {totals.documents} documents has a token"
    raise InputError(f"{corpus.name}: the corpus is empty: {why}")


def _with_progress(blocks: Iterator[TextBlock], plan: Plan, meter: Meter) -> Iterator[TextBlock]:
    from tqdm.auto import tqdm

    with tqdm(total=meter.total, unit="B", unit_scale=True, desc="counting", disable=None) as bar:
        if not all(kernel.is_ready for kernel in plan.kernels):
            bar.set_description("compiling (once)")
        plan.prepare()
        bar.set_description("counting")
        for block in blocks:
            yield block
            bar.update(min(meter.done, meter.total) - bar.n)
