"""The polylingual topic model as a model to be trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tealeaves.errors import InputError
from tealeaves.expressions import Expression
from tealeaves.models.base import Advance, Model
from tealeaves.models.polylingual.checkpoint import Stamp
from tealeaves.models.polylingual.texts import PolylingualTexts
from tealeaves.models.polylingual.training import Progress, Running, Sampled, sample
from tealeaves.topics.assembly import rank_words
from tealeaves.topics.assignments import Assignments
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.models.texts import TrainingTexts

_LISTED = 50  # words a topic: as many as are looked at across languages


@dataclass(frozen=True, repr=False)
class PolylingualModel(Model):
    """A model of texts in several languages; with one language it is LDA by the same sampler."""

    assigns: ClassVar[bool] = True

    def check(self) -> None:
        """Ask for enough iterations to keep the samples of."""
        if self.settings.samples > self.settings.iterations // 2:
            raise InputError(
                f"{self!r}: at most one sample an iteration of the second half can be kept"
            )

    def fit(self, texts: TrainingTexts, advance: Advance) -> Topics:
        """Train on texts of one language."""

        def told(progress: Progress) -> None:
            advance(progress.sweeps, progress.total)

        return self.fit_tuples(PolylingualTexts.of_one_language(texts), Running(told=told))

    def fit_tuples(self, texts: PolylingualTexts, running: Running) -> Topics:
        """Train on tuples of documents: several languages give :class:`MultilingualTopics`."""
        found = sample(texts, self.settings, running, self.stamp(texts))
        one = len(texts.languages) == 1
        return self._plain(texts, found) if one else self._multilingual(texts, found)

    def stamp(self, texts: PolylingualTexts) -> Stamp:
        """Return what tells this training from any other."""
        values = {name: getattr(self.settings, name) for name in self.parameters}
        return Stamp(
            model=str(Expression(self.name, values)),
            corpus=texts.digest,
            tokens=texts.signatures,
            languages=texts.languages,
        )

    def _plain(self, texts: PolylingualTexts, found: Sampled) -> Topics:
        return self._side(
            texts,
            found,
            0,
            **_documents(texts, found),
            document_lengths=texts.lengths.sum(axis=1),
            assignments=Assignments(texts.starts, texts.words, found.state.topics),
        )

    def _multilingual(self, texts: PolylingualTexts, found: Sampled) -> MultilingualTopics:
        return MultilingualTopics.of_languages(
            {name: self._side(texts, found, place) for place, name in enumerate(texts.languages)},
            model=self.label,
            family=self.family,
            document_lengths=texts.lengths.sum(axis=1),
            document_languages=texts.document_languages,
            **_documents(texts, found),
        )

    def _side(self, texts: PolylingualTexts, found: Sampled, language: int, **known: Any) -> Topics:
        """Return the topics in one language."""
        phi = found.state.phi(language)
        vocabulary = texts.vocabularies[language]
        start, stop = texts.offsets[language : language + 2]
        return Topics(
            tuple(rank_words(phi, vocabulary, None, _LISTED, model=self.label)),
            model=self.label,
            language=texts.languages[language],
            vocabulary=vocabulary,
            topic_word=phi,
            term_frequency=texts.term_frequency(language),
            samples=None if found.samples is None else found.samples[:, :, start:stop],
            family=self.family,
            tokens=texts.tokens[language],
            **known,
        )


def _documents(texts: PolylingualTexts, found: Sampled) -> dict[str, Any]:
    """Return θ, of which a tuple without words has none, and the names of the tuples."""
    theta = np.where(texts.lengths.sum(axis=1, keepdims=True) > 0, found.state.theta(), 0.0)
    return {"document_topic": theta, "document_ids": texts.ids or None}
