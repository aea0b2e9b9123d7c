"""Base classes of metrics that judge topics by the vectors of their words."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import msgspec
import numpy as np

from tealeaves.evidence.requests import EmbeddingRequest
from tealeaves.metrics.base import Metric, Result
from tealeaves.metrics.vectors.space import TopicSpace, lack_of_weights
from tealeaves.tables.numbers import list_text
from tealeaves.text.languages import language_code
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Floats
    from tealeaves.evidence.embeddings.embeddings import WordVectors
    from tealeaves.evidence.evidence import Evidence
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics.base import AnyRequest

# part of the reason why a topic of known words may have no centroid
CANCELLED = ", or because their vectors cancel out"


class EmbeddingSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of all metrics of vectors.

    Parameters
    ----------
    embedding
        Where vectors come from: a name that `tealeaves embeddings` lists, a file of vectors, or a
        model of Hugging Face; none: the embedding given along with the metrics, else the default.
    """

    embedding: str | None = None


@dataclass(frozen=True, repr=False, eq=False)
class EmbeddingMetric(Metric):
    """A metric of the vectors of topics' words."""

    settings: EmbeddingSettings
    why_undefined: ClassVar[str] = "for lack of words with vectors"

    @property
    def source(self) -> str:
        """What the metric is computed from."""
        return "vectors of words"

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[AnyRequest]:
        """Ask for the vectors of the first words, spelled as in the topics."""
        words = frozenset().union(*map(self.first_words, models))
        further = frozenset().union(*map(self.further_words, models))
        yield EmbeddingRequest(self.settings.embedding, words, further)

    def first_words(self, model: Topics) -> frozenset[str]:
        """Return the words that are judged of a model's topics."""
        return frozenset(word for topic in model.topics for word in topic.words[: self.top])

    def further_words(self, model: Topics) -> frozenset[str]:
        """Return words that are needed in addition to those of the model's topics."""
        return frozenset()

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Score each model by the vectors of its own words."""
        return [
            self.score_space(self.space(model, evidence, wording), model, evidence, wording)
            for model in models
        ]

    @abstractmethod
    def score_space(
        self, space: TopicSpace, model: Topics, evidence: Evidence, wording: Wording
    ) -> Result:
        """Score one model."""

    def space(self, model: Topics, evidence: Evidence, wording: Wording) -> TopicSpace:
        """Return the vectors of a model's first words; all metrics share them."""
        vectors = evidence.vectors(self.settings.embedding)
        return wording.memo.once(TopicSpace.of, model, vectors, self.top)

    def origin(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Name the embedding and its version, or a digest of the vectors that were used."""
        words = self.first_words(model) | self.further_words(model)
        return f"vectors={evidence.vectors(self.settings.embedding).signature(words)}"

    def caveats(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[str]:
        """Name the embedding if the metric does not, and the words without a vector."""
        vectors = evidence.vectors(self.settings.embedding)
        notes = [f"vectors: {vectors.name}"] if self.settings.embedding is None else []
        notes += _language_notes(models, vectors)
        for model in models:
            space = self.space(model, evidence, wording)
            unknown = [space.words[row] for row in (~space.known).nonzero()[0]]
            if unknown:
                notes.append(f"{model.model}: no vector in {vectors.name}: {list_text(unknown)}")
        return notes


def _language_notes(models: Sequence[Topics], vectors: WordVectors) -> list[str]:
    """Name the models whose language the embedding was not made for."""
    from tealeaves.evidence.embeddings.catalogue import NAMED_EMBEDDINGS

    by_language: dict[str, list[str]] = {}
    for model in models:
        code = language_code(model.language)
        if code and vectors.codes and code not in vectors.codes:
            by_language.setdefault(code, []).append(model.model)
    notes = []
    for code, names in by_language.items():
        say = "says its" if len(names) == 1 else "say their"
        remedy = f": -e use knows {code}" if code in NAMED_EMBEDDINGS["use"].codes else ""
        made_for = list_text(sorted(vectors.codes))
        notes.append(
            f"{vectors.name} was made for {made_for}, but {list_text(names)} {say} language is "
            f"{code}{remedy}"
        )
    return notes


class WeightedSettings(EmbeddingSettings, frozen=True, kw_only=True):
    """The weights of words in a centroid.

    Parameters
    ----------
    weights
        ``uniform``: all words of a centroid weigh the same; ``phi``: words weigh as much as their
        probability in the topic.
    compat
        ``stream``: as STREAM computes it, with the weights of other words.
    """

    weights: Literal["uniform", "phi"] = "uniform"
    compat: Literal["stream"] | None = None


@dataclass(frozen=True, repr=False, eq=False)
class WeightedMetric(EmbeddingMetric):
    """A metric of centroids whose words may be weighted by φ, their probability in the topic."""

    settings: WeightedSettings

    @property
    def source(self) -> str:
        """What the metric is computed from."""
        return f"{super().source}, phi" if self._weighted else super().source

    def lacks(self, model: Topics) -> str:
        """Say which weights the model lacks."""
        if self.settings.compat == "stream" and model.topic_word is None:
            return "no topic-word matrix"
        if self.settings.weights == "phi" and (lack := lack_of_weights(model)):
            return f"{lack}; {self(weights='uniform')!r} needs none"
        return ""

    @property
    def lack_of_weight(self) -> str:
        """Part of the reason why a topic has no score: all its words may weigh 0."""
        return ", or of weights above 0" if self._weighted else ""

    @property
    def _weighted(self) -> bool:
        return self.settings.weights != "uniform" or self.settings.compat is not None


@dataclass(frozen=True, repr=False, eq=False)
class TopicPairMetric(EmbeddingMetric):
    """The mean similarity, or difference, over all pairs of topics; a topic has that of its pairs.

    A topic that cannot be compared has no score and is left out of the other topics' means. All
    others are compared with each other, so the mean over topics is the mean over pairs. The support
    is the share of the pairs of words in which both words exist and have a vector.
    """

    @property
    @abstractmethod
    def of_centroids(self) -> bool:
        """Whether centroids are compared; there is none where vectors cancel out."""

    @property
    def lack_of_weight(self) -> str:
        """Part of the reason why a topic has no score, for metrics that weight words."""
        return ""

    def why(self, model: Topics) -> str:
        """Say why a topic of this model may have no score."""
        if len(model) == 1:
            return "because there is no other topic"
        lack = f"{self.why_undefined}{self.lack_of_weight}"
        cancelled = CANCELLED if self.of_centroids else ""
        return f"{lack}, or of other topics that have some{cancelled}"

    def score_space(
        self, space: TopicSpace, model: Topics, evidence: Evidence, wording: Wording
    ) -> Result:
        """Compare each topic with all others."""
        sums, comparable = self.similarity_sums(space, model)
        others = int(comparable.sum()) - 1
        if others < 1:
            return Result.undefined(model)
        share = np.where(comparable, np.minimum(space.shares, 1.0), 0.0)
        support = share * (share.sum() - share) / (len(space) - 1)
        means = np.where(comparable, sums / others, np.nan)
        return Result(np.clip(self.value(means), *self.bounds), np.clip(support, 0.0, 1.0))

    @abstractmethod
    def similarity_sums(self, space: TopicSpace, model: Topics) -> tuple[Floats, Bools]:
        """Return the sum of each topic's similarities to the others, and which can be compared.

        The sums of topics that cannot be compared are ignored.
        """

    def value(self, means: Floats) -> Floats:
        """Return the topics' values from their mean similarities: by default the difference."""
        return 1.0 - means
