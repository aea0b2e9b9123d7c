"""Odd words: how well each word fits its topic, by leaving it out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.consensus.relations import Relations, related
from tealeaves.consensus.sources import ModelSources, by_sources

#: A word whose fit is below is odd.
ODD = 0.6

# The share of a whole core that is added to what is lost and to what there is: where hardly any
# words are related there is no core that a word could be outside of, and all fit alike.
_LITTLE = 1 / 7


def fits(sources: ModelSources) -> list[dict[str, float]]:
    """Return the fit of each word of each topic of a model; nothing where none is known."""
    found: list[dict[str, float]] = [{} for _ in range(len(sources.model))]
    for rows, relations in sources.relations:
        for mine, seen in by_sources(relations):
            values = fit_of_words(seen)
            for row, words, numbers in zip(rows[mine].tolist(), seen.words, values, strict=True):
                found[row] = dict(zip(words, numbers.tolist(), strict=True))
    return found


def fit_of_words(relations: Relations) -> Floats:
    """Return how well each word fits, a row a topic: the mean of what texts and vectors say.

    A source has each word's share in the core of the topic: how much the core loses when the word
    is left out, where 1 is what an average word is worth. Related to nothing, a word has next to 0.
    """
    kinds = [names for names in (relations.texts, relations.embeddings) if names]
    return np.asarray(np.mean([_by_sources(relations, names) for names in kinds], axis=0))


def _by_sources(relations: Relations, names: Sequence[str]) -> Floats:
    shares = [share_in_core(related(relations.logits[name])) for name in names]
    return np.asarray(np.mean(shares, axis=0))


def share_in_core(relatedness: Floats) -> Floats:
    """Return what the core loses without each word, as a share of what an average word is worth.

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

    Where most words are odd there is no topic that they could be odd in.

    >>> odd_words({"cat": 1.2, "dog": 1.3, "horse": 1.1, "soup": 0.2})
    ('soup',)
    """
    found = sorted((word for word, value in fit.items() if value < below), key=fit.__getitem__)
    return tuple(found) if 2 * len(found) < len(fit) else ()
