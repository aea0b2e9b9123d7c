"""Folding in: the topics of a text that the model has not seen, its words' probabilities fixed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.metrics.following.model_texts import BLOCK
from tealeaves.metrics.following.word_counts import WordCounts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Floats


def folded_in(
    found: WordCounts, texts: int, by_word: Floats, *, iterations: int, alpha: float
) -> Floats:
    """Estimate p(t|d) of each text by expectation maximisation, from equal shares on.

    A step is p(t|d) ∝ alpha + Σ_w n_dw p(t|d,w) with p(t|d,w) ∝ p(w|t) p(t|d). Texts without
    words keep equal shares.

    >>> counts = WordCounts(np.array([0, 0]), np.array([0, 1]), np.array([3, 1]))
    >>> folded_in(counts, 1, np.eye(2), iterations=1, alpha=0.0).tolist()
    [[0.75, 0.25]]
    """
    topics = by_word.shape[1]
    shares = np.full((texts, topics), 1.0 / topics)
    bounds = np.searchsorted(found.texts, np.arange(texts + 1))
    for start, stop in _blocks(bounds, max(1, BLOCK // topics)):
        part = slice(bounds[start], bounds[stop])
        words, counts = found.words[part], found.counts[part]
        rows = bounds[start : stop + 1] - bounds[start]
        shares[start:stop] = _estimate(words, counts, rows, by_word, iterations, alpha)
    return shares


def _estimate(
    words: NDArray[np.int64],
    counts: NDArray[np.int64],
    bounds: NDArray[np.int64],
    by_word: Floats,
    iterations: int,
    alpha: float,
) -> Floats:
    from scipy.sparse import csr_array

    texts, topics = len(bounds) - 1, by_word.shape[1]
    text_of = np.repeat(np.arange(texts), np.diff(bounds))
    gathered = by_word[words]
    shares: Floats = np.full((texts, topics), 1.0 / topics)
    for _ in range(iterations):
        given = np.einsum("ik,ik->i", gathered, shares[text_of])
        ratio = np.divide(counts, given, out=np.zeros(len(given)), where=given > 0)
        per_text = csr_array((ratio, words, bounds), shape=(texts, len(by_word)))
        weights = shares * (per_text @ by_word) + alpha
        total = weights.sum(axis=1, keepdims=True)
        shares = np.divide(weights, total, out=shares, where=total > 0)
    return shares


def _blocks(bounds: NDArray[np.int64], most: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of texts that together have so many distinct words, or one that has more."""
    start, texts = 0, len(bounds) - 1
    while start < texts:
        end = int(np.searchsorted(bounds, bounds[start] + most, side="right")) - 1
        stop = min(texts, max(start + 1, end))
        yield start, stop
        start = stop
