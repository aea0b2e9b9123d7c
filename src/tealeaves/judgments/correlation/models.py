"""The scores of models beside people's: their own, or the means of their judged topics'."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from tealeaves.judgments.correlation.index import ScoreIndex, named
from tealeaves.judgments.judgments import TopicKey

Scored = Mapping[TopicKey, Mapping[str, float]]


def models_of(
    answered: Iterable[TopicKey], scored: Scored, index: ScoreIndex
) -> tuple[dict[TopicKey, dict[str, float]], list[str]]:
    """Return the models' own scores; where there is none, the mean of the judged topics'.

    ``answered`` are the topics that people's means are of.
    """
    judged: dict[TopicKey, list[TopicKey]] = {}
    for key in answered:
        judged.setdefault(TopicKey(key.dataset, key.model, ""), []).append(key)
    found: dict[TopicKey, dict[str, float]] = {}
    averaged: dict[TopicKey, set[str]] = {}
    for model, topics in judged.items():
        own = index.find(model) or {}
        means = _means(scored[topic] for topic in topics if topic in scored)
        if own or means:
            found[model] = means | own
            averaged[model] = set(means) - set(own)
    return found, [
        *_said_of_models(judged, found, index),
        *_said_of_means(judged, averaged, scored),
    ]


def _means(rows: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Average each metric over the topics that have a value."""
    values: dict[str, list[float]] = {}
    for row in rows:
        for name, value in row.items():
            values.setdefault(name, []).append(value)
    known = {name: [v for v in found if not math.isnan(v)] for name, found in values.items()}
    return {name: sum(v) / len(v) if v else math.nan for name, v in known.items()}


def _said_of_models(
    judged: Mapping[TopicKey, list[TopicKey]],
    found: Mapping[TopicKey, Mapping[str, float]],
    index: ScoreIndex,
) -> list[str]:
    notes = []
    missing = [model for model in judged if model not in found]
    if missing:
        count = f"{len(missing)} of {len(judged)}"
        notes.append(f"{count} judged models have no score: {named(missing)}")
    partly = [
        model
        for model, topics in judged.items()
        if index.find(model) and len(index.topics_of(model)) > len(topics)
    ]
    if partly:
        notes.append(
            f"of {len(partly)} models not all topics were judged, but all are in their score: "
            f"{named(partly)}"
        )
    return notes


def _said_of_means(
    judged: Mapping[TopicKey, list[TopicKey]], averaged: Mapping[TopicKey, set[str]], scored: Scored
) -> list[str]:
    """Say which topics are in people's mean of a model, but not in the metric's."""
    names = list(dict.fromkeys(name for found in averaged.values() for name in sorted(found)))
    if not names:
        return []
    notes = ["the score of a model is the mean of its judged topics' where it has none"]
    topics = [topic for model in averaged for topic in judged[model]]
    absent = [topic for topic in topics if topic not in scored]
    if absent:
        count = f"{len(absent)} of {len(topics)}"
        notes.append(
            f"{count} judged topics have no score and are in people's mean alone: {named(absent)}"
        )
    for name in names:
        empty = [t for t in topics if math.isnan(scored.get(t, {}).get(name, 0.0))]
        if empty:
            notes.append(
                f"{len(empty)} topics have no value of {name} and are in people's mean alone: "
                f"{named(empty)}"
            )
    return notes
