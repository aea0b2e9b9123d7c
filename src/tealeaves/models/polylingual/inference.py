"""The shares of topics in new tuples, phi being known."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.compiling.intrinsics import LANES
from tealeaves.models.polylingual.dense_counts import aligned, padded
from tealeaves.models.polylingual.kernels.inferring import sample_tuples
from tealeaves.models.polylingual.kernels.random import key_of
from tealeaves.models.polylingual.layout import Layout

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64
    from tealeaves.models.polylingual.layout import Texts

_LOADS = 4  # of each thread, for some tuples take longer


def infer(
    texts: Texts,
    *,
    phi: Sequence[F64],
    alpha: F64,
    iterations: int,
    seed: int,
    threads: int = 1,
) -> F64:
    """Return theta of new tuples: a row a tuple.

    Topics are sampled by Gibbs for ``iterations`` sweeps, and theta is the mean over the second
    half of them. Random numbers depend on the seed and the words of a tuple, so neither other
    tuples nor threads change its row; a tuple without words has the shares of ``alpha``.

    Parameters
    ----------
    texts
        The tuples.
    phi
        For each language how likely its words are in each topic: a row a topic. A word that no
        topic has says nothing.
    alpha
        The prior of each topic.
    """
    layout, k = Layout.of(texts), len(alpha)
    width = -(-k // LANES) * LANES
    tokens = np.ascontiguousarray(layout.token_rows, dtype=np.int64)
    starts = np.ascontiguousarray(layout.starts[:: layout.languages])
    table, priors = _by_words(phi, layout, k, width), padded(np.asarray(alpha, float), width)
    topics = np.zeros(len(tokens), dtype=np.int32)
    means = np.zeros(layout.tuples * k)

    def sample(span: tuple[int, int]) -> None:
        rooms = aligned(width, np.int32), *(aligned(width, np.float64) for _ in range(2))
        arrays = (starts, tokens, table, priors, topics, *rooms, means)
        sample_tuples(*span, k, key_of(seed), iterations, *arrays)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(sample, layout.divided(threads * _LOADS)))
    smoothed = means.reshape(-1, k) + alpha
    return np.asarray(smoothed / smoothed.sum(axis=1, keepdims=True), dtype=np.float64)


def _by_words(phi: Sequence[F64], layout: Layout, k: int, width: int) -> F64:
    """Lay out phi with a row a word, all languages' words in turn."""
    table: F64 = aligned(int(layout.rows[-1]) * width, np.float64)
    rows = table.reshape(-1, width)[:, :k]
    for language, own in enumerate(phi):
        first, last = layout.rows[language : language + 2]
        if own.shape != (k, last - first):
            raise ValueError(f"phi of language {language} is {own.shape}, not {(k, last - first)}")
        rows[first:last] = own.T
    if not (np.isfinite(rows).all() and (rows >= 0).all()):
        raise ValueError("phi has negative or undefined values")
    rows[~rows.any(axis=1)] = 1.0
    return table
