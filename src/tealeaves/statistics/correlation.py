"""Pearson, Spearman and Kendall of many columns with one, in many weighted samples at once.

All three take ``X`` (n, columns), or one column (n,), and ``y`` (n,), without missing values, and
``weights`` (samples, n): how often each observation is in each sample. They return an array
(samples, columns), or (columns,) without weights, with NaN where a side is constant.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tealeaves.arrays import Array, Bools, Floats, Integers
from tealeaves.statistics.resampling import memory_slices

# A variance below this share of the mean square has lost digits in their difference.
_LOST_DIGITS = 1e-2


class Coefficient(Protocol):
    """A function of columns, one column, and weights."""

    def __call__(self, X: Floats, y: Floats, weights: Floats | None = None) -> Floats:  # noqa: N803
        """Return (samples, columns), or (columns,) without weights."""


def pearson(X: Floats, y: Floats, weights: Floats | None = None) -> Floats:  # noqa: N803
    """Return Pearson's r.

    >>> pearson(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 4.0]))
    array([0.8])
    """
    if weights is None:
        unweighted: Floats = pearson(X, y, np.ones((1, len(y))))[0]
        return unweighted
    x_columns, y_column = _scaled(as_columns(X)), _scaled(as_columns(y))[:, 0]
    if len(y_column) == 0:
        return np.full((len(weights), x_columns.shape[1]), np.nan)
    r, inexact = _one_pass_r(x_columns, y_column, weights)
    for column in np.flatnonzero(inexact.any(axis=0)):
        rows = np.flatnonzero(inexact[:, column]).astype(np.int64)
        r[rows, column] = _two_pass_r(x_columns[:, column], y_column, weights, rows)
    return _clip(r)


def spearman(X: Floats, y: Floats, weights: Floats | None = None) -> Floats:  # noqa: N803
    """Return Spearman's rho: Pearson's r of the ranks, which are computed anew in each sample.

    >>> spearman(np.array([1.0, 20.0, 300.0, 4000.0]), np.array([1.0, 3.0, 2.0, 4.0]))
    array([0.8])
    """
    if weights is None:
        unweighted: Floats = spearman(X, y, np.ones((1, len(y))))[0]
        return unweighted
    x_groups = [TieGroups.of(column) for column in as_columns(X).T]
    y_groups = TieGroups.of(np.asarray(y))
    rho = np.empty((len(weights), len(x_groups)))
    # small enough to stay in the cache while all columns are computed
    for rows in memory_slices(len(weights), 8 * len(y), budget=1 << 19):
        rho[rows] = _rho(x_groups, y_groups, np.ascontiguousarray(weights[rows].T))
    return _clip(rho)


def kendall(X: Floats, y: Floats, weights: Floats | None = None) -> Floats:  # noqa: N803
    """Return Kendall's tau-b; two copies of an observation are tied on both sides.

    Of the pairs of these four observations five are in order and one is not.

    >>> kendall(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 4.0]))
    array([0.667])
    """
    if weights is None:
        unweighted: Floats = kendall(X, y, np.ones((1, len(y))))[0]
        return unweighted
    x_groups = [TieGroups.of(column) for column in as_columns(X).T]
    y_groups = TieGroups.of(np.asarray(y))
    excess = _weighted_excess([column.group for column in x_groups], y_groups.group, weights)
    y_untied = y_groups.untied_pairs(weights)
    tau = np.full(excess.shape, np.nan)
    for number, column in enumerate(x_groups):
        x_untied = column.untied_pairs(weights)
        defined = (x_untied > 0) & (y_untied > 0)
        roots = np.sqrt(x_untied[defined]) * np.sqrt(y_untied[defined])
        tau[defined, number] = excess[defined, number] / roots
    return _clip(tau)


COEFFICIENTS: Mapping[str, Coefficient] = MappingProxyType(
    {"pearson": pearson, "spearman": spearman, "kendall": kendall}
)


class PairwiseCorrelations(NamedTuple):
    """Coefficients of all columns with all, and the number of rows behind each."""

    values: Floats
    n: NDArray[np.int64]


def pairwise_correlations(
    columns: Floats, coefficient: str, *, fewest: int
) -> PairwiseCorrelations:
    """Correlate all columns with each other, each pair over the rows where both have a value.

    NaN and infinite values are missing. A pair with fewer rows than ``fewest`` is NaN.

    >>> columns = np.array([[1.0, 1.0], [2.0, 3.0], [3.0, 2.0], [4.0, 4.0], [5.0, np.nan]])
    >>> values, n = pairwise_correlations(columns, "spearman", fewest=4)
    >>> values.round(3).tolist(), n.tolist()
    ([[1.0, 0.8], [0.8, 1.0]], [[5, 4], [4, 4]])
    """
    defined = np.isfinite(columns)
    size = columns.shape[1]
    values = np.full((size, size), math.nan)
    n = defined.T.astype(np.int64) @ defined.astype(np.int64)
    for j in range(size):
        # columns that miss the same rows are computed at once
        by_rows: dict[bytes, list[int]] = {}
        for i in range(j, size):
            by_rows.setdefault((defined[:, i] & defined[:, j]).tobytes(), []).append(i)
        for members in by_rows.values():
            if n[members[0], j] < fewest:
                continue
            rows = defined[:, members[0]] & defined[:, j]
            row_values = COEFFICIENTS[coefficient](columns[rows][:, members], columns[rows, j])
            values[members, j] = values[j, members] = row_values
    return PairwiseCorrelations(values, n)


# ---------------------------------------------------------------------- ranks and ties


@dataclass(frozen=True)
class TieGroups:
    """The groups of equal values of one column, in the order of the values.

    Weights are (n, samples): one row per observation, so that sorting moves whole rows.
    """

    group: Integers  # of each observation
    order: Integers
    starts: Integers  # where each group begins in that order

    @classmethod
    def of(cls, values: Floats) -> TieGroups:
        """Sort a column."""
        order = np.argsort(values, kind="stable")
        ordered = values[order]
        new = np.ones(len(values), dtype=bool)
        new[1:] = ordered[1:] != ordered[:-1]
        group = np.empty(len(values), dtype=np.int64)
        group[order] = np.cumsum(new) - 1
        return cls(group, order, np.flatnonzero(new))

    def sums(self, rows: Floats) -> Floats:
        """Add up the rows of each group: (groups, samples)."""
        ordered = rows[self.order]
        if len(self.starts) == len(self.order):
            return ordered
        sums: Floats = np.add.reduceat(ordered, self.starts, axis=0)
        return sums

    def ranks(self, sizes: Floats) -> tuple[Floats, Floats]:
        """Return the centred mid-rank of each group, and the sum of squares of all ranks.

        ``sizes`` are the weights of the groups. The mid-rank of a group is all weight below it and
        half of its own; the mean is half of all weight. Halves of integers are exact, so that the
        squares of a constant column sum to exactly 0.
        """
        total = sizes.sum(axis=0)
        ranks = np.cumsum(sizes, axis=0)
        ranks -= sizes / 2
        ranks -= total / 2
        return ranks, (total**3 - np.einsum("gb,gb,gb->b", sizes, sizes, sizes)) / 12

    def untied_pairs(self, weights: Floats) -> Floats:
        """Return the number of pairs that are not tied in each sample of weights (samples, n)."""
        untied = np.empty(len(weights))
        for rows in memory_slices(len(weights), 8 * weights.shape[1], budget=4 << 20):
            sizes = self.sums(np.ascontiguousarray(weights[rows].T))
            untied[rows] = (sizes.sum(axis=0) ** 2 - np.einsum("gb,gb->b", sizes, sizes)) / 2
        return untied


def as_columns(values: ArrayLike) -> Floats:
    """Return an array (n, columns); one dimension is one column.

    >>> as_columns([1, 2]).tolist()
    [[1.0], [2.0]]
    """
    array = np.asarray(values, dtype=np.float64)
    return array[:, None] if array.ndim == 1 else array


def mid_ranks(columns: Floats) -> Floats:
    """Return the ranks of each column, counted from 1; equal values share their mean rank.

    >>> mid_ranks(np.array([[5.0], [7.0], [5.0], [9.0]])).T.tolist()
    [[1.5, 3.0, 1.5, 4.0]]
    """
    ranks = np.empty(columns.shape)
    for column, values in enumerate(columns.T):
        groups = TieGroups.of(values)
        centred, _ = groups.ranks(groups.sums(np.ones((len(values), 1))))
        ranks[:, column] = centred[groups.group, 0] + (len(values) + 1) / 2
    return ranks


def unit_columns(columns: Floats) -> Floats:
    """Return columns with mean 0 and length 1, whose products are r; NaN where one is constant."""
    centred = columns - columns.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=0)
    return np.asarray(centred / np.where(lengths > 0, lengths, np.nan))


def _rho(x_groups: list[TieGroups], y_groups: TieGroups, weights: Floats) -> Floats:
    y_ranks, y_square = y_groups.ranks(y_groups.sums(weights))
    weighted = weights * y_ranks[y_groups.group]
    rho = np.empty((weights.shape[1], len(x_groups)))
    for number, column in enumerate(x_groups):
        x_ranks, x_square = column.ranks(column.sums(weights))
        products = np.einsum("gb,gb->b", x_ranks, column.sums(weighted))
        rho[:, number] = _ratio(products, x_square, y_square)
    return rho


# ---------------------------------------------------------------------- Pearson's r


def _ratio(products: Floats, x_square: Floats, y_square: Floats) -> Floats:
    """Divide sums of products by the roots of both sums of squares; NaN where one is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Floats = products / np.sqrt(x_square) / np.sqrt(y_square)
    return np.where((x_square > 0) & (y_square > 0), ratio, np.nan)


