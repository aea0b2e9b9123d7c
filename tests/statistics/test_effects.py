"""Effect sizes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.statistics.effects import cliff_delta, cohen_d, cohen_dz, hedges_g

NUMBERS = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=12)


def test_cohen_d_by_hand() -> None:
    # means 3 and 6, sums of squares 2 and 20, pooled sd √(22 / (3 + 5 - 2)) = 1.914854
    a, b = [2, 3, 4], [3, 5, 6, 7, 9]
    assert cohen_d(a, b) == pytest.approx(-3 / math.sqrt(22 / 6))
    assert cohen_d(b, a) == -cohen_d(a, b)


def test_cohen_d_is_t_over_the_root_of_n() -> None:
    from scipy.stats import ttest_ind

    rng = np.random.default_rng(1)
    a, b = rng.normal(size=17), rng.normal(0.5, size=9)
    t = ttest_ind(a, b).statistic
    assert cohen_d(a, b) == pytest.approx(t * math.sqrt(1 / 17 + 1 / 9))


def test_hedges_g_by_hand_and_nearly_by_the_usual_approximation() -> None:
    # 4 degrees of freedom: Γ(2) / (√2 Γ(1.5)) = 1 / (√2 × .886227) = .797885
    assert hedges_g([2, 4, 6], [1, 3, 5]) == pytest.approx(0.5 * 0.7978845608)
    a, b = np.arange(40.0), np.arange(30.0)
    assert hedges_g(a, b) == pytest.approx(cohen_d(a, b) * (1 - 3 / (4 * 68 - 1)), rel=1e-5)


def test_hedges_g_has_no_bias() -> None:
    rng = np.random.default_rng(2)
    drawn = [(rng.normal(1, size=4), rng.normal(size=4)) for _ in range(3000)]
    g = np.array([hedges_g(a, b) for a, b in drawn])
    d = np.array([cohen_d(a, b) for a, b in drawn])
    error = g.std() / math.sqrt(len(g))
    assert abs(g.mean() - 1) < 4 * error
    assert d.mean() - 1 > 4 * error


def test_cohen_dz_by_hand() -> None:
    # mean 2, sd √((1 + 0 + 1 + 4 + 4) / 4) = √2.5
    assert cohen_dz([1, 2, 3, 0, 4]) == pytest.approx(2 / math.sqrt(2.5))


@given(NUMBERS, NUMBERS)
def test_cliff_delta_by_all_pairs(a: list[float], b: list[float]) -> None:
    signs = [(x > y) - (x < y) for x in a for y in b]
    assert cliff_delta(a, b) == pytest.approx(sum(signs) / len(signs))


def test_cliff_delta_of_many() -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.integers(low, low + 9, n).astype(float) for low, n in ((0, 3001), (1, 2003)))
    signs = np.sign(a[:, None] - b[None, :])
    assert cliff_delta(a, b) == pytest.approx(signs.mean())
    assert cliff_delta([3, 4], [1, 2]) == 1
    assert cliff_delta([1], [2]) == -1
    assert cliff_delta([1, 1], [1]) == 0


def test_undefined_is_nan() -> None:
    tenths = [0.1, 0.1, 0.1]
    for a, b in (([1], [1, 2]), ([1, 2], [1]), (tenths, tenths), (tenths, [0.7, 0.7, 0.7])):
        assert math.isnan(cohen_d(a, b))
        assert math.isnan(hedges_g(a, b))
    for differences in ([], [1], tenths, [0.3 - 0.2, 0.4 - 0.3], [0, 0]):
        assert math.isnan(cohen_dz(differences))
    assert math.isnan(cliff_delta([], [1]))
    assert math.isnan(cliff_delta([1], []))


def test_one_side_may_be_constant() -> None:
    # sum of squares 2 on 4 degrees of freedom
    assert cohen_d([0.1] * 3, [1, 2, 3]) == pytest.approx((0.1 - 2) / math.sqrt(2 / 4))


def test_missing_values_must_not_come_in() -> None:
    for function in (cohen_d, hedges_g, cliff_delta):
        with pytest.raises(InputError, match="value 2 of a sample is nan"):
            function([1, math.nan], [1, 2])
    with pytest.raises(InputError, match="inf"):
        cohen_dz([1, math.inf])
    with pytest.raises(InputError, match="one row"):
        cohen_dz(np.ones((2, 2)))
