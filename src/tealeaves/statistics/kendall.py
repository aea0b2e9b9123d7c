"""Kendall's tau-b as a quadratic form of the weights."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats, Integers
from tealeaves.statistics.ranks import Groups, as_columns
from tealeaves.statistics.resampling import pieces

Signs = NDArray[np.float32]


def kendall(X: Floats, y: Floats, weights: Floats | None = None) -> Floats:  # noqa: N803
    """Return Kendall's tau-b; two copies of an observation are tied on both sides.

    Of the pairs of these four observations five are in order and one is not.

    >>> kendall(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 4.0]))
    array([0.667])
    """
    if weights is None:
        alone: Floats = kendall(X, y, np.ones((1, len(y))))[0]
        return alone
    columns = [Groups.of(column) for column in as_columns(X).T]
    human = Groups.of(np.asarray(y))
    excess = _excess([column.group for column in columns], human.group, weights)
    untied = _untied(human, weights)
    found = np.full(excess.shape, np.nan)
    for number, column in enumerate(columns):
        pairs = _untied(column, weights)
        there = (pairs > 0) & (untied > 0)
        roots = np.sqrt(pairs[there]) * np.sqrt(untied[there])
        found[there, number] = excess[there, number] / roots
    bounded: Floats = np.clip(found, -1, 1)
    return bounded


def sign_blocks(n: int, bytes_per_pair: int, budget: int) -> Iterator[tuple[slice, slice]]:
    """Yield rows and columns of the pairs: each pair once, and twice within the rows."""
    for rows in pieces(n, bytes_per_pair * n, budget):
        yield rows, slice(rows.start, n)


def signs(ranks: Integers, rows: slice, columns: slice) -> Signs:
    """Return the sign of each difference, halved where a pair is there twice."""
    first, second = ranks[rows, None], ranks[None, columns]
    found = (first > second).astype(np.float32)
    found -= first < second
    found[:, : rows.stop - rows.start] *= 0.5
    return found


def _excess(columns: list[Integers], human: Integers, weights: Floats) -> Floats:
    """Return how many more pairs are in order than out of order: (samples, columns).

    Single precision is exact here: all numbers are halves of integers, and none is larger than
    the size of a sample.
    """
    found = np.zeros((len(weights), len(columns)))
    small = weights.astype(np.float32)
    for rows, others in sign_blocks(len(human), 4, budget=4 << 20):
        first, second = human[rows, None], human[None, others]
        sign = (first > second).astype(np.float32) - (first < second)
        for number, column in enumerate(columns):
            product = signs(column, rows, others) * sign
            for piece in pieces(len(weights), 12 * len(product), budget=16 << 20):
                met = small[piece, others] @ product.T
                found[piece, number] += np.einsum(
                    "br,br->b", met.astype(np.float64), weights[piece, rows]
                )
    return found


def _untied(groups: Groups, weights: Floats) -> Floats:
    """Return the number of pairs that are not tied, for each sample."""
    found = np.empty(len(weights))
    for rows in pieces(len(weights), 8 * weights.shape[1], budget=4 << 20):
        sizes = groups.sums(np.ascontiguousarray(weights[rows].T))
        found[rows] = (sizes.sum(axis=0) ** 2 - np.einsum("gb,gb->b", sizes, sizes)) / 2
    return found
