"""``TopicSpace``: the words of one model's topics as vectors, their weights and centroids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.arrays import offsets
from tealeaves.tables.numbers import list_text
from tealeaves.topics.topics import TopicId, Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Floats, Integers
    from tealeaves.evidence.embeddings.embeddings import WordVectors

# Most vectors have single precision: cosines that differ by less than this are equal, and a mean
# that is shorter than this share of its vectors is nothing but rounding.
ROUNDING = 1e-6

_MOST_PRODUCTS = 4096  # words whose products with each other are kept: 128 MB
_MOST_CELLS = 2_000_000  # products that are computed at once: 16 MB


@dataclass(frozen=True, eq=False)
class TopicSpace:
    """The first words of each topic and their vectors.

    Words are in alphabetical order, so that nothing depends on the order of topics.

    Parameters
    ----------
    words
        The distinct first words of all topics.
    vectors
        One row per word; NaN where a word has no vector.
    topics
        The rows of each topic's first words, best word first.
    listed_rows
        The rows of all words that each topic lists, as far as ``words`` has them.
    wanted
        The number of words that were asked for of each topic.
    """

    words: tuple[str, ...]
    vectors: Floats
    topics: tuple[Integers, ...]
    listed_rows: tuple[Integers, ...]
    wanted: Floats

    @classmethod
    def of(cls, model: Topics, vectors: WordVectors, top: int | None) -> TopicSpace:
        """Look up the first words of a model's topics."""
        words = tuple(sorted({word for topic in model.topics for word in topic.words[:top]}))
        row_of = {word: row for row, word in enumerate(words)}

        def rows(topic_words: tuple[str, ...]) -> Integers:
            return np.array([row_of[word] for word in topic_words if word in row_of], np.int64)

        return cls(
            words,
            vectors.of(words),
            tuple(rows(topic.words[:top]) for topic in model.topics),
            tuple(rows(topic.words) for topic in model.topics),
            np.array([float(top or len(topic.words)) for topic in model.topics]),
        )

    def __len__(self) -> int:
        return len(self.topics)

    @cached_property
    def known(self) -> Bools:
        """Whether each word has a vector."""
        return np.asarray(np.isfinite(self.vectors).all(axis=1))

    @cached_property
    def known_topics(self) -> tuple[Integers, ...]:
        """The rows of each topic's first words that have a vector."""
        return tuple(rows[self.known[rows]] for rows in self.topics)

    @cached_property
    def shares(self) -> Floats:
        """The share of the words asked for that each topic has, with a vector."""
        return np.array([len(rows) for rows in self.known_topics]) / self.wanted

    @cached_property
    def places(self) -> tuple[Integers, Integers]:
        """The rows of all topics' first words in turn, and where each topic begins and ends."""
        return np.concatenate(self.topics), offsets([len(rows) for rows in self.topics])

    def products(self) -> Iterator[Floats]:
        """Yield for each topic the dot products of its known words with all words.

        They are 0 where a word has no vector. Many topics are multiplied at once, which is faster.
        """
        height = max(1, _MOST_CELLS // len(self.words))
        batch: list[Integers] = []
        for rows in self.known_topics:
            if batch and sum(map(len, batch)) + len(rows) > height:
                yield from self._batch_products(batch)
                batch = []
            batch.append(rows)
        yield from self._batch_products(batch)

    def _batch_products(self, topics: Sequence[Integers]) -> Iterator[Floats]:
        rows = np.concatenate(topics)
        if len(self.words) <= _MOST_PRODUCTS:
            products = self._all_products[rows]
        else:
            products = self._points[rows] @ self._points.T
        ends = np.cumsum([len(topic) for topic in topics])
        for topic, end in zip(topics, ends, strict=True):
            yield products[end - len(topic) : end]

    @cached_property
    def _points(self) -> Floats:
        """The vectors, with zeros where there is none."""
        return np.where(self.known[:, None], self.vectors, 0.0)

    @cached_property
    def _all_products(self) -> Floats:
        return np.asarray(self._points @ self._points.T)

    @cached_property
    def squares(self) -> Floats:
        """The dot product of each word with itself; 1 where it has no vector, to divide by."""
        return np.where(self.known, (self._points**2).sum(axis=1), 1.0)

    def centroids(self, weights: Sequence[Floats | None]) -> Floats:
        """Return the mean vector of each topic, one row per topic.

        Words without a vector are left out, and the weights of the others are made to sum to 1.
        ``None`` stands for equal weights.
        """
        means = []
        for rows, topic_weights in zip(self.topics, weights, strict=True):
            known = self.known[rows]
            known_weights = None if topic_weights is None else topic_weights[known]
            means.append(mean_vector(self.vectors[rows[known]], known_weights))
        return np.array(means)

    def word_weights(
        self, model: Topics, weights: str, compat: str | None
    ) -> Sequence[Floats | None]:
        """Return the weights of each topic's first words; None where all weigh the same.

        ``compat="stream"`` takes the first columns of the topic-word matrix, as STREAM does,
        although these are the probabilities of other words.
        """
        if compat == "stream" and model.topic_word is not None:
            lengths = [len(rows) for rows in self.topics]
            short = max(0, max(lengths) - model.topic_word.shape[1])
            rows_and_lengths = zip(model.topic_word, lengths, strict=True)
            return [np.pad(row, (0, short))[:length] for row, length in rows_and_lengths]
        if weights == "uniform":
            return [None] * len(self)
        return phi_of_words(model, [[self.words[row] for row in rows] for rows in self.topics])


def lack_of_weights(model: Topics) -> str:
    """Say why the weights of a model's words cannot be used; return nothing if they can.

    No weight may be negative, and not all may be 0.

    >>> lack_of_weights(Topics.of([["a", "b"]]))
    'no weights of its words'
    """
    if model.topic_word is not None:
        return ""
    if not any(topic.weights for topic in model.topics):
        return "no weights of its words"
    if silent := [topic.id for topic in model.topics if not topic.weights]:
        return _topics_have(silent, "no weights")
    if negative := [topic.id for topic in model.topics if min(topic.weights or ()) < 0]:
        return _topics_have(negative, "negative weights")
    positive = any(weight > 0 for topic in model.topics for weight in topic.weights or ())
    return "" if positive else "all weights are 0"


def _topics_have(topics: Sequence[TopicId], what: str) -> str:
    several = len(topics) > 1
    return f"topic{'s' * several} {list_text(topics)} {'have' if several else 'has'} {what}"


def phi_of_words(model: Topics, words: Sequence[Sequence[str]]) -> list[Floats]:
    """Return φ of the given words of each topic; the values need not sum to 1.

    >>> model = Topics.of([["a", "b"]], vocabulary=("b", "a"), topic_word=[[0.3, 0.7]])
    >>> phi_of_words(model, [["a", "b"]])
    [array([0.7, 0.3])]
    """
    if model.topic_word is None or model.vocabulary is None:
        by_word = [dict(zip(t.words, t.weights or (), strict=False)) for t in model.topics]
        return [
            np.array([weights[word] for word in topic_words], dtype=np.float64)
            for weights, topic_words in zip(by_word, words, strict=True)
        ]
    column = {word: number for number, word in enumerate(model.vocabulary)}
    missing = np.zeros(1)
    return [
        np.append(row, missing)[[column.get(word, -1) for word in topic_words]]
        for row, topic_words in zip(model.topic_word, words, strict=True)
    ]


def mean_vector(vectors: Floats, weights: Floats | None = None) -> Floats:
    """Return the mean of vectors, weighted where weights are given.

    It is NaN where there are no vectors, and where vectors cancel out: then only rounding is left,
    which has no direction.

    >>> mean_vector(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([3.0, 1.0]))
    array([0.75, 0.25])
    >>> mean_vector(np.array([[0.1, 0.2], [0.2, -0.1], [-0.3, -0.1]]))
    array([nan, nan])
    """
    share = np.ones(len(vectors)) if weights is None else weights
    total = share.sum()
    if not total > 0:
        return np.full(vectors.shape[1], np.nan)
    mean: Floats = share @ vectors / total
    length = share @ np.linalg.norm(vectors, axis=1) / total
    return mean if np.linalg.norm(mean) > ROUNDING * length else np.full_like(mean, np.nan)


def unit_vectors(vectors: Floats) -> Floats:
    """Return vectors of length 1 in the same directions; NaN where there is no direction."""
    with np.errstate(invalid="ignore", divide="ignore"):
        directions: Floats = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    directions[~np.isfinite(directions).all(axis=-1)] = np.nan
    return directions


def cosine(one: Floats, other: Floats) -> float:
    """Return the cosine of two vectors; NaN where one has no direction.

    >>> cosine(np.array([3.0, 4.0]), np.array([4.0, 3.0]))
    0.96
    """
    return float(np.clip(unit_vectors(one[None])[0] @ unit_vectors(other[None])[0], -1.0, 1.0))
