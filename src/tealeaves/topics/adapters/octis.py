"""OCTIS: the dictionary that its models return.

``topic-document-matrix`` is K×D; it is transposed if its size shows that it must be. The vocabulary
is not in the dictionary: give ``vocabulary=`` in the order of the matrix' columns, else
``topic-word-matrix`` is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.adapter import Adapter
from tealeaves.topics.assembly import (
    TopicsOptions,
    assemble_topics,
    document_topic_matrix,
    mapping_keys,
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
    """Tell by the keys: ``topics`` and a matrix, the two matrices, or ``topics`` alone."""
    keys = mapping_keys(model)
    if keys == {"topics"}:
        return _are_word_lists(model["topics"])
    return not keys.isdisjoint(MATRICES) and not keys.isdisjoint({"topics", MATRICES[0]})


def convert_octis_output(model: Any, options: TopicsOptions) -> Topics:
    """Make topics of a model's output."""
    weights, word_lists = model.get(MATRICES[0]), _word_lists(model.get("topics"), options)
    if word_lists is None and (weights is None or options.vocabulary is None):
        raise InputError(f"{options.name}: no topics in it: train with top_words above 0")
    phi = None
    if weights is not None and options.vocabulary is not None:
        # the caller gave the vocabulary: if it does not fit, that is an error
        phi = matrix_or_none(
            lambda: _topic_word(weights, word_lists, options),
            "topic-word",
            options,
            argument=options.vocabulary,
        )
    if word_lists is not None:
        topics = [Topic(k, tuple(words[: options.top])) for k, words in enumerate(word_lists)]
    else:
        if phi is None or options.vocabulary is None:
            raise InputError(f"{options.name}: neither topics nor a usable topic-word matrix")
        topics = rank_words(phi, options.vocabulary, None, options.ranked_words, model=options.name)
    return assemble_topics(
        options,
        topics,
        vocabulary=options.vocabulary,
        topic_word=phi,
        document_topic=_document_shares(model.get(MATRICES[1]), len(topics), options),
    )


def _document_shares(values: Any, topics: int, options: TopicsOptions) -> Floats | None:
    if values is None or options.document_topic is not None:
        return document_topic_matrix(None, topics, options)
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


def _word_lists(topics: Any, options: TopicsOptions) -> list[tuple[str, ...]] | None:
    """Return the words of each topic; a topic without words is an error."""
    if topics is None:
        return None
    if isinstance(topics, str) or not isinstance(topics, Iterable):
        raise InputError(f"{options.name}: its topics are no lists of words")
    word_lists = []
    for k, words in enumerate(topics):
        if isinstance(words, str) or not isinstance(words, Iterable):
            raise InputError(f"{options.name}: topic {k} is no list of words")
        word_lists.append(tuple(words))
        if not word_lists[-1]:
            raise InputError(f"{options.name}: topic {k} has no words")
    return word_lists


def _topic_word(weights: Any, word_lists: Any, options: TopicsOptions) -> Floats:
    words = [] if options.vocabulary is None else list(options.vocabulary)
    topics = None if word_lists is None else len(word_lists)
    table = usable_matrix(weights, "topic-word", options)
    square = table.shape[0] == table.shape[1]  # then it is K×V, as OCTIS writes it
    axes = options.topic_word_axes or ("topics words" if square else None)
    with_axes = replace(options, topic_word_axes=axes)
    matrix = topic_word_matrix(table, words, with_axes, topics=topics, keep_weights=True)
    if word_lists is not None:
        check_order(matrix, words, [topic[0] for topic in word_lists])
    return matrix


def check_order(matrix: Floats, words: list[str], firsts: list[str]) -> None:
    """Check the order of the vocabulary: the first word of a topic has the most weight."""
    import numpy as np

    columns = {word: column for column, word in enumerate(words)}
    best = [
        word in columns and bool(np.isclose(row[columns[word]], row.max()))
        for word, row in zip(firsts, matrix, strict=True)
    ]
    if sum(best) * 2 < len(best):
        raise InputError(
            "the vocabulary is not in the order of the columns: the topics' first words are not "
            "those of most weight"
        )


OCTIS = Adapter(
    "OCTIS",
    is_octis_output,
    convert_octis_output,
    library="octis",
    parameters=frozenset({"vocabulary"}),
)
