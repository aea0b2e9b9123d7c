"""Embedding diversity: do the topics of a model differ in what their words mean?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Self

from tealeaves.errors import InputError
from tealeaves.expressions import Value
from tealeaves.metrics.comparing.family import DEFAULT_P, Persistence
from tealeaves.metrics.embedded.family import EmbeddingSettings
from tealeaves.metrics.embedded.pairs import TopicPairMetric
from tealeaves.metrics.embedded.weighted import WeightedMetric, WeightedSettings
from tealeaves.metrics.formulas import AGREEMENT, BIASED
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tealeaves.arrays import Floats
    from tealeaves.metrics.embedded.space import Space


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
    """One less the mean cosine of topics."""

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

    def sums(self, space: Space, model: Topics) -> tuple[Floats, NDArray[np.bool_]]:
        """Add up the cosines of each topic with the others.

        The sum of the dot products with all topics is that with the sum of all.
        """
        import numpy as np

        points = self._points(space, model)
        there = np.asarray(np.isfinite(points).all(axis=1))
        points = np.where(there[:, None], points, 0.0)
        sums: Floats = points @ points.sum(axis=0) - (points * points).sum(axis=1)
        return sums, there

    def value(self, means: Floats) -> Floats:
        """Turn likeness into difference; STREAM does not."""
        return means if self.settings.compat == "stream" else super().value(means)

    def _points(self, space: Space, model: Topics) -> Floats:
        """Return a vector a topic, whose dot products are the likeness of topics."""
        import numpy as np

        from tealeaves.metrics.embedded.centroids import centroids
        from tealeaves.metrics.embedded.space import unit
        from tealeaves.metrics.embedded.weights import weights_of

        if self.settings.form == "centroid":
            weights = weights_of(space, model, self.settings.weights, self.settings.compat)
            return unit(centroids(space, weights))
        # the mean over all pairs of words is the dot product of the means of directions
        words, none = unit(space.vectors), np.full(space.vectors.shape[1], np.nan)
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
            raise InputError(f"{self.name}: weights=phi is for form=centroid alone")
        return changed


class WeIrboSettings(EmbeddingSettings, frozen=True, kw_only=True):
    """The parameters of inverted rank-biased overlap with word embeddings.

    Parameters
    ----------
    form
        ``pairwise`` matches the words of two topics, ``centroid`` compares the centroids of their
        first words.
    p
        The persistence of the reader: the lower, the more the first words count.
    compat
        ``octis``: as OCTIS computes ``form=centroid``, divided by the depth once more.
    """

    form: Literal["pairwise", "centroid"] = "pairwise"
    p: Persistence = DEFAULT_P
    compat: Literal["octis"] | None = None


@dataclass(frozen=True, repr=False, eq=False)
class InvertedWerbo(TopicPairMetric):
    """One less the mean rank-biased overlap with word embeddings."""

    settings: WeIrboSettings

    @property
    def of_centroids(self) -> bool:
        """Whether topics are compared by their centroids."""
        return self.settings.form == "centroid"

    def sums(self, space: Space, model: Topics) -> tuple[Floats, NDArray[np.bool_]]:  # noqa: ARG002
        """Add up the overlaps of each topic with the others."""
        from tealeaves.metrics.embedded.werbo import centroid_sums, matched_sums

        if self.settings.form == "pairwise":
            return matched_sums(space, self.settings.p)
        return centroid_sums(space, self.settings.p, twice=self.settings.compat == "octis")

    def _changed(self, changes: dict[str, Value]) -> Any:
        changed: WeIrboSettings = super()._changed(changes)
        if changed.compat == "octis" and changed.form == "pairwise":
            raise InputError(
                f"{self.name}: compat=octis is for form=centroid alone; form=pairwise is as in "
                "OCTIS without it"
            )
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
        "In many embeddings all words point in similar directions, so that values are low and "
        "close together; and topics of one field are similar by right. A mean of random words "
        "lies in the middle, so that bad topics look alike. form=pairwise is high where topics "
        "are incoherent: even a topic and its copy have the diversity of the topic's own words."
    ),
    details="""\
    1 less the mean likeness of a topic to the K - 1 others. The likeness is the cosine of the means
    μ of the vectors ω of their words W (form=centroid), or the mean cosine of each word of one with
    each of the other (form=pairwise). 0: all topics point the same way; 1: they have nothing to do
    with each other.

    Defaults: all words of the topics (10 are usual: @10), which weigh the same. weights=phi weighs
    the words of a centroid by phi. Terragni et al. and OCTIS give the similarity, which is 1 less
    this: OCTIS's centroid and pairwise similarity.
    compat=stream is what STREAM calls by this name, a similarity of which lower is better: the mean
    cosine of centroids, weighted by phi of the first words of the vocabulary, whatever the topics'
    words are.
    """,
)

we_irbo = InvertedWerbo(
    name="we_irbo",
    summary="1 - rank-biased overlap of topic pairs where similar words overlap too, mean",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Terragni, Fersini & Messina 2021; Bianchi, Terragni & Hovy 2021",
    settings=WeIrboSettings(),
    accepts=("embedding", "form", "p", "compat"),
    aliases=("word_embeddings_irbo",),
    formula=(
        r"1 - \frac{1}{K - 1} \sum_{j \ne k} \left( "
        + BIASED
        + r" \right), \quad "
        + AGREEMENT
        + r", \quad X_d = \sum_{(a, b) \in M_d} "
        r"\left( 1 - \frac{\arccos ( \cos(\omega_a, \omega_b) )}{\pi} \right)"
    ),
    misleads=(
        "Words that have nothing to do with each other have a cosine near 0, and so a similarity "
        "of 1/2: topics that share nothing lie between 0.3 and 0.5, not at 1, and models differ "
        "by little. Only values of the same embedding and number of words compare. Of single "
        "topics it tells next to nothing that people agree with."
    ),
    details="""\
    irbo in which words overlap by the angle between their vectors ω. At depth d the first d words
    of two topics are matched one to one, the most similar two first: M_d; X_d adds up the
    similarities (form=pairwise); or the agreement is the similarity of the centroids of the first d
    words (form=centroid). The rest is rank-biased overlap of topic k, of the K, with another,
    extrapolated: s and l are the lengths of the shorter and of the longer list. 0: all topics are
    the same lists; it is never above irbo in form=pairwise.

    Defaults: p = 0.9, all words of the topics (10 are usual: @10). Words without a vector are left
    out and those after them move up. form=pairwise is what OCTIS computes of topics of one length;
    of its centroid form, compat=octis divides the agreement by d once more, as OCTIS does: even a
    topic and its copy then have 0.73 (at 10 words).
    The cost grows with the square of the topics, in form=pairwise also with the cube of the words.
    """,
)
