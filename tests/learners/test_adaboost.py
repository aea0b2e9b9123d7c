"""AdaBoost.R2 over linear regression: against the algorithm of the paper, and by hand."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.learners.adaboost import LOSSES, AdaBoostLinear, fit_adaboost
from tealeaves.learners.catalogue import AnyFitted


def plain(rng: np.random.Generator) -> Floats:
    return rng.normal(size=(150, 5))


def few(rng: np.random.Generator) -> Floats:
    """Fewer different rows in a sample than columns: least squares has many solutions."""
    return rng.normal(size=(10, 8))


def collinear(rng: np.random.Generator) -> Floats:
    rows = rng.normal(size=(120, 6))
    rows[:, 5] = 100 * (rows[:, 0] - 2 * rows[:, 1])
    rows[:, 4] = 0.1  # its mean is not exactly 0.1
    return rows


def uneven(rng: np.random.Generator) -> Floats:
    """Columns of very different sizes, as years and shares are, and a heavy tail."""
    rows = rng.normal(size=(150, 4))
    rows[:, 0] = 1800 + 50 * rows[:, 0]
    rows[:, 2] = np.exp(3 * rows[:, 2])
    return rows


def indicator(rng: np.random.Generator) -> Floats:
    """A column that most samples have no other value of."""
    rows = rng.normal(size=(40, 3))
    rows[:, 2] = np.arange(40) == 7
    return rows


CASES = [
    (make, loss, rate)
    for make in (plain, few, collinear, uneven, indicator)
    for loss in LOSSES
    for rate in (1.0, 0.1)
]
# so high a rate that most rows have the least chance there is, and samples few distinct rows
HIGH = [(uneven, "exponential", 5.0), (collinear, "linear", 5.0), (indicator, "square", 5.0)]


def by_the_paper(
    rows: Floats, targets: Floats, loss: str, rate: float, rounds: int, seed: int
) -> tuple[list[Floats], list[float]]:
    """Return the lines (the intercept last) and their weights, as Drucker has them.

    The rate is an exponent of beta. Rows are drawn as scikit-learn draws them.
    """
    random = np.random.RandomState(seed)
    chances = np.full(len(rows), 1 / len(rows))
    lines, weights = [], []
    for _ in range(rounds):
        chances = np.maximum(chances, np.finfo(float).eps)
        drawn = random.choice(len(rows), size=len(rows), p=chances / chances.sum())
        centre = rows[drawn].mean(axis=0)
        centred = np.where(np.ptp(rows[drawn], axis=0) > 0, rows[drawn] - centre, 0.0)
        slopes = np.linalg.lstsq(centred, targets[drawn] - targets[drawn].mean(), rcond=None)[0]
        line = np.append(slopes, targets[drawn].mean() - centre @ slopes)
        errors = np.abs(rows @ line[:-1] + line[-1] - targets)
        errors = errors / errors.max()
        losses = {"linear": errors, "square": errors**2, "exponential": 1 - np.exp(-errors)}[loss]
        mean = float(chances @ losses)
        if mean >= 0.5:
            break
        beta = mean / (1 - mean)
        lines.append(line)
        weights.append(-rate * np.log(beta))
        chances = chances * beta ** (rate * (1 - losses))
        chances /= chances.sum()
    return lines, weights


def weighted_median(values: list[float], weights: list[float]) -> float:
    """Return the lowest value up to which lies half of the weight."""
    total = 0.0
    for value, weight in sorted(zip(values, weights, strict=True)):
        total += weight
        if total >= 0.5 * sum(weights):
            return value
    raise AssertionError


@pytest.mark.parametrize(("make", "loss", "rate"), CASES)
def test_it_predicts_as_the_paper_does(make: Any, loss: Any, rate: float) -> None:
    rng = np.random.default_rng(1)
    rows = make(rng)
    targets = 0.01 * rows[:, 0] + rows[:, 1] ** 2 + rng.normal(size=len(rows))
    others = rows.mean(axis=0) + rng.normal(size=(30, rows.shape[1])) * rows.std(axis=0)
    lines, weights = by_the_paper(rows, targets, loss, rate, 20, 7)
    ours = fit_adaboost(rows, targets, learning_rate=rate, loss=loss, rounds=20, seed=7)
    np.testing.assert_allclose(ours.weights, weights, atol=1e-9)
    for given in (rows, others):
        wanted = [weighted_median([row @ w[:-1] + w[-1] for w in lines], weights) for row in given]
        np.testing.assert_allclose(ours.predict(given), wanted, atol=1e-9, rtol=0)


@pytest.mark.parametrize(("make", "loss", "rate"), [(uneven, "linear", 0.1), *HIGH])
def test_it_predicts_as_scikit_learn_does(make: Any, loss: Any, rate: float) -> None:
    from sklearn.ensemble import AdaBoostRegressor
    from sklearn.linear_model import LinearRegression

    rng = np.random.default_rng(1)
    rows = make(rng)
    targets = 0.01 * rows[:, 0] + rows[:, 1] ** 2 + rng.normal(size=len(rows))
    theirs = AdaBoostRegressor(
        LinearRegression(), learning_rate=rate, loss=loss, n_estimators=20, random_state=7
    ).fit(rows, targets)
    ours = fit_adaboost(rows, targets, learning_rate=rate, loss=loss, rounds=20, seed=7)
    assert len(ours.weights) == len(theirs.estimators_)
    np.testing.assert_allclose(ours.predict(rows), theirs.predict(rows), atol=1e-9, rtol=0)


def test_a_learner_no_better_than_chance_is_all_there_is() -> None:
    """Every target is as far from any line as another: the loss is 1/2 at once."""
    rows, targets = np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([0.0, 1.0, 0.0, 1.0])
    fitted = fit_adaboost(rows, targets, seed=3)
    assert fitted.weights == [1.0]
    drawn = np.random.RandomState(3).choice(4, size=4, p=np.full(4, 0.25))
    line = np.polyfit(rows[drawn, 0], targets[drawn], 1)
    np.testing.assert_allclose(fitted.predict(rows), np.polyval(line, rows[:, 0]), atol=1e-12)


def test_a_perfect_line_ends_the_rounds() -> None:
    """Zeros are predicted without any rounding."""
    fitted = fit_adaboost(np.arange(6.0)[:, None], np.zeros(6))
    assert fitted.weights == [1.0]
    assert fitted.predict(np.array([[9.0]])).tolist() == [0.0]


def test_the_median_is_weighted() -> None:
    """Models say 1, 2 and 10; half of the weight (1 + 3 + 5) / 2 = 4.5 is passed at 10.

    For -1 they say -10, -2, -1: 5 >= 4.5 at once. With weights 1, 3, 4 the half is 4, and 1 + 3
    reaches it at 2: the lower of two middles.
    """
    one = AdaBoostLinear(coefficients=[[1], [2], [10]], intercepts=[0, 0, 0], weights=[1, 3, 5])
    assert one.predict(np.array([[1.0], [-1.0]])).tolist() == [10.0, -10.0]
    even = AdaBoostLinear(coefficients=[[1], [2], [10]], intercepts=[0, 0, 0], weights=[1, 3, 4])
    assert even.predict(np.array([[1.0]])).tolist() == [2.0]


def test_one_round_by_hand() -> None:
    """With one round, the weight is log((1 - e) / e) for the mean loss e of the only line."""
    rng = np.random.default_rng(0)
    rows, targets = rng.normal(size=(50, 2)), rng.normal(size=50)
    fitted = fit_adaboost(rows, targets, rounds=1, learning_rate=0.5)
    errors = np.abs(rows @ fitted.coefficients[0] + fitted.intercepts[0] - targets)
    mean = (errors / errors.max()).mean()
    np.testing.assert_allclose(fitted.weights, [0.5 * np.log((1 - mean) / mean)])


def test_json_gives_the_same_bits_back() -> None:
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(60, 4))
    fitted = fit_adaboost(rows, rng.normal(size=60), loss="square")
    again: Any = msgspec.json.decode(msgspec.json.encode(fitted), type=AnyFitted)
    assert again == fitted
    assert again.predict(rows).tobytes() == fitted.predict(rows).tobytes()


def test_a_row_is_predicted_alike_in_any_company() -> None:
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(9000, 4))
    fitted = fit_adaboost(rows[:80], rng.normal(size=80))
    together = fitted.predict(rows)
    alone = np.concatenate([fitted.predict(rows[k : k + 1]) for k in (0, 77, 8191, 8192, 8999)])
    assert together[[0, 77, 8191, 8192, 8999]].tobytes() == alone.tobytes()


def test_a_row_with_an_undefined_feature_has_no_prediction() -> None:
    fitted = AdaBoostLinear(coefficients=[[1.0, 0.0]], intercepts=[0.0], weights=[1.0])
    said = fitted.predict(np.array([[1.0, np.nan], [2.0, 0.0], [1.0, np.inf]]))
    np.testing.assert_array_equal(said, [np.nan, 2.0, np.nan])


@pytest.mark.parametrize(
    ("coefficients", "intercepts", "weights", "message"),
    [
        ([], [], [], "coefficients: there are none"),
        ([[]], [0.0], [1.0], "coefficients: there are none"),
        ([[1.0], [1.0, 2.0]], [0.0, 0.0], [1.0, 1.0], "row 2 has 2 numbers, not 1"),
        ([[float("nan")]], [0.0], [1.0], "coefficients: number 1 is nan"),
        ([[1.0]], [0.0, 1.0], [1.0], "intercepts: 2 numbers, not 1"),
        ([[1.0]], [float("inf")], [1.0], "intercepts: number 1 is inf"),
        ([[1.0]], [0.0], [], "weights: 0 numbers, not 1"),
        ([[1.0]], [0.0], [0.0], "weights: not all are above 0"),
        ([["a"]], [0.0], [1.0], "coefficients: not all are numbers"),
    ],
)
def test_damaged_parameters_are_refused(
    coefficients: Any, intercepts: Any, weights: Any, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        AdaBoostLinear(coefficients=coefficients, intercepts=intercepts, weights=weights)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"learner": "adaboost", "coefficients": [[1]], "intercepts": [0]}', "weights"),
        (
            '{"learner": "adaboost", "coefficients": [[1]], "intercepts": [0], "weights": [-1]}',
            "above 0",
        ),
        ('{"learner": "oracle"}', "oracle"),
        ("{", "truncated"),
    ],
)
def test_damaged_json_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(msgspec.DecodeError, match=message) as caught:
        msgspec.json.decode(text, type=AnyFitted)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"loss": "squared"}, "no loss 'squared'.*did you mean square"),
        ({"learning_rate": 0.0}, "learning_rate must be above 0, not 0.0"),
        ({"rounds": 0}, "rounds must be at least 1, not 0"),
        ({"seed": 2**32}, "seed must be from 0 to 4294967295 for adaboost, not 4294967296"),
    ],
)
def test_settings_are_checked(settings: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        fit_adaboost(np.eye(3), np.arange(3.0), **settings)


def test_rows_must_be_complete_and_as_wide_as_fitted() -> None:
    rows, targets = np.eye(3), np.arange(3.0)
    with pytest.raises(InputError, match=r"1 rows \(the first is row 2\)"):
        fit_adaboost(rows, np.array([0.0, np.nan, 1.0]))
    with pytest.raises(InputError, match="one row and one target"):
        fit_adaboost(rows, targets[:2])
    with pytest.raises(InputError, match="nothing can be learned"):
        fit_adaboost(rows[:1], targets[:1])
    with pytest.raises(InputError, match="an estimator of 3"):
        fit_adaboost(rows, targets).predict(np.ones((1, 2)))


def test_a_learning_rate_far_too_high_ends_the_rounds() -> None:
    rng = np.random.default_rng(5)
    rows, targets = rng.normal(size=(40, 2)), rng.normal(size=40)
    fitted = fit_adaboost(rows, targets, learning_rate=1e6, loss="exponential")
    assert np.isfinite(fitted.predict(rows)).all()
