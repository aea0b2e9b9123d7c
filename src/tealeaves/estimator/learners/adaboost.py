"""AdaBoost.R2 over linear regression: the learner of the paper.

Drucker (1997), "Improving Regressors using Boosting Techniques", ICML; with a learning rate, as
scikit-learn has it. For the same seed it draws the same samples as scikit-learn's
``AdaBoostRegressor(LinearRegression())`` and predicts the same, to rounding. But where a sample is
one row over and over (learning rates far above 1), our line is flat; theirs fits rounding errors.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.errors import InputError, did_you_mean
from tealeaves.estimator.learners.fitted import Fitted, numbers, table, training_rows, weighted_sums
from tealeaves.estimator.learners.least_squares import Samples

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
        """Refuse parameters that do not belong together."""
        if not self.coefficients or not self.coefficients[0]:
            raise InputError("coefficients: there are none: the estimator is damaged")
        table(self.coefficients, self.width, "coefficients")
        numbers(self.intercepts, len(self.coefficients), "intercepts")
        if (numbers(self.weights, len(self.coefficients), "weights") <= 0).any():
            raise InputError("weights: not all are above 0: the estimator is damaged")

    @property
    def width(self) -> int:
        """How many features it wants."""
        return len(self.coefficients[0])

    def _predicted(self, rows: Floats) -> Floats:
        said = weighted_sums(rows, np.array(self.coefficients), np.array(self.intercepts))
        order = np.argsort(said, axis=1, kind="stable")
        heard = np.cumsum(np.array(self.weights)[order], axis=1)
        middle = (heard >= 0.5 * heard[:, -1:]).argmax(axis=1)
        every = np.arange(len(rows))
        median: Floats = said[every, order[every, middle]]
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
    samples = Samples(rows, targets)
    # the old generator: seeds then mean the same as in scikit-learn
    random = np.random.RandomState(seed)
    chances = np.full(len(rows), 1 / len(rows))
    models: list[tuple[Floats, float, float]] = []
    for _ in range(rounds):
        chances = np.maximum(chances, np.finfo(np.float64).eps)
        slopes, intercept, said = samples.solve(_draw(chances, random))
        losses = _losses(np.abs(said - targets), loss)
        mean = float(chances @ losses)
        if mean >= 0.5:  # no better than chance; a first one is all there is
            models = models or [(slopes, intercept, 1.0)]
            break
        if mean <= 0:
            models.append((slopes, intercept, 1.0))
            break
        beta = mean / (1 - mean)
        models.append((slopes, intercept, float(learning_rate * -np.log(beta))))
        chances = chances * beta ** ((1 - losses) * learning_rate)
        total = chances.sum()
        if total <= 0:  # a learning rate so high that every row has lost its chance
            break
        chances /= total
    return AdaBoostLinear(
        coefficients=[slopes.tolist() for slopes, _, _ in models],
        intercepts=[intercept for _, intercept, _ in models],
        weights=[weight for _, _, weight in models],
    )


def check_seed(seed: int) -> None:
    """Refuse seeds that the old generator of random numbers does not know."""
    if not 0 <= seed < SEEDS:
        raise InputError(f"seed={seed}: adaboost takes seeds from 0 to {SEEDS - 1}")


def _draw(chances: Floats, random: np.random.RandomState) -> Floats:
    """Draw as many rows as there are; return how often each came.

    ``random.choice`` draws the same. That it looks up sorted numbers makes it four times as fast.
    """
    ends = np.cumsum(chances)
    ends /= ends[-1]
    drawn = np.searchsorted(ends, np.sort(random.random_sample(len(chances))), side="right")
    return np.bincount(drawn, minlength=len(chances)).astype(np.float64)


def _losses(errors: Floats, loss: Loss) -> Floats:
    """Return the loss of each row: 0 for none, and for the largest error 1 (or 1 - 1/e)."""
    largest = errors.max()
    relative = errors / largest if largest else errors
    if loss == "square":
        return relative**2
    return 1 - np.exp(-relative) if loss == "exponential" else relative


def _check(learning_rate: float, loss: str, rounds: int) -> None:
    if loss not in LOSSES:
        raise InputError(
            f"no loss {loss!r}: one of {', '.join(LOSSES)}{did_you_mean(loss, LOSSES)}"
        )
    if not 0 < learning_rate < np.inf:
        raise InputError(f"learning_rate={learning_rate}: must be above 0")
    if rounds < 1:
        raise InputError(f"rounds={rounds}: must be 1 or more")
