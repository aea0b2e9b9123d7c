"""AUC by hand, against scipy and scikit-learn, and the groups that are compared."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu

from tealeaves.statistics.resampling import cluster_weights
from tealeaves.statistics.separation import ExtremeGroups, auc, extreme_groups

HIGH = np.array([True, True, True, False, False, False])
ENDS = ExtremeGroups(HIGH, ~HIGH)


def test_auc_by_hand() -> None:
    # 5 is above 4, 2 and 1; 4 ties with 4, above 2 and 1; 2 is below 4, ties with 2, above 1
    # 3 + (1/2 + 2) + (0 + 1/2 + 1) = 7 of 9 pairs
    assert auc(np.array([5.0, 4, 2, 4, 2, 1]), ENDS) == pytest.approx([7 / 9])


def test_constant_columns_tell_nothing_and_perfect_ones_all() -> None:
    columns = np.array([[1.0, 9, 0], [1, 8, 1], [1, 7, 2], [1, 3, 3], [1, 2, 4], [1, 1, 5]])
    assert auc(columns, ENDS).tolist() == [0.5, 1.0, 0.0]


def test_an_empty_group_has_no_auc() -> None:
    nothing = np.zeros(6, dtype=bool)
    assert np.isnan(auc(np.arange(6.0), ExtremeGroups(nothing, ~HIGH))).all()
    left_out = np.array([[0.0, 0, 0, 1, 1, 1]])  # a sample that has no high observation
    assert np.isnan(auc(np.arange(6.0), ENDS, left_out)).all()


@given(
    st.lists(st.tuples(st.integers(0, 6), st.sampled_from("hlx")), min_size=2, max_size=40),
    st.integers(0, 2**32 - 1),
)
def test_auc_is_mann_and_whitneys_u_in_each_sample(rows: list[tuple[int, str]], seed: int) -> None:
    values = np.array([float(value) for value, _ in rows])
    group = np.array([name for _, name in rows])
    ends = ExtremeGroups(group == "h", group == "l")
    weights = np.vstack([np.ones(len(rows)), cluster_weights(np.arange(len(rows)), 3, seed)])
    found = auc(np.column_stack([values, -values]), ends, weights)
    for row, w in zip(found, weights.astype(int), strict=True):
        high = np.repeat(values[ends.high], w[ends.high])
        low = np.repeat(values[ends.low], w[ends.low])
        if len(high) and len(low):
            u = mannwhitneyu(high, low, method="asymptotic").statistic
            assert row[0] == pytest.approx(u / len(high) / len(low))
            assert row.sum() == pytest.approx(1)  # turned round, it is the rest
        else:
            assert np.isnan(row).all()


def test_auc_is_that_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(5)
    x, high = rng.integers(0, 20, size=200).astype(float), rng.random(200) < 0.3
    assert auc(x, ExtremeGroups(high, ~high))[0] == pytest.approx(metrics.roc_auc_score(high, x))


@pytest.mark.parametrize(
    ("values", "parts", "high", "low"),
    [
        ([1, 2, 3, 4, 5, 6, 7], 3, [6, 7], [1, 2]),  # two of seven are a third, the rest between
        ([1, 2, 3, 4, 5], 2, [4, 5], [1, 2]),  # the middle one is in no half
        ([1, 2, 3, 4], 2, [3, 4], [1, 2]),
        ([1, 2, 2, 2, 5, 6], 3, [5, 6], [1, 2, 2, 2]),  # equal ones stay together
        ([1, 2, 2, 3], 2, [3], [1]),  # both halves would have the 2s: neither has
        ([0, 0, 0, 0, 1], 3, [1], [0, 0, 0, 0]),  # else the low group were empty
        ([0, 1, 1, 1, 1], 3, [1, 1, 1, 1], [0]),
        ([3, 3, 3], 3, [], []),
        ([], 3, [], []),
        ([1, 2], 3, [2], [1]),
    ],
)
def test_groups(values: list[float], parts: int, high: list[float], low: list[float]) -> None:
    given = np.array(values, dtype=float)
    found = extreme_groups(given, parts)
    assert (given[found.high].tolist(), given[found.low].tolist()) == (high, low)


@given(st.lists(st.integers(0, 9), max_size=40), st.sampled_from([2, 3]))
def test_groups_are_apart_and_never_divide_equal_values(numbers: list[int], parts: int) -> None:
    values = np.array(numbers, dtype=float)
    high, low = extreme_groups(values, parts)
    if len(set(numbers)) < 2:
        assert not high.any()
        assert not low.any()
        return
    assert values[high].min() > values[low].max()
    for group in (high, low):
        assert not set(values[group]) & set(values[~group])
