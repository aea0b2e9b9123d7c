"""Tables that people bring: what is understood, what is said, what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tealeaves.errors import InputError
from tealeaves.judgments import Judgments, TopicKey


def column(rows: list[dict[str, Any]], name: str, **columns: str) -> list[Any]:
    return list(Judgments.of(rows, **columns).frame[name].to_list())


def test_columns_that_are_missing_are_filled_in() -> None:
    (row,) = Judgments.of([{"topic": 3, "answer": "2"}]).frame.to_dicts()
    assert row == {
        "dataset": "",
        "model": "",
        "topic": "3",
        "item": "3",
        "annotator": None,
        "task": "rating",
        "answer": 2.0,
        "correct": None,
        "gold": False,
        "time": None,
    }


def test_other_names_and_other_cases_are_understood() -> None:
    rows = [{"Corpus": "wiki", "MODEL_ID": "m", "Topic_Idx": 1, "WorkerId": 7.0, "Rating": 2}]
    (row,) = Judgments.of(rows).frame.to_dicts()
    assert [row[name] for name in ("dataset", "model", "topic", "annotator", "answer")] == [
        "wiki",
        "m",
        "1",
        "7",
        2.0,
    ]
    assert row["item"] == "wiki/m/1"


def test_rows_may_have_different_keys() -> None:
    rows: list[dict[str, Any]] = [{"topic": 1, "answer": 2}]
    rows.append({"topic": 1, "annotator": "ann", "answer": 3, "more": "x"})
    assert column(rows, "annotator") == [None, "ann"]
    assert column(rows, "more") == [None, "x"]


def test_two_columns_for_the_answer_are_not_chosen_between() -> None:
    rows = [{"topic": 1, "score": 2, "rating": 3}]
    with pytest.raises(InputError, match="score and rating may all be the answer: say which"):
        Judgments.of(rows)
    people = Judgments.of(rows, answer="rating")
    assert people.frame["answer"].to_list() == [3.0]
    assert people.frame["score"].to_list() == [2]


def test_a_column_that_is_passed_over_is_kept_and_named() -> None:
    people = Judgments.of([{"topic": 1, "answer": 2, "score": 9}])
    assert people.frame["score"].to_list() == [9]
    assert people.notes == ["the table: the answer is the column answer, not score"]
    other = Judgments.of([{"topic": 1, "answer": 2, "score": 9}], answer="score")
    assert other.frame.select("answer", "answer_").row(0) == (9.0, 2)


def test_what_is_needed_is_asked_for() -> None:
    with pytest.raises(InputError, match=r"no column for the answer \(there are topic, mean_a\)"):
        Judgments.of([{"topic": 1, "mean_a": 2}])
    with pytest.raises(InputError, match=r"no column for the topic .* --column topic=NAME"):
        Judgments.of([{"answer": 2}])
    # a form of a survey: one row per participant, one column per topic
    turned = r"one column per annotator \(--column answer=a,b,c\); .* must be transposed first"
    with pytest.raises(InputError, match=turned):
        Judgments.of([{"participant": "ann", "topic 1": 3, "topic 2": 1}])
    with pytest.raises(InputError, match="the table, row 2: no topic"):
        Judgments.of([{"topic": 1, "answer": 2}, {"topic": None, "answer": 2}])
    with pytest.raises(InputError, match="no judgments in it"):
        Judgments.of([])
    for wrong in ("text", 3, {"topic": [1]}, [1]):
        with pytest.raises(InputError, match="a data frame or dictionaries"):
            Judgments.of(wrong)


def test_a_wide_table_of_means_is_one_answer_a_topic() -> None:
    rows = [{"model": "m", "topic": t, "rating_mean": 2.5, "npmi": 0.1} for t in range(3)]
    people = Judgments.of(rows, answer="rating_mean")
    assert set(people.human().values()) == {2.5}
    assert people.frame["npmi"].to_list() == [0.1] * 3


# ---------------------------------------------------------------------- cells


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([1, "2", 2.5, True], [1.0, 2.0, 2.5, 1.0]),
        (["1", "", None, "NA", math.nan], [1.0, None, None, None, None]),
        (["True", "false"], [1.0, 0.0]),
        (["good", "bad", ""], ["good", "bad", None]),
        (["violin", 3, 3.0, "NA"], ["violin", "3", "3", None]),
    ],
)
def test_answers_are_numbers_if_all_of_them_are(given: list[Any], expected: list[Any]) -> None:
    assert column([{"topic": 1, "answer": answer} for answer in given], "answer") == expected


def test_ids_are_one_however_they_are_written() -> None:
    ids: list[Any] = [3, 3.0, "3", "3.0"]
    rows = [{"topic": one, "annotator": one, "answer": 1} for one in ids]
    assert column(rows, "topic") == column(rows, "annotator") == ["3"] * 4


@pytest.mark.parametrize("nobody", [None, "", " ", math.nan, "NA", "nan", pd.NA])
def test_nobody_is_null(nobody: Any) -> None:
    rows = [{"topic": 1, "annotator": nobody, "answer": 1}, {"topic": 1, "answer": 1}]
    assert column(rows, "annotator") == [None, None]


def test_truth_has_many_spellings() -> None:
    spelled = [True, "TRUE", "yes", 1, "1.0", False, "no", 0.0, "", None, math.nan]
    rows = [{"topic": 1, "answer": 1, "correct": one} for one in spelled]
    assert column(rows, "correct") == [True] * 5 + [False] * 3 + [None] * 3
    with pytest.raises(InputError, match="row 1: gold: 'perhaps' is neither true nor false"):
        Judgments.of([{"topic": 1, "answer": 1, "gold": "perhaps"}])


def test_times_are_seconds() -> None:
    rows = [{"topic": 1, "answer": 1, "Seconds": time} for time in ("1.5", 2, "", None, math.nan)]
    assert column(rows, "time") == [1.5, 2.0, None, None, None]
    with pytest.raises(InputError, match="row 1: the time '1:30' is no number of seconds"):
        Judgments.of([{"topic": 1, "answer": 1, "time": "1:30"}])
    with pytest.raises(InputError, match="row 1: the time -1 is negative: leave unknown times"):
        Judgments.of([{"topic": 1, "answer": 1, "time": -1}])


def test_of_those_who_answer_twice_the_last_counts() -> None:
    row = {"topic": 1, "annotator": "ann", "answer": 1}
    other = [{**row, "topic": 2}, {**row, "annotator": "bob"}]
    assert Judgments.of([row, *other]).left_out == []
    assert Judgments.of([{**row, "annotator": None}] * 2).left_out == []
    people = Judgments.of([row, *other, row, {**row, "answer": 2}])
    assert people.left_out == ["2 answers that the same annotator repeated later are left out"]
    assert len(people) == 5


def test_words_come_first_come_and_others_are_noted() -> None:
    shown = ["cat dog", "", ["dog", "cat"], "dog, cat"]
    people = Judgments.of([{"topic": 1, "answer": 1, "words": words} for words in shown])
    assert people.words == {TopicKey("", "", "1"): ["cat", "dog"]}
    assert people.notes == [
        "the table, row 3: other words than before; 1 topics keep their first words"
    ]
    with pytest.raises(InputError, match="row 1: words: 3 is no list of words"):
        Judgments.of([{"topic": 1, "answer": 1, "words": 3}])


def test_a_check_needs_no_topic_but_an_item() -> None:
    people = Judgments.of([{"topic": 1, "answer": 1}, {"item": "c", "gold": 1, "answer": 1}])
    assert list(people.counts()) == [TopicKey("", "", "1")]
    with pytest.raises(InputError, match="row 2: no topic"):
        Judgments.of([{"topic": 1, "answer": 1}, {"gold": 1, "answer": 1}])


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1", "-2", ""], [1, -2, None]),
        (["1", "2.5"], [1.0, 2.5]),
        (["007", "1"], ["007", "1"]),
        (["true", "False"], [True, False]),
        (['["a"]', "[]"], [["a"], []]),
        (["[a"], ["[a"]),
        ([1, "x"], ["1", "x"]),
        ([{"a": 1}, None], [{"a": 1}, None]),
        ([{"a": 1}, "x"], ['{"a": 1}', '"x"']),
    ],
)
def test_columns_of_others_are_kept_as_what_they_can_be(
    cells: list[Any], expected: list[Any]
) -> None:
    rows = [{"topic": 1, "answer": 1, "other": cell} for cell in cells]
    assert column(rows, "other") == expected


# ---------------------------------------------------------------------- data frames

ROWS = {"topic": [0, 1, 1], "annotator": ["ann", None, "bob"], "score": [1.0, 2.0, None]}


class _Arrow:
    """A table of another library, which speaks Arrow and nothing else."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self._frame = frame

    def __arrow_c_stream__(self, schema: Any = None) -> Any:
        return self._frame.__arrow_c_stream__(schema)


