"""Odd words, which fit a topic badly, and the pairs of words that are least related."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.consensus.relations import Relations, related
from tealeaves.consensus.signals import mean_logits
from tealeaves.consensus.sources import ModelSources, by_sources

#: A word whose fit is below is odd.
ODD = 0.6
#: The number of weak pairs that are named.
NAMED_PAIRS = 3

# The share of a full core that is added to the loss and to the core. Where hardly any words are
# related there is no core, and all words fit alike.
_LITTLE = 1 / 7


def fits(sources: ModelSources) -> list[dict[str, float]]:
    """Return the fit of each word of each topic of a model; empty where no word is known."""
    by_topic: list[dict[str, float]] = [{} for _ in range(len(sources.model))]
    for rows, relations in sources.relations:
        for mine, seen in by_sources(relations):
            values = fit_of_words(seen)
            for row, words, numbers in zip(rows[mine].tolist(), seen.words, values, strict=True):
                by_topic[row] = dict(zip(words, numbers.tolist(), strict=True))
    return by_topic


def fit_of_words(relations: Relations) -> Floats:
    """Return how well each word fits, a row for each topic: the mean of texts and vectors.

    By one source it is the word's share in the core of the topic: how much the core loses without
    the word, where 1 is the loss without an average word. An unrelated word has almost 0.
    """
    kinds = [names for names in (relations.texts, relations.embeddings) if names]
    return np.asarray(np.mean([_by_sources(relations, names) for names in kinds], axis=0))


def _by_sources(relations: Relations, names: Sequence[str]) -> Floats:
    shares = [share_in_core(related(relations.logits[name])) for name in names]
    return np.asarray(np.mean(shares, axis=0))


def share_in_core(relatedness: Floats) -> Floats:
    """Return what the core loses without each word, as a multiple of an average word's share.

    The core is the largest eigenvalue of the relatedness: n - 1 where all n words are related.

    >>> three_and_one = np.ones((1, 4, 4)) - np.eye(4)
    >>> three_and_one[0, 3] = three_and_one[0, :, 3] = 0
    >>> share_in_core(three_and_one).round(2)
    array([[1.41, 1.41, 1.41, 0.18]])
    """
    size = relatedness.shape[-1]
    whole = np.linalg.eigvalsh(relatedness)[:, -1]
    lost = np.empty(relatedness.shape[:2])
    for word in range(size):
        others = np.delete(np.arange(size), word)
        rest = relatedness[:, others[:, None], others]
        lost[:, word] = whole - np.linalg.eigvalsh(rest)[:, -1]
    little = _LITTLE * (size - 1)
    return np.asarray((lost * (size - 1) + little) / (whole + little)[:, None])


def odd_words(fit: dict[str, float], below: float = ODD) -> tuple[str, ...]:
    """Return the words that fit too badly, the worst first; never half of the topic or more.

    If most words fit badly, there is no theme that they do not fit.

    >>> odd_words({"cat": 1.2, "dog": 1.3, "horse": 1.1, "soup": 0.2})
    ('soup',)
    """
    odd = sorted((word for word, value in fit.items() if value < below), key=fit.__getitem__)
    return tuple(odd) if 2 * len(odd) < len(fit) else ()


class WeakPair(NamedTuple):
    """Two words of a topic, and how related they are, from 0 to 1.

    >>> str(WeakPair("cat", "soup", 0.1))
    'cat–soup'
    """

    one: str
    other: str
    related: float

    def __str__(self) -> str:
        return f"{self.one}–{self.other}"


def weakest_pairs(sources: ModelSources) -> list[list[WeakPair]]:
    """Return the weakest pairs of each topic of a model; empty where no pair is known."""
    by_topic: list[list[WeakPair]] = [[] for _ in range(len(sources.model))]
    for rows, relations in sources.relations:
        for mine, seen in by_sources(relations):
            for row, pairs in zip(rows[mine].tolist(), weakest_of(seen), strict=True):
                by_topic[row] = pairs
    return by_topic


def weakest_of(relations: Relations) -> list[list[WeakPair]]:
    """Return the pairs that are least related by all sources together, the weakest first.

    A pair that no source knows is not weak.
    """
    # the last mean is that of texts and vectors together, if there are both
    logits = list(mean_logits(relations).values())[-1]
    known = np.any(list(relations.known.values()), axis=0)
    one, other = np.triu_indices(relations.size, 1)
    strength = np.where(known, related(logits), np.inf)[:, one, other]
    order = np.argsort(strength, axis=1, kind="stable")[:, :NAMED_PAIRS]
    return [
        [
            WeakPair(words[one[place]], words[other[place]], float(values[place]))
            for place in places
            if np.isfinite(values[place])
        ]
        for words, values, places in zip(relations.words, strength, order, strict=True)
    ]
