"""STREAM: ``topic_dict`` or ``get_topics``, ``get_beta`` and ``get_theta`` of its models.

Beta is K×V in the neural models and V×K in LDA, NMF and models of clusters: the numbers of topics
and words show which. Theta is D×K. A model that does not keep its vocabulary needs
``vocabulary=``, else the matrix is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.adapter import Adapter
from tealeaves.topics.assembly import (
    OUTLIERS,
    TopicsOptions,
    assemble_topics,
    call_library,
    check_word_order,
    matrix_or_none,
    shares_without_outliers,
    topic_word_matrix,
    usable_matrix,
    weighted_topic,
)
from tealeaves.topics.topics import Topic, Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats


def is_stream_model(model: Any) -> bool:
    """Recognise a model of STREAM by its methods."""
    return all(hasattr(model, name) for name in ("get_topics", "get_beta", "get_theta"))


def convert_stream_model(model: Any, options: TopicsOptions) -> Topics:
    """Make topics of a trained model of STREAM."""
    top = options.ranked_words
    # an error if the model is not trained
    word_lists = call_library(model.get_topics, n_words=top, options=options)
    pairs = getattr(model, "topic_dict", None)
    if pairs is None:
        topics = [Topic(k, tuple(words)) for k, words in enumerate(word_lists)]
    else:
        topics = [weighted_topic(int(k), ranking[:top]) for k, ranking in pairs.items()]
    # models that cluster by density have a topic of outliers, -1: the first row of all matrices
    ids = sorted(topic.id for topic in topics if isinstance(topic.id, int))
    positions = [n for n, k in enumerate(ids) if k != OUTLIERS]
    topics = sorted((topic for topic in topics if topic.id != OUTLIERS), key=lambda topic: topic.id)
    if not topics:
        raise InputError(f"{options.name}: all documents are outliers, so there are no topics")
    words = _vocabulary(model) if options.vocabulary is None else list(options.vocabulary)

    def make_phi() -> Floats:
        beta = usable_matrix(call_library(model.get_beta, options=options), "topic-word", options)
        matrix = topic_word_matrix(beta, words, options, topics=len(ids), keep_weights=True)
        check_word_order(matrix[positions], words, [topic.words[0] for topic in topics])
        return matrix[positions]

    def make_theta() -> Floats | None:
        theta = call_library(model.get_theta, options=options)
        return shares_without_outliers(theta, ids, positions, options)

    phi = theta = None
    if words or options.vocabulary is not None:
        stated = options.topic_word_axes if options.vocabulary is None else options.vocabulary
        phi = matrix_or_none(make_phi, "topic-word", options, argument=stated)
    if options.document_topic is None:
        theta = matrix_or_none(make_theta, "document-topic", options)
    return assemble_topics(options, topics, vocabulary=words, topic_word=phi, document_topic=theta)


def _vocabulary(model: Any) -> list[str]:
    """Return the vocabulary of LDA and NMF, or of the data of a neural model; [] if it has none."""
    words = getattr(model, "feature_names", None)
    if words is None:
        words = getattr(getattr(model, "data_module", None), "vocab", None)
    return [] if words is None else [str(word) for word in words]


STREAM = Adapter(
    "STREAM", is_stream_model, convert_stream_model, library="stream", options=("vocabulary",)
)
