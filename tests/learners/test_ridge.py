"""Ridge regression: by its normal equations, and by hand."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.learners.catalogue import AnyFitted
from tealeaves.learners.ridge import Ridge, fit_ridge


def test_by_hand() -> None:
    """Targets 0, 2 at -1, 1: slope 1 without a penalty.

    With the penalty p the mean of (t - b x)^2, which is 1 - 2b + b^2 (targets centred), plus p b^2
    is least at b = 1 / (1 + p): half for p = 1. The intercept, 1, has no penalty.
    """
    fitted = fit_ridge(np.array([[-1.0], [1.0]]), np.array([0.0, 2.0]), penalty=1.0, trim=0.0)
    np.testing.assert_allclose(fitted.slopes, [0.5])
    np.testing.assert_allclose(fitted.predict(np.array([[-1.0], [0.0], [1.0]])), [0.5, 1.0, 1.5])


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("penalty", [0.5, 1e-4])
@pytest.mark.parametrize("trim", [0.0, 0.05])
def test_it_solves_the_normal_equations(degree: int, penalty: float, trim: float) -> None:
    """(ZᵀZ / n + penalty) slopes = Zᵀt / n, for standardised Z less its mean, and t less its."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(80, 4)) * [1, 1e-3, 50, 1] + [0, 0, 1900, 0]
    targets = rows[:, 0] ** 2 + 0.1 * (rows[:, 2] - 1900) + rng.normal(size=80)
    low, high = np.quantile(rows, [trim, 1 - trim], axis=0)
    trimmed = np.clip(rows, low, high)

    def expanded(some: Floats) -> Floats:
        standard = (np.clip(some, low, high) - trimmed.mean(axis=0)) / trimmed.std(axis=0)
        products = [standard[:, a] * standard[:, b] for a in range(4) for b in range(a, 4)]
        return np.column_stack([standard, *products] if degree == 2 else [standard])

    columns = expanded(rows)
    centred = columns - columns.mean(axis=0)
    normal = centred.T @ centred / 80 + penalty * np.eye(columns.shape[1])
    slopes = np.linalg.solve(normal, centred.T @ (targets - targets.mean()) / 80)
    fitted = fit_ridge(rows, targets, penalty=penalty, degree=degree, trim=trim)
    others = rng.normal(size=(20, 4)) * [2, 1e-3, 50, 1] + [0, 0, 1900, 0]
    for given in (rows, others):
        wanted = targets.mean() + (expanded(given) - columns.mean(axis=0)) @ slopes
        np.testing.assert_allclose(fitted.predict(given), wanted, atol=1e-9)


def test_collinear_and_constant_columns_without_a_penalty() -> None:
    """Predictions are those of least squares on the one column that matters."""
    rng = np.random.default_rng(1)
    one = rng.normal(size=50)
    rows = np.column_stack([one, 3 * one - 1, np.full(50, 0.1)])
    targets = one + rng.normal(size=50)
    slope, intercept = np.polyfit(one, targets, 1)
    fitted = fit_ridge(rows, targets, penalty=0.0, trim=0.0)
    np.testing.assert_allclose(fitted.predict(rows), intercept + slope * one, atol=1e-9)


def test_a_rare_value_is_not_trimmed_away() -> None:
    """One row in 400 is 1, all others 0 (or the other way round): both quantiles are the same."""
    rows = np.column_stack([np.arange(400) == 3, np.arange(400) != 5]).astype(float)
    fitted = fit_ridge(rows, 5 * rows[:, 0] + 2 * rows[:, 1], penalty=0.0)
    asked = np.array([[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]])
    np.testing.assert_allclose(fitted.predict(asked), [2.0, 7.0, 0.0], atol=1e-9)


def test_json_gives_the_same_bits_back() -> None:
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(60, 5))
    fitted = fit_ridge(rows, rng.normal(size=60), degree=2)
    again: Any = msgspec.json.decode(msgspec.json.encode(fitted), type=AnyFitted)
    assert again == fitted
    assert again.predict(rows).tobytes() == fitted.predict(rows).tobytes()


GOOD: dict[str, Any] = {
    "lowest": [0.0, 0.0],
    "highest": [1.0, 1.0],
    "centres": [0.5, 0.5],
    "spreads": [1.0, 1.0],
    "degree": 2,
    "slopes": [1.0] * 5,
    "intercept": 0.0,
}


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ({"lowest": [], "highest": []}, "lowest: there are none"),
        ({"lowest": [0.0]}, "highest: 2 numbers, not 1"),
        ({"highest": [1.0, -1.0]}, "not all are above the lowest"),
        ({"centres": [0.5, float("nan")]}, "centres: number 2 is nan"),
        ({"spreads": [1.0, 0.0]}, "spreads: not all are above 0"),
        ({"degree": 3}, "degree: 3"),
        ({"slopes": [1.0] * 4}, "slopes: 4 numbers, not 5"),
        ({"intercept": float("inf")}, "intercept: number 1 is inf"),
    ],
)
def test_damaged_parameters_are_refused(damage: dict[str, Any], message: str) -> None:
    Ridge(**GOOD)
    with pytest.raises(InputError, match=message):
        Ridge(**(GOOD | damage))


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("penalty", -1.0, "at least 0"),
        ("degree", 0, "1 or 2"),
        ("trim", 0.5, "at least 0, and below 0.5"),
    ],
)
def test_settings_are_checked(name: str, value: Any, allowed: str) -> None:
    with pytest.raises(InputError, match=f"^{name} must be {allowed}, not {value}$"):
        fit_ridge(np.eye(3), np.arange(3.0), **{name: value})
