"""Tiny polylingual texts, and the distribution of their topics from its definition."""

from __future__ import annotations

from itertools import product
from math import lgamma
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.models.texts import TrainingTexts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tealeaves.arrays import Floats

Tuples = list[list[list[int]]]  # words of each language of each tuple


def texts_of(tuples: Tuples, sizes: Sequence[int]) -> TrainingTexts:
    """Return tuples as texts; ``sizes`` are those of the vocabularies."""
    sides = [side for one in tuples for side in one]
    starts = np.cumsum([0, *map(len, sides)])
    words = np.array([word for side in sides for word in side], dtype=np.int32)
    languages = tuple(f"l{n}" for n in range(len(sizes)))
    vocabularies = tuple(tuple(f"w{n}" for n in range(size)) for size in sizes)
    return TrainingTexts(languages, vocabularies, starts, words)


def log_joint(
    tuples: Tuples, sizes: Sequence[int], topics: Sequence[int], alpha: Floats, beta: Floats
) -> float:
    """Return log p(w, z), term by term as the definition has it: nothing is shared with ours."""
    k, left = len(alpha), iter(topics)
    words = [np.zeros((k, size)) for size in sizes]
    total = 0.0
    for one in tuples:
        mixed = np.zeros(k)
        for language, side in enumerate(one):
            for word in side:
                topic = next(left)
                mixed[topic] += 1
                words[language][topic, word] += 1
        total += log_multinomial(mixed, alpha)
    for language, size in enumerate(sizes):
        for row in words[language]:
            total += log_multinomial(row, np.full(size, beta[language]))
    return total


def log_multinomial(counts: Floats, prior: Floats) -> float:
    """Return log B(counts + prior) - log B(prior)."""

    def log_beta(values: Floats) -> float:
        return sum(map(lgamma, values)) - lgamma(values.sum())

    return log_beta(counts + prior) - log_beta(prior)


def brute_conditional(
    tuples: Tuples,
    sizes: Sequence[int],
    topics: Sequence[int],
    alpha: Floats,
    beta: Floats,
    token: int,
) -> Floats:
    """Return the conditional of a token's topic as the ratio of joint probabilities."""
    logs = []
    for topic in range(len(alpha)):
        changed = [*topics[:token], topic, *topics[token + 1 :]]
        logs.append(log_joint(tuples, sizes, changed, alpha, beta))
    weights = np.exp(np.array(logs) - max(logs))
    return np.asarray(weights / weights.sum())


def posterior(
    tuples: Tuples, sizes: Sequence[int], alpha: Floats, beta: Floats
) -> dict[tuple[int, ...], float]:
    """Return the probability of each assignment of topics, all enumerated."""
    tokens = sum(len(side) for one in tuples for side in one)
    every = list(product(range(len(alpha)), repeat=tokens))
    logs = np.array([log_joint(tuples, sizes, topics, alpha, beta) for topics in every])
    weights = np.exp(logs - logs.max())
    return dict(zip(every, (weights / weights.sum()).tolist(), strict=True))
