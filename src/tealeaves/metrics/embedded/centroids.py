"""Centroids of topics."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.metrics.embedded.space import ROUNDING, Space


def mean_vector(vectors: Floats, weights: Floats | None = None) -> Floats:
    """Return the mean of vectors, weighted where weights are given.

    It is NaN where there is nothing to take the mean of, and where vectors cancel out: what is left
    of them then is rounding, which has no direction.

    >>> mean_vector(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([3.0, 1.0]))
    array([0.75, 0.25])
    >>> mean_vector(np.array([[0.1, 0.2], [0.2, -0.1], [-0.3, -0.1]]))
    array([nan, nan])
    """
    share = np.ones(len(vectors)) if weights is None else weights
    total = share.sum()
    if not total > 0:
        return np.full(vectors.shape[1], np.nan)
    found: Floats = share @ vectors / total
    length = share @ np.linalg.norm(vectors, axis=1) / total
    return found if np.linalg.norm(found) > ROUNDING * length else np.full_like(found, np.nan)


def centroid(space: Space, topic: int, weights: Floats | None = None) -> Floats:
    """Return the mean of a topic's vectors, weighted where weights are given.

    Words without a vector are left out, and the weights of the others made to sum to 1. Where
    nothing is left, it is NaN.
    """
    rows = space.topics[topic]
    there = space.known[rows]
    return mean_vector(space.vectors[rows[there]], None if weights is None else weights[there])


def centroids(space: Space, weights: Sequence[Floats | None]) -> Floats:
    """Return the centroid of each topic, a row each."""
    return np.array([centroid(space, t, weights[t]) for t in range(len(space))])
