"""Which models differ: the comparison at hand, or one of the scores at hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tealeaves.comparison.comparison import compare_scores
from tealeaves.comparison.result import ComparedModel, Comparison
from tealeaves.comparison.samples import interval_of_mean
from tealeaves.errors import InputError
from tealeaves.metrics.scores import Score, Scores
from tealeaves.report.run.findings import Findings
from tealeaves.report.run.record import JudgedModel
from tealeaves.report.run.restoring import topics_of
from tealeaves.topics.topics import Topic, Topics

_DRAWS, _LEVEL = 10_000, 0.95


def compared_of(found: Findings) -> tuple[Comparison | None, str]:
    """Return the comparison at hand, else one of the scores; or why there is none."""
    if found.comparison is not None:
        return found.comparison, ""
    if len(found.models) < 2 or found.selections:  # a selection has tests of its own
        return None, ""
    if not found.shared:
        return None, "no metric whose direction is known was computed for all models"
    if not all(model.topics for model in found.models):
        return None, "the values of topics are not known of all models"
    names = {model.name for model in found.models}
    rows = [row for row in found.scores.rows if row.metric in found.shared and row.model in names]
    rows += _means(found, rows)
    better = {name: found.scores.better[name] for name in found.shared}
    with_words = len(found.topics) == len(found.models)
    models = [_topics(model) for model in found.models]
    try:
        return (
            compare_scores(
                Scores(rows, better=better), models, pairing="auto" if with_words else "none"
            ),
            "",
        )
    except InputError as error:
        return None, str(error)


def _means(found: Findings, rows: Sequence[Score]) -> list[Score]:
    """Return the means of topics as scores of models that have none of their own."""
    own = {(row.model, row.metric) for row in rows if row.topic is None}
    lacking = dict.fromkeys((row.model, row.metric) for row in rows if row.topic is not None)
    return [
        Score(model, None, metric, found.model_value(model, metric), 1.0, "")
        for model, metric in lacking
        if (model, metric) not in own
    ]


def _topics(model: JudgedModel) -> Topics:
    """Return topics; those without words have a word each that no other has."""
    if all(topic.words for topic in model.topics):
        return topics_of(model)
    topics = tuple(Topic(one.id, (f"{model.name} {one.id}",)) for one in model.topics)
    return Topics(topics, model=model.name, family=model.family)


def interval_alone(found: Findings) -> dict[tuple[str, str], ComparedModel]:
    """Return the interval of each mean of topics where there is but one model to speak of.

    A value that is not the plain mean of its topics, being weighted or of the model as a whole,
    has none.
    """
    if len(found.models) != 1:
        return {}
    [model], known = found.models, {}
    for metric in found.topic_metrics:
        rows = [row for row in found.scores.rows if row.metric == metric and row.topic is not None]
        values = np.array([row.value for row in rows if not math.isnan(row.value)])
        value = found.model_value(model.name, metric)
        if len(values) < 2 or not math.isclose(value, float(values.mean()), rel_tol=1e-9):
            continue
        inside = interval_of_mean(values, _DRAWS, 0, _LEVEL)
        known[model.name, metric] = ComparedModel(
            model=model.name,
            metric=metric,
            value=value,
            low=inside.low,
            high=inside.high,
            n=len(values),
        )
    return known
