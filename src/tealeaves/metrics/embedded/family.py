"""``EmbeddingMetric``: metrics of where the words of topics lie in an embedding."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from tealeaves.evidence.embeddings.request import EmbeddingRequest
from tealeaves.metrics.base import Metric, Result
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.evidence.embeddings.embeddings import WordVectors
    from tealeaves.evidence.evidence import Evidence
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics.base import Need
    from tealeaves.metrics.embedded.space import Space


# why a topic of known words may have no centroid
CANCELLED = ", or as their vectors cancel out"


class EmbeddingSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of all metrics of vectors.

    Parameters
    ----------
    embedding
        What gives words their vectors: a name of `tealeaves embeddings`, a file of vectors, or a
        model of Hugging Face; none: the one that is given beside the metrics, else ours.
    """

    embedding: str | None = None


@dataclass(frozen=True, repr=False, eq=False)
class EmbeddingMetric(Metric):
    """A metric of the vectors of topics' words."""

    settings: EmbeddingSettings

    @property
    def source(self) -> str:
        """Vectors, and the topics' words."""
        return "vectors of words"

    @property
    def why_undefined(self) -> str:
        """Why a topic may have no score."""
        return "for lack of words with vectors"

    @property
    def lack_of_weight(self) -> str:
        """What to say in ``why`` of topics whose words all weigh 0, where words are weighted."""
        return ""

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[Need]:  # noqa: ARG002
        """Ask for the vectors of the first words, as the topics write them."""
        words = frozenset().union(*map(self._first_words, models))
        further = frozenset().union(*map(self.further_words, models))
        yield EmbeddingRequest(self.settings.embedding, words, further)

    def _first_words(self, model: Topics) -> frozenset[str]:
        return frozenset(word for topic in model.topics for word in topic.words[: self.top])

    def further_words(self, model: Topics) -> frozenset[str]:  # noqa: ARG002
        """Return the words beside those of a model's topics that are asked for."""
        return frozenset()

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Score each model in its own space."""
        return [
            self.of_space(self.space(model, evidence, wording), model, evidence, wording)
            for model in models
        ]

    @abstractmethod
    def of_space(self, space: Space, model: Topics, evidence: Evidence, wording: Wording) -> Result:
        """Score one model."""

    def space(self, model: Topics, evidence: Evidence, wording: Wording) -> Space:
        """Return where the first words of a model lie; the same space for all metrics."""
        from tealeaves.metrics.embedded.space import Space

        vectors = evidence.vectors(self.settings.embedding)
        key = (Space, id(model), id(vectors), self.top)
        found = wording.kept.get(key)
        if found is None:
            # the vectors and the model are kept with it, so that their ids stay taken
            found = wording.kept[key] = (Space.of(model, vectors, self.top), vectors, model)
        return found[0]

    def provenance_of(
        self,
        model: Topics,
        beside: Sequence[Topics],  # noqa: ARG002
        evidence: Evidence,
    ) -> str:
        """Name the embedding, and its weights or the vectors that were taken."""
        if self.lacks(model):
            return ""
        words = self._first_words(model) | self.further_words(model)
        return f"vectors={evidence.vectors(self.settings.embedding).signature(words)}"

    def caveats(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[str]:
        """Name the embedding where none was named, and what it does not know."""
        from tealeaves.metrics.notes import listed

        vectors = evidence.vectors(self.settings.embedding)
        notes = [f"vectors: {vectors.name}"] if self.settings.embedding is None else []
        notes += _other_languages(models, vectors)
        for model in models:
            space = self.space(model, evidence, wording)
            unknown = [space.words[row] for row in (~space.known).nonzero()[0]]
            if unknown:
                notes.append(f"{model.model}: no vector in {vectors.name}: {listed(unknown)}")
        return notes


def _other_languages(models: Sequence[Topics], vectors: WordVectors) -> list[str]:
    """Say which models are of a language that the embedding was not made for."""
    from tealeaves.evidence.embeddings.catalogue import NAMED_EMBEDDINGS
    from tealeaves.metrics.notes import listed
    from tealeaves.text.languages import language_code

    speakers: dict[str, list[str]] = {}
    for model in models:
        code = language_code(model.language)
        if code and vectors.codes and code not in vectors.codes:
            speakers.setdefault(code, []).append(model.model)
    notes = []
    for code, names in speakers.items():
        say = "says its" if len(names) == 1 else "say their"
        remedy = f": -e use knows {code}" if code in NAMED_EMBEDDINGS["use"].codes else ""
        notes.append(
            f"{vectors.name} was made for {listed(sorted(vectors.codes))}, but {listed(names)} "
            f"{say} language is {code}{remedy}"
        )
    return notes
