"""Top2Vec: the words nearest to each topic vector, and the topic of each document.

Scores are cosines, which may be negative: they are weights of the listed words only, and there is
no topic-word matrix.
"""

from __future__ import annotations

from typing import Any

from tealeaves.topics.adapters.parts import Parts, assembled, document_matrix, own_ids
from tealeaves.topics.topics import Topic, Topics

LIBRARY = "top2vec"
USES: frozenset[str] = frozenset()


def fits(model: Any) -> bool:
    """Tell by its tables of words and of scores."""
    return all(hasattr(model, name) for name in ("topic_words", "topic_word_scores", "topic_sizes"))


def convert(model: Any, parts: Parts) -> Topics:
    """Make topics of a Top2Vec model, before any hierarchical reduction."""
    tables = zip(model.topic_words, model.topic_word_scores, strict=True)
    by_document = None if getattr(model, "contextual_top2vec", False) else model.doc_top
    # in a contextual model sizes are of stretches of text, not of documents
    sizes = None if by_document is None else [int(size) for size in model.topic_sizes]
    topics = []
    for k, (words, scores) in enumerate(tables):
        listed = tuple(str(word) for word in words[: parts.top])
        weights = tuple(float(score) for score in scores[: parts.top])
        topics.append(Topic(k, listed, weights, None if sizes is None else sizes[k]))
    return assembled(
        parts,
        topics,
        best_topic=by_document,
        document_ids=_document_ids(model, by_document),
        document_topic=document_matrix(None, len(topics), parts),
    )


def _document_ids(model: Any, by_document: Any) -> tuple[str, ...] | None:
    ids = getattr(model, "document_ids", None)
    return None if by_document is None else own_ids(ids)