def test_data_frames_of_all_libraries_are_the_same() -> None:
    polars = pl.DataFrame(ROWS)
    frames = [polars, polars.lazy(), _Arrow(polars), pd.DataFrame(ROWS), polars.to_dicts()]
    frames.append(pd.DataFrame(ROWS).astype({"annotator": "string", "score": "Float64"}))
    frames.append(pd.DataFrame({**ROWS, "topic": np.array([0.0, 1.0, 1.0], np.float32)}))
    expected = Judgments.of(polars).frame
    assert expected["annotator"].to_list() == ["ann", None, "bob"]
    assert expected["answer"].to_list() == [1.0, 2.0, None]
    for frame in frames:
        assert Judgments.of(frame).frame.equals(expected)


def test_pandas_may_number_its_columns() -> None:
    frame = pd.DataFrame([[1, 2]], columns=["topic", 7])
    assert Judgments.of(frame, answer="7").frame["answer"].to_list() == [2.0]


# ---------------------------------------------------------------------- notes on a table


def test_what_was_taken_for_the_answer_is_said() -> None:
    assert Judgments.of([{"topic": 1, "value": 2}]).notes == ["`value` is taken for the answer"]
    assert Judgments.of([{"topic": 1, "Answer ": 2}]).notes == []
    assert Judgments.of([{"topic": 1, "value": 2}], answer="value").notes == []


