"""The first step of scoring: from models, metrics and sources to what must be gathered.

A plan says how the words of topics are looked for in the texts, what the metrics ask for, and which
metric cannot score which model and why. Missing texts and sources are errors here, before any text
is read. Topics in one language and in several are planned by the same function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import product
from operator import or_
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from tealeaves.errors import InputError
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.requests import (
    ContextRequest,
    CountRequest,
    DictionaryRequest,
    EmbeddingRequest,
    OptionalRequest,
    RelevanceRequest,
    SidesRequest,
    TextRequest,
    join_count_requests,
    join_embedding_requests,
)
from tealeaves.evidence.sources import ReferenceSource, Sources, check_relevance_tokens
from tealeaves.evidence.wording import Wording, Wordings
from tealeaves.metrics.base import Metric
from tealeaves.metrics.registry import METRICS, parse_metrics
from tealeaves.topics.multilingual import are_multilingual, languages_of
from tealeaves.topics.reading import read_models
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.evidence.embeddings.choice import EmbeddingChoice
    from tealeaves.metrics.base import AnyRequest

Kind = TypeVar("Kind")
#: Returns what is to be gathered, once it is known how words are looked for.
RequestsFor = Callable[[Wording], "Iterable[AnyRequest]"]


class Unscorable(NamedTuple):
    """A model that a metric cannot score, and why."""

    model: Topics
    metric: Metric
    reason: str


@dataclass(frozen=True)
class Plan:
    """What must be gathered to score models by metrics.

    ``requests`` are all requests of the metrics, the optional ones too. A plan for requests that
    come from no metric has no ``metrics``.
    """

    models: Sequence[Topics]
    sources: Sources
    wording: Wording
    requests: Sequence[AnyRequest]
    metrics: Sequence[Metric] = ()

    @property
    def unscorable(self) -> list[Unscorable]:
        """The models that a metric cannot score, and why."""
        pairs = product(self.metrics, self.models)
        return [
            Unscorable(model, metric, reason)
            for metric, model in pairs
            if (reason := metric.why_not(model))
        ]

    @property
    def multilingual(self) -> bool:
        """Whether the topics are in several languages."""
        return isinstance(self.wording, Wordings)

    @cached_property
    def gathered_requests(self) -> list[AnyRequest]:
        """What is gathered: all that is required, and of the optional requests those for which
        there is a source.

        Optional counts are gathered if there are texts to read. Optional relevance is taken if it
        was gathered before: no classifier reads texts for it.
        """
        choice, has_texts = self.sources.embedding_choice, self.sources.corpus is not None
        requests: list[AnyRequest] = []
        for request in self.requests:
            if not isinstance(request, OptionalRequest):
                requests.append(request)
            elif isinstance(request.request, EmbeddingRequest):
                requests += choice.available_requests(request.request)
            elif isinstance(request.request, CountRequest) and has_texts and not request.reference:
                requests.append(request.request)
        return requests

    def of_kind(self, kind: type[Kind]) -> list[Kind]:
        """Return the gathered requests of one kind."""
        return [request for request in self.gathered_requests if isinstance(request, kind)]

    @property
    def counts(self) -> list[CountRequest]:
        """The counts to be gathered, one request for each unit."""
        return join_count_requests(self.of_kind(CountRequest))

    @property
    def embeddings(self) -> dict[str | None, EmbeddingRequest]:
        """The vectors to be gathered, one request for each embedding."""
        return join_embedding_requests(self.of_kind(EmbeddingRequest))

    def optional_counts(self, *, reference: bool) -> list[CountRequest]:
        """Return the counts that are optional, of the corpus or of the reference."""
        return [
            request.request
            for request in self.requests
            if isinstance(request, OptionalRequest)
            and request.reference is reference
            and isinstance(request.request, CountRequest)
        ]


def plan(models: Any, metrics: Any, sources: Any) -> Plan:
    """Plan what must be gathered to score models by metrics.

    A metric that can score none of the models is an error that says why.

    Parameters
    ----------
    models, metrics
        As for :func:`tealeaves.score`.
    sources
        A :class:`Sources`, or texts alone.
    """
    return plan_metrics(read_models(models), parse_metrics(metrics), Sources.of(sources))


def plan_metrics(models: Sequence[Topics], metrics: Sequence[Metric], sources: Sources) -> Plan:
    """Plan what must be gathered for models and metrics that were read before."""
    if sources.reference is not None and not are_multilingual(models):
        _check_reference_used(metrics)

    def requests_for(wording: Wording) -> Iterable[AnyRequest]:
        return metric_requests(models, metrics, wording, sources)

    return plan_requests(models, requests_for, sources, metrics)


def plan_requests(
    models: Sequence[Topics],
    requests_for: RequestsFor,
    sources: Sources,
    metrics: Sequence[Metric] = (),
) -> Plan:
    """Plan what must be gathered for requests that are known once words can be looked for."""
    if are_multilingual(models):
        return _plan_several_languages(models, requests_for, sources, metrics)
    for name in ("dictionary", "years", "modern"):
        if getattr(sources, name) is not None:
            raise InputError(f"{name} (--{name}) is for topics in several languages")
    relevance, reference = sources.open_relevance, sources.reference_source
    pipeline = sources.pipeline(models)
    has_texts = (
        sources.counts is not None
        or sources.corpus is not None
        or sources.gathered_relevance is not None
    )
    wording = Wording(
        pipeline,
        reference=reference.wording() if reference else None,
        text="this text" if has_texts else "",  # without texts there is nothing to warn of
    )
    if sources.counts is not None:
        check_relevance_tokens(relevance, pipeline, "the counts with")
    made = Plan(models, sources, wording, list(requests_for(wording)), metrics)
    _check_texts_given(made)
    check_embeddings(made.gathered_requests, sources.embedding_choice)
    if reference:
        _check_reference_counts(reference, made.optional_counts(reference=True))
    return made


def _plan_several_languages(
    models: Sequence[Topics],
    requests_for: RequestsFor,
    sources: Sources,
    metrics: Sequence[Metric],
) -> Plan:
    if sources.reference is not None or sources.reference_tokens is not None:
        raise InputError(
            "a reference is for topics in one language, and these are in several: score one side "
            "(`tealeaves score --language`, in Python topics.side(language))"
        )
    if sources.relevance is not None:
        raise InputError(
            "relevance (--relevance) is for topics in one language: score one side (`tealeaves "
            "score --language`, in Python topics.side(language))"
        )
    sources.paired_corpus(models)  # raises for texts of other languages than the topics
    wording = Wordings(sources.pipelines(models))
    made = Plan(models, sources, wording, list(requests_for(wording)), metrics)
    _check_texts_given(made)
    if sources.dictionary is None and (requests := made.of_kind(DictionaryRequest)):
        sources.dictionaries(reduce(or_, requests), languages_of(models))  # raises if one is needed
    for name in ("years", "modern"):
        if getattr(sources, name) is not None and not made.of_kind(ContextRequest):
            raise InputError(f"{name} (--{name}) is for metrics such as cnpmi_estimated")
    return made


def metric_requests(
    models: Sequence[Topics],
    metrics: Sequence[Metric],
    wording: Wording,
    sources: Sources | None = None,
) -> list[AnyRequest]:
    """Return all that metrics ask for; a metric that can score no model is an error.

    If the sources are known, relevance that was gathered before is not asked for, and a metric that
    needs texts is an error where they are not given.
    """
    requests: list[AnyRequest] = []
    for metric in metrics:
        scorable = [model for model in models if not metric.why_not(model)]
        if not scorable:
            reason = f"{models[0].model}: {metric.why_not(models[0])}"
            raise InputError(f"{metric!r} cannot be computed: {reason}")
        if sources and metric.reads_relevance and sources.gathered_relevance is not None:
            continue
        needs = list(metric.needs(scorable, wording))
        if sources and (cure := _texts_to_give(models, needs, sources)):
            raise InputError(f"{metric!r} needs texts: {cure}")
        requests += needs
    return requests


def count_requests(
    models: Sequence[Topics], metrics: Sequence[Metric], wording: Wording
) -> list[CountRequest]:
    """Return all counts that metrics ask for, the optional ones too, one request for each unit.

    Counts of a reference are among them if the wording has one.
    """
    requests = []
    for metric in metrics:
        for request in metric_requests(models, [metric], wording):
            if isinstance(request, TextRequest | SidesRequest):
                raise InputError(f"{metric!r} reads the texts themselves: score it with the texts")
            requests.append(request.request if isinstance(request, OptionalRequest) else request)
    return join_count_requests(one for one in requests if isinstance(one, CountRequest))


def _check_texts_given(plan: Plan) -> None:
    if cure := _texts_to_give(plan.models, plan.gathered_requests, plan.sources):
        raise InputError(f"texts are needed: {cure}")


def _texts_to_give(
    models: Sequence[Topics], requests: Iterable[AnyRequest], sources: Sources
) -> str:
    """Say which texts the user must give for these requests, if there are not enough."""
    if sources.corpus is not None:
        return ""
    kinds = {type(request) for request in requests}
    if sources.counts is not None:
        kinds.discard(CountRequest)
    corpus = "give a corpus (--corpus)"
    if are_multilingual(models):
        options = " ".join(f"--corpus {language}=PATH" for language in languages_of(models))
        corpus = f"give linked texts of each language ({options})"
    if TextRequest in kinds or SidesRequest in kinds:
        return f"{corpus}; counts do not suffice"
    if CountRequest in kinds:
        return f"{corpus} or counts (--counts)"
    if RelevanceRequest in kinds:
        return (
            f"{corpus}, which a classifier reads, or relevance (--relevance) that `tealeaves "
            "relevance gather` made"
        )
    return ""


def check_embeddings(requests: Iterable[AnyRequest], choice: EmbeddingChoice) -> None:
    """Raise, before long work begins, for embeddings that do not exist."""
    vectors = (request for request in requests if isinstance(request, EmbeddingRequest))
    for name in join_embedding_requests(vectors):
        choice.by_name(name)


def with_each_embedding(metrics: Sequence[Metric], choice: EmbeddingChoice) -> list[Metric]:
    """Return the metrics; with several embeddings, a metric that names none is computed with each.

    >>> from tealeaves.evidence.embeddings import Embeddings
    >>> from tealeaves.evidence.embeddings.choice import EmbeddingChoice
    >>> from tealeaves.metrics.registry import parse_metrics
    >>> both = [Embeddings.of({"cat": [1.0]}, name=name) for name in ("one", "other")]
    >>> with_each_embedding(parse_metrics("isim@10 npmi"), EmbeddingChoice(both))
    [isim(embedding=one)@10, isim(embedding=other)@10, npmi]
    """
    if len(choice.chosen) < 2:
        return list(metrics)
    return [
        each
        for metric in metrics
        for each in (
            [metric(embedding=one.name) for one in choice.chosen]
            if "embedding" in metric.accepts and metric.settings.embedding is None
            else [metric]
        )
    ]


def check_sources_used(
    metrics: Sequence[Metric], sources: Sources, *, multilingual: bool = False
) -> None:
    """Raise for embeddings, relevance or dictionaries that none of these metrics uses.

    Relevance is for topics in one language, a dictionary for topics in several: ``plan`` refuses
    them elsewhere.
    """
    names = ", ".join(map(repr, metrics))
    reads_dictionaries = any(getattr(one, "reads_dictionaries", False) for one in metrics)
    if multilingual and sources.dictionary is not None and not reads_dictionaries:
        raise InputError(
            "a dictionary (--dictionary) is for mta@10, cnpmi_estimated@10 and words side by side "
            f"(--side-by-side), not for {names}"
        )
    if sources.embedding_choice.chosen and not any(
        "embedding" in one.accepts or "embeddings" in one.uses for one in metrics
    ):
        raise InputError(
            "embeddings (-e) are for metrics of word vectors, such as embedding_coherence@10, not "
            f"for {names}"
        )
    reads_relevance = any(one.reads_relevance for one in metrics)
    if multilingual or sources.relevance is None or reads_relevance:
        return
    if not any("relevance" in one.uses for one in metrics):
        raise InputError(
            f"relevance (--relevance) is for metrics such as lrp_sum@10, not for {names}"
        )
    if sources.gathered_relevance is None:
        raise InputError(f"{sources.relevance}: {names} can use relevance from a file only")


def _check_reference_used(metrics: Sequence[Metric]) -> None:
    if any("reference" in metric.uses for metric in metrics):
        return
    users = [name for name, metric in METRICS.items() if "reference" in metric.uses]
    cure = f"ask for {' or '.join(users)}, or leave it out" if users else "leave it out"
    raise InputError(f"the reference is of no use to {', '.join(map(repr, metrics))}: {cure}")


def _check_reference_counts(reference: ReferenceSource, requests: Sequence[CountRequest]) -> None:
    """Raise, before long work begins, for counts of a reference that no metric can use."""
    if reference.corpus is not None or not requests:
        return
    if not any(map(Evidence(reference.counts).has, requests)):
        wanted = ", ".join(dict.fromkeys(str(request.unit) for request in requests))
        raise InputError(
            f"the counts of the reference do not hold what these metrics ask for ({wanted} of "
            "the words of these topics): count it again (`tealeaves count`) with the same "
            "topics and metrics"
        )
