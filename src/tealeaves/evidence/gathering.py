"""Gathering: one reading of a corpus for everything that was asked of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from tealeaves.errors import EvidenceError, InputError
from tealeaves.evidence import kernels
from tealeaves.evidence.blocks import Block, read_blocks
from tealeaves.evidence.counting import Counter, Events
from tealeaves.evidence.counts import Counts, PipelineStamp, Totals
from tealeaves.evidence.layout import Layout
from tealeaves.evidence.request import Request, join_requests
from tealeaves.evidence.vocabulary import Vocabulary
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
    resume: Sequence[Counts] = (),
    checkpoint: Checkpoint | None = None,
    every: float = 30.0,
    stop: Callable[[], bool] = lambda: False,
    progress: bool = False,
) -> list[Counts]:
    """Count what the requests ask for, reading the corpus once.

    Parameters
    ----------
    resume
        Counts of an unfinished pass for the same requests; the documents in them are passed over.
    checkpoint
        Called with the counts so far every ``every`` seconds, and when it is stopped.
    stop
        Asked after each block; where it says so, KeyboardInterrupt is raised.
    progress
        Show a bar on standard error.

    >>> from tealeaves.evidence.terms import Term
    >>> from tealeaves.evidence.units import Unit
    >>> cat, dog = Term(("cat",)), Term(("dog",))
    >>> corpus = Corpus.of(["a cat and a dog", "a dog", "nothing"])
    >>> [counts] = gather(corpus, Pipeline.parse("words"), [Request.of(Unit(), [[cat, dog]])])
    >>> counts.single(dog), counts.pair(cat, dog), counts.totals.units
    (2, 1, 3)
    """
    with _sources_named(corpus):
        requests = join_requests(requests)
        start = _resumable(resume, requests, pipeline, corpus)
        counting = _Counting(requests, pipeline)
        skip = start[0].fingerprint if start else Fingerprint()
        meter = Meter(corpus.size)
        saved = time.monotonic()
        blocks = read_blocks(corpus, pipeline, counting.token_ids, skip=skip, meter=meter)
        for block in _with_progress(blocks, meter) if progress else blocks:
            counting.add(block)
            stopped = stop()
            if checkpoint and (stopped or time.monotonic() - saved >= every):
                checkpoint(_added(start, counting.counts()))
                saved = time.monotonic()
            if stopped:
                raise KeyboardInterrupt
        return _added(start, counting.counts())


@contextmanager
def _sources_named(corpus: Corpus) -> Iterator[None]:
    """Let errors call sources by their names."""
    try:
        yield
    except EvidenceError as error:
        raise EvidenceError(corpus.named(str(error))) from error


class _Counting:
    """The state of one pass."""

    def __init__(self, requests: Sequence[Request], pipeline: Pipeline) -> None:
        universe = sorted({term for request in requests for term in request.terms})
        languages = {term.language for term in universe}
        if len(languages) > 1:
            named = ", ".join(sorted(map(repr, languages)))
            raise InputError(f"words of several languages ({named}) are not in one text")
        self._layouts = [Layout.of(request) for request in requests]
        self._vocabulary = Vocabulary.of(universe)
        self._counters = [Counter(layout, universe) for layout in self._layouts]
        self._stamps = {"": PipelineStamp(repr(pipeline), pipeline.signature)}
        self._fingerprint = Fingerprint()
        self._totals = Totals()
        self.token_ids = self._vocabulary.token_ids

    def add(self, block: Block) -> None:
        v = self._vocabulary
        events = Events(
            *kernels.find_events(
                block.ids,
                block.offsets,
                v.term_of_token,
                v.gram_start,
                v.grams,
                v.token_start,
                v.tokens,
            )
        )
        lengths = np.diff(block.offsets)
        for counter in self._counters:
            counter.add(events, lengths)
        self._fingerprint += block.fingerprint
        self._totals += Totals(
            tokens=len(block.ids),
            documents=block.fingerprint.documents,
            empty=int((lengths == 0).sum()),
            dropped=block.dropped,
        )

    def counts(self) -> list[Counts]:
        return [
            replace(
                layout.zeros(self._stamps),
                fingerprint=self._fingerprint,
                totals=self._totals + Totals(units=counter.units),
                singles=counter.singles[counter.terms],
                pair_counts=counter.pair_counts.copy(),
                set_counts=counter.set_counts.copy(),
            )
            for layout, counter in zip(self._layouts, self._counters, strict=True)
        ]


def _added(start: Sequence[Counts], new: list[Counts]) -> list[Counts]:
    return [a + b for a, b in zip(start, new, strict=True)] if start else new


def _resumable(
    resume: Sequence[Counts], requests: Sequence[Request], pipeline: Pipeline, corpus: Corpus
) -> list[Counts]:
    """Order unfinished counts like the requests, or say why they cannot be continued."""
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
        raise EvidenceError(
            "the unfinished count read texts that are not in this corpus: have they changed?"
        )
    return ordered


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


def _with_progress(blocks: Iterator[Block], meter: Meter) -> Iterator[Block]:
    from tqdm.auto import tqdm

    with tqdm(total=meter.total, unit="B", unit_scale=True, desc="counting", disable=None) as bar:
        for block in blocks:
            yield block
            bar.update(min(meter.done, meter.total) - bar.n)
