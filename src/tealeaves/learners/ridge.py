"""Ridge regression, of the features alone or of their squares and products too.

Hoerl & Kennard (1970), "Ridge Regression", Technometrics; fitted by scikit-learn. Features are
trimmed to the range that most of them had in fitting, because ratios have long tails and squares
grow fast, and are then standardised.
"""

from __future__ import annotations

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.learners.base import Fitted, numbers, training_rows, weighted_sums
from tealeaves.parameters import wrong_value

#: The share of values at either end that are trimmed.
TRIM = 0.005


class Ridge(Fitted, frozen=True, tag="ridge", kw_only=True):
    """A linear model of standardised features, or of these, their squares and products.

    >>> line = Ridge(
    ...     lowest=[0], highest=[4], centres=[2], spreads=[2], degree=1, slopes=[3], intercept=5
    ... )
    >>> line.predict(np.array([[2.0], [4.0], [100.0]]))
    array([5., 8., 8.])
    """

    lowest: list[float]
    highest: list[float]
    centres: list[float]
    spreads: list[float]
    degree: int
    slopes: list[float]
    intercept: float

    def __post_init__(self) -> None:
        """Raise for parameters that do not belong together."""
        if not self.lowest:
            raise InputError("lowest: there are none: the estimator is damaged")
        if self.degree not in (1, 2):
            raise InputError(f"degree: {self.degree}, not 1 or 2: the estimator is damaged")
        lowest = numbers(self.lowest, self.width, "lowest")
        if (numbers(self.highest, self.width, "highest") < lowest).any():
            raise InputError("highest: not all are above the lowest: the estimator is damaged")
        numbers(self.centres, self.width, "centres")
        if (numbers(self.spreads, self.width, "spreads") <= 0).any():
            raise InputError("spreads: not all are above 0: the estimator is damaged")
        numbers(self.slopes, _terms(self.width, self.degree), "slopes")
        numbers([self.intercept], 1, "intercept")

    @property
    def width(self) -> int:
        """The number of features."""
        return len(self.lowest)

    def _predicted(self, rows: Floats) -> Floats:
        standard = (np.clip(rows, self.lowest, self.highest) - self.centres) / self.spreads
        columns = _expanded(standard, self.degree)
        return weighted_sums(columns, np.array([self.slopes]), np.array([self.intercept]))[:, 0]


def fit_ridge(
    X: Floats,  # noqa: N803
    y: Floats,
    *,
    penalty: float = 0.01,
    degree: int = 1,
    trim: float = TRIM,
    seed: int = 0,  # noqa: ARG001  nothing is drawn, but all learners take a seed
) -> Ridge:
    """Minimise the mean squared error plus ``penalty`` times the sum of squared slopes.

    With the mean, a penalty has the same effect on some of the rows as on all of them.

    >>> rows = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> square = fit_ridge(rows, rows[:, 0] ** 2, penalty=0.0, degree=2, trim=0.0)
    >>> square.predict(np.array([[1.5], [3.0]])).round(9).tolist()
    [2.25, 9.0]
    """
    rows, targets = training_rows(X, y)
    _check(penalty, degree, trim)
    lowest, highest = _range(rows, trim)
    trimmed = np.clip(rows, lowest, highest)
    centres = trimmed.mean(axis=0)
    spreads = np.where(lowest < highest, trimmed.std(axis=0), 1.0)
    columns = _expanded((trimmed - centres) / spreads, degree)
    linear = require("sklearn.linear_model", extra="models", reason="fitting an estimator")
    if penalty > 0:
        model = linear.Ridge(alpha=penalty * len(columns), solver="cholesky")
    else:
        model = linear.LinearRegression()  # which takes collinear columns
    model.fit(columns, targets)
    return Ridge(
        lowest=lowest.tolist(),
        highest=highest.tolist(),
        centres=centres.tolist(),
        spreads=spreads.tolist(),
        degree=degree,
        slopes=model.coef_.tolist(),
        intercept=float(model.intercept_),
    )


def _range(rows: Floats, trim: float) -> tuple[Floats, Floats]:
    """Return the range of each feature; one that hardly varies keeps all its values."""
    lowest, highest = np.quantile(rows, [trim, 1 - trim], axis=0)
    same = lowest >= highest
    return (
        np.where(same, rows.min(axis=0), lowest),
        np.where(same, rows.max(axis=0), highest),
    )


def _expanded(standard: Floats, degree: int) -> Floats:
    """Return the features and, for degree 2, their squares and products."""
    if degree == 1:
        return standard
    one, other = np.triu_indices(standard.shape[1])
    return np.hstack([standard, standard[:, one] * standard[:, other]])


def _terms(width: int, degree: int) -> int:
    return width if degree == 1 else width + width * (width + 1) // 2


def _check(penalty: float, degree: int, trim: float) -> None:
    if not 0 <= penalty < np.inf:
        raise wrong_value("penalty", penalty, "at least 0")
    if degree not in (1, 2):
        raise wrong_value("degree", degree, "1 or 2")
    if not 0 <= trim < 0.5:
        raise wrong_value("trim", trim, "at least 0, and below 0.5")
