"""OCTIS: the dictionary that its models return.

``topic-document-matrix`` is K×D; where its size tells that it lies the other way round, it is
turned. The vocabulary is not in the dictionary: give ``vocabulary=`` in the order of the matrix'
columns, else ``topic-word-matrix`` is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.given import keys_of, or_none, usable
from tealeaves.topics.adapters.parts import Parts, assembled, document_matrix, ranked, word_matrix
from tealeaves.topics.orientation import DOCUMENT_TOPIC, oriented
from tealeaves.topics.topics import Topic, Topics

if TYPE_CHECKING:
    from tealeaves.topics.matrices import Matrix

LIBRARY = "octis"
USES = frozenset({"vocabulary"})
MATRICES = ("topic-word-matrix", "topic-document-matrix", "test-topic-document-matrix")


def fits(model: Any) -> bool:
    """Tell by the keys: ``topics`` and a matrix, the two matrices, or nothing but ``topics``."""
    keys = keys_of(model)
    if keys == {"topics"}:
        return _are_lists(model["topics"])
    return not keys.isdisjoint(MATRICES) and not keys.isdisjoint({"topics", MATRICES[0]})


def convert(model: Any, parts: Parts) -> Topics:
    """Make topics of a model's output."""
    given, listed = model.get(MATRICES[0]), _listed(model.get("topics"), parts)
    if listed is None and (given is None or parts.vocabulary is None):
        raise InputError(f"{parts.name}: no topics in it: train with top_words above 0")
    phi = None
    if given is not None and parts.vocabulary is not None:
        # the caller gave the vocabulary: what does not fit it is no fault of the library
        phi = or_none(
            lambda: _matrix(given, listed, parts), "topic-word", parts, stated=parts.vocabulary
        )
    if listed is not None:
        topics = [Topic(k, tuple(words[: parts.limit])) for k, words in enumerate(listed)]
    else:
        if phi is None or parts.vocabulary is None:
            raise InputError(f"{parts.name}: neither topics nor a topic-word matrix of use")
        topics = ranked(phi, parts.vocabulary, None, parts.top, model=parts.name)
    return assembled(
        parts,
        topics,
        vocabulary=parts.vocabulary,
        topic_word=phi,
        document_topic=_shares(model.get(MATRICES[1]), len(topics), parts),
    )


def _shares(given: Any, topics: int, parts: Parts) -> Matrix | None:
    if given is None or parts.document_topic is not None:
        return document_matrix(None, topics, parts)

    axes = parts.document_topic_axes
    DOCUMENT_TOPIC.check(axes)

    def made() -> Matrix | None:
        matrix = usable(given, "document-topic")
        square = matrix.shape[0] == matrix.shape[1]  # then it lies as those of OCTIS do
        stated = axes or (DOCUMENT_TOPIC.turned if square else None)
        shares = oriented(matrix, DOCUMENT_TOPIC, parts.name, columns=topics, stated=stated)
        return document_matrix(shares, topics, parts, normalize=True)

    return or_none(made, "document-topic", parts, stated=axes)


def _are_lists(topics: Any) -> bool:
    return (
        isinstance(topics, list | tuple)
        and bool(topics)
        and all(isinstance(words, list | tuple) and bool(words) for words in topics)
        and all(isinstance(word, str) for words in topics for word in words)
    )


def _listed(given: Any, parts: Parts) -> list[tuple[str, ...]] | None:
    """Return the words of each topic; one without any is an error."""
    if given is None:
        return None
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(f"{parts.name}: its topics are no lists of words")
    listed = []
    for k, words in enumerate(given):
        if isinstance(words, str) or not isinstance(words, Iterable):
            raise InputError(f"{parts.name}: topic {k} is no list of words")
        listed.append(tuple(words))
        if not listed[-1]:
            raise InputError(f"{parts.name}: topic {k} has no words")
    return listed


def _matrix(given: Any, listed: Any, parts: Parts) -> Matrix:
    words = [] if parts.vocabulary is None else list(parts.vocabulary)
    topics = None if listed is None else len(listed)
    table = usable(given, "topic-word")
    square = table.shape[0] == table.shape[1]  # then it lies as those of OCTIS do
    axes = parts.topic_word_axes or ("topics words" if square else None)
    stated = replace(parts, topic_word_axes=axes)
    matrix = word_matrix(table, words, stated, topics=topics, keep_weights=True)
    if listed is not None:
        check_order(matrix, words, [topic[0] for topic in listed])
    return matrix


def check_order(matrix: Matrix, words: list[str], firsts: list[str]) -> None:
    """Refuse a vocabulary in another order: the first word of a topic has the most weight."""
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
