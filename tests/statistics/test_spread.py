"""The spread of values: quartiles, the size of most values, and where a logarithm helps."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tealeaves.statistics.spread import group_spread, logarithm_bend, size_of_most


def test_quartiles_are_those_of_each_group() -> None:
    spread = group_spread({"high": np.array([0.4, 0.1, 0.3, 0.2]), "low": np.array([7.0])})
    # of .1 .2 .3 .4 the quartiles lie 0.75, 1.5 and 2.25 steps after the first
    assert spread.quartiles["high"] == pytest.approx((0.175, 0.25, 0.325))
    assert spread.quartiles["low"] == (7.0, 7.0, 7.0)


def test_a_group_without_values_has_no_quartiles() -> None:
    spread = group_spread({"high": np.zeros(0)})
    assert spread.quartiles == {}
    assert math.isnan(spread.bend)
    assert group_spread({}).quartiles == {}


def test_the_bend_is_that_of_all_groups_together() -> None:
    groups = {"high": np.array([2.0, 3, 900, 4]), "low": np.array([-1.0, 1, 0, 2])}
    # of 1 1 2 2 3 4 900, without the 0, a quarter lie below 1.5
    assert group_spread(groups).bend == 1.5


@pytest.mark.parametrize("values", [[0.0, 0.0], [1.0, 2.0, 3.0], [1000.0, 1001.0, 1100.0]])
def test_no_logarithm_without_a_few_large_values(values: list[float]) -> None:
    assert math.isnan(logarithm_bend(np.array(values)))


def test_the_size_of_most_values_leaves_a_few_out() -> None:
    values = np.arange(-110.0, 0.0)
    assert size_of_most(values) == pytest.approx(1 + 0.99 * 109)
    assert size_of_most(values, 0.5) == 55.5


def test_if_most_values_are_0_the_largest_counts() -> None:
    values = np.zeros(400)
    values[3] = -0.5
    assert size_of_most(values) == 0.5
    assert size_of_most(np.zeros(4)) == 0


def test_what_is_not_finite_is_left_out() -> None:
    assert size_of_most(np.array([math.nan, math.inf, 3.0])) == 3
    assert math.isnan(size_of_most(np.array([math.nan])))
