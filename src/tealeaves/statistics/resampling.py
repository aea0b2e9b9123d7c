"""Samples and resampling: bootstrap, jackknife, random halves and permutations.

A resampled data set is a row of weights: how often each observation is in it. So a coefficient is
written once, for weighted observations, and all samples are computed by a few matrix products.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tealeaves.arrays import Floats, Integers
from tealeaves.errors import InputError

# 0.3 - 0.2 and 0.4 - 0.3 differ in the last digits; a spread as small as this is rounding.
_ROUNDING = 1e-12


def cluster_weights(clusters: Integers, draws: int, seed: int) -> Floats:
    """Return how often each observation is in each bootstrap sample: (draws, n).

    Whole clusters are drawn with replacement, as many as there are. If each observation is a
    cluster of its own, this is the usual bootstrap.

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
    """Return the samples that leave out one cluster each: (clusters, n), zeros and ones.

    With ``most`` there are no more samples than that: each then leaves out several clusters, in
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

    They serve statistics that mistake the copies in a bootstrap sample for a pattern. Halves of a
    large sample vary about the whole as much as the whole about the truth; of a small one, more.

    >>> half_weights(np.array([0, 0, 1, 2, 3]), draws=2, seed=0).sum(axis=1).tolist()
    [2.0, 2.0]
    """
    names, member = np.unique(clusters, return_inverse=True)
    order = np.random.default_rng(seed).random((draws, len(names))).argsort(axis=1)
    half: Floats = (order < len(names) // 2).astype(np.float64)[:, member]
    return half


def permutations(n: int, draws: int, seed: int) -> Iterator[Integers]:
    """Yield random orders of n things in blocks: arrays (some, n).

    >>> sum(len(some) for some in permutations(3, draws=10, seed=0))
    10
    """
    generator = np.random.default_rng(seed)
    for rows in memory_slices(draws, 8 * n, budget=32 << 20):
        yield generator.permuted(np.tile(np.arange(n), (rows.stop - rows.start, 1)), axis=1)


def memory_slices(total: int, size: int, budget: int) -> Iterator[slice]:
    """Yield slices of a range of things, each with as many as fit into a budget of bytes.

    >>> list(memory_slices(5, size=8, budget=20))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    step = max(1, budget // max(1, size))
    for start in range(0, total, step):
        yield slice(start, min(total, start + step))


def finite_sample(values: Floats | Sequence[float]) -> Floats:
    """Return a sample as an array; raise an error if a value is missing or infinite.

    >>> finite_sample([1, 2]).tolist()
    [1.0, 2.0]
    """
    row = np.asarray(values, dtype=np.float64)
    if row.ndim != 1:
        raise InputError(f"a sample is one row of numbers, not an array of shape {row.shape}")
    if not np.isfinite(row).all():
        place = int(np.flatnonzero(~np.isfinite(row))[0])
        raise InputError(f"value {place + 1} of a sample is {row[place]}: drop such values first")
    return row


def is_constant(row: Floats) -> bool:
    """Tell whether all values of a sample are the same, up to rounding.

    >>> is_constant(finite_sample([0.3 - 0.2, 0.4 - 0.3])), is_constant(finite_sample([1.0, 1.1]))
    (True, False)
    """
    return bool(row.size == 0 or np.ptp(row) <= _ROUNDING * np.abs(row).max())
