"""Pearson, Spearman and Kendall of many columns with one, in many weighted samples at once.

All three take ``X`` (n, columns), or one column (n,), and ``y`` (n,), without missing values, and
``weights`` (samples, n): how often each observation is in each sample. What comes back is
(samples, columns), or (columns,) without weights, and NaN where a side is constant.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats, Integers
from tealeaves.statistics.kendall import kendall
from tealeaves.statistics.ranks import Groups, as_columns
from tealeaves.statistics.resampling import pieces

Booleans = NDArray[np.bool_]

# A variance below this share of the mean square has lost digits in their difference.
_LOST = 1e-2


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
        alone: Floats = pearson(X, y, np.ones((1, len(y))))[0]
        return alone
    columns, one = _scaled(as_columns(X)), _scaled(as_columns(y))[:, 0]
    if len(one) == 0:
        return np.full((len(weights), columns.shape[1]), np.nan)
    found, lost = _one_pass(columns, one, weights)
    for column in np.flatnonzero(lost.any(axis=0)):
        rows = np.flatnonzero(lost[:, column]).astype(np.int64)
        found[rows, column] = _two_pass(columns[:, column], one, weights, rows)
    return _bounded(found)


def spearman(X: Floats, y: Floats, weights: Floats | None = None) -> Floats:  # noqa: N803
    """Return Spearman's rho: Pearson's r of the ranks, which are taken anew in each sample.

    >>> spearman(np.array([1.0, 20.0, 300.0, 4000.0]), np.array([1.0, 3.0, 2.0, 4.0]))
    array([0.8])
    """
    if weights is None:
        alone: Floats = spearman(X, y, np.ones((1, len(y))))[0]
        return alone
    columns = [Groups.of(column) for column in as_columns(X).T]
    human = Groups.of(np.asarray(y))
    found = np.empty((len(weights), len(columns)))
    # small enough to stay in the cache while all columns are gone through
    for rows in pieces(len(weights), 8 * len(y), budget=1 << 19):
        found[rows] = _spearman(columns, human, np.ascontiguousarray(weights[rows].T))
    return _bounded(found)


COEFFICIENTS: Mapping[str, Coefficient] = MappingProxyType(
    {"pearson": pearson, "spearman": spearman, "kendall": kendall}
)


def _spearman(columns: list[Groups], human: Groups, weights: Floats) -> Floats:
    ranks, square = human.ranks(human.sums(weights))
    weighted = weights * ranks[human.group]
    found = np.empty((weights.shape[1], len(columns)))
    for number, column in enumerate(columns):
        other, other_square = column.ranks(column.sums(weights))
        together = np.einsum("gb,gb->b", other, column.sums(weighted))
        found[:, number] = _ratio(together, other_square, square)
    return found


def _ratio(together: Floats, x_square: Floats, y_square: Floats) -> Floats:
    """Divide a sum of products by the root of both sums of squares; NaN where one is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = together / np.sqrt(x_square) / np.sqrt(y_square)
    return np.where((x_square > 0) & (y_square > 0), found, np.nan)


def _scaled(columns: Floats) -> Floats:
    """Scale each column by a power of two, which is exact, so that no square overflows."""
    largest = np.abs(columns).max(axis=0, initial=0.0)
    scaled: Floats = np.ldexp(columns, -np.frexp(largest)[1])
    return scaled


def _one_pass(columns: Floats, y: Floats, weights: Floats) -> tuple[Floats, Booleans]:
    """Return r from sums of products, and where too many digits were lost for that."""
    x, y = columns - columns.mean(axis=0), (y - y.mean())[:, None]
    width = x.shape[1]
    sums = weights @ np.hstack([x, x * x, x * y, y, y * y, np.ones_like(y)])
    x_sum, x_raw, xy_raw, rest = np.split(sums, [width, 2 * width, 3 * width], axis=1)
    y_sum, y_raw, total = rest[:, :1], rest[:, 1:2], np.maximum(rest[:, 2:], 1)
    x_square, y_square = x_raw - x_sum**2 / total, y_raw - y_sum**2 / total
    lost = (x_square <= _LOST * x_raw) | (y_square <= _LOST * y_raw)
    return _ratio(xy_raw - x_sum * y_sum / total, x_square, y_square), lost


def _two_pass(x: Floats, y: Floats, weights: Floats, rows: Integers) -> Floats:
    """Return r of some samples from differences to the means, and see exactly what is constant."""
    found = np.full(len(rows), np.nan)
    for piece in pieces(len(rows), 8 * len(y), budget=8 << 20):
        w = weights[rows[piece]]
        total = np.maximum(w.sum(axis=1), 1)
        dx, dy = (v - ((w @ v) / total)[:, None] for v in (x, y))
        weighted = w * dx
        r = _ratio(*(np.einsum("bn,bn->b", *pair)
                     for pair in ((weighted, dy), (weighted, dx), (w * dy, dy))))  # fmt: skip
        found[piece] = np.where(_varies(x, w) & _varies(y, w), r, np.nan)
    return _bounded(found)


def _varies(values: Floats, weights: Floats) -> Booleans:
    there = weights > 0
    most = np.where(there, values, -np.inf).max(axis=1, initial=-np.inf)
    least = np.where(there, values, np.inf).min(axis=1, initial=np.inf)
    varies: Booleans = most > least
    return varies


def _bounded(found: Floats) -> Floats:
    """Cut off what rounding adds to 1."""
    bounded: Floats = np.clip(found, -1, 1)
    return bounded
