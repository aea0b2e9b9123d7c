"""How often each word occurs in each text, and how probable a model finds that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.metrics.following.model_texts import ModelTexts, spans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Floats, Integers


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


def word_counts(texts: ModelTexts, chosen: NDArray[np.bool_] | None = None) -> WordCounts:
    """Count the words of each text, or only those of some tokens."""
    size = max(1, len(texts.by_word))
    keys = texts.text_of_token * size + texts.words
    found, counts = np.unique(keys if chosen is None else keys[chosen], return_counts=True)
    return WordCounts(found // size, found % size, counts)


def log_likelihood(found: WordCounts, by_word: Floats, shares: Floats, eps: float) -> float:
    """Return Σ_d Σ_w n_dw log p(w|d), where p(w|d) = Σ_t p(w|t) p(t|d).

    ``shares`` is p(t|d). With ``eps`` a word has the probability (1 - eps) p(w|d) + eps / W.
    """
    total = 0.0
    for part in spans(len(found.words), by_word.shape[1]):
        given = np.einsum("ik,ik->i", by_word[found.words[part]], shares[found.texts[part]])
        smoothed = (1.0 - eps) * given + eps / len(by_word)
        with np.errstate(divide="ignore"):  # what is impossible is at minus infinity
            total += float(found.counts[part] @ np.log(smoothed))
    return total
