"""Tests between two correlations with one variable in common."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from tealeaves.statistics.dependent import Test as Outcome
from tealeaves.statistics.dependent import steiger, williams

Tester = Callable[[float, float, float, int], Outcome]
BOTH = pytest.mark.parametrize("test", [williams, steiger])


def test_williams_as_published() -> None:
    # Howell, Statistical Methods for Psychology, on .80 and .72 with .89 between, n = 26
    assert williams(0.80, 0.72, 0.89, 26) == pytest.approx((1.361, 0.187), abs=5e-4)
    # the manual of R's package psych, r.test with n = 5105, gives p to eight digits
    found = williams(0.693458895410494, 0.695966022434845, 0.988475791500198, 5105)
    assert found.p == pytest.approx(0.1000759, abs=5e-8)
    assert found.statistic < 0


def test_williams_by_hand() -> None:
    # r = .5, .3, .4 and n = 103: |R| = 1 - .25 - .09 - .16 + 2 × .5 × .3 × .4 = .62
    # t = .2 √(102 × 1.4 / (2 × 102 / 100 × .62 + .16 × .6³)) = .2 √(142.8 / 1.29936)
    t = 0.2 * math.sqrt(142.8 / 1.29936)
    assert williams(0.5, 0.3, 0.4, 103) == pytest.approx((t, 2 * stats.t.sf(t, 100)))


def test_steiger_as_given_by_cocor() -> None:
    # outputs of R's package cocor, method steiger1980, for correlations rounded to four digits
    found = steiger(0.2493, 0.3395, 0.4082, 553)
    assert found == pytest.approx((-2.0660, 0.0388), abs=2e-3)
    assert steiger(0.0228, 0.3522, 0.3718, 553).statistic == pytest.approx(-7.1345, abs=2e-3)


def test_steiger_by_hand() -> None:
    # r = .5, .3, .4 and n = 103: mean .4, its square .16
    # ψ = .4 × (1 - .32) - .08 × (1 - .32 - .16) = .272 - .0416 = .2304; c = .2304 / .84² = 16 / 49
    # Z = (atanh .5 - atanh .3) √(100 / (2 - 32 / 49)) = .2397864 × 8.6164
    z = (0.5493061443 - 0.3095196042) * math.sqrt(100 / (66 / 49))
    assert steiger(0.5, 0.3, 0.4, 103) == pytest.approx((z, 2 * stats.norm.sf(z)), rel=1e-8)


@BOTH
def test_the_other_way_round_only_the_sign_changes(test: Tester) -> None:
    one, other = test(0.6, 0.4, 0.3, 40), test(0.4, 0.6, 0.3, 40)
    assert one.statistic == pytest.approx(-other.statistic)
    assert one.p == pytest.approx(other.p)
    assert test(0.4, 0.4, 0.3, 40) == (0, 1)


@BOTH
@pytest.mark.parametrize(
    "given",
    [
        (0.5, 0.3, 0.4, 3),
        (1.0, 0.3, 0.3, 50),
        (0.3, -1.0, 0.3, 50),
        (0.5, 0.5, 1.0, 50),
        (0.5, 0.5, 1 - 1e-16, 50),
        (0.5, -0.5, -1.0, 50),
        (0.6, 0.8, 0.0, 50),  # 1 - .36 - .64: y is made of x and z
        (0.9, -0.9, 0.9, 50),  # no three variables are so
        (math.nan, 0.3, 0.4, 50),
        (0.5, 0.3, math.nan, 50),
    ],
)
def test_undefined_is_nan(test: Tester, given: tuple[float, float, float, int]) -> None:
    found = test(*given)
    assert math.isnan(found.statistic)
    assert math.isnan(found.p)


@BOTH
@pytest.mark.parametrize(("rho", "between", "n"), [(0.5, 0.7, 30), (0.0, 0.2, 15), (0.8, 0.6, 60)])
def test_p_is_uniform_where_the_correlations_are_equal(
    test: Tester, rho: float, between: float, n: int
) -> None:
    covariance = np.array([[1, between, rho], [between, 1, rho], [rho, rho, 1]])
    factor = np.linalg.cholesky(covariance)
    normal = np.random.default_rng(5).normal(size=(2000, n, 3)) @ factor.T
    normal -= normal.mean(axis=1, keepdims=True)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    r = np.einsum("sni,snj->sij", normal, normal)
    p = np.array([test(a[0, 2], a[1, 2], a[0, 1], n).p for a in r])
    # four standard errors of a share of 2000, and a little for what is an approximation
    for alpha in (0.05, 0.2, 0.5):
        bound = 4 * math.sqrt(alpha * (1 - alpha) / 2000) + 0.005
        assert abs((p <= alpha).mean() - alpha) < bound


@BOTH
def test_p_is_small_where_they_differ(test: Tester) -> None:
    assert test(0.7, 0.3, 0.3, 200).p < 1e-6
