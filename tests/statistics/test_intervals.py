"""Intervals against scipy, and how often they cover the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tealeaves.statistics.correlation import COEFFICIENTS, pearson
from tealeaves.statistics.intervals import (
    Interval,
    bca_interval,
    bca_p,
    normal_interval,
    percentile_interval,
    wilson_interval,
)
from tealeaves.statistics.resampling import cluster_weights, jackknife_weights

RHO = 0.5
# of a normal distribution with that correlation
TRUTH = {"pearson": RHO, "spearman": 6 / math.pi * math.asin(RHO / 2)}


def covers(interval: Interval, truth: float) -> bool:
    return interval.low <= truth <= interval.high


# -- Wilson


@given(st.integers(1, 200), st.floats(0, 1), st.sampled_from([0.8, 0.95, 0.99]))
def test_wilson_is_scipys(n: int, share: float, level: float) -> None:
    successes = round(share * n)
    test = stats.binomtest(successes, n)
    expected = test.proportion_ci(confidence_level=level, method="wilson")
    np.testing.assert_allclose(
        wilson_interval(successes, n, level), tuple(expected), rtol=0, atol=1e-12
    )


def test_wilson_by_hand() -> None:
    # 1 of 2 with z = 1.959964, z² = 3.841459: the centre is .5, as the share is, and half of it
    # z * sqrt(.125 + z²/16) / (1 + z²/2) = 1.959964 * .604228 / 2.920729 = .405469
    assert wilson_interval(1, 2) == pytest.approx((0.094531, 0.905469), abs=1e-6)


def test_wilson_of_nothing_is_not_defined() -> None:
    assert all(math.isnan(end) for end in wilson_interval(0, 0))


@pytest.mark.parametrize("n", [10, 26, 100])
def test_wilson_covers_at_its_level_on_average(n: int) -> None:
    successes = np.arange(n + 1)
    low, high = np.array([wilson_interval(k, n) for k in range(n + 1)]).T
    shares = np.linspace(0.005, 0.995, 199)
    inside = (low <= shares[:, None]) & (shares[:, None] <= high)
    coverage = (stats.binom.pmf(successes, n, shares[:, None]) * inside).sum(axis=1)
    assert coverage.mean() == pytest.approx(0.95, abs=0.01)
    assert coverage.min() > 0.83  # it swings, as all intervals of a count do


# -- of draws


def test_percentile_is_the_middle_share_of_what_is_defined() -> None:
    draws = np.append(np.arange(201.0), [np.nan] * 50)
    assert percentile_interval(draws) == pytest.approx((5.0, 195.0))
    assert percentile_interval(draws, level=0.5) == pytest.approx((50.0, 150.0))


def test_bca_is_scipys_at_the_expanded_level() -> None:
    """The same draws and the same jackknife."""
    x = np.random.default_rng(0).exponential(size=40)

    def mean_log(sample: np.ndarray, axis: int = -1) -> np.ndarray:
        return np.asarray(np.log(sample.mean(axis=axis)))

    weights = cluster_weights(np.arange(40), 2000, seed=1)
    draws = np.log(weights @ x / 40)
    jackknife = np.log(jackknife_weights(np.arange(40)) @ x / 39)
    level = 2 * stats.norm.cdf(math.sqrt(40 / 39) * stats.t.ppf(0.975, 39)) - 1
    before = stats.bootstrap((x,), mean_log, n_resamples=2, method="percentile")
    before.bootstrap_distribution = draws
    expected = stats.bootstrap(
        (x,),
        mean_log,
        n_resamples=0,
        confidence_level=level,
        method="BCa",
        bootstrap_result=before,
    ).confidence_interval
    found = bca_interval(float(mean_log(x)), draws, jackknife)
    assert found == pytest.approx((expected.low, expected.high), abs=1e-9)
    plain = percentile_interval(draws)
    assert found.low != pytest.approx(plain.low, abs=4e-3)


def test_bca_by_hand() -> None:
    """1,000 draws 1..1000, value 600.5: z0 = Φ⁻¹(.6); a jackknife of skewness known."""
    draws = np.arange(1.0, 1001.0)
    jackknife = np.tile([3.0, 0.0, 0.0], 4000)  # mean 1: leads -2, 1, 1
    # sums over 4,000 triples: cubes (-8 + 1 + 1) = -6, squares 6
    a = -6 * 4000 / (6 * (6 * 4000) ** 1.5)
    z0 = stats.norm.ppf(0.6)
    level = 2 * stats.norm.cdf(math.sqrt(12000 / 11999) * stats.t.ppf(0.975, 11999)) - 1
    tails = stats.norm.ppf([(1 - level) / 2, (1 + level) / 2])
    ends = stats.norm.cdf(z0 + (z0 + tails) / (1 - a * (z0 + tails)))
    assert bca_interval(600.5, draws, jackknife) == pytest.approx(tuple(1 + 999 * ends), abs=1e-6)
    assert ends[0] > 0.06  # far from the percentile's .025


def test_draws_that_equal_the_value_count_half() -> None:
    draws = np.repeat([0.0, 1.0, 2.0], [40, 20, 40])
    many = np.tile([-1.0, 1.0], 10**5)
    # half of the ties below: no bias; so the ends are percentiles
    assert bca_interval(1.0, draws, many) == percentile_interval(draws)
    wiggled = np.where(draws == 1, 1 + 1e-15, draws)
    assert bca_interval(1.0, wiggled, many) == pytest.approx(percentile_interval(draws))


def test_where_there_is_no_bca_it_is_the_percentile() -> None:
    jackknife = np.array([0.1, 0.4, 0.2])
    ones = np.ones(50)
    assert bca_interval(1.0, ones, jackknife) == (1.0, 1.0)
    draws = np.linspace(0, 1, 101)
    # leads equal but for rounding; not defined; every draw on one side
    assert bca_interval(0.3, draws, np.full(10**6, 0.1)) == pytest.approx(
        percentile_interval(draws), abs=1e-5
    )
    one = np.array([0.1])
    assert bca_interval(0.3, draws, one) == percentile_interval(draws)
    many = np.append(np.linspace(0, 1, 10**6), np.nan)
    assert bca_interval(0.3, draws, many) == pytest.approx(percentile_interval(draws), abs=1e-5)
    assert bca_interval(-0.5, draws, many[:-1]) == pytest.approx(
        percentile_interval(draws), abs=1e-5
    )


def test_few_clusters_widen_the_interval() -> None:
    draws = np.linspace(0, 1, 10_001)
    low, high = bca_interval(0.5, draws, np.array([0.0, 1.0] * 5))
    # t of 9 degrees, 2.262157, times sqrt(10 / 9) = 2.384524: Φ = .991449
    assert (low, high) == pytest.approx((0.008551, 0.991449), abs=1e-6)


@pytest.mark.parametrize("count", [0, 5, 19])
def test_no_interval_of_few_draws_or_of_nothing(count: int) -> None:
    draws = np.append(np.linspace(0, 1, count), [np.nan] * 100)
    jackknife = np.array([0.1, 0.4, 0.2])
    assert np.isnan(percentile_interval(draws)).all()
    assert np.isnan(bca_interval(0.5, draws, jackknife)).all()
    assert np.isnan(bca_interval(math.nan, np.linspace(0, 1, 100), jackknife)).all()


def test_the_pole_of_the_acceleration_is_the_last_draw() -> None:
    draws = np.linspace(0, 1, 1001)
    skewed = np.array([0.0] * 99 + [-9.0])
    # a = 98 / (6 * sqrt(9900)) = .164, z0 = Φ⁻¹(.998) = 2.9, z of the level above 5.7:
    # 1 - a (z0 + z) < 0
    low, high = bca_interval(0.9975, draws, skewed, level=1 - 1e-8)
    assert high == 1.0
    assert 0.5 < low < 1.0


# -- coverage


def coverage(name: str, clusters: np.ndarray, *, whole: bool, repetitions: int = 300) -> float:
    """Return how often the interval of normal data in clusters of near duplicates covers."""
    coefficient, n = COEFFICIENTS[name], len(clusters)
    rng = np.random.default_rng(7)
    drawn = clusters if whole else np.arange(n)
    jackknife = jackknife_weights(drawn)
    hits = 0
    for seed in range(repetitions):
        shared = rng.normal(size=(2, clusters.max() + 1))[:, clusters]
        x, other = math.sqrt(0.9) * shared + math.sqrt(0.1) * rng.normal(size=(2, n))
        y = RHO * x + math.sqrt(1 - RHO**2) * other
        weights = np.vstack([jackknife, cluster_weights(drawn, 400, seed)])
        values = coefficient(x, y, weights)[:, 0]
        found = bca_interval(
            coefficient(x, y)[0], values[len(jackknife) :], values[: len(jackknife)]
        )
        hits += covers(found, TRUTH[name])
    return hits / repetitions


# three standard errors of 300 repetitions, and .01 as no interval of 40 to 50 is exact
TOLERANCE = 3 * math.sqrt(0.95 * 0.05 / 300) + 0.01


@pytest.mark.parametrize("name", sorted(TRUTH))
def test_the_bootstrap_covers_the_truth(name: str) -> None:
    assert coverage(name, np.arange(50), whole=True) == pytest.approx(0.95, abs=TOLERANCE)


@pytest.mark.parametrize("name", sorted(TRUTH))
def test_near_duplicates_are_covered_only_when_drawn_together(name: str) -> None:
    clusters = np.repeat(np.arange(40), 4)
    assert coverage(name, clusters, whole=True) == pytest.approx(0.95, abs=TOLERANCE)
    assert coverage(name, clusters, whole=False, repetitions=100) < 0.85


@pytest.mark.parametrize("value", [0.3, -0.8, 0.02])
@pytest.mark.parametrize("skew", [0.0, 0.5])
def test_p_and_interval_say_the_same(value: float, skew: float) -> None:
    """At the level 1 - p one end of the interval is 0."""
    rng = np.random.default_rng(1)
    noise = rng.normal(size=20_000)
    draws = value + 0.4 * noise + skew * (noise**2 - 1) * 0.1
    jackknife = value + 0.01 * (rng.exponential(size=60) if skew else rng.normal(size=60))
    p = bca_p(value, draws, jackknife)
    low, high = bca_interval(value, draws, jackknife, level=1 - p)
    assert min(abs(low), abs(high)) < 0.003


def test_p_has_a_least_value_and_knows_equal_draws() -> None:
    jackknife = np.linspace(0.9, 1.1, 30)
    assert 2 / 200 <= bca_p(1.0, np.linspace(0.5, 1.5, 199), jackknife) < 0.02
    assert bca_p(0.0, np.zeros(100), np.zeros(30)) == 1
    assert math.isnan(bca_p(math.nan, np.zeros(100), jackknife))


def test_p_of_a_difference_of_coefficients_is_uniform_under_the_null() -> None:
    """Two metrics that are equally good: p is below .05 and .2 about as often as that."""
    rng = np.random.default_rng(2)
    found = []
    for seed in range(300):
        y = rng.normal(size=50)
        x = y[:, None] + rng.normal(size=(50, 2))
        apart = np.arange(50)
        draws = pearson(x, y, cluster_weights(apart, 400, seed))
        left = pearson(x, y, jackknife_weights(apart))
        a, b = pearson(x, y)
        found.append(bca_p(float(a - b), draws[:, 0] - draws[:, 1], left[:, 0] - left[:, 1]))
    for level in (0.05, 0.2, 0.5):
        share = float(np.mean(np.array(found) <= level))
        assert abs(share - level) < 3 * math.sqrt(level * (1 - level) / 300) + 0.01


def test_a_spread_stays_within_bounds() -> None:
    low, high = normal_interval(
        0.95, np.random.default_rng(3).normal(0.9, 0.1, 500), bounds=(0.0, 1.0)
    )
    assert high == 1
    assert low == pytest.approx(0.95 - 1.96 * 0.1, abs=0.02)
    assert math.isnan(normal_interval(0.5, np.ones(3), bounds=(0.0, 1.0)).low)
