"""A training as a job: it is stopped, goes on, and ends with a file of topics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tealeaves.errors import InputError
from tealeaves.files import check_writable, remove_leftovers
from tealeaves.models.interruption import stop_requests
from tealeaves.models.polylingual.model import PolylingualModel
from tealeaves.models.polylingual.texts import PolylingualTexts
from tealeaves.models.polylingual.training import BestChain, TrainingOptions
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.reading import read_topics
from tealeaves.topics.topics import Topics


@dataclass(frozen=True, kw_only=True)
class TrainingJob:
    """A training whose topics go to ``output``, if it is given.

    Until then FILE.partial keeps the state of the training. ``resume`` goes on with it, ``restart``
    begins anew.
    """

    model: PolylingualModel
    output: Path | None
    resume: bool
    restart: bool

    @property
    def partial(self) -> Path | None:
        """The file that keeps the state of the training."""
        output = self.output
        return None if output is None else output.with_name(f"{output.name}.partial")

    def check(self) -> None:
        """Raise an error, before texts are read, if the job cannot begin."""
        if self.resume and self.restart:
            raise InputError("give either --resume or --restart")
        if self.partial is None:
            if self.resume or self.restart:
                raise InputError("resume and restart need the output file of the training")
            return
        check_writable(self.partial)
        if self.partial.exists() and not (self.resume or self.restart):
            raise InputError(
                f"{self.partial} is an unfinished training: --resume to go on, --restart to begin"
            )

    def read_result(self, texts: PolylingualTexts) -> Topics | None:
        """Return the topics if the job to be resumed is complete.

        Topics of another training are refused.
        """
        if not self.resume or self.output is None or not self.output.exists():
            return None
        if self.partial is not None and self.partial.exists():
            return None
        topics = read_topics(self.output)
        if not _is_trained_on(topics, self.model, texts):
            raise InputError(f"{self.output} holds other topics: --restart replaces them")
        return topics

    def run(
        self, texts: PolylingualTexts, options: TrainingOptions, note: Callable[[str], None]
    ) -> Topics:
        """Train and save; SIGINT and SIGTERM save the state and raise ``KeyboardInterrupt``."""
        if self.output is None or self.partial is None:
            best = self.model.sample(texts, options)
            note(_describe_likelihoods(self.model, best))
            return self.model.topics(texts, best)
        if self.restart:
            self.partial.unlink(missing_ok=True)
        for path in (self.output, self.partial):
            remove_leftovers(path)
        with stop_requests() as stop:
            try:
                best = self.model.sample(texts, replace(options, partial=self.partial, stop=stop))
            except KeyboardInterrupt:
                kept = "nothing was saved yet"
                if self.partial.exists():
                    kept = f"{self.partial} keeps what is done, --resume goes on"
                raise KeyboardInterrupt(f"interrupted: {kept}") from None
            topics = self.model.topics(texts, best)
            topics.save(self.output)
            self.partial.unlink(missing_ok=True)
        note(_describe_likelihoods(self.model, best))
        return topics


def _describe_likelihoods(model: PolylingualModel, best: BestChain) -> str:
    """Say the log-likelihood per token of each chain, and which chain is kept."""
    values = ", ".join(f"{trace[-1]:.4f}" for trace in best.traces)
    if len(best.traces) == 1:
        return f"log-likelihood {values} per token"
    seed = model.settings.seed + best.number
    return f"log-likelihoods {values} per token: the chain of seed {seed} is kept"


def _is_trained_on(topics: Topics, model: PolylingualModel, texts: PolylingualTexts) -> bool:
    """Tell whether topics are those of this model and these texts."""
    sides = [topics]
    if isinstance(topics, MultilingualTopics):
        sides = list(topics.by_language.values())
    return (
        (topics.model, topics.family) == (model.label, model.family)
        and topics.document_ids == (texts.ids or None)
        and tuple(side.tokens for side in sides) == texts.tokens
        and tuple(side.language for side in sides) == texts.languages
        and tuple(side.vocabulary for side in sides) == texts.vocabularies
        and topics.document_lengths is not None
        and np.array_equal(topics.document_lengths, texts.lengths.sum(axis=1))
        and all(
            (0 if side.samples is None else len(side.samples)) == model.settings.samples
            and side.term_frequency is not None
            and np.array_equal(side.term_frequency, texts.term_frequency(language))
            for language, side in enumerate(sides)
        )
    )
