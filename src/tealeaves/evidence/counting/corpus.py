"""``count_corpus``: one reading of a corpus for all counts that were requested."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from tealeaves.compiling.kernel import Kernel
from tealeaves.errors import EvidenceError, InputError, TealeavesError
from tealeaves.evidence.counting.blocks import (
    ReadingProgress,
    blocks_with_documents,
    source_names_in_errors,
)
from tealeaves.evidence.counting.events import SMALL_TEXT
from tealeaves.evidence.counting.kernels.contexts import count_contexts
from tealeaves.evidence.counting.kernels.events import count_events, find_events
from tealeaves.evidence.counting.kernels.gensim_windows import count_windows_like_gensim
from tealeaves.evidence.counting.kernels.sets import count_sets
from tealeaves.evidence.counting.kernels.several_windows import count_several_windows
from tealeaves.evidence.counting.kernels.tokens import find_hits
from tealeaves.evidence.counting.kernels.windows import count_windows
from tealeaves.evidence.counting.kernels.word_table import fill_table
from tealeaves.evidence.counting.workers import CountingPlan, CountingPool, sum_parts
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.requests import CountRequest, join_count_requests
from tealeaves.files import Meter
from tealeaves.jobs import processors
from tealeaves.text.blocks import BLOCK_BYTES, TextBlock
from tealeaves.text.characters import CASES, KINDS, character_tables
from tealeaves.text.corpus import Corpus
from tealeaves.text.digest import digest_texts
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.evidence.texts import TextEncoder


Checkpoint = Callable[[list[Counts]], None]

#: every kernel that counting may need
KERNELS: tuple[Kernel, ...] = (
    find_hits,
    fill_table,
    digest_texts,
    count_events,
    find_events,
    count_windows,
    count_several_windows,
    count_windows_like_gensim,
    count_contexts,
    count_sets,
)
_CHANGED = "the unfinished count read texts that are not in this corpus: have they changed?"


def count_corpus(
    corpus: Corpus,
    pipeline: Pipeline,
    requests: Sequence[CountRequest],
    *,
    threads: int | None = None,
    block_bytes: int = BLOCK_BYTES,
    resume: Sequence[Counts] = (),
    checkpoint: Checkpoint | None = None,
    every: float = 30.0,
    stop: Callable[[], bool] = lambda: False,
    progress: bool = False,
    encoder: TextEncoder | None = None,
) -> list[Counts]:
    """Count what the requests ask for, reading the corpus once.

    The counts do not depend on the number of threads nor on the size of blocks.

    Parameters
    ----------
    threads
        How many threads count while this one reads; by default one for each processor. With 1
        this thread does both. Pipelines that need Python for each text (``icu``, lemmas, HTML)
        use one.
    block_bytes
        How many bytes of text are counted at a time.
    resume
        The counts of an unfinished reading for the same requests; their documents are skipped.
    checkpoint
        A function that is called with the counts so far every ``every`` seconds, and when the
        reading is stopped.
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
        if value is not None and value < 1:
            raise InputError(f"{name} must be a whole number of at least 1, not {value}")
    with source_names_in_errors(corpus):
        requests = join_count_requests(requests)
        earlier = _resumable_counts(resume, requests, pipeline, corpus)
        skip = earlier[0][0].fingerprint if earlier else Fingerprint()
        meter = Meter(corpus.size)
        blocks, small = _with_smallness(_read_blocks(corpus, meter, block_bytes, encoder))
        plan = CountingPlan(requests, pipeline, compiled=not small)
        saved = time.monotonic()
        with (
            ReadingProgress("counting", [meter], shown=progress) as bar,
            CountingPool(plan, threads or processors()) as pool,
        ):
            if progress:
                _compile_first(plan, bar)
            for block in blocks:
                pool.add(block, skip)
                bar.update()
                stopped = stop()
                if checkpoint and (stopped or time.monotonic() - saved >= every):
                    checkpoint(sum_parts([*earlier, pool.counts()]))
                    saved = time.monotonic()
                if stopped:
                    raise KeyboardInterrupt
            counts = sum_parts([*earlier, pool.counts()])
        if pool.skipped != (skip.documents, skip.digest):
            raise EvidenceError(_CHANGED)
        if counts:
            counts[0].fingerprint.check_copies()
        return counts


def _resumable_counts(
    resume: Sequence[Counts], requests: Sequence[CountRequest], pipeline: Pipeline, corpus: Corpus
) -> list[list[Counts]]:
    """Return unfinished counts in the order of the requests; refuse those of another reading."""
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


def _with_smallness(blocks: Iterator[TextBlock]) -> tuple[Iterator[TextBlock], bool]:
    """Return the blocks, and whether they are too small to be worth loading compiled kernels."""
    first: list[TextBlock] = []
    try:
        while sum(block.size for block in first) <= SMALL_TEXT:
            block = next(blocks, None)
            if block is None:
                return iter(first), True
            first.append(block)
    except TealeavesError as error:  # the blocks so far may contain an error that comes before it
        return _blocks_then_error(first, error), False
    return itertools.chain(first, blocks), False


def _blocks_then_error(blocks: list[TextBlock], error: TealeavesError) -> Iterator[TextBlock]:
    yield from blocks
    raise error


def _compile_first(plan: CountingPlan, bar: ReadingProgress) -> None:
    """Compile the kernels before the first block, so that the bar says what takes so long."""
    if not all(kernel.is_ready for kernel in plan.kernels):
        bar.rename("compiling (once)")
    plan.prepare()
    bar.rename("counting")


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


def prepare_kernels() -> None:
    """Compile all kernels and make all tables, so that no later run on this machine has to."""
    for kernel in KERNELS:
        kernel.prepare()
    for kind in KINDS:
        for case in CASES:
            character_tables(kind, case)
