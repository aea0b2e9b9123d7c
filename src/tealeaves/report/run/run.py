"""``Run``: all that a command computed, which a report shows and a file keeps."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property

import msgspec

from tealeaves.comparison.result import ComparedModel, Comparison
from tealeaves.consensus.explanations import Explanation, Explanations
from tealeaves.judgments.correlation.result import Correlations
from tealeaves.metrics.agreement import MetricAgreement
from tealeaves.metrics.crosslingual.side_by_side import SideBySide
from tealeaves.metrics.scores import Score, Scores
from tealeaves.models.selection.result import Selection
from tealeaves.topics.term_matrix import TermMatrix
from tealeaves.topics.topics import Topic, Topics

TopicName = tuple[str, str]  # of a model and of its topic; ids as text: 1 and "1" are one


class JudgedModel(msgspec.Struct, frozen=True):
    """A model as a report shows it: its topics, with their first words.

    It is not ``Topics``, because a table of scores may have no words of its topics, or no topics,
    which ``Topics`` refuses, and because the matrices of ``Topics`` are large and are not shown.
    The words of several languages alternate.
    """

    name: str
    topics: list[Topic]
    languages: list[str] = []
    family: str = ""
    tokens: str = ""

    @property
    def has_words(self) -> bool:
        """Whether the words of all topics are known."""
        return bool(self.topics) and all(topic.words for topic in self.topics)

    def as_topics(self) -> Topics:
        """Return the topics with the words that were kept.

        Topics without words get one word each that no other topic has.
        """
        topics = tuple(map(_with_unique_words, self.topics))
        if not self.has_words:
            topics = tuple(Topic(one.id, (f"{self.name} {one.id}",)) for one in self.topics)
        return Topics(topics, model=self.name, family=self.family, tokens=self.tokens)


def _with_unique_words(topic: Topic) -> Topic:
    """Return a topic that lists each word once; two languages may share words."""
    words = tuple(dict.fromkeys(topic.words))
    known = topic.weights is not None and len(words) == len(topic.weights)
    return replace(topic, words=words, weights=topic.weights if known else None)


class MetricFacts(msgspec.Struct, frozen=True):
    """What a metric declares; a plug-in may be gone when the report is made."""

    summary: str
    better: str
    low: float
    high: float
    level: str
    cite: str


class RunOrigin(msgspec.Struct, frozen=True):
    """How a run was made: the command, when, and with which packages."""

    command: list[str] = []
    date: str = ""
    packages: dict[str, str] = {}


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """What a report shows and no command computed: it follows from the models and the scores.

    ``comparison`` tests whether the models differ, ``untested`` says why there is no test.
    ``intervals`` are those of a single model. ``agreement`` is that of each two metrics, and
    ``terms`` has a matrix for each model. ``topic_means`` has, by model and metric, the mean of the
    topics that have a value, if the model has no score of its own.
    """

    comparison: Comparison | None = None
    untested: str = ""
    intervals: list[ComparedModel] = []
    agreement: MetricAgreement | None = None
    terms: list[TermMatrix] = []
    topic_means: dict[str, dict[str, float]] = {}


class Run(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What one command computed, or several together: all that a report shows.

    :func:`make_run` and the option ``--run`` of commands make runs.

    Parameters
    ----------
    origins
        How the run was made: a command, a date, and versions of packages for each command.
    models
        The models, with the first words of their topics.
    scores
        The scores of the models and of their topics.
    facts
        What each metric declares: its summary, its direction, its bounds.
    comparison
        The comparison of all models by metrics, if a command made one.
    people_comparisons
        Comparisons of models by people's judgments.
    explanations
        What consensus says of each topic, and why.
    correlations
        How well metrics agree with people.
    selections
        Which number of topics was chosen.
    side_by_side
        Topics in several languages side by side.
    analysis
        What follows from models and scores. It is computed when the run is made, saved or merged.
    """

    origins: list[RunOrigin]
    models: list[JudgedModel] = []
    scores: Scores = msgspec.field(default_factory=lambda: Scores([]))
    facts: dict[str, MetricFacts] = {}
    comparison: Comparison | None = None
    people_comparisons: list[Comparison] = []
    explanations: Explanations | None = None
    correlations: list[Correlations] = []
    selections: list[Selection] = []
    side_by_side: list[SideBySide] = []
    analysis: Analysis | None = None

    def __post_init__(self) -> None:
        self.scores.words = {
            (model.name, topic.id): topic.words for model in self.models for topic in model.topics
        }

    def with_correlations(self, correlations: Correlations) -> Run:
        """Return the run with one more result on how metrics agree with people."""
        return msgspec.structs.replace(self, correlations=[*self.correlations, correlations])

    @cached_property
    def notes(self) -> list[str]:
        """What a reader should know; the notes on correlations are shown with them."""
        parts = [
            self.scores,
            self.comparison,
            *self.people_comparisons,
            self.explanations,
            *self.selections,
            *self.side_by_side,
        ]
        known = [part for part in parts if part is not None]
        return list(dict.fromkeys(note for part in known for note in part.notes))

    @property
    def tested(self) -> Comparison | None:
        """The comparison of all models: that of a command, else that of the analysis."""
        if self.comparison is not None or self.analysis is None:
            return self.comparison
        return self.analysis.comparison

    @cached_property
    def metrics(self) -> list[str]:
        """The metrics that models were scored with, in the order given."""
        return list(dict.fromkeys(row.metric for row in self.scores.rows))

    @cached_property
    def topic_metrics(self) -> list[str]:
        """The metrics that score topics."""
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
        rows = [] if self.explanations is None else self.explanations.topics
        return {(row.model, str(row.topic)): row for row in rows}

    @cached_property
    def first_words(self) -> dict[TopicName, tuple[str, ...]]:
        """The words of each topic, by model and topic."""
        return {(m.name, str(one.id)): one.words for m in self.models for one in m.topics}

    @cached_property
    def odd_words(self) -> dict[TopicName, tuple[str, ...]]:
        """The words that fit badly, of topics that scores have marked."""
        return {(model, str(topic)): odd for (model, topic), odd in self.scores.marked.items()}

    @property
    def multilingual(self) -> bool:
        """Whether topics are in several languages."""
        return any(len(model.languages) > 1 for model in self.models)

    def gain(self, metric: str, value: float) -> float:
        """Return a value so that more is better; minus infinity if it is undefined."""
        if math.isnan(value):
            return -math.inf
        return -value if self.scores.better.get(metric) == "lower" else value

    @cached_property
    def shared_metrics(self) -> list[str]:
        """The metrics that every model was scored with, and whose direction is known."""
        scored = {(row.model, row.metric) for row in self.scores.rows}
        return [
            metric
            for metric in self.metrics
            if self.scores.better.get(metric)
            and all((model.name, metric) in scored for model in self.models)
        ]

    @cached_property
    def decisive(self) -> str:
        """The metric that models are ranked by: consensus if it was scored, else the first that
        every model was scored with and that has a value; empty if there is none.
        """
        names = [model.name for model in self.models]
        able = [
            metric
            for metric in self.shared_metrics
            if any(math.isfinite(self.model_value(name, metric)) for name in names)
        ]
        named = [name for name in able if name.partition("@")[0].partition("(")[0] == "consensus"]
        return next(iter([*named, *able]), "")

    def model_value(self, model: str, metric: str) -> float:
        """Return a model's score, else the mean of its topics that have one; else NaN."""
        row = self.values.get((model, None, metric))
        if row is not None:
            return row.value
        means = {} if self.analysis is None else self.analysis.topic_means
        return means.get(model, {}).get(metric, math.nan)
