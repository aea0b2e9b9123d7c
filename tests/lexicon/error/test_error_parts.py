"""The parts of E and the lines beside it: by hand, and against plain loops."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings

from tealeaves.lexicon import error_parts, extraction_error

from . import plainly
from .plainly import Sets
from .test_extraction_error import sets


def test_by_hand() -> None:
    # expressed on both sides: tokens 1, 2, 3; of their pairs 12 is right, 13 and 23 are wrong
    parts = error_parts(sets("a a a 0 0"), sets("x x y x 0"))
    assert (parts.tokens, parts.pairs, parts.expressed_pairs) == (5, 10, 3)
    assert parts.expressed_error == pytest.approx(2 / 3)
    assert parts.mismatched == pytest.approx(4 / 10)  # the four pairs of token 4
    assert parts.error == pytest.approx((2 + 4) / 10)
    assert (parts.empty_extracted, parts.empty_annotated) == (2 / 5, 1 / 5)
    # four pairs have the empty token; of the six others x x, x x, x x are alike, and three not
    assert parts.all_same == pytest.approx((4 + 3) / 10)
    assert parts.all_different == pytest.approx((4 + 3) / 10)
    assert parts.corrected == pytest.approx(1 - 0.6 / 0.7)


def test_the_corrected_form_is_of_the_lower_line() -> None:
    parts = error_parts(sets("a a b"), sets("x y z"))  # one pair of three is wrong
    assert [parts.error, parts.all_same, parts.all_different] == pytest.approx([1 / 3, 1, 0])
    assert math.isnan(parts.corrected)
    parts = error_parts(sets("a a b c"), sets("x y z z"))  # and here two of six
    assert [parts.all_same, parts.all_different] == pytest.approx([5 / 6, 1 / 6])
    assert parts.corrected == pytest.approx(1 - 2)


def test_jaccard_counts_in_the_lines() -> None:
    parts = error_parts(sets("a b"), sets("x xy"))
    assert (parts.all_same, parts.all_different) == (1 / 2, 1 / 2)
    assert parts.error == 1 / 2


@given(plainly.pairs_of_series())
def test_the_lines_are_the_errors_of_such_answers(pair: tuple[Sets, Sets]) -> None:
    _, annotated = pair
    parts = error_parts(*pair)
    n = len(annotated)
    same = [frozenset({"s"})] * n
    different = [frozenset({f"d{token}"}) for token in range(n)]
    assert parts.all_same == pytest.approx(plainly.error(same, annotated), abs=1e-12)
    assert parts.all_different == pytest.approx(plainly.error(different, annotated), abs=1e-12)


@given(plainly.pairs_of_series())
def test_the_parts_make_up_the_error(pair: tuple[Sets, Sets]) -> None:
    extracted, annotated = pair
    parts = error_parts(extracted, annotated)
    both = [place for place in range(parts.tokens) if extracted[place] and annotated[place]]
    odd = {
        place for place in range(parts.tokens) if bool(extracted[place]) != bool(annotated[place])
    }
    pairs = [(i, j) for j in range(parts.tokens) for i in range(j)]
    assert parts.expressed_pairs == math.comb(len(both), 2)
    assert parts.mismatched == pytest.approx(
        sum(i in odd or j in odd for i, j in pairs) / len(pairs)
    )
    rest = 0.0
    if len(both) > 1:
        kept = [[side[place] for place in both] for side in pair]
        assert parts.expressed_error == pytest.approx(plainly.error(*kept), abs=1e-12)
        rest = parts.expressed_error * parts.expressed_pairs / parts.pairs
    else:
        assert math.isnan(parts.expressed_error)
    assert parts.error == pytest.approx(extraction_error(*pair), abs=1e-12)
    assert parts.error == pytest.approx(parts.mismatched + rest, abs=1e-12)


@settings(max_examples=40)
@given(plainly.pairs_of_series(most=5))
def test_chance_is_the_mean_over_all_orders(pair: tuple[Sets, Sets]) -> None:
    parts = error_parts(*pair)
    assert parts.chance == pytest.approx(plainly.chance(*pair), abs=1e-12)
    if parts.chance > 0:
        assert parts.adjusted == pytest.approx(1 - parts.error / parts.chance, abs=1e-9)
    else:
        assert math.isnan(parts.adjusted)


def test_chance_by_hand() -> None:
    # a a b dealt out to x y y: of three places for b, one is right (0), two have two wrong pairs
    parts = error_parts(sets("a b b"), sets("x y y"))
    assert parts.chance == pytest.approx((0 + 2 / 3 + 2 / 3) / 3)
    assert parts.adjusted == 1


def test_what_knows_nothing_of_single_tokens_is_worth_nothing() -> None:
    annotated = sets("x y y x z 0 z")
    for answer in (sets("a a a a a a a"), sets("a b c d e f g")):
        assert error_parts(answer, annotated).adjusted == pytest.approx(0, abs=1e-12)


def test_where_a_line_is_right_itself_there_is_no_corrected_form() -> None:
    parts = error_parts(sets("a a b"), sets("x x x"))
    assert parts.all_same == 0
    assert math.isnan(parts.corrected)


@pytest.mark.parametrize("tokens", ["", "a"])
def test_fewer_than_two_tokens_have_nothing(tokens: str) -> None:
    parts = error_parts(sets(tokens), sets(tokens))
    lines = (parts.all_same, parts.all_different, parts.chance)
    own = (parts.error, parts.mismatched, parts.expressed_error, parts.empty_extracted)
    assert all(math.isnan(value) for value in (*own, *lines, parts.corrected, parts.adjusted))
    assert parts.pairs == parts.expressed_pairs == 0
