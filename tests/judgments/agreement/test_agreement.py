"""Agreement as a whole: rows, table, notes, and published data."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
import polars as pl
import pytest

from tealeaves.errors import InputError
from tealeaves.judgments import Judgments, read_judgments
from tealeaves.judgments.agreement.agreement import Agreement, agreement
from tealeaves.judgments.agreement.alpha import alpha, kappa
from tealeaves.judgments.agreement.ceiling import ceiling
from tealeaves.judgments.agreement.measures import COUNTS
from tealeaves.judgments.agreement.reliability import reliability

KEYS = ["dataset", "task", "model", "annotators", "measure", "value", "low", "high", "n", "unit",
        "note"]  # fmt: skip


def ratings(
    people: int = 5, topics: int = 24, seed: int = 0, **columns: Any
) -> list[dict[str, Any]]:
    rng = np.random.default_rng(seed)
    good = rng.integers(1, 4, topics)
    return [
        {
            "model": f"m{topic % 2}", "topic": str(topic), "annotator": f"p{who}",
            "answer": int(np.clip(good[topic] + rng.integers(-1, 2), 1, 3)), **columns,
        }
        for who in range(people)
        for topic in range(topics)
    ]  # fmt: skip


def intrusion(people: int = 4, topics: int = 12) -> list[dict[str, Any]]:
    rng = np.random.default_rng(1)
    return [
        {
            "model": f"m{topic % 2}", "topic": str(topic), "annotator": f"p{who}", "options": 6,
            "task": "intrusion", "correct": bool(rng.random() < 0.4 + 0.5 * (topic % 3 > 0)),
        }
        for who in range(people)
        for topic in range(topics)
    ]  # fmt: skip


def measured(rows: list[dict[str, Any]], **options: Any) -> Agreement:
    return agreement(Judgments.of(rows), **{"draws": 200, **options})


def test_rows_hold_what_the_measures_give() -> None:
    rows = ratings()
    found = measured(rows)
    arrays = Judgments.of(rows).ratings
    assert [list(row) for row in found.to_dicts()] == [KEYS] * len(found)
    table = np.array([row["answer"] for row in rows], dtype=float).reshape(5, 24)
    for level in ("nominal", "ordinal", "interval"):
        row = found.row(f"alpha {level}")
        expected = krippendorff.alpha(reliability_data=table, level_of_measurement=level)
        assert row.value == pytest.approx(expected, abs=1e-9)
        assert row.low < row.value < row.high
        assert (row.n, row.unit) == (24, "items")
    assert found.row("kappa").value == pytest.approx(float(kappa(arrays)))
    assert found.row("ceiling kendall").value == ceiling(arrays).estimates["kendall"].value
    assert found.row("ceiling kendall").unit == "annotators"
    whole = reliability(arrays)
    assert found.row("reliability").value == whole.reliability.value
    assert found.row("attainable").value == pytest.approx(math.sqrt(whole.reliability.value))
    counts = [found.row(name).value for name in COUNTS]
    assert counts == [24, 5, 120, 5, 5, 5, 0]
    assert found.notes == []


def test_the_level_meant_is_marked() -> None:
    found = measured(ratings(), level="interval")
    marked = [row.measure for row in found if "the level meant" in row.note]
    assert marked == ["alpha interval"]
    assert "alpha interval *" in str(found)
    assert "*: the level of α to report" in found.legend


def test_data_sets_and_tasks_stand_apart() -> None:
    rows = ratings(dataset="news", task="rating") + ratings(dataset="wiki", task="rating", seed=3)
    found = measured(rows)
    first, second = (found.row("alpha ordinal", dataset=name) for name in ("news", "wiki"))
    assert first.value != second.value
    alone = measured(ratings(dataset="wiki", task="rating", seed=3))
    assert alone.row("alpha ordinal") == second
    with pytest.raises(InputError, match="several data sets or tasks"):
        found.row("kappa")
    with pytest.raises(InputError, match="no measure kapa; did you mean kappa"):
        found.row("kapa", dataset="news")
    # each is named once, at its first line
    lines = str(found).splitlines()
    assert [line.split()[0] for line in lines if line.startswith(("news", "wiki"))] == [
        "news",
        "wiki",
    ]
    assert lines[0].split()[:4] == ["data", "set", "task", "measure"]


def test_tasks_with_a_key() -> None:
    found = measured(intrusion())
    right = sum(row["correct"] for row in intrusion())
    whole = found.row("precision")
    assert (whole.value, whole.n, whole.unit) == (right / 48, 48, "answers")
    assert whole.low < whole.value < whole.high
    assert found.row("chance").value == pytest.approx(1 / 6)
    models = [found.row("precision", model=name) for name in ("m0", "m1")]
    assert sum(row.value * row.n for row in models) == pytest.approx(right)
    measures = {row.measure for row in found}
    assert "alpha nominal" in measures
    assert not {"alpha ordinal", "alpha interval"} & measures
    assert "precision, m1" in str(found)
    assert found.notes.count("`tealeaves compare --human FILE` tells whether models differ") == 1
    assert "chance, m1" not in str(found)
    assert "rating: only" not in str(found)
    assert "intrusion: only 12 items: intervals of so few are too narrow" in found.notes


def test_a_skipped_item_does_not_hide_the_key() -> None:
    rows = [{**row, "answer": "x" if row["correct"] else "y", "key": "x"} for row in intrusion()]
    for row in rows:
        del row["correct"]
    rows[0]["answer"] = None
    found = measured(rows)
    assert found.row("precision").n == 47
    assert "intrusion: 1 answer without a value: left out" in found.notes


def test_without_the_flagged() -> None:
    careless = ratings(people=6)
    for row in careless[-24:]:
        row["answer"] = 2
    found = measured(careless)
    assert found.row("flagged annotators").value == 1
    assert [one.annotator for one in found.careless.flagged] == ["p5"]
    without = measured(careless[:-24])
    for name in (
        "items",
        "annotators",
        "alpha ordinal",
        "kappa",
        "ceiling spearman",
        "reliability",
    ):
        left = found.row(name, annotators="not flagged")
        assert (left.value, left.low, left.n) == pytest.approx(
            (without.row(name).value, without.row(name).low, without.row(name).n), nan_ok=True
        )
    assert found.row("alpha ordinal").value < without.row("alpha ordinal").value
    assert "rating: 1 of 6 annotators is flagged as careless" in found.notes
    assert any("in the order of the rows" in note for note in found.notes)
    # p5 is constant: no ceiling
    assert any("1 annotator whose answers, or those of the rest" in note for note in found.notes)
    assert "not flagged: interval" in str(found)
    assert json.loads(found.to_json())["annotators"][5]["flags"] == "24 equal answers in a row"


def test_all_flagged() -> None:
    rows = ratings(time=0.3)
    found = measured(rows)
    assert "rating: without the flagged annotators nothing is left" in found.notes
    assert {row.annotators for row in found} == {"all"}


def test_what_is_left_out_is_said() -> None:
    rows = ratings()
    rows[0]["answer"] = None
    rows += [dict(rows[5]), dict(rows[6]), {**rows[1], "topic": "alone"}]
    rows += [{**rows[1], "annotator": None}]
    for row in rows:
        row |= {"gold": False, "correct": None}
    rows += [{**rows[1], "topic": f"g{number}", "gold": True} for number in range(3)]
    rows += [{**row, "annotator": "late"} for row in rows[1:3]]
    found = measured(rows)
    assert [note for note in found.notes if note.startswith("rating: ")] == [
        "rating: 1 answer without a value: left out",
        "rating: 2 answers given again by the same annotator: the last counts",
        "rating: 3 answers to items that only test attention: left out",
        "rating: 1 item with a single answer: nothing to pair it with, left out",
        "rating: 1 answer of unknown annotators",
        "rating: 1 annotator with fewer than 5 items in common with others: not in the ceiling",
    ]
    assert found.row("items").value == 25
    assert found.row("alpha ordinal").n == 24


def test_unknown_annotators() -> None:
    rows = [{**row, "annotator": None} for row in ratings()]
    found = measured(rows)
    assert math.isnan(found.row("annotators").value)
    assert found.row("ceiling pearson").unit == "items"
    assert found.careless.rows == []
    assert any("drawn at random (10 times)" in note for note in found.notes)
    assert "rating: annotators are not known: nobody can be flagged as careless" in found.notes
    # who answered does not matter to α
    assert found.row("alpha ordinal").value == measured(ratings()).row("alpha ordinal").value


def test_text_answers() -> None:
    names = {1: "bad", 2: "fair", 3: "good"}
    rows = [{**row, "answer": names[row["answer"]]} for row in ratings()]
    found = measured(rows)
    numbered = measured(ratings())
    assert found.row("alpha nominal").value == pytest.approx(numbered.row("alpha nominal").value)
    assert found.row("kappa").value == pytest.approx(numbered.row("kappa").value)
    assert {row.measure for row in found} == {*COUNTS, "alpha nominal", "kappa"}
    (note,) = found.notes
    assert note.startswith("rating: only whether answers are the same is measured: the answer ")
    assert '--scale "good=3, fair=2, bad=1"' in note
    scaled = agreement(Judgments.of(rows).scaled("bad=1, fair=2, good=3"), draws=200)
    assert repr(scaled.rows) == repr(numbered.rows)  # NaN is not equal to NaN


def test_constant_answers() -> None:
    found = measured([{**row, "answer": 2} for row in ratings(topics=6)])
    assert math.isnan(found.row("alpha ordinal").value)
    assert any("all answers are the same" in note for note in found.notes)
    assert "–" in str(found)


def test_few_items() -> None:
    found = measured(ratings(topics=3))
    row = found.row("alpha ordinal")
    assert not math.isnan(row.value)
    assert math.isnan(row.low)
    assert "rating: only 3 items have two answers or more: there are no intervals" in found.notes


def test_nothing_is_left() -> None:
    with pytest.raises(InputError, match=r"two answers or more.*--column item=NAME"):
        measured(ratings(people=1))
    means = [{**row, "annotator": None, "answer": 2.5} for row in ratings(people=1)]
    with pytest.raises(InputError, match="cannot be computed from means") as told:
        measured(means)
    assert "--column" not in str(told.value)
    with pytest.raises(InputError, match="no answer has a value"):
        measured([{**row, "answer": None} for row in ratings(people=2)])
    # right and wrong answers have a precision even so
    assert measured(intrusion(people=1)).row("precision").n == 12


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "ordnal"}, "did you mean ordinal"),
        ({"draws": -1}, "^draws must be at least 20, or 0 for no intervals, not -1$"),
        ({"confidence": 95}, "^confidence must be between 0 and 1, not 95$"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        measured(ratings(), **options)


def test_no_draws_no_intervals() -> None:
    found = measured(ratings(), draws=0)
    assert all(math.isnan(row.low) for row in found)


def test_same_seed_same_numbers() -> None:
    once, again, other = (measured(ratings(), seed=seed).to_csv() for seed in (0, 0, 1))
    assert once == again
    assert once != other


def test_rows_leave_in_all_formats(tmp_path: Path) -> None:
    found = measured(ratings())
    frame = found.to_polars()
    assert frame.columns == KEYS
    for suffix in ("csv", "jsonl", "json", "md", "tex", "parquet"):
        found.save(tmp_path / f"a.{suffix}")
    assert pl.read_parquet(tmp_path / "a.parquet").height == len(found)
    assert pl.read_csv(tmp_path / "a.csv").height == len(found)


def test_files_and_data_frames_are_read(tmp_path: Path) -> None:
    rows = ratings()
    expected = repr(measured(rows).rows)
    frame = pl.DataFrame(rows)
    path = tmp_path / "ratings.csv"
    frame.write_csv(path)
    for given in (str(path), path, frame, pd.DataFrame(rows), rows):
        assert repr(agreement(given, draws=200).rows) == expected


def test_what_it_was_measured_with_is_kept() -> None:
    found = measured(ratings(), draws=150, confidence=0.9, level="nominal")
    assert (found.draws, found.confidence, found.level) == (150, 0.9, "nominal")


def test_items_are_those_with_an_answer() -> None:
    rows = ratings()
    empty = [{**row, "answer": None} if row["topic"] == "7" else row for row in rows]
    assert measured(empty).row("items").value == 23
    # a number that is none
    people = Judgments.of(rows)
    none = pl.when(pl.col("topic") == "7").then(math.nan).otherwise("answer").alias("answer")
    found = agreement(Judgments(people.frame.with_columns(none)), draws=0)
    assert (found.row("items").value, found.row("answers").value) == (23, 115)
    assert "rating: 5 answers without a value: left out" in found.notes


def test_repeated_answers_are_said_once() -> None:
    rows = ratings()
    found = measured([*rows, rows[3]])
    assert [note for note in found.notes if "last counts" in note] == [
        "rating: 1 answer given again by the same annotator: the last counts"
    ]


def test_a_task_of_checks_alone_is_not_measured() -> None:
    checks = [{**row, "task": "check", "gold": True, "correct": True} for row in ratings(topics=2)]
    found = measured(ratings(gold=False, correct=None) + checks)
    assert {row.task for row in found} == {"rating"}
    assert found.notes == [
        "check: all 10 answers are to items that only test attention, and are left out"
    ]


def test_answers_without_a_key_are_not_for_a_scale() -> None:
    rows = [
        {"task": "intrusion", "topic": str(topic), "annotator": f"p{who}", "answer": answer,
         "key": "soup" if topic else None}
        for topic in range(6)
        for who, answer in enumerate(("soup", "cat", "soup"))
    ]  # fmt: skip
    found = measured(rows)
    assert not any("--scale" in note for note in found.notes)
    keyless = "intrusion: 3 answers without a key: neither right nor wrong, left out"
    assert found.notes.count(keyless) == 1
    row = found.row("precision")
    assert (row.value, row.n) == (10 / 15, 15)
    assert (found.row("items").value, found.row("answers").value) == (5, 15)


# ---------------------------------------------------------------------- published data


@pytest.mark.reference
def test_votes_of_khodorchenko(reference_data: Path) -> None:
    people = read_judgments(reference_data / "khodorchenko2022" / "topics.jsonl.gz")
    found = agreement(people)
    arrays = people.ratings
    table = np.full((int(arrays.per_item.max()), len(arrays.items)), np.nan)
    place = np.zeros(len(arrays.items), dtype=int)
    for item, value in zip(arrays.item, arrays.value, strict=True):
        table[place[item], item] = value
        place[item] += 1
    for level in ("nominal", "ordinal", "interval"):
        expected = krippendorff.alpha(reliability_data=table, level_of_measurement=level)
        assert found.row(f"alpha {level}").value == pytest.approx(expected, abs=1e-9)
        assert float(alpha(arrays, level)) == pytest.approx(expected, abs=1e-9)
    assert found.row("alpha ordinal").value == pytest.approx(0.413, abs=1e-3)
    assert found.row("reliability").value == pytest.approx(0.788, abs=5e-3)
    assert found.row("ceiling pearson").value == pytest.approx(0.575, abs=0.01)


@pytest.mark.reference
def test_ratings_and_intrusion_of_hoyle(reference_data: Path) -> None:
    people = read_judgments(reference_data / "hoyle2021" / "annotations_all.tsv.gz")
    found = agreement(people, draws=100)
    assert found.row("items", task="ratings").value == 150
    assert found.row("alpha ordinal", task="ratings").value == pytest.approx(0.297, abs=1e-3)
    assert found.row("ceiling spearman", task="ratings").n == 77
    assert found.row("precision", task="intrusion").value == pytest.approx(0.728, abs=1e-3)
    assert found.row("chance", task="intrusion").value == pytest.approx(1 / 6)
    # answers to the same topic are alike: over topics the interval is 2.8 times as wide
    wilson = found.row("precision", task="intrusion", model="dvae")
    topics = found.row("precision over topics", task="intrusion", model="dvae")
    assert (wilson.low, wilson.high) == pytest.approx((0.737, 0.774), abs=1e-3)
    assert (topics.low, topics.high) == pytest.approx((0.699, 0.805), abs=0.015)
    assert (topics.value, topics.n, topics.unit) == (wilson.value, 50, "topics")
