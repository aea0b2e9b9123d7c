"""The line of least squares and its band: by hand, against scipy, and how often it is right."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from tealeaves.statistics.regression import fitted_line


def test_the_line_and_its_band_are_least_squares() -> None:
    # x̄ = 2.5, Σ(x − x̄)² = 5, Σ(x − x̄)(y − ȳ) = 4, slope .8, ȳ = 2.5, ŷ = .5 + .8 x
    # residuals −.3, .9, −.9, .3: sum of squares 1.8, s = √(1.8 / 2) = .948683
    # at x = 1: s √(1/4 + 2.25/5) = .793725, t(2) of .975 = 4.302653, half the width 3.415125
    line = fitted_line(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 4.0]))
    assert line is not None
    assert (line.x[0], line.y[0]) == pytest.approx((1, 1.3))
    assert line.high[0] - line.y[0] == pytest.approx(3.415125, abs=1e-5)
    assert line.y[0] - line.low[0] == pytest.approx(3.415125, abs=1e-5)
    # in the middle: s / √4 · t
    assert line.high[20] - line.y[20] == pytest.approx(0.948683 / 2 * 4.302653, abs=1e-5)


def test_the_line_is_that_of_scipy_and_its_band_holds_the_truth_as_often_as_said() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=12)
    held = 0
    for _ in range(400):
        y = 1 + 2 * x + rng.normal(size=12)
        line, fit = fitted_line(x, y, 0.9), stats.linregress(x, y)
        assert line is not None
        assert line.y == pytest.approx(fit.intercept + fit.slope * line.x)
        held += bool(line.low[0] <= 1 + 2 * line.x[0] <= line.high[0])
    assert held / 400 == pytest.approx(0.9, abs=3 * math.sqrt(0.9 * 0.1 / 400))


def test_too_few_points_have_no_band_or_no_line() -> None:
    two = fitted_line(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    assert two is not None
    assert np.isnan(two.low).all()
    assert fitted_line(np.array([1.0, 1.0, 1.0]), np.array([0.0, 1.0, 2.0])) is None
    assert fitted_line(np.array([1.0]), np.array([0.0])) is None
