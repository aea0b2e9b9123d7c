"""``relevance``: run texts through a classifier once, for any number of scorings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.evidence.relevance.relevance import Relevance
from tealeaves.evidence.requests import RelevanceRequest
from tealeaves.evidence.wording import Wording
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.evidence.relevance.classifier.classifier import Classifier
    from tealeaves.text.corpus import Corpus, Text


def relevance(
    models: Any,
    corpus: Corpus | str | os.PathLike[str] | Iterable[Text],
    *,
    tokens: str | Pipeline | None = None,
    classifier: Classifier | str | os.PathLike[str] | None = None,
    top: int | None = None,
    all_pairs: bool = False,
    improved: bool = True,
    **options: Any,
) -> Relevance:
    """Run texts through a classifier once, for the words of these models.

    Save the result with ``.save(path)`` and use it with ``score(..., relevance=)``.

    Parameters
    ----------
    models, corpus
        As in :func:`tealeaves.score`.
    tokens
        The token pipeline; by default the one that the classifier was fitted with, if it records
        it, else that of the models, else ``"words"``.
    classifier
        A classifier of :func:`tealeaves.fit_classifier`, or its folder; by default a probe fitted
        to the corpus.
    top
        Take only this many first words of each topic.
    all_pairs
        Gather all pairs of the words, so that other topics of these words can be scored too.
    improved
        Compute Improved LRP too, which takes most of the time.
    options
        Other arguments of :func:`tealeaves.evidence.relevance.gathering.gather_relevance`:
        ``budget``, ``seed``, ``target``, ``heads_of``, ``device``, ``progress`` and others.
    """
    from tealeaves.evidence.relevance.gathering import gather_relevance
    from tealeaves.evidence.sources import choose_pipeline, open_corpus
    from tealeaves.topics.reading import read_models

    topics = read_models(models)
    pipeline = choose_pipeline(topics, tokens, classifier)
    request = relevance_request(topics, pipeline, top, all_pairs=all_pairs, improved=improved)
    if isinstance(classifier, str | os.PathLike):
        from tealeaves.evidence.relevance.classifier.opening import open_classifier

        classifier = open_classifier(classifier)
    texts = open_corpus(corpus)
    return gather_relevance(texts, pipeline, request, classifier=classifier, **options)


def relevance_request(
    models: Sequence[Topics],
    pipeline: Pipeline,
    top: int | None,
    *,
    all_pairs: bool,
    improved: bool,
) -> RelevanceRequest:
    """Ask for the first words of all topics, and for their pairs within topics or all pairs."""
    terms, pairs = Wording(pipeline).pairs(models, top)
    return RelevanceRequest(terms, None if all_pairs else pairs, improved)
