"""turftopic: ``TopicData``, a dictionary of the same keys, or a fitted model.

``topic_term_matrix`` (K×V) holds importances. If some are negative, as in S³, they still rank the
words of a topic, but the matrix is left out. Topic -1 of a clustering model, the outliers, is no
topic; a document whose largest share is topic -1 has none. The rows of ``document_topic_matrix``
(D×K) are divided by their sums.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.adapter import Adapter
from tealeaves.topics.assembly import (
    OUTLIERS,
    TopicsOptions,
    assemble_topics,
    call_library,
    matrix_or_none,
    positions_with_words,
    rank_words,
    shares_without_outliers,
    topic_word_matrix,
)
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats


def is_turftopic_model(model: Any) -> bool:
    """Recognise the keys of ``TopicData``, or components and a vocabulary."""
    if isinstance(model, Mapping):
        return {"topic_term_matrix", "vocab"} <= set(model)
    if hasattr(model, "topic_term_matrix") and hasattr(model, "vocab"):
        return True
    fitted = hasattr(model, "components_") or hasattr(model, "prepare_topic_data")
    return fitted and hasattr(model, "get_vocab")


def convert_turftopic_model(model: Any, options: TopicsOptions) -> Topics:
    """Make topics of the data, or of a model."""
    importances = _importances(model, options)
    words = _field(model, "vocab") if options.vocabulary is None else options.vocabulary
    if words is None:
        words = model.get_vocab()
    if importances.shape[1] != len(words):
        raise InputError(
            f"{options.name}: {importances.shape[1]} columns for {len(words)} words of the "
            "vocabulary"
        )
    signed = bool((importances < 0).any())
    ids = _topic_numbers(model, len(importances), options)
    inside = [n for n, k in enumerate(ids) if k != OUTLIERS]
    if not inside:
        raise InputError(f"{options.name}: all documents are outliers, so there are no topics")
    inside_ids, has_words = [ids[n] for n in inside], importances[inside].any(axis=1)
    positions = [inside[n] for n in positions_with_words(inside_ids, has_words, options)]
    weights = importances[positions]

    def make_matrix() -> Floats:
        return topic_word_matrix(weights, words, options, axes="topics words", keep_weights=True)

    topic_ids = [ids[n] for n in positions]
    return assemble_topics(
        options,
        rank_words(weights, words, topic_ids, options.ranked_words, signed=signed),
        vocabulary=words,
        topic_word=matrix_or_none(make_matrix, "topic-word", options),
        document_topic=_document_shares(model, positions, ids, options),
    )


def _importances(model: Any, options: TopicsOptions) -> Floats:
    import numpy as np

    values = _field(model, "topic_term_matrix", "components_")
    if values is None:
        raise InputError(f"{options.name}: the model is not fitted: call fit first")
    table = np.asarray(values.toarray() if hasattr(values, "toarray") else values, dtype=np.float64)
    if table.ndim != 2 or not np.isfinite(table).all():
        raise InputError(f"{options.name}: the topic-term matrix is not a table of finite numbers")
    return table


def _document_shares(
    model: Any, positions: list[int], ids: list[int], options: TopicsOptions
) -> Floats | None:
    values = _field(model, "document_topic_matrix")
    if options.documents is not None and hasattr(model, "transform"):
        values = call_library(model.transform, options.documents, options=options)
    if values is None or options.document_topic is not None:
        return None
    return matrix_or_none(
        lambda: shares_without_outliers(values, ids, positions, options), "document-topic", options
    )


def _topic_numbers(model: Any, topics: int, options: TopicsOptions) -> list[int]:
    """Return the topics' numbers: the model's classes, else the numbers before their names."""
    classes = _field(model, "classes", "classes_")
    if classes is None:
        names = [str(name) for name in _field(model, "topic_names") or ()]
        matches = [re.match(r"(-?\d+)_", name) for name in names]
        classes = [int(match[1]) for match in matches if match]
        classes = classes if len(classes) == len(matches) > 0 else range(topics)
    ids = [int(k) for k in classes]
    if len(ids) != topics:
        raise InputError(f"{options.name}: {len(ids)} classes for {topics} topics")
    return ids


def _field(model: Any, *names: str) -> Any:
    """Return the first of these items or attributes that is not None, None if there is none."""
    get = model.get if isinstance(model, dict) else lambda name: getattr(model, name, None)
    return next((value for value in map(get, names) if value is not None), None)


TURFTOPIC = Adapter(
    "turftopic",
    is_turftopic_model,
    convert_turftopic_model,
    library="turftopic",
    options=("documents", "vocabulary"),
)
