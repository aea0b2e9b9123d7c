"""``Space``: the words of one model's topics as vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats, Integers
from tealeaves.evidence.embeddings.embeddings import WordVectors
from tealeaves.topics.topics import Topics

# Most vectors are of single precision: cosines that differ by less are equal, and a mean that is
# this much shorter than its vectors is nothing but rounding.
ROUNDING = 1e-6

_MOST_PRODUCTS = 4096  # words whose products with each other are kept: 128 MB
_MOST_CELLS = 2_000_000  # products that are made at once: 16 MB


@dataclass(frozen=True, eq=False)
class Space:
    """The first words of each topic, and where they are.

    Words are in alphabetical order, so that nothing depends on the order of topics.

    Parameters
    ----------
    words
        The distinct first words of all topics.
    vectors
        A row for each; NaN where there is no vector.
    topics
        The rows of each topic's first words, best first.
    listed
        The rows of all words that each topic lists, further ones too, as far as they are there.
    asked
        How many words were asked for of each topic.
    """

    words: tuple[str, ...]
    vectors: Floats
    topics: tuple[Integers, ...]
    listed: tuple[Integers, ...]
    asked: Floats

    @classmethod
    def of(cls, model: Topics, vectors: WordVectors, top: int | None) -> Space:
        """Look the first words of a model's topics up."""
        words = tuple(sorted({word for topic in model.topics for word in topic.words[:top]}))
        row = {word: number for number, word in enumerate(words)}
        return cls(
            words,
            vectors.of(words),
            tuple(_rows(topic.words[:top], row) for topic in model.topics),
            tuple(_rows(topic.words, row) for topic in model.topics),
            np.array([float(top or len(topic.words)) for topic in model.topics]),
        )

    def __len__(self) -> int:
        return len(self.topics)

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Whether each word has a vector."""
        return np.asarray(np.isfinite(self.vectors).all(axis=1))

    @cached_property
    def known_topics(self) -> tuple[Integers, ...]:
        """The rows of each topic's first words that have a vector."""
        return tuple(rows[self.known[rows]] for rows in self.topics)

    @cached_property
    def shares(self) -> Floats:
        """How much of the words that were asked for each topic has, with a vector."""
        return np.array([len(rows) for rows in self.known_topics]) / self.asked

    @cached_property
    def places(self) -> tuple[Integers, Integers]:
        """The rows of all topics' first words in turn, and where each topic begins and ends."""
        lengths = [len(rows) for rows in self.topics]
        return np.concatenate(self.topics), np.concatenate([[0], np.cumsum(lengths)])

    def products(self) -> Iterator[Floats]:
        """Yield for each topic the dot products of its known words with all words.

        They are 0 where a word has no vector. Many topics are multiplied at once, which is faster.
        """
        height = max(1, _MOST_CELLS // len(self.words))
        waiting: list[Integers] = []
        for rows in self.known_topics:
            if waiting and sum(map(len, waiting)) + len(rows) > height:
                yield from self._multiplied(waiting)
                waiting = []
            waiting.append(rows)
        yield from self._multiplied(waiting)

    def _multiplied(self, topics: Sequence[Integers]) -> Iterator[Floats]:
        rows = np.concatenate(topics)
        kept = len(self.words) <= _MOST_PRODUCTS
        found = self._products[rows] if kept else self._points[rows] @ self._points.T
        ends = np.cumsum([len(one) for one in topics])
        yield from (found[end - len(one) : end] for one, end in zip(topics, ends, strict=True))

    @cached_property
    def _points(self) -> Floats:
        """The vectors, with zeros where there is none."""
        return np.where(self.known[:, None], self.vectors, 0.0)

    @cached_property
    def _products(self) -> Floats:
        return np.asarray(self._points @ self._points.T)

    @cached_property
    def squares(self) -> Floats:
        """The dot product of each word with itself; 1 where it has no vector, to divide by."""
        return np.where(self.known, (self._points**2).sum(axis=1), 1.0)


def _rows(words: tuple[str, ...], row: dict[str, int]) -> Integers:
    return np.array([row[word] for word in words if word in row], dtype=np.int64)


def unit(vectors: Floats) -> Floats:
    """Return vectors of length 1 in the same directions; NaN where there is none."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    found[~np.isfinite(found).all(axis=-1)] = np.nan
    return found


def cosine(one: Floats, other: Floats) -> float:
    """Return the cosine of two vectors; NaN where one has no direction.

    >>> cosine(np.array([3.0, 4.0]), np.array([4.0, 3.0]))
    0.96
    """
    return float(np.clip(unit(one[None])[0] @ unit(other[None])[0], -1.0, 1.0))
