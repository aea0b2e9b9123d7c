"""What answers count, and what the answers to one topic come to."""

from __future__ import annotations

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.judgments import Scale

VOTES = st.lists(st.sampled_from([2.0, 1.0, -1.0, -2.0]), min_size=1, max_size=9)


def test_votes_count_as_in_the_paper() -> None:
    assert Scale.parse("votes").numbers_of([4, 3.0, "2", 1]) == [2.0, 1.0, -1.0, -2.0]


def test_answers_count_as_they_are() -> None:
    numbers = Scale().numbers_of([3, "2.5", None, "", math.nan])
    assert numbers[:2] == [3.0, 2.5]
    assert all(math.isnan(number) for number in numbers[2:])


def test_a_column_counts_as_its_cells() -> None:
    column = pl.Series([4.0, None, math.nan, 1.0, 4.0])
    votes = Scale.parse("votes").numbers(column).to_list()
    assert [votes[0], votes[3], votes[4]] == [2.0, -2.0, 2.0]
    assert math.isnan(votes[1])
    assert math.isnan(votes[2])
    assert Scale().numbers(pl.Series(["1", "2.5"])).to_list() == [1.0, 2.5]


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        ([2, 2, -1], 2),  # two of three
        ([2, 1, 1, -1, -2], 1),
        ([2, 2, 1, 1, -1], 1),  # as many: the milder, for both are on one side
        ([-2, -2, -1, -1, 2], -1),
        ([2, 2, -1, -1, 1], 0),  # as many on either side
        ([2, 1, -1, -2], 0),
    ],
)
def test_the_majority_counts(votes: list[float], expected: float) -> None:
    assert Scale.parse("majority").summary(votes) == expected


@given(VOTES)
def test_the_majority_is_the_mode_where_there_is_one(votes: list[float]) -> None:
    from collections import Counter

    (first, most), *rest = Counter(votes).most_common()
    found = Scale.parse("majority").summary(votes)
    if not rest or rest[0][1] < most:
        assert found == first
    # turning all votes round turns the class round
    assert Scale.parse("majority").summary([-vote for vote in votes]) == -found


def test_what_is_missing_does_not_count() -> None:
    assert Scale().summary([1.0, math.nan, 2.0]) == 1.5
    assert math.isnan(Scale().summary([math.nan]))
    assert math.isnan(Scale.parse("majority").summary([]))


def test_only_the_majority_is_a_class() -> None:
    assert [Scale.parse(name).majority for name in ("answers", "votes", "majority")] == [
        False,
        False,
        True,
    ]


def test_a_scale_of_ones_own() -> None:
    scale = Scale.parse("very good = 3, a=b=2, bad=-1.5")
    assert scale.numbers_of(["very good", "a=b", "bad"]) == [3.0, 2.0, -1.5]
    assert Scale.parse(scale) is scale


@pytest.mark.parametrize("text", ["", "vote", "good", "good=", "=3", "good=x", "good=1,,"])
def test_what_is_no_scale_is_said(text: str) -> None:
    with pytest.raises(InputError, match="no scale"):
        Scale.parse(text)


@pytest.mark.parametrize("text", ["good=3;fair=2", "good = -1.5 ; fair = 2; bad=1"])
def test_semicolons_do_not_part_answers(text: str) -> None:
    with pytest.raises(InputError, match="separate answers by commas"):
        Scale.parse(text)
    # a semicolon in an answer is part of it
    assert Scale.parse("so; so=2").numbers_of(["so; so"]) == [2.0]


def test_case_matters_only_where_it_tells_answers_apart() -> None:
    scale = Scale.parse("good=3, Fair=2, bad=1")
    assert scale.numbers_of(["Good", "FAIR", "bad"]) == [3.0, 2.0, 1.0]
    both = Scale.parse("good=1, Good=2")
    assert both.numbers_of(["good", "Good"]) == [1.0, 2.0]
    with pytest.raises(InputError, match=r"'GOOD' is not on the scale .*; did you mean [gG]ood\?"):
        both.numbers_of(["GOOD"])
    with pytest.raises(InputError, match=r"'goood' is not on .*; did you mean good\? \(good, Fair"):
        scale.numbers_of(["goood"])


def test_a_decimal_comma_is_named_as_such() -> None:
    with pytest.raises(InputError, match=r"'2,5' is no number: write a decimal point, 2\.5, or"):
        Scale().numbers_of(["1.5", "2,5"])


def test_an_answer_counts_once() -> None:
    with pytest.raises(InputError, match="says twice what good counts"):
        Scale.parse("good=1, good=2")


def test_an_answer_off_the_scale_is_named() -> None:
    with pytest.raises(InputError, match=r"'5' is not on the scale votes \(4, 3, 2, 1\)"):
        Scale.parse("votes").numbers_of([5])
    with pytest.raises(InputError, match="'good' is no number: say what answers count"):
        Scale().numbers_of(["good"])


def test_a_word_among_numbers_is_a_slip_first() -> None:
    with pytest.raises(InputError, match="'abc' is no number: mend it or leave it empty, or say"):
        Scale().numbers(pl.Series(["1", "2", "abc", "2"]))


@pytest.mark.parametrize("number", ["inf", "nan", "1e999"])
def test_a_scale_is_of_finite_numbers(number: str) -> None:
    with pytest.raises(InputError, match="no scale"):
        Scale.parse(f"good={number}")
