"""Significance: how far a topic is from a topic that says nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf, log
from typing import TYPE_CHECKING, Literal, Self

import msgspec
import numpy as np

from tealeaves.expressions import Value
from tealeaves.metrics.base import Result
from tealeaves.metrics.distributions import (
    WholeDistributionMetric,
    kl_divergence,
    word_distributions,
)
from tealeaves.topics.distributions import Prior, missing_part, theta, topic_shares
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats
    from tealeaves.evidence.evidence import Evidence

    FloatsPair = tuple[Floats, Floats]

_AVERAGED = ("uniform", "vacuous", "background")


class SignificanceSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What a topic is compared with, and how.

    Parameters
    ----------
    junk
        The distribution that says nothing.
    distance
        ``kl`` is KL(topic || junk), ``symmetric`` the mean of both directions, ``js`` the
        Jensen-Shannon divergence, ``cosine`` 1 - cosine.
    prior
        What p(t) is taken from, for the vacuous distribution.
    """

    junk: Literal["average", "uniform", "vacuous", "background", "corpus"] = "average"
    distance: Literal["kl", "symmetric", "js", "cosine"] = "kl"
    prior: Prior = "auto"


@dataclass(frozen=True, repr=False, eq=False)
class Significance(WholeDistributionMetric):
    """How far is the topic from a topic that says nothing?"""

    settings: SignificanceSettings

    def __call__(self, **changes: Value) -> Self:
        """Return this metric with other parameters; some distances have a greatest value."""
        changed = super().__call__(**changes)
        greatest = {"js": log(2), "cosine": 1.0}.get(changed.settings.distance, inf)
        return replace(changed, bounds=(0.0, greatest))

    @property
    def source(self) -> str:
        """The matrices it is computed from."""
        return {
            "average": "topic-word and document-topic matrix",
            "background": "document-topic matrix",
        }.get(self.settings.junk, "topic-word matrix")

    def lack_of_matrices(self, model: Topics) -> str:
        """Say what is missing to know the topics, or the junk distribution."""
        junk = self.settings.junk
        lacks = [] if junk == "background" else [missing_part(model, "phi")]
        if junk in ("average", "background"):
            lacks.append(missing_part(model, "theta"))
        if junk in ("average", "vacuous"):
            lacks.append(self.lack_of_prior(model))
        counted = model.term_frequency is not None and model.term_frequency.any()
        if junk == "corpus" and not counted:
            lacks.append("no word frequencies")
        return next(filter(None, lacks), "")

    def origin(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Return what p(t) was taken from, where it is used."""
        return self.origin_of_prior(model) if self.settings.junk in ("average", "vacuous") else ""

    def result(self, model: Topics) -> Result:
        """Return the distance of each topic from junk."""
        settings = self.settings
        kinds = _AVERAGED if settings.junk == "average" else (settings.junk,)
        values: Floats = np.mean([self._distances(model, junk) for junk in kinds], axis=0)
        return Result(values, (~np.isnan(values)).astype(np.float64))

    def _distances(self, model: Topics, junk: str) -> Floats:
        """Return how far each topic is from one kind of junk; NaN if undefined or infinite."""
        rows, junk_row = _DISTRIBUTIONS[junk](model, self.settings.prior)
        distances = np.full(len(model), np.nan)
        defined = rows.sum(axis=1) > 0  # not for NaN, nor for a model without documents
        distances[defined] = _DISTANCES[self.settings.distance](rows[defined], junk_row)
        distances[~np.isfinite(distances)] = np.nan
        return distances


# ------------------------------------------------------------------ topics and junk, as rows


def _uniform(topics: Topics, prior: Prior) -> FloatsPair:  # noqa: ARG001
    words = word_distributions(topics)
    return words, np.full(words.shape[1], 1.0 / words.shape[1])


def _vacuous(topics: Topics, prior: Prior) -> FloatsPair:
    words, shares = word_distributions(topics), topic_shares(topics, prior).values
    # a topic that is in no document has no part in the mixture that it is compared with
    return np.where(shares[:, None] > 0, words, np.nan), shares @ words


def _corpus(topics: Topics, prior: Prior) -> FloatsPair:  # noqa: ARG001
    frequency = np.asarray(topics.term_frequency, dtype=np.float64)
    return word_distributions(topics), frequency / frequency.sum()


def _background(topics: Topics, prior: Prior) -> FloatsPair:  # noqa: ARG001
    columns = theta(topics).T
    totals = columns.sum(axis=1, keepdims=True)
    documents = np.divide(columns, totals, out=np.full(columns.shape, np.nan), where=totals > 0)
    return documents, np.full(documents.shape[1], 1.0 / max(documents.shape[1], 1))


_DISTRIBUTIONS: dict[str, Callable[[Topics, Prior], FloatsPair]] = {
    "uniform": _uniform,
    "vacuous": _vacuous,
    "background": _background,
    "corpus": _corpus,
}


# ------------------------------------------------------------------ distances


def _symmetric_kl(p: Floats, q: Floats) -> Floats:
    return (kl_divergence(p, q) + kl_divergence(q, p)) / 2


def _jensen_shannon(p: Floats, q: Floats) -> Floats:
    middle = (p + q) / 2
    return (kl_divergence(p, middle) + kl_divergence(q, middle)) / 2


def _cosine_distance(p: Floats, q: Floats) -> Floats:
    lengths = np.linalg.norm(p, axis=-1) * np.linalg.norm(q, axis=-1)
    distance: Floats = np.maximum(1.0 - (p * q).sum(axis=-1) / lengths, 0.0)
    return distance


_DISTANCES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "kl": kl_divergence,
    "symmetric": _symmetric_kl,
    "js": _jensen_shannon,
    "cosine": _cosine_distance,
}


significance = Significance(
    name="significance",
    summary="distance of the topic from distributions that say nothing",
    better="higher",
    bounds=(0.0, inf),
    cite="AlSumait, Barbará, Gentle & Domeniconi 2009",
    settings=SignificanceSettings(),
    formula=(
        r"\frac{1}{3} \left( \mathrm{KL}(\varphi_t, u) + \mathrm{KL}(\varphi_t, m) + "
        r"\mathrm{KL}(\vartheta_t, b) \right), \quad "
        r"\mathrm{KL}(x, y) = \sum_{i} x_i \, \log \, \frac{x_i}{y_i}"
    ),
    misleads=(
        "A topic of one stop word is far from uniform. The distance to uniform grows with the "
        "logarithm of the vocabulary size, the distance to background with that of the number of "
        "documents, so only models of the same corpus can be compared."
    ),
    details="""\
    KL(topic || junk) in nats, exact: 0 log 0 is 0 and nothing is added. junk is
    uniform: the topic's words φ_t = p(w|t) against the uniform distribution over words, u;
    vacuous: the topic's words against the mixture of all topics m, the sum of p(w|t) p(t);
    background: the topic's documents, ϑ_t = p(d|t) = p(t|d) / sum over documents, against the
    uniform distribution over documents, b;
    average: the mean of these three;
    corpus: the topic's words against their frequencies in the corpus, where the model has them;
    this is how we read Lund et al. 2017, whose smoothing we do not know.

    Defaults: average, by KL. distance=symmetric is the mean of both directions, js the
    Jensen-Shannon divergence, cosine 1 - cosine. prior says what p(t) is taken from: tokens,
    documents or uniform; auto takes the first of these that the model knows, and the signature
    says which. A topic that is in no document, or at an infinite distance (symmetric with zeros;
    corpus with words that do not occur), has no value. The paper's weighted ranking over several
    distances is not computed.
    """,
)
