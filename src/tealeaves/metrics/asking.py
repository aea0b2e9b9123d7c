"""Asking: all that metrics need to score models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.evidence.encoded import TextRequest
from tealeaves.evidence.relevance.relevance import Relevance
from tealeaves.evidence.request import Request, join_requests
from tealeaves.evidence.wish import Wish
from tealeaves.metrics.base import Metric
from tealeaves.metrics.relevant.family import RelevanceMetric
from tealeaves.metrics.wording import Wording
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.metrics.base import Need


def needs_of(
    models: Sequence[Topics], metrics: Sequence[Metric], wording: Wording, relevance: Any = None
) -> list[Need]:
    """Return all that the metrics need, or wish for; relevance at hand is not asked for."""
    found: list[Need] = []
    for metric in metrics:
        able = [model for model in models if not metric.why_not(model)]
        if not able:
            reason = f"{models[0].model}: {metric.why_not(models[0])}"
            raise InputError(f"{metric!r} cannot be computed: {reason}")
        if not (isinstance(metric, RelevanceMetric) and isinstance(relevance, Relevance)):
            found += metric.needs(able, wording)
    return found


def requests_of(
    models: Sequence[Topics], metrics: Sequence[Metric], wording: Wording
) -> list[Request]:
    """Return all that the metrics need, or wish, to be counted for these models.

    What they ask of a reference is counted too, where the wording has one.
    """
    refuse_texts(models, metrics, wording)
    needs = needs_of(models, metrics, wording)
    asked = (need.request if isinstance(need, Wish) else need for need in needs)
    return join_requests(one for one in asked if isinstance(one, Request))


def refuse_texts(models: Sequence[Topics], metrics: Sequence[Metric], wording: Wording) -> None:
    """Refuse metrics that read the texts themselves, where only counts are at hand."""
    for metric in metrics:
        if any(isinstance(need, TextRequest) for need in needs_of(models, [metric], wording)):
            raise InputError(f"{metric!r} reads the texts themselves: score it with the corpus")
