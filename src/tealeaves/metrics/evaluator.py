"""The evaluator: gather once, score many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.embeddings.opening import Choice
from tealeaves.evidence.encoded import TextRequest
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.relevance.classifier.saved import about
from tealeaves.evidence.relevance.relevance import Relevance
from tealeaves.evidence.relevance.request import RelevanceRequest
from tealeaves.evidence.request import Request, join_requests
from tealeaves.metrics.base import Metric, Result
from tealeaves.metrics.needed import (
    check_embeddings,
    check_tokens,
    corpus_of,
    counts_of,
    embed_once,
    pipeline_of_stamp,
    read_once,
    relevance_of,
    relevance_once,
    with_each_embedding,
)
from tealeaves.metrics.notes import (
    caveats,
    few_texts,
    lacking,
    left_out,
    missing_words,
    other_tokens,
)
from tealeaves.metrics.registry import parse_metrics
from tealeaves.metrics.relevant.family import RelevanceMetric
from tealeaves.metrics.scores import Score, Scores
from tealeaves.metrics.summary import check_weight, summarise
from tealeaves.metrics.wording import Wording
from tealeaves.text.corpus import Corpus, Text
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.reading import read_models
from tealeaves.topics.topics import Topics
from tealeaves.version import __version__

if TYPE_CHECKING:
    import os

    from tealeaves.metrics.base import Need

DEFAULT_METRICS = "npmi@10 c_v@10"
DEFAULT_TOKENS = "words"


def score(
    models: Any,
    corpus: Corpus | str | os.PathLike[str] | Iterable[Text] | None = None,
    metrics: str | Metric | Iterable[str | Metric] = DEFAULT_METRICS,
    *,
    tokens: str | Pipeline | None = None,
    counts: Counts | Iterable[Counts] | str | os.PathLike[str] | None = None,
    embeddings: Any = None,
    relevance: Any = None,
    weight: str | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> Scores:
    """Score models and their topics, reading the corpus once for all of them.

    Parameters
    ----------
    models
        Word lists of one model, a path, ``Topics``, several of these, or a mapping from names.
    corpus
        The reference: a corpus, a path, or texts in memory.
    metrics
        Expressions such as ``"npmi@10 c_v(never=0)@10"``, or metrics.
    tokens
        The token pipeline, such as ``"words(stopwords=en)"``; by default the one that the models
        were made with, where they say it and agree, else ``"words"``.
    counts
        Counts made before, or their file, instead of a corpus; they know their pipeline.
    embeddings
        What gives words their vectors, for metrics that need them and name no embedding: a name
        (``tealeaves embeddings`` lists them), a file of vectors, a mapping from words, a function,
        anything with ``encode``, or :class:`~tealeaves.evidence.embeddings.Embeddings`. Of a list,
        such metrics are computed with each. By default ``minilm``, else ``wordllama``, whichever is
        installed.
    relevance
        Relevance gathered before, or its file, for metrics of attention and relevance; it knows its
        pipeline, and needs no corpus. Else a classifier, which reads the corpus: of
        ``tealeaves relevance fit``, or by default a probe of the corpus itself.
    weight
        ``"documents"`` weights topics by the documents whose best topic they are.
    threads
        How many threads count; by default one for each processor.
    progress
        Show a bar on standard error.

    >>> texts = ["the cat and the dog", "a dog and a cat", "soup with bread", "bread"]
    >>> good, bad = [["cat", "dog"]], [["cat", "bread"]]
    >>> scores = score({"good": good, "bad": bad}, texts, "npmi")
    >>> scores.value("good", "npmi"), scores.value("bad", "npmi")
    (1.0, -1.0)
    """
    choice = Choice(embeddings)
    asked = with_each_embedding(parse_metrics(metrics), choice)
    judged = read_models(models)
    if weight is not None:
        check_weight(judged, weight)  # else the work would be for nothing
    known = relevance_of(relevance)
    if counts is not None:
        if corpus is not None:
            raise InputError("give either a corpus or counts, not both")
        found, texts = counts_of(counts), None
        pipeline = pipeline_of(found)
        check_tokens(known, pipeline, "the counts with")
        wording = Wording(pipeline)
        _refuse_texts(judged, asked, wording)
        needs = needs_of(judged, asked, wording, known)
    else:
        pipeline = tokens_of(judged, tokens, known)
        wording = Wording(pipeline)
        needs = needs_of(judged, asked, wording, known)
        check_embeddings(needs, choice)
        corpus = _read_again(corpus, needs, known)
        found, texts = read_once(corpus, pipeline, needs, threads, progress=progress)
    evidence = Evidence(
        found,
        texts,
        embed_once(needs, choice, progress=progress),
        relevance_once(needs, known, corpus, pipeline, progress=progress),
    )
    return score_models(judged, asked, evidence, wording, weight=weight)


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


def needs_of(
    models: Sequence[Topics], metrics: Sequence[Metric], wording: Wording, relevance: Any = None
) -> list[Need]:
    """Return all that the metrics need for these models; relevance at hand is not asked for."""
    found: list[Need] = []
    for metric in metrics:
        able = [model for model in models if not metric.lacks(model)]
        if not able:
            reason = f"{models[0].model}: {metric.lacks(models[0])}"
            raise InputError(f"{metric!r} cannot be computed: {reason}")
        if not (isinstance(metric, RelevanceMetric) and isinstance(relevance, Relevance)):
            found += metric.needs(able, wording)
    return found


def requests_of(
    models: Sequence[Topics], metrics: Sequence[Metric], wording: Wording
) -> list[Request]:
    """Return all that the metrics need to be counted for these models."""
    _refuse_texts(models, metrics, wording)
    needs = needs_of(models, metrics, wording)
    return join_requests(need for need in needs if isinstance(need, Request))


def _refuse_texts(models: Sequence[Topics], metrics: Sequence[Metric], wording: Wording) -> None:
    """Refuse metrics that read the texts themselves, where only counts are at hand."""
    for metric in metrics:
        if any(isinstance(need, TextRequest) for need in needs_of(models, [metric], wording)):
            raise InputError(f"{metric!r} reads the texts themselves: score it with the corpus")


def pipeline_of(counts: Sequence[Counts]) -> Pipeline:
    """Return the pipeline that counts were made with, which must be the same today."""
    stamps = {stamp for one in counts for stamp in one.pipelines.values()}
    if not stamps:
        raise InputError("no counts were given")
    if len(stamps) != 1:
        raise InputError("the counts were made with more than one token pipeline")
    return pipeline_of_stamp(stamps.pop(), "counts were")


def score_models(
    models: Sequence[Topics],
    metrics: Sequence[Metric],
    evidence: Evidence,
    wording: Wording,
    *,
    weight: str | None = None,
) -> Scores:
    """Score from evidence at hand."""
    names = [model.model for model in models]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise InputError(f"two models are called {twice.pop()}: give each its own name")
    results = [_results(metric, models, evidence, wording) for metric in metrics]
    labels = [repr(metric) for metric in metrics]
    common = [_signature(metric, evidence) for metric in metrics]
    levels = {m: labels[m] for m, metric in enumerate(metrics) if metric.level == "topic"}
    rows: list[Score] = []
    notes = [*few_texts(evidence), *missing_words(models, metrics, evidence, wording)]
    notes += [*other_tokens(models, wording), *lacking(models, metrics)]
    notes += [remark for metric in metrics for remark in metric.remarks(models)]
    notes += caveats(models, metrics, evidence, wording)
    for number, model in enumerate(models):
        columns = [result[number] for result in results]
        signatures = [
            _joined(text, one.provenance_of(model, models, evidence), f"tealeaves={__version__}")
            for one, text in zip(metrics, common, strict=True)
        ]
        rows += _topic_rows(model, levels, columns, signatures)
        for m, (metric, result) in enumerate(zip(metrics, columns, strict=True)):
            weighted = weight if result.overall is None else None
            if weight and result.overall is not None:
                notes.append(f"{labels[m]} judges the model as a whole, not weighted by {weight}")
            summary = summarise(model, result, weighted)
            full = _joined(signatures[m], weighted and f"weight={weighted}")
            value, support, error = summary.value, summary.support, summary.error
            rows.append(Score(model.model, None, labels[m], value, support, full, error))
            if not metric.lacks(model):
                notes += left_out(model, metric, summary)
    words: dict[tuple[str, int | str | None], tuple[str, ...]]
    words = {(m.model, t.id): t.words for m in models for t in m.topics}
    better = {label: metric.better for label, metric in zip(labels, metrics, strict=True)}
    return Scores(rows, better=better, words=words, notes=list(dict.fromkeys(notes)))


def _results(
    metric: Metric, models: Sequence[Topics], evidence: Evidence, wording: Wording
) -> list[Result]:
    """Score the models that have what the metric needs; of the others nothing is said."""
    able = [number for number, model in enumerate(models) if not metric.lacks(model)]
    found = metric.score([models[number] for number in able], evidence, wording) if able else []
    known = dict(zip(able, found, strict=True))
    return [known.get(number) or Result.undefined(model) for number, model in enumerate(models)]


def _topic_rows(
    model: Topics, labels: Mapping[int, str], columns: Sequence[Result], signatures: Sequence[str]
) -> list[Score]:
    """Return a row for each topic and each metric that judges topics, by their numbers."""
    values = [column.values.tolist() for column in columns]
    support = [column.support.tolist() for column in columns]
    errors = [None if column.error is None else column.error.tolist() for column in columns]
    name = model.model
    return [
        Score(name, topic.id, label, values[m][k], support[m][k], signatures[m], _at(errors[m], k))
        for k, topic in enumerate(model.topics)
        for m, label in labels.items()
    ]


def _at(values: Sequence[float] | None, number: int) -> float | None:
    return None if values is None else values[number]


def _signature(metric: Metric, evidence: Evidence) -> str:
    return _joined(metric.signature, metric.provenance(evidence))


def _joined(*parts: str | None) -> str:
    return "|".join(part for part in parts if part)
