"""The base class of fitted learners, and the checks of their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from tealeaves.arrays import Floats
from tealeaves.errors import InputError

_BLOCK = 8192  # rows that are predicted at a time, so that they stay in the processor's cache


class Fitted(
    msgspec.Struct, frozen=True, tag_field="learner", kw_only=True, forbid_unknown_fields=True
):
    """A fitted learner. Its fields are its parameters, and survive JSON to the last bit.

    The prediction of a row does not depend on the other rows.
    """

    @property
    def width(self) -> int:
        """The number of features."""
        raise NotImplementedError

    def predict(self, X: Floats) -> Floats:  # noqa: N803  the name in the literature
        """Return the prediction for each row; NaN where a feature is undefined."""
        rows = np.asarray(X, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != self.width:
            raise InputError(
                f"the features have the shape {rows.shape}: an estimator of {self.width} features "
                "needs one column for each"
            )
        result = np.full(len(rows), np.nan)
        known = np.flatnonzero(np.isfinite(rows).all(axis=1))
        for start in range(0, len(known), _BLOCK):
            some = known[start : start + _BLOCK]
            result[some] = self._predicted(rows[some])
        return result

    def _predicted(self, rows: Floats) -> Floats:
        """Return the prediction for rows in which every feature is defined."""
        raise NotImplementedError


def weighted_sums(rows: Floats, coefficients: Floats, intercepts: Floats) -> Floats:
    """Return the prediction of each linear model for each row: (rows, models).

    Features are added one after the other, because the bits of a product of matrices may depend on
    the other rows.

    >>> weighted_sums(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [0.5, 0.0]]), np.zeros(2))
    array([[11. ,  0.5]])
    """
    sums = np.tile(intercepts.astype(np.float64), (len(rows), 1))
    for column, slopes in zip(rows.T, coefficients.T, strict=True):
        sums += column[:, None] * slopes
    return sums


def number_rows(values: Sequence[Sequence[Any]], width: int, what: str) -> Floats:
    """Return rows of numbers as an array; rows of another width are an error.

    >>> number_rows([[1.0, 2.0]], 2, "coefficients").shape
    (1, 2)
    >>> number_rows([[1.0], [2.0, 3.0]], 1, "coefficients")
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
    """Return numbers as an array; another length, and NaN, are errors.

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
    """Return features and targets as arrays; an undefined number is an error."""
    rows, targets = np.asarray(X, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if rows.ndim != 2 or targets.shape != rows.shape[:1]:
        raise InputError(
            f"features of shape {rows.shape} and targets of shape {targets.shape}: "
            "one row and one target for each topic are needed"
        )
    if rows.shape[0] < 2 or rows.shape[1] < 1:
        raise InputError(
            f"{rows.shape[0]} rows of {rows.shape[1]} features: nothing can be learned from them"
        )
    wrong = np.flatnonzero(~(np.isfinite(rows).all(axis=1) & np.isfinite(targets)))
    if len(wrong):
        raise InputError(
            f"{len(wrong)} rows (the first is row {wrong[0] + 1}) have an undefined feature or "
            "target: fit on complete rows"
        )
    return rows, targets
