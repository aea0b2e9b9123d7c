"""turftopic: ``TopicData``, a dictionary of the same keys, or a fitted model.

``topic_term_matrix`` (K×V) holds importances. Where some are negative, as in S³, they still rank
the words of a topic, but the matrix is left out. Topic -1 of a clustering model, the outliers, is
no topic; a document whose largest share is theirs has none. ``document_topic_matrix`` (D×K) is
divided by its rows' sums.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.given import calling, keys_of, or_none
from tealeaves.topics.adapters.parts import (
    OUTLIERS,
    Parts,
    assembled,
    document_matrix,
    ranked,
    shares_of,
    with_words,
    word_matrix,
)
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.topics.matrices import Matrix

LIBRARY = "turftopic"
USES = frozenset({"documents", "vocabulary"})


def fits(model: Any) -> bool:
    """Tell by the keys of ``TopicData``, or by components with a vocabulary of their own."""
    if isinstance(model, Mapping):
        return {"topic_term_matrix", "vocab"} <= keys_of(model)
    if hasattr(model, "topic_term_matrix") and hasattr(model, "vocab"):
        return True
    fitted = hasattr(model, "components_") or hasattr(model, "prepare_topic_data")
    return fitted and hasattr(model, "get_vocab")


def convert(model: Any, parts: Parts) -> Topics:
    """Make topics of the data, or of a model."""
    importances = _importances(model, parts)
    words = parts.vocabulary
    if words is None:
        words = _field(model, "vocab") if _has(model, "vocab") else model.get_vocab()
    if importances.shape[1] != len(words):
        raise InputError(
            f"{parts.name}: {importances.shape[1]} columns for {len(words)} words of the vocabulary"
        )
    signed = bool((importances < 0).any())
    ids = _ids(model, len(importances), parts)
    inside = [n for n, k in enumerate(ids) if k != OUTLIERS]
    if not inside:
        raise InputError(f"{parts.name}: all documents are outliers, so there are no topics")
    empty = [not importances[n].any() for n in inside]
    kept = [inside[n] for n in with_words([ids[n] for n in inside], empty, parts)]
    chosen = importances[kept]
    stated = replace(parts, topic_word_axes="topics words", topic_ids=None)
    return assembled(
        parts,
        ranked(chosen, words, [ids[n] for n in kept], parts.top, model=parts.name, signed=signed),
        vocabulary=words,
        topic_word=or_none(
            lambda: word_matrix(chosen, words, stated, keep_weights=True), "topic-word", parts
        ),
        document_topic=_shares(model, kept, ids, parts),
    )


def _importances(model: Any, parts: Parts) -> Matrix:
    import numpy as np

    name = "topic_term_matrix" if _has(model, "topic_term_matrix") else "components_"
    given = _field(model, name)
    if given is None:
        raise InputError(f"{parts.name}: the model is not fitted: call fit first")
    found = np.asarray(given.toarray() if hasattr(given, "toarray") else given, dtype=np.float64)
    if found.ndim != 2 or not np.isfinite(found).all():
        raise InputError(f"{parts.name}: the topic-term matrix is not a table of finite numbers")
    return found


def _shares(model: Any, kept: list[int], ids: list[int], parts: Parts) -> Matrix | None:
    given = _field(model, "document_topic_matrix")
    if parts.documents is not None and hasattr(model, "transform"):
        given = calling(model.transform, parts.documents, parts=parts)
    if given is None or parts.document_topic is not None:
        return document_matrix(None, len(kept), parts)
    return or_none(lambda: shares_of(given, ids, kept, parts), "document-topic", parts)


def _ids(model: Any, topics: int, parts: Parts) -> list[int]:
    """Return the topics' numbers: the model's classes, else those that their names begin with."""
    classes = _field(model, "classes") if _has(model, "classes") else _field(model, "classes_")
    if classes is None:
        names = [str(name) for name in _field(model, "topic_names") or ()]
        found = [re.match(r"(-?\d+)_", name) for name in names]
        classes = [int(m[1]) for m in found if m]
        classes = classes if len(classes) == len(found) > 0 else range(topics)
    ids = [int(k) for k in classes]
    if len(ids) != topics:
        raise InputError(f"{parts.name}: {len(ids)} classes for {topics} topics")
    return ids


def _has(model: Any, name: str) -> bool:
    return _field(model, name) is not None


def _field(model: Any, name: str) -> Any:
    """Return a key of a dictionary, or an attribute; a fitted model's may be missing."""
    if isinstance(model, dict):
        return model.get(name)
    return getattr(model, name, None)
