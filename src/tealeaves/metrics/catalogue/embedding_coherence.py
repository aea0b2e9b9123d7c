"""Embedding coherence: do the words of a topic lie close together?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from tealeaves.metrics.base import Result
from tealeaves.metrics.vectors.family import EmbeddingMetric, EmbeddingSettings
from tealeaves.metrics.vectors.space import TopicSpace, unit_vectors
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats
    from tealeaves.evidence.evidence import Evidence
    from tealeaves.evidence.wording import Wording


class EmbeddingCoherenceSettings(EmbeddingSettings, frozen=True, kw_only=True):
    """The parameters of embedding coherence.

    Parameters
    ----------
    form
        ``pairwise`` compares the words with each other, ``centroid`` with their mean.
    """

    form: Literal["pairwise", "centroid"] = "pairwise"


@dataclass(frozen=True, repr=False, eq=False)
class EmbeddingCoherence(EmbeddingMetric):
    """The mean cosine of the words to each other, or to their centroid."""

    settings: EmbeddingCoherenceSettings

    def why(self, model: Topics) -> str:
        """Say why a topic may have no score."""
        if self.top == 1:
            return "because it compares two words or more"
        return "for lack of two words with vectors"

    def score_space(
        self, space: TopicSpace, model: Topics, evidence: Evidence, wording: Wording
    ) -> Result:
        """Compare the words of each topic."""
        pairwise = self.settings.form == "pairwise"
        mean_cosine = _mean_pair_cosine if pairwise else _mean_centroid_cosine
        values = np.array([mean_cosine(space.vectors[rows]) for rows in space.known_topics])
        words = np.array([len(rows) for rows in space.known_topics], dtype=np.float64)
        wanted = np.maximum(space.wanted, 2.0)
        support = words * (words - 1) / (wanted * (wanted - 1)) if pairwise else words / wanted
        return Result(values, np.where(np.isnan(values), 0.0, np.clip(support, 0.0, 1.0)))


def _mean_pair_cosine(vectors: Floats) -> float:
    size = len(vectors)
    if size < 2:
        return float("nan")
    words = unit_vectors(vectors)
    # the sum over all pairs, less the cosines of words with themselves, which are 1
    total = float(words.sum(axis=0) @ words.sum(axis=0)) - size
    return float(np.clip(total / (size * (size - 1)), -1.0, 1.0))


def _mean_centroid_cosine(vectors: Floats) -> float:
    if len(vectors) < 2:
        return float("nan")
    # the mean of the cosines to the mean direction m is m·m / |m|, its length
    return min(float(np.linalg.norm(unit_vectors(vectors).mean(axis=0))), 1.0)


embedding_coherence = EmbeddingCoherence(
    name="embedding_coherence",
    summary="mean cosine of the vectors of a topic's words",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Thielmann et al. 2024; Ding, Nallapati & Xiang 2018",
    settings=EmbeddingCoherenceSettings(),
    aliases=("we_coherence",),
    formula=r"\frac{2}{n (n - 1)} \sum_{i < j} \cos(\omega_i, \omega_j)",
    misleads=(
        "An embedding knows what words mean in the texts that it was trained on, not in yours: if "
        "your texts use a word in another sense, it is judged by its usual one. Spelling variants "
        "of one word (car, cars, car's) make the most coherent topic of all."
    ),
    details="""\
    The mean cosine over all pairs of the topic's n words with vectors, ω (form=pairwise), or of the
    words to the mean of their directions (form=centroid).

    Defaults: all words of the topics (10 are usual: @10), each pair once. This is what STREAM's
    code computes; its README describes a cosine to the centroid of stop words under this name,
    which is expressivity.
    """,
)
