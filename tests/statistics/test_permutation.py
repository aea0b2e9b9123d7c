"""Permutation tests against all permutations, and their p under the null."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from tealeaves.errors import InputError
from tealeaves.statistics import permutation
from tealeaves.statistics.coefficients import COEFFICIENTS
from tealeaves.statistics.permutation import permutation_p
from tealeaves.statistics.resampling import permutations

NAMES = sorted(COEFFICIENTS)


def sample(n: int, columns: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 4, size=n).astype(float)
    return rng.integers(0, 5, size=(n, columns)) + 0.5 * y[:, None], y


@pytest.mark.parametrize("name", NAMES)
def test_it_is_the_share_of_all_permutations(name: str) -> None:
    x, y = sample(6, 3, seed=3)
    every = np.array(list(itertools.permutations(y)))
    value = np.abs(COEFFICIENTS[name](x, y))
    others = np.abs([COEFFICIENTS[name](x, one) for one in every])
    exact = (others >= value - 1e-10).mean(axis=0)
    draws = 20_000
    # with ties at the value, of which rounding would lose some
    assert (np.isclose(others, value, atol=1e-12).sum(axis=0) > 2).all()
    error = 5 * np.sqrt(exact * (1 - exact) / draws) + 1 / draws
    assert (np.abs(permutation_p(name, x, y, draws, seed=0) - exact) < error).all()


@pytest.mark.parametrize("name", NAMES)
def test_it_counts_the_same_permutations_as_one_by_one(name: str) -> None:
    x, y = sample(40, 3, seed=1)
    orders = np.concatenate(list(permutations(40, 199, seed=5)))
    value = np.abs(COEFFICIENTS[name](x, y))
    others = np.abs([COEFFICIENTS[name](x, y[order]) for order in orders])
    expected = ((others >= value - 1e-10).sum(axis=0) + 1) / 200
    assert permutation_p(name, x, y, 199, seed=5).tolist() == expected.tolist()
    alone = [permutation_p(name, column, y, 199, seed=5)[0] for column in x.T]
    assert alone == expected.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_p_is_uniform_under_the_null(name: str) -> None:
    rng = np.random.default_rng(11)
    n = 60  # so that equal tau are rare
    p = [
        permutation_p(name, rng.exponential(size=n), rng.normal(size=n), 199, seed)[0]
        for seed in range(300)
    ]
    # p is k / 200: a random part of a step makes it continuous
    smooth = np.array(p) - rng.random(300) / 200
    assert stats.kstest(smooth, "uniform").pvalue > 0.01
    assert len(set(p)) > 100


@pytest.mark.parametrize("name", NAMES)
def test_a_strong_relation_has_the_least_p_on_either_side(name: str) -> None:
    y = np.arange(30.0)
    both = np.column_stack([y**3, -(y**3)])
    assert permutation_p(name, both, y, 99, seed=0).tolist() == [0.01, 0.01]


@pytest.mark.parametrize("name", NAMES)
def test_constant_sides_have_no_p(name: str) -> None:
    y = np.arange(8.0)
    x = np.column_stack([y, np.full(8, 0.1)])
    found = permutation_p(name, x, y, 99, seed=0)
    assert found[0] == 0.01
    assert np.isnan(found[1])
    assert np.isnan(permutation_p(name, x, np.full(8, 0.1), 99, seed=0)).all()
    assert np.isnan(permutation_p(name, np.zeros((0, 2)), np.zeros(0), 99, seed=0)).all()


def test_kendall_is_the_same_in_many_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = sample(60, 2, seed=2)
    whole = permutation_p("kendall", x, y, 99, seed=0)

    def small(n: int, size: int, budget: int) -> list[tuple[slice, slice]]:
        return [(slice(i, min(i + 7, n)), slice(i, n)) for i in range(0, n, 7)]

    monkeypatch.setattr(permutation, "sign_blocks", small)
    assert (permutation_p("kendall", x, y, 99, seed=0) == whole).all()


def test_an_unknown_coefficient_is_named() -> None:
    with pytest.raises(InputError, match=r"no coefficient 'spearmann'.*did you mean spearman\?"):
        permutation_p("spearmann", np.arange(4.0), np.arange(4.0), 9, seed=0)
