"""Weighted coefficients are those of the sample with copies, as scipy computes them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tealeaves.statistics import correlation
from tealeaves.statistics.correlation import COEFFICIENTS, kendall, mid_ranks, pearson
from tealeaves.statistics.resampling import cluster_weights

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
NAMES = sorted(SCIPY)


def oracle(name: str, x: np.ndarray, y: np.ndarray) -> float:
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return np.nan
    with warnings.catch_warnings():
        # scipy's word on a single outlier, whose r is tested all the same
        warnings.simplefilter("ignore", stats.NearConstantInputWarning)
        return float(SCIPY[name](x, y).statistic)


@st.composite
def samples(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n = draw(st.integers(1, 12))
    few = st.integers(-2, 2).map(float)  # ties
    number = st.one_of(few, st.floats(-10, 10).map(lambda v: round(v, 6)), st.just(1e4))
    column = st.lists(number, min_size=n, max_size=n)
    x = np.array(draw(st.lists(column, min_size=1, max_size=3))).T
    weights = st.lists(st.integers(0, 3).map(float), min_size=n, max_size=n)
    rows = draw(st.lists(weights, min_size=1, max_size=4))
    return x, np.array(draw(column)), np.array(rows)


@pytest.mark.parametrize("name", NAMES)
@given(samples())
def test_weights_are_copies(name: str, sample: tuple[np.ndarray, ...]) -> None:
    x, y, weights = sample
    found = COEFFICIENTS[name](x, y, weights)
    assert found.shape == (len(weights), x.shape[1])
    for row, values in zip(weights.astype(int), found, strict=True):
        expected = [oracle(name, np.repeat(c, row), np.repeat(y, row)) for c in x.T]
        np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_larger_samples_with_and_without_weights(name: str) -> None:
    rng = np.random.default_rng(0)
    y = np.round(rng.normal(size=300), 1)
    x = np.column_stack([y + rng.normal(size=300), np.round(rng.normal(size=300)), -(y**3)])
    weights = cluster_weights(np.arange(300) // 3, draws=5, seed=1)
    alone = COEFFICIENTS[name](x, y)
    assert alone.shape == (3,)
    np.testing.assert_allclose(alone, [oracle(name, c, y) for c in x.T], rtol=0, atol=1e-12)
    assert COEFFICIENTS[name](x[:, 0], y) == pytest.approx(alone[:1], abs=1e-14)
    for row, values in zip(weights.astype(int), COEFFICIENTS[name](x, y, weights), strict=True):
        expected = [oracle(name, np.repeat(c, row), np.repeat(y, row)) for c in x.T]
        np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)


def test_hand_computed() -> None:
    x, y = np.array([1.0, 2.0, 2.0, 4.0]), np.array([1.0, 2.0, 3.0, 3.0])
    # means 9/4: dx = (-5, -1, -1, 7)/4, dy = (-5, -1, 3, 3)/4
    # sum of products (25 + 1 - 3 + 21)/16 = 44/16; squares 76/16 and 44/16
    assert COEFFICIENTS["pearson"](x, y)[0] == pytest.approx(44 / np.sqrt(76 * 44), abs=1e-14)
    # ranks 1, 2.5, 2.5, 4 and 1, 2, 3.5, 3.5, less 2.5: (-1.5, 0, 0, 1.5), (-1.5, -.5, 1, 1)
    # products 2.25 + 1.5 = 3.75; squares 4.5 and 4.5
    assert COEFFICIENTS["spearman"](x, y)[0] == pytest.approx(3.75 / 4.5, abs=1e-14)
    # six pairs: (2, 3) tied in x, (3, 4) tied in y, the other four in order
    assert COEFFICIENTS["kendall"](x, y)[0] == pytest.approx(4 / 5, abs=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_constant_sides_are_not_defined(name: str) -> None:
    # the computed mean of equal numbers need not be the number
    constant, y = np.full(7, 0.1), np.arange(7.0)
    coefficient = COEFFICIENTS[name]
    assert np.isnan(coefficient(constant, y)).all()
    assert np.isnan(coefficient(y, constant)).all()
    both = np.column_stack([constant, y])
    found = coefficient(both, y, np.array([[1.0] * 7, [3.0] + [0.0] * 6, [0.0] * 7]))
    assert found[0, 1] == pytest.approx(1)
    assert np.isnan(found[:, 0]).all()
    assert np.isnan(found[1:]).all()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [0, 1])
def test_none_and_one_observation(name: str, n: int) -> None:
    found = COEFFICIENTS[name](np.ones((n, 2)), np.ones(n), np.ones((3, n)))
    assert found.shape == (3, 2)
    assert np.isnan(found).all()
    assert COEFFICIENTS[name](np.ones((n, 0)), np.ones(n)).shape == (0,)


def test_pearson_without_an_outlier_keeps_its_digits() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=50), rng.normal(size=50)
    x[0], y[0] = 1e7, -1e7
    weights = np.ones((2, 50))
    weights[1, 0] = 0
    expected = [oracle("pearson", x, y), oracle("pearson", x[1:], y[1:])]
    assert np.abs(expected[1]) < 0.5 < np.abs(expected[0])
    np.testing.assert_allclose(pearson(x, y, weights)[:, 0], expected, rtol=0, atol=1e-12)


def test_pearson_of_huge_and_tiny_numbers() -> None:
    x, y = np.array([1e200, 2e200, 4e200]), np.array([1e-200, 3e-200, 2e-200])
    expected = oracle("pearson", x / 1e200, y * 1e200)
    assert pearson(x, y)[0] == pytest.approx(expected, abs=1e-12)


def test_kendall_is_the_same_in_one_block_of_pairs_and_in_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 9, size=(80, 2)).astype(float), rng.normal(size=80)
    weights = cluster_weights(np.arange(80), 6, seed=0)
    whole = kendall(x, y, weights)
    blocks: list[slice] = []

    def small(total: int, size: int, budget: int) -> list[slice]:
        found = [slice(i, min(i + 7, total)) for i in range(0, total, 7)]
        blocks.extend(found)
        return found

    monkeypatch.setattr(correlation, "memory_slices", small)
    assert (kendall(x, y, weights) == whole).all()
    assert len(blocks) > 12


@given(st.lists(st.integers(0, 5).map(float), min_size=1, max_size=20).map(np.array))
def test_mid_ranks_are_scipys(values: np.ndarray) -> None:
    assert mid_ranks(values[:, None])[:, 0].tolist() == stats.rankdata(values).tolist()
