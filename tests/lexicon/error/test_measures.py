"""Extended BCubed, ARI and the V-measure: by hand, and against others."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.lexicon import bcubed, indices

from . import plain_measures
from .plain_measures import Sets
from .test_extraction_error import sets


def test_bcubed_counts_how_often_tokens_are_together() -> None:
    # together by two expressions, but found once: half is recalled
    found = bcubed(sets("a a"), sets("xy xy"))
    assert (found.precision, found.recall) == (1, 1 / 2)
    # and found three times, which is once too often
    found = bcubed(sets("abc abc"), sets("xy xy"))
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == 1


def test_bcubed_by_hand() -> None:
    found = bcubed(sets("a a b 0"), sets("x y y 0"))
    # precision: tokens 1 and 2 find half of what they are with; 3 and 4 are alone
    assert found.precision == pytest.approx((1 / 2 + 1 / 2 + 1 + 1) / 4)
    assert found.recall == pytest.approx((1 + 1 / 2 + 1 / 2 + 1) / 4)
    assert found.f == pytest.approx(3 / 4)


def test_nothing_is_shared_by_all_that_nothing_expresses() -> None:
    assert bcubed(sets("0 0"), sets("x x")) == (1, 1, 1)
    assert bcubed(sets("0 a"), sets("x x")).recall == 1 / 2


@given(plain_measures.pairs_of_series(least=1))
def test_bcubed_is_what_a_plain_loop_finds(pair: tuple[Sets, Sets]) -> None:
    assert bcubed(*pair) == pytest.approx(plain_measures.bcubed(*pair), abs=1e-12)


def test_bcubed_of_no_tokens() -> None:
    assert all(math.isnan(value) for value in bcubed([], []))


labels = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("wxyz")), min_size=2, max_size=12
)


@given(labels)
def test_indices_are_those_of_scikit_learn(tokens: list[tuple[str, str]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    extracted, annotated = zip(*tokens, strict=True)
    found = indices([{one} for one in extracted], [{one} for one in annotated])
    assert found.tokens == len(tokens)
    assert found.ari == pytest.approx(metrics.adjusted_rand_score(annotated, extracted), abs=1e-9)
    assert found.v_measure == pytest.approx(metrics.v_measure_score(annotated, extracted), abs=1e-9)


def test_indices_are_of_tokens_with_one_expression_on_both_sides() -> None:
    plain = indices(sets("a a b"), sets("x y y"))
    more = indices(sets("a a ab b 0 a"), sets("x y y y y 0"))
    assert more == plain
    assert plain.tokens == 3
    # 0 pairs are together on both sides, 1 is expected: (0 - 1/3) / (1 - 1/3)
    assert plain.ari == pytest.approx(-1 / 2)


def test_fewer_than_two_such_tokens_have_no_index() -> None:
    found = indices(sets("a 0 ab"), sets("x x x"))
    assert found.tokens == 1
    assert math.isnan(found.ari)
    assert math.isnan(found.v_measure)
