"""Answers and times that can hardly be meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.judgments import Judgments, read_judgments
from tealeaves.judgments.plausibility import far_answers


def rated(*given: Any, **more: Any) -> Judgments:
    return Judgments.of([{"topic": 1, "answer": one, **more} for one in given])


def test_an_answer_far_from_all_others_is_named_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("topic,answer\n0,1\n0,33\n1,2\n1,3\n1,\n2,2\n")
    people = read_judgments(path)
    (note,) = people.notes
    assert note.endswith("p.csv:3: the answer 33 is far from all others, 1 to 3: is it a slip?")
    assert people.frame["answer"].to_list() == [1.0, 33.0, 2.0, 3.0, None, 2.0]  # and kept


@pytest.mark.parametrize("code", [-99, -9, 88, 99, 999])
def test_codes_for_missing_answers_are_asked_about(code: int) -> None:
    people = rated(1, 2, code, 3, 5, code, 4)
    assert people.notes == [
        f"the table, row 3: the answer {code} (2 times) is far from all others, 1 to 5: "
        "is it a code for missing? Then leave it empty"
    ]


def test_words_among_the_answers_to_another_task_do_not_hide_a_code() -> None:
    rows = [{"topic": 1, "task": "rating", "answer": x} for x in (1, 2, 3, -99)]
    rows += [{"topic": 1, "task": "naming", "answer": x} for x in ("sports", "99")]
    (note,) = Judgments.of(rows).notes
    assert note.startswith("the table, row 4: the answer -99 is far")


@pytest.mark.parametrize(
    "answers",
    [
        [1] * 200 + [5],
        [0] * 200 + [10],
        [-5, -9, 5, 0],  # among other negative numbers
        [0, 10, 20, 30, 88, 99, 100],  # a slider
        [1, 2, 3, 12, 14, 15, 20],  # from 0 to 20
        [1.5, 2.0, 2.5, 33.0],  # means
        [1, 99],  # which of the two?
        ["good", "bad", "99"],
    ],
)
def test_other_scales_are_not_asked_about(answers: list[Any]) -> None:
    assert rated(*answers).notes == []


def test_numbers_of_what_was_chosen_are_on_no_scale() -> None:
    assert rated(1, 2, 99, 2, key=2).notes == []


@given(st.data(), st.sampled_from([(1, 3), (1, 5), (1, 7), (0, 10), (-3, 3), (-5, 5)]))
def test_scales_of_ratings_are_never_asked_about(data: Any, scale: tuple[int, int]) -> None:
    points = st.integers(*scale)
    counts = data.draw(st.dictionaries(points, st.integers(1, 500), min_size=1))
    assert far_answers(counts) == []


def test_times_that_look_like_milliseconds_are_noted() -> None:
    assert rated(1, 2, time=301).notes == [
        "times look like milliseconds (their median is 301): they are taken for seconds"
    ]
    assert rated(1, 2, time=300).notes == []
    assert rated(1, 2, time=None).notes == []


@pytest.mark.parametrize("scale", ["votes", "majority"])
def test_votes_without_a_four_are_asked_about(scale: str) -> None:
    said = "no answer is 4: is this the scale of four votes?"
    people = rated(1, 2, 3)
    assert people.scaled(scale).notes == [said]
    assert people.scaled(scale).scaled(scale).notes == [said]
    assert people.notes == []
    assert rated(1, 2, 3, 4).scaled(scale).notes == []
    assert rated("1", "4", "x").scaled(scale).notes == []
    assert rated(None, None).scaled(scale).notes == []
    assert people.scaled("1=1, 2=2, 3=3").notes == []
    # answers that are right or wrong are not on the scale
    assert rated(1, 2, key=1).scaled(scale).notes == []
