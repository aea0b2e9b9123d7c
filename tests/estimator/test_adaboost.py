"""AdaBoost.R2 over linear regression: as scikit-learn has it, and by hand."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.estimator.learners.adaboost import LOSSES, AdaBoostLinear, fit_adaboost
from tealeaves.estimator.learners.kinds import AnyFitted
from tealeaves.estimator.learners.least_squares import Samples


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
# so high a rate that most rows have the least chance there is
HIGH = [(uneven, "exponential", 5.0), (collinear, "linear", 5.0), (indicator, "square", 5.0)]


@pytest.mark.parametrize(("make", "loss", "rate"), [*CASES, *HIGH])
def test_it_predicts_as_scikit_learn_does(make: Any, loss: Any, rate: float) -> None:
    from sklearn.ensemble import AdaBoostRegressor
    from sklearn.linear_model import LinearRegression

    rng = np.random.default_rng(1)
    rows = make(rng)
    targets = 0.01 * rows[:, 0] + rows[:, 1] ** 2 + rng.normal(size=len(rows))
    others = rows.mean(axis=0) + rng.normal(size=(30, rows.shape[1])) * rows.std(axis=0)
    theirs = AdaBoostRegressor(
        LinearRegression(), learning_rate=rate, loss=loss, n_estimators=20, random_state=7
    ).fit(rows, targets)
    ours = fit_adaboost(rows, targets, learning_rate=rate, loss=loss, rounds=20, seed=7)
    assert len(ours.weights) == len(theirs.estimators_)
    for given in (rows, others):
        np.testing.assert_allclose(ours.predict(given), theirs.predict(given), atol=1e-9, rtol=0)


def test_a_learner_no_better_than_chance_is_all_there_is() -> None:
    """Every target is as far from any line as another: the loss is 1/2 at once, as is theirs."""
    from sklearn.ensemble import AdaBoostRegressor
    from sklearn.linear_model import LinearRegression

    rows, targets = np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([0.0, 1.0, 0.0, 1.0])
    theirs = AdaBoostRegressor(LinearRegression(), random_state=3).fit(rows, targets)
    ours = fit_adaboost(rows, targets, seed=3)
    assert len(ours.weights) == len(theirs.estimators_) == 1
    np.testing.assert_allclose(ours.predict(rows), theirs.predict(rows), atol=1e-12)


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


def test_a_sample_is_solved_as_its_copied_rows_are() -> None:
    rng = np.random.default_rng(2)
    rows, targets = rng.normal(size=(30, 3)), rng.normal(size=30)
    counts = rng.integers(0, 4, size=30).astype(float)
    copied = np.repeat(np.arange(30), counts.astype(int))
    wanted = np.linalg.lstsq(
        np.column_stack([np.ones(len(copied)), rows[copied]]), targets[copied], rcond=None
    )[0]
    slopes, intercept, said = Samples(rows, targets).solve(counts)
    np.testing.assert_allclose([intercept, *slopes], wanted, atol=1e-12)
    np.testing.assert_allclose(said, rows @ slopes + intercept, atol=1e-12)


def test_a_constant_column_leaves_products_sound() -> None:
    """The mean of equal numbers may be off by a bit: that is no direction to fit in."""
    rows = np.column_stack([np.arange(50.0), np.full(50, 0.1)])
    assert rows.mean(axis=0)[1] != 0.1
    samples = Samples(rows, np.arange(50.0))
    assert len(samples.columns) == 2  # the intercept and the first
    assert samples.solve(np.ones(50))[0][1] == 0


def test_a_sample_of_one_row_gives_a_flat_line() -> None:
    rows, counts = np.array([[0.1, 1.0], [0.4, 2.0], [0.6, 5.0]]), np.array([3.0, 0.0, 0.0])
    assert 3 * 0.1 / 3 != 0.1  # so its mean is another
    slopes, intercept, said = Samples(rows, np.array([0.1, 2.0, 3.0])).solve(counts)
    assert slopes.tolist() == [0.0, 0.0]
    assert intercept == pytest.approx(0.1)
    assert said.tolist() == [intercept] * 3


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
        ({"learning_rate": 0.0}, "learning_rate=0.0: must be above 0"),
        ({"rounds": 0}, "rounds=0: must be 1 or more"),
        ({"seed": 2**32}, "seed=4294967296: adaboost takes seeds from 0 to 4294967295"),
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
