"""Items: what was shown at once, on one topic."""

from __future__ import annotations

from tealeaves.judgments import Judgments


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
