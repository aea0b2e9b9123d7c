"""Ridge regression, of the features alone or of their squares and products too.

Hoerl & Kennard (1970), "Ridge Regression", Technometrics. Features are trimmed to the range they
mostly had in fitting, as ratios have long tails and squares grow fast, and then standardised.
"""

from __future__ import annotations

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.estimator.learners.fitted import Fitted, numbers, training_rows, weighted_sums

#: The share of values at either end that count as the value there.
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
        """Refuse parameters that do not belong together."""
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
        """How many features it wants."""
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
    seed: int = 0,  # noqa: ARG001  nothing is drawn; every learner is called alike
) -> Ridge:
    """Minimise the mean squared error plus ``penalty`` times the sum of squared slopes.

    The mean, so that a penalty chosen with some of the rows means the same for all of them.

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
    middle = columns.mean(axis=0)
    slopes = _solve(columns - middle, targets - targets.mean(), penalty)
    return Ridge(
        lowest=lowest.tolist(),
        highest=highest.tolist(),
        centres=centres.tolist(),
        spreads=spreads.tolist(),
        degree=degree,
        slopes=slopes.tolist(),
        intercept=float(targets.mean() - middle @ slopes),
    )


def _solve(columns: Floats, targets: Floats, penalty: float) -> Floats:
    """Return the slopes, by the eigenvectors of the covariances; of the least norm if collinear."""
    values, vectors = np.linalg.eigh(columns.T @ columns / len(columns))
    sound = values > len(columns) * np.finfo(float).eps * max(values[-1], 0)
    shares = np.where(sound, 1 / (np.where(sound, values, 1.0) + penalty), 0.0)
    slopes: Floats = vectors @ (shares * (vectors.T @ (columns.T @ targets / len(columns))))
    return slopes


def _range(rows: Floats, trim: float) -> tuple[Floats, Floats]:
    """Return between what each feature is trimmed; a rare value that is all it has is kept."""
    lowest, highest = np.quantile(rows, [trim, 1 - trim], axis=0)
    same = lowest >= highest
    return (
        np.where(same, rows.min(axis=0), lowest),
        np.where(same, rows.max(axis=0), highest),
    )


def _expanded(standard: Floats, degree: int) -> Floats:
    """Return the features and, for degree 2, products of any two, also with themselves."""
    if degree == 1:
        return standard
    one, other = np.triu_indices(standard.shape[1])
    return np.hstack([standard, standard[:, one] * standard[:, other]])


def _terms(width: int, degree: int) -> int:
    return width if degree == 1 else width + width * (width + 1) // 2


def _check(penalty: float, degree: int, trim: float) -> None:
    if not 0 <= penalty < np.inf:
        raise InputError(f"penalty={penalty}: must be 0 or more")
    if degree not in (1, 2):
        raise InputError(f"degree={degree}: must be 1 or 2")
    if not 0 <= trim < 0.5:
        raise InputError(f"trim={trim}: must be from 0 up to 0.5")
