"""Matching the topics of scores with those of judgments, for each data set and task."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tealeaves.arrays import Floats, Integers
from tealeaves.errors import InputError
from tealeaves.judgments.correlation.plan import MOST_POINTS, CorrelationPlan
from tealeaves.judgments.judgments import Judgments, TopicKey
from tealeaves.metrics.reading import SavedScores
from tealeaves.metrics.scores import Scores
from tealeaves.statistics.regression import FittedLine, fitted_line

_Place = tuple[str | None, str, str]
_MOST_NAMED = 3  # topics in a note


@dataclass(frozen=True)
class MatchedScores:
    """The scores of metrics and people for the same topics or models, of one data set and task.

    ``human`` has no NaN; a metric's column has NaN where the metric has no value. ``classes`` says
    that people's scores are classes. ``model`` is set if these are the topics of one model.
    ``lines`` has the line through the points of each metric and people, with its band, ``points``
    the topics that are drawn of a metric that has too many.
    """

    dataset: str
    task: str
    by: str
    keys: list[TopicKey]
    human: Floats
    scores: dict[str, Floats]
    words: list[tuple[str, ...]]
    classes: bool = False
    model: str = ""
    notes: list[str] = field(default_factory=list)
    lines: dict[str, FittedLine | None] = field(default_factory=dict)
    points: dict[str, Integers] = field(default_factory=dict)

    def with_lines(self, level: float) -> MatchedScores:
        """Return the same with the line of each metric; its band is of this level."""
        lines = {}
        for metric, column in self.scores.items():
            known = self._known(metric)
            lines[metric] = fitted_line(column[known], self.human[known], level)
        return replace(self, lines=lines)

    def with_points(self, seed: int) -> MatchedScores:
        """Return the same with a random sample of the points of each metric that has too many."""
        points = {}
        for metric in self.scores:
            known = self._known(metric)
            if len(known) > MOST_POINTS:
                rng = np.random.default_rng(seed)
                points[metric] = np.sort(rng.choice(known, MOST_POINTS, replace=False))
        return replace(self, points=points)

    def drawn_points(self, metric: str) -> Integers:
        """Return the places of the topics that a scatter plot of a metric draws."""
        sample = self.points.get(metric)
        return self._known(metric) if sample is None else sample

    def _known(self, metric: str) -> Integers:
        """Return the places of the topics that have a value of a metric and of people."""
        return np.flatnonzero(np.isfinite(self.scores[metric]) & np.isfinite(self.human))

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def part(self) -> tuple[str, str, str]:
        """Data set, task and model, as in the rows of results."""
        return self.dataset, self.task, self.model

    @property
    def name(self) -> str:
        """Data set and task, for notes."""
        return part_name(self.dataset, self.task)

    def of_model(self, model: str) -> MatchedScores:
        """Return the topics of one model."""
        rows = [row for row, key in enumerate(self.keys) if key.model == model]
        return replace(
            self,
            keys=[self.keys[row] for row in rows],
            human=self.human[rows],
            scores={name: column[rows] for name, column in self.scores.items()},
            words=[self.words[row] for row in rows],
            model=model,
        )


def part_name(*names: str) -> str:
    """Join names of data set, task and model; empty ones are left out."""
    return " ".join(filter(None, names))


class ScoreIndex:
    """Scores by data set, model and topic; the topic of a model's own score is empty."""

    def __init__(self, scores: Scores) -> None:
        self.scores = scores
        datasets: list[str | None] = [None] * len(scores)
        self._words: Mapping[_Place, Sequence[str]]
        self._words = {(None, model, str(topic)): w for (model, topic), w in scores.words.items()}
        if isinstance(scores, SavedScores):
            datasets, self._words = scores.datasets, scores.topic_words
        self.values: dict[_Place, dict[str, float]] = {}
        for row, dataset in zip(scores, datasets, strict=True):
            topic = "" if row.topic is None else str(row.topic)
            place = self.values.setdefault((dataset or None, row.model, topic), {})
            value = place.setdefault(row.metric, row.value)
            if value != row.value and not (math.isnan(value) and math.isnan(row.value)):
                where = f"topic {topic} of {row.model}" if topic else row.model
                raise InputError(
                    f"the metric {row.metric} has two scores for {where}: give one file at a time"
                )
        self.metrics = list(dict.fromkeys(row.metric for row in scores))
        self.models = {model for _, model, _ in self.values}
        self.datasets = {dataset for dataset, _, _ in self.values if dataset}

    def dataset_of(self, dataset: str) -> str | None:
        """Return the name of a data set in the scores, or None if they name none.

        If the judgments name none, it is the only one of the scores.
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
        """Return the words of a topic in the scores."""
        return tuple(self._words.get(self._place(key), ()))

    def topics_of(self, key: TopicKey) -> list[str]:
        """Return the ids of the topics of a model."""
        dataset, model, _ = self._place(key)
        return [t for known, name, t in self.values if t and (known, name) == (dataset, model)]

    def _place(self, key: TopicKey) -> _Place:
        return self.dataset_of(key.dataset), key.model, key.topic


def match_parts(
    people: Judgments, index: ScoreIndex, metrics: Sequence[str], plan: CorrelationPlan
) -> tuple[list[MatchedScores], list[str]]:
    """Match each data set and task, and return notes; parts without any score are left out."""
    _check_datasets(people, index)
    parts: list[MatchedScores] = []
    notes, problems = [], []
    for dataset, task in people.parts:
        name = part_name(dataset, task)
        judged = people.part(dataset, task)
        try:
            part = match(judged, index, plan.by)
        except InputError as error:
            problems.append(str(error))
            notes.append(f"{name}: left out: {error}")
            continue
        notes += [f"{name}: {note}" for note in (*judged.left_out, *part.notes)]
        absent = [metric for metric in metrics if metric not in part.scores]
        if absent:
            notes.append(f"{name}: no {plan.by} has a score of {', '.join(absent)}")
        for needed in filter(None, (plan.control, plan.versus)):
            if needed in absent:
                raise InputError(f"{name}: {needed} has no score here")
        chosen = {metric: part.scores[metric] for metric in metrics if metric in part.scores}
        parts.append(replace(part, scores=chosen))
    if not parts:
        raise InputError(problems[0])
    notes += _unjudged_notes(people, index, parts)
    if plan.pool:
        parts, more = _pooled(parts)
        notes += more
    if plan.within:
        parts = [
            part.of_model(model)
            for part in parts
            for model in dict.fromkeys(key.model for key in part.keys)
        ]
    return parts, notes


def _check_datasets(people: Judgments, index: ScoreIndex) -> None:
    """Raise for scores without a data set if the same topic is judged in several."""
    if index.datasets:
        return
    frame = people.frame.select("dataset", "model", "topic").unique()
    homes: dict[tuple[str, str], set[str]] = {}
    for dataset, model, topic in frame.iter_rows():
        homes.setdefault((model, topic), set()).add(dataset)
    for (model, topic), datasets in homes.items():
        if len(datasets) > 1:
            which = " and ".join(sorted(datasets))
            raise InputError(
                f"topic {topic} of {model or 'the model'} is judged in {which}, and the scores "
                f"name no data set: take one at a time with --where dataset={min(datasets)}"
            )


def _unjudged_notes(
    people: Judgments, index: ScoreIndex, parts: Sequence[MatchedScores]
) -> list[str]:
    """Count the scored topics that nobody judged."""
    if parts[0].by == "model":
        return []
    frame = people.frame.select("dataset", "model", "topic").unique()
    judged = {(index.dataset_of(d), model, topic) for d, model, topic in frame.iter_rows()}
    judged |= {(index.dataset_of(k.dataset), k.model, k.topic) for p in parts for k in p.keys}
    extra = [
        TopicKey(dataset or "", model, topic)
        for dataset, model, topic in index.values
        if topic and (dataset, model, topic) not in judged
    ]
    return [f"{len(extra)} scored topics were not judged: {_listed(extra)}"] if extra else []


# ---------------------------------------------------------------------- one data set and task


def match(part: Judgments, index: ScoreIndex, by: str) -> MatchedScores:
    """Match the topics or models of one data set and task; those without a partner are noted."""
    [(dataset, task)] = part.parts
    human = part.human()
    notes: list[str] = []
    # the only model of both sides is the same, whatever its names
    judged_models = {key.model for key in human}
    only: str | None = None
    if len(judged_models) == 1 and len(index.models) == 1 and judged_models != index.models:
        [only], [other] = index.models, judged_models
        if other:
            notes.append(f"{other} of the judgments is taken for {only} of the scores")

    def renamed(key: TopicKey) -> TopicKey:
        return key if only is None else key._replace(model=only)

    people = {renamed(key): value for key, value in human.items()}
    words = {renamed(key): tuple(part.words[key]) for key in human if key in part.words}
    words |= {key: scored_words for key in people if (scored_words := index.words(key))}
    scored = {key: scores for key in people if (scores := index.find(key)) is not None}
    unanswered = [key for key, value in people.items() if math.isnan(value)]
    if unanswered:
        notes.append(f"{len(unanswered)} topics have no answer that counts: {_listed(unanswered)}")
    if by == "model":
        answered = [key for key, value in people.items() if not math.isnan(value)]
        # people's means as they are elsewhere, to the last bit: equal means are ties
        people = {renamed(key): value for key, value in part.human("model").items()}
        scored, more = _model_scores(answered, scored, index)
        notes += more
    elif missing := [key for key in people if key not in scored]:
        count = f"{len(missing)} of {len(people)}"
        notes.append(f"{count} judged topics have no score: {_listed(missing)}")
    keys = [key for key in people if key in scored and not math.isnan(people[key])]
    if not keys:
        raise InputError(_no_match(part, index, by))
    unknown = [key for key in keys if by == "topic" and not words.get(key)]
    if unknown:
        notes.append(
            f"the words of {len(unknown)} of {len(keys)} topics are not known: near-identical ones "
            "cannot be told, and intervals may be too narrow (give a column words)"
        )
    columns = {
        name: np.array([scored[key].get(name, math.nan) for key in keys])
        for name in index.metrics
        if any(name in scored[key] for key in keys)
    }
    values = np.array([people[key] for key in keys])
    classes = part.scale.majority and by == "topic"
    key_words = [words.get(key, ()) for key in keys]
    return MatchedScores(dataset, task, by, keys, values, columns, key_words, classes, notes=notes)


def _listed(keys: Sequence[TopicKey]) -> str:
    """Name a few topics or models."""
    names = [part_name(key.model, key.topic) or "?" for key in keys[:_MOST_NAMED]]
    return ", ".join(names) + (" …" if len(keys) > _MOST_NAMED else "")


def _no_match(part: Judgments, index: ScoreIndex, by: str) -> str:
    """Say what both sides have if no topic or model is in both."""
    ours = [TopicKey("", m, t) for _, m, t in index.values if bool(t) == (by == "topic")]
    if not ours:
        return f"the scores have no {by}s: " + (
            "save them with `tealeaves score -o FILE`" if by == "topic" else "take --by topic"
        )
    [(dataset, _)] = part.parts
    if index.datasets and index.dataset_of(dataset) not in index.datasets:
        known = ", ".join(sorted(index.datasets))
        judged = f"of {dataset}" if dataset else "of no named data set"
        return f"the judgments are {judged}, the scores of {known}: name the same data set"
    return (
        f"no {by} of the judgments ({_listed(list(part.human(by)))}) is among the scores "
        f"({_listed(ours)}): models and topics must bear the same names"
    )


# ---------------------------------------------------------------------- scores of models


def _model_scores(
    answered: Iterable[TopicKey],
    scored: Mapping[TopicKey, dict[str, float]],
    index: ScoreIndex,
) -> tuple[dict[TopicKey, dict[str, float]], list[str]]:
    """Return the models' own scores or, without one, the mean of the judged topics' scores.

    ``answered`` are the topics in people's means.
    """
    judged: dict[TopicKey, list[TopicKey]] = {}
    for key in answered:
        judged.setdefault(TopicKey(key.dataset, key.model, ""), []).append(key)
    models: dict[TopicKey, dict[str, float]] = {}
    averaged: dict[TopicKey, set[str]] = {}
    for model, topics in judged.items():
        scores = index.find(model) or {}
        means = _means(scored[topic] for topic in topics if topic in scored)
        if scores or means:
            models[model] = means | scores
            averaged[model] = set(means) - set(scores)
    notes = []
    missing = [model for model in judged if model not in models]
    if missing:
        count = f"{len(missing)} of {len(judged)}"
        notes.append(f"{count} judged models have no score: {_listed(missing)}")
    partly = [
        model
        for model, topics in judged.items()
        if index.find(model) and len(index.topics_of(model)) > len(topics)
    ]
    if partly:
        notes.append(
            f"of {len(partly)} models not all topics were judged, but all are in their score: "
            f"{_listed(partly)}"
        )
    return models, [*notes, *_mean_notes(judged, averaged, scored)]


def _means(rows: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Average each metric over the topics that have a value."""
    values: dict[str, list[float]] = {}
    for row in rows:
        for name, value in row.items():
            values.setdefault(name, []).append(value)
    known = {name: [v for v in column if not math.isnan(v)] for name, column in values.items()}
    return {name: sum(v) / len(v) if v else math.nan for name, v in known.items()}


