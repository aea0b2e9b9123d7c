"""What follows from the models and scores of a run: tests, intervals, agreement, terms."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from tealeaves.comparison.comparison import compare_scores
from tealeaves.comparison.design import Design
from tealeaves.comparison.result import ComparedModel, Comparison
from tealeaves.comparison.samples import interval_of_mean
from tealeaves.errors import InputError
from tealeaves.metrics.agreement import metric_agreement
from tealeaves.metrics.scores import Score, Scores
from tealeaves.report.run.run import Analysis, Run
from tealeaves.topics.term_matrix import term_matrix

_DRAWS, _LEVEL = 10_000, 0.95


def analysed(run: Run, design: Design | None = None) -> Run:
    """Return a run with its analysis, which is computed if the run has none.

    ``design`` is that of a command's comparison: all models are compared in the same way.
    """
    if run.analysis is not None:
        return run
    topic_means = _topic_means(run)
    run = msgspec.structs.replace(run, analysis=Analysis(topic_means=topic_means))
    comparison, untested = _comparison(run, design)
    if design is not None and comparison is not None:  # it is kept for runs that are added later
        run, comparison = msgspec.structs.replace(run, comparison=comparison), None
    agreement = metric_agreement(run.scores)
    analysis = Analysis(
        comparison=comparison,
        untested=untested,
        intervals=_intervals(run),
        agreement=agreement if agreement.rows else None,
        terms=[]
        if run.multilingual
        else [term_matrix(model.as_topics()) for model in run.models if model.has_words],
        topic_means=topic_means,
    )
    return msgspec.structs.replace(run, analysis=analysis)


def _topic_means(run: Run) -> dict[str, dict[str, float]]:
    """Return the means of topics that have a value, of models that have no score of their own."""
    values: dict[tuple[str, str], list[float]] = {}
    for row in run.scores.rows:
        whole = (row.model, None, row.metric) in run.values
        if row.topic is not None and not math.isnan(row.value) and not whole:
            values.setdefault((row.model, row.metric), []).append(row.value)
    means: dict[str, dict[str, float]] = {}
    for (model, metric), topics in values.items():
        means.setdefault(model, {})[metric] = math.fsum(topics) / len(topics)
    return means


def _comparison(run: Run, design: Design | None) -> tuple[Comparison | None, str]:
    """Compare the models; return why not, if they cannot be compared."""
    # a selection has its own tests, over runs
    if run.comparison is not None or len(run.models) < 2 or run.selections:
        return None, ""
    if not run.shared_metrics:
        return None, "no metric whose direction is known was computed for all models"
    if not all(model.topics for model in run.models):
        return None, "the values of topics are not known of all models"
    names = {model.name for model in run.models}
    shared = run.shared_metrics
    rows = [row for row in run.scores.rows if row.metric in shared and row.model in names]
    rows += _means_of_topics(run, rows)
    scores = Scores(rows, better={name: run.scores.better[name] for name in shared})
    options = {"over": "auto", "pairing": "auto"} if design is None else design.options
    by_words = options["over"] != "seeds" and options["pairing"] != "id"
    if by_words and not all(model.has_words for model in run.models):
        options["pairing"] = "none"
    try:
        models = [model.as_topics() for model in run.models]
        return compare_scores(scores, models, **options), ""
    except InputError as error:
        return None, str(error)


def _means_of_topics(run: Run, rows: Sequence[Score]) -> list[Score]:
    """Return the means of topics, of models that have no score of their own."""
    whole = {(row.model, row.metric) for row in rows if row.topic is None}
    by_topic = dict.fromkeys((row.model, row.metric) for row in rows if row.topic is not None)
    return [
        Score(model, None, metric, run.model_value(model, metric), 1.0, "")
        for model, metric in by_topic
        if (model, metric) not in whole
    ]


def _intervals(run: Run) -> list[ComparedModel]:
    """Return the interval of each mean of topics, if there is a single model.

    A value that is not the plain mean of its topics, being weighted or of the model as a whole,
    has none.
    """
    if len(run.models) != 1:
        return []
    [model] = run.models
    means = []
    for metric in run.topic_metrics:
        rows = [row for row in run.scores.rows if row.metric == metric and row.topic is not None]
        values = np.array([row.value for row in rows if not math.isnan(row.value)])
        value = run.model_value(model.name, metric)
        if len(values) < 2 or not math.isclose(value, float(values.mean()), rel_tol=1e-9):
            continue
        interval = interval_of_mean(values, _DRAWS, 0, _LEVEL)
        means.append(
            ComparedModel(
                model=model.name,
                metric=metric,
                value=value,
                low=interval.low,
                high=interval.high,
                n=len(values),
            )
        )
    return means
