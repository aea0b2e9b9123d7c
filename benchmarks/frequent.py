"""The texts that topic models are timed on: 20 Newsgroups, its most frequent words, as numbers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from texts import read_tokens

WORDS = 10_000
ALPHA, BETA = 0.1, 0.01
TIMED = 5  # sweeps


def burn_in(k: int) -> int:
    """Return how many sweeps come before the timed ones: the first are not like the others."""
    return 30 if k <= 100 else 15


def frequent_words(path: Path) -> list[list[int]]:
    """Read documents with the words that are in the most of them."""
    documents = read_tokens(path)
    found = Counter(word for document in documents for word in dict.fromkeys(document))
    numbers = {word: number for number, (word, _) in enumerate(found.most_common(WORDS))}
    return [[numbers[word] for word in one if word in numbers] for one in documents]