def test_columns_of_no_meaning_are_named() -> None:
    row = {"topic": 1, "answer": 2, "who2": "x", "Duration2": 3, "options": 6, "empty": None}
    said = "columns of no meaning here, kept: who2, Duration2 (--column says what they are)"
    assert Judgments.of([row]).notes == [said]
    assert Judgments.of([row], annotator="who2").notes == [said.replace("who2, ", "")]
    left = Judgments.of([{"topic": 1, "rating": 2, "score": 3}], answer="rating").notes
    assert left == [said.replace("who2, Duration2", "score")]
    many = {"topic": 1, "answer": 2} | {f"c{n}": n for n in range(10)}
    assert Judgments.of([many]).notes[0].endswith("c7 and 2 more (--column says what they are)")


def test_what_was_shown_and_where_it_was_chosen_are_columns() -> None:
    row = {"topic": 1, "answer": "cat", "key": "cat", "n_shown": 6, "place": 2, "options": "x"}
    people = Judgments.of([row], options="n_shown", position="place")
    assert people.frame.select("options", "position", "options_").row(0) == (6, 2, "x")
    assert "n_shown" not in people.frame.columns
    (said,) = people.notes
    assert "kept: options (" in said
    plain = Judgments.of([{"topic": 1, "answer": 2, "Position": 3, "shown": 6}])
    assert plain.frame.select("position", "options").row(0) == (3, 6)
    assert plain.notes == []
    assert "position" not in Judgments.of([{"topic": 1, "answer": 2}]).frame.columns


@pytest.mark.parametrize("who", ["participant", "Participant ID", "respondent", "subject"])
def test_surveys_have_participants(who: str) -> None:
    people = Judgments.of([{"topic": 1, who: "ann", "Duration": 3, "choice": 2}])
    row = people.frame.to_dicts()[0]
    assert (row["annotator"], row["time"], row["answer"]) == ("ann", 3.0, 2.0)


