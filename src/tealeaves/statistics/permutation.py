"""Permutation tests of the coefficients: the human side is dealt out anew."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats, Integers
from tealeaves.errors import InputError, did_you_mean
from tealeaves.statistics.coefficients import COEFFICIENTS
from tealeaves.statistics.kendall import sign_blocks, signs
from tealeaves.statistics.ranks import Groups, as_columns, mid_ranks
from tealeaves.statistics.resampling import permutations, pieces

# Coefficients as near as this are equal: they add up the same products in another order.
_EQUAL = 1e-10


def permutation_p(name: str, X: Floats, y: Floats, draws: int, seed: int) -> Floats:  # noqa: N803
    """Return the two-sided p of each column: (c + 1) / (draws + 1).

    ``c`` is how often a permutation of ``y`` has a coefficient as far from 0 as the one that
    was found. All columns see the same permutations. NaN where a side is constant.

    >>> x = np.arange(30.0)
    >>> permutation_p("spearman", x, x**2, draws=99, seed=0)
    array([0.01])
    """
    if name not in COEFFICIENTS:
        hint = did_you_mean(name, COEFFICIENTS)
        raise InputError(f"no coefficient {name!r}: there are {', '.join(COEFFICIENTS)}{hint}")
    columns = as_columns(X)
    one = np.asarray(y, dtype=np.float64)
    varies = (_spread(columns) > 0) & (_spread(one[:, None]) > 0)
    found = np.full(columns.shape[1], np.nan)
    if varies.any():
        found[varies] = _p(name, columns[:, varies], one, draws, seed)
    return found


def _p(name: str, columns: Floats, y: Floats, draws: int, seed: int) -> Floats:
    if name == "kendall":
        return _kendall_p(columns, y, draws, seed)
    if name == "spearman":
        columns, y = mid_ranks(columns), mid_ranks(y[:, None])[:, 0]
    x, one = _unit(columns), _unit(y[:, None])[:, 0]
    least = np.abs(one @ x) - _EQUAL
    count = np.zeros(columns.shape[1])
    for orders in permutations(len(y), draws, seed):
        count += (np.abs(one[orders] @ x) >= least).sum(axis=0)
    return (count + 1) / (draws + 1)


def _kendall_p(columns: Floats, y: Floats, draws: int, seed: int) -> Floats:
    """Compare numerators alone: permuting leaves the ties of both sides as they are."""
    x = [Groups.of(column).group for column in columns.T]
    # small integers are compared many at a time
    human = Groups.of(y).group.astype(np.int16 if len(y) < np.iinfo(np.int16).max else np.int32)
    dealt = [human[orders] for orders in permutations(len(y), draws, seed)]
    excess = np.abs(_excess(x, np.concatenate([human[None], *dealt])))
    count: Floats = (excess[1:] >= excess[0]).sum(axis=0).astype(np.float64)
    return (count + 1) / (draws + 1)


def _excess(columns: list[Integers], dealt: NDArray[np.int16 | np.int32]) -> Floats:
    """Return how many more pairs are in order than out of order: (permutations, columns).

    All numbers are halves of integers; single precision is exact within a block of pairs.
    """
    found = np.zeros((len(dealt), len(columns)))
    # few large products: on busy cores many small ones wait for each other
    for rows, others in sign_blocks(dealt.shape[1], 4, budget=1 << 18):
        x = np.stack([signs(column, rows, others).ravel() for column in columns], axis=1)
        for piece in pieces(len(dealt), 4 * len(x), budget=32 << 20):
            first, second = dealt[piece, rows, None], dealt[piece, None, others]
            sign = (first > second).view(np.int8) - (first < second).view(np.int8)
            found[piece] += sign.reshape(len(sign), -1).astype(np.float32) @ x
    return found


def _spread(columns: Floats) -> Floats:
    if len(columns) == 0:
        return np.zeros(columns.shape[1])
    spread: Floats = np.ptp(columns, axis=0)
    return spread


def _unit(columns: Floats) -> Floats:
    """Centre each column and give it length 1, so that a product is a coefficient."""
    centred = columns - columns.mean(axis=0)
    unit: Floats = centred / np.linalg.norm(centred, axis=0)
    return unit
