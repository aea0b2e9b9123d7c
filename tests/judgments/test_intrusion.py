"""Right and wrong: what a table says of it, and what is taken for it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tealeaves.errors import InputError
from tealeaves.judgments import Judgments, TopicKey


def column(rows: list[dict[str, Any]], name: str) -> list[Any]:
    return list(Judgments.of(rows).frame[name].to_list())


def test_a_key_tells_right_from_wrong() -> None:
    pairs = [("cat", "cat"), ("Cat ", "cat"), ("dog", "cat"), (3, "3.0"), (4, 3), ("", "cat")]
    rows = [{"topic": 1, "answer": answer, "key": key} for answer, key in pairs]
    assert column(rows, "correct") == [True, True, False, True, False, None]
    # what the row says itself goes before
    assert column([{"topic": 1, "answer": 1, "key": 2, "correct": "yes"}], "correct") == [True]


def test_right_or_wrong_may_be_all_that_is_known() -> None:
    rows = [{"topic": 1, "correct": "true"}, {"topic": 1, "correct": "false"}]
    assert column(rows, "answer") == [1.0, 0.0]
    assert Judgments.of(rows).human() == {TopicKey("", "", "1"): 0.5}


def test_zero_and_one_are_wrong_and_right_in_intrusion_alone() -> None:
    def rows(task: str, *given: Any) -> list[dict[str, Any]]:
        return [{"topic": 1, "task": task, "answer": one} for one in given]

    assert column(rows("Word Intrusion", 1, "0", None), "correct") == [True, False, None]
    assert column(rows("rating", 1, 0), "correct") == [None, None]
    # positions of words are not: one answer of 1 among them is no right answer
    people = Judgments.of(rows("intrusion", 1, 4))
    assert people.frame["correct"].to_list() == [None, None]
    assert people.notes == [
        "2 answers to intrusion have neither a column correct nor a key: "
        "they are not taken for right or wrong"
    ]


def keyed(*answers: Any, key: Any = 6, **more: Any) -> list[dict[str, Any]]:
    return [{"topic": 1, "task": "intrusion", "answer": x, "key": key} | more for x in answers]


@pytest.mark.parametrize("answer", [3, 1, "0"])
def test_an_answer_without_a_key_is_left_out_where_others_have_one(answer: Any) -> None:
    rows = [*keyed(6, 6, 1, 6), *keyed(answer, key=None)]
    people = Judgments.of(rows)
    assert people.frame["correct"].to_list() == [True, True, False, True, None]
    assert people.has_key
    assert list(people.human().values()) == [3 / 4]
    assert list(people.counts().values()) == [4]
    assert people.left_out == [
        "1 answer without a key, which cannot be called right or wrong, is left out"
    ]
    assert people.left_out == [
        "1 answer without a key, which cannot be called right or wrong, is left out"
    ]
    # and what the task is does not depend on which of its rows are looked at
    assert math.isnan(next(iter(people.where(answer=answer, key=None).human().values())))


def test_zero_and_one_are_no_answers_to_a_key_that_was_skipped() -> None:
    people = Judgments.of([*keyed(None), *keyed(1, 0, key=None)])
    assert people.frame["correct"].to_list() == [None] * 3


def test_each_data_set_has_keys_of_its_own() -> None:
    people = Judgments.of([*keyed(6, dataset="a"), *keyed(1, 0, key=None, dataset="b")])
    assert people.frame["correct"].to_list() == [True, True, False]
    assert people.notes == []


def test_a_few_keys_among_ratings_make_no_intrusion() -> None:
    rows = [{"topic": t, "answer": 2} for t in range(5)]
    people = Judgments.of([*rows, {"topic": 9, "answer": 1, "key": 1}])
    assert people.parts == [("", "rating")]
    assert not people.has_key
    assert list(people.human().values()) == [2] * 5 + [1]
    assert people.left_out == []
    assert people.notes == [
        "1 of 6 answers to rating have a key: they are not taken for right or wrong "
        "(a column gold says which items test attention)"
    ]


def test_with_keys_the_task_is_intrusion() -> None:
    rows = [{"topic": 1, "answer": "cat", "intruder": "cat"}]
    assert Judgments.of(rows).parts == [("", "intrusion")]
    assert Judgments.of([{"topic": 1, "correct": True}]).parts == [("", "intrusion")]
    checks = [
        {"topic": 1, "answer": 2, "key": None},
        {"topic": 2, "answer": 1, "key": 1, "gold": 1},
    ]
    assert Judgments.of(checks).parts == [("", "rating")]


def test_numbers_are_never_compared_with_words() -> None:
    people = Judgments.of(keyed(1, 0, 1, key="cat"))
    assert people.frame["correct"].to_list() == [True, False, True]
    assert people.notes == [
        "answers to intrusion beside keys that are words: 1 is right and 0 is wrong"
    ]
    with pytest.raises(InputError, match="row 1: the answer 3 is a number, the key 'cat' a word"):
        Judgments.of(keyed(3, 4, key="cat"))
    mixed = Judgments.of(keyed("3", "cat", key="cat"))
    assert mixed.frame["correct"].to_list() == [False, True]
