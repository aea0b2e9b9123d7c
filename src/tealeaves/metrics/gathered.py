"""Gathered: all that is known for metrics to score models by, from texts that are read once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from tealeaves.errors import EvidenceError, InputError
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.embeddings.opening import Choice
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.relevance.classifier.saved import about
from tealeaves.evidence.relevance.relevance import Relevance
from tealeaves.evidence.relevance.request import RelevanceRequest
from tealeaves.metrics.asking import needs_of, refuse_texts
from tealeaves.metrics.base import Metric
from tealeaves.metrics.crosslingual.auxiliary import Auxiliary
from tealeaves.metrics.crosslingual.evaluating import (
    GivenAcross,
    are_multilingual,
    evidence_across,
)
from tealeaves.metrics.crosslingual.family import names_of
from tealeaves.metrics.granting import not_counted, wished_counts, with_granted
from tealeaves.metrics.needed import (
    check_embeddings,
    check_tokens,
    corpus_of,
    counts_of,
    embed_once,
    pipeline_of,
    pipeline_of_stamp,
    read_once,
    relevance_of,
    relevance_once,
)
from tealeaves.metrics.reference import Reference, reference_of, refuse_reference
from tealeaves.metrics.wording import Wording
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.metrics.base import Need

DEFAULT_TOKENS = "words"


class Given(NamedTuple):
    """What there is to judge models with, as it is given to ``score``.

    ``auxiliary`` are a dictionary, years of words, and modern texts.
    """

    choice: Choice
    corpus: Any = None
    counts: Any = None
    tokens: str | Pipeline | Mapping[str, str | Pipeline] | None = None
    relevance: Any = None
    auxiliary: tuple[Any, Any, Any] = (None, None, None)
    reference: Any = None
    reference_tokens: str | Pipeline | None = None
    threads: int | None = None
    progress: bool = False


class Gathered(NamedTuple):
    """What is known, how words are looked for, and what should be said of it."""

    evidence: Evidence
    wording: Wording
    notes: Sequence[str]


def gathered(models: Sequence[Topics], metrics: Sequence[Metric], given: Given) -> Gathered:
    """Gather all that metrics need to score models, reading the texts once."""
    if are_multilingual(models):
        refuse_reference(given.reference, given.reference_tokens)
        auxiliary = Auxiliary(names_of(models), *given.auxiliary)
        texts = (given.corpus, given.counts, given.tokens, given.threads, given.progress)
        return Gathered(*evidence_across(models, metrics, GivenAcross(auxiliary, *texts)))
    if isinstance(given.tokens, Mapping):
        raise InputError("tokens of several languages, but the topics are in one")
    if any(one is not None for one in given.auxiliary[1:]):
        raise InputError("years of words and modern texts are for topics in several languages")
    known = relevance_of(given.relevance)
    beside = reference_of(given.reference, given.reference_tokens, metrics)
    one = _Opened(
        given.choice,
        given.corpus,
        given.counts,
        given.tokens,
        known,
        beside,
        given.threads,
        given.progress,
    )
    return _gathered(models, metrics, one)


class _Opened(NamedTuple):
    """What there is to judge models in one language with."""

    choice: Choice
    corpus: Any
    counts: Any
    tokens: str | Pipeline | None
    relevance: Any
    reference: Reference | None
    threads: int | None
    progress: bool


def _gathered(models: Sequence[Topics], metrics: Sequence[Metric], given: _Opened) -> Gathered:
    """Gather what the metrics need, and of what they wish for that which is at hand."""
    choice, known, beside, progress = given.choice, given.relevance, given.reference, given.progress
    counted = None if given.counts is None else _counted(given)
    pipeline = tokens_of(models, given.tokens, known) if counted is None else pipeline_of(counted)
    read = counted is not None or given.corpus is not None or isinstance(known, Relevance)
    text = {} if read else {"text": ""}  # nothing is warned of texts that are not there
    wording = Wording(pipeline, reference=beside.wording() if beside else None, **text)
    if counted is not None:
        check_tokens(known, pipeline, "the counts with")
        refuse_texts(models, metrics, wording)
    asked = needs_of(models, metrics, wording, known)
    needs = with_granted(asked, choice, read=given.corpus is not None)
    check_embeddings(needs, choice)
    if beside:
        beside.check(asked)
    corpus = _read_again(given.corpus, needs, known)
    found, texts = counted, None
    if found is None:
        found, texts = read_once(corpus, pipeline, needs, given.threads, progress=progress)
    evidence = Evidence(
        found,
        texts,
        embed_once(needs, choice, progress=progress),
        relevance_once(needs, known, corpus, pipeline, progress=progress),
        reference=beside.evidence(asked, given.threads, progress=progress) if beside else None,
        named=[one.name for one in choice.given],
        relevance_read=not isinstance(known, Relevance),
    )
    _refuse_same_texts(evidence)
    return Gathered(evidence, wording, _done_without(asked, evidence, given))


def _refuse_same_texts(evidence: Evidence) -> None:
    """Refuse a reference of the same texts as the corpus: it would confirm what it repeats."""
    for own, other in product(evidence, evidence.reference or ()):
        try:
            own.fingerprint + other.fingerprint
        except EvidenceError as error:
            raise InputError(
                f"the reference holds texts of the corpus: give others ({error})"
            ) from None
        return  # all counts of a text have the same fingerprint


def _counted(given: _Opened) -> list[Counts]:
    if given.corpus is not None:
        raise InputError("give either a corpus or counts, not both")
    return counts_of(given.counts)


def _done_without(needs: Sequence[Need], evidence: Evidence, given: _Opened) -> list[str]:
    """Say what counts that were given do not hold of what metrics wish for."""
    notes = []
    if given.counts is not None:
        notes += not_counted(wished_counts(needs, reference=False), evidence, "the counts")
    if given.reference and given.reference.counts and evidence.reference:
        wished = wished_counts(needs, reference=True)
        notes += not_counted(wished, evidence.reference, "the counts of the reference")
    return notes


def _read_again(corpus: Any, needs: Sequence[Need], relevance: Any) -> Any:
    """Hold texts that could be read only once, where a classifier reads them too."""
    if corpus is None or isinstance(relevance, Relevance):
        return corpus
    if not any(isinstance(need, RelevanceRequest) for need in needs):
        return corpus
    return corpus_of(corpus, needs)


def tokens_of(
    models: Sequence[Topics], given: str | Pipeline | None, relevance: Any = None
) -> Pipeline:
    """Return the pipeline that was asked for, else that of relevance at hand or of the classifier
    that is to read the texts, else that of the models, else the default.
    """
    if given is not None:
        asked = Pipeline.parse(given)
        check_tokens(relevance, asked, "the tokens asked for are")
        return asked
    if isinstance(relevance, Relevance):
        return pipeline_of_stamp(relevance.stamp.pipeline, "relevance was")
    if relevance is not None and (fitted := about(relevance).tokens):
        return Pipeline.parse(fitted)
    known = {model.tokens for model in models if model.tokens}
    return Pipeline.parse(known.pop() if len(known) == 1 else DEFAULT_TOKENS)
