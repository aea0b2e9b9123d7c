"""BERTopic: the words of each topic, c-TF-IDF weights and the topic of each document.

The outliers, topic -1, are no topic: their documents are counted as outliers. A topic with fewer
words than the others is padded with empty strings by BERTopic; these are dropped. The rows of
``probabilities_`` are kept as they are: what they lack to 1 is the probability of being noise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.given import or_none
from tealeaves.topics.adapters.parts import (
    OUTLIERS,
    Parts,
    assembled,
    document_matrix,
    with_words,
    word_matrix,
)
from tealeaves.topics.matrices import document_topic_matrix
from tealeaves.topics.topics import Topic, TopicId, Topics

if TYPE_CHECKING:
    from tealeaves.topics.matrices import Matrix

LIBRARY = "bertopic"
USES = frozenset({"vectorizer", "vocabulary"})
CELLS = 200_000_000  # of a matrix of weights that is not sparse any more: 1.6 GB


def fits(model: Any) -> bool:
    """Tell by what only BERTopic keeps."""
    return hasattr(model, "topic_representations_") and hasattr(model, "get_topics")


def convert(model: Any, parts: Parts) -> Topics:
    """Make topics of a fitted BERTopic."""
    if getattr(model, "topics_", None) is None or not model.topic_representations_:
        raise InputError(f"{parts.name}: the model is not fitted: call fit first")
    listed = {int(k): _words(pairs, parts.limit) for k, pairs in model.get_topics().items()}
    every = sorted(listed)
    known = [k for k in every if k != OUTLIERS]
    if not known:
        raise InputError(f"{parts.name}: all documents are outliers, so there are no topics")
    ids = [known[n] for n in with_words(known, [not listed[k] for k in known], parts)]
    positions = {k: position for position, k in enumerate(ids)}
    best = [positions.get(int(k), -1) for k in model.topics_]
    counts = Counter(best)
    topics = []
    for position, k in enumerate(ids):
        words, scores = zip(*listed[k], strict=True)
        topics.append(Topic(k, words, scores, counts[position]))
    vocabulary, weights = _weights(model, every, topics, parts)
    return assembled(
        parts,
        topics,
        vocabulary=vocabulary,
        topic_word=weights,
        document_topic=_probabilities(model, known, ids, parts),
        best_topic=best,
        outliers=counts[-1],
    )


def _words(pairs: Any, limit: int | None) -> list[tuple[str, float]]:
    return [(word, float(weight)) for word, weight in pairs if word.strip()][:limit]


def _weights(
    model: Any, every: Sequence[TopicId], topics: list[Topic], parts: Parts
) -> tuple[Any, Matrix | None]:
    """Return c-TF-IDF and its words; its rows are those of all topics, the outliers first."""
    table = getattr(model, "c_tf_idf_", None)
    words = parts.vocabulary
    if words is None and table is not None:
        words = (parts.vectorizer or model.vectorizer_model).get_feature_names_out()
    if table is None or words is None:
        return None, None

    said = parts.vocabulary is not None or parts.vectorizer is not None
    if said and len(words) != table.shape[1]:
        raise InputError(
            f"{parts.name}: c-TF-IDF has {table.shape[1]} columns for {len(words)} words of the "
            "vocabulary"
        )

    def made() -> Matrix:
        rows, columns = table.shape
        if rows != len(every):
            raise InputError(f"c-TF-IDF has {rows} rows for {len(every)} topics")
        if len(topics) * columns > CELLS:
            raise InputError(f"{len(topics)} topics of {columns} words are too many to hold")
        chosen = table.tocsr()[[every.index(topic.id) for topic in topics]].toarray()
        stated = replace(parts, topic_word_axes="topics words")
        matrix = word_matrix(chosen, words, stated, topics=len(topics), keep_weights=True)
        _check_rows(chosen, words, topics)
        return matrix

    return words, or_none(made, "topic-word", parts)


def _check_rows(table: Any, words: Any, topics: list[Topic]) -> None:
    """Refuse rows of other topics, which ``delete_topics`` of BERTopic 0.17 leaves behind.

    Where weights are c-TF-IDF they are the row's; a representation model may give others to all.
    """
    import numpy as np

    column = {word: number for number, word in enumerate(words)}
    own = [
        bool(np.isclose(row[column[topic.words[0]]], topic.weights[0], rtol=1e-4))
        for row, topic in zip(table, topics, strict=True)
        if topic.words[0] in column and topic.weights is not None
    ]
    if any(own) and not all(own):
        raise InputError("the rows of c-TF-IDF are not those of the topics: call update_topics")


def _probabilities(model: Any, known: list[int], ids: list[int], parts: Parts) -> Matrix | None:
    """Return D×K probabilities, where they were calculated for all topics."""
    table = getattr(model, "probabilities_", None)
    if parts.document_topic is not None or getattr(table, "ndim", 0) != 2:
        return document_matrix(None, len(ids), parts)

    def made() -> Matrix:
        matrix = document_topic_matrix(table, len(known), parts.name)
        if len(matrix) != len(model.topics_):
            raise InputError(f"it has {len(matrix)} rows for {len(model.topics_)} documents")
        return matrix[:, [known.index(k) for k in ids]]

    return or_none(made, "document-topic", parts)