def _scaled(columns: Floats) -> Floats:
    """Scale each column by a power of two, which is exact, so that no square overflows."""
    largest = np.abs(columns).max(axis=0, initial=0.0)
    scaled: Floats = np.ldexp(columns, -np.frexp(largest)[1])
    return scaled


def _one_pass_r(columns: Floats, y: Floats, weights: Floats) -> tuple[Floats, Bools]:
    """Return r from sums of products, and where that lost too many digits."""
    x, y = columns - columns.mean(axis=0), (y - y.mean())[:, None]
    width = x.shape[1]
    sums = weights @ np.hstack([x, x * x, x * y, y, y * y, np.ones_like(y)])
    x_sum, x_raw, xy_raw, rest = np.split(sums, [width, 2 * width, 3 * width], axis=1)
    y_sum, y_raw, total = rest[:, :1], rest[:, 1:2], np.maximum(rest[:, 2:], 1)
    x_square, y_square = x_raw - x_sum**2 / total, y_raw - y_sum**2 / total
    inexact = (x_square <= _LOST_DIGITS * x_raw) | (y_square <= _LOST_DIGITS * y_raw)
    return _ratio(xy_raw - x_sum * y_sum / total, x_square, y_square), inexact


def _two_pass_r(x: Floats, y: Floats, weights: Floats, rows: Integers) -> Floats:
    """Return r of some samples from differences to the means; constant sides are seen exactly."""
    r = np.full(len(rows), np.nan)
    for some in memory_slices(len(rows), 8 * len(y), budget=8 << 20):
        w = weights[rows[some]]
        total = np.maximum(w.sum(axis=1), 1)
        dx, dy = (v - ((w @ v) / total)[:, None] for v in (x, y))
        weighted = w * dx
        pairs = (weighted, dy), (weighted, dx), (w * dy, dy)
        products, x_square, y_square = (np.einsum("bn,bn->b", *pair) for pair in pairs)
        ratio = _ratio(products, x_square, y_square)
        r[some] = np.where(_varies(x, w) & _varies(y, w), ratio, np.nan)
    return _clip(r)


