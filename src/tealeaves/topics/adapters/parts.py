"""What a caller says beside the model, and topics made of what a library gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.given import warn
from tealeaves.topics.orientation import (
    DOCUMENT_TOPIC,
    TOPIC_WORD,
    distributions,
    divided,
    oriented,
)
from tealeaves.topics.topics import Topic, TopicId, Topics

if TYPE_CHECKING:
    from tealeaves.topics.matrices import Matrix

TOP = 25  # words that a topic lists, where the model has a whole distribution

OUTLIERS = -1  # the id of what is no topic, in libraries that cluster documents


@dataclass(frozen=True)
class Parts:
    """The arguments of :func:`tealeaves.adapt` and ``read_topics``; None is what was not said.

    ``top`` is how many words are taken of a model that ranks all, ``limit`` of one that lists some.
    """

    name: str = "model"
    top: int = TOP
    limit: int | None = None
    vocabulary: Sequence[str] | None = None
    vectorizer: Any = None
    topic_word: Any = None
    document_topic: Any = None
    documents: Any = None
    document_ids: Sequence[str] | None = None
    document_lengths: Any = None
    term_frequency: Any = None
    topic_ids: Sequence[TopicId] | None = None
    topic_word_axes: str | None = None
    document_topic_axes: str | None = None
    normalize: bool = False
    language: str = ""
    languages: Sequence[str] | str | None = None


def from_matrices(
    parts: Parts,
    topic_word: Any,
    vocabulary: Sequence[str],
    document_topic: Any = None,
    *,
    normalize: bool | None = None,
    keep_weights: bool = False,
    **known: Any,
) -> Topics:
    """Make topics of a matrix of words and, where there is one, of documents.

    ``normalize`` is for libraries whose matrices are known not to sum to 1; ``keep_weights``
    leaves such rows as they are. ``known`` goes to :class:`Topics`.
    """
    ids = known.pop("topic_ids", None)
    ids = ids if parts.topic_ids is None else list(parts.topic_ids)
    weights = word_matrix(
        topic_word,
        vocabulary,
        parts,
        topics=None if ids is None else len(ids),
        normalize=normalize,
        keep_weights=keep_weights,
    )
    return assembled(
        parts,
        ranked(weights, vocabulary, ids, parts.top, model=parts.name),
        vocabulary=vocabulary,
        topic_word=weights,
        document_topic=document_matrix(document_topic, len(weights), parts, normalize=normalize),
        **known,
    )


def assembled(parts: Parts, topics: Sequence[Topic], **known: Any) -> Topics:
    """Make topics of their words and of what else is known; what the caller says comes first."""
    if parts.topic_ids is not None:
        topics = _renumbered(topics, list(parts.topic_ids), parts.name)
    found = {name: value for name, value in known.items() if value is not None}
    if found.get("topic_word") is None:
        found.pop("vocabulary", None)
        found.pop("term_frequency", None)
    else:
        found["vocabulary"] = _checked_words(found["vocabulary"], parts.name)
    if "document_ids" in found:
        found["document_ids"] = tuple(found["document_ids"])
    return Topics(tuple(topics), model=parts.name, **(found | stated_of(parts)))


def _checked_words(vocabulary: Sequence[str], model: str) -> tuple[str, ...]:
    """Refuse a word that has two columns, for which of them is the word's?"""
    words = tuple(map(str, vocabulary))
    if len(set(words)) < len(words):
        twice = Counter(words).most_common(1)[0][0]
        raise InputError(f"{model}: the vocabulary has the word {twice!r} more than once")
    return words


def checked_top(top: Any) -> Any:
    """Refuse what is no number of words; None is what was not said."""
    if top is not None and (isinstance(top, bool) or not isinstance(top, int) or top < 1):
        raise InputError(f"top is a number of words, not {top!r}")
    return top


def _renumbered(topics: Sequence[Topic], ids: list[TopicId], model: str) -> list[Topic]:
    if len(ids) != len(topics):
        raise InputError(f"{model}: {len(ids)} topic_ids for {len(topics)} topics")
    return [
        Topic(identity, topic.words, topic.weights, topic.documents)
        for identity, topic in zip(ids, topics, strict=True)
    ]


def own_ids(ids: Iterable[Any] | None) -> tuple[str, ...] | None:
    """Return the ids of documents, unless they are but numbers in order, which libraries give to
    documents that have none: another corpus would have the same.
    """
    found = None if ids is None else tuple(map(str, ids))
    if found is None:
        return None
    numbers = [tuple(map(str, range(first, first + len(found)))) for first in (0, 1)]
    return None if found in numbers else found


