"""Which words, and which tokens, say nothing of the topic."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Literal

import numpy as np

from tealeaves.metrics.artm.divergence import kl
from tealeaves.topics.distributions import phi, topics_given_words
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

Direction = Literal["direct", "reverse"]
_ROUNDING = 1e-12


def share_of_near_tokens(
    topics: Topics, shares: Floats, delta: float, direction: Direction
) -> tuple[float, float]:
    """Return the share of tokens whose word is within delta of p(t), and the support.

    Words that no topic has, but the corpus, are left out and lower the support.
    """
    given = topics_given_words(topics, shares).T
    distance = kl(shares, given) if direction == "direct" else kl(given, shares)
    weights = word_weights(topics, shares)
    known = given.any(axis=1)
    total, said = weights.sum(), weights[known].sum()
    if not said:
        return float("nan"), 0.0
    near = known & (distance <= delta + _ROUNDING)
    return float(weights[near].sum() / said), float(said / total)


def share_of_far_words(topics: Topics, shares: Floats, delta: float, direction: Direction) -> float:
    """Return the share of the vocabulary that is further than delta from p(t), as BigARTM does.

    Topics with p(t|w) = 0 are passed over in the sum, which may then be negative.
    """
    given = topics_given_words(topics, shares).T
    there = given > 0
    logs = np.zeros(given.shape)
    np.log(given, out=logs, where=there)
    with np.errstate(divide="ignore", invalid="ignore"):
        differences = np.where(there, np.log(shares) - logs, 0.0)
    terms = shares * differences if direction == "direct" else -given * differences
    return float((terms.sum(axis=1) > delta + _ROUNDING).mean())


def word_weights(topics: Topics, shares: Floats) -> Floats:
    """Return how often each word occurs, else how probable the model thinks it."""
    if topics.term_frequency is not None and topics.term_frequency.any():
        return topics.term_frequency.astype(np.float64)
    weights: Floats = shares @ phi(topics)
    return weights


def weights_origin(topics: Topics) -> str:
    """Return what the weights of words were taken from, for signatures."""
    counted = topics.term_frequency is not None and topics.term_frequency.any()
    return "tokens=counted" if counted else "tokens=expected"


def fitting_topics(topics: Topics, patterns: str) -> list[int]:
    """Return the positions of the topics whose id fits one of the patterns.

    >>> fitting_topics(Topics.of({"sport": ["a"], "bcg0": ["b"], "bcg1": ["c"]}), "bcg*")
    [1, 2]
    """
    asked = patterns.split()
    found = enumerate(str(topic.id) for topic in topics.topics)
    return [row for row, name in found if any(fnmatchcase(name, one) for one in asked)]
