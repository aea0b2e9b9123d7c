"""The polylingual topic model as a model to be trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tealeaves.jobs import Advance
from tealeaves.models.model import Model, check_samples
from tealeaves.models.polylingual.checkpoint import TrainingStamp
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


@dataclass(frozen=True, repr=False, eq=False)
class PolylingualModel(Model):
    """A model of texts in several languages; with one language it is LDA by the same sampler."""

    assigns: ClassVar[bool] = True

    def check(self) -> None:
        """Raise an error if more samples are wanted than there are iterations."""
        check_samples(self)

    def fit(self, texts: TrainingTexts, advance: Advance) -> Topics:
        """Run the chains and return the topics of the best one."""

        def on_sweep(progress: TrainingProgress) -> None:
            advance(progress.sweeps, progress.total)

        return self.topics(texts, self.sample(texts, TrainingOptions(on_sweep=on_sweep)))

    def sample(self, texts: TrainingTexts, options: TrainingOptions) -> BestChain:
        """Run the chains and return the best one."""
        return run_chains(texts, self.settings, options, self.stamp(texts))

    def topics(self, texts: TrainingTexts, best: BestChain) -> Topics:
        """Return the topics of a chain: of several languages :class:`MultilingualTopics`.

        θ of a tuple without words is 0.
        """
        documents: dict[str, Any] = {
            "document_topic": np.where(texts.lengths[:, None] > 0, best.chain.theta(), 0.0),
            "document_ids": texts.ids or None,
            "document_lengths": texts.lengths,
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

    def stamp(self, texts: TrainingTexts) -> TrainingStamp:
        """Return what identifies a training of this model on these texts."""
        return TrainingStamp(
            model=self.signature,
            corpus=texts.digest,
            tokens=texts.signatures,
            languages=texts.languages,
        )

    def has_trained(self, topics: Topics, texts: TrainingTexts) -> bool:
        """Tell whether topics are those of this model and these texts."""
        sides = [topics]
        if isinstance(topics, MultilingualTopics):
            sides = list(topics.by_language.values())
        return (
            (topics.model, topics.family) == (self.label, self.family)
            and topics.document_ids == (texts.ids or None)
            and tuple(side.tokens for side in sides) == texts.tokens
            and tuple(side.language for side in sides) == texts.languages
            and tuple(side.vocabulary for side in sides) == texts.vocabularies
            and topics.document_lengths is not None
            and np.array_equal(topics.document_lengths, texts.lengths)
            and all(
                (0 if side.samples is None else len(side.samples)) == self.settings.samples
                and side.term_frequency is not None
                and np.array_equal(side.term_frequency, texts.term_frequency(language))
                for language, side in enumerate(sides)
            )
        )

    def _side(self, texts: TrainingTexts, best: BestChain, language: int, **parts: Any) -> Topics:
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
