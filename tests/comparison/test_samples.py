"""Intervals of means and of differences."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from tealeaves.comparison.samples import TwoSamples, interval_of_difference, interval_of_mean

RNG = np.random.default_rng(11)
A, B = RNG.gamma(2.0, size=40), RNG.gamma(3.0, size=30)


def expanded(n: int) -> float:
    """Return the level at which normal quantiles are as wide as t's, with n - 1 for n."""
    quantile = stats.t.ppf(0.975, n - 1) * math.sqrt(n / (n - 1))
    return float(2 * stats.norm.cdf(quantile) - 1)


def assert_near(found: tuple[float, float], oracle: tuple[float, float]) -> None:
    """Ends of 100,000 draws on both sides err by .3 % of the width; 1 % is three times that.

    Without its expansion an interval of 70 units would be 2.5 % too narrow, one of 40 by 4.5 %.
    """
    width = oracle[1] - oracle[0]
    assert found == pytest.approx(oracle, abs=0.01 * width)
    assert found[1] - found[0] == pytest.approx(width, rel=0.01)


def test_the_interval_of_a_mean_is_that_of_scipy() -> None:
    oracle = stats.bootstrap(
        (A,), np.mean, n_resamples=100_000, confidence_level=expanded(40), method="BCa", rng=5
    )
    assert_near(interval_of_mean(A, 100_000, 0, 0.95), tuple(oracle.confidence_interval))


def test_the_interval_of_a_difference_without_pairs_is_that_of_scipy() -> None:
    def difference(x: np.ndarray, y: np.ndarray, axis: int = -1) -> np.ndarray:
        found: np.ndarray = x.mean(axis=axis) - y.mean(axis=axis)
        return found

    oracle = stats.bootstrap(
        (A, B), difference, n_resamples=100_000, confidence_level=expanded(70), method="BCa", rng=5
    )
    found = interval_of_difference(TwoSamples(A, B, paired=False), 100_000, 0, 0.95)
    assert_near(found, tuple(oracle.confidence_interval))


def test_sides_of_the_same_size_are_not_drawn_together() -> None:
    """The same values on both sides: drawn as pairs, every difference would be 0."""
    low, high = interval_of_difference(TwoSamples(A, A.copy(), paired=False), 2000, 0, 0.95)
    assert low < -0.1
    assert high > 0.1


def test_pairs_are_drawn_together() -> None:
    shifted = A[:30] + 1 + RNG.normal(0, 0.01, 30)
    low, high = interval_of_difference(TwoSamples(shifted, A[:30], paired=True), 2000, 0, 0.95)
    assert 0.99 < low < high < 1.01


def test_few_values_have_student_s_interval() -> None:
    few, other = A[:5], B[:4]
    oracle = stats.ttest_1samp(few, 0).confidence_interval(0.9)
    assert interval_of_mean(few, 2000, 0, 0.9) == pytest.approx(tuple(oracle))
    oracle = stats.ttest_rel(few, B[:5]).confidence_interval(0.95)
    paired = TwoSamples(few, B[:5], paired=True)
    assert interval_of_difference(paired, 2000, 0, 0.95) == pytest.approx(tuple(oracle))
    oracle = stats.ttest_ind(few, other, equal_var=False).confidence_interval(0.95)
    loose = TwoSamples(few, other, paired=False)
    assert interval_of_difference(loose, 2000, 0, 0.95) == pytest.approx(tuple(oracle))


def test_what_does_not_vary_has_no_width() -> None:
    same = np.full(12, 0.25)
    assert interval_of_mean(same, 100, 0, 0.95) == (0.25, 0.25)
    loose = TwoSamples(same, np.full(11, 0.5), paired=False)
    assert interval_of_difference(loose, 100, 0, 0.95) == (-0.25, -0.25)


def test_a_single_value_has_none() -> None:
    assert all(map(math.isnan, interval_of_mean(np.array([1.0]), 100, 0, 0.95)))
    assert all(map(math.isnan, interval_of_mean(np.array([1.0, math.inf]), 100, 0, 0.95)))


def test_the_interval_covers_the_mean_at_its_rate() -> None:
    """400 samples of 20: the share that holds the mean is within three binomial errors of 95 %.

    Resampled intervals of 20 values are a little narrow, hence two points more below.
    """
    rng = np.random.default_rng(1)
    held = 0
    for number in range(400):
        low, high = interval_of_mean(rng.normal(size=20), 500, number, 0.95)
        held += low <= 0 <= high
    error = 3 * math.sqrt(0.95 * 0.05 / 400)
    assert 0.95 - error - 0.02 <= held / 400 <= 0.95 + error
