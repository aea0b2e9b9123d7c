"""The third step of scoring: from evidence to scores; ``score`` takes all three steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.relevance.relevance import Relevance
from tealeaves.evidence.sources import Sources
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.base import Metric, Result
from tealeaves.metrics.gathering import gather
from tealeaves.metrics.marking import mark_words, marker_among, with_marker
from tealeaves.metrics.notes import (
    caveats,
    few_texts,
    lacking,
    left_out,
    missing_controls,
    missing_words,
    other_tokens,
)
from tealeaves.metrics.planning import plan_metrics, with_each_embedding
from tealeaves.metrics.registry import parse_metrics
from tealeaves.metrics.scores import Score, Scores
from tealeaves.metrics.summary import check_weight, summarise
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
    given = {
        "tokens": tokens,
        "counts": counts,
        "embeddings": embeddings,
        "relevance": relevance,
        "dictionary": dictionary,
        "years": years,
        "modern": modern,
        "reference": reference,
        "reference_tokens": reference_tokens,
    }
    sources = sources_of(corpus, given)
    choice = sources.embedding_choice
    judged = read_models(models)
    parsed = parse_metrics(default_metrics(judged, sources) if metrics is None else metrics)
    scored = with_each_embedding(parsed, choice)
    if weight is not None:
        check_weight(judged, weight)  # before the work begins
    marker = marker_among(scored, judged) if mark else None
    wanted = [*with_marker(scored, marker), *(parse_metrics(also) if also else ())]
    planned = plan_metrics(judged, list(dict.fromkeys(wanted)), sources)
    evidence = gather(planned, threads=threads, progress=progress)
    scores = evaluate_metrics(judged, scored, evidence, weight)
    scores.evidence = evidence if also else None  # it is large: kept only where it is needed
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
    relevance = sources.open_relevance
    if relevance is None:
        return DEFAULT_METRICS
    improved = isinstance(relevance, Relevance) and relevance.stamp.improved
    return f"{_RELEVANCE_METRICS} improved_lrp_sum@10" if improved else _RELEVANCE_METRICS


def sources_of(corpus: Any, given: Mapping[str, Any]) -> Sources:
    """Return the sources of a call: those that are given whole, or one made of its arguments."""
    if not isinstance(corpus, Sources):
        return Sources(corpus, **given)
    if twice := [name for name, value in given.items() if value is not None]:
        raise InputError(f"{twice[0]} belongs to the Sources that are given: give it there")
    return corpus


def evaluate(models: Any, metrics: Any, evidence: Evidence, *, weight: str | None = None) -> Scores:
    """Score models by metrics, given as for ``score``, from evidence that was gathered for them.

    ``weight="documents"`` weights topics by the documents whose best topic they are.
    """
    return evaluate_metrics(read_models(models), parse_metrics(metrics), evidence, weight)


def evaluate_metrics(
    models: Sequence[Topics],
    metrics: Sequence[Metric],
    evidence: Evidence,
    weight: str | None = None,
) -> Scores:
    """Score models by metrics that were read before."""
    wording = evidence.wording
    names = [model.model for model in models]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise InputError(f"two models are called {twice.pop()}: give each its own name")
    results = [_results(metric, models, evidence, wording) for metric in metrics]
    labels = [repr(metric) for metric in metrics]
    common = [_signature(metric, evidence) for metric in metrics]
    levels = {m: labels[m] for m, metric in enumerate(metrics) if metric.level == "topic"}
    rows: list[Score] = []
    notes = [
        *evidence.notes,
        *few_texts(evidence),
        *missing_words(models, metrics, evidence, wording),
    ]
    notes += [*other_tokens(models, wording), *lacking(models, metrics)]
    notes += [remark for metric in metrics for remark in metric.remarks(models)]
    notes += [*caveats(models, metrics, evidence), *missing_controls(metrics)]
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
            if not metric.why_not(model):
                notes += left_out(model, metric, summary)
    words: dict[tuple[str, int | str | None], tuple[str, ...]]
    words = {
        (m.model, t.id): _words(m, number) for m in models for number, t in enumerate(m.topics)
    }
    better = {label: metric.better for label, metric in zip(labels, metrics, strict=True)}
    return Scores(rows, better=better, words=words, notes=list(dict.fromkeys(notes)))


def _words(model: Topics, number: int) -> tuple[str, ...]:
    """Return the words of a topic; of several languages in turn, so that the first show all."""
    if not isinstance(model, MultilingualTopics):
        return model[number].words
    sides = [side[number].words for side in model.by_language.values()]
    return tuple(word for turn in zip_longest(*sides) for word in turn if word is not None)


def _results(
    metric: Metric, models: Sequence[Topics], evidence: Evidence, wording: Wording
) -> list[Result]:
    """Score the models that have what the metric needs; of the others nothing is said."""
    able = [number for number, model in enumerate(models) if not metric.why_not(model)]
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
