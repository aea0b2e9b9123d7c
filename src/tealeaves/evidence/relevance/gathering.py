"""Gathering: texts through the network, once, for everything that is asked of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from tealeaves.errors import EvidenceError, InputError
from tealeaves.evidence.counting.blocks import source_names_in_errors
from tealeaves.evidence.counts import PipelineStamp
from tealeaves.evidence.relevance.asking import Asking
from tealeaves.evidence.relevance.choosing import Followed
from tealeaves.evidence.relevance.collecting import fingerprint_of
from tealeaves.evidence.relevance.frame import Frame
from tealeaves.evidence.relevance.heads import FixedHeads, HeadStatistics
from tealeaves.evidence.relevance.network.sharing import RuleName
from tealeaves.evidence.relevance.passing import Passing
from tealeaves.evidence.relevance.relevance import Relevance
from tealeaves.evidence.relevance.rowwise import empty
from tealeaves.evidence.relevance.sampling import Chosen, Sampler
from tealeaves.evidence.relevance.saving import Done, Saving
from tealeaves.evidence.relevance.stamp import RelevanceStamp, RelevanceTotals, Target
from tealeaves.evidence.relevance.texts import TextReader
from tealeaves.evidence.requests import RelevanceRequest
from tealeaves.text.corpus import Corpus
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.evidence.relevance.classifier.classifier import Classifier

#: Counts on where the numbers change.
PROCEDURE = "1"
#: How many texts are used unless more are asked for.
BUDGET = 2000
#: From how many texts the heads are chosen.
HEAD_SAMPLE = 128
_CHUNK = 64  # texts between which a run can be stopped
_CHANGED = "the unfinished relevance is of other texts: have they, the budget or the seed changed?"
_SAMPLE = "the heads of the unfinished relevance were chosen from {} texts, not from {}"
_DETAIL = "the unfinished relevance was kept in other detail, by head or only summed"


def gather_relevance(
    corpus: Corpus,
    pipeline: Pipeline,
    request: RelevanceRequest,
    *,
    classifier: Classifier | None = None,
    budget: int | None = BUDGET,
    seed: int = 0,
    by_head: bool | None = None,
    target: Target = "predicted",
    rules: RuleName = "sizes",
    head_sample: int = HEAD_SAMPLE,
    heads_of: Relevance | None = None,
    device: str | None = None,
    resume: Relevance | None = None,
    checkpoint: Callable[[Relevance], None] | None = None,
    every: float = 30.0,
    stop: Callable[[], bool] = lambda: False,
    progress: bool = False,
) -> Relevance:
    """Let texts through a classifier, and return what it says of the asked pairs of words.

    Parameters
    ----------
    corpus, pipeline
        The texts, and how they become the words that the network reads.
    request
        The pairs of words, and whether Improved LRP is wanted.
    classifier
        By default a probe on the packaged MiniLM is fitted to the texts.
    budget
        How many texts with two asked words are used at most, drawn at random; None for all.
    seed
        Of the draw, and of what is masked.
    by_head
        Whether each head is kept by itself, so that others can be chosen later; by default not for
        all pairs of the words, which are many.
    target
        The ``predicted`` class, or the ``true`` one, for which texts are used whose label the
        classifier knows; masked words are told by themselves.
    rules
        How Improved LRP shares out relevance: by the ``sizes`` of what is added and multiplied, or
        as ``chefer`` has it, in double precision.
    head_sample
        From how many texts the heads are chosen.
    heads_of
        Relevance whose heads are taken, so that this one adds to it.
    device
        ``cpu``, ``cuda`` or another name of torch; None takes a GPU where there is one.
    resume
        An unfinished gathering of the same things.
    checkpoint, every
        Called with what is done every so many seconds, when it is stopped and when it fails.
    stop
        Asked after each chunk of texts; where it says so, KeyboardInterrupt is raised.
    progress
        Show a bar on standard error.
    """
    _check(budget, head_sample, request)
    known = classifier or default_classifier(corpus, pipeline, device, seed, progress=progress)
    target = "masked" if known.head.pooling == "masked" else target
    by_head = request.pairs is not None if by_head is None else by_head
    kept: dict[str, Any] = {"improved": request.improved, "by_head": by_head, "rules": rules}
    with source_names_in_errors(corpus), _ready(known, target, seed, device, **kept) as passing:
        frame = _frame(known, pipeline, request, passing)
        reader = TextReader(known.tokenizer, frame.terms, known.longest)
        labels = known.labels if target == "true" else None
        sampler = Sampler(pipeline, reader, frame, budget=budget, seed=seed, labels=labels)
        texts = Followed(sampler, corpus, stop=stop, progress=progress)
        first = texts.take(head_sample)
        if not first:
            raise InputError(_none(corpus, sampler, pipeline, known))
        frame = _with_heads(frame, first, passing, heads_of, resume)
        saving = Saving(checkpoint, every, stop)
        found = _passed(texts, first, frame, passing, resume, saving)
    return replace(found, totals=_totals(found, sampler))


def _check(budget: int | None, head_sample: int, request: RelevanceRequest) -> None:
    if budget is not None and budget < 1:
        raise InputError(f"budget={budget}: at least one text must be used")
    if head_sample < 1:
        raise InputError(f"head_sample={head_sample}: heads are chosen from at least one text")
    check_request(request)


def check_request(request: RelevanceRequest) -> None:
    """Refuse a request that asks for no pair of words."""
    if len(request.terms) < 2 or (request.pairs is not None and not request.pairs):
        raise InputError("relevance is of pairs of words: these topics have no two words")


def default_classifier(
    corpus: Corpus, pipeline: Pipeline, device: str | None, seed: int, *, progress: bool
) -> Classifier:
    """Fit what is taken where no classifier is given: a probe on the packaged MiniLM."""
    from tealeaves.evidence.relevance.classifier.fitting import fit

    return fit(corpus, "probe", tokens=pipeline, device=device, seed=seed, progress=progress)


@contextmanager
def _ready(
    classifier: Classifier,
    target: Target,
    seed: int,
    device: str | None,
    *,
    improved: bool,
    by_head: bool,
    rules: RuleName,
) -> Iterator[Passing]:
    """Put a classifier where it computes."""
    from tealeaves.evidence.relevance.checks import network_of
    from tealeaves.evidence.relevance.classifier.devices import device_of, sensible_threads

    with sensible_threads():
        place = device_of(device)
        asking = Asking(classifier, target, seed=seed, device=place)
        network = network_of(classifier, place, rules)
        yield Passing(network, asking, improved=improved, by_head=by_head)


def _frame(
    classifier: Classifier, pipeline: Pipeline, request: RelevanceRequest, passing: Passing
) -> Frame:
    """Return what is asked for; the heads are not chosen yet."""
    network = passing.network
    stamp = RelevanceStamp(
        classifier=classifier.name,
        weights=classifier.fingerprint,
        kind=classifier.kind,
        longest=classifier.longest,
        layers=network.layers,
        heads=network.heads,
        target=passing.asking.target,
        procedure=PROCEDURE,
        pipeline=PipelineStamp(repr(pipeline), pipeline.signature),
        improved=passing.improved,
        rules=network.rules,
        seed=passing.asking.seed,
    )
    nothing = HeadStatistics.zeros(network.layers, network.heads)
    return Frame(stamp, *request.terms_and_positions(), nothing, FixedHeads.of(nothing))


def _with_heads(
    frame: Frame,
    first: Sequence[Chosen],
    passing: Passing,
    heads_of: Relevance | None,
    resume: Relevance | None,
) -> Frame:
    """Fix the heads: those of relevance at hand, else by the first texts."""
    known = heads_of or resume
    if known is None:
        sample = passing.statistics(first)
        return replace(frame, sample=sample, fixed=FixedHeads.of(sample))
    fixed = replace(frame, sample=known.sample, fixed=known.fixed)
    if fixed.stamp != known.stamp:
        fixed.refuse_other(known.frame)
    if resume:
        fixed.refuse_other(resume.frame)
        if resume.has_heads != passing.by_head:
            raise EvidenceError(_DETAIL)
        if heads_of is None and resume.sample.texts != len(first):
            raise EvidenceError(_SAMPLE.format(resume.sample.texts, len(first)))
    return fixed


def _passed(
    texts: Followed,
    first: Sequence[Chosen],
    frame: Frame,
    passing: Passing,
    resume: Relevance | None,
    saving: Saving,
) -> Relevance:
    """Let the texts through in chunks, and save what is done now and then."""
    done = Done(resume or empty(frame, by_head=passing.by_head), saving)
    passed: list[Fingerprint] = []  # of the unfinished relevance: not let through again
    with done.rescued():
        for chunk in texts.in_chunks(first, _CHUNK):
            if resume and len(passed) * _CHUNK < resume.totals.used:
                passed.append(fingerprint_of(chunk))
                if len(passed) * _CHUNK >= resume.totals.used:
                    _check_passed(passed, resume)
                continue
            done.add(passing.relevance(chunk, frame))
    if resume:
        _check_passed(passed, resume)
    return done.total()


def _check_passed(texts: Sequence[Fingerprint], resume: Relevance) -> None:
    """Refuse to go on where the unfinished relevance is not just of these texts."""
    if Fingerprint.join(texts) != resume.fingerprint:
        raise EvidenceError(_CHANGED)


def _totals(found: Relevance, sampler: Sampler) -> RelevanceTotals:
    """Add what became of the texts that were not used."""
    return msgspec.structs.replace(
        found.totals,
        documents=sampler.documents,
        dropped=sampler.dropped,
        without=sampler.without,
        left=sampler.left,
        unlabelled=sampler.unlabelled,
    )


def _none(corpus: Corpus, sampler: Sampler, pipeline: Pipeline, classifier: Classifier) -> str:
    """Say why no text can be used."""
    if not sampler.documents:
        return f"{corpus.name}: the corpus is empty: it holds no documents"
    if sampler.dropped == sampler.documents:
        return f"{corpus.name}: none of {sampler.documents} texts has tokens enough ({pipeline!r})"
    if sampler.unlabelled + sampler.dropped == sampler.documents:
        more = ", …" if len(classifier.labels) > 5 else ""
        known = ", ".join(classifier.labels[:5]) + more
        return (
            f"{corpus.name}: target=true: no text has a label that the classifier knows (it knows "
            f"{known}): name the field of labels (--label-field), or ask for the predicted class"
        )
    return (
        f"{corpus.name}: no text has two words of one topic, as {pipeline!r} reads them and up to "
        "the length that the classifier reads: are the topics of other texts or of other tokens?"
    )
