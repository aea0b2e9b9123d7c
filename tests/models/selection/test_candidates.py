"""Intervals over runs, against scipy and by hand."""

from __future__ import annotations

import math
import statistics
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tealeaves.models.selection.candidates import mean_of_runs, pool_variances

FLOATS = st.floats(-1, 1).map(lambda x: round(x, 6))


def test_the_interval_of_one_candidate_by_hand() -> None:
    # mean 0.4; s² = (0.01 + 0 + 0.01) / 2 = 0.01; t(2) = 4.302653; 4.302653 * 0.1 / √3 = 0.248414
    mean = mean_of_runs([0.3, 0.4, 0.5])
    assert mean.value == pytest.approx(0.4)
    assert pool_variances([mean]).half(mean) == pytest.approx(0.248414, abs=1e-6)


def test_the_interval_of_two_candidates_by_hand() -> None:
    # s² = (2 * 0.01 + 1 * 0.02) / 3 = 0.013333; t(3) = 3.182446
    # 3.182446 * √(0.013333 / 3) = 0.212163; 3.182446 * √(0.013333 / 2) = 0.259846
    one, other = mean_of_runs([0.3, 0.4, 0.5]), mean_of_runs([0.5, 0.7, math.nan])
    spread = pool_variances([one, other])
    assert spread.half(one) == pytest.approx(0.212163, abs=1e-6)
    assert spread.half(other) == pytest.approx(0.259846, abs=1e-6)


@given(st.lists(FLOATS, min_size=2, max_size=6))
def test_of_one_candidate_it_is_students_interval(values: list[float]) -> None:
    mean = mean_of_runs(values)
    error = statistics.stdev(values) / math.sqrt(len(values))
    if error > 1e-9:
        low, high = stats.t.interval(0.95, len(values) - 1, statistics.mean(values), error)
        half = pool_variances([mean]).half(mean)
        assert (mean.value - half, mean.value + half) == pytest.approx((low, high))


@given(st.lists(st.lists(FLOATS, min_size=3, max_size=3), min_size=2, max_size=5))
def test_intervals_and_verdict_rest_on_one_variance(runs: list[list[float]]) -> None:
    means = [mean_of_runs(one) for one in runs]
    spread = pool_variances(means)
    for one, other in pairwise(means):
        apart, half = abs(one.value - other.value), spread.half(one)
        if not math.isclose(apart, math.sqrt(2) * half, rel_tol=1e-9, abs_tol=1e-12):
            assert spread.clearly_differ(one, other) == (apart > math.sqrt(2) * half)


def test_a_single_run_has_no_interval_and_nan_none_at_all() -> None:
    single = mean_of_runs([0.5])
    assert math.isnan(pool_variances([single]).half(single))
    assert mean_of_runs([0.5, math.nan]).runs == 1
    assert math.isnan(mean_of_runs([math.nan]).value)


def test_what_is_not_finite_has_a_mean_but_no_interval() -> None:
    spread = pool_variances([mean_of_runs([0.1, 0.2])])
    endless = mean_of_runs([1.0, math.inf])
    assert endless.value == math.inf
    assert math.isnan(spread.half(endless))
    assert spread.clearly_differ(endless, mean_of_runs([0.1, 0.2])) is None
    assert math.isnan(mean_of_runs([math.inf, -math.inf]).value)


@given(st.lists(FLOATS, min_size=3, max_size=3), st.lists(FLOATS, min_size=3, max_size=3))
def test_of_two_candidates_it_is_the_t_test(one: list[float], other: list[float]) -> None:
    first, second = mean_of_runs(one), mean_of_runs(other)
    spread = pool_variances([first, second])
    if len({*one}) > 1 and len({*other}) > 1:  # else scipy warns
        expected = stats.ttest_ind(one, other).pvalue
        if abs(expected - 0.05) > 1e-6:
            assert spread.clearly_differ(first, second) == (expected < 0.05)


def test_single_runs_cannot_be_told_apart() -> None:
    one, other = mean_of_runs([0.1]), mean_of_runs([0.9])
    assert pool_variances([one, other]).clearly_differ(one, other) is None


def test_runs_that_do_not_vary_differ_by_any_difference() -> None:
    one, other = mean_of_runs([0.5, 0.5]), mean_of_runs([0.6, 0.6])
    assert pool_variances([one, other]).clearly_differ(one, other) is True
    assert pool_variances([one, one]).clearly_differ(one, one) is False
