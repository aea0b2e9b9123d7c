"""What of several models is compared: their word lists, or φ over one vocabulary."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.metrics.comparing.divergence import normalised
from tealeaves.metrics.comparing.lists import WordLists
from tealeaves.topics.distributions import phi
from tealeaves.topics.topics import Topics


def lists_of(models: Sequence[Topics], top: int | None) -> WordLists:
    """Return the first words of all topics, as the topics write them."""
    if len(models) == 1:  # its words are numbered once for all metrics
        return WordLists.numbered([numbers[:top] for numbers in models[0].word_numbers])
    return WordLists.of([topic.words[:top] for model in models for topic in model.topics])


def shares_of(lists: WordLists, top: int | None) -> Floats:
    """Return how much of the words that were asked for each list has."""
    found: Floats = lists.lengths / top if top else np.ones(len(lists))
    return found


def stacked_phi(models: Sequence[Topics]) -> Floats:
    """Return p(w|t) of all topics over the union of the vocabularies.

    A word that a model does not know has probability 0 there.
    """
    first = models[0].vocabulary
    if all(model.vocabulary == first for model in models):
        return normalised(np.concatenate([phi(model) for model in models]))
    numbers: dict[str, int] = {}
    columns = [
        np.array([numbers.setdefault(word, len(numbers)) for word in model.vocabulary or ()])
        for model in models
    ]
    found = np.zeros((sum(map(len, models)), len(numbers)))
    start = 0
    for model, column in zip(models, columns, strict=True):
        by_word = found[start : start + len(model)].T
        np.add.at(by_word, column, phi(model).T)  # a vocabulary may have a word twice
        start += len(model)
    return normalised(found)
