"""phi_K against the package phik on whole samples."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import phik.phik as phik
import pytest

from tealeaves.statistics.intervals import normal_interval, percentile_interval
from tealeaves.statistics.phi_k import phi_k, phi_k_draws, phi_k_p
from tealeaves.statistics.resampling import (
    cluster_weights,
    half_weights,
    permutations,
)


def sample(n: int, seed: int, slope: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    return x, slope * x + rng.normal(size=n)


@pytest.mark.parametrize("bins", [3, 10])
@pytest.mark.parametrize("noise_correction", [True, False])
def test_numbers_are_binned_as_phik_does(bins: int, noise_correction: bool) -> None:
    x, y = sample(150, seed=0)
    expected = phik.phik_from_array(
        x, y, num_vars=["x", "y"], bins=bins, noise_correction=noise_correction
    )
    assert 0.1 < expected < 1
    found = phi_k(x, y, bins=bins, noise_correction=noise_correction)
    assert found == pytest.approx(expected, abs=1e-12)


def test_classes_are_not_binned() -> None:
    x, y = sample(200, seed=1)
    # no bins of equal width hold these classes apart
    y = np.array([-2.0, 0.0, 0.1, 50.0])[np.digitize(y, [-1, 0, 1])]
    expected = phik.phik_from_array(x, y, num_vars=["x"], bins=10)
    assert phi_k(x, y, classes=True) == pytest.approx(expected, abs=1e-12)
    assert phi_k(x, y) != pytest.approx(expected, abs=0.01)
    names = np.array(["bad", "fair", "good", "best"])[np.digitize(x, [-1, 0, 1])]
    expected = phik.phik_from_array(names, y)
    assert phi_k(names, y, classes=True, x_classes=True) == pytest.approx(expected, abs=1e-12)


def test_the_sides_can_be_exchanged_and_have_no_sign() -> None:
    x, y = sample(300, seed=2)
    assert phi_k(y, x) == pytest.approx(phi_k(x, y), abs=1e-4)
    # turned round, the bins are open at their other ends, which no number is at
    assert phi_k(-x, y) == pytest.approx(phi_k(x, y), abs=1e-4)


def test_draws_are_phi_k_of_the_sample_with_copies() -> None:
    x, y = sample(80, seed=3)
    levels = np.round(y) + 0.0  # phik takes -0.0 for a class of its own
    weights = cluster_weights(np.arange(80) // 2, draws=6, seed=0)
    for side, classes in ((y, False), (levels, True)):
        found = phi_k_draws(x, side, weights, bins=5, classes=classes)
        copies = [np.repeat(np.arange(80), row.astype(int)) for row in weights]
        expected = [
            phik.phik_from_array(
                x[rows], side[rows], num_vars=["x"] if classes else ["x", "y"], bins=5
            )
            for rows in copies
        ]
        assert found == pytest.approx(expected, abs=1e-12)
        assert len(set(expected)) > 1


def test_constant_sides_are_not_defined() -> None:
    x, constant = np.arange(20.0), np.full(20, 0.1)
    for pair in ((x, constant), (constant, x), (x[:0], x[:0]), (x[:1], x[:1])):
        assert np.isnan(phi_k(*pair))
        assert np.isnan(phi_k_p(*pair, draws=9, seed=0))
    single = np.zeros((1, 20))
    single[0, 3] = 20
    assert np.isnan(phi_k_draws(x, x, single)).all()


@pytest.mark.parametrize(("bins", "classes"), [(10, False), (5, True), (2, False)])
@pytest.mark.parametrize("noise_correction", [True, False])
def test_p_is_that_of_permuted_phi_k(bins: int, classes: bool, noise_correction: bool) -> None:
    x, y = sample(60, seed=4, slope=0.4)
    y = np.round(y) if classes else y

    def value(human: np.ndarray) -> float:
        return phi_k(x, human, bins=bins, classes=classes, noise_correction=noise_correction)

    orders = np.concatenate(list(permutations(60, 60, seed=8)))
    # phik finds phi_K to 1e-5
    count = sum(value(y[order]) >= value(y) - 2e-5 for order in orders)
    found = phi_k_p(x, y, bins=bins, classes=classes, noise_correction=noise_correction,
                    draws=60, seed=8)  # fmt: skip
    assert value(y) > 0
    assert found == (count + 1) / 61


def test_where_phi_k_is_0_p_is_1() -> None:
    x = np.arange(200.0)
    assert phi_k(x, x % 20) == 0
    assert phi_k_p(x, x % 20, draws=50, seed=0) == 1


@pytest.mark.parametrize("classes", [False, True])
def test_p_is_valid_under_the_null(classes: bool) -> None:
    rng = np.random.default_rng(5)
    p = np.empty(300)
    for seed in range(300):
        x, y = rng.normal(size=(2, 50))
        y = np.round(y) if classes else y
        p[seed] = phi_k_p(x, y, bins=5, classes=classes, draws=99, seed=seed)
    for level in (0.01, 0.05, 0.1, 0.25, 0.5):
        error = 3 * np.sqrt(level * (1 - level) / 300)
        assert np.mean(p <= level + 1e-9) <= level + error
    # valid, and of use: small p are not rarer than they should be
    assert np.mean(p <= 0.25) > 0.15
    assert np.mean(p == 1) > 0.2  # the zeros


def test_importing_phik_draws_nothing_and_nothing_else_needs_it() -> None:
    code = (
        "import sys, warnings; warnings.simplefilter('error');"
        "import tealeaves.statistics.phi_k as module;"
        "assert 'phik' not in sys.modules and 'scipy' not in sys.modules;"
        "assert 0 < module.phi_k(range(50), range(50)) <= 1;"
        "assert 'matplotlib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_halves_cover_phi_k_where_a_bootstrap_does_not() -> None:
    """The target is the mean phi_K of such samples, for it depends on n."""
    rng = np.random.default_rng(5)
    n, repetitions = 120, 24
    apart = np.arange(n)
    pairs = rng.multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]], size=(repetitions, n))
    values = [phi_k(x, y, bins=5) for x, y in (pair.T for pair in pairs)]
    truth = float(np.mean(values))
    halves, boots = [], []
    for seed, (pair, value) in enumerate(zip(pairs, values, strict=True)):
        half, boot = (
            phi_k_draws(pair[:, 0], pair[:, 1], weights(apart, 30, seed), bins=5)
            for weights in (half_weights, cluster_weights)
        )
        halves.append(normal_interval(value, half, bounds=(0.0, 1.0)))
        boots.append(percentile_interval(boot))
    covering = [sum(low <= truth <= high for low, high in found) for found in (halves, boots)]
    assert covering[0] >= 20  # of 24; at .95 fewer are had once in a hundred
    assert covering[1] < covering[0]
