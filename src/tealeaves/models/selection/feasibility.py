"""Checks before anything is trained: can the metrics be computed for these models?"""

from __future__ import annotations

import string
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.evidence.attention.relevance import Relevance
from tealeaves.evidence.embeddings.choice import EmbeddingChoice
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.attention.family import RelevanceMetric
from tealeaves.metrics.base import Metric
from tealeaves.metrics.catalogue.stability import PosteriorStability, Stability
from tealeaves.metrics.per_text.labels import LabelMetric
from tealeaves.metrics.planning import check_embeddings, metric_requests
from tealeaves.metrics.summary import check_weight
from tealeaves.models.model import Model
from tealeaves.models.texts import TrainingTexts
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.assignments import Assignments
from tealeaves.topics.topics import Topic, Topics

_WORDS = tuple(3 * letter for letter in string.ascii_lowercase)


def sketch(model: Model, language: str = "") -> Topics:
    """Return meaningless topics that have the same parts as the trained model will have.

    >>> from tealeaves.models.model import model
    >>> topics = sketch(model("lda(k=3, samples=2)"))
    >>> topics.topic_word.shape, topics.samples.shape, topics.assignments is None
    ((3, 26), (2, 3, 26), False)
    """
    k, size = getattr(model.settings, "k", 1), len(_WORDS)
    phi = np.full((k, size), 1 / size)
    kept = getattr(model.settings, "samples", 0)
    row = list(range(size))
    return Topics(
        tuple(Topic(number, _WORDS) for number in range(k)),
        model=model.kind,
        language=language,
        vocabulary=_WORDS,
        topic_word=phi,
        document_topic=np.full((1, k), 1 / k),
        document_lengths=np.array([size]),
        term_frequency=np.ones(size, dtype=np.int64),
        assignments=Assignments.of([[0] * size], words=[row]) if model.assigns else None,
        samples=np.stack([phi] * kept) if kept else None,
        family=model.family,
    )


def check_metrics(
    models: Sequence[Model],
    metrics: Sequence[Metric],
    pipeline: Pipeline,
    choice: EmbeddingChoice,
    *,
    weight: str | None,
    runs: int,
    language: str = "",
) -> None:
    """Refuse metrics that cannot be computed for any of these models."""
    sketches = [sketch(model, language) for model in models]
    for metric in metrics:
        if isinstance(metric, PosteriorStability) and all(map(metric.lacks, sketches)):
            lack = metric.lacks(sketches[0])
            raise InputError(f"{metric!r}: {models[0].kind} has {lack}: try lda(samples=10)")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # sketches are meaningless, and so are their warnings
        check_embeddings(metric_requests(sketches, metrics, Wording(pipeline)), choice)
    if weight is not None:
        check_weight(sketches, weight)
    for metric in metrics:
        if isinstance(metric, Stability) and runs < 2:
            raise InputError(f"{metric!r} compares runs: train each model twice or more (--runs)")


def check_relevance(metrics: Sequence[Metric], relevance: Any) -> None:
    """Refuse metrics that no topic can have, and those that this relevance cannot give."""
    for metric in metrics:
        if isinstance(metric, RelevanceMetric) and isinstance(relevance, Relevance):
            if lack := metric.lacks(Topics.of([_WORDS])):
                raise InputError(f"{metric!r} cannot be computed: {lack}")
            metric.numbers(relevance)


def warn_of_relevance(
    metrics: Sequence[Metric], relevance: Any, texts: Iterable[TrainingTexts]
) -> None:
    """Warn that trained topics may have words for which there is no relevance."""
    if not isinstance(relevance, Relevance):
        return
    if not any(isinstance(metric, RelevanceMetric) for metric in metrics):
        return
    known = {str(term) for term in relevance.terms}
    words = {word for limited in texts for word in limited.vocabularies[0]}
    unknown = len(words - known)
    if relevance.pairs is not None:
        which = "only for the pairs of words within some topics"
    elif unknown:
        which = f"for {len(words) - unknown:,} of the {len(words):,} words that topics may have"
    else:
        return
    warnings.warn(
        f"the relevance was gathered {which}: if a trained topic has others, there is no score at "
        "all (`tealeaves relevance gather --all-pairs` with topics of more words)",
        TealeavesWarning,
        stacklevel=3,
    )


def check_labels(metrics: Sequence[Metric], texts: TrainingTexts) -> None:
    """Refuse metrics of labels if no text has a label."""
    for metric in metrics:
        if isinstance(metric, LabelMetric) and not texts.labelled:
            raise InputError(
                f"{metric!r} cannot be computed: the texts have no labels: name the field that "
                'holds them with --label-field or Corpus.open(path, fields={"label": ...})'
            )
