"""What is compared: models with the values of topics, or families with the values of runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.judgments.comparison.families import by_family
from tealeaves.metrics.scores import Score, Scores
from tealeaves.topics.topics import Topics

FIRST_WORDS = 10


@dataclass(frozen=True)
class Group:
    """One of those that are compared.

    Parameters
    ----------
    name
        The model's or family's name.
    keys
        The ids of the topics, or the seeds of the runs; None where a run says none.
    labels
        What the units are called in charts.
    values
        The values of the units for each metric that can be tested, NaN where undefined.
    shown
        The value of the whole for every metric, and the support of it.
    words
        The first words of each topic, where the units are topics.
    """

    name: str
    keys: tuple[str | None, ...]
    labels: tuple[str, ...]
    values: Mapping[str, Floats]
    shown: Mapping[str, tuple[float, float]]
    words: tuple[tuple[str, ...], ...] = ()


class _ScoreIndex:
    """The rows of scores, found by model and metric."""

    def __init__(self, scores: Scores) -> None:
        self.metrics = list(dict.fromkeys(row.metric for row in scores))
        self.whole: dict[tuple[str, str], Score] = {}
        self.topics: dict[tuple[str, str], dict[str, float]] = {}
        for row in scores:
            if row.topic is None:
                self.whole[row.model, row.metric] = row
            else:
                self.topics.setdefault((row.model, row.metric), {})[str(row.topic)] = row.value

    def of(self, model: str, metric: str) -> tuple[float, float]:
        row = self.whole.get((model, metric))
        if row is None:
            raise InputError(f"{model}: the scores have no {metric} of the model")
        return row.value, row.support

    def of_topics(self, model: Topics, metric: str) -> Floats:
        found = self.topics.get((model.model, metric), {})
        return np.array([found.get(str(topic.id), math.nan) for topic in model.topics])


def groups_of_topics(scores: Scores, models: Sequence[Topics]) -> tuple[list[Group], list[str]]:
    """Return the models with the values of their topics, and the metrics that cannot be tested.

    These are the metrics of whole models: of whose topics there are no values, or whose value of
    the model is something else than the mean of the topics' values.
    """
    table = _ScoreIndex(scores)
    weighted = next((row for row in table.whole.values() if "|weight=" in row.signature), None)
    if weighted is not None:
        raise InputError(
            f"{weighted.metric}: these scores of models are weighted, and tests over topics are "
            "of plain means; leave out the weight, or compare over seeds"
        )
    whole = [name for name in table.metrics if not _are_means(table, models, name)]
    groups = [
        Group(
            model.model,
            tuple(str(topic.id) for topic in model.topics),
            tuple(str(topic.id) for topic in model.topics),
            {name: table.of_topics(model, name) for name in table.metrics if name not in whole},
            {name: table.of(model.model, name) for name in table.metrics},
            tuple(topic.words[:FIRST_WORDS] for topic in model.topics),
        )
        for model in models
    ]
    return groups, whole


def _are_means(table: _ScoreIndex, models: Sequence[Topics], metric: str) -> bool:
    """Tell whether the value of each model is the mean of its topics' values."""
    if not any((model.model, metric) in table.topics for model in models):
        return False
    for model in models:
        value, _ = table.of(model.model, metric)
        values = table.of_topics(model, metric)
        known = values[~np.isnan(values)]
        mean = float(known.mean()) if len(known) else math.nan
        if not (math.isnan(mean) and math.isnan(value)) and not math.isclose(
            mean, value, rel_tol=1e-9, abs_tol=1e-12
        ):
            return False
    return True


def groups_of_runs(scores: Scores, models: Sequence[Topics]) -> list[Group]:
    """Return the families with the values of their runs."""
    table = _ScoreIndex(scores)
    groups = []
    for family, members in by_family(models).items():
        names = tuple(model.model for model, _ in members)
        found = {m: [table.of(name, m) for name in names] for m in table.metrics}
        values = {m: np.array([value for value, _ in pairs]) for m, pairs in found.items()}
        support = {m: [share for _, share in pairs] for m, pairs in found.items()}
        groups.append(
            Group(
                family,
                tuple(None if seed is None else str(seed) for _, seed in members),
                names,
                values,
                {m: (mean_of(values[m]), float(np.mean(support[m]))) for m in table.metrics},
            )
        )
    return groups


def mean_of(values: Floats) -> float:
    """Return the mean of what is defined; NaN of nothing.

    >>> mean_of(np.array([1.0, math.nan, 2.0]))
    1.5
    """
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else math.nan
