"""pyLDAvis: the five arrays of ``pyLDAvis.prepare``, as a mapping from its parameters' names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tealeaves.topics.adapters.adapter import Adapter
from tealeaves.topics.assembly import TopicsOptions, topics_from_matrices, whole_numbers_or_none
from tealeaves.topics.topics import Topics


def is_pyldavis_data(model: Any) -> bool:
    """Recognise a mapping by its keys."""
    return isinstance(model, Mapping) and {"topic_term_dists", "vocab"} <= set(model)


def convert_pyldavis_data(model: Any, options: TopicsOptions) -> Topics:
    """Make topics of the arrays: K×V, D×K, and lengths and frequencies if they are whole numbers.

    A matrix is transposed if its size shows that it must be.
    """
    import numpy as np

    shape = np.shape(model["topic_term_dists"])
    square = shape[:1] == shape[1:]
    return topics_from_matrices(
        options,
        model["topic_term_dists"],
        list(model["vocab"] if options.vocabulary is None else options.vocabulary),
        model.get("doc_topic_dists"),
        axes=options.topic_word_axes or ("topics words" if square else None),
        document_lengths=whole_numbers_or_none(model.get("doc_lengths")),
        term_frequency=whole_numbers_or_none(model.get("term_frequency")),
    )


PYLDAVIS = Adapter(
    "pyLDAvis", is_pyldavis_data, convert_pyldavis_data, library="pyldavis", options=("vocabulary",)
)