def stated_of(parts: Parts) -> dict[str, Any]:
    """Return what the caller said of documents and words, for :class:`Topics`."""
    ids = parts.document_ids
    stated = {
        "language": parts.language,
        "document_ids": None if ids is None else tuple(map(str, ids)),
        "document_lengths": parts.document_lengths,
        "term_frequency": parts.term_frequency,
    }
    return {name: value for name, value in stated.items() if value is not None}


def word_matrix(
    values: Any,
    vocabulary: Sequence[str],
    parts: Parts,
    *,
    topics: int | None = None,
    normalize: bool | None = None,
    keep_weights: bool = False,
) -> Matrix:
    """Return a topic-word matrix the right way round, its rows distributions or weights."""
    weights = oriented(
        values,
        TOPIC_WORD,
        parts.name,
        rows=topics,
        columns=len(vocabulary),
        stated=parts.topic_word_axes,
    )
    divide = parts.normalize or bool(normalize)
    if divide or not keep_weights:
        weights = distributions(weights, "topic-word", parts.name, normalize=divide)
    return divided(weights) if parts.normalize else weights


def document_matrix(
    values: Any, topics: int, parts: Parts, *, normalize: bool | None = None
) -> Matrix | None:
    """Return the document-topic matrix, its rows distributions: the caller's, else ``values``.

    ``values`` are what a library gives, D×K unless their size tells otherwise; the caller's are
    told apart by what is known.
    """
    stated = parts.document_topic is not None
    given = parts.document_topic if stated else values
    if given is None:
        return None
    ids = parts.document_ids
    matrix = oriented(
        given,
        DOCUMENT_TOPIC,
        parts.name,
        rows=None if ids is None else len(ids),
        columns=topics,
        stated=parts.document_topic_axes if stated else _axes_of(given, topics),
    )
    divide = parts.normalize or (bool(normalize) and not stated)
    shares = distributions(matrix, "document-topic", parts.name, normalize=divide)
    return divided(shares) if parts.normalize else shares


def _axes_of(values: Any, topics: int) -> str:
    """Return how a library's matrix lies: a square one as those of libraries do, D×K."""
    import numpy as np

    shape = getattr(values, "shape", None) or np.shape(values)
    turned = len(shape) == 2 and shape[0] == topics != shape[1]
    return DOCUMENT_TOPIC.turned if turned else DOCUMENT_TOPIC.kept


def ranked(
    weights: Matrix,
    vocabulary: Sequence[str],
    ids: Sequence[TopicId] | None,
    top: int,
    *,
    model: str = "model",
    signed: bool = False,
) -> list[Topic]:
    """Return the words of most weight of each row; of equals the first, none without weight.

    Where weights are ``signed``, one below zero is no less a weight.
    """
    import numpy as np

    topics = []
    for number, row in enumerate(weights):
        best = np.argsort(-row, kind="stable")[:top]
        best = best if signed else best[row[best] > 0]
        identity = number if ids is None else ids[number]
        if not len(best):
            raise InputError(f"{model}: topic {identity}: no word has any weight")
        listed = tuple(str(vocabulary[column]) for column in best)
        topics.append(Topic(identity, listed, tuple(row[best].tolist())))
    return topics


def with_words(ids: Sequence[TopicId], empty: Sequence[bool], parts: Parts) -> list[int]:
    """Return the positions of the topics that have words; the others are left out, aloud."""
    gone = [str(identity) for identity, none in zip(ids, empty, strict=True) if none]
    if len(gone) == len(ids):
        raise InputError(f"{parts.name}: no topic has any words")
    if gone:
        which = f"topics {', '.join(gone)} have" if len(gone) > 1 else f"topic {gone[0]} has"
        warn(f"{parts.name}: {which} no words, and so no place among the topics")
    return [number for number, none in enumerate(empty) if not none]


def shares_of(given: Any, ids: Sequence[int], kept: Sequence[int], parts: Parts) -> Matrix | None:
    """Return p(t|d) of the topics that are kept; a document that is best an outlier has none.

    ``given`` has a column for each of ``ids``, of which -1 are the outliers.
    """
    import numpy as np

    table = np.asarray(given, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] != len(ids):
        raise InputError(f"it is {'×'.join(map(str, table.shape))} for {len(ids)} topics")
    outside = np.asarray(ids)[table.argmax(axis=1)] == OUTLIERS
    inside = np.where(outside[:, None], 0.0, table[:, kept])
    return document_matrix(inside, len(kept), parts, normalize=True)
