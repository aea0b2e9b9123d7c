"""E and its parts: each rule by hand, properties, and plain loops that compute the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import comb
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.lexicon import error_parts, extraction_error

from . import plain_measures
from .plain_measures import Sets

NOTHING: frozenset[str] = frozenset()


def sets(text: str) -> list[frozenset[str]]:
    """Write a series: tokens have spaces between them, expressions are letters, 0 is nothing."""
    return [frozenset(token) - {"0"} for token in text.split()]


@pytest.mark.parametrize(
    ("extracted", "annotated", "expected"),
    [
        ("a a", "x x", 0),
        ("a a", "x y", 1),
        ("a b", "x x", 1),
        ("0 0", "0 0", 0),
        ("0 a", "0 x", 0),  # a matched empty token is right, whatever the other is
        ("0 0", "x x", 1),
        ("0 0", "x 0", 1),  # the mismatch of one is not made good by the other's being right
        ("0 a", "x x", 1),
        ("a a", "x 0", 1),
        ("a ab", "x x", 1 / 2),  # J is 1/2 and 1
        ("ab ac", "x x", 2 / 3),  # J is 1/3 and 1
        ("ab ac", "x y", 1 / 3),
        ("ab bc", "xy yz", 0),
        ("abc abd", "x xy", 0),  # J is 2/4 and 1/2
        ("a a b", "x x x", 2 / 3),
        ("a a b b", "x y x y", 4 / 6),
        # three pairs are right; the three of the token that is missing are wrong
        ("a a b 0", "x x y y", 3 / 6),
        # pairs 12: |1 - 1/2|, 13: 1, 23: 1, with 4: 0, 0 and the mismatch of 3
        ("a a 0 0", "x xy x 0", (1 / 2 + 1 + 1 + 0 + 0 + 1) / 6),
    ],
)
def test_by_hand(extracted: str, annotated: str, expected: float) -> None:
    assert extraction_error(sets(extracted), sets(annotated)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("tokens", ["", "a", "0"])
def test_fewer_than_two_tokens_have_no_pairs(tokens: str) -> None:
    assert math.isnan(extraction_error(sets(tokens), sets(tokens)))


@pytest.mark.parametrize("n", [2, 5, 30])
def test_all_empty_on_both_sides_is_right_and_on_one_all_wrong(n: int) -> None:
    full = [frozenset({str(token % 3)}) for token in range(n)]
    empty = [NOTHING] * n
    assert extraction_error(empty, empty) == 0
    assert extraction_error(empty, full) == extraction_error(full, empty) == 1


def test_matched_empties_dilute() -> None:
    wrong = extraction_error(sets("a a"), sets("x y"))
    assert wrong == 1
    # each more empty token adds pairs that are right: 1 of 3, of 6, of 10
    more = [extraction_error([*sets("a a"), *[NOTHING] * k], [*sets("x y"), *[NOTHING] * k])
            for k in (1, 2, 3)]  # fmt: skip
    assert more == pytest.approx([1 / 3, 1 / 6, 1 / 10])


@pytest.mark.parametrize(("n", "m"), [(30, 1), (30, 3), (30, 6), (30, 9), (5, 0), (5, 4), (5, 5)])
def test_m_of_n_empty_on_one_side(n: int, m: int) -> None:
    annotated = [frozenset({str(token % 4)}) for token in range(n)]
    extracted = [NOTHING] * m + annotated[m:]
    expected = 1 - comb(n - m, 2) / comb(n, 2)
    assert extraction_error(extracted, annotated) == pytest.approx(expected)
    assert extraction_error(annotated, extracted) == pytest.approx(expected)


def test_one_three_six_and_nine_mismatches_of_thirty_as_published() -> None:
    annotated = [frozenset({"x"})] * 30
    found = [extraction_error([NOTHING] * m + annotated[m:], annotated) for m in (1, 3, 6, 9)]
    assert [round(value, 3) for value in found] == [0.067, 0.193, 0.366, 0.517]


# ---------------------------------------------------------------------- properties


@given(plain_measures.pairs_of_series())
def test_it_is_what_a_plain_loop_finds(pair: tuple[Sets, Sets]) -> None:
    found = extraction_error(*pair)
    assert found == pytest.approx(plain_measures.error(*pair), abs=1e-12)
    assert 0 <= found <= 1


@given(plain_measures.pairs_of_series())
def test_it_is_symmetric_and_zero_for_the_same(pair: tuple[Sets, Sets]) -> None:
    extracted, annotated = pair
    assert extraction_error(extracted, annotated) == pytest.approx(
        extraction_error(annotated, extracted), abs=1e-12
    )
    assert extraction_error(annotated, annotated) == 0


@given(plain_measures.pairs_of_series(), st.permutations("wxyz"), st.randoms(use_true_random=False))
def test_names_and_order_do_not_matter(
    pair: tuple[Sets, Sets], names: list[str], random: Any
) -> None:
    extracted, annotated = pair
    before = extraction_error(extracted, annotated)
    called = dict(zip("abcd", names, strict=True))
    renamed = [frozenset(called[one] for one in token) for token in extracted]
    assert extraction_error(renamed, annotated) == pytest.approx(before, abs=1e-12)
    order = random.sample(range(len(extracted)), len(extracted))
    shuffled = [[side[place] for place in order] for side in pair]
    assert extraction_error(*shuffled) == pytest.approx(before, abs=1e-12)


@given(plain_measures.pairs_of_series(), st.data())
def test_empty_on_one_side_and_else_right(pair: tuple[Sets, Sets], data: st.DataObject) -> None:
    annotated = [token or frozenset("a") for token in pair[1]]
    n = len(annotated)
    gone = data.draw(st.sets(st.integers(0, n - 1)))
    extracted = [NOTHING if place in gone else token for place, token in enumerate(annotated)]
    expected = 1 - comb(n - len(gone), 2) / comb(n, 2)
    assert extraction_error(extracted, annotated) == pytest.approx(expected, abs=1e-12)


def test_many_tokens() -> None:
    """Two halves that are taken for one: the pairs across them are wrong."""
    halves = [frozenset({"x"})] * 2000 + [frozenset({"y"})] * 2000
    expected = 2000 * 2000 / comb(4000, 2)
    assert extraction_error([frozenset({"a"})] * 4000, halves) == pytest.approx(expected)


# ---------------------------------------------------------------------- input


@pytest.mark.parametrize(
    ("extracted", "annotated", "said"),
    [
        ([{"a"}], [{"x"}, {"y"}], "1 tokens are extracted and 2 annotated"),
        (["hand"], [{"x"}], "extracted, token 1: 'hand' is no set; write {'hand'}"),
        ("hand", [{"x"}] * 4, "extracted: 'hand' is one text"),
        ([{"a"}, {""}], [{"x"}] * 2, "extracted, token 2: an expression is empty text"),
        ([{"a"}] * 2, [{"x"}, {1}], "annotated, token 2: the expression 1 is no text"),
        ([{"a"}] * 2, [{"x"}, None], "annotated, token 2: None is no set"),
        ([["a"], [["b"]]], [{"x"}] * 2, "extracted, token 2: the expression ['b'] is no text"),
        (iter([{"a"}, iter([["b"]])]), [{"x"}] * 2, "token 2: the expression ['b'] is no text"),
        (7, [{"x"}], "extracted: 7 is no series of sets, one for each token"),
        (iter([{"a"}]), iter([{"x"}, {"y"}]), "1 tokens are extracted and 2 annotated"),
    ],
)
def test_what_is_no_series_is_refused(extracted: Any, annotated: Any, said: str) -> None:
    with pytest.raises(InputError) as error:
        extraction_error(extracted, annotated)
    assert said in str(error.value)


def test_any_collection_is_a_set() -> None:
    series: Sequence[Any] = [["a", "a"], ("a",), iter("a"), {"a": 1}]
    assert extraction_error(series, [{"x"}] * 4) == 0
    halves: Any = ({text} for text in "aab")
    assert extraction_error(halves, [{"x"}] * 3) == pytest.approx(2 / 3)


@pytest.mark.reference
def test_the_total_of_table_1_is_the_mean_of_its_languages(reference_data: Path) -> None:
    """E of a model in several languages is their mean: as published, to the digits published."""
    lines = (reference_data / "beekhuizen2020_tables" / "table1.tsv").read_text().splitlines()
    header = lines[0].split("\t")
    assert header[0] == "model"
    assert header[-1] == "tot"
    from tealeaves.lexicon.error.means import grids_of
    from tealeaves.lexicon.error.measures import ErrorMeasures, LemmaError

    rows, published = [], {}
    for line in lines[1:]:
        model, *values, total = line.split("\t")
        published[model] = float(total)
        rows += [
            LemmaError(
                model=model, lemma="all", target=target, measures=ErrorMeasures(error=float(v))
            )
            for target, v in zip(header[1:-1], values, strict=True)
        ]
    grid = grids_of(rows)["error"]
    found = dict(zip(grid.models, grid.totals, strict=True))
    assert len(found) == 5
    assert found == pytest.approx(published, abs=0.005 + 1e-9)


# ---------------------------------------------------------------------- parts


def test_parts_by_hand() -> None:
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


@given(plain_measures.pairs_of_series())
def test_the_lines_are_the_errors_of_such_answers(pair: tuple[Sets, Sets]) -> None:
    _, annotated = pair
    parts = error_parts(*pair)
    n = len(annotated)
    same = [frozenset({"s"})] * n
    different = [frozenset({f"d{token}"}) for token in range(n)]
    assert parts.all_same == pytest.approx(plain_measures.error(same, annotated), abs=1e-12)
    assert parts.all_different == pytest.approx(
        plain_measures.error(different, annotated), abs=1e-12
    )


@given(plain_measures.pairs_of_series())
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
        assert parts.expressed_error == pytest.approx(plain_measures.error(*kept), abs=1e-12)
        rest = parts.expressed_error * parts.expressed_pairs / parts.pairs
    else:
        assert math.isnan(parts.expressed_error)
    assert parts.error == pytest.approx(extraction_error(*pair), abs=1e-12)
    assert parts.error == pytest.approx(parts.mismatched + rest, abs=1e-12)


@settings(max_examples=40)
@given(plain_measures.pairs_of_series(most=5))
def test_chance_is_the_mean_over_all_orders(pair: tuple[Sets, Sets]) -> None:
    parts = error_parts(*pair)
    assert parts.chance == pytest.approx(plain_measures.chance(*pair), abs=1e-12)
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
