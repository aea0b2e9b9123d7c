"""The third step of scoring: from evidence to scores; ``score`` takes all three steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from tealeaves.errors import InputError
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.sources import Sources
from tealeaves.metrics.base import Metric, Result
from tealeaves.metrics.gathering import gather
from tealeaves.metrics.marking import mark_words, marker_among
from tealeaves.metrics.notes import ModelScore, left_out, notes_on, unscored_topics
from tealeaves.metrics.planning import check_sources_used, plan_metrics, with_each_embedding
from tealeaves.metrics.registry import parse_metrics
from tealeaves.metrics.scores import Score, Scores
from tealeaves.metrics.summary import ModelSummary, check_weight, summarise
from tealeaves.text.corpus import Corpus, Text
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.multilingual import MultilingualTopics, are_multilingual
from tealeaves.topics.reading import read_models
from tealeaves.topics.topics import Topics
from tealeaves.version import __version__

if TYPE_CHECKING:
    import os

    from tealeaves.text.paired.corpus import PairedCorpus

DEFAULT_METRICS = "npmi@10 c_v@10"
DEFAULT_CROSSLINGUAL_METRICS = "cnpmi@10 inpmi@10 twc@10"
_VERSION = f"tealeaves={__version__}"
_RELEVANCE_METRICS = "lrp_sum@10 attention_sum@10 relevance_count@10 cooccurrence@10"


def score(
    models: Any,
    corpus: Sources | Corpus | PairedCorpus | str | os.PathLike[str] | Iterable[Text] | None = None,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    *,
    tokens: str | Pipeline | Mapping[str, str | Pipeline] | None = None,
    counts: Counts | Iterable[Counts] | str | os.PathLike[str] | None = None,
    embeddings: Any = None,
    relevance: Any = None,
    dictionary: Any = None,
    years: Any = None,
    modern: Any = None,
    reference: Any = None,
    reference_tokens: str | Pipeline | None = None,
    weight: str | None = None,
    mark: bool = False,
    also: str | Metric | Iterable[str | Metric] = (),
    strict: bool = False,
    threads: int | None = None,
    progress: bool = False,
) -> Scores:
    """Score models and their topics, reading the corpus once for all of them.

    Parameters
    ----------
    models
        Word lists of one model, a path, ``Topics``, several of these, or a mapping from names.
    corpus
        The texts: a corpus, a path, or texts in memory; for topics in several languages a
        ``PairedCorpus``, or a mapping from languages to paths. A ``Sources`` holds the corpus and
        everything else that models are judged with.
    metrics
        Expressions such as ``"npmi@10 c_v(never=0)@10"``, or metrics; by default npmi@10 and
        c_v@10, with relevance those of relevance; for topics in several languages cnpmi@10,
        inpmi@10 and twc@10, with a dictionary mta@10 too.
    tokens, counts, embeddings, relevance, dictionary, years, modern, reference, reference_tokens
        As for :class:`~tealeaves.evidence.sources.Sources`.
    weight
        ``"documents"`` weights topics by the documents whose best topic they are.
    mark
        Mark the words that fit their topic badly (``Scores.marked``), by the first of the metrics
        that can, else by ``consensus``.
    also
        Metrics that are not scored, but whose evidence is gathered in the same reading, for later
        questions to ``Scores.evidence``.
    strict
        Raise for embeddings, relevance or a dictionary that nothing uses, as the commands do.
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
    sources = Sources.of(
        corpus,
        tokens=tokens,
        counts=counts,
        embeddings=embeddings,
        relevance=relevance,
        dictionary=dictionary,
        years=years,
        modern=modern,
        reference=reference,
        reference_tokens=reference_tokens,
    )
    choice = sources.embedding_choice  # wrong embeddings are an error before models are read
    judged = read_models(models)
    parsed = parse_metrics(default_metrics(judged, sources) if metrics is None else metrics)
    scored = with_each_embedding(parsed, choice)
    if weight is not None:
        check_weight(judged, weight)
    marker = marker_among(scored, judged) if mark else None
    unscored = parse_metrics(also) if also else []
    further = [*([marker] if marker else []), *unscored]
    wanted = list(dict.fromkeys([*scored, *further]))
    if strict:
        check_sources_used(wanted, sources, multilingual=are_multilingual(judged))
    planned = plan_metrics(judged, wanted, sources)
    evidence = gather(planned, threads=threads, progress=progress)
    scores = evaluate_metrics(judged, scored, evidence, weight)
    if unscored:  # evidence is large: it is kept only where it is needed
        scores.evidence, scores.also = evidence, unscored
    if marker is not None:
        marked = mark_words(marker, judged, evidence)
        scores.marked, scores.notes = marked.words, [*scores.notes, *marked.notes_beside(scored)]
    return scores


