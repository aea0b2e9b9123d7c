"""Inference: p(t|d) of texts that the model has not seen, from their words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.metrics.per_text.model_texts import BLOCK, ModelTexts

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Floats, Integers


@dataclass(frozen=True, eq=False)
class WordCounts:
    """The distinct words of each text, text by text, and how often each occurs there."""

    texts: Integers
    words: Integers
    counts: Integers

    @property
    def tokens(self) -> int:
        """The number of tokens."""
        return int(self.counts.sum())


def count_words(texts: ModelTexts, chosen: Bools | None = None) -> WordCounts:
    """Count the words of each text; ``chosen`` marks the tokens that count, by default all."""
    size = max(1, len(texts.by_word))
    keys = texts.text_of_token * size + texts.words
    distinct, counts = np.unique(keys if chosen is None else keys[chosen], return_counts=True)
    return WordCounts(distinct // size, distinct % size, counts)


def fold_in(
    word_counts: WordCounts, texts: int, by_word: Floats, *, iterations: int, alpha: float
) -> Floats:
    """Estimate p(t|d) of each text by expectation maximisation, starting with equal shares.

    A step is p(t|d) ∝ alpha + Σ_w n_dw p(t|d,w) with p(t|d,w) ∝ p(w|t) p(t|d). Texts without
    words keep equal shares.

    >>> counts = WordCounts(np.array([0, 0]), np.array([0, 1]), np.array([3, 1]))
    >>> fold_in(counts, 1, np.eye(2), iterations=1, alpha=0.0).tolist()
    [[0.75, 0.25]]
    """
    topics = by_word.shape[1]
    shares = np.full((texts, topics), 1.0 / topics)
    bounds = np.searchsorted(word_counts.texts, np.arange(texts + 1))
    for start, stop in _text_blocks(bounds, max(1, BLOCK // topics)):
        part = slice(bounds[start], bounds[stop])
        words, counts = word_counts.words[part], word_counts.counts[part]
        rows = bounds[start : stop + 1] - bounds[start]
        shares[start:stop] = _estimate(words, counts, rows, by_word, iterations, alpha)
    return shares


def _estimate(
    words: Integers,
    counts: Integers,
    bounds: Integers,
    by_word: Floats,
    iterations: int,
    alpha: float,
) -> Floats:
    from scipy.sparse import csr_array

    texts, topics = len(bounds) - 1, by_word.shape[1]
    text_of = np.repeat(np.arange(texts), np.diff(bounds))
    word_rows = by_word[words]
    shares: Floats = np.full((texts, topics), 1.0 / topics)
    for _ in range(iterations):
        probability = np.einsum("ik,ik->i", word_rows, shares[text_of])
        ratio = np.divide(
            counts, probability, out=np.zeros(len(probability)), where=probability > 0
        )
        per_text = csr_array((ratio, words, bounds), shape=(texts, len(by_word)))
        weights = shares * (per_text @ by_word) + alpha
        total = weights.sum(axis=1, keepdims=True)
        shares = np.divide(weights, total, out=shares, where=total > 0)
    return shares


def _text_blocks(bounds: Integers, most: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of texts with at most so many distinct words, or one text that has more."""
    start, texts = 0, len(bounds) - 1
    while start < texts:
        end = int(np.searchsorted(bounds, bounds[start] + most, side="right")) - 1
        stop = min(texts, max(start + 1, end))
        yield start, stop
        start = stop
