"""Significance: how far a topic is from one that says nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, log
from typing import Literal, Self

import msgspec

from tealeaves.expressions import Value
from tealeaves.metrics.artm.shares import lack_of_prior, origin_of_prior
from tealeaves.metrics.artm.whole import WholeMetric
from tealeaves.metrics.base import Result
from tealeaves.topics.distributions import Prior, missing_part
from tealeaves.topics.topics import Topics

Junk = Literal["average", "uniform", "vacuous", "background", "corpus"]


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

    junk: Junk = "average"
    distance: Literal["kl", "symmetric", "js", "cosine"] = "kl"
    prior: Prior = "auto"


@dataclass(frozen=True, repr=False, eq=False)
class Significance(WholeMetric):
    """How far is the topic from one that says nothing?"""

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

    def _lacks(self, model: Topics) -> str:
        junk = self.settings.junk
        parts = [] if junk == "background" else [missing_part(model, "phi")]
        if junk in ("average", "background"):
            parts.append(missing_part(model, "theta"))
        if junk in ("average", "vacuous"):
            parts.append(lack_of_prior(model, self.settings.prior))
        counted = model.term_frequency is not None and model.term_frequency.any()
        if junk == "corpus" and not counted:
            parts.append("no word frequencies")
        return next(filter(None, parts), "")

    def origin(self, model: Topics, beside: Sequence[Topics]) -> str:  # noqa: ARG002
        """Return what the number was taken from."""
        weighted = self.settings.junk in ("average", "vacuous")
        return origin_of_prior(model, self.settings.prior) if weighted else ""

    def _result(self, model: Topics) -> Result:
        import numpy as np

        from tealeaves.metrics.artm.junk import distances

        asked = self.settings
        values = distances(model, asked.junk, asked.distance, asked.prior)
        return Result(values, (~np.isnan(values)).astype(np.float64))


significance = Significance(
    name="significance",
    summary="distance of the topic from distributions that say nothing",
    better="higher",
    bounds=(0.0, inf),
    cite="AlSumait, Barbará, Gentle & Domeniconi 2009",
    settings=SignificanceSettings(),
    accepts=("junk", "distance", "prior"),
    formula=(
        r"\frac{1}{3} \left( \mathrm{KL}(\varphi_t, u) + \mathrm{KL}(\varphi_t, m) + "
        r"\mathrm{KL}(\vartheta_t, b) \right), \quad "
        r"\mathrm{KL}(x, y) = \sum_{i} x_i \, \log \, \frac{x_i}{y_i}"
    ),
    misleads=(
        "A topic of one stop word is far from uniform. The distance to uniform grows with the "
        "logarithm of the vocabulary, that to background with that of the number of documents, so "
        "only models of the same corpus compare."
    ),
    details="""\
    KL(topic || junk) in nats, exact: 0 log 0 is 0 and nothing is added. junk is
    uniform: the topic's words φ_t = p(w|t) against all words alike, u;
    vacuous: the topic's words against the mixture of all topics m, the sum of p(w|t) p(t);
    background: the topic's documents, ϑ_t = p(d|t) = p(t|d) / sum over documents, against all
    documents alike, b;
    average: the mean of these three;
    corpus: the topic's words against how often they occur, where the model has word frequencies;
    so we read what Lund et al. 2017 compare with, whose smoothing we do not know.

    Defaults: average, by KL. distance=symmetric is the mean of both directions, js the
    Jensen-Shannon divergence, cosine 1 - cosine. prior says what p(t) is taken from: tokens,
    documents or uniform; auto takes the first of these that the model knows, and the signature
    says which. A topic of no document, or one at an infinite distance (symmetric with zeros; corpus
    with words that do not occur), has no value. The paper's weighted ranking over several
    distances is not computed.
    """,
)
