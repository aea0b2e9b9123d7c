"""Similarity of topics: of their word lists, or of their distributions p(w|t)."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import msgspec
import numpy as np

from tealeaves.arrays import Floats
from tealeaves.metrics.topic_similarity.matching import SimilarityFunction
from tealeaves.metrics.topic_similarity.word_lists import (
    DEFAULT_P,
    Persistence,
    WordLists,
    filled_shares,
    jaccard,
    rbo,
    word_lists_of,
)
from tealeaves.system import processors
from tealeaves.topics.distributions import phi
from tealeaves.topics.topics import Topics

_BLOCK = 1 << 16  # numbers: they stay in the cache of a processor
_MOST_COSINES = 4000  # rows and columns: 128 MB of cosines
_TINY = 1e-300  # added before a logarithm: 0 log 0 is 0


class SimilaritySettings(msgspec.Struct, frozen=True, kw_only=True):
    """How two topics are compared.

    Parameters
    ----------
    similarity
        ``rbo`` and ``jaccard`` compare word lists, ``js`` (1 - Jensen-Shannon divergence, in bits)
        and ``cosine`` the distributions over words.
    p
        The persistence of ``rbo``: the lower, the more the first words count.
    """

    similarity: Literal["rbo", "jaccard", "js", "cosine"] = "rbo"
    p: Persistence | None = DEFAULT_P

    @property
    def by_words(self) -> bool:
        """Whether word lists are compared, not distributions."""
        return self.similarity in ("rbo", "jaccard")


def similarity_of_runs(
    runs: Sequence[Topics], settings: SimilaritySettings, top: int | None
) -> tuple[SimilarityFunction, Floats]:
    """Return how similar topics of several runs are, and the share of words that each has."""
    if settings.by_words:
        lists = word_lists_of(runs, top)
        return similarity_of_lists(lists, settings), filled_shares(lists, top)
    distributions = _stacked_phi(runs)
    complete = np.ones(len(distributions))
    if settings.similarity == "cosine":
        return _similarity_by_cosine(distributions), complete
    return (
        lambda rows, columns: jensen_shannon(
            distributions[rows.start : rows.stop], distributions[columns.start : columns.stop]
        ),
        complete,
    )


def similarity_of_lists(lists: WordLists, settings: SimilaritySettings) -> SimilarityFunction:
    """Return how similar word lists are."""
    if settings.similarity == "jaccard":
        return lambda rows, columns: jaccard(lists, rows, columns)
    p = DEFAULT_P if settings.p is None else settings.p
    return lambda rows, columns: rbo(lists, rows, columns, p)


def _similarity_by_cosine(distributions: Floats) -> SimilarityFunction:
    unit_rows = _unit_rows(distributions)
    if len(unit_rows) > _MOST_COSINES:
        return lambda rows, columns: _products(
            unit_rows[rows.start : rows.stop], unit_rows[columns.start : columns.stop]
        )
    cosines = _products(unit_rows, unit_rows)  # all at once is much faster
    return lambda rows, columns: cosines[rows.start : rows.stop, columns.start : columns.stop]


def _stacked_phi(models: Sequence[Topics]) -> Floats:
    """Return p(w|t) of all topics over the union of the vocabularies.

    A word that a model does not know has probability 0 there.
    """
    first = models[0].vocabulary
    if all(model.vocabulary == first for model in models):
        return normalise_rows(np.concatenate([phi(model) for model in models]))
    numbers: dict[str, int] = {}
    columns = [
        np.array([numbers.setdefault(word, len(numbers)) for word in model.vocabulary or ()])
        for model in models
    ]
    stacked = np.zeros((sum(map(len, models)), len(numbers)))
    start = 0
    for model, column in zip(models, columns, strict=True):
        by_word = stacked[start : start + len(model)].T
        np.add.at(by_word, column, phi(model).T)  # a vocabulary may have a word twice
        start += len(model)
    return normalise_rows(stacked)


# ------------------------------------------------------------------ distributions


def normalise_rows(matrix: Floats) -> Floats:
    """Divide each row by its sum; rows of zeros become NaN."""
    total = matrix.sum(axis=-1, keepdims=True)
    rows: Floats = np.divide(matrix, total, out=np.full_like(matrix, np.nan), where=total > 0)
    return rows


def cosine(left: Floats, right: Floats) -> Floats:
    """Return the cosine of each row of the one with each row of the other.

    >>> cosine(np.array([[0.5, 0.5]]), np.array([[0.5, 0.5], [1.0, 0.0]])).round(3)
    array([[1.   , 0.707]])
    """
    return _products(_unit_rows(left), _unit_rows(right))


def _unit_rows(matrix: Floats) -> Floats:
    """Return the rows with length 1; rows of zeros stay zeros."""
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))[:, None]
    rows: Floats = matrix / np.where(lengths > 0, lengths, 1.0)
    return rows


def _products(left: Floats, right: Floats) -> Floats:
    """Return the cosine of rows that have length 1."""
    products: Floats = left @ right.T
    return np.clip(products, 0.0, 1.0)


def jensen_shannon(left: Floats, right: Floats) -> Floats:
    r"""Return 1 - JS(P, Q) in bits, of each row of the one with each row of the other.

    With :math:`t = p + q`, which sums to 2, the divergence is
    :math:`1 + \frac12 (\sum p \log p + \sum q \log q - \sum t \log t)`.

    >>> jensen_shannon(np.array([[0.5, 0.5]]), np.array([[0.5, 0.5], [1.0, 0.0]])).round(3)
    array([[1.   , 0.689]])
    """
    height = max(1, _BLOCK // max(1, right.shape[1]))
    blocks = [right[start : start + height] for start in range(0, len(right), height)]
    if len(blocks) == 1:
        joint = [_joint_sums(left, blocks[0])]
    else:  # logarithms are most of the work, and numpy computes them in parallel threads
        with ThreadPoolExecutor(processors()) as pool:
            joint = list(pool.map(lambda block: _joint_sums(left, block), blocks))
    own = _own_sums(left)[:, None] + _own_sums(right)[None, :]
    return np.clip(0.5 * (np.concatenate(joint, axis=1) - own), 0.0, 1.0)


def _joint_sums(left: Floats, right: Floats) -> Floats:
    """Return Σ (p + q) log (p + q) of each row of the one with each row of the other."""
    sums = np.empty((len(left), len(right)))
    both, logs = np.empty_like(right), np.empty_like(right)
    for row, p in zip(sums, left, strict=True):
        np.add(right, p + _TINY, out=both)
        np.log2(both, out=logs)
        np.einsum("ij,ij->i", both, logs, out=row)
    return sums


def _own_sums(matrix: Floats) -> Floats:
    """Return Σ p log p of each row."""
    sums: Floats = np.einsum("ij,ij->i", matrix, np.log2(matrix + _TINY))
    return sums
