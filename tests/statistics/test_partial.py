"""Partial correlation and its permutation test."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.statistics.partial import partial, partial_p

NAMES = ("pearson", "spearman", "kendall")
OTHERS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


def residual(values: Floats, z: Floats) -> Floats:
    design = np.column_stack([np.ones_like(z), z])
    return np.asarray(values - design @ np.linalg.lstsq(design, values)[0])


def three(name: str, x: Floats, y: Floats, z: Floats) -> float:
    r = OTHERS[name]
    return float(partial(r(x, y).statistic, r(x, z).statistic, r(y, z).statistic))


def test_by_hand() -> None:
    # (.6 - .5 × .4) / √(.75 × .84) = .4 / .7937254
    assert float(partial(0.6, 0.5, 0.4)) == pytest.approx(0.503953)
    # nothing in common with z: nothing changes
    assert float(partial(0.6, 0.0, 0.0)) == 0.6
    # all of the correlation is z's
    assert float(partial(0.2, 0.5, 0.4)) == 0


@given(st.integers(0, 10_000))
@settings(max_examples=30)
def test_it_is_the_correlation_of_residuals(seed: int) -> None:
    rng = np.random.default_rng(seed)
    z = rng.normal(size=12)
    x, y = rng.normal(size=12) + z, rng.normal(size=12) - 2 * z
    expected = np.corrcoef(residual(x, z), residual(y, z))[0, 1]
    assert three("pearson", x, y, z) == pytest.approx(expected)
    x, y, z = (stats.rankdata(values) for values in (x, y, z))
    expected = np.corrcoef(residual(x, z), residual(y, z))[0, 1]
    assert three("spearman", x, y, z) == pytest.approx(expected)


def test_arrays_go_element_by_element() -> None:
    found = partial(
        np.array([[0.6, 0.2], [0.6, 0.1]]), np.array([0.5, 0.0]), np.array([[0.4], [0.0]])
    )
    expected = [[partial(0.6, 0.5, 0.4), partial(0.2, 0.0, 0.4)],
                [partial(0.6, 0.5, 0.0), partial(0.1, 0.0, 0.0)]]  # fmt: skip
    assert found.tolist() == [[float(r) for r in row] for row in expected]


@pytest.mark.parametrize(
    "given",
    [(0.5, 1.0, 0.5), (0.5, 0.5, -1.0), (0.5, 1 - 1e-16, 0.5), (1, 1, 1), (0.9, -0.9, 0.9),
     (math.nan, 0.5, 0.5), (0.5, math.nan, 0.5)],
)  # fmt: skip
def test_undefined_is_nan(given: tuple[float, float, float]) -> None:
    assert math.isnan(partial(*given))


def test_rounding_does_not_lead_beyond_1() -> None:
    rng = np.random.default_rng(0)
    z = rng.normal(size=9)
    x = rng.normal(size=9)
    r = np.corrcoef([x, 3 * x + 2 * z, z])
    assert abs(float(partial(r[0, 1], r[0, 2], r[1, 2])) - 1) < 1e-9
    assert float(partial(1.0, 0.3, 0.3 - 1e-12)) <= 1


def normal_scores(values: Floats) -> Floats:
    return np.asarray(stats.norm.ppf(stats.rankdata(values) / (len(values) + 1)))


def all_permuted(name: str, x: Floats, y: Floats, z: Floats) -> list[float]:
    """The partial correlation of each y made anew, in the plainest way; the observed one first."""
    score, control = (y, z) if name == "pearson" else (normal_scores(y), normal_scores(z))
    rest = residual(score, control)
    found = []
    for order in permutations(range(len(y))):
        made = score - rest + rest[list(order)]
        if name != "pearson":
            made = np.sort(y)[stats.rankdata(np.round(made, 9), method="ordinal") - 1]
        found.append(three(name, x, made, z))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_p_is_that_of_all_permutations(name: str) -> None:
    rng = np.random.default_rng(12)
    z = rng.normal(size=5)
    x, y = z + rng.normal(size=5), np.round(z + rng.normal(size=5), 1)
    y[0] = y[1]
    every = np.array(all_permuted(name, x, y, z))
    assert every[0] == pytest.approx(three(name, x, y, z))
    draws = 20_000
    far = np.abs(every - every.mean())
    # the mean of the draws is not quite that of all permutations
    slack = 4 * every.std() / math.sqrt(draws)
    most, least = ((far >= far[0] + shift).mean() for shift in (-slack, slack))
    error = 4 * math.sqrt(most * (1 - most) / draws)
    assert least - error < partial_p(name, x, y, z, draws, seed=1)[0] < most + error
    # the bounds are apart only by what is as far as the observed value
    assert most - least < 0.15
    assert 0.02 < most < 0.98


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("slope", [0.0, 1.0])
def test_p_is_uniform_where_both_depend_on_the_third_alone(name: str, slope: float) -> None:
    rng = np.random.default_rng(8)
    times, n = 250, 24
    p = np.empty(times)
    raw = np.empty(times)
    for run in range(times):
        z = rng.normal(size=n)
        # a scale that is not even, and ties
        x = np.exp((slope * z + rng.normal(size=n)) * (name != "pearson"))
        x = slope * z + rng.normal(size=n) if name == "pearson" else x
        y = np.round(slope * z + rng.normal(size=n), 1)
        p[run] = partial_p(name, x, y, z, draws=99, seed=run)[0]
        raw[run] = OTHERS[name](x, y).pvalue
    for alpha in (0.05, 0.2, 0.5):
        assert abs((p <= alpha).mean() - alpha) < 4 * math.sqrt(alpha * (1 - alpha) / times)
    # without the control, all is found that is not there
    assert (raw <= 0.05).mean() > 0.5 or slope == 0


@pytest.mark.parametrize("name", NAMES)
def test_what_is_there_is_found(name: str) -> None:
    rng = np.random.default_rng(3)
    z, shared = rng.normal(size=60), rng.normal(size=60)
    x, y = z + shared + rng.normal(size=60) / 2, z - shared + rng.normal(size=60) / 2
    X = np.column_stack([x, rng.normal(size=60) + z, -x])  # noqa: N806
    p = partial_p(name, X, y, z, draws=499, seed=0)
    assert p[0] == p[2] == 1 / 500
    assert p[1] > 0.01


@pytest.mark.parametrize("name", NAMES)
def test_columns_do_not_matter_to_each_other_and_the_seed_decides(name: str) -> None:
    rng = np.random.default_rng(3)
    X, y, z = rng.normal(size=(20, 3)), rng.normal(size=20), rng.normal(size=20)  # noqa: N806
    p = partial_p(name, X, y, z, draws=199, seed=0)
    assert p.tolist() == [partial_p(name, x, y, z, draws=199, seed=0)[0] for x in X.T]
    assert p.tolist() != partial_p(name, X, y, z, draws=199, seed=1).tolist()
    assert np.allclose(p * 200, np.round(p * 200))


@pytest.mark.parametrize("name", NAMES)
def test_neither_place_nor_scale_matter(name: str) -> None:
    rng = np.random.default_rng(4)
    z = rng.normal(size=30)
    x, y = z + rng.normal(size=30), z + rng.normal(size=30)
    p = partial_p(name, x, y, z, draws=199, seed=0)
    moved = partial_p(name, 1e7 + x, 1e-7 * y - 3, 1e5 * z + 1e9, draws=199, seed=0)
    assert p == pytest.approx(moved, abs=1 / 200)


@pytest.mark.parametrize("name", NAMES)
def test_undefined_p_is_nan(name: str) -> None:
    rng = np.random.default_rng(3)
    x, y, z = rng.normal(size=(3, 10))
    columns = np.column_stack([x, z, 2 * z + 1, np.full(10, 0.1)])
    p = partial_p(name, columns, y, z, draws=19, seed=0)
    assert np.isnan(p).tolist() == [False, True, True, True]
    tenths = np.full(10, 0.1)
    for a, b, c in ((x, z, z), (x, tenths, z), (x, y, tenths), (x[:3], y[:3], z[:3])):
        assert np.isnan(partial_p(name, a, b, c, draws=19, seed=0)).tolist() == [True]


def test_what_cannot_be_permuted_is_said() -> None:
    x = np.arange(5.0)
    with pytest.raises(InputError, match="no partial p of 'phi_k'"):
        partial_p("phi_k", x, x, x, draws=19, seed=0)
    with pytest.raises(InputError, match="at least one draw"):
        partial_p("pearson", x, x, x, draws=0, seed=0)
