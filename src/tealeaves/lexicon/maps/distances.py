"""Distances between tokens, and between languages, by how tokens are expressed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tealeaves.kernels import F64, I64

_CELLS = 4_000_000  # numbers that are computed at once


@dataclass(frozen=True, eq=False)
class Distances:
    """Distances between tokens.

    Parameters
    ----------
    values
        From 0 to 1; NaN if no language expresses both tokens.
    support
        The number of languages that express both tokens.
    """

    values: F64
    support: I64

    @property
    def placed(self) -> I64:
        """The tokens that some language expresses; the others have no distances."""
        return np.flatnonzero(np.diagonal(self.support) > 0)

    def among(self, rows: I64) -> Distances:
        """Return the distances between some of the tokens."""
        cells = np.ix_(rows, rows)
        return Distances(self.values[cells], self.support[cells])


def token_distances(languages: Sequence[Sequence[frozenset[str] | None]]) -> Distances:
    """Return 1 - the mean Jaccard similarity of the expressions of two tokens, over languages.

    A language in which one of the two has no expression, or no passage, is left out.

    >>> english = [frozenset({"hand"}), frozenset({"hand"}), frozenset({"arm"})]
    >>> russian = [frozenset({"ruka"}), frozenset(), frozenset({"ruka"})]
    >>> distances = token_distances([english, russian])
    >>> distances.values.tolist()
    [[0.0, 0.0, 0.5], [0.0, 0.0, 1.0], [0.5, 1.0, 0.0]]
    >>> distances.support.tolist()
    [[2, 1, 2], [1, 1, 1], [2, 1, 2]]
    """
    size = len(languages[0]) if languages else 0
    total = np.zeros((size, size))
    support = np.zeros((size, size), np.int64)
    for series in languages:
        values, defined = similarities(series)
        total += values
        support += defined.astype(np.int64)
    with np.errstate(invalid="ignore"):
        return Distances(1 - total / support, support)


def language_distances(languages: Sequence[Sequence[frozenset[str] | None]]) -> F64:
    """Return how differently languages group the tokens: the mean difference of similarities.

    The mean is over the pairs of tokens that both languages express; NaN if there are none.

    >>> one, two = frozenset({"a"}), frozenset({"b"})
    >>> language_distances([[one, one, two], [one, one, one], [one, None, two]]).round(3).tolist()
    [[0.0, 0.667, 0.0], [0.667, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """
    number = len(languages)
    has = [_indicators(series) for series in languages]
    size = len(languages[0]) if languages else 0
    differences, support = np.zeros((number, number)), np.zeros((number, number))
    step = max(1, _CELLS // max(1, number * size))
    for start in range(0, size, step):
        rows = slice(start, min(start + step, size))
        # each pair of tokens once
        later = np.arange(size) > np.arange(size)[rows, None]
        values, defined = (
            np.array([part[later] for part in parts])
            for parts in zip(*(_similar(one, rows) for one in has), strict=True)
        )
        differences += _sums_of_differences(values, defined)
        support += defined @ defined.T
    # rounding can leave a difference below 0
    mean = np.maximum(differences, 0) / np.maximum(support, 1)
    distances: F64 = np.where(support > 0, mean, np.nan)
    np.fill_diagonal(distances, 0)
    return distances


def similarities(series: Sequence[frozenset[str] | None]) -> tuple[F64, F64]:
    """Return the Jaccard similarities of tokens in one language, and where they are defined.

    A similarity is defined (1) if both tokens are expressed; otherwise it is 0.
    """
    return _similar(_indicators(series), slice(None))


def _indicators(series: Sequence[frozenset[str] | None]) -> F64:
    """Return a matrix with 1 if a token has an expression: (tokens, expressions)."""
    columns: dict[str, int] = {}
    rows, numbers = [], []
    for row, expressions in enumerate(series):
        for expression in sorted(expressions or ()):
            rows.append(row)
            numbers.append(columns.setdefault(expression, len(columns)))
    has = np.zeros((len(series), len(columns)))
    has[rows, numbers] = 1
    return has


def _similar(has: F64, rows: slice) -> tuple[F64, F64]:
    """Return the similarities of some tokens to all, and where they are defined."""
    sizes = has.sum(1)
    shared = has[rows] @ has.T
    defined = (sizes[rows, None] > 0) & (sizes > 0)
    union = np.where(defined, sizes[rows, None] + sizes - shared, 1)
    return shared / union, defined.astype(np.float64)


def _sums_of_differences(values: F64, defined: F64) -> F64:
    """Return the sums of |x - y| over pairs that both define; others are 0 in ``values``."""
    from scipy.spatial.distance import pdist, squareform

    # values that only one has would count as differences
    alone = values.sum(1)[:, None] - values @ defined.T
    return np.asarray(squareform(pdist(values, "cityblock")) - alone - alone.T)
