"""``ScoreIndex``: scores by data set, model and topic."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from tealeaves.errors import InputError
from tealeaves.judgments.judgments import TopicKey
from tealeaves.metrics.reading import SavedScores
from tealeaves.metrics.scores import Scores

Place = tuple[str | None, str, str]
_NAMED = 3


class ScoreIndex:
    """Scores by data set, model and topic; the topic of a model's own score is empty."""

    def __init__(self, scores: Scores) -> None:
        self.scores = scores
        datasets: list[str | None] = [None] * len(scores)
        self._words: Mapping[Place, Sequence[str]]
        self._words = {(None, model, str(topic)): w for (model, topic), w in scores.words.items()}
        if isinstance(scores, SavedScores):
            datasets, self._words = scores.datasets, scores.topic_words
        self.values: dict[Place, dict[str, float]] = {}
        for row, dataset in zip(scores, datasets, strict=True):
            topic = "" if row.topic is None else str(row.topic)
            place = self.values.setdefault((dataset or None, row.model, topic), {})
            if row.metric in place and not _same(place[row.metric], row.value):
                where = f"topic {topic} of {row.model}" if topic else row.model
                raise InputError(f"two scores of {row.metric} for {where}: give one file at a time")
            place[row.metric] = row.value
        self.metrics = list(dict.fromkeys(row.metric for row in scores))
        self.models = {model for _, model, _ in self.values}
        self.datasets = {dataset for dataset, _, _ in self.values if dataset}

    def dataset_of(self, dataset: str) -> str | None:
        """Return what the scores call a data set: nothing, if they name none.

        Where the judgments name none, the only one of the scores is meant.
        """
        if not self.datasets:
            return None
        if not dataset and len(self.datasets) == 1:
            return next(iter(self.datasets))
        return dataset

    def find(self, key: TopicKey) -> dict[str, float] | None:
        """Return the scores of a topic or model, if there are any."""
        return self.values.get(self._place(key))

    def words(self, key: TopicKey) -> tuple[str, ...]:
        """Return the words that the scores bring along for a topic."""
        return tuple(self._words.get(self._place(key), ()))

    def topics_of(self, key: TopicKey) -> list[str]:
        """Return the ids of the topics of a model."""
        dataset, model, _ = self._place(key)
        return [t for known, name, t in self.values if t and (known, name) == (dataset, model)]

    def _place(self, key: TopicKey) -> Place:
        return self.dataset_of(key.dataset), key.model, key.topic


def named(keys: Sequence[TopicKey]) -> str:
    """Name a few topics or models."""
    names = [" ".join(filter(None, (key.model, key.topic))) or "?" for key in keys[:_NAMED]]
    return ", ".join(names) + (" …" if len(keys) > _NAMED else "")


def _same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))
