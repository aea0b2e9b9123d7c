"""How often each observation is in a sample: bootstrap, jackknife and permutations.

A resampled data set is a row of weights. So a coefficient is written once, for weighted
observations, and all samples are had by a few matrix products.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tealeaves.arrays import Floats, Integers


def cluster_weights(clusters: Integers, draws: int, seed: int) -> Floats:
    """Return how often each observation is in each bootstrap sample: (draws, n).

    Whole clusters are drawn with replacement, as many as there are. Where each observation is
    a cluster of its own, this is the usual bootstrap.

    >>> weights = cluster_weights(np.array([0, 0, 1]), draws=4, seed=0)
    >>> weights.tolist()
    [[0.0, 0.0, 2.0], [1.0, 1.0, 1.0], [2.0, 2.0, 0.0], [2.0, 2.0, 0.0]]
    """
    names, member = np.unique(clusters, return_inverse=True)
    total = len(names)
    if total == 0:
        return np.zeros((draws, 0))
    drawn = np.random.default_rng(seed).integers(total, size=(draws, total))
    drawn += np.arange(draws)[:, None] * total
    times = np.bincount(drawn.ravel(), minlength=draws * total).reshape(draws, total)
    return times.astype(np.float64)[:, member]


def jackknife_weights(clusters: Integers, most: int | None = None) -> Floats:
    """Return the samples that leave one cluster out each: (clusters, n), zeros and ones.

    With ``most`` there are no more than so many: clusters are then left out several at a time, in
    groups of (nearly) equal size. The acceleration of an interval is much the same.

    >>> jackknife_weights(np.array([0, 0, 1])).tolist()
    [[0.0, 0.0, 1.0], [1.0, 1.0, 0.0]]
    >>> jackknife_weights(np.array([0, 1, 2, 3]), most=2).tolist()
    [[0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 1.0, 0.0]]
    """
    names, member = np.unique(clusters, return_inverse=True)
    groups = len(names) if most is None else min(len(names), most)
    left: Floats = (np.arange(groups)[:, None] != member[None, :] % max(groups, 1)).astype(float)
    return left


def half_weights(clusters: Integers, draws: int, seed: int) -> Floats:
    """Return random halves of the clusters, drawn without replacement: (draws, n), zeros and ones.

    For statistics that take the copies in a bootstrap sample for a pattern. Halves of a large
    sample vary about the whole as much as the whole about the truth; of a small one, more.

    >>> half_weights(np.array([0, 0, 1, 2, 3]), draws=2, seed=0).sum(axis=1).tolist()
    [2.0, 2.0]
    """
    names, member = np.unique(clusters, return_inverse=True)
    order = np.random.default_rng(seed).random((draws, len(names))).argsort(axis=1)
    half: Floats = (order < len(names) // 2).astype(np.float64)[:, member]
    return half


def permutations(n: int, draws: int, seed: int) -> Iterator[Integers]:
    """Yield random orders of n things, many at a time: arrays (some, n).

    >>> sum(len(some) for some in permutations(3, draws=10, seed=0))
    10
    """
    rng = np.random.default_rng(seed)
    for rows in pieces(draws, 8 * n, budget=32 << 20):
        yield rng.permuted(np.tile(np.arange(n), (rows.stop - rows.start, 1)), axis=1)


def pieces(total: int, size: int, budget: int) -> Iterator[slice]:
    """Yield slices of a range so that as many things of a size fit in a budget of bytes.

    >>> list(pieces(5, size=8, budget=20))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    step = max(1, budget // max(1, size))
    for start in range(0, total, step):
        yield slice(start, min(total, start + step))
