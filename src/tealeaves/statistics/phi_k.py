"""phi_K (Baak et al. 2020): how far a table of two variables is from independence.

Numbers are put into bins of equal width between the least and the largest of a sample. phi_K is
the correlation of a normal distribution whose table has the same chi-squared. It has no sign. With
noise correction it is 0 if chi-squared is not larger than its degrees of freedom. At small n it is
far from 0 by chance alone: never read it without n, bins and p.
"""

from __future__ import annotations

import warnings
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from tealeaves.arrays import Array, Floats, Integers
from tealeaves.extras import require
from tealeaves.statistics.resampling import permutations

# Tables whose sums are as near as this are equal: the same cells were added in another order.
_EQUAL = 1e-10


class PhiKOptions(TypedDict, total=False):
    """The options of phi_K.

    ``bins`` is the number of bins (10), ``noise_correction`` is made by default. With ``classes``
    the values of ``y`` are classes, not numbers, and are not put into bins; ``x_classes`` is the
    same for ``x``.
    """

    bins: int
    noise_correction: bool
    classes: bool
    x_classes: bool


def phi_k(x: ArrayLike, y: ArrayLike, **options: Unpack[PhiKOptions]) -> float:
    """Return phi_K, between 0 and 1; NaN if a side is constant.

    >>> x = np.arange(200.0)
    >>> phi_k(x, x % 20)
    0.0
    >>> round(phi_k(x, x**2), 2)
    0.97
    """
    weights = np.ones((1, len(np.asarray(x))))
    return float(phi_k_draws(x, y, weights, **options)[0])


def phi_k_draws(
    x: ArrayLike, y: ArrayLike, weights: Floats, **options: Unpack[PhiKOptions]
) -> Floats:
    """Return phi_K of each weighted sample; bins reach from its least to its largest number.

    Copies in a bootstrap sample look like dependence: its phi_K is too large, especially at small
    n, and the percentiles of such draws need not contain phi_K itself. Samples without copies, such
    as random halves, do not have that fault, but are smaller.
    """
    convert = require("phik.phik", extra="phik", reason="phi_K").phik_from_hist2d
    sides = _sides(x, y, options)
    values = np.full(len(weights), np.nan)
    with warnings.catch_warnings():
        # a class for almost every topic is slow; the small phi_K and its p show it anyway
        warnings.filterwarnings("ignore", message="Many cells", category=UserWarning)
        for number, row in enumerate(weights):
            drawn = row > 0
            rows, columns = (_codes(side[drawn], width) for side, width in sides)
            table = _table(rows, columns, row[drawn])
            if min(table.shape) > 1:
                corrected = options.get("noise_correction", True)
                values[number] = convert(table, noise_correction=corrected)
    return values


def phi_k_p(
    x: ArrayLike, y: ArrayLike, *, draws: int, seed: int, **options: Unpack[PhiKOptions]
) -> float:
    """Return the p of phi_K: (c + 1) / (draws + 1) over permutations of ``y``.

    A permutation does not change the margins of the table, and with given margins phi_K rises with
    chi-squared, by which tables are compared. If phi_K is 0, no permutation has less, and p is 1.
    """
    value = phi_k(x, y, **options)
    if not value > 0:
        return float("nan") if np.isnan(value) else 1.0
    rows, columns = (_codes(side, bins) for side, bins in _sides(x, y, options))
    least = _squares(rows, columns[None])[0] * (1 - _EQUAL)
    count = sum(
        int((_squares(rows, columns[orders]) >= least).sum())
        for orders in permutations(len(rows), draws, seed)
    )
    return (count + 1) / (draws + 1)


def _sides(
    x: ArrayLike, y: ArrayLike, options: PhiKOptions
) -> tuple[tuple[Array, int | None], tuple[Array, int | None]]:
    """Return both sides as arrays, each with its number of bins; None if its values are classes."""
    bins = options.get("bins", 10)
    return (
        (np.asarray(x), None if options.get("x_classes") else bins),
        (np.asarray(y), None if options.get("classes") else bins),
    )


def _codes(values: Array, bins: int | None) -> Integers:
    """Return the number of the class, or of the bin, of each value."""
    if bins is not None and len(values):
        edges = require("phik.binning", extra="phik", reason="phi_K").bin_edges
        numbers = values.astype(np.float64)
        values = np.searchsorted(edges(numbers, bins), numbers)
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def _table(rows: Integers, columns: Integers, weights: Floats) -> Floats:
    shape = (int(rows.max(initial=-1)) + 1, int(columns.max(initial=-1)) + 1)
    where = rows * shape[1] + columns
    cells = np.bincount(where, weights=weights, minlength=shape[0] * shape[1])
    return cells.astype(np.float64).reshape(shape)


def _squares(rows: Integers, columns: Integers) -> Floats:
    """Return the sum of squared cells over the product of their margins: (permutations,).

    Chi-squared is n times this, less n.
    """
    height, width = int(rows.max()) + 1, int(columns.max()) + 1
    margins = np.outer(np.bincount(rows), np.bincount(columns[0])).ravel()
    size = height * width
    cells = rows * width + columns + np.arange(len(columns))[:, None] * size
    tables = np.bincount(cells.ravel(), minlength=len(columns) * size).reshape(-1, size)
    squares: Floats = (tables.astype(np.float64) ** 2) @ (1 / margins)
    return squares
