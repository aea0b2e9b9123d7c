"""Weak pairs: the two words of a topic that are least related."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tealeaves.consensus.relations import Relations, related
from tealeaves.consensus.signals import mean_logits
from tealeaves.consensus.sources import ModelSources, by_sources

#: So many are named.
NAMED = 3


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
    """Return the weakest pairs of each topic of a model; none where nothing is known."""
    found: list[list[WeakPair]] = [[] for _ in range(len(sources.model))]
    for rows, relations in sources.relations:
        for mine, seen in by_sources(relations):
            for row, pairs in zip(rows[mine].tolist(), weakest_of(seen), strict=True):
                found[row] = pairs
    return found


def weakest_of(relations: Relations, number: int = NAMED) -> list[list[WeakPair]]:
    """Return the pairs that are least related by all sources together, the weakest first.

    A pair that no source knows is not called weak.
    """
    # the last mean is of texts and vectors together, or of the only ones there are
    logits = list(mean_logits(relations).values())[-1]
    known = np.any(list(relations.known.values()), axis=0)
    one, other = np.triu_indices(relations.size, 1)
    strength = np.where(known, related(logits), np.inf)[:, one, other]
    order = np.argsort(strength, axis=1, kind="stable")[:, :number]
    return [
        [
            WeakPair(words[one[place]], words[other[place]], float(values[place]))
            for place in places
            if np.isfinite(values[place])
        ]
        for words, values, places in zip(relations.words, strength, order, strict=True)
    ]
