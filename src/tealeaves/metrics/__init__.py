"""Metrics: from evidence to scores.

Every registered metric can be imported from here by its name::

    from tealeaves.metrics import npmi

    npmi(window=10) @ 10
"""

from typing import Any

from tealeaves.errors import InputError
from tealeaves.metrics.base import Metric, Result
from tealeaves.metrics.counting import count
from tealeaves.metrics.description import describe_metric, list_metrics
from tealeaves.metrics.evaluation import evaluate, score
from tealeaves.metrics.gathering import gather
from tealeaves.metrics.planning import Plan, plan
from tealeaves.metrics.reading import read_scores
from tealeaves.metrics.registry import METRICS, metric, parse_metrics
from tealeaves.metrics.scores import Score, Scores

__all__ = [
    "METRICS",
    "Metric",
    "Plan",
    "Result",
    "Score",
    "Scores",
    "count",
    "describe_metric",
    "evaluate",
    "gather",
    "list_metrics",
    "metric",
    "parse_metrics",
    "plan",
    "read_scores",
    "score",
]


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    try:
        return metric(name)
    except InputError as error:
        raise AttributeError(f"module 'tealeaves.metrics' has no attribute {name!r}") from error
