"""Embedding coherence: do the words of a topic lie close together?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tealeaves.metrics.base import Result
from tealeaves.metrics.embedded.family import EmbeddingMetric, EmbeddingSettings
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats
    from tealeaves.evidence.evidence import Evidence
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics.embedded.space import Space


class CoherenceSettings(EmbeddingSettings, frozen=True, kw_only=True):
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

    settings: CoherenceSettings

    @property
    def why_undefined(self) -> str:
        """Why a topic may have no score."""
        if self.top == 1:
            return "as it compares two words or more"
        return "for lack of two words with vectors"

    def of_space(
        self,
        space: Space,
        model: Topics,  # noqa: ARG002
        evidence: Evidence,  # noqa: ARG002
        wording: Wording,  # noqa: ARG002
    ) -> Result:
        """Compare the words of each topic."""
        import numpy as np

        pairwise = self.settings.form == "pairwise"
        of_topic = _pairwise if pairwise else _to_centroid
        values = np.array([of_topic(space.vectors[rows]) for rows in space.known_topics])
        known = np.array([len(rows) for rows in space.known_topics], dtype=np.float64)
        asked = np.maximum(space.asked, 2.0)
        support = known * (known - 1) / (asked * (asked - 1)) if pairwise else known / asked
        return Result(values, np.where(np.isnan(values), 0.0, np.clip(support, 0.0, 1.0)))


def _pairwise(vectors: Floats) -> float:
    import numpy as np

    from tealeaves.metrics.embedded.space import unit

    size = len(vectors)
    if size < 2:
        return float("nan")
    words = unit(vectors)
    # all pairs, each word with itself too, whose cosine is 1
    total = float(words.sum(axis=0) @ words.sum(axis=0)) - size
    return float(np.clip(total / (size * (size - 1)), -1.0, 1.0))


def _to_centroid(vectors: Floats) -> float:
    import numpy as np

    from tealeaves.metrics.embedded.space import unit

    if len(vectors) < 2:
        return float("nan")
    # the mean of the cosines to the mean direction m is m·m / |m|, its length
    return min(float(np.linalg.norm(unit(vectors).mean(axis=0))), 1.0)


embedding_coherence = EmbeddingCoherence(
    name="embedding_coherence",
    summary="mean cosine of the vectors of a topic's words",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Thielmann et al. 2024; Ding, Nallapati & Xiang 2018",
    settings=CoherenceSettings(),
    accepts=("embedding", "form"),
    aliases=("we_coherence",),
    formula=r"\frac{2}{n (n - 1)} \sum_{i < j} \cos(\omega_i, \omega_j)",
    misleads=(
        "It knows what words mean in general and in the texts that the embedding was trained on, "
        "not in yours: a word that your texts use in another sense is taken for what it usually "
        "means. Spelling variants of one word (car, cars, car's) are the most coherent topic of "
        "all."
    ),
    details="""\
    The mean cosine over all pairs of the topic's n words with vectors, ω (form=pairwise), or of the
    words to the mean of their directions (form=centroid).

    Defaults: all words of the topics (10 are usual: @10), each pair once. This is what STREAM's
    code computes; its README describes a cosine to the centroid of stop words under this name,
    which is expressivity.
    """,
)
