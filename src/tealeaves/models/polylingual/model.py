"""The polylingual topic model as a model to be trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tealeaves.expressions import Expression
from tealeaves.models.model import Advance, Model, check_samples
from tealeaves.models.polylingual.checkpoint import TrainingStamp
from tealeaves.models.polylingual.texts import PolylingualTexts
from tealeaves.models.polylingual.training import (
    BestChain,
    TrainingOptions,
    TrainingProgress,
    run_chains,
)
from tealeaves.topics.assembly import rank_words
from tealeaves.topics.assignments import Assignments
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.models.texts import TrainingTexts

_LISTED = 50  # words per topic: as many as metrics across languages look at


@dataclass(frozen=True, repr=False)
class PolylingualModel(Model):
    """A model of texts in several languages; with one language it is LDA by the same sampler."""

    assigns: ClassVar[bool] = True

    def check(self) -> None:
        """Raise an error if more samples are wanted than there are iterations."""
        check_samples(self)

    def fit(self, texts: TrainingTexts, advance: Advance) -> Topics:
        """Train on texts in one language."""

        def on_sweep(progress: TrainingProgress) -> None:
            advance(progress.sweeps, progress.total)

        tuples = PolylingualTexts.of_one_language(texts)
        return self.fit_tuples(tuples, TrainingOptions(on_sweep=on_sweep))

    def fit_tuples(self, texts: PolylingualTexts, options: TrainingOptions) -> Topics:
        """Train on tuples of documents: several languages give :class:`MultilingualTopics`."""
        return self.topics(texts, self.sample(texts, options))

    def sample(self, texts: PolylingualTexts, options: TrainingOptions) -> BestChain:
        """Run the chains and return the best one."""
        return run_chains(texts, self.settings, options, self.stamp(texts))

    def topics(self, texts: PolylingualTexts, best: BestChain) -> Topics:
        """Return the topics of a chain; θ of a tuple without words is 0."""
        theta = np.where(texts.lengths.sum(axis=1, keepdims=True) > 0, best.chain.theta(), 0.0)
        documents: dict[str, Any] = {
            "document_topic": theta,
            "document_ids": texts.ids or None,
            "document_lengths": texts.lengths.sum(axis=1),
        }
        if len(texts.languages) == 1:
            assignments = Assignments(texts.starts, texts.words, best.chain.topics)
            return self._side(texts, best, 0, assignments=assignments, **documents)
        return MultilingualTopics.of_languages(
            {name: self._side(texts, best, place) for place, name in enumerate(texts.languages)},
            model=self.label,
            family=self.family,
            document_languages=texts.document_languages,
            **documents,
        )

    def stamp(self, texts: PolylingualTexts) -> TrainingStamp:
        """Return what identifies a training of this model on these texts."""
        values = {name: getattr(self.settings, name) for name in self.parameters}
        return TrainingStamp(
            model=str(Expression(self.name, values)),
            corpus=texts.digest,
            tokens=texts.signatures,
            languages=texts.languages,
        )

    def _side(
        self, texts: PolylingualTexts, best: BestChain, language: int, **parts: Any
    ) -> Topics:
        """Return the topics in one language; ``parts`` are further parts of them."""
        phi = best.chain.phi(language)
        vocabulary = texts.vocabularies[language]
        start, stop = texts.offsets[language : language + 2]
        return Topics(
            tuple(rank_words(phi, vocabulary, None, _LISTED)),
            model=self.label,
            language=texts.languages[language],
            vocabulary=vocabulary,
            topic_word=phi,
            term_frequency=texts.term_frequency(language),
            samples=None if best.samples is None else best.samples[:, :, start:stop],
            family=self.family,
            tokens=texts.tokens[language],
            **parts,
        )
