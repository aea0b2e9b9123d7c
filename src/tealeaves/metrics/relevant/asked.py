"""``relevance``: what a classifier says of the words of models, for any number of scorings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.evidence.relevance.relevance import Relevance
from tealeaves.evidence.relevance.request import RelevanceRequest
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
    **given: Any,
) -> Relevance:
    """Let texts through a classifier once, for the words of these models.

    What comes back is saved with ``.save(path)``, and scored with ``score(..., relevance=)``.

    Parameters
    ----------
    models, corpus
        As of :func:`tealeaves.score`.
    tokens
        The token pipeline; by default the one that the classifier was fitted with, where it says
        so, else that of the models, else ``"words"``.
    classifier
        Of :func:`tealeaves.fit_classifier`, or its folder; by default a probe fitted to the corpus.
    top
        Only the first words of topics.
    all_pairs
        All pairs of the words, so that other topics of these words can be scored.
    improved
        Improved LRP too, which takes most of the time.
    given
        As of :func:`tealeaves.evidence.relevance.gathering.gather_relevance`: ``budget``,
        ``seed``, ``target``, ``heads_of``, ``device``, ``progress`` and others.
    """
    from tealeaves.evidence.relevance.gathering import gather_relevance
    from tealeaves.evidence.sources import choose_pipeline, open_corpus
    from tealeaves.topics.reading import read_models

    judged = read_models(models)
    pipeline = choose_pipeline(judged, tokens, classifier)
    request = request_of(judged, pipeline, top, all_pairs=all_pairs, improved=improved)
    if isinstance(classifier, str | os.PathLike):
        from tealeaves.evidence.relevance.classifier.opening import open_classifier

        classifier = open_classifier(classifier)
    texts = open_corpus(corpus)
    return gather_relevance(texts, pipeline, request, classifier=classifier, **given)


def request_of(
    models: Sequence[Topics],
    pipeline: Pipeline,
    top: int | None,
    *,
    all_pairs: bool,
    improved: bool,
) -> RelevanceRequest:
    """Ask for the first words of all topics, and for their pairs within topics or all of them."""
    terms, pairs = Wording(pipeline).pairs(models, top)
    return RelevanceRequest(terms, None if all_pairs else pairs, improved)
