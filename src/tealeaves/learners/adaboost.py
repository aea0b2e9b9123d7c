"""AdaBoost.R2 over linear regression: the learner of the paper.

Drucker (1997), "Improving Regressors using Boosting Techniques", ICML; with a learning rate, and
fitted by scikit-learn.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.errors import InputError, did_you_mean
from tealeaves.extras import require
from tealeaves.learners.base import Fitted, number_rows, numbers, training_rows, weighted_sums
from tealeaves.parameters import wrong_value

Loss = Literal["linear", "square", "exponential"]
LOSSES = ("linear", "square", "exponential")
SEEDS = 2**32


class AdaBoostLinear(Fitted, frozen=True, tag="adaboost", kw_only=True):
    """The weighted median of linear models, each fitted where those before it were wrong.

    >>> halves = AdaBoostLinear(coefficients=[[1.0], [3.0]], intercepts=[0.0, 0.0], weights=[2, 1])
    >>> halves.predict(np.array([[1.0], [-1.0], [np.nan]]))
    array([ 1., -1., nan])
    """

    coefficients: list[list[float]]
    intercepts: list[float]
    weights: list[float]

    def __post_init__(self) -> None:
        """Raise for parameters that do not belong together."""
        if not self.coefficients or not self.coefficients[0]:
            raise InputError("coefficients: there are none: the estimator is damaged")
        number_rows(self.coefficients, self.width, "coefficients")
        numbers(self.intercepts, len(self.coefficients), "intercepts")
        if (numbers(self.weights, len(self.coefficients), "weights") <= 0).any():
            raise InputError("weights: not all are above 0: the estimator is damaged")

    @property
    def width(self) -> int:
        """The number of features."""
        return len(self.coefficients[0])

    def _predicted(self, rows: Floats) -> Floats:
        values = weighted_sums(rows, np.array(self.coefficients), np.array(self.intercepts))
        order = np.argsort(values, axis=1, kind="stable")
        reached = np.cumsum(np.array(self.weights)[order], axis=1)
        middle = (reached >= 0.5 * reached[:, -1:]).argmax(axis=1)
        every = np.arange(len(rows))
        median: Floats = values[every, order[every, middle]]
        return median


def fit_adaboost(
    X: Floats,  # noqa: N803
    y: Floats,
    *,
    learning_rate: float = 1.0,
    loss: Loss = "linear",
    rounds: int = 50,
    seed: int = 0,
) -> AdaBoostLinear:
    """Fit linear models to samples that draw the rows predicted badly so far more often.

    >>> rows = np.arange(8.0)[:, None]
    >>> line = fit_adaboost(rows, 2 * rows[:, 0] + 1)
    >>> line.predict(np.array([[10.0]])).round(9).tolist()
    [21.0]
    """
    rows, targets = training_rows(X, y)
    _check(learning_rate, loss, rounds)
    check_seed(seed)
    ensemble = require("sklearn.ensemble", extra="models", reason="fitting an estimator")
    linear = require("sklearn.linear_model", extra="models", reason="fitting an estimator")
    boosted = ensemble.AdaBoostRegressor(
        linear.LinearRegression(),
        n_estimators=rounds,
        learning_rate=learning_rate,
        loss=loss,
        random_state=seed,
    ).fit(rows, targets)
    models = boosted.estimators_
    weights = boosted.estimator_weights_[: len(models)]
    weights[weights == 0] = 1.0  # of a first model that is no better than chance, and the only one
    return AdaBoostLinear(
        coefficients=[model.coef_.tolist() for model in models],
        intercepts=[float(model.intercept_) for model in models],
        weights=weights.tolist(),
    )


def check_seed(seed: int) -> None:
    """Raise for seeds that scikit-learn does not take."""
    if not 0 <= seed < SEEDS:
        raise wrong_value("seed", seed, f"from 0 to {SEEDS - 1} for adaboost")


def _check(learning_rate: float, loss: str, rounds: int) -> None:
    if loss not in LOSSES:
        raise InputError(
            f"no loss {loss!r}: one of {', '.join(LOSSES)}{did_you_mean(loss, LOSSES)}"
        )
    if not 0 < learning_rate < np.inf:
        raise wrong_value("learning_rate", learning_rate, "above 0")
    if rounds < 1:
        raise wrong_value("rounds", rounds, "at least 1")
