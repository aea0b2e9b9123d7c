"""Signs of carelessness, precision, and answers that were given twice."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tealeaves.errors import InputError
from tealeaves.judgments import Judgments
from tealeaves.judgments.agreement.careless import (
    Careless,
    Thresholds,
    annotators_of,
    longest_line,
    without_flagged,
)
from tealeaves.judgments.agreement.estimates import Resampling
from tealeaves.judgments.agreement.precision import over_topics, precision
from tealeaves.judgments.ratings import TaskRatings


def rows_of(who: str | None, answers: list[Any], **columns: Any) -> list[dict[str, Any]]:
    return [
        {"annotator": who, "topic": f"t{number}", "answer": answer, **columns}
        for number, answer in enumerate(answers)
    ]


def flags(rows: list[dict[str, Any]], **limits: Any) -> dict[str, tuple[str, ...]]:
    return {
        one.annotator: one.flags for one in annotators_of(Judgments.of(rows), Thresholds(**limits))
    }


# ---------------------------------------------------------------------- careless


def test_times() -> None:
    hasty = rows_of("hasty", [1, 2, 1], time=1.0)
    hasty[0]["time"] = 60.0  # the median does not mind
    steady = rows_of("steady", [1, 2, 2], time=1.5)
    unknown = rows_of("unknown", [1, 2, 1])
    found = flags(hasty + steady + unknown)
    assert found == {"hasty": ("1 s an answer",), "steady": (), "unknown": ()}
    assert flags(hasty + steady, seconds=2.0)["steady"] == ("1.5 s an answer",)


def test_lines() -> None:
    assert [longest_line(list(text)) for text in ("", "a", "abba", "aabbb")] == [0, 1, 2, 3]
    straight = rows_of("straight", [2, *[1] * 12, 2])
    eleven = rows_of("eleven", [2, *[1] * 11, 2])
    assert flags(straight + eleven) == {"straight": ("12 equal answers in a row",), "eleven": ()}
    assert flags(eleven, line=11)["eleven"] == ("11 equal answers in a row",)


def test_lines_are_not_broken_by_rows_of_others() -> None:
    mixed = [row for pair in zip(rows_of("a", [1] * 12), rows_of("b", [1, 2] * 6), strict=True)
             for row in pair]  # fmt: skip
    assert flags(mixed) == {"a": ("12 equal answers in a row",), "b": ()}


def test_the_same_right_answer_is_no_line_but_the_same_place_is() -> None:
    right = rows_of("right", ["x"] * 12, task="intrusion", key="x")
    assert flags(right) == {"right": ()}
    placed = rows_of("placed", ["x"] * 12, task="intrusion", key="x", position=3)
    assert flags(placed) == {"placed": ("12 equal places in a row",)}
    assert annotators_of(Judgments.of(right))[0].line is None


def test_gold() -> None:
    checks = [
        {"annotator": who, "topic": f"g{number}", "answer": 1, "gold": True, "correct": right}
        for who, rights in {"poor": "110", "good": "1110", "few": "00"}.items()
        for number, right in enumerate(rights)
    ]
    answers = [row for who in ("poor", "good", "few") for row in rows_of(who, [1, 2, 3])]
    for row in answers:
        row |= {"gold": False, "correct": None}
    found = annotators_of(Judgments.of(checks + answers))
    # 2 of 3 is less than 70 %, 3 of 4 is more; 2 are too few to tell
    assert {one.annotator: one.flags for one in found} == {
        "poor": ("2 of 3 checks right",), "good": (), "few": ()
    }  # fmt: skip
    assert [(one.gold_right, one.gold, one.answers) for one in found] == [
        (2, 3, 6),
        (3, 4, 7),
        (0, 2, 5),
    ]
    assert flags(checks + answers, checks=2)["few"] == ("0 of 2 checks right",)
    assert flags(checks + answers, gold=0.6)["poor"] == ()


def checked(who: str, rights: str, task: str, dataset: str = "") -> list[dict[str, Any]]:
    """Three answers of someone, and checks that are right or wrong."""
    place = {"annotator": who, "task": task, "dataset": dataset}
    answers = [{"topic": f"t{x}", "answer": x, "gold": False, "correct": None} for x in (1, 2, 3)]
    checks = [
        {"topic": f"g{number}", "answer": 1, "gold": True, "correct": right}
        for number, right in enumerate(rights)
    ]
    return [place | row for row in answers + checks]


@pytest.mark.parametrize(("rights", "flagged"), [("1111111000", False), ("1111110000", True)])
def test_exactly_the_share_of_checks_is_enough(rights: str, flagged: bool) -> None:
    assert bool(flags(checked("ann", rights, "rating"))["ann"]) is flagged


def test_checks_of_all_tasks_count_together() -> None:
    rows = checked("ann", "00", "rating") + checked("ann", "01", "naming")
    found = annotators_of(Judgments.of(rows))
    assert [(one.task, one.gold_right, one.gold) for one in found] == [
        ("rating", 1, 4),
        ("naming", 1, 4),
    ]
    assert [one.flags for one in found] == [("1 of 4 checks right",)] * 2
    # but those of another data set do not
    rows = checked("ann", "00", "rating", "news") + checked("ann", "00", "rating", "wiki")
    assert [(one.gold, one.flags) for one in annotators_of(Judgments.of(rows))] == [
        (2, ()),
        (2, ()),
    ]


def test_the_flagged_are_left_out_where_they_are_flagged() -> None:
    hasty, slow = {"time": 0.5}, {"time": 9.0}
    rows = [
        row
        for dataset, task, ann, bob in (
            ("news", "rating", hasty, slow),
            ("news", "naming", slow, slow),
            ("wiki", "rating", slow, hasty),
        )
        for who, pace in (("ann", ann), ("bob", bob), (None, hasty))
        for row in rows_of(who, [1, 2], dataset=dataset, task=task, **pace)
    ]
    people = Judgments.of(rows).scaled("1=5, 2=6")
    people.notes.append("kept")
    rest, flagged = without_flagged(people)
    assert [(one.dataset, one.task, one.annotator) for one in flagged] == [
        ("news", "rating", "ann"),
        ("wiki", "rating", "bob"),
    ]
    gone = {("news", "rating", "ann"), ("wiki", "rating", "bob")}
    left = [row for row in people.frame.iter_rows(named=True)
            if (row["dataset"], row["task"], row["annotator"]) not in gone]  # fmt: skip
    assert rest.frame.to_dicts() == left
    assert len(rest) == len(people) - 4
    assert (rest.scale, rest.notes) == (people.scale, people.notes)
    # thresholds of the caller decide
    assert without_flagged(people, Thresholds(seconds=0.1))[1] == []
    assert len(without_flagged(people, Thresholds(seconds=10))[0]) == 6


def test_who_saw_nothing_but_checks_is_not_among_them() -> None:
    rows = [
        {"annotator": "ann", "topic": "a", "answer": 1, "gold": 0},
        {"annotator": "bob", "topic": "g", "answer": 1, "gold": 1},
    ]
    assert [one.annotator for one in annotators_of(Judgments.of(rows))] == ["ann"]


def test_nobody_is_flagged_where_nobody_is_known() -> None:
    assert annotators_of(Judgments.of(rows_of(None, [1] * 20, time=0.1))) == []


def test_correlation_with_the_rest_is_information_and_no_flag() -> None:
    rows = rows_of("a", [1, 2, 3, 4, 5]) + rows_of("b", [1, 2, 3, 4, 5])
    rows += rows_of("c", [5, 4, 3, 2, 1])
    found = {one.annotator: one for one in annotators_of(Judgments.of(rows))}
    assert found["c"].rest == pytest.approx(-1)
    assert found["c"].flags == ()
    # a against (1 + 5) / 2, ...: the rest is constant
    assert math.isnan(found["a"].rest)


def test_text_answers_have_lines_too() -> None:
    found = annotators_of(
        Judgments.of(rows_of("a", ["good"] * 12) + rows_of("b", ["bad", "good"] * 6))
    )
    assert [one.flags for one in found] == [("12 equal answers in a row",), ()]
    assert all(math.isnan(one.rest) for one in found)


def test_the_table_of_annotators() -> None:
    found = Careless(annotators_of(Judgments.of(rows_of("a|b", [1] * 12, time=0.5))))
    assert found.flagged == found.rows
    text = str(found)
    assert "0.5 s an answer, 12 equal answers in a row" in text
    assert json.loads(found.to_jsonl()) == {
        "dataset": "", "task": "rating", "annotator": "a|b", "answers": 12, "time": 0.5, "line": 12,
        "gold_right": 0, "gold": 0, "rest": None,
        "flags": "0.5 s an answer; 12 equal answers in a row",
    }  # fmt: skip


# ---------------------------------------------------------------------- answers given twice


def test_the_last_answer_counts() -> None:
    rows = [("ann", "a", 1), ("bob", "a", 2), ("ann", "b", 3), ("ann", "a", 4), (None, "a", 5),
            (None, "a", 5)]  # fmt: skip
    people = Judgments.of([{"annotator": w, "topic": t, "answer": x} for w, t, x in rows])
    assert people.counted.frame["answer"].to_list() == [2, 3, 4, 5, 5]
    assert people.counting.repeated == 1
    # the same topic in another task is another item
    tasks = [{"annotator": "ann", "topic": "a", "answer": 1, "task": task} for task in ("x", "y")]
    assert Judgments.of(tasks).counting.repeated == 0


def test_ratings_of_a_task() -> None:
    rows = rows_of("ann", ["good", "bad", None], model="m1") + rows_of(
        "bob", ["good", "good", "bad"], model="m2"
    )
    found = TaskRatings.of(Judgments.of(rows))
    assert "the answer 'good' is no number" in found.unnumbered
    assert found.ratings.value.tolist() == [1, 0, 1, 1, 0]
    assert found.counting.unanswered == 1
    assert found.models.tolist() == [0, 0, 1, 1, 1]
    scaled = TaskRatings.of(Judgments.of(rows).scaled("good=3, bad=1"))
    assert scaled.unnumbered == ""
    assert scaled.ratings.value.tolist() == [3, 1, 3, 3, 1]


def test_an_answer_off_the_scale_is_an_error_and_no_name() -> None:
    rows = rows_of("ann", ["good", "bad"])
    with pytest.raises(InputError, match="'bad' is not on the scale"):
        TaskRatings.of(Judgments.of(rows).scaled("good=3"))


# ---------------------------------------------------------------------- precision


def intrusion(rights: str, **columns: Any) -> list[dict[str, Any]]:
    return [{"task": "intrusion", "correct": right, **columns} for right in rights]


def test_precision_by_hand() -> None:
    rows = intrusion("11111111", model="a", topic="1") + intrusion("00", model="a", topic="2")
    rows += intrusion("1", model="b", topic="1")
    people = Judgments.of(rows)
    first, second = precision(people)
    assert (first.model, first.right, first.answers, first.value) == ("a", 8, 10, 0.8)
    # Wilson: (.8 + 1.96²/20 ± 1.96 √(.8 · .2 / 10 + 1.96²/400)) / (1 + 1.96²/10)
    z = 1.959963984540054
    middle, below = 0.8 + z * z / 20, 1 + z * z / 10
    half = z * math.sqrt(0.8 * 0.2 / 10 + z * z / 400)
    assert (first.low, first.high) == pytest.approx(
        ((middle - half) / below, (middle + half) / below)
    )
    assert (second.model, second.value, second.high) == ("b", 1.0, 1.0)
    assert [(one.model, one.topic, one.right) for one in precision(people, by="topic")] == [
        ("a", "1", 8), ("a", "2", 0), ("b", "1", 1)
    ]  # fmt: skip
    (whole,) = precision(people, by="task", confidence=0.5)
    assert (whole.right, whole.answers, whole.task) == (9, 11, "intrusion")
    assert whole.low > precision(people, by="task")[0].low


@pytest.mark.parametrize(
    ("columns", "chance"),
    [
        ({}, math.nan),
        ({"options": 6}, 1 / 6),
        ({"options": "5"}, 1 / 5),
        ({"shown": "cat dog bird soup"}, 1 / 4),
        ({"shown": "cat, dog, soup"}, 1 / 3),
        ({"shown": ["cat", "dog"]}, 1 / 2),
        ({"shown": None}, math.nan),
    ],
)
def test_chance_by_the_words_shown(columns: dict[str, Any], chance: float) -> None:
    (found,) = precision(Judgments.of(intrusion("10", topic="1", **columns)))
    assert found.chance == pytest.approx(chance, nan_ok=True)


def test_chance_is_a_mean_where_numbers_differ() -> None:
    rows = intrusion("1", topic="1", options=2) + intrusion("1", topic="2", options=4)
    assert precision(Judgments.of(rows))[0].chance == pytest.approx((1 / 2 + 1 / 4) / 2)


def test_precision_needs_a_key() -> None:
    with pytest.raises(InputError, match="a column correct or key"):
        precision(Judgments.of(rows_of("ann", [1, 2])))
    with pytest.raises(InputError, match="not annotator"):
        precision(Judgments.of(intrusion("1", topic="1")), by="annotator")


def test_skipped_items_are_neither_right_nor_wrong() -> None:
    rows = [
        {"task": "intrusion", "topic": "1", "answer": x, "key": "cat"} for x in ("cat", "", "dog")
    ]
    (found,) = precision(Judgments.of(rows))
    assert (found.right, found.answers) == (1, 2)


def test_answers_without_a_key_are_neither_right_nor_wrong() -> None:
    rows = [
        {"task": "intrusion", "topic": "1", "answer": "cat", "key": key}
        for key in ("cat", None, "dog", "cat")
    ]
    (found,) = precision(Judgments.of(rows))
    assert (found.right, found.answers) == (2, 3)


def test_checks_do_not_count_for_precision() -> None:
    rows = intrusion("10", topic="1", gold=0) + intrusion("111", topic="g", gold=1)
    assert precision(Judgments.of(rows), by="task")[0].answers == 2


def test_precision_over_topics() -> None:
    rng = np.random.default_rng(0)
    rates = rng.beta(2, 1, 40)
    rows = [
        row
        for topic, rate in enumerate(rates)
        for row in intrusion(
            "".join("01"[int(right)] for right in rng.random(20 + topic % 3) < rate),
            topic=str(topic),
        )
    ]
    people = Judgments.of(rows)
    topics = precision(people, by="topic")
    found = over_topics(topics, Resampling(draws=2000))
    (whole,) = precision(people, by="task")
    assert found.value == pytest.approx(whole.value, abs=1e-12)
    assert (found.n, found.unit) == (40, "topics")
    # the standard error of a ratio of sums over topics, divided by n - 1
    right, answers = (np.array([getattr(one, name) for one in topics], dtype=float)
                      for name in ("right", "answers"))  # fmt: skip
    rest = right - whole.value * answers
    error = math.sqrt((rest**2).sum() / 39 * 40) / answers.sum()
    assert found.high - found.low == pytest.approx(2 * stats.t.ppf(0.975, 39) * error, rel=0.1)
    assert found.high - found.low > 2 * (whole.high - whole.low)
    narrow = over_topics(topics, Resampling(draws=2000, confidence=0.5))
    assert narrow.high - narrow.low < found.high - found.low


def test_few_topics_have_no_interval_over_topics() -> None:
    topics = precision(Judgments.of(intrusion("1101", topic="a")), by="topic")
    found = over_topics(topics, Resampling())
    assert (found.value, math.isnan(found.low), found.n) == (0.75, True, 1)
    assert "no interval" in found.note
