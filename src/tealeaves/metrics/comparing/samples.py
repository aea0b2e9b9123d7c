"""Samples of one chain, compared with their mean."""

from __future__ import annotations

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.metrics.comparing.divergence import cosine, jensen_shannon, normalised
from tealeaves.metrics.comparing.family import LikenessSettings
from tealeaves.metrics.comparing.likeness import likeness_of_lists
from tealeaves.metrics.comparing.lists import WordLists
from tealeaves.metrics.comparing.models import shares_of
from tealeaves.topics.topics import Topics


def means_of_samples(
    model: Topics, settings: LikenessSettings, top: int | None
) -> tuple[Floats, Floats]:
    """Return each topic's mean likeness of its samples to their mean, and its support.

    A sample in which a topic has no words at all cannot be compared.
    """
    values, support = np.full(len(model), np.nan), np.zeros(len(model))
    if model.samples is None:
        return values, support
    for k, topic in enumerate(model.topics):
        drawn = normalised(model.samples[:, k])
        known = drawn[~np.isnan(drawn).any(axis=1)]
        if len(known) < 2:
            continue
        all_of_them = len(known) / len(drawn)
        mean = known.mean(axis=0, keepdims=True)
        if settings.similarity in ("rbo", "jaccard"):
            size = len(topic.words) if top is None else top
            found, share = _of_lists(np.concatenate([mean, known]), settings, size)
        else:
            compare = cosine if settings.similarity == "cosine" else jensen_shannon
            found, share = compare(mean, known), np.ones(len(known) + 1)
        values[k] = found.mean()
        support[k] = all_of_them * float((share[0] * share[1:]).mean())
    return values, support


def _of_lists(
    distributions: Floats, settings: LikenessSettings, size: int
) -> tuple[Floats, Floats]:
    """Compare the first words of the first distribution with those of all others."""
    lists = WordLists.of([_first_words(one, size) for one in distributions])
    likeness = likeness_of_lists(lists, settings)
    return likeness(range(1), range(1, len(lists))), shares_of(lists, size)


def _first_words(distribution: Floats, size: int) -> list[int]:
    """Return the most probable words, of equals the first; none of probability 0."""
    order = np.argsort(-distribution, kind="stable")[:size]
    words: list[int] = order[distribution[order] > 0].tolist()
    return words
