"""The training of a polylingual model as a job that resumes and ends with a file of topics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from tealeaves.errors import InputError
from tealeaves.jobs import Job
from tealeaves.models.polylingual.model import PolylingualModel
from tealeaves.models.polylingual.texts import PolylingualTexts
from tealeaves.models.polylingual.training import BestChain, TrainingOptions
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.reading import read_topics
from tealeaves.topics.topics import Topics


def read_result(job: Job, model: PolylingualModel, texts: PolylingualTexts) -> Topics | None:
    """Return the topics if the job to be resumed is complete; refuse those of another training."""
    if not job.may_be_complete:
        return None
    topics = read_topics(job.output)
    if not _is_trained_on(topics, model, texts):
        raise InputError(f"{job.output} holds other topics: --restart replaces them")
    return topics


def run_training(
    job: Job | None,
    model: PolylingualModel,
    texts: PolylingualTexts,
    options: TrainingOptions,
    note: Callable[[str], None],
) -> Topics:
    """Train and return the topics; a job saves them, and its partial file keeps the state."""
    if job is None:
        best = model.sample(texts, options)
        topics = model.topics(texts, best)
    else:
        with job.run() as stop:
            best = model.sample(texts, replace(options, partial=job.partial, stop=stop))
            topics = model.topics(texts, best)
            topics.save(job.output)
    note(_describe_likelihoods(model, best))
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
