"""Inferring the topic shares θ of new tuples, φ being known."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.compiling.intrinsics import LANES
from tealeaves.models.polylingual.counts import aligned_zeros
from tealeaves.models.polylingual.kernels.inference import sample_tuples
from tealeaves.models.polylingual.kernels.random import key_of
from tealeaves.models.polylingual.texts import PolylingualTexts, TokenLayout

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64

_SPANS_PER_THREAD = 4  # some tuples take longer than others


def infer_theta(
    texts: PolylingualTexts,
    *,
    phi: Sequence[F64],
    alpha: F64,
    iterations: int,
    seed: int,
    threads: int = 1,
) -> F64:
    """Return θ of new tuples: one row per tuple.

    Topics are sampled by Gibbs for ``iterations`` sweeps, and θ is the mean over the second half
    of them. Random numbers depend on the seed and the words of a tuple, so neither other tuples
    nor threads change its row. A tuple without words has the shares of ``alpha``.

    Parameters
    ----------
    texts
        The tuples.
    phi
        For each language how likely its words are in each topic: one row per topic. A word that no
        topic has does not count.
    alpha
        The prior of each topic.
    """
    layout, k = TokenLayout.of(texts), len(alpha)
    width = -(-k // LANES) * LANES
    tokens = np.ascontiguousarray(layout.token_rows, dtype=np.int64)
    starts = np.ascontiguousarray(layout.starts[:: layout.languages])
    table = _word_rows(phi, layout, k, width)
    priors: F64 = aligned_zeros(width, np.float64)
    priors[:k] = alpha
    topics = np.zeros(len(tokens), dtype=np.int32)
    means = np.zeros(layout.tuples * k)

    def sample(span: tuple[int, int]) -> None:
        mixed = aligned_zeros(width, np.int32)
        factors, sums = (aligned_zeros(width, np.float64) for _ in range(2))
        arrays = (starts, tokens, table, priors, topics, mixed, factors, sums, means)
        sample_tuples(*span, k, key_of(seed), iterations, *arrays)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(sample, layout.split_tuples(threads * _SPANS_PER_THREAD)))
    smoothed = means.reshape(-1, k) + alpha
    return np.asarray(smoothed / smoothed.sum(axis=1, keepdims=True), dtype=np.float64)


def _word_rows(phi: Sequence[F64], layout: TokenLayout, k: int, width: int) -> F64:
    """Return φ with one padded row per word, language by language."""
    table: F64 = aligned_zeros(int(layout.rows[-1]) * width, np.float64)
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