def _mean_notes(
    judged: Mapping[TopicKey, list[TopicKey]],
    averaged: Mapping[TopicKey, set[str]],
    scored: Mapping[TopicKey, Mapping[str, float]],
) -> list[str]:
    """Say which topics are in people's mean of a model, but not in the metric's."""
    names = list(dict.fromkeys(name for metrics in averaged.values() for name in sorted(metrics)))
    if not names:
        return []
    notes = ["the score of a model is the mean of its judged topics' where it has none"]
    topics = [topic for model in averaged for topic in judged[model]]
    absent = [topic for topic in topics if topic not in scored]
    if absent:
        count = f"{len(absent)} of {len(topics)}"
        notes.append(
            f"{count} judged topics have no score and are in people's mean alone: {_listed(absent)}"
        )
    for name in names:
        empty = [t for t in topics if math.isnan(scored.get(t, {}).get(name, 0.0))]
        if empty:
            notes.append(
                f"{len(empty)} topics have no value of {name} and are in people's mean alone: "
                f"{_listed(empty)}"
            )
    return notes


# ---------------------------------------------------------------------- pooled data sets


def _pooled(parts: Sequence[MatchedScores]) -> tuple[list[MatchedScores], list[str]]:
    """Join the data sets of each task, each standardised by itself; return notes too."""
    tasks: dict[str, list[MatchedScores]] = {}
    for part in parts:
        tasks.setdefault(part.task, []).append(part)
    pooled: list[MatchedScores] = []
    notes = []
    for task, members in tasks.items():
        flat = [part.dataset for part in members if np.ptp(part.human) == 0]
        varied = [part for part in members if part.dataset not in flat]
        if flat and len(varied) > 1:
            notes.append(f"{task}: {', '.join(flat)} left out: people's scores are constant there")
        if len(varied) < 2:
            notes.append(f"{task}: only one data set, nothing to pool")
            pooled += varied or members
            continue
        names = " + ".join(part.dataset for part in varied)
        notes.append(f"{task}: pooled over {names}, scores and people's standardised in each")
        pooled.append(_joined(varied, f"pooled: {names}"))
    return pooled, notes


def _joined(members: Sequence[MatchedScores], name: str) -> MatchedScores:
    metrics = list(dict.fromkeys(metric for part in members for metric in part.scores))

    def column(metric: str) -> Floats:
        absent = (np.full(len(part), np.nan) for part in members)
        columns = [part.scores.get(metric, nan) for part, nan in zip(members, absent, strict=True)]
        return np.concatenate([_standardised(values) for values in columns])

    return MatchedScores(
        name,
        members[0].task,
        members[0].by,
        [key for part in members for key in part.keys],
        np.concatenate([_standardised(part.human) for part in members]),
        {metric: column(metric) for metric in metrics},
        [words for part in members for words in part.words],
    )


def _standardised(values: Floats) -> Floats:
    """Return z-scores; NaN for a constant column."""
    known = values[np.isfinite(values)]
    deviation = known.std() if len(known) else 0.0
    if deviation == 0:
        return np.full(len(values), np.nan)
    return np.asarray((values - known.mean()) / deviation, dtype=np.float64)
