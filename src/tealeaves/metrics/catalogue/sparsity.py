"""Sparsity: how much of a matrix is zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from tealeaves.metrics.base import Result
from tealeaves.metrics.distributions import WholeDistributionMetric
from tealeaves.topics.topics import Topics


class SparsitySettings(msgspec.Struct, frozen=True, kw_only=True):
    """What counts as zero, and where.

    Parameters
    ----------
    of
        ``phi`` looks at the words of topics, ``theta`` at their documents.
    threshold
        The largest number that counts as zero.
    """

    of: Literal["phi", "theta"] = "phi"
    threshold: Annotated[float, Meta(ge=0, lt=1)] = 1e-37


@dataclass(frozen=True, repr=False, eq=False)
class Sparsity(WholeDistributionMetric):
    """How many words, or documents, does the topic leave to others?"""

    settings: SparsitySettings

    @property
    def source(self) -> str:
        """The matrix it is computed from."""
        return f"{'topic-word' if self.settings.of == 'phi' else 'document-topic'} matrix"

    def lack_of_matrices(self, model: Topics) -> str:
        """Say that the matrix is missing; its weights need not be probabilities."""
        matrix = model.topic_word if self.settings.of == "phi" else model.document_topic
        return "" if matrix is not None else f"no {self.source}"

    def result(self, model: Topics) -> Result:
        """Return the share of zeros of each topic."""
        by_words = self.settings.of == "phi"
        weights = np.asarray(model.topic_word if by_words else model.document_topic)
        sums = weights.sum(axis=1, keepdims=True)
        shares = np.divide(weights, sums, out=np.zeros_like(weights), where=sums > 0)
        rows = shares if by_words else shares.T
        if not rows.shape[1]:
            return Result.undefined(model)
        return Result((rows <= self.settings.threshold).mean(axis=1), np.ones(len(rows)))


sparsity = Sparsity(
    name="sparsity",
    summary="share of zeros among the topic's words or documents",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Vorontsov & Potapenko 2015; BigARTM (Vorontsov et al. 2015)",
    settings=SparsitySettings(),
    formula=r"\frac{1}{V} \sum_{w=1}^{V} \left[ p(w \mid t) \le \tau \right]",
    misleads=(
        "Models with Dirichlet priors have no zeros at all, so a threshold of, say, 1e-6 is "
        "needed to compare them. A model can be sparse because it forgot words: look at "
        "perplexity or coherence too."
    ),
    details="""\
    The share of the V words w with a p(w|t) of at most the threshold τ (of=phi), or of documents d
    with such a p(t|d) (of=theta). [...] is 1 where the condition holds, else 0. The mean over
    topics is the share of zeros in the matrix.

    Defaults: of=phi; threshold τ = 1e-37, the eps of BigARTM's SparsityPhi and SparsityTheta scores
    (which count values below it).
    """,
)
