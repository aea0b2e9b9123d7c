"""Fleiss' κ: agreement on classes beyond chance (Fleiss 1971)."""

from __future__ import annotations

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.judgments.agreeing.tallies import Tally
from tealeaves.judgments.ratings import Ratings


def kappa(ratings: Ratings, weights: Floats | None = None) -> Floats:
    """Return κ of each draw; ``weights`` (draws, items) say how often each item counts.

    Without weights the array has no dimension: a single number. Fleiss had as many answers to each
    item. Where numbers differ, an item's agreement is the share of like pairs among the pairs of
    its own answers, each item counts the same, and the share of a class is its share in all answers
    that can be paired; items with a single answer are left out. NaN where all answers are the same.

    >>> ratings = Ratings.of(list("aabbcc"), [None] * 6, [1.0, 1.0, 2.0, 3.0, 4.0, 4.0])
    >>> float(kappa(ratings))  # agreement 2/3, by chance (4 + 1 + 1 + 4) / 36
    0.538
    """
    tally = Tally(ratings)
    if weights is None:
        return np.asarray(_kappa(tally, np.ones((1, tally.items)))[0])
    if not len(weights):
        return np.empty(0)
    return np.concatenate([_kappa(tally, block) for block in tally.blocks(weights)])


def _kappa(tally: Tally, weights: Floats) -> Floats:
    paired = tally.answers > 1
    like = np.zeros(tally.items)
    np.divide(tally.pairs, tally.answers * (tally.answers - 1), out=like, where=paired)
    margins = tally.margins(weights)
    found = np.full(len(weights), np.nan)
    varied = (margins > 0).sum(1) > 1
    drawn, counted = weights[varied], margins[varied]
    agreed = drawn @ like / (drawn @ paired)
    chance = ((counted / counted.sum(1, keepdims=True)) ** 2).sum(1)
    found[varied] = (agreed - chance) / (1 - chance)
    return found
