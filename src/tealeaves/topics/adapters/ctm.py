"""contextualized-topic-models: CombinedTM, ZeroShotTM, SuperCTM and BetaCTM.

``documents`` is a dataset of the library, for which topics are inferred; else p(t|d) is that of
the training texts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.given import calling
from tealeaves.topics.adapters.parts import Parts, assembled, document_matrix, word_matrix
from tealeaves.topics.topics import Topic, Topics

LIBRARY = "ctm"
USES = frozenset({"documents", "vocabulary"})


def fits(model: Any) -> bool:
    """Tell by what only these models have."""
    return hasattr(model, "get_topic_lists") and hasattr(model, "get_topic_word_matrix")


def convert(model: Any, parts: Parts) -> Topics:
    """Make topics of a trained model; φ is what it calls the distribution, K×V."""
    data = getattr(model, "train_data", None)
    if data is None:
        raise InputError(f"{parts.name}: the model is not fitted: call fit first")
    given = calling(model.get_topic_word_distribution, parts=parts)
    words = parts.vocabulary
    if words is None:
        words = calling(_tokens, data.idx2token, given.shape[1], parts=parts)
    stated = replace(parts, topic_word_axes="topics words")
    phi = word_matrix(given, words, stated)
    column = {word: number for number, word in enumerate(words)}
    lists = calling(model.get_topic_lists, min(parts.top, len(words)), parts=parts)
    topics = [
        Topic(k, tuple(listed), tuple(float(phi[k, column[word]]) for word in listed))
        for k, listed in enumerate(lists)
    ]
    return assembled(
        parts,
        topics,
        vocabulary=words,
        topic_word=phi,
        document_topic=document_matrix(_shares(model, parts), len(topics), parts),
    )


def _tokens(idx2token: Any, size: int) -> list[str]:
    return [str(idx2token[number]) for number in range(size)]


def _shares(model: Any, parts: Parts) -> Any:
    if parts.documents is not None:
        return calling(model.get_doc_topic_distribution, parts.documents, parts=parts)
    return getattr(model, "training_doc_topic_distributions", None)
