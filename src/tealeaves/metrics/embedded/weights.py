"""How much the words of a topic weigh: φ, where the model says it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.metrics.embedded.space import Space
from tealeaves.topics.topics import TopicId, Topics


def lack_of_weights(model: Topics) -> str:
    """Say why what its topics' words weigh is not known of a model; nothing if it is.

    No number may be negative, and not all may be 0.

    >>> lack_of_weights(Topics.of([["a", "b"]]))
    'no weights of its words'
    """
    if model.topic_word is not None:
        return ""
    if not any(topic.weights for topic in model.topics):
        return "no weights of its words"
    if silent := [topic.id for topic in model.topics if not topic.weights]:
        return _said(silent, "no weights")
    if negative := [topic.id for topic in model.topics if min(topic.weights or ()) < 0]:
        return _said(negative, "negative weights")
    some = any(weight > 0 for topic in model.topics for weight in topic.weights or ())
    return "" if some else "all weights are 0"


def _said(topics: Sequence[TopicId], what: str) -> str:
    from tealeaves.metrics.notes import listed

    several = len(topics) > 1
    return f"topic{'s' * several} {listed(topics)} {'have' if several else 'has'} {what}"


def phi_of_words(model: Topics, words: Sequence[Sequence[str]]) -> list[Floats]:
    """Return φ of the given words of each topic; they need not sum to 1.

    >>> model = Topics.of([["a", "b"]], vocabulary=("b", "a"), topic_word=[[0.3, 0.7]])
    >>> phi_of_words(model, [["a", "b"]])
    [array([0.7, 0.3])]
    """
    if model.topic_word is None or model.vocabulary is None:
        by_word = [dict(zip(t.words, t.weights or (), strict=False)) for t in model.topics]
        return [
            np.array([known[word] for word in listed], dtype=np.float64)
            for known, listed in zip(by_word, words, strict=True)
        ]
    column = {word: number for number, word in enumerate(model.vocabulary)}
    missing = np.zeros(1)
    return [
        np.append(row, missing)[[column.get(word, -1) for word in listed]]
        for row, listed in zip(model.topic_word, words, strict=True)
    ]


def weights_of(
    space: Space, model: Topics, weights: str, compat: str | None
) -> Sequence[Floats | None]:
    """Return the weights of each topic's first words; None where all weigh the same."""
    if compat == "stream":
        return first_columns(model, [len(rows) for rows in space.topics])
    if weights == "uniform":
        return [None] * len(space)
    return phi_of_words(model, [[space.words[row] for row in rows] for rows in space.topics])


def first_columns(model: Topics, lengths: Sequence[int]) -> list[Floats]:
    """Return what STREAM takes for the weights of a topic's words.

    They are the first columns of the topic-word matrix, which are other words' probabilities.
    """
    matrix = np.zeros((len(model), 0)) if model.topic_word is None else model.topic_word
    short = max(0, max(lengths) - matrix.shape[1])
    return [np.pad(row, (0, short))[:length] for row, length in zip(matrix, lengths, strict=True)]
