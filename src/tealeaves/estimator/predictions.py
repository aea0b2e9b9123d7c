"""``predict`` and ``explain``: estimates of topics with intervals, reasons and contributions."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import msgspec
import numpy as np

from tealeaves.errors import InputError
from tealeaves.estimator.estimation import (
    EstimatedTopics,
    Estimation,
    estimate_topics,
    verdict_on,
)
from tealeaves.estimator.estimators import Estimators
from tealeaves.estimator.features import TopicFeatures, group_of
from tealeaves.evidence.sources import Sources
from tealeaves.learners.results import TopicResults, main_parts
from tealeaves.parameters import check_names
from tealeaves.tables.numbers import interval_text, list_text, number_text
from tealeaves.tables.table import Table, text_table

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

_ALL = "all"
_SOURCES = ("counts", "tokens", "dictionary", "years", "modern")
_SHOWN = 5  # words of a topic in each language
_LEAST = 0.0005  # smaller contributions are shown as one


class EstimateOptions(TypedDict, total=False):
    """The options of ``predict`` and ``explain``."""

    estimator: Estimators | str | os.PathLike[str] | None
    dictionary: Any
    years: Any
    modern: Any
    counts: Any
    tokens: Any
    top: int | None
    level: float
    threads: int | None
    progress: bool


def predict(models: Any, reference: Any = None, **options: Unpack[EstimateOptions]) -> Predictions:
    """Estimate the CNPMI that a rich reference would give topics, with intervals and reasons.

    Parameters
    ----------
    models
        Topics in several languages, as ``score`` takes them.
    reference
        The small reference, such as Bibles: a ``PairedCorpus``, or paths by language. A ``Sources``
        holds the reference and all other sources.
    options
        ``estimator``: a file of ``tealeaves estimator fit``, by default the estimators of
        tealeaves; ``dictionary``, ``years``, ``modern``, ``counts``, ``tokens``, ``threads``,
        ``progress``: as for ``score``; ``top``: the number of first words that are judged, by
        default 10; ``level`` of the intervals, by default 0.9.
    """
    check_names("predict", options, EstimateOptions.__annotations__)
    estimation = _estimation(models, reference, options)
    rows = [row for part in estimation.parts for row in _predicted(part)]
    return Predictions(rows, estimation.level, estimation.top, estimation.notes)


def explain(
    models: Any,
    reference: Any = None,
    *,
    topics: Sequence[int | str] | None = None,
    **options: Unpack[EstimateOptions],
) -> EstimateExplanations:
    """Say what moved each estimate: the contributions of features, which add up to it.

    Parameters
    ----------
    models, reference, options
        As for :func:`predict`.
    topics
        The ids of the topics to explain; by default all.
    """
    check_names("explain", options, ["topics", *EstimateOptions.__annotations__])
    estimation = _estimation(models, reference, options)
    chosen = None if topics is None else {str(topic) for topic in topics}
    parts = estimation.parts
    known = dict.fromkeys(str(topic.id) for part in parts for topic in part.topics.model.topics)
    if chosen is not None and (unknown := sorted(chosen - set(known))):
        raise InputError(f"no topic {unknown[0]} (there are {list_text(list(known))})")
    rows = [row for part in parts for row in _explained(part, chosen)]
    return EstimateExplanations(rows, estimation.level, estimation.top, estimation.notes)


def _estimation(models: Any, reference: Any, options: EstimateOptions) -> Estimation:
    others: dict[str, Any] = dict(options)
    sources = Sources.of(reference, **{name: others.pop(name, None) for name in _SOURCES})
    return estimate_topics(models, sources, **others)


def _predicted(part: EstimatedTopics) -> Iterator[Prediction]:
    """Yield a row for each topic, and one for the model."""
    pivot, language = part.topics.pair
    name = part.topics.model.model
    estimates, raw = part.estimates, part.topics.values["cnpmi"]
    for row, topic in enumerate(part.topics.model.topics):
        estimator = part.estimator(row)
        verdict = verdict_on(part.topic(row), estimator)
        yield Prediction(
            model=name,
            pivot=pivot,
            language=language,
            topic=topic.id,
            cnpmi=float(raw[row]),
            support=float(part.topics.support[row]),
            estimate=float(estimates.values[row]),
            low=float(estimates.low[row]),
            high=float(estimates.high[row]),
            trusted=verdict.trusted,
            reason=verdict.sentence,
            features=" ".join(estimator.features) if estimator else "",
            words=_words(part.topics, row),
        )
    estimated = ~np.isnan(estimates.values)
    yield Prediction(
        model=name,
        pivot=pivot,
        language=language,
        topic=None,
        cnpmi=_mean(raw[estimated] if estimated.any() else raw),  # of the topics of the estimate
        support=float(part.topics.support.mean()),
        estimate=_mean(estimates.values),
    )


def _explained(part: EstimatedTopics, chosen: set[str] | None) -> Iterator[EstimateExplanation]:
    predictions = [row for row in _predicted(part) if row.topic is not None]
    for row, prediction in enumerate(predictions):
        if chosen is not None and str(prediction.topic) not in chosen:
            continue
        estimator = part.estimator(row)
        if estimator is None:
            yield EstimateExplanation(
                prediction=prediction, usual=np.nan, values={}, means={}, contributions={}
            )
            continue
        topic = part.topic(row)
        size = topic.values["cardinality"]
        seen = estimator.nearest(size).features
        yield EstimateExplanation(
            prediction=prediction,
            usual=estimator.average(size),
            values={name: topic.values[name] for name in estimator.features},
            means={name: one.mean for name, one in zip(estimator.features, seen, strict=True)},
            contributions=dict(topic.contributions),
        )


def _words(topics: TopicFeatures, row: int) -> list[str]:
    """Return the first words of a topic in both languages."""
    sides = [topics.model.side(name)[row].words[:_SHOWN] for name in topics.pair]
    return [" ".join(words) for words in sides]


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


# ---------------------------------------------------------------------- predictions


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """One topic in two languages, or (without a topic) the mean over a model's estimated topics.

    ``cnpmi`` and ``support`` are those of the reference; the support of a model is the mean over
    all its topics. ``features`` are those of the estimator.
    """

    model: str
    pivot: str
    language: str
    topic: int | str | None
    cnpmi: float
    support: float
    estimate: float
    low: float = math.nan
    high: float = math.nan
    trusted: bool | None = None
    reason: str = ""
    features: str = ""
    words: list[str] = msgspec.field(default_factory=list)


class Predictions(TopicResults[Prediction]):
    """Estimates: a row for each topic and pair of languages, and one for each model."""

    columns = Prediction.__struct_fields__

    def table(self) -> Table:
        """Return the table that is printed."""
        names = {row.model for row in self.rows}
        pairs = {(row.pivot, row.language) for row in self.rows}
        labels = [
            *(["model"] if len(names) > 1 else []),
            *(["languages"] if len(pairs) > 1 else []),
            "topic",
            "words",
        ]
        columns = ["CNPMI", "support", "trust CNPMI?", "estimate", f"{self.level:.0%} interval"]
        lines = []
        for row in self.rows:
            left = [
                *([row.model] if len(names) > 1 else []),
                *([f"{row.pivot}-{row.language}"] if len(pairs) > 1 else []),
                _ALL if row.topic is None else str(row.topic),
                " / ".join(row.words),
            ]
            lines.append((left, _prediction_cells(row)))
        return text_table(labels, columns, lines)

    @property
    def legend(self) -> list[str]:
        """What the columns mean."""
        return [
            "CNPMI: in the given reference; trust CNPMI?: no if something speaks against it; "
            "estimate: the CNPMI that a rich reference would give, on its scale (0 is not chance); "
            "`tealeaves estimator explain` says why"
        ]

    @property
    def doubted(self) -> list[Prediction]:
        """The topics whose CNPMI in the reference cannot be trusted."""
        return [row for row in self.rows if row.topic is not None and not row.trusted]


def _prediction_cells(row: Prediction) -> list[str]:
    trusted = "" if row.trusted is None else ("yes" if row.trusted else "no")
    if row.topic is not None and math.isnan(row.estimate):
        trusted = "–"
    return [
        number_text(row.cnpmi),
        f"{row.support:.0%}",
        trusted,
        number_text(row.estimate),
        interval_text(row.low, row.high),
    ]


# ---------------------------------------------------------------------- explanations


class EstimateExplanation(msgspec.Struct, frozen=True, kw_only=True):
    """One topic: its estimate is ``usual`` plus the sum of all contributions.

    ``usual`` is the estimate of an average topic of as many words. Features that contribute as one
    have no value.
    """

    prediction: Prediction
    usual: float
    values: dict[str, float]
    means: dict[str, float]
    contributions: dict[str, float]

    @property
    def ordered(self) -> list[str]:
        """The features, those that moved the estimate most first."""
        return main_parts(self.contributions)


class EstimateExplanations(TopicResults[EstimateExplanation]):
    """Explanations of estimates: a row for each topic and feature."""

    columns = (
        "model", "pivot", "language", "topic", "estimate", "low", "high", "usual", "feature",
        "group", "value", "mean", "contribution", "trusted", "reason",
    )  # fmt: skip

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return a row for each topic and feature; a topic without an estimate has one."""
        return [row for one in self.rows for row in _explanation_rows(one)]

    def table(self) -> Table:
        """Return the table that is printed: the largest contributions first."""
        several = len({one.prediction.model for one in self.rows}) > 1
        lines = []
        for one in self.rows:
            name = f"{one.prediction.pivot}-{one.prediction.language} {one.prediction.topic}"
            label = f"{one.prediction.model} {name}" if several else name
            shown = main_parts(one.contributions, _LEAST)
            for place, feature in enumerate(shown):
                left = [label if place == 0 else "", feature, group_of(feature)]
                lines.append((left, _explanation_cells(one, feature)))
            if rest := [name for name in one.ordered if name not in shown]:
                added = sum(one.contributions[name] for name in rest)
                left = ["" if shown else label, f"{len(rest)} other{'s' * (len(rest) > 1)}", ""]
                lines.append((left, ["", "", f"{added:+.3f}"]))
        columns = ["value", "average", "adds"]
        return text_table(["topic", "feature", "group"], columns, lines)

    @property
    def legend(self) -> list[str]:
        """How contributions add up, and a sentence about each topic."""
        lines = [
            "adds: how much a feature moves the estimate away from that of an average topic with "
            "as many words (Shapley values); average: the feature of such a topic"
        ]
        for one in self.rows:
            row = one.prediction
            name = f"{row.model} {row.pivot}-{row.language} {row.topic}"
            words = " / ".join(row.words)
            if math.isnan(row.estimate):
                lines.append(f"{name} ({words}): {row.reason}")
                continue
            lines.append(
                f"{name} ({words}): estimate {number_text(row.estimate)} "
                f"[{number_text(row.low)}, {number_text(row.high)}], that of an average topic is "
                f"{number_text(one.usual)}. {row.reason}"
            )
        return lines


def _explanation_rows(one: EstimateExplanation) -> Iterator[dict[str, Any]]:
    row = one.prediction
    common = {
        name: getattr(row, name)
        for name in ("model", "pivot", "language", "topic", "estimate", "low", "high")
    }
    for feature in one.ordered or [""]:
        yield {
            **common,
            "usual": one.usual,
            "feature": feature,
            "group": group_of(feature) if feature else "",
            "value": one.values.get(feature, math.nan),
            "mean": one.means.get(feature, math.nan),
            "contribution": one.contributions.get(feature, math.nan),
            "trusted": row.trusted,
            "reason": row.reason,
        }


def _explanation_cells(one: EstimateExplanation, feature: str) -> list[str]:
    known = [one.values.get(feature), one.means.get(feature)]
    shown = ["–" if value is None else f"{value:.4g}" for value in known]
    return [*shown, f"{one.contributions[feature]:+.3f}"]
