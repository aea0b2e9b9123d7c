"""Embedders for tests, which record the words that they embed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tealeaves.arrays import Vectors
from tealeaves.evidence.embeddings import Embedder


class LengthsAndVowels(Embedder):
    """The lengths of words and of their vowels; words with q have no vector."""

    name = "counting"
    batch = 3

    def __init__(self, fingerprint: str = "abc") -> None:
        self._fingerprint = fingerprint
        self.embedded: list[list[str]] = []

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    def embed(self, words: Sequence[str]) -> Vectors:
        self.embedded.append(list(words))
        rows = [
            [np.nan] * 2 if "q" in word else [len(word), 1 + sum(c in "aeiou" for c in word)]
            for word in words
        ]
        return np.array(rows, dtype=np.float32)
