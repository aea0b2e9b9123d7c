"""Partial correlation: what is left between two variables once a third is accounted for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import ArrayLike

from tealeaves.arrays import Floats, Integers
from tealeaves.errors import InputError
from tealeaves.statistics.correlation import (
    COEFFICIENTS,
    TieGroups,
    mid_ranks,
    pair_excess,
    unit_columns,
)
from tealeaves.statistics.resampling import permutations

# Of rounded sums: a share of a variance as small as this is 0.
_ROUNDING = 1e-12
_TIED = 1e-10


def partial(r_xy: ArrayLike, r_xz: ArrayLike, r_yz: ArrayLike) -> Floats:
    """Return the correlation of x and y given z from the three correlations, element by element.

    The same formula serves Pearson, Spearman (Pearson of ranks) and Kendall (Kendall 1942). NaN
    where z explains x or y completely, and where no variables can have such correlations.

    >>> float(partial(0.5, 0.5, 0.5))  # (0.5 - 0.25) / 0.75
    0.333333
    """
    xy, xz, yz = (np.asarray(r, dtype=np.float64) for r in (r_xy, r_xz, r_yz))
    left_x, left_y = 1 - xz**2, 1 - yz**2
    known = (left_x > _ROUNDING) & (left_y > _ROUNDING)
    scale = np.sqrt(np.where(known, left_x * left_y, np.nan))
    r = (xy - xz * yz) / scale
    # rounding may lead a little beyond 1; far beyond 1 the three are no correlations
    return np.asarray(np.where(np.abs(r) <= 1 + 1e-6, np.clip(r, -1, 1), np.nan))


def partial_p(name: str, X: Floats, y: Floats, z: Floats, draws: int, seed: int) -> Floats:  # noqa: N803
    """Return the p of each column's partial correlation with y given z, by permuted residuals.

    Freedman and Lane (1983): y is what z predicts of it, plus a residual; residuals are permuted,
    and the partial correlation is computed anew. For Spearman and Kendall, y and z are first
    replaced by normal scores of their ranks, so that a line can predict one from the other whatever
    their scales; of each new y only the order is used, with the ranks and ties of y. All this is an
    approximation, since residuals are estimates; for partial tau no exact scheme is known. In
    simulations where x and y depend on z alone, 5 of 100 p are below .05 as they should be, but
    about 8 of those by ranks with 40 units and a z that correlates at .95 with both.

    p = (c + 1) / (draws + 1), where c draws are as far from the mean of all draws as the observed
    value is. That mean is 0 for Pearson, but not for partial tau, and not quite for Spearman: if x
    and y depend on z alone, partial tau is still not 0, so that a value far from 0 may have a
    large p. A draw whose partial correlation is not defined counts as far.

    NaN with fewer than 4 units, and where the partial correlation is NaN.

    >>> z = np.arange(8.0)
    >>> x, y = z + [1, 0, 1, 0, 0, 1, 0, 1], z + [2, 0, 2, 1, 0, 2, 0, 2]
    >>> partial_p("pearson", np.column_stack([x, z]), y, z, draws=999, seed=0)
    array([0.02, nan])
    """
    if name not in COEFFICIENTS:
        raise InputError(f"no partial p of {name!r}: one of {', '.join(COEFFICIENTS)}")
    if draws < 1:
        raise InputError(f"a permutation test needs at least one draw, not {draws}")
    columns = X.reshape(len(X), -1)
    if len(y) < 4:
        return np.full(columns.shape[1], np.nan)
    orders = _orders(len(y), draws, seed)
    if name == "pearson":
        return _p(_partial_pearsons(columns, y, z, orders))
    coefficients = _taus if name == "kendall" else _rhos
    r_xz = COEFFICIENTS[name](columns, z)
    ranks = mid_ranks(np.column_stack([columns, z]))
    draws_of_r = (coefficients(ranks, rows) for rows in _new_ranks(_ranks(y), _ranks(z), orders))
    return _p(partial(r[:, :-1], r_xz, r[:, -1:]) for r in draws_of_r)


def _p(blocks: Iterable[Floats]) -> Floats:
    """Return the share of rows that are as far from the mean of all as the first, observed one."""
    values = np.concatenate(list(blocks))
    known = ~np.isnan(values)
    mean = np.where(known, values, 0).sum(axis=0) / np.maximum(1, known.sum(axis=0))
    distance = np.abs(values - mean)
    # the observed row counts as itself: the 1 of (c + 1) / (draws + 1)
    p = (~known | (distance >= distance[0] - _TIED)).mean(axis=0)
    return np.asarray(np.where(known[0], p, np.nan))


def _orders(n: int, draws: int, seed: int) -> Iterator[Integers]:
    """Yield blocks of orders, first of all the given one."""
    yield np.arange(n)[None, :]
    yield from permutations(n, draws, seed)


def _direction(z: Floats) -> Floats:
    """Return z around its mean and of length 1; 0 where z is constant."""
    centred = z - z.mean()
    length = float(np.linalg.norm(centred))
    return np.asarray(centred / length if length > _ROUNDING * np.linalg.norm(z) else centred * 0)


def _residuals(values: Floats, direction: Floats) -> Floats:
    """Return what a line in z does not predict; NaN where nothing is left, or z is constant."""
    centred = values - values.mean(axis=0)
    rest = centred - np.multiply.outer(direction, direction @ centred)
    left, before, size = ((v**2).sum(axis=0) for v in (rest, centred, values))
    varies = before > _ROUNDING**2 * size
    known = varies & (left > _ROUNDING * before) & bool(direction.any())
    return np.asarray(np.where(known, rest, np.nan))


def _partial_pearsons(
    columns: Floats, y: Floats, z: Floats, orders: Iterator[Integers]
) -> Iterator[Floats]:
    direction = _direction(z)
    x_rest, y_rest = _residuals(columns, direction), _residuals(y, direction)
    x_unit = x_rest / np.sqrt((x_rest**2).sum(axis=0))
    square = (y_rest**2).sum()
    for order in orders:
        permuted = y_rest[order]
        # permuted residuals correlate with z again, which is removed anew
        left = square - (permuted @ direction) ** 2
        left = np.where(left > _ROUNDING * square, left, np.nan)
        yield (permuted @ x_unit) / np.sqrt(left)[:, None]


def _ranks(values: Floats) -> Floats:
    return mid_ranks(values[:, None])[:, 0]


def _normal_scores(ranks: Floats) -> Floats:
    """Return normal scores (van der Waerden)."""
    from scipy.special import ndtri

    return np.asarray(ndtri(ranks / (len(ranks) + 1)), dtype=np.float64)


def _new_ranks(y: Floats, z: Floats, orders: Iterator[Integers]) -> Iterator[Floats]:
    """Yield blocks of new ranks of y, one row each: what z predicts, plus permuted residuals.

    Only the order is that of the sum; the ranks, and so the ties, are those of y.
    """
    scores = _normal_scores(y)
    rest = _residuals(scores, _direction(_normal_scores(z)))
    # y and z may order the units alike, or one of them may be constant
    rest = np.zeros_like(rest) if np.isnan(rest).any() else rest
    for order in orders:
        # scores are symmetric, so that sums may be equal but for rounding
        places = np.argsort(np.round(scores - rest + rest[order], 9), axis=1, kind="stable")
        rows = np.empty(places.shape)
        np.put_along_axis(rows, places, np.sort(y)[None, :], axis=1)
        yield rows


def _rhos(columns: Floats, rows: Floats) -> Floats:
    """Return Spearman's rho of each row of ranks with each column of ranks."""
    return np.asarray(unit_columns(rows.T).T @ unit_columns(columns))


def _taus(columns: Floats, rows: Floats) -> Floats:
    """Return Kendall's tau-b of each row with each column; all rows have the same values."""
    unweighted = np.ones((1, len(columns)))
    untied = [TieGroups.of(column).untied_pairs(unweighted)[0] for column in (rows[0], *columns.T)]
    roots = np.sqrt(untied[0] * np.array(untied[1:]))
    return np.asarray(pair_excess([*columns.T], rows) / np.where(roots > 0, roots, np.nan))
