"""Top2Vec: the words nearest to each topic vector, and the topic of each document.

Scores are cosines, which may be negative. They are weights of the listed words only, so there is no
topic-word matrix.
"""

from __future__ import annotations

from typing import Any

from tealeaves.topics.adapters.adapter import Adapter
from tealeaves.topics.assembly import (
    TopicsOptions,
    assemble_topics,
    distinctive_ids,
    weighted_topic,
)
from tealeaves.topics.topics import Topics


def is_top2vec_model(model: Any) -> bool:
    """Recognise a Top2Vec by its tables of words and of scores."""
    return all(hasattr(model, name) for name in ("topic_words", "topic_word_scores", "topic_sizes"))


def convert_top2vec_model(model: Any, options: TopicsOptions) -> Topics:
    """Make topics of a Top2Vec model, before any hierarchical reduction."""
    tables = zip(model.topic_words, model.topic_word_scores, strict=True)
    by_document = None if getattr(model, "contextual_top2vec", False) else model.doc_top
    # the sizes in a contextual model are numbers of text segments, not of documents
    sizes = None if by_document is None else [int(size) for size in model.topic_sizes]
    topics = []
    for k, (words, scores) in enumerate(tables):
        pairs = list(zip(map(str, words), scores, strict=True))[: options.ranked_words]
        topics.append(weighted_topic(k, pairs, None if sizes is None else sizes[k]))
    ids = None if by_document is None else getattr(model, "document_ids", None)
    return assemble_topics(
        options, topics, best_topic=by_document, document_ids=distinctive_ids(ids)
    )


TOP2VEC = Adapter("Top2Vec", is_top2vec_model, convert_top2vec_model, library="top2vec")
