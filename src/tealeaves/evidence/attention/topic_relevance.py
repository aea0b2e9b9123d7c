"""Relevance for the words of topics: in memory, or in a file by work that can be resumed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tealeaves.errors import EvidenceError, InputError, TealeavesError
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.classifiers.record import language_of, record_of
from tealeaves.evidence.attention.frame import Frame
from tealeaves.evidence.attention.gathering import (
    check_request,
    default_classifier,
    gather_relevance,
)
from tealeaves.evidence.attention.notes import language_notes, token_notes
from tealeaves.evidence.attention.relevance import Relevance
from tealeaves.evidence.attention.relevance_file import (
    RELEVANCE,
    RelevanceFile,
    load_relevance,
    open_relevance,
    save_relevance,
)
from tealeaves.evidence.requests import RelevanceRequest
from tealeaves.evidence.sources import choose_pipeline, open_corpus
from tealeaves.evidence.wording import Wording
from tealeaves.files import check_replaceable
from tealeaves.jobs import Job, check_resume_options
from tealeaves.parameters import check_keywords
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.reading import read_models
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.text.corpus import Text


def relevance(
    models: Any,
    corpus: Corpus | str | os.PathLike[str] | Iterable[Text],
    *,
    tokens: str | Pipeline | None = None,
    classifier: Classifier | str | os.PathLike[str] | None = None,
    top: int | None = None,
    all_pairs: bool = False,
    improved: bool = True,
    **options: Any,
) -> Relevance:
    """Run texts through a classifier once, for the words of these models.

    Save the result with ``.save(path)`` and use it with ``score(..., relevance=)``.
    :func:`gather_file` does the same for long runs, which it can resume.

    Parameters
    ----------
    models, corpus
        As in :func:`tealeaves.score`.
    tokens
        The token pipeline; by default the one that the classifier was fitted with, if it records
        it, else that of the models, else ``"words"``.
    classifier
        A classifier of :func:`tealeaves.fit_classifier`, or its folder; by default a probe fitted
        to the corpus.
    top
        Take only this many first words of each topic.
    all_pairs
        Gather all pairs of the words, so that other topics of these words can be scored too.
    improved
        Compute Improved LRP too, which takes most of the time.
    options
        Other arguments of :func:`gather_relevance`: ``budget``, ``seed``, ``target``, ``heads_of``,
        ``device``, ``progress`` and others.
    """
    check_keywords(relevance, options, gather_relevance)
    topics = read_models(models)
    pipeline = choose_pipeline(topics, tokens, classifier)
    request = relevance_request(topics, pipeline, top, all_pairs=all_pairs, improved=improved)
    texts = open_corpus(corpus)
    reader = None if classifier is None else Classifier.open(classifier)
    return gather_relevance(texts, pipeline, request, classifier=reader, **options)


def gather_file(
    models: Any,
    corpus: Corpus | str | os.PathLike[str] | Iterable[Text],
    output: str | os.PathLike[str],
    *,
    tokens: str | Pipeline | None = None,
    classifier: Classifier | str | os.PathLike[str] | None = None,
    top: int | None = None,
    all_pairs: bool = False,
    improved: bool = True,
    heads_of: Relevance | str | os.PathLike[str] | None = None,
    device: str | None = None,
    seed: int = 0,
    progress: bool = False,
    resume: bool = False,
    restart: bool = False,
    checkpoint: float = 30.0,
    on_note: Callable[[str], None] | None = None,
    **options: Any,
) -> RelevanceFile:
    """Run texts through a classifier once, and keep the relevance in a file.

    While it runs, ``OUTPUT.partial`` holds what is done. Ctrl-C and SIGTERM save it, and a later
    call with ``resume`` continues it.

    Parameters
    ----------
    models, corpus, tokens, classifier, top, all_pairs, improved
        As in :func:`relevance`.
    output
        The file of the relevance; ``score(..., relevance=)`` reads it.
    heads_of
        Relevance, or its file, whose heads are taken, so that this one adds to it.
    device, seed, progress, options
        As in :func:`gather_relevance`, with ``budget``, ``target`` and others.
    resume
        Continue an unfinished gathering of the same words and texts.
    restart
        Start again, and replace existing relevance.
    checkpoint
        The seconds between two savings of what is done.
    on_note
        Called with what a user should know before the texts are read.
    """
    check_keywords(gather_file, options, gather_relevance)
    path = Path(output)
    check_resume_options(resume=resume, restart=restart)
    check_replaceable(path, load_relevance, RELEVANCE.holds)
    topics = read_models(models)
    earlier = _Earlier.of(Job(path, "gathering", resume=resume, restart=restart))
    pipeline = choose_pipeline(topics, tokens, classifier)
    request = relevance_request(topics, pipeline, top, all_pairs=all_pairs, improved=improved)
    check_request(request)
    record = record_of(classifier)
    earlier.check(pipeline, request, record.fingerprint)
    texts = open_corpus(corpus)
    heads = open_relevance(heads_of) if isinstance(heads_of, str | os.PathLike) else heads_of
    reader = None if classifier is None else Classifier.open(classifier)
    notes = token_notes(topics, pipeline, tokens, record.tokens)
    language = language_of(None) if classifier is None else record.language
    notes += language_notes(texts, topics, language, remedy="--classifier names another")
    for note in notes:
        if on_note:
            on_note(note)
    if reader is None:  # before signals are handled, so that Ctrl-C ends it at once
        reader = default_classifier(texts, pipeline, device, seed, progress=progress)
    gather = partial(
        gather_relevance,
        texts,
        pipeline,
        request,
        classifier=reader,
        heads_of=heads,
        device=device,
        seed=seed,
        progress=progress,
        **options,
    )
    if earlier.complete is not None:
        earlier.check_complete(gather)
        return RelevanceFile(path, earlier.complete, was_complete=True)
    job = earlier.job
    try:
        with job.run() as stop:
            gathered = gather(
                resume=earlier.unfinished,
                checkpoint=checkpoint,
                on_checkpoint=lambda done: save_relevance(done, job.partial),
                stop=stop,
            )
            save_relevance(gathered, path)
    except EvidenceError as error:
        if earlier.unfinished is None:
            raise
        raise earlier.other_error(error) from error
    return RelevanceFile(path, gathered)


def relevance_request(
    models: Sequence[Topics],
    pipeline: Pipeline,
    top: int | None,
    *,
    all_pairs: bool,
    improved: bool,
) -> RelevanceRequest:
    """Ask for the first words of all topics, and for their pairs within topics or all pairs."""
    terms, pairs = Wording(pipeline).pairs(models, top)
    return RelevanceRequest(terms, None if all_pairs else pairs, improved)


# ---------------------------------------------------------------------- files of earlier runs


@dataclass(frozen=True)
class _Earlier:
    """Relevance of earlier runs of a job: unfinished, or complete; or neither."""

    job: Job
    unfinished: Relevance | None = None
    complete: Relevance | None = None

    @classmethod
    def of(cls, job: Job) -> _Earlier:
        """Read earlier results.

        Raise if the file exists and neither resume nor restart is set.
        """
        if job.resumes:
            return cls(job, unfinished=load_relevance(job.partial))
        if job.may_be_complete:
            return cls(job, complete=load_relevance(job.output))
        if job.output.exists() and not job.restart:
            raise InputError(f"{job.output} holds relevance already: --restart replaces it")
        return cls(job)

    def check(self, pipeline: Pipeline, request: RelevanceRequest, fingerprint: str) -> None:
        """Raise for relevance of other words, tokens or classifiers, before anything is loaded."""
        earlier = self.unfinished or self.complete
        if earlier is None:
            return
        try:
            _check_same(earlier, pipeline, request, fingerprint)
        except EvidenceError as error:
            raise self.other_error(error) from error

    def check_complete(self, gather: Callable[..., Relevance]) -> None:
        """Raise if there are texts that the complete relevance lacks."""

        def refuse(_: Relevance) -> None:
            raise EvidenceError("it lacks texts")

        try:
            gather(resume=self.complete, checkpoint=0.0, on_checkpoint=refuse)
        except EvidenceError as error:
            raise self.other_error(error) from error

    def other_error(self, error: Exception) -> TealeavesError:
        """Return the error that says that the file is of something else."""
        if self.complete is not None:
            what = f"{self.job.output} holds other relevance: {error} (--restart replaces it)"
            return InputError(what)
        return EvidenceError(
            f"{self.job.partial} is of another run: {error} (--restart starts again)"
        )


def _check_same(
    earlier: Relevance, pipeline: Pipeline, request: RelevanceRequest, fingerprint: str
) -> None:
    """Raise for relevance of something else than is requested, as far as is known without texts.

    ``fingerprint`` is that of the classifier, empty if it is not known yet.
    """
    stamp = earlier.stamp
    if stamp.pipeline.signature != pipeline.signature:
        now = repr(pipeline)
        others = f"not {now}" if now != stamp.pipeline.expression else "of another version"
        raise EvidenceError(f"its tokens are {stamp.pipeline.expression}, {others}")
    wanted = Frame(stamp, *request.terms_and_positions(), earlier.sample, earlier.fixed)
    if not earlier.frame.same_words(wanted):
        raise EvidenceError("it is of different words")
    if stamp.improved != request.improved:
        there = "with" if stamp.improved else "without"
        raise EvidenceError(f"it was gathered {there} Improved LRP")
    if fingerprint and stamp.weights != fingerprint:
        raise EvidenceError(f"it is of another classifier, {stamp.classifier}")
