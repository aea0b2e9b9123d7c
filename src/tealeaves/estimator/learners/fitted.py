"""What every fitted learner is: numbers that can be saved, and a prediction made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from tealeaves.arrays import Floats
from tealeaves.errors import InputError

#: Rows predicted at a time: what lies in between stays in the processor's cache.
ROWS = 8192


class Fitted(
    msgspec.Struct, frozen=True, tag_field="learner", kw_only=True, forbid_unknown_fields=True
):
    """A fitted learner. Its fields are its parameters; JSON gives the same bits back.

    A row is predicted alike whatever rows are beside it.
    """

    @property
    def width(self) -> int:
        """How many features it wants."""
        raise NotImplementedError

    def predict(self, X: Floats) -> Floats:  # noqa: N803  the name in the literature
        """Return the prediction for each row; NaN where a feature is undefined."""
        rows = np.asarray(X, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != self.width:
            raise InputError(
                f"features of shape {rows.shape} were given to an estimator of {self.width}: "
                "one column for each of its features is needed"
            )
        result = np.full(len(rows), np.nan)
        known = np.flatnonzero(np.isfinite(rows).all(axis=1))
        for start in range(0, len(known), ROWS):
            some = known[start : start + ROWS]
            result[some] = self._predicted(rows[some])
        return result

    def _predicted(self, rows: Floats) -> Floats:
        """Return the prediction for rows in which every feature is defined."""
        raise NotImplementedError


def weighted_sums(rows: Floats, coefficients: Floats, intercepts: Floats) -> Floats:
    """Return what each linear model says of each row: (rows, models).

    Added up feature after feature, so that a row's bits do not depend on its neighbours, as they
    may in a product of matrices.

    >>> weighted_sums(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [0.5, 0.0]]), np.zeros(2))
    array([[11. ,  0.5]])
    """
    sums = np.tile(intercepts.astype(np.float64), (len(rows), 1))
    for column, slopes in zip(rows.T, coefficients.T, strict=True):
        sums += column[:, None] * slopes
    return sums


def table(values: Sequence[Sequence[Any]], width: int, what: str) -> Floats:
    """Return rows of numbers as an array, or say that they are damaged.

    >>> table([[1.0, 2.0]], 2, "coefficients").shape
    (1, 2)
    >>> table([[1.0], [2.0, 3.0]], 1, "coefficients")
    Traceback (most recent call last):
    tealeaves.errors.InputError: coefficients: row 2 has 2 numbers, not 1: the estimator is damaged
    """
    for number, row in enumerate(values, start=1):
        if len(row) != width:
            raise InputError(
                f"{what}: row {number} has {len(row)} numbers, not {width}: "
                "the estimator is damaged"
            )
    flat = numbers([value for row in values for value in row], len(values) * width, what)
    return flat.reshape(len(values), width)


def numbers(values: Sequence[Any], length: int, what: str) -> Floats:
    """Return numbers as an array, or say that they are damaged.

    >>> numbers([1.0, float("nan")], 2, "weights")
    Traceback (most recent call last):
    tealeaves.errors.InputError: weights: number 2 is nan: the estimator is damaged
    """
    if len(values) != length:
        raise InputError(f"{what}: {len(values)} numbers, not {length}: the estimator is damaged")
    try:
        array = np.array(values, dtype=np.float64).reshape(length)
    except (TypeError, ValueError):
        raise InputError(f"{what}: not all are numbers: the estimator is damaged") from None
    wrong = np.flatnonzero(~np.isfinite(array))
    if len(wrong):
        raise InputError(
            f"{what}: number {wrong[0] + 1} is {array[wrong[0]]}: the estimator is damaged"
        )
    return array


def training_rows(X: Floats, y: Floats) -> tuple[Floats, Floats]:  # noqa: N803
    """Return features and targets as arrays; every number of them must be defined."""
    rows, targets = np.asarray(X, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if rows.ndim != 2 or targets.shape != rows.shape[:1]:
        raise InputError(
            f"features of shape {rows.shape} and targets of shape {targets.shape}: "
            "one row and one target for each topic are needed"
        )
    if rows.shape[0] < 2 or rows.shape[1] < 1:
        raise InputError(
            f"{rows.shape[0]} rows of {rows.shape[1]} features: nothing can be learned of that"
        )
    wrong = np.flatnonzero(~(np.isfinite(rows).all(axis=1) & np.isfinite(targets)))
    if len(wrong):
        raise InputError(
            f"{len(wrong)} rows (the first is row {wrong[0] + 1}) have an undefined feature or "
            "target: fit on complete rows"
        )
    return rows, targets
