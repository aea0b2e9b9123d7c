"""Judgments: parts, numbers, means, and files to and from."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tealeaves.errors import InputError
from tealeaves.judgments import Judgments, Ratings, TopicKey, read_judgments

ROWS: list[dict[str, Any]] = [
    {"model": "a", "topic": 0, "annotator": "ann", "task": "rating", "answer": 3},
    {"model": "a", "topic": 0, "annotator": "bob", "task": "rating", "answer": 2},
    {"model": "a", "topic": 0, "annotator": None, "task": "rating", "answer": 2},
    {"model": "a", "topic": 1, "annotator": "ann", "task": "rating", "answer": 1},
    {"model": "a", "topic": 1, "annotator": "bob", "task": "rating", "answer": None},
    {"model": "b", "topic": 0, "annotator": "bob", "task": "rating", "answer": None},
    {"item": "check", "annotator": "ann", "task": "rating", "answer": 1, "key": 1, "gold": True},
    {"model": "a", "topic": 0, "annotator": "ann", "task": "intrusion", "answer": "x", "key": "x"},
    {"model": "a", "topic": 0, "annotator": "bob", "task": "intrusion", "answer": "y", "key": "x"},
]


@pytest.fixture
def people() -> Judgments:
    return Judgments.of(ROWS)


@pytest.fixture
def rating(people: Judgments) -> Judgments:
    return people.where(task="rating")


def test_parts(people: Judgments) -> None:
    assert people.parts == [("", "rating"), ("", "intrusion")]
    assert repr(people) == "Judgments(9 of rating, intrusion)"
    assert [len(people.part(*part)) for part in people.parts] == [7, 2]


def test_means_of_topics_and_models(rating: Judgments) -> None:
    topics = rating.human()
    assert topics[TopicKey("", "a", "0")] == pytest.approx((3 + 2 + 2) / 3)
    assert topics[TopicKey("", "a", "1")] == 1.0
    assert math.isnan(topics[TopicKey("", "b", "0")])
    models = rating.human("model")
    assert models[TopicKey("", "a", "")] == pytest.approx((7 / 3 + 1) / 2)
    assert math.isnan(models[TopicKey("", "b", "")])


def test_a_topic_without_answers_does_not_spoil_its_model() -> None:
    rows = [{"model": "m", "topic": t, "answer": x} for t, x in [(0, 2), (1, None), (2, 4)]]
    assert Judgments.of(rows).human("model") == {TopicKey("", "m", ""): 3.0}


def test_counts_are_of_answers(rating: Judgments) -> None:
    assert list(rating.counts().values()) == [3, 1, 0]


def test_tasks_are_never_mixed(people: Judgments) -> None:
    with pytest.raises(InputError, match=r"several tasks \(rating, intrusion\): take one"):
        people.human()
    with pytest.raises(InputError, match="several data sets or tasks"):
        _ = people.ratings
    with pytest.raises(InputError, match="by topic or by model, not by word"):
        people.where(task="rating").human("word")


def test_right_and_wrong_count_one_and_nothing(people: Judgments) -> None:
    intrusion = people.where(task="intrusion")
    assert intrusion.has_key
    assert intrusion.values.to_list() == [1.0, 0.0]
    assert intrusion.human() == {TopicKey("", "a", "0"): 0.5}


def test_checks_are_no_ratings(rating: Judgments) -> None:
    assert not rating.has_key
    assert rating.checks.frame["correct"].to_list() == [True]
    assert len(rating.topics_only) == 6
    assert len(rating.ratings.value) == 4
    assert rating.ratings.items == ["a/0", "a/1"]  # nobody answered b/0


def test_nobody_is_null_and_not_a_person(rating: Judgments) -> None:
    assert rating.frame["annotator"].null_count() == 1
    assert rating.ratings.annotators == ["ann", "bob"]
    assert rating.ratings.annotator.tolist() == [0, 1, -1, 0]
    assert rating.ratings.per_item.tolist() == [3, 1]


def test_ratings_of_nothing() -> None:
    empty = Ratings.of([], [], [])
    assert (empty.items, empty.annotators, empty.dropped) == ([], [], 0)


def test_where_compares_numbers_text_truth_and_nothing(people: Judgments) -> None:
    assert len(people.where(topic=0)) == len(people.where(topic="0")) == 6
    assert len(people.where(topic=0.0, model="a", task="rating")) == 3
    assert len(people.where(gold=True)) == len(people.where(gold="true")) == 1
    assert len(people.where(annotator=None)) == 1
    assert len(people.where(task="rating").where(answer=2)) == 2
    numbers = Judgments.of([{"topic": 1, "answer": 2.0}, {"topic": 1, "answer": 3}])
    assert len(numbers.where(answer="2")) == len(numbers.where(answer=2)) == 1
    assert len(numbers.where(answer="good")) == 0
    with pytest.raises(InputError, match="no column annotators; did you mean annotator"):
        people.where(annotators="ann")


def test_without_leaves_those_whom_nobody_knows(people: Judgments) -> None:
    assert people.without(["ann"]).frame["annotator"].to_list() == ["bob", None, *["bob"] * 3]
    assert len(people.without("ann")) == 5  # one name is one name, not three letters
    assert len(people.without([])) == 9


def test_another_scale_leaves_the_answers_alone() -> None:
    votes = Judgments.of([{"model": "m", "topic": 0, "answer": x} for x in (4, 4, 2)])
    key = TopicKey("", "m", "0")
    assert votes.human()[key] == pytest.approx(10 / 3)
    assert votes.scaled("votes").human()[key] == pytest.approx((2 + 2 - 1) / 3)
    assert votes.scaled("majority").human()[key] == 2.0
    assert votes.scaled("votes").where(topic=0).scale.name == "votes"
    assert votes.scaled("votes").frame is votes.frame


def test_models_of_the_judged_topics() -> None:
    rows = [
        {"model": "m", "topic": 7, "answer": 1, "words": "cat dog"},
        {"model": "m", "topic": 7, "answer": 2},
        {"model": "m", "topic": 8, "answer": 2, "words": ["new york", "paris"]},
    ]
    (model,) = Judgments.of(rows).models()
    assert model.model == "m"
    assert [(str(t.id), t.words) for t in model.topics] == [
        ("7", ("cat", "dog")),
        ("8", ("new york", "paris")),
    ]
    with pytest.raises(InputError, match=r"words of topic '9' of m are not .* \(1 of 3 topics\)"):
        Judgments.of([*rows, {"model": "m", "topic": 9, "answer": 1}]).models()


# ---------------------------------------------------------------------- saving

CELLS = st.one_of(st.none(), st.integers(0, 9), st.text("ab,\"'é ", max_size=4))
TABLES = st.lists(
    st.fixed_dictionaries(
        {
            "dataset": st.sampled_from(["", "wiki"]),
            "model": st.sampled_from(["m", "é,\"'", "2.5"]),
            "topic": st.one_of(st.integers(0, 3), st.sampled_from(["x y", "#1"])),
            "annotator": st.sampled_from([None, "ann", "b,c"]),
            "task": st.sampled_from(["rating", "word intrusion"]),
            "answer": CELLS,
            "gold": st.sampled_from([None, True, False]),
            "time": st.one_of(st.none(), st.floats(0, 1e6)),
            "words": st.sampled_from([None, "cat dog", ["new york", "x,y", "]"]]),
            "note": CELLS,
            "share": st.one_of(st.none(), st.floats(-1, 1)),
            "shown": st.one_of(st.none(), st.lists(st.sampled_from(["a", "b c"]), min_size=1)),
        }
    ),
    min_size=1,
    max_size=6,
)


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
@settings(max_examples=40)
@given(table=TABLES)
def test_what_is_saved_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, table: list[dict[str, Any]]
) -> None:
    people = Judgments.of(table)
    path = tmp_path_factory.mktemp("saved") / f"people{suffix}"
    people.save(path)
    again = read_judgments(path)
    assert again.words == people.words
    assert_frame_equal(again.frame, people.frame, check_column_order=False, check_dtypes=False)
    ours = pl.Series(people.frame.columns[:10])
    assert [again.frame.schema[c] for c in ours] == [people.frame.schema[c] for c in ours]


def test_judgments_are_saved_as_tables_alone(people: Judgments, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"saved as \.csv, \.jsonl, \.parquet"):
        people.save(tmp_path / "people.md")
    with pytest.raises(InputError, match="no such folder: make it first"):
        people.save(tmp_path / "nowhere" / "people.csv")
    assert list(tmp_path.iterdir()) == []


def test_of_each_annotator_the_last_answer_counts() -> None:
    rows = [("ann", 1), ("bob", 3), ("ann", 3), (None, 1), (None, 1)]
    people = Judgments.of([{"topic": 0, "annotator": who, "answer": x} for who, x in rows])
    assert people.counted.frame["answer"].to_list() == [3, 3, 1, 1]
    assert list(people.human().values()) == [2]
    assert list(people.counts().values()) == [4]
    assert len(people.ratings.value) == 4


def test_a_skipped_item_does_not_hide_that_others_are_right_or_wrong() -> None:
    rows = [{"topic": 0, "answer": x, "key": "cat"} for x in ("cat", "dog", None, "cat")]
    people = Judgments.of(rows)
    assert people.has_key
    assert list(people.human().values()) == pytest.approx([2 / 3])
