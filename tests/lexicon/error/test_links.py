"""AER, precision and recall of links."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.lexicon import score_links
from tealeaves.lexicon.alignment.links import Links


def test_by_hand() -> None:
    # A has four links; two are sure, one more is possible, one is wrong; one sure link is missed
    predicted = [(0, 0), (1, 1), (2, 3), (4, 4)]
    sure, possible = [(0, 0), (1, 1), (3, 3)], [(2, 3), (5, 5)]
    found = score_links(predicted, sure, possible)
    assert found.precision == 3 / 4
    assert found.recall == 2 / 3
    assert found.aer == pytest.approx(1 - (2 + 3) / (4 + 3))
    assert (found.predicted, found.sure) == (4, 3)


def test_sure_links_are_possible_and_twice_counts_once() -> None:
    apart = score_links([(0, 0), (0, 0)], [(0, 0)], [(1, 1)])
    within = score_links([(0, 0)], [(0, 0)], [(1, 1), (0, 0)])
    assert apart == within == (0.0, 1.0, 1.0, 1, 1)


def test_without_possible_links_aer_is_one_less_f() -> None:
    found = score_links([(0, 0), (1, 1), (1, 2)], [(0, 0), (1, 1), (2, 2), (3, 3)])
    f = 2 * found.precision * found.recall / (found.precision + found.recall)
    assert found.aer == pytest.approx(1 - f)


def test_nothing_on_a_side() -> None:
    none = score_links([], [(0, 0)])
    assert (none.aer, none.recall) == (1, 0)
    assert math.isnan(none.precision)
    extra = score_links([(0, 0)], [])
    assert (extra.aer, extra.precision) == (1, 0)
    assert math.isnan(extra.recall)
    assert math.isnan(score_links([], []).aer)


pairs = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)))


@given(pairs, pairs)
def test_links_are_the_same_as_tuples(predicted: set[tuple[int, int]], sure: set[tuple[int, int]]
                                      ) -> None:  # fmt: skip
    as_links = [Links.of(4, [(s, t, 1.0) for s, t in some]) for some in (predicted, sure)]
    assert repr(score_links(*as_links)) == repr(score_links(predicted, sure))
    if predicted or sure:
        assert 0 <= score_links(predicted, sure).aer <= 1
