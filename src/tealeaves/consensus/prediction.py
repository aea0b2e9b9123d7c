"""Predicted ratings of topics, and ranks, which need no training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tealeaves.arrays import Floats, Integers
from tealeaves.consensus.predictors import Predictor, Predictors
from tealeaves.consensus.relations import Relations
from tealeaves.consensus.signals import signals_of
from tealeaves.consensus.sources import ModelSources, by_sources, parts_of
from tealeaves.learners.results import LEVEL

# a second theme, and how common words are, may be good or bad for a topic
_UNSURE = ("second", "common")


@dataclass(frozen=True)
class PredictedTopics:
    """The predicted rating of each topic: value, interval and support, and the predictor.

    ``parts`` is what each signal added; it is empty where there is no prediction, and no predictor.
    ``sources`` are those that were used.
    """

    values: Floats
    low: Floats
    high: Floats
    support: Floats
    predictors: list[Predictor | None]
    parts: list[dict[str, float]]
    sources: list[tuple[str, ...]]


def predict_topics(
    sources: ModelSources, predictors: Predictors, level: float = LEVEL
) -> PredictedTopics:
    """Predict the ratings of all topics of a model."""
    size = len(sources.model)
    predicted = PredictedTopics(
        values=np.full(size, np.nan),
        low=np.full(size, np.nan),
        high=np.full(size, np.nan),
        support=np.zeros(size),
        predictors=[None] * size,
        parts=[{} for _ in range(size)],
        sources=[()] * size,
    )
    for rows, relations in sources.relations:
        for mine, seen in by_sources(relations):
            _predict(predicted, rows[mine], seen, predictors, level)
            # sources that know nothing of a topic lower its support too
            predicted.support[rows[mine]] *= len(seen.logits) / len(sources.names)
    return predicted


def _predict(
    predicted: PredictedTopics,
    rows: Integers,
    seen: Relations,
    predictors: Predictors,
    level: float,
) -> None:
    predictor = predictors.of_parts(parts_of(seen))
    signals = signals_of(seen)
    names = predictor.model.signals
    values = np.stack([signals[name] for name in names], axis=1)
    parts = predictor.model.parts(values)
    predicted.values[rows] = predictor.model.predict(values)
    predicted.low[rows], predicted.high[rows] = predictor.interval(predicted.values[rows], level)
    predicted.support[rows] = seen.support()
    for place, row in enumerate(rows.tolist()):
        predicted.predictors[row] = predictor
        predicted.parts[row] = dict(zip(names, parts[place].tolist(), strict=True))
        predicted.sources[row] = tuple(seen.logits)


# ---------------------------------------------------------------------- ranks


def signal_table(judged: Sequence[ModelSources]) -> tuple[dict[str, Floats], Floats]:
    """Return the signals of the topics of all models, and their support.

    A signal that a topic lacks is NaN.
    """
    size = sum(len(sources.model) for sources in judged)
    table: dict[str, Floats] = {}
    support, start = np.zeros(size), 0
    for sources in judged:
        for rows, relations in sources.relations:
            for mine, seen in by_sources(relations):
                places = start + rows[mine]
                support[places] = seen.support() * len(seen.logits) / len(sources.names)
                for name, values in signals_of(seen).items():
                    table.setdefault(name, np.full(size, np.nan))[places] = values
        start += len(sources.model)
    return table, support


def mean_ranks(signals: Mapping[str, Floats]) -> Floats:
    """Return the mean over signals of each topic's rank, from 0 (lowest of all) to 1.

    Equal topics have the mean of their ranks. A topic without a signal is ranked by the others; a
    signal that only one topic has is not used.

    >>> mean_ranks({"texts.best": np.array([0.1, 0.5, 0.9]), "texts.worst": np.array([2.0, 1, 3])})
    array([0.25, 0.25, 1.  ])
    """
    columns = [_ranks(values) for name, values in signals.items() if is_ranked(name)]
    if not columns:
        size = len(next(iter(signals.values()), ()))
        return np.full(size, np.nan)
    table = np.array(columns)
    known = ~np.isnan(table)
    number = known.sum(axis=0)
    total = np.where(known, table, 0.0).sum(axis=0)
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)


def is_ranked(name: str) -> bool:
    """Tell whether more of a signal is better."""
    return not name.endswith(_UNSURE)


def _ranks(values: Floats) -> Floats:
    """Return ranks from 0 to 1 among the topics that have a value."""
    ranks = np.full(len(values), np.nan)
    known = ~np.isnan(values)
    if known.sum() > 1:
        _, group, number = np.unique(values[known], return_inverse=True, return_counts=True)
        before = np.cumsum(number) - number
        ranks[known] = (before + (number - 1) / 2)[group] / (known.sum() - 1)
    return ranks
