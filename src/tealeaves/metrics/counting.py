"""``count``: the counts that metrics need, made once and kept in a file for later scoring."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tealeaves.errors import InputError
from tealeaves.evidence.counting.blocks import corpus_fingerprint
from tealeaves.evidence.counting.corpus import check_not_empty, count_corpus
from tealeaves.evidence.counts import Counts, CountsFile, load_counts, save_counts
from tealeaves.evidence.requests import CountRequest
from tealeaves.evidence.sources import Sources, open_corpus
from tealeaves.evidence.wording import Wording, Wordings
from tealeaves.files import check_replaceable
from tealeaves.jobs import Job
from tealeaves.metrics.base import Metric
from tealeaves.metrics.evaluation import default_metrics
from tealeaves.metrics.planning import count_requests
from tealeaves.metrics.registry import parse_metrics
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.multilingual import are_multilingual
from tealeaves.topics.reading import read_models
from tealeaves.topics.topics import Topics


def count(
    models: Any,
    corpus: Any,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    *,
    output: str | os.PathLike[str],
    tokens: str | Pipeline | Mapping[str, str | Pipeline] | None = None,
    resume: bool = False,
    restart: bool = False,
    checkpoint: float = 30.0,
    threads: int | None = None,
    progress: bool = False,
) -> CountsFile:
    """Count what metrics need for these models, once, for any number of later scorings.

    While counting, ``OUTPUT.partial`` holds what is done. Ctrl-C and SIGTERM save it, and a later
    call with ``resume`` continues it. The counts of topics in several languages are held in memory
    until they are complete, and cannot be resumed.

    Parameters
    ----------
    models, corpus, metrics, tokens
        As for :func:`tealeaves.score`.
    output
        The file of the counts; ``score(..., counts=)`` and ``score(..., reference=)`` read it.
    resume
        Continue an unfinished count of the same words and texts.
    restart
        Start again, and replace existing counts.
    checkpoint
        The seconds between two savings of what is done.
    threads, progress
        As for :func:`tealeaves.score`.
    """
    path = Path(output)
    check_replaceable(path, load_counts, "counts")
    judged = read_models(models)
    sources = Sources(corpus, tokens=tokens)
    parsed = parse_metrics(default_metrics(judged, sources) if metrics is None else metrics)
    if are_multilingual(judged):
        if resume:
            raise InputError(
                "counts of several languages cannot be resumed: count parts of the texts, and add "
                "them (`tealeaves add`)"
            )
        counts = _count_linked(judged, parsed, sources, threads, progress=progress)
        save_counts(counts, path)
        return CountsFile(path, counts)
    pipeline = sources.pipeline(judged)
    wording = Wording(pipeline)
    wording.reference = wording  # the file may serve as counts of the corpus or of a reference
    requests = _requests(judged, parsed, wording)
    texts = open_corpus(corpus)
    job = Job(path, "count", resume=resume, restart=restart)
    start = load_counts(job.partial) if job.resumes else []
    if job.may_be_complete:
        counts = load_counts(path)
        if not _are_of(counts, requests, pipeline):
            raise InputError(f"{path} holds other counts: --restart replaces them")
        read = corpus_fingerprint(texts, progress=progress)
        if any(one.fingerprint != read for one in counts):
            raise InputError(
                f"{path} holds the counts of other texts than {texts.name} has now: --restart "
                "replaces them"
            )
        return CountsFile(path, counts, was_complete=True)
    with job.run() as stop:
        counts = count_corpus(
            texts,
            pipeline,
            requests,
            threads=threads,
            resume=start,
            checkpoint=checkpoint,
            on_checkpoint=lambda done: save_counts(done, job.partial),
            stop=stop,
            progress=progress,
        )
        check_not_empty(counts, texts)
        save_counts(counts, path)
    return CountsFile(path, counts)


def _count_linked(
    models: Sequence[Topics],
    metrics: Sequence[Metric],
    sources: Sources,
    threads: int | None,
    *,
    progress: bool,
) -> list[Counts]:
    wording = Wordings(sources.pipelines(models))
    requests = _requests(models, metrics, wording)
    paired = sources.paired_corpus(models)
    if paired is None:
        raise InputError("give the texts of each language: a PairedCorpus, or a mapping of paths")
    from tealeaves.evidence.linked import gather_linked

    linked = gather_linked(paired, wording.pipelines, requests, threads=threads, progress=progress)
    return linked.counts


def _requests(
    models: Sequence[Topics], metrics: Sequence[Metric], wording: Wording
) -> list[CountRequest]:
    requests = count_requests(models, metrics, wording)
    if not requests:
        raise InputError("none of these metrics needs counts: score them directly")
    return requests


def _are_of(counts: Sequence[Counts], requests: Sequence[CountRequest], pipeline: Pipeline) -> bool:
    """Tell whether counts are exactly those of these requests and tokens."""
    return [one.request for one in counts] == requests and {
        s.signature for one in counts for s in one.pipelines.values()
    } == {pipeline.signature}
