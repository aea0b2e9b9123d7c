r"""Which words may intrude into a topic, and how likely each is.

An intruder of topic t comes from another topic s, drawn uniformly from those that have a word that
t does not have; it is one of these words of s, drawn uniformly. With :math:`n_{ts}` such words
and :math:`E_t` such topics,

.. math:: p_t(c) = [c \notin t] \, \frac{1}{E_t} \sum_{s \ne t} \frac{[c \in s]}{n_{ts}} .
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from tealeaves.arrays import Floats, Integers
from tealeaves.metrics.embedded.space import Space


def uniform(space: Space, topic: int, *, own: bool = False) -> Floats:
    """Return the probability of each word as the intruder of a topic; zeros if there is none.

    With ``own``, words that the topic has too may be drawn from another topic, as STREAM does.

    >>> rows = (np.array([0, 1]), np.array([1, 2, 3]))
    >>> space = Space(tuple("abcd"), np.ones((4, 2)), rows, rows, np.array([2.0, 3.0]))
    >>> uniform(space, 0), uniform(space, 1)
    (array([0. , 0. , 0.5, 0.5]), array([1., 0., 0., 0.]))
    """
    words, starts = space.places
    free = np.ones(len(words))
    if not own:
        listed = np.zeros(len(space.words), dtype=bool)
        listed[space.listed[topic]] = True
        free[listed[words]] = 0.0
    free[starts[topic] : starts[topic + 1]] = 0.0
    there = np.add.reduceat(free, starts[:-1])  # a topic has at least one word
    others = np.count_nonzero(there)
    with np.errstate(divide="ignore"):
        share = np.where(there > 0, 1.0 / there, 0.0) / max(others, 1)
    each = free * np.repeat(share, np.diff(starts))
    return np.bincount(words, each, minlength=len(space.words)).astype(np.float64, copy=False)


def frequency_classes(frequencies: Integers) -> Floats:
    """Return the class of each frequency: from one power of two to the next; -1 for none.

    >>> frequency_classes(np.array([0, 1, 2, 3, 4])).tolist()
    [-1.0, 0.0, 1.0, 1.0, 2.0]
    """
    return np.where(frequencies > 0, np.floor(np.log2(np.maximum(frequencies, 1))), -1.0)


def matched(likely: Floats, own: Floats, classes: Floats) -> Floats:
    """Let intruders be about as frequent as the topic's words.

    A word of the topic is drawn uniformly; the intruder comes from the words of its frequency
    class, or from the nearest class that has any, the rarer of two. Words that the texts do not
    have, have no class: they are not drawn, nor drawn for. ``own`` are the classes of the topic's
    words, ``classes`` those of all.
    """
    found = np.zeros_like(likely)
    own = own[own >= 0]
    candidates = np.where(classes >= 0, likely, 0.0)
    there = np.unique(classes[candidates > 0])
    if not len(own) or not len(there):
        return found
    for wanted, times in zip(*np.unique(own, return_counts=True), strict=True):
        nearest = there[np.argmin(np.abs(there - wanted))]
        part = np.where(classes == nearest, candidates, 0.0)
        found += times / len(own) * part / part.sum()
    return found


def generator_of(words: Sequence[str], seed: int) -> np.random.Generator:
    """Return random numbers that depend on the seed and the words alone, not on their order."""
    text = "\0".join(sorted(words)).encode("utf-8", "surrogatepass")
    digest = hashlib.blake2b(text, digest_size=8).digest()
    return np.random.default_rng([seed, int.from_bytes(digest, "little")])


def expected(values: Floats, likely: Floats) -> tuple[float, float]:
    """Return the mean over all intruders, and the share of them that has a value.

    Columns are intruders, with their probabilities, rows the words they may take the place of.
    """
    each = values.mean(axis=0)
    if not np.isnan(each).any():
        return float(each @ likely), 1.0
    all_weights = np.broadcast_to(likely, values.shape)
    weights = np.where(np.isnan(values), 0.0, all_weights)
    total = weights.sum()
    if total == 0:
        return np.nan, 0.0
    # added up alike, so that where each has a value the share is 1 and not a rounding less
    share = float(total / np.ascontiguousarray(all_weights).sum())
    return float((np.nan_to_num(values) * weights).sum() / total), share


def sampled(
    values: Floats, drawn: Integers, random: np.random.Generator
) -> tuple[float, float, float]:
    """Return the mean over drawn intruders, its standard error, and the share that has a value.

    Columns are intruders, and ``drawn`` those that were, in turn; the word that each takes the
    place of, a row, is drawn here.
    """
    draws = len(drawn)
    each = values[random.integers(len(values), size=draws), drawn]
    there = each[~np.isnan(each)]
    if not len(there):
        return np.nan, np.nan, 0.0
    error = there.std(ddof=1) / np.sqrt(len(there)) if len(there) > 1 else np.nan
    return float(there.mean()), float(error), len(there) / draws
