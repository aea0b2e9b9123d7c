"""tomotopy: LDAModel and its kin, with the topic of each token.

Topics keep the numbers that tomotopy gives them; the dead topics of HDPModel and HLDAModel are
left out. Words that were removed (``rm_top``, ``min_cf``, …) are no tokens of a document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.parts import Parts, assembled, document_matrix, own_ids, word_matrix
from tealeaves.topics.assignments import Assignments
from tealeaves.topics.topics import Topic, Topics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LIBRARY = "tomotopy"
USES: frozenset[str] = frozenset()


def fits(model: Any) -> bool:
    """Tell by what only tomotopy's models have."""
    return hasattr(model, "get_topic_word_dist") and hasattr(model, "used_vocabs")


def convert(model: Any, parts: Parts) -> Topics:
    """Make topics of a trained model."""
    import numpy as np

    if hasattr(model, "num_timepoints"):
        raise InputError(
            f"{parts.name}: it has topics for each time point: give one of them, "
            "adapt(topic_word=[model.get_topic_word_dist(k, timepoint=t) for k in "
            "range(model.k)], vocabulary=model.used_vocabs)"
        )
    words = [str(word) for word in model.used_vocabs]
    if not words:
        raise InputError(f"{parts.name}: the model is not trained: call train first")
    total = _number_of_topics(model)
    live = getattr(model, "is_live_topic", lambda _: True)
    ids = [k for k in range(total) if live(k)]
    phi = np.array([model.get_topic_word_dist(k) for k in ids], dtype=np.float64)
    stated = replace(parts, topic_word_axes="topics words")
    return assembled(
        parts,
        [_topic(model, k, parts.top) for k in ids],
        vocabulary=words,
        topic_word=word_matrix(phi, words, stated, topics=len(ids)),
        term_frequency=np.asarray(model.used_vocab_freq),
        **_documents(model, total, ids, len(words), parts),
    )


def _topic(model: Any, k: int, top: int) -> Topic:
    pairs = model.get_topic_words(k, top_n=top)
    return Topic(k, tuple(pair[0] for pair in pairs), tuple(float(pair[1]) for pair in pairs))


def _number_of_topics(model: Any) -> int:
    """Count the topics that have words of their own."""
    if hasattr(model, "k_g"):  # global and local ones, MGLDAModel
        return int(model.k_g) + int(model.k_l)
    if _is_pachinko(model):
        above = 1 + int(model.k1) if _is_hierarchical(model) else 0
        return above + int(model.k2)
    return int(model.k)


def _is_pachinko(model: Any) -> bool:
    """Tell models of super- and subtopics: PAModel and HPAModel."""
    return hasattr(model, "get_sub_topics")


def _is_hierarchical(model: Any) -> bool:
    """In HPAModel supertopics have words, too; which of them a token has is not told apart."""
    return type(model).__name__.startswith("HPA")


def _documents(
    model: Any, total: int, ids: Sequence[int], vocabulary: int, parts: Parts
) -> dict[str, Any]:
    """Return what the model says of its documents."""
    documents = list(model.docs)
    if not documents or (_is_pachinko(model) and _is_hierarchical(model)):
        return {"document_topic": document_matrix(None, len(ids), parts)}
    assignments = _assignments(model, documents, total, ids, vocabulary)
    return {
        "document_topic": _shares(model, documents, total, ids, parts),
        "document_ids": _document_ids(documents),
        "document_lengths": assignments.lengths,
        "assignments": assignments,
    }


def _shares(
    model: Any, documents: Sequence[Any], total: int, ids: Sequence[int], parts: Parts
) -> Any:
    """Return p(t|d), if it is of the topics that have words: in HLDAModel it is of levels."""
    import numpy as np

    of_subtopics = _is_pachinko(model)
    rows = [one.get_sub_topic_dist() if of_subtopics else one.get_topic_dist() for one in documents]
    theta = np.array(rows, dtype=np.float64)
    known = theta[:, list(ids)] if theta.shape[1] == total else None
    # a dead topic's share is 0, but for what is left of the prior
    return document_matrix(known, len(ids), parts, normalize=True)


def _assignments(
    model: Any, documents: Sequence[Any], total: int, ids: Sequence[int], vocabulary: int
) -> Assignments:
    import numpy as np

    position = np.full(total, -1, dtype=np.int32)
    position[list(ids)] = np.arange(len(ids))
    field = "subtopics" if _is_pachinko(model) else "topics"
    topics: list[NDArray[np.int32]] = []
    words: list[NDArray[np.int32]] = []
    for document in documents:
        numbers = np.asarray(document.words, dtype=np.int64)
        given = np.asarray(getattr(document, field), dtype=np.int64)
        # removed words are numbered after all those that are used
        used = (numbers >= 0) & (numbers < vocabulary)
        numbers, given = numbers[used], given[used]
        none = (given < 0) | (given >= total)
        topics.append(np.where(none, -1, position[np.where(none, 0, given)]))
        words.append(numbers.astype(np.int32))
    return Assignments.of(topics, words)  # type: ignore[arg-type]  # arrays are sequences here


def _document_ids(documents: Sequence[Any]) -> tuple[str, ...] | None:
    """Return the documents' uids, where each has one of its own."""
    uids = [str(getattr(document, "uid", None) or "") for document in documents]
    return own_ids(uids) if all(uids) and len(set(uids)) == len(uids) else None
