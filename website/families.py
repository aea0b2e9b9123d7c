"""Families of metrics: their titles in the index, and their guides."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tealeaves.metrics.base import Metric


class Family(NamedTuple):
    """A group of metrics, recognised by the module of one of their classes."""

    title: str
    guide: str
    module: str


FAMILIES = (
    Family("Consensus", "consensus.md", "tealeaves.consensus"),
    Family("Coherence by counts", "coherence.md", "tealeaves.metrics.coherence_by_counts"),
    Family("Word vectors", "embeddings.md", "tealeaves.metrics.vectors"),
    Family("Attention and relevance", "relevance.md", "tealeaves.metrics.attention"),
    Family("Topics and runs compared", "metrics.md", "tealeaves.metrics.topic_similarity"),
    Family("Distributions", "metrics.md", "tealeaves.metrics.distributions"),
    Family("Texts and labels", "metrics.md", "tealeaves.metrics.per_text"),
    Family("Estimates from a Bible", "estimator.md", "tealeaves.estimator"),
    Family("Across languages", "crosslingual.md", "tealeaves.metrics.crosslingual"),
    Family("Others", "metrics.md", "tealeaves"),
)
ELSEWHERE = Family("Of other packages", "", "")


def family_of(metric: Metric) -> Family:
    """Return the first family that one of the metric's classes belongs to."""
    if not type(metric).__module__.startswith("tealeaves."):
        return ELSEWHERE
    modules = [kind.__module__ for kind in type(metric).__mro__]
    return next(
        family for family in FAMILIES if any(module.startswith(family.module) for module in modules)
    )
