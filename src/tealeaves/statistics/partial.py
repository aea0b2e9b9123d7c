"""Partial correlation: what is left between two variables once a third is accounted for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import ArrayLike

from tealeaves.arrays import Floats, Integers
from tealeaves.errors import InputError
from tealeaves.statistics.coefficients import COEFFICIENTS
from tealeaves.statistics.kendall import sign_blocks, signs
from tealeaves.statistics.ranks import mid_ranks
from tealeaves.statistics.resampling import pieces

# of rounded sums: what is left of a variable that the third explains in full
_ROUNDING = 1e-12
_TIED = 1e-10


def partial(r_xy: ArrayLike, r_xz: ArrayLike, r_yz: ArrayLike) -> Floats:
    """Return the correlation of x and y given z, of the three between them, element by element.

    The same formula serves Pearson, Spearman (Pearson of ranks) and Kendall (Kendall 1942). NaN
    where z explains x or y in full, and where no variables can have such correlations.

    >>> float(partial(0.5, 0.5, 0.5))  # (0.5 - 0.25) / 0.75
    0.333333
    """
    xy, xz, yz = (np.asarray(r, dtype=np.float64) for r in (r_xy, r_xz, r_yz))
    left_x, left_y = 1 - xz**2, 1 - yz**2
    known = (left_x > _ROUNDING) & (left_y > _ROUNDING)
    scale = np.sqrt(np.where(known, left_x * left_y, np.nan))
    r = (xy - xz * yz) / scale
    # rounding may lead a little beyond 1, nothing leads far beyond
    return np.asarray(np.where(np.abs(r) <= 1 + 1e-6, np.clip(r, -1, 1), np.nan))


def partial_p(name: str, X: Floats, y: Floats, z: Floats, draws: int, seed: int) -> Floats:  # noqa: N803
    """Return the p of each column's partial correlation with y given z, by permuted residuals.

    Freedman and Lane (1983): y is what z predicts of it, plus a residual; residuals are permuted,
    and the partial correlation is taken anew. For Spearman and Kendall, y and z are first made
    normal scores of their ranks, so that a line can predict the one from the other whatever their
    scales; of each y made so the order is taken, with the ranks and ties of y. All this is an
    approximation, since residuals are estimates; for partial tau no exact scheme is known. In
    simulations where x and y depend on z alone, 5 of 100 p are below .05 as they should be, but
    about 8 of those by ranks with 40 units and a z that correlates at .95 with both.

    p = (c + 1) / (draws + 1), where c draws are as far from the mean of all draws as the observed
    value is. That mean is 0 for Pearson. It is not for partial tau, and not quite for Spearman:
    where x and y depend on z alone, partial tau is off 0 all the same, so that a value far from 0
    may have a large p. A draw whose partial correlation is not defined counts as far.

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
    between = COEFFICIENTS[name](columns, z)
    sides = mid_ranks(np.column_stack([columns, z]))
    taken = (coefficients(sides, rows) for rows in _made(_ranks(y), _ranks(z), orders))
    return _p(partial(r[:, :-1], between, r[:, -1:]) for r in taken)


def _p(blocks: Iterable[Floats]) -> Floats:
    """Compare the first row, the observed one, with the mean of all rows and their distance."""
    values = np.concatenate(list(blocks))
    known = ~np.isnan(values)
    mean = np.where(known, values, 0).sum(axis=0) / np.maximum(1, known.sum(axis=0))
    far = np.abs(values - mean)
    # the observed row counts as itself: the 1 of (c + 1) / (draws + 1)
    p = (~known | (far >= far[0] - _TIED)).mean(axis=0)
    return np.asarray(np.where(known[0], p, np.nan))


def _orders(n: int, draws: int, seed: int) -> Iterator[Integers]:
    """Yield blocks of orders, the given order first of all."""
    generator = np.random.default_rng(seed)
    yield np.arange(n)[None, :]
    for piece in pieces(draws, 8 * n, budget=1 << 23):
        size = piece.stop - piece.start
        yield generator.permuted(np.broadcast_to(np.arange(n), (size, n)), axis=1)


def _direction(z: Floats) -> Floats:
    """Return z around its mean and of length 1; 0 where z does not vary."""
    centred = z - z.mean()
    length = float(np.linalg.norm(centred))
    return np.asarray(centred / length if length > _ROUNDING * np.linalg.norm(z) else centred * 0)


def _residuals(values: Floats, direction: Floats) -> Floats:
    """Return what a line in z does not predict; NaN where that is nothing, or z does not vary."""
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
        # permuted residuals have some z in them again, which is taken out anew
        left = square - (permuted @ direction) ** 2
        left = np.where(left > _ROUNDING * square, left, np.nan)
        yield (permuted @ x_unit) / np.sqrt(left)[:, None]


def _ranks(values: Floats) -> Floats:
    return mid_ranks(values[:, None])[:, 0]


def _scores(ranks: Floats) -> Floats:
    """Return normal scores (van der Waerden)."""
    from scipy.special import ndtri

    return np.asarray(ndtri(ranks / (len(ranks) + 1)), dtype=np.float64)


def _made(y: Floats, z: Floats, orders: Iterator[Integers]) -> Iterator[Floats]:
    """Yield blocks of y made anew, a row each: what z predicts, and permuted residuals.

    Only the order is taken from that; the values, and so the ties, are those of y.
    """
    scores = _scores(y)
    rest = _residuals(scores, _direction(_scores(z)))
    # y and z may order the units alike, or one of them not at all
    rest = np.zeros_like(rest) if np.isnan(rest).any() else rest
    for order in orders:
        # scores are symmetric, so that sums may be equal but for rounding
        made = np.argsort(np.round(scores - rest + rest[order], 9), axis=1, kind="stable")
        rows = np.empty(made.shape)
        np.put_along_axis(rows, made, np.sort(y)[None, :], axis=1)
        yield rows


def _rhos(columns: Floats, rows: Floats) -> Floats:
    """Return Spearman's rho of each row of ranks with each column of ranks."""
    return np.asarray(_units(rows.T).T @ _units(columns))


def _units(columns: Floats) -> Floats:
    """Return columns around their mean and of length 1; NaN where one does not vary."""
    centred = columns - columns.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=0)
    return np.asarray(centred / np.where(lengths > _ROUNDING, lengths, np.nan))


def _taus(columns: Floats, rows: Floats) -> Floats:
    """Return Kendall's tau-b of each row with each column; all rows have the same values."""
    roots = np.sqrt(_untied(rows[0]) * np.array([_untied(column) for column in columns.T]))
    return np.asarray(_excess(columns, rows) / np.where(roots > 0, roots, np.nan))


def _untied(values: Floats) -> float:
    """Return how many pairs are not tied."""
    sizes = np.unique(values, return_counts=True)[1]
    return float(values.size**2 - (sizes**2).sum()) / 2


def _excess(columns: Floats, rows: Floats) -> Floats:
    """Return how many more pairs of each row are in a column's order than against it.

    The signs of a column serve all rows, those of a row all columns.
    """
    found = np.zeros((len(rows), columns.shape[1]))
    for these, others in sign_blocks(rows.shape[1], 4, budget=1 << 18):
        of_columns = np.stack([signs(column, these, others).ravel() for column in columns.T])
        for piece in pieces(len(rows), 4 * of_columns.shape[1], budget=1 << 22):
            first, second = rows[piece, these, None], rows[piece, None, others]
            sign = (first > second).astype(np.float32)
            sign -= first < second
            found[piece] += sign.reshape(len(sign), -1) @ of_columns.T
    return found
