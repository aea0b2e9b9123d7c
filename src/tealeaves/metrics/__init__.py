"""Metrics: from evidence to scores.

Every registered metric can be imported from here by its name::

    from tealeaves.metrics import npmi

    npmi(window=10) @ 10
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tealeaves.lazy_names import lazy_names

if TYPE_CHECKING:
    from tealeaves.metrics.base import Metric, Result
    from tealeaves.metrics.counting import count
    from tealeaves.metrics.description import describe_metric, list_metrics
    from tealeaves.metrics.evaluation import evaluate, score
    from tealeaves.metrics.gathering import gather
    from tealeaves.metrics.planning import Plan, plan
    from tealeaves.metrics.reading import read_scores
    from tealeaves.metrics.registry import METRICS, metric, parse_metrics
    from tealeaves.metrics.scores import Score, Scores

_PUBLIC_NAMES = {
    "base": ("Metric", "Result"),
    "counting": ("count",),
    "description": ("describe_metric", "list_metrics"),
    "evaluation": ("evaluate", "score"),
    "gathering": ("gather",),
    "planning": ("Plan", "plan"),
    "reading": ("read_scores",),
    "registry": ("METRICS", "metric", "parse_metrics"),
    "scores": ("Score", "Scores"),
}

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

_get, __dir__ = lazy_names(__name__, _PUBLIC_NAMES)


def __getattr__(name: str) -> Any:
    if name in __all__ or name.startswith("_"):
        return _get(name)
    from tealeaves.errors import InputError
    from tealeaves.metrics.registry import metric

    try:
        return metric(name)
    except InputError as error:
        raise AttributeError(f"module 'tealeaves.metrics' has no attribute {name!r}") from error
