"""Scoring: from evidence at hand to the rows of scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from tealeaves.errors import InputError
from tealeaves.evidence.evidence import Evidence
from tealeaves.metrics.base import Metric, Result
from tealeaves.metrics.notes import (
    caveats,
    few_texts,
    lacking,
    left_out,
    missing_words,
    other_tokens,
)
from tealeaves.metrics.scores import Score, Scores
from tealeaves.metrics.summary import summarise
from tealeaves.metrics.wording import Wording
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topics
from tealeaves.version import __version__


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
