"""OCTIS: the dictionary that its models return.

``topic-document-matrix`` is K×D; it is transposed if its size shows that it must be. The vocabulary
is not in the dictionary: give ``vocabulary=`` in the order of the matrix' columns, else
``topic-word-matrix`` is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.adapter import Adapter
from tealeaves.topics.assembly import (
    TopicsOptions,
    assemble_topics,
    check_word_order,
    document_topic_matrix,
    matrix_or_none,
    rank_words,
    topic_word_matrix,
    usable_matrix,
)
from tealeaves.topics.matrices import DOCUMENT_TOPIC, orient_matrix
from tealeaves.topics.topics import Topic, Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

MATRICES = ("topic-word-matrix", "topic-document-matrix", "test-topic-document-matrix")


def is_octis_output(model: Any) -> bool:
    """Recognise the keys: ``topics`` and a matrix, the two matrices, or ``topics`` alone."""
    keys = set(model) if isinstance(model, Mapping) else set()
    if keys == {"topics"}:
        return _are_word_lists(model["topics"])
    return not keys.isdisjoint(MATRICES) and not keys.isdisjoint({"topics", MATRICES[0]})


def convert_octis_output(model: Any, options: TopicsOptions) -> Topics:
    """Make topics of a model's output."""
    topics: Sequence[Topic] | None = None
    if model.get("topics") is not None:
        topics = Topics.of(model["topics"], model=options.name).topics
    weights, vocabulary = model.get(MATRICES[0]), options.vocabulary
    if topics is None and (weights is None or vocabulary is None):
        raise InputError(f"{options.name}: no topics in it: train with top_words above 0")
    phi = None
    if weights is not None and vocabulary is not None:
        words = list(vocabulary)
        # the caller gave the vocabulary: if it does not fit, that is an error
        phi = matrix_or_none(
            lambda: _topic_word(weights, words, topics, options),
            "topic-word",
            options,
            argument=vocabulary,
        )
    if topics is not None:
        topics = [replace(topic, words=topic.words[: options.top]) for topic in topics]
    elif phi is not None and vocabulary is not None:
        topics = rank_words(phi, vocabulary, None, options.ranked_words)
    else:
        raise InputError(f"{options.name}: neither topics nor a usable topic-word matrix")
    return assemble_topics(
        options,
        topics,
        vocabulary=vocabulary,
        topic_word=phi,
        document_topic=_document_shares(model.get(MATRICES[1]), len(topics), options),
    )


def _document_shares(values: Any, topics: int, options: TopicsOptions) -> Floats | None:
    if values is None or options.document_topic is not None:
        return None
    axes = options.document_topic_axes
    DOCUMENT_TOPIC.check(axes)

    def make_matrix() -> Floats | None:
        matrix = usable_matrix(values, "document-topic", options)
        square = matrix.shape[0] == matrix.shape[1]  # then it is K×D, as OCTIS writes it
        order = axes or (DOCUMENT_TOPIC.reverse if square else None)
        shares = orient_matrix(matrix, DOCUMENT_TOPIC, options.name, columns=topics, order=order)
        return document_topic_matrix(shares, topics, options, normalize=True)

    return matrix_or_none(make_matrix, "document-topic", options, argument=axes)


def _are_word_lists(topics: Any) -> bool:
    return (
        isinstance(topics, list | tuple)
        and bool(topics)
        and all(isinstance(words, list | tuple) and bool(words) for words in topics)
        and all(isinstance(word, str) for words in topics for word in words)
    )


def _topic_word(
    weights: Any, words: list[str], topics: Sequence[Topic] | None, options: TopicsOptions
) -> Floats:
    table = usable_matrix(weights, "topic-word", options)
    square = table.shape[0] == table.shape[1]  # then it is K×V, as OCTIS writes it
    axes = options.topic_word_axes or ("topics words" if square else None)
    size = None if topics is None else len(topics)
    matrix = topic_word_matrix(table, words, options, topics=size, axes=axes, keep_weights=True)
    if topics is not None:
        check_word_order(matrix, words, [topic.words[0] for topic in topics])
    return matrix


OCTIS = Adapter(
    "OCTIS", is_octis_output, convert_octis_output, library="octis", options=("vocabulary",)
)
