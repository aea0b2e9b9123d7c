"""Weighted words: a mapping from ids to pairs, as ``get_topics()`` of BERTopic returns it.

The outliers, topic -1, are no topic; the empty words with which BERTopic pads are dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.parts import (
    OUTLIERS,
    Parts,
    assembled,
    document_matrix,
    with_words,
)
from tealeaves.topics.topics import Topic, Topics

LIBRARY = ""
PLAIN = "weighted words"
USES: frozenset[str] = frozenset()


def fits(model: Any) -> bool:
    """A mapping all of whose values are pairs of a word and a number."""
    return isinstance(model, Mapping) and bool(model) and all(map(_are_pairs, model.values()))


def convert(model: Any, parts: Parts) -> Topics:
    """Make topics of the words and weights as they are listed."""
    listed = {
        k: [(word, float(weight)) for word, weight in pairs if word.strip()][: parts.limit]
        for k, pairs in model.items()
        if k != OUTLIERS
    }
    if not listed:
        raise InputError(f"{parts.name}: all is outliers, so there are no topics")
    ids = list(listed)
    kept = with_words(ids, [not listed[k] for k in ids], parts)
    topics = []
    for k in (ids[n] for n in kept):
        words, weights = zip(*listed[k], strict=True)
        topics.append(Topic(k, words, weights))
    return assembled(parts, topics, document_topic=document_matrix(None, len(topics), parts))


def _are_pairs(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(map(_is_pair, value))


def _is_pair(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) == 2
        and isinstance(value[0], str)
        and isinstance(value[1], Real)
    )
