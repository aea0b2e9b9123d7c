"""The five arrays of ``pyLDAvis.prepare``, as a mapping from its parameters' names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tealeaves.topics.adapters.given import keys_of, whole_or_none
from tealeaves.topics.adapters.parts import Parts, from_matrices
from tealeaves.topics.topics import Topics

LIBRARY = "pyldavis"
USES = frozenset({"vocabulary"})


def fits(model: Any) -> bool:
    """Tell by the keys."""
    return {"topic_term_dists", "vocab"} <= keys_of(model)


def convert(model: Any, parts: Parts) -> Topics:
    """Make topics of the arrays: K×V, D×K, and counts, where they are counts.

    A matrix whose size tells that it lies the other way round is turned.
    """
    import numpy as np

    shape = np.shape(model["topic_term_dists"])
    axes = parts.topic_word_axes or ("topics words" if shape[:1] == shape[1:] else None)
    return from_matrices(
        replace(parts, topic_word_axes=axes),
        model["topic_term_dists"],
        list(model["vocab"] if parts.vocabulary is None else parts.vocabulary),
        model.get("doc_topic_dists"),
        document_lengths=whole_or_none(model.get("doc_lengths")),
        term_frequency=whole_or_none(model.get("term_frequency")),
    )
