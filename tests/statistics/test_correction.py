"""Correction for many tests."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from tealeaves.errors import InputError
from tealeaves.statistics.correction import METHODS, correct_p

PS = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def test_holm_by_hand() -> None:
    # in order: .005 × 5 = .025, .011 × 4 = .044, .02 × 3 = .06, .04 × 2 = .08, .13 × 1 = .13
    assert correct_p([0.02, 0.005, 0.13, 0.04, 0.011], "holm") == pytest.approx(
        [0.06, 0.025, 0.13, 0.08, 0.044]
    )
    # .03 × 3 = .09, then .04 × 2 = .08 and .045 × 1 may not be below that
    assert correct_p([0.04, 0.03, 0.045], "holm") == pytest.approx([0.09, 0.09, 0.09])
    assert correct_p([0.6, 0.7], "holm").tolist() == [1, 1]


def test_benjamini_hochberg_by_hand() -> None:
    # .01 × 4 / 1 = .04, .02 × 4 / 2 = .04, .03 × 4 / 3 = .04, .9; the first three tie
    assert correct_p([0.03, 0.9, 0.01, 0.02], "bh") == pytest.approx([0.04, 0.9, 0.04, 0.04])


@given(PS)
def test_benjamini_hochberg_is_that_of_scipy(p: list[float]) -> None:
    np.testing.assert_allclose(correct_p(p, "bh"), false_discovery_control(p), atol=1e-12)


@given(PS)
def test_holm_rejects_what_the_steps_reject(p: list[float]) -> None:
    """Holm's procedure itself: compare with α / (m - i), and stop at the first that is above."""
    for alpha in (0.01, 0.05, 0.3):
        rejected = set()
        for step, place in enumerate(np.argsort(p, kind="stable")):
            if p[place] * (len(p) - step) > alpha:
                break
            rejected.add(place)
        assert set(np.flatnonzero(correct_p(p, "holm") <= alpha)) == rejected


@given(PS, st.sampled_from(METHODS))
def test_corrected_is_never_below_raw_nor_above_1_and_keeps_the_order(
    p: list[float], method: str
) -> None:
    found = correct_p(p, method)
    assert (found >= np.array(p)).all()
    assert (found <= 1).all()
    assert (np.diff(found[np.argsort(p)]) >= 0).all()


@given(PS, st.sampled_from(METHODS))
def test_missing_p_stay_missing_and_do_not_count(p: list[float], method: str) -> None:
    holes = [value for number in p for value in (number, math.nan)]
    found = correct_p(holes, method)
    assert np.isnan(found[1::2]).all()
    assert found[::2].tolist() == correct_p(p, method).tolist()


def test_none_and_nothing_and_shapes() -> None:
    given_p = np.array([[0.01, 0.02], [math.nan, 0.03]])
    assert np.array_equal(correct_p(given_p, "none"), given_p, equal_nan=True)
    assert correct_p(given_p, "holm").ravel() == pytest.approx(
        [0.03, 0.04, math.nan, 0.04], nan_ok=True
    )
    assert given_p[0, 0] == 0.01
    assert correct_p([], "bh").shape == (0,)
    assert math.isnan(correct_p([math.nan], "holm")[0])


def test_what_is_no_p_or_no_method_is_said() -> None:
    with pytest.raises(InputError, match="did you mean holm"):
        correct_p([0.1], "hölm")
    with pytest.raises(InputError, match="between 0 and 1"):
        correct_p([0.1, 1.2], "bh")
