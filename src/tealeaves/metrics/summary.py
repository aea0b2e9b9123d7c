"""From the scores of topics to the score of a model."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tealeaves.errors import InputError
from tealeaves.metrics.base import Result
from tealeaves.topics.topics import Topics


@dataclass(frozen=True)
class ModelSummary:
    """The score of a model, and what it leaves out.

    ``unscored`` are the ids of topics without a score. With document weights, ``documents`` is
    N, the number of documents whose best topic has a score; ``outliers`` have no topic, and
    ``left_out`` belong to unscored topics. ``unweighted`` models do not know their documents.
    ``error`` is the standard error, where the topics' values were drawn at random and it is known.
    """

    value: float
    support: float
    unscored: tuple[int | str, ...] = ()
    documents: int | None = None
    outliers: int = 0
    left_out: int = 0
    unweighted: bool = False
    error: float | None = None


def summarise(topics: Topics, result: Result, weight: str | None) -> ModelSummary:
    """Return the mean over topics, or over documents by their best topic.

    A result that has a value of the whole model keeps it.
    """
    if result.overall is not None:
        return ModelSummary(*result.overall)
    if weight is None:
        value = float(np.add.reduce(result.values)) / len(topics)
        if not math.isnan(value):  # true of most models, and fast
            support = float(np.add.reduce(result.support)) / len(topics)
            error = None if result.error is None else _error(result, np.ones(len(topics)))
            return ModelSummary(value, support, error=error)
        return _mean(topics, result, [1] * len(topics))
    known = topics.documents_per_topic()
    if known is None:
        return ModelSummary(float("nan"), 0.0, unweighted=True)
    counts, outliers = known
    summary = _mean(topics, result, counts)
    scored = ~np.isnan(result.values)
    total = int(np.array(counts)[scored].sum())
    return replace(summary, documents=total, outliers=outliers, left_out=sum(counts) - total)


def check_weight(models: Sequence[Topics], weight: str) -> None:
    """Raise for a weight that is not known, or that no model has."""
    if weight != "documents":
        raise InputError(f"unknown weight {weight}: the only weight is documents")
    if all(model.documents_per_topic() is None for model in models):
        raise InputError(
            f"{models[0].model}: weighting by documents needs a document-topic matrix or the "
            "number of documents of each topic, and the topics have neither"
        )


def _mean(topics: Topics, result: Result, weights: Sequence[int]) -> ModelSummary:
    r"""Return :math:`\sum_i n_i s_i / \sum_i n_i` over the topics that have a score."""
    n = np.asarray(weights, dtype=np.float64)
    scored = ~np.isnan(result.values)
    unscored = tuple(t.id for t, there in zip(topics.topics, scored, strict=True) if not there)
    if n[scored].sum() == 0:
        return ModelSummary(float("nan"), 0.0, unscored)
    value = float((n * np.where(scored, result.values, 0.0)).sum() / n[scored].sum())
    support = float((n * result.support).sum() / n.sum())
    return ModelSummary(value, support, unscored, error=_error(result, np.where(scored, n, 0.0)))


def _error(result: Result, weights: NDArray[np.float64]) -> float | None:
    """Return the standard error of a weighted mean; None where it is not known.

    The errors of topics that share their draws add up; those of others add up by their squares. A
    known covariance is used instead. If the error of a topic that counts is not known, that of the
    mean is not known either.
    """
    if result.error is None:
        return None
    if result.covariance is not None:
        counts = np.flatnonzero(weights > 0)  # the errors of others may be unknown
        some = weights[counts]
        variance = float(some @ result.covariance[np.ix_(counts, counts)] @ some)
        return None if math.isnan(variance) else math.sqrt(max(variance, 0.0)) / float(some.sum())
    shared = result.shared_draws or range(len(weights))
    errors: dict[Hashable, float] = {}
    for draws, weight, topic_error in zip(shared, weights, result.error, strict=True):
        if weight > 0:
            errors[draws] = errors.get(draws, 0.0) + weight * topic_error
    error = math.hypot(*errors.values()) / float(weights.sum())
    return None if math.isnan(error) else error