def default_metrics(models: Sequence[Topics], sources: Sources) -> str:
    """Return the metrics that are scored by default, which depend on the sources."""
    if are_multilingual(models):
        if sources.dictionary is None:
            return DEFAULT_CROSSLINGUAL_METRICS
        has_texts = sources.corpus is not None or sources.counts is not None
        return f"{DEFAULT_CROSSLINGUAL_METRICS} mta@10" if has_texts else "mta@10"
    if sources.open_relevance is None:
        return DEFAULT_METRICS
    gathered = sources.gathered_relevance
    improved = gathered is not None and gathered.stamp.improved
    return f"{_RELEVANCE_METRICS} improved_lrp_sum@10" if improved else _RELEVANCE_METRICS


def evaluate(models: Any, metrics: Any, evidence: Evidence, *, weight: str | None = None) -> Scores:
    """Score models by metrics from evidence that was gathered for them.

    Parameters
    ----------
    models, metrics
        As for :func:`tealeaves.score`.
    evidence
        What :func:`gather` returned for these models and metrics, or for more.
    weight
        ``"documents"`` weights topics by the documents whose best topic they are.
    """
    return evaluate_metrics(read_models(models), parse_metrics(metrics), evidence, weight)


def evaluate_metrics(
    models: Sequence[Topics],
    metrics: Sequence[Metric],
    evidence: Evidence,
    weight: str | None = None,
) -> Scores:
    """Score models by metrics that were read before."""
    names = [model.model for model in models]
    if repeated := {name for name in names if names.count(name) > 1}:
        raise InputError(f"two models are called {repeated.pop()}: give each its own name")
    labels = [repr(metric) for metric in metrics]
    results = [_results(metric, models, evidence) for metric in metrics]
    common = [_joined(metric.signature, metric.provenance(evidence)) for metric in metrics]
    rows: list[Score] = []
    summaries: list[ModelScore] = []
    notes = notes_on(models, metrics, evidence)
    for number, model in enumerate(models):
        columns = [
            _MetricColumn(
                metric,
                label,
                metric_results[number],
                _joined(signature, metric.provenance_of(model, models, evidence), _VERSION),
            )
            for metric, label, metric_results, signature in zip(
                metrics, labels, results, common, strict=True
            )
        ]
        rows += _topic_rows(model, [one for one in columns if one.metric.level == "topic"])
        for column in columns:
            row, summary, model_notes = _model_row(model, column, weight)
            rows.append(row)
            notes += model_notes
            if not column.metric.why_not(model):
                summaries.append(ModelScore(model, column.metric, summary))
    notes += unscored_topics(summaries)
    notes += [note for one in summaries for note in left_out(one)]
    words: dict[tuple[str, int | str | None], tuple[str, ...]]
    words = {
        (model.model, topic.id): _words(model, number)
        for model in models
        for number, topic in enumerate(model.topics)
    }
    better = {label: metric.better for label, metric in zip(labels, metrics, strict=True)}
    return Scores(rows, better=better, words=words, notes=list(dict.fromkeys(notes)))


class _MetricColumn(NamedTuple):
    """What a metric says about one model."""

    metric: Metric
    label: str
    result: Result
    signature: str


def _results(metric: Metric, models: Sequence[Topics], evidence: Evidence) -> list[Result]:
    """Score the models that have what the metric needs; the others have undefined results."""
    able = [number for number, model in enumerate(models) if not metric.why_not(model)]
    chosen = [models[number] for number in able]
    scored = metric.score(chosen, evidence, evidence.wording) if able else []
    by_number = dict(zip(able, scored, strict=True))
    return [by_number.get(n) or Result.undefined(model) for n, model in enumerate(models)]


def _topic_rows(model: Topics, columns: Sequence[_MetricColumn]) -> list[Score]:
    """Return a row for each topic and metric, topic by topic."""
    cells = []
    for _, label, result, signature in columns:
        unknown = [None] * len(model)
        errors = unknown if result.error is None else result.error.tolist()
        cells.append((label, result.values.tolist(), result.support.tolist(), signature, errors))
    return [
        Score(model.model, topic.id, label, values[k], support[k], signature, errors[k])
        for k, topic in enumerate(model.topics)
        for label, values, support, signature, errors in cells
    ]


def _model_row(
    model: Topics, column: _MetricColumn, weight: str | None
) -> tuple[Score, ModelSummary, list[str]]:
    """Return the row of a model, what it is the sum of, and a note if it is not weighted."""
    _, label, result, signature = column
    notes = []
    if weight and result.overall is not None:
        notes.append(f"{label} judges the model as a whole, not weighted by {weight}")
        weight = None
    summary = summarise(model, result, weight)
    if weight:
        signature = _joined(signature, f"weight={weight}")
    value, support, error = summary.value, summary.support, summary.error
    return Score(model.model, None, label, value, support, signature, error), summary, notes


def _words(model: Topics, number: int) -> tuple[str, ...]:
    """Return the words of a topic; those of several languages in turn: first words, second ones."""
    if not isinstance(model, MultilingualTopics):
        return model[number].words
    sides = [side[number].words for side in model.by_language.values()]
    return tuple(word for turn in zip_longest(*sides) for word in turn if word is not None)


def _joined(*parts: str) -> str:
    return "|".join(filter(None, parts))
