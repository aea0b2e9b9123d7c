"""BERTopic: the words of each topic, c-TF-IDF weights and the topic of each document.

Topic -1 holds the outliers: it is no topic, and its documents are counted as outliers. BERTopic
pads a topic that has fewer words than the others with empty strings; these are dropped. The rows
of ``probabilities_`` are not divided: what they lack to 1 is the probability of being noise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.adapter import Adapter
from tealeaves.topics.assembly import (
    OUTLIERS,
    TopicsOptions,
    assemble_topics,
    listed_words,
    matrix_or_none,
    topic_word_matrix,
    weighted_topic,
)
from tealeaves.topics.matrices import check_document_topic
from tealeaves.topics.topics import Topic, TopicId, Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

CELLS = 200_000_000  # of a dense matrix of weights: 1.6 GB


def is_bertopic_model(model: Any) -> bool:
    """Recognise a BERTopic by its attributes."""
    return hasattr(model, "topic_representations_") and hasattr(model, "get_topics")


def convert_bertopic_model(model: Any, options: TopicsOptions) -> Topics:
    """Make topics of a fitted BERTopic."""
    if getattr(model, "topics_", None) is None or not model.topic_representations_:
        raise InputError(f"{options.name}: the model is not fitted: call fit first")
    all_pairs = {int(k): pairs for k, pairs in sorted(model.get_topics().items())}
    pairs = listed_words(all_pairs, options)
    position_of = {k: position for position, k in enumerate(pairs)}
    best = [position_of.get(int(k), -1) for k in model.topics_]
    counts = Counter(best)
    topics = [weighted_topic(k, pairs[k], counts[n]) for n, k in enumerate(pairs)]
    vocabulary, weights = _ctfidf(model, list(all_pairs), topics, options)
    return assemble_topics(
        options,
        topics,
        vocabulary=vocabulary,
        topic_word=weights,
        document_topic=_probabilities(model, list(all_pairs), topics, options),
        best_topic=best,
        outliers=counts[-1],
    )


def _ctfidf(
    model: Any, all_ids: Sequence[TopicId], topics: list[Topic], options: TopicsOptions
) -> tuple[Any, Floats | None]:
    """Return the words and the c-TF-IDF of the topics; the model's has the outliers as well."""
    table = getattr(model, "c_tf_idf_", None)
    words = options.vocabulary
    if words is None and table is not None:
        words = (options.vectorizer or model.vectorizer_model).get_feature_names_out()
    if table is None or words is None:
        return None, None
    by_caller = options.vocabulary is not None or options.vectorizer is not None
    if by_caller and len(words) != table.shape[1]:
        raise InputError(
            f"{options.name}: c-TF-IDF has {table.shape[1]} columns for {len(words)} words of the "
            "vocabulary"
        )

    def make_matrix() -> Floats:
        rows, columns = table.shape
        if rows != len(all_ids):
            raise InputError(f"c-TF-IDF has {rows} rows for {len(all_ids)} topics")
        if len(topics) * columns > CELLS:
            raise InputError(f"{len(topics)} topics of {columns} words are too many to hold")
        weights = table.tocsr()[[all_ids.index(topic.id) for topic in topics]].toarray()
        matrix = topic_word_matrix(weights, words, options, axes="topics words", keep_weights=True)
        _check_rows(weights, words, topics)
        return matrix

    return words, matrix_or_none(make_matrix, "topic-word", options)


def _check_rows(table: Any, words: Any, topics: list[Topic]) -> None:
    """Check that the rows are those of the topics.

    ``delete_topics`` of BERTopic 0.17 keeps the rows of topics that are gone. The weights of the
    words are those of the row, unless a representation model gave others to all topics.
    """
    import numpy as np

    column = {word: number for number, word in enumerate(words)}
    matches = [
        bool(np.isclose(row[column[topic.words[0]]], topic.weights[0], rtol=1e-4))
        for row, topic in zip(table, topics, strict=True)
        if topic.words[0] in column and topic.weights is not None
    ]
    if any(matches) and not all(matches):
        raise InputError("the rows of c-TF-IDF are not those of the topics: call update_topics")


def _probabilities(
    model: Any, all_ids: Sequence[TopicId], topics: list[Topic], options: TopicsOptions
) -> Floats | None:
    """Return D×K probabilities, if the model calculated them for all topics."""
    table = getattr(model, "probabilities_", None)
    if options.document_topic is not None or getattr(table, "ndim", 0) != 2:
        return None
    topic_ids = [k for k in all_ids if k != OUTLIERS]

    def make_matrix() -> Floats:
        matrix = check_document_topic(table, len(topic_ids), options.name)
        if len(matrix) != len(model.topics_):
            raise InputError(f"it has {len(matrix)} rows for {len(model.topics_)} documents")
        return matrix[:, [topic_ids.index(topic.id) for topic in topics]]

    return matrix_or_none(make_matrix, "document-topic", options)


BERTOPIC = Adapter(
    "BERTopic",
    is_bertopic_model,
    convert_bertopic_model,
    library="bertopic",
    options=("vectorizer", "vocabulary"),
)
