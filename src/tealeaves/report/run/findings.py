"""``Findings``: what several runs found, as one."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

from tealeaves.consensus.explanations import Explanation, Explanations
from tealeaves.judgments.comparison.comparison import Comparison
from tealeaves.judgments.correlation.result import Correlations
from tealeaves.metrics.crosslingual.side_by_side import SideBySide
from tealeaves.metrics.scores import Score, Scores
from tealeaves.models.selection.result import Selection
from tealeaves.report.run.record import (
    JudgedModel,
    Made,
    MetricFacts,
)
from tealeaves.report.run.restoring import (
    topics_of,
)
from tealeaves.topics.topics import Topics

TopicName = tuple[str, str]  # of a model and of its topic; ids as text: 1 and "1" are one


@dataclass(frozen=True)
class Findings:
    """What is known of the models of one or several runs."""

    made: list[Made]
    models: list[JudgedModel]
    scores: Scores
    facts: dict[str, MetricFacts]
    comparison: Comparison | None = None
    by_people: list[Comparison] = field(default_factory=list)
    explanations: Explanations | None = None
    people: list[Correlations] = field(default_factory=list)
    selections: list[Selection] = field(default_factory=list)
    beside: list[SideBySide] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @cached_property
    def topics(self) -> dict[str, Topics]:
        """The topics of each model whose words are known, by its name."""
        return {model.name: topics_of(model) for model in self.models if _has_words(model)}

    @cached_property
    def metrics(self) -> list[str]:
        """The metrics that models were scored with, in the order given."""
        return list(dict.fromkeys(row.metric for row in self.scores.rows))

    @cached_property
    def topic_metrics(self) -> list[str]:
        """Those of them that score topics."""
        return list(dict.fromkeys(row.metric for row in self.scores.rows if row.topic is not None))

    @cached_property
    def values(self) -> dict[tuple[str, str | None, str], Score]:
        """The score of each model, topic (None for the whole model) and metric."""
        return {
            (row.model, None if row.topic is None else str(row.topic), row.metric): row
            for row in self.scores.rows
        }

    @cached_property
    def explained(self) -> dict[TopicName, Explanation]:
        """What consensus says, by model and topic."""
        rows = self.explanations.topics if self.explanations else []
        return {(row.model, str(row.topic)): row for row in rows}

    @cached_property
    def first_words(self) -> dict[TopicName, list[str]]:
        """The words of each topic, by model and topic."""
        return {(m.name, str(one.id)): one.words for m in self.models for one in m.topics}

    @cached_property
    def marked(self) -> dict[TopicName, tuple[str, ...]]:
        """The odd words of topics, where scores have some."""
        return {(model, str(topic)): odd for (model, topic), odd in self.scores.marked.items()}

    @property
    def multilingual(self) -> bool:
        """Whether topics are in several languages."""
        return any(len(model.languages) > 1 for model in self.models)

    def gain(self, metric: str, value: float) -> float:
        """Return a value so that more is better; minus infinity where there is none."""
        if math.isnan(value):
            return -math.inf
        return -value if self.scores.better.get(metric) == "lower" else value

    @cached_property
    def shared(self) -> list[str]:
        """The metrics that every model was scored with, and whose direction is known."""
        names = [model.name for model in self.models]
        return [
            metric
            for metric in self.metrics
            if self.scores.better.get(metric)
            and all((name, metric) in self._scored for name in names)
        ]

    @cached_property
    def _scored(self) -> set[tuple[str, str]]:
        return {(row.model, row.metric) for row in self.scores.rows}

    @cached_property
    def decisive(self) -> str:
        """The metric that models are ranked by: consensus where it was asked for, else the first
        that every model was scored with and that has a value; nothing where there is none.
        """
        names = [model.name for model in self.models]
        able = [
            metric
            for metric in self.shared
            if any(math.isfinite(self.model_value(name, metric)) for name in names)
        ]
        named = [name for name in able if name.partition("@")[0].partition("(")[0] == "consensus"]
        return next(iter([*named, *able]), "")

    def model_value(self, model: str, metric: str) -> float:
        """Return a model's own value, else the mean of its topics that have one; else NaN."""
        row = self.values.get((model, None, metric))
        if row is not None:
            return row.value
        topics = self._topic_values.get((model, metric), [])
        return math.fsum(topics) / len(topics) if topics else math.nan

    @cached_property
    def _topic_values(self) -> dict[tuple[str, str], list[float]]:
        found: dict[tuple[str, str], list[float]] = {}
        for row in self.scores.rows:
            if row.topic is not None and not math.isnan(row.value):
                found.setdefault((row.model, row.metric), []).append(row.value)
        return found


def _has_words(model: JudgedModel) -> bool:
    return bool(model.topics) and all(topic.words for topic in model.topics)