def _varies(values: Floats, weights: Floats) -> Bools:
    present = weights > 0
    most = np.where(present, values, -np.inf).max(axis=1, initial=-np.inf)
    least = np.where(present, values, np.inf).min(axis=1, initial=np.inf)
    varies: Bools = most > least
    return varies


def _clip(coefficients: Floats) -> Floats:
    """Cut off what rounding adds beyond 1."""
    clipped: Floats = np.clip(coefficients, -1, 1)
    return clipped


# ---------------------------------------------------------------------- Kendall's pairs


def pair_excess(columns: Sequence[Array], rows: Array) -> Floats:
    """Return how many more pairs of each row are in the order of a column than against it.

    The result is (rows, columns). All numbers are halves of integers, and single precision is exact
    within a block of pairs.
    """
    excess = np.zeros((len(rows), len(columns)))
    # few large products: on busy cores many small ones wait for each other
    for firsts, seconds in pair_blocks(rows.shape[1], budget=1 << 18):
        x = np.stack([_signs(column, firsts, seconds).ravel() for column in columns], axis=1)
        for some in memory_slices(len(rows), 4 * len(x), budget=32 << 20):
            first, second = rows[some, firsts, None], rows[some, None, seconds]
            sign = (first > second).view(np.int8) - (first < second).view(np.int8)
            excess[some] += sign.reshape(len(sign), -1).astype(np.float32) @ x
    return excess


def _weighted_excess(columns: list[Integers], y: Integers, weights: Floats) -> Floats:
    """Return how many more pairs are in order than out of order: (samples, columns).

    Single precision is exact here: all numbers are halves of integers, and none is larger than
    the size of a sample.
    """
    excess = np.zeros((len(weights), len(columns)))
    single = weights.astype(np.float32)
    for firsts, seconds in pair_blocks(len(y), budget=4 << 20):
        first, second = y[firsts, None], y[None, seconds]
        sign = (first > second).astype(np.float32) - (first < second)
        for number, column in enumerate(columns):
            product = _signs(column, firsts, seconds) * sign
            for some in memory_slices(len(weights), 12 * len(product), budget=16 << 20):
                sums = single[some, seconds] @ product.T
                excess[some, number] += np.einsum(
                    "br,br->b", sums.astype(np.float64), weights[some, firsts]
                )
    return excess


def pair_blocks(n: int, budget: int) -> Iterator[tuple[slice, slice]]:
    """Yield blocks of pairs, as the slices of first and of second observations.

    Each pair is in one block; a block has pairs of two of its first observations twice.
    """
    for firsts in memory_slices(n, 4 * n, budget):
        yield firsts, slice(firsts.start, n)


def _signs(ranks: Array, firsts: slice, seconds: slice) -> NDArray[np.float32]:
    """Return the sign of the difference of each pair, halved where a block has a pair twice."""
    first, second = ranks[firsts, None], ranks[None, seconds]
    signs = (first > second).astype(np.float32)
    signs -= first < second
    signs[:, : firsts.stop - firsts.start] *= 0.5
    return signs
