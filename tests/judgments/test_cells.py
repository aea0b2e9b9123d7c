"""What stands where an answer is expected: lists, objects, decimal commas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tealeaves.errors import InputError
from tealeaves.judgments import Judgments, TopicKey, read_judgments


def lines(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def answers(*given: Any, **more: Any) -> Judgments:
    return Judgments.of([{"topic": 1, "answer": one, **more} for one in given])


def test_a_list_is_several_answers_of_nobody_known(tmp_path: Path) -> None:
    rows = [{"topic": 0, "answers": [3, 2, 1]}, {"topic": 1, "answers": []}]
    path = lines(tmp_path / "p.jsonl", *rows, {"topic": 2, "answers": 3})
    people = read_judgments(path, columns={"answer": "answers"})
    assert people.frame.select("topic", "annotator", "answer").rows() == [
        ("0", None, 3.0),
        ("0", None, 2.0),
        ("0", None, 1.0),
        ("1", None, None),
        ("2", None, 3.0),
    ]
    assert people.notes == [
        f"{path}: 2 lists in answers hold 4 answers; their annotators are unknown"
    ]
    assert people.human()[TopicKey("", "", "0")] == 2.0  # (3 + 2 + 1) / 3


def test_a_list_is_one_however_it_is_written() -> None:
    rows = [{"topic": 0, "answer": [3, 1]}]
    frames = [rows, pl.DataFrame(rows), [{"topic": 0, "answer": "[3, 1]"}], pd.DataFrame(rows)]
    frames.append(pd.DataFrame({"topic": [0], "answer": [np.array([3, 1])]}))
    for frame in frames:
        assert Judgments.of(frame).frame["answer"].to_list() == [3.0, 1.0]
    assert answers("[sic]").frame["answer"].to_list() == ["[sic]"]


def test_an_answer_of_a_list_has_a_place(tmp_path: Path) -> None:
    path = lines(tmp_path / "p.jsonl", {"topic": 0, "answer": [3, 1, 2, "x"]})
    with pytest.raises(InputError, match=r"p\.jsonl:1, answer 4: the answer 'x' is no number"):
        read_judgments(path).human()


def test_one_annotator_gives_one_answer_a_row() -> None:
    with pytest.raises(InputError, match=r"row 1: 2 answers of one annotator \(ann\): give one"):
        answers([1, 2], annotator="ann")
    assert answers([1], annotator="ann").frame["annotator"].to_list() == ["ann"]


@pytest.mark.parametrize(
    ("answer", "what"),
    [({"a": 1}, "an object"), ([1, {"a": 1}], "an object"), ([[1], [2]], "a list in a list")],
)
def test_objects_are_no_answers(tmp_path: Path, answer: Any, what: str) -> None:
    path = lines(tmp_path / "p.jsonl", {"topic": 0, "answer": 1}, {"topic": 0, "answer": answer})
    with pytest.raises(
        InputError, match=rf"p\.jsonl:2: the answer [\[{{].* is {what}: give a number"
    ):
        read_judgments(path)


def test_decimal_commas_are_read_where_all_numbers_have_them(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text('topic,answer\n0,"3,0"\n0,"2,5"\n1,\n1,"-1,25"\n')
    people = read_judgments(path)
    assert people.frame["answer"].to_list() == [3.0, 2.5, None, -1.25]
    assert people.notes == ["answers have decimal commas: 3,0 is read as 3.0"]


def test_a_comma_among_numbers_without_is_not_guessed_at() -> None:
    for other in (3, "3", "2.5"):
        people = answers(other, "1,2")
        assert people.frame["answer"].to_list()[1] == "1,2"
        assert people.notes == []
        with pytest.raises(InputError, match=r"row 2: the answer '1,2' is no number: write a dec"):
            people.human()


def test_decimal_commas_are_those_of_a_task() -> None:
    rows = [
        {"topic": 1, "task": "rating", "answer": "2,5"},
        {"topic": 1, "task": "familiar", "answer": 1},
    ]
    assert Judgments.of(rows).frame["answer"].to_list() == [2.5, 1.0]


@pytest.mark.parametrize("votes", [[4, -1e308], [1e51]])
def test_votes_whose_squares_overflow_are_refused(tmp_path: Path, votes: list[float]) -> None:
    path = tmp_path / "votes.jsonl"
    row = {"corpus": "c", "model_id": "m", "topic_seq": 2, "words": ["a", "b"], "votes": votes}
    path.write_text(json.dumps(row))
    with pytest.raises(InputError, match="is not a finite number up to 1e50"):
        read_judgments(path)
