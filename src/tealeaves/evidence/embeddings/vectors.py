"""``WordVectors``: the vectors of some words, from one embedding."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

# single precision as encoders give them; double where a user gives that
Vectors = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class WordVectors:
    """A row for each word; a word of which the embedding says nothing has a row of NaN.

    >>> found = WordVectors("toy", "", {"cat": 0, "xyz": 1}, np.array([[3.0, 4.0], [np.nan] * 2]))
    >>> found.of(["cat", "xyz"])
    array([[ 3.,  4.],
           [nan, nan]])
    >>> found.unknown
    ('xyz',)

    Parameters
    ----------
    name
        What the embedding is called.
    fingerprint
        What identifies its weights, for signatures; "" where that is not known.
    numbers
        The row of each word.
    matrix
        The rows.
    codes
        The languages the embedding was made for, such as ``en``; empty if that is not known.
    """

    name: str
    fingerprint: str
    numbers: Mapping[str, int]
    matrix: NDArray[np.floating]
    codes: frozenset[str] = frozenset()

    def of(self, words: Iterable[str]) -> NDArray[np.float64]:
        """Return the vectors of words, which must have been asked for."""
        rows = np.fromiter((self.numbers[word] for word in words), dtype=np.int64)
        return self.matrix[rows].astype(np.float64)

    @cached_property
    def known(self) -> frozenset[str]:
        """The words that have a vector."""
        there = np.isfinite(self.matrix).all(axis=1)
        return frozenset(word for word, row in self.numbers.items() if there[row])

    @property
    def unknown(self) -> tuple[str, ...]:
        """The words that have none."""
        return tuple(word for word in self.numbers if word not in self.known)

    def signature(self, words: Iterable[str]) -> str:
        """Return the name and what identifies the weights, or else the vectors of these words."""
        return f"{self.name}:{self.fingerprint[:8] or self._digest(words)}"

    def _digest(self, words: Iterable[str]) -> str:
        found = hashlib.blake2b(digest_size=4)
        for word in sorted(words):
            row = self.matrix[self.numbers[word]]
            found.update(word.encode("utf-8", "surrogatepass") + b"\0" + row.tobytes())
        return found.hexdigest()


def usable(rows: NDArray[np.floating]) -> Vectors:
    """Turn rows that have no direction (not finite, or all zeros) into rows of NaN."""
    found = np.array(rows, dtype=np.result_type(rows, np.float32), ndmin=2)
    with np.errstate(over="ignore", invalid="ignore"):
        length = np.linalg.norm(found.astype(np.float64), axis=1)
    found[~(np.isfinite(length) & (length > 0))] = np.nan
    return found


def no_vectors(words: Sequence[str], dimensions: int) -> Vectors:
    """Return rows of NaN."""
    return np.full((len(words), dimensions), np.nan, dtype=np.float32)
