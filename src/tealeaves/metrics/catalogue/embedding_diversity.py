"""Embedding diversity: do the topics of a model differ in what their words mean?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from tealeaves.errors import InputError
from tealeaves.expressions import Value
from tealeaves.metrics.vectors.family import TopicPairMetric, WeightedMetric, WeightedSettings
from tealeaves.metrics.vectors.space import TopicSpace, unit_vectors
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Floats


class EmbeddingDiversitySettings(WeightedSettings, frozen=True, kw_only=True):
    """The parameters of embedding diversity.

    Parameters
    ----------
    form
        ``centroid`` compares the centroids of two topics, ``pairwise`` all their words.
    compat
        ``stream``: as STREAM computes it, a similarity, with the weights of other words.
    """

    form: Literal["centroid", "pairwise"] = "centroid"


@dataclass(frozen=True, repr=False, eq=False)
class EmbeddingDiversity(WeightedMetric, TopicPairMetric):
    """One minus the mean cosine of topics."""

    settings: EmbeddingDiversitySettings

    @property
    def of_centroids(self) -> bool:
        """Whether topics are compared by their centroids."""
        return self.settings.form == "centroid"

    def __call__(self, **changes: Value) -> Self:
        """Return this metric with other parameters; STREAM's is a similarity."""
        changed = super().__call__(**changes)
        if changed.settings.compat == "stream":
            return replace(changed, better="lower", bounds=(-1.0, 1.0))
        return replace(changed, better="higher", bounds=(0.0, 2.0))

    def similarity_sums(self, space: TopicSpace, model: Topics) -> tuple[Floats, Bools]:
        """Add up the cosines of each topic with the others.

        The sum of the dot products with all topics is the dot product with their sum.
        """
        points = self._topic_points(space, model)
        comparable = np.asarray(np.isfinite(points).all(axis=1))
        points = np.where(comparable[:, None], points, 0.0)
        sums: Floats = points @ points.sum(axis=0) - (points * points).sum(axis=1)
        return sums, comparable

    def value(self, means: Floats) -> Floats:
        """Turn similarity into difference; STREAM does not."""
        return means if self.settings.compat == "stream" else super().value(means)

    def _topic_points(self, space: TopicSpace, model: Topics) -> Floats:
        """Return one vector per topic; their dot products are the similarities of topics."""
        if self.settings.form == "centroid":
            weights = space.word_weights(model, self.settings.weights, self.settings.compat)
            return unit_vectors(space.centroids(weights))
        # the mean over all pairs of words is the dot product of the means of their directions
        words, none = unit_vectors(space.vectors), np.full(space.vectors.shape[1], np.nan)
        means = [words[rows].mean(axis=0) if len(rows) else none for rows in space.known_topics]
        return np.array(means)

    def _changed(self, changes: dict[str, Value]) -> Any:
        changed: EmbeddingDiversitySettings = super()._changed(changes)
        weighted, pairwise = changed.weights == "phi", changed.form == "pairwise"
        if changed.compat == "stream" and (weighted or pairwise):
            raise InputError(
                f"{self.name}: compat=stream has a form and weights of its own; leave out "
                + " and ".join(["weights"] * weighted + ["form"] * pairwise)
            )
        if weighted and pairwise:
            raise InputError(f"{self.name}: weights=phi works only with form=centroid")
        return changed


embedding_diversity = EmbeddingDiversity(
    name="embedding_diversity",
    summary="1 - cosine of the centroids of topic pairs, mean",
    better="higher",
    bounds=(0.0, 2.0),
    cite="Terragni, Fersini & Messina 2021; Thielmann et al. 2024",
    settings=EmbeddingDiversitySettings(),
    accepts=("embedding", "form", "weights", "compat"),
    aliases=("embedding_topic_diversity",),
    formula=(
        r"1 - \frac{1}{K - 1} \sum_{j \ne k} \cos(\mu_k, \mu_j), \quad "
        r"\mu_k = \frac{1}{\lvert W_k \rvert} \sum_{w \in W_k} \omega_w"
    ),
    misleads=(
        "In many embeddings all words point in similar directions, so values are low and close "
        "together; and topics of one field are rightly similar. The mean of random words lies in "
        "the middle of the space, so bad topics look alike. form=pairwise is high where topics "
        "are incoherent: even a topic and its copy have the diversity of the topic's own words."
    ),
    details="""\
    1 minus the mean similarity of a topic to the K - 1 others. The similarity is the cosine of the
    means μ of the vectors ω of their words W (form=centroid), or the mean cosine of each word of
    one topic with each word of the other (form=pairwise). 0: all topics point the same way; 1: they
    have nothing to do with each other.

    Defaults: all words of the topics (10 are usual: @10), with equal weights. weights=phi weights
    the words of a centroid by phi. Terragni et al. and OCTIS give the similarity, which is 1 minus
    this: OCTIS's centroid and pairwise similarity.
    compat=stream is what STREAM calls by this name, a similarity where lower is better: the mean
    cosine of centroids, weighted by phi of the first words of the vocabulary, whatever the topics'
    words are.
    """,
)
