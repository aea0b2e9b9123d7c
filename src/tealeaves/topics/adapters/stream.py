"""STREAM: ``topic_dict`` or ``get_topics``, ``get_beta`` and ``get_theta`` of its models.

Its models give beta as K×V (the neural ones) or V×K (those of clusters, LDA, NMF): the number of
topics and of words tells which. Theta is D×K. A model that does not keep its vocabulary needs
``vocabulary=``, else the matrix is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.given import calling, or_none, usable
from tealeaves.topics.adapters.octis import check_order
from tealeaves.topics.adapters.parts import (
    OUTLIERS,
    Parts,
    assembled,
    document_matrix,
    shares_of,
    word_matrix,
)
from tealeaves.topics.topics import Topic, Topics

if TYPE_CHECKING:
    from tealeaves.topics.matrices import Matrix

LIBRARY = "stream"
USES = frozenset({"vocabulary"})


def fits(model: Any) -> bool:
    """Tell by its three methods."""
    return all(hasattr(model, name) for name in ("get_topics", "get_beta", "get_theta"))


def convert(model: Any, parts: Parts) -> Topics:
    """Make topics of a trained model of STREAM."""
    listed = calling(model.get_topics, n_words=parts.top, parts=parts)  # refuses untrained models
    pairs = getattr(model, "topic_dict", None)
    if pairs is None:
        topics = [Topic(k, tuple(words)) for k, words in enumerate(listed)]
    else:
        topics = [_topic(k, weighted[: parts.top]) for k, weighted in pairs.items()]
    # clusters found by density have one of outliers, -1: it comes first in every matrix
    ids = sorted(topic.id for topic in topics if isinstance(topic.id, int))
    kept = [n for n, k in enumerate(ids) if k != OUTLIERS]
    topics = sorted((topic for topic in topics if topic.id != OUTLIERS), key=lambda topic: topic.id)
    if not topics:
        raise InputError(f"{parts.name}: all documents are outliers, so there are no topics")
    words = _vocabulary(model) if parts.vocabulary is None else list(parts.vocabulary)
    phi = None
    if words is not None:
        firsts = [topic.words[0] for topic in topics]
        phi = or_none(
            lambda: _beta(model, words, len(ids), kept, firsts, parts),
            "topic-word",
            parts,
            stated=parts.topic_word_axes if parts.vocabulary is None else parts.vocabulary,
        )
    theta = _theta(model, ids, kept, parts)
    return assembled(parts, topics, vocabulary=words, topic_word=phi, document_topic=theta)


def _topic(k: Any, pairs: Any) -> Topic:
    return Topic(int(k), tuple(p[0] for p in pairs), tuple(float(p[1]) for p in pairs))


def _vocabulary(model: Any) -> list[str] | None:
    """Return the words of LDA and NMF, or of the neural models' data."""
    found = getattr(model, "feature_names", None)
    if found is None:
        found = getattr(getattr(model, "data_module", None), "vocab", None)
    return None if found is None else [str(word) for word in found]


def _beta(
    model: Any, words: list[str], topics: int, kept: list[int], firsts: list[str], parts: Parts
) -> Matrix:
    given = usable(calling(model.get_beta, parts=parts), "topic-word")
    matrix = word_matrix(given, words, parts, topics=topics, keep_weights=True)[kept]
    check_order(matrix, words, firsts)
    return matrix


def _theta(model: Any, ids: list[int], kept: list[int], parts: Parts) -> Matrix | None:
    if parts.document_topic is not None:
        return document_matrix(None, len(kept), parts)
    return or_none(
        lambda: shares_of(calling(model.get_theta, parts=parts), ids, kept, parts),
        "document-topic",
        parts,
    )
