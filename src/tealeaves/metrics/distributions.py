"""Metrics of the distributions of a model: p(w|t), p(t|d) and p(t), and distances of these."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.metrics.base import Metric, Result, TextlessMetric
from tealeaves.topics.distributions import Prior, phi, topic_shares
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats


@dataclass(frozen=True, repr=False, eq=False)
class DistributionMetric(Metric):
    """A metric of distributions; where p(t) is used, ``settings.prior`` says how it is known."""

    def lack_of_prior(self, model: Topics) -> str:
        """Say what the model lacks for p(t) to be known; nothing if it is known."""
        return lack_of_prior(model, self.settings.prior)

    def origin_of_prior(self, model: Topics) -> str:
        """Return what p(t) was taken from, for signatures."""
        return f"prior={topic_shares(model, self.settings.prior).origin}"


@dataclass(frozen=True, repr=False, eq=False)
class WholeDistributionMetric(DistributionMetric, TextlessMetric):
    """A metric of whole distributions, for which topics have no first words."""

    def lacks(self, model: Topics) -> str:
        """Refuse ``@n``, which would change nothing; else say which matrices are missing."""
        return self.lack_of_words or self.lack_of_matrices(model)

    def results(self, models: Sequence[Topics]) -> list[Result]:
        """Judge each model by itself."""
        return [self.result(model) for model in models]

    @abstractmethod
    def lack_of_matrices(self, model: Topics) -> str:
        """Say what the model lacks; nothing if it can be scored."""

    @abstractmethod
    def result(self, model: Topics) -> Result:
        """Judge one model."""


def lack_of_prior(topics: Topics, prior: Prior) -> str:
    """Say what a model lacks for p(t) to be taken from this prior; nothing if it can be.

    >>> lack_of_prior(Topics.of([["cat", "dog"]]), "documents")
    'prior=documents needs a document-topic matrix'
    """
    if prior in ("auto", "uniform"):
        return ""
    theta = topics.document_topic is not None and bool(topics.document_topic.any())
    if prior == "documents":
        return "" if theta else "prior=documents needs a document-topic matrix"
    if theta and topics.document_lengths is not None and topics.document_lengths.any():
        return ""
    if topics.assignments is not None and bool((topics.assignments.topics >= 0).any()):
        return ""
    return (
        "prior=tokens needs token assignments, or a document-topic matrix and the documents' "
        "lengths"
    )


def word_distributions(topics: Topics) -> Floats:
    """Return p(w|t), one row per topic, each of which sums to 1 exactly."""
    probabilities = phi(topics)
    rows: Floats = probabilities / probabilities.sum(axis=1, keepdims=True)
    return rows


def kl_divergence(p: Floats, q: Floats) -> Floats:
    """Return KL(p || q) = Σ p log(p / q) along the last axis, in nats; infinite where q = 0 < p.

    It is exact: 0 log 0 is 0, and nothing is added.

    >>> kl_divergence(np.array([1.0, 0.0]), np.array([0.5, 0.5])).round(6)  # log 2
    np.float64(0.693147)
    """
    p, q = np.broadcast_arrays(p, q)
    with np.errstate(divide="ignore"):
        terms = np.zeros(p.shape)
        np.subtract(np.log(p), np.log(q), out=terms, where=p > 0)
    # rounding may bring the divergence of a distribution from itself below 0
    nats: Floats = np.maximum((p * terms).sum(axis=-1), 0.0)
    return nats