def test_ways_to_say_that_nothing_is_there() -> None:
    given = ["NA", "n/a", "N/A", "NaN", "null", "-", ".", "", None, "NA"]
    rows = [{"topic": 1, "answer": x} for x in ("good", *given, "bad")]
    people = Judgments.of(rows)
    assert people.frame["answer"].to_list() == ["good", *[None] * 10, "bad"]
    assert people.notes == [
        "8 answers written - or . or N/A or NA or NaN or n/a or null are taken for missing"
    ]
    assert people.left_out == ["10 rows without an answer are left out"]
    one = Judgments.of([{"topic": 1, "answer": x} for x in (1, "-")])
    assert one.notes == ["1 answer written - is taken for missing"]


def test_infinity_is_a_word_among_words_alone() -> None:
    def rows(*given: Any) -> list[dict[str, Any]]:
        return [{"topic": 1, "answer": x} for x in given]

    assert column(rows("infinity", "zero"), "answer") == ["infinity", "zero"]
    for wrong in ("inf", math.inf, "1e999", 10**400, -math.inf):
        with pytest.raises(InputError, match=r"row 2: the answer '.*' is not a finite number"):
            Judgments.of(rows(1, wrong, 2))
    with pytest.raises(InputError, match=r"row 1: the time 1000.* is no number of seconds"):
        Judgments.of([{"topic": 1, "answer": 1, "time": 10**400}])


def test_half_a_character_is_refused() -> None:
    rows = [{"topic": 1, "answer": 1, "note": "é"}, {"topic": "\ud800", "answer": 1}]
    with pytest.raises(InputError, match="row 2: half a character: write it whole"):
        Judgments.of(rows)


def test_what_does_not_count_is_told() -> None:
    row = {"topic": 1, "annotator": "ann", "answer": 1}
    rows = [row, row, row, row | {"answer": None, "topic": 2}]
    checks = [row | {"gold": True, "item": f"c{n}"} for n in range(2)]
    people = Judgments.of([*rows, *checks])
    assert people.left_out == [
        "2 answers to items that only test attention are left out",
        "1 row without an answer is left out",
        "2 answers that the same annotator repeated later are left out",
    ]
    assert len(people) == len(people.counted) + 2 + 1 + 2
    assert Judgments.of([row]).left_out == []


# ---------------------------------------------------------------------- items


def test_an_item_of_several_topics_is_several_items() -> None:
    rows = [
        {"model": m, "topic": t, "item": t, "annotator": who, "answer": ord(m) + t}
        for m in "ab"
        for t in range(2)
        for who in ("ann", "bob")
    ]
    people = Judgments.of(rows)
    assert people.ratings.items == ["a/0/0", "a/1/1", "b/0/0", "b/1/1"]
    assert len(people.counted) == len(people.ratings.value) == 8
    assert list(people.human().values()) == [97, 98, 98, 99]
    assert people.notes == [
        "2 items are of several topics (the first: 0, of 2): items are told apart as "
        "model/topic/item"
    ]
    assert Judgments.of(people.frame).notes == []  # they are told apart already


def test_an_item_may_be_shown_in_several_tasks_and_data_sets() -> None:
    rows = [
        {"dataset": d, "model": "m", "topic": 1, "item": "q", "task": task, "answer": 1}
        for d in "xy"
        for task in ("rating", "naming")
    ]
    people = Judgments.of(rows)
    assert people.frame["item"].to_list() == ["q"] * 4
    assert people.notes == []


def test_items_are_told_apart_although_names_hold_slashes() -> None:
    rows = [
        {"model": m, "topic": t, "annotator": "ann", "answer": 1}
        for m, t in (("a/b", "c"), ("a", "b/c"))
    ]
    people = Judgments.of(rows)
    assert len(set(people.frame["item"].to_list())) == 2
    assert list(people.counts().values()) == [1, 1]
