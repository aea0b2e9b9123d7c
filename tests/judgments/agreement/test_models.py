"""Means of models: the ceiling and the reliability by model."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tealeaves.judgments import Judgments
from tealeaves.judgments.agreement.agreement import Agreement, agreement


def answers(models: int, people: int = 5, topics: int = 6, seed: int = 0) -> list[dict[str, Any]]:
    """Each annotator answers all topics of all models; models differ, and topics in them."""
    rng = np.random.default_rng(seed)
    good = rng.normal(size=(models, 1)) + 0.5 * rng.normal(size=(models, topics))
    return [
        {
            "model": f"m{model}", "topic": str(topic), "annotator": f"p{who}",
            "answer": int(np.clip(np.round(good[model, topic] + rng.normal() + 3), 1, 5)),
        }
        for who in range(people)
        for model in range(models)
        for topic in range(topics)
    ]  # fmt: skip


def measured(rows: list[dict[str, Any]], **options: Any) -> Agreement:
    return agreement(Judgments.of(rows), **{"draws": 200, **options})


def test_four_models_are_enough() -> None:
    rows = answers(4)
    found = measured(rows)
    table = np.array([row["answer"] for row in rows], dtype=float).reshape(5, 4, 6).mean(axis=2)
    each = [
        stats.spearmanr(table[who], np.round(np.delete(table, who, axis=0).mean(axis=0), 12))[0]
        for who in range(5)
    ]
    row = found.row("ceiling spearman by model")
    assert row.value == pytest.approx(np.mean(each), abs=1e-12)
    assert (row.n, row.unit) == (5, "annotators")
    row = found.row("reliability by model")
    assert (row.n, row.unit) == (4, "models")
    assert 0 < row.value <= 1
    assert found.row("attainable by model").value == pytest.approx(math.sqrt(row.value))
    assert not any("by model" in row.measure for row in measured(answers(3)))


def test_few_models_have_no_intervals() -> None:
    seven, eight = measured(answers(7)), measured(answers(8))
    by_model = [row for row in seven if "by model" in row.measure]
    assert by_model
    assert all(math.isnan(row.low) for row in by_model)
    assert "rating: only 7 models: there are no intervals by model" in seven.notes
    assert not any("by model" in note for note in measured(answers(7), draws=0).notes)
    assert not any("by model" in note for note in eight.notes)
    row = eight.row("ceiling pearson by model")
    assert row.low < row.value < row.high


def test_draws_seed_and_confidence_are_those_asked_for() -> None:
    rows = answers(12)

    def width(**options: Any) -> float:
        row = measured(rows, **options).row("ceiling pearson by model")
        return row.high - row.low

    assert math.isnan(width(draws=0))
    assert width(confidence=0.5) < width(confidence=0.95)
    assert width(seed=0) != width(seed=1)


def test_who_saw_few_models_is_counted() -> None:
    rows = answers(5, people=6)
    # the last one saw all topics of two models: 12 items, but no four models
    kept = [row for row in rows if row["annotator"] != "p5" or row["model"] in ("m0", "m1")]
    found = measured(kept)
    assert found.row("ceiling pearson").n == 6
    assert found.row("ceiling pearson by model").n == 5
    assert [note for note in found.notes if "in common" in note] == [
        "rating: 1 annotator with items of fewer than 4 models in common with others: not in the "
        "ceiling by model"
    ]


def test_random_answers_are_said_at_the_level_where_they_are_drawn() -> None:
    # of eight models each annotator saw two: six to each pair of models, twelve items each
    rows = [
        {**row, "annotator": f"{row['annotator']}-{int(row['model'][1:]) // 2}"}
        for row in answers(8, people=6)
    ]
    found = measured(rows)
    assert found.row("ceiling pearson").unit == "annotators"
    assert found.row("ceiling pearson by model").unit == "models"
    said = [note for note in found.notes if "drawn at random" in note]
    assert len(said) == 1
    assert "items of 4 models or more: the ceiling by model is of one answer" in said[0]
    (line,) = [text for text in found.legend if text.startswith("ceiling")]
    assert line == (
        "ceiling: correlation of one annotator or one random answer to each item (where n is of "
        "items or models) with the mean of the rest"
    )


def test_the_legend_claims_no_annotators_where_nobody_is_known() -> None:
    found = measured([{**row, "annotator": None} for row in answers(8)])
    assert len([note for note in found.notes if "drawn at random" in note]) == 1
    (line,) = [text for text in found.legend if text.startswith("ceiling")]
    assert "one annotator" not in line
    known = measured(answers(8)).legend
    assert "ceiling: correlation of one annotator with the mean of the rest" in known


def test_who_is_constant_is_said_once() -> None:
    rows = [{**row, "answer": 3} if row["annotator"] == "p0" else row for row in answers(4)]
    found = measured(rows, draws=0)
    assert found.row("ceiling pearson by model").n == 4
    assert len([note for note in found.notes if "are all the same" in note]) == 1
