"""How far metrics agree with each other, over topics or over models."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Literal

import msgspec
import numpy as np

from tealeaves.errors import InputError, did_you_mean
from tealeaves.metrics.scores import Score, Scores
from tealeaves.statistics.correlation import (
    COEFFICIENTS,
    PairwiseCorrelations,
    pairwise_correlations,
)
from tealeaves.statistics.seriation import similarity_order
from tealeaves.tables.table import Table, text_table
from tealeaves.tables.tidy import Tidy

FEWEST_TOPICS, FEWEST_MODELS = 4, 5  # fewer have no coefficient
_LEGEND = "each metric is turned so that more is better: above 0 two metrics agree"


class MetricPair(msgspec.Struct, frozen=True):
    """How far two metrics agree, over the ``n`` topics or models where both have a value."""

    metric_a: str
    metric_b: str
    over: Literal["topics", "models"]
    coefficient: str
    value: float
    n: int


@dataclass(eq=False, repr=False)
class MetricAgreement(Tidy):
    """The agreement of each two metrics.

    ``metrics`` are those that are compared, ``of_models`` those among them that have no values of
    topics: their pairs are over models. ``better`` is the direction of each metric. ``order`` has
    the metrics so that those that agree are side by side, as charts show them.
    """

    columns = MetricPair.__struct_fields__

    rows: list[MetricPair]
    metrics: list[str]
    _: KW_ONLY
    coefficient: str = "spearman"
    of_models: list[str] = field(default_factory=list)
    better: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    order: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.order and self.rows:
            self.order = [self.metrics[place] for place in similarity_order(self.matrix().values)]

    def matrix(self, metrics: Sequence[str] | None = None) -> PairwiseCorrelations:
        """Return the coefficients as a square, of all metrics or of some; the diagonal is 1."""
        places = {metric: place for place, metric in enumerate(metrics or self.metrics)}
        values, n = np.eye(len(places)), np.zeros((len(places), len(places)), dtype=np.int64)
        for row in self.rows:
            i, j = places[row.metric_a], places[row.metric_b]
            values[i, j] = values[j, i] = row.value
            n[i, j] = n[j, i] = row.n
        return PairwiseCorrelations(values, n)

    def value(self, metric: str, other: str) -> float:
        """Return the coefficient of two metrics, in any order."""
        return self.pair(metric, other).value

    def pair(self, metric: str, other: str) -> MetricPair:
        """Return the row of two metrics, in any order."""
        for row in self.rows:
            if {row.metric_a, row.metric_b} == {metric, other}:
                return row
        known = ", ".join(self.metrics)
        raise InputError(f"{metric} and {other} are not compared; the metrics are {known}")

    def table(self) -> Table:
        """Return the table that is printed: one row per pair."""
        lines = [
            ([row.metric_a, row.metric_b], [_value_text(row.value), f"{row.n:,}", row.over])
            for row in self.rows
        ]
        return text_table(["metric", "other metric"], [self.coefficient, "n", "over"], lines)

    @property
    def legend(self) -> list[str]:
        """What the sign of a coefficient means."""
        return [_LEGEND] if self.rows else []


def metric_agreement(scores: Scores, *, coefficient: str = "spearman") -> MetricAgreement:
    """Return how far each two metrics agree over the topics of all models together.

    Each pair is compared where both have a value; fewer than four topics have no coefficient.
    Metrics without values of topics are compared over models, with the models' values of the
    others, if there are five models at least; otherwise they are left out, and a note says so.
    """
    if coefficient not in COEFFICIENTS:
        known = ", ".join(COEFFICIENTS)
        hint = did_you_mean(coefficient, list(COEFFICIENTS))
        raise InputError(f"unknown coefficient {coefficient}{hint} (there are {known})")
    metrics = list(dict.fromkeys(row.metric for row in scores))
    by_topic = {row.metric for row in scores if row.topic is not None}
    of_models = [metric for metric in metrics if metric not in by_topic]
    models = len({row.model for row in scores})
    notes = []
    if of_models and models < FEWEST_MODELS:
        notes.append(
            f"left out: {', '.join(of_models)}, which judge whole models: {models} "
            f"model{'s' * (models != 1)}, fewer than {FEWEST_MODELS}, are too few to compare them"
        )
        metrics, of_models = [metric for metric in metrics if metric in by_topic], []
    return MetricAgreement(
        _pairs(scores, metrics, of_models, coefficient),
        metrics,
        coefficient=coefficient,
        of_models=of_models,
        better={metric: scores.better[metric] for metric in metrics if metric in scores.better},
        notes=notes,
    )


def _pairs(
    scores: Scores, metrics: Sequence[str], of_models: Sequence[str], coefficient: str
) -> list[MetricPair]:
    """Compare each two metrics over topics or, if one of them is in ``of_models``, over models."""
    signs = {metric: -1.0 if scores.better.get(metric) == "lower" else 1.0 for metric in metrics}
    topics = _correlations([row for row in scores if row.topic is not None], signs, coefficient)
    models = topics
    if of_models:
        models = _correlations([row for row in scores if row.topic is None], signs, coefficient)
    rows = []
    for first, metric in enumerate(metrics):
        for second, other in enumerate(metrics[first + 1 :], first + 1):
            over_models = metric in of_models or other in of_models
            correlations = models if over_models else topics
            value = float(correlations.values[first, second])
            n = int(correlations.n[first, second])
            over: Literal["topics", "models"] = "models" if over_models else "topics"
            rows.append(MetricPair(metric, other, over, coefficient, value, n))
    return rows


def _correlations(
    rows: Sequence[Score], signs: Mapping[str, float], coefficient: str
) -> PairwiseCorrelations:
    """Correlate metrics over the topics, or over the models, that the rows score."""
    numbers: dict[tuple[str, str], int] = {}
    places = [numbers.setdefault((row.model, str(row.topic)), len(numbers)) for row in rows]
    column = {metric: number for number, metric in enumerate(signs)}
    values = np.full((len(numbers), len(signs)), math.nan)
    for place, row in zip(places, rows, strict=True):
        if row.metric in column:
            values[place, column[row.metric]] = signs[row.metric] * row.value
    fewest = FEWEST_MODELS if rows and rows[0].topic is None else FEWEST_TOPICS
    return pairwise_correlations(values, coefficient, fewest=fewest)


def _value_text(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"
