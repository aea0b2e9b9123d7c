"""tomotopy: LDAModel and its kin, with the topic of each token.

Topics keep the numbers that tomotopy gives them. Dead topics of HDPModel and HLDAModel are left
out, and so are the tokens of words that tomotopy removed (``rm_top``, ``min_cf``, …).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.adapter import Adapter
from tealeaves.topics.assembly import (
    TopicsOptions,
    assemble_topics,
    distinctive_ids,
    document_topic_matrix,
    topic_word_matrix,
    weighted_topic,
)
from tealeaves.topics.assignments import Assignments
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Integers32


def is_tomotopy_model(model: Any) -> bool:
    """Recognise a model of tomotopy by its attributes."""
    return hasattr(model, "get_topic_word_dist") and hasattr(model, "used_vocabs")


def convert_tomotopy_model(model: Any, options: TopicsOptions) -> Topics:
    """Make topics of a trained model."""
    import numpy as np

    if hasattr(model, "num_timepoints"):
        raise InputError(
            f"{options.name}: the model has topics for each time point: give one of them, "
            "adapt(topic_word=[model.get_topic_word_dist(k, timepoint=t) for k in "
            "range(model.k)], vocabulary=model.used_vocabs)"
        )
    words = [str(word) for word in model.used_vocabs]
    if not words:
        raise InputError(f"{options.name}: the model is not trained: call train first")
    total = _number_of_topics(model)
    live = getattr(model, "is_live_topic", lambda _: True)
    ids = [k for k in range(total) if live(k)]
    phi = np.array([model.get_topic_word_dist(k) for k in ids], dtype=np.float64)
    return assemble_topics(
        options,
        [weighted_topic(k, model.get_topic_words(k, top_n=options.ranked_words)) for k in ids],
        vocabulary=words,
        topic_word=topic_word_matrix(phi, words, options, axes="topics words"),
        term_frequency=np.asarray(model.used_vocab_freq),
        **_document_fields(model, total, ids, len(words), options),
    )


def _number_of_topics(model: Any) -> int:
    """Return the number of topics that have words of their own."""
    if hasattr(model, "k_g"):  # global and local ones, MGLDAModel
        return int(model.k_g) + int(model.k_l)
    if _is_pachinko(model):
        above = 1 + int(model.k1) if _is_hierarchical(model) else 0
        return above + int(model.k2)
    return int(model.k)


def _is_pachinko(model: Any) -> bool:
    """Recognise a model with super- and subtopics: PAModel or HPAModel."""
    return hasattr(model, "get_sub_topics")


def _is_hierarchical(model: Any) -> bool:
    """Recognise an HPAModel, whose supertopics have words; its tokens do not state the level."""
    return type(model).__name__.startswith("HPA")


def _document_fields(
    model: Any, total: int, ids: Sequence[int], vocabulary: int, options: TopicsOptions
) -> dict[str, Any]:
    """Return the fields of ``Topics`` about documents."""
    documents = list(model.docs)
    if not documents or (_is_pachinko(model) and _is_hierarchical(model)):
        return {}
    assignments = _assignments(model, documents, total, ids, vocabulary)
    return {
        "document_topic": _document_shares(model, documents, total, ids, options),
        "document_ids": _document_ids(documents),
        "document_lengths": assignments.lengths,
        "assignments": assignments,
    }


def _document_shares(
    model: Any, documents: Sequence[Any], total: int, ids: Sequence[int], options: TopicsOptions
) -> Any:
    """Return p(t|d); None for HLDAModel, whose documents have shares of levels."""
    import numpy as np

    method = "get_sub_topic_dist" if _is_pachinko(model) else "get_topic_dist"
    theta = np.array([getattr(document, method)() for document in documents], dtype=np.float64)
    shares = theta[:, list(ids)] if theta.shape[1] == total else None
    # dead topics have a small share each, the prior: divide by what is left
    return document_topic_matrix(shares, len(ids), options, normalize=True)


def _assignments(
    model: Any, documents: Sequence[Any], total: int, ids: Sequence[int], vocabulary: int
) -> Assignments:
    import numpy as np

    position = np.full(total, -1, dtype=np.int32)
    position[list(ids)] = np.arange(len(ids))
    field = "subtopics" if _is_pachinko(model) else "topics"
    topics: list[Integers32] = []
    words: list[Integers32] = []
    for document in documents:
        numbers = np.asarray(document.words, dtype=np.int64)
        labels = np.asarray(getattr(document, field), dtype=np.int64)
        # the numbers of removed words follow those of the vocabulary
        used = (numbers >= 0) & (numbers < vocabulary)
        numbers, labels = numbers[used], labels[used]
        none = (labels < 0) | (labels >= total)
        topics.append(np.where(none, -1, position[np.where(none, 0, labels)]))
        words.append(numbers.astype(np.int32))
    return Assignments.of(topics, words)  # type: ignore[arg-type]  # arrays are sequences here


def _document_ids(documents: Sequence[Any]) -> tuple[str, ...] | None:
    """Return the documents' uids if each has one of its own."""
    uids = [str(getattr(document, "uid", None) or "") for document in documents]
    return distinctive_ids(uids) if all(uids) and len(set(uids)) == len(uids) else None


TOMOTOPY = Adapter("tomotopy", is_tomotopy_model, convert_tomotopy_model, library="tomotopy")
