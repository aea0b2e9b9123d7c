"""The chart of an evaluation: points, intervals and lines, as they are drawn."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from tealeaves.lexicon import Evaluation, evaluate, evaluate_rows, lemma_errors
from tealeaves.report.charts import evaluation_chart

pytestmark = pytest.mark.usefixtures("inline_rows")
POS = {f"w{number}": "NV"[number % 2] for number in range(12)}


def series(seed: int = 0) -> dict[str, Any]:
    draw = random.Random(seed)
    gold = {lemma: [{draw.choice("xyz")} for _ in range(6)] for lemma in POS}
    return {
        model: {
            lemma: ([one if draw.random() > wrong else {"x"} for one in tokens], tokens)
            for lemma, tokens in gold.items()
        }
        for model, wrong in (("hybrid", 0.1), ("l", 0.5))
    }


def panels(found: Evaluation) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = evaluation_chart(found).to_dict()["vconcat"]
    return content


def points(panel: dict[str, Any]) -> list[dict[str, Any]]:
    [layer] = [one for one in panel["layer"] if one["mark"]["type"] == "point"]
    rows: list[dict[str, Any]] = layer["data"]["values"]
    return rows


def test_each_model_has_a_point_with_its_interval_for_each_part_of_speech() -> None:
    found = evaluate(series(), POS, target="fi", draws=100)
    [panel] = panels(found)
    assert panel["title"]["text"] == "fi"
    rows = {(row["label"], row["series"]): row for row in points(panel)}
    assert list(rows) == [(m, s) for s in ("all", "N", "V") for m in ("hybrid", "l")]
    for (model, pos), row in rows.items():
        said = found.summary(model, pos=None if pos == "all" else pos)
        assert (row["value"], row["low"], row["high"]) == (said.error, said.low, said.high)
        assert row["lemmas"] == said.lemmas
    assert "12 lemmas with 95 % interval" in panel["title"]["subtitle"][0]


def test_simple_answers_are_lines_with_their_names(texts_of: Callable[[Any], list[Any]]) -> None:
    found = evaluate(series(), POS, draws=100)
    [panel] = panels(found)
    rules = [one for one in panel["layer"] if one["mark"].get("strokeDash")]
    assert [one["data"]["values"] for one in rules] == [
        [{"value": found.summary(name).error}] for name in ("all same", "all different")
    ]
    assert len({str(one["mark"]["strokeDash"]) for one in rules}) == 2
    texts = {text.text: text for text in texts_of(evaluation_chart(found))}
    same = f"all same: {found.summary('all same').error:.3f}"
    different = f"all different: {found.summary('all different').error:.3f}"
    assert {same, different, "hybrid", "l"} <= set(texts)
    assert abs(texts[same].y - texts[different].y) >= 10  # one above the other
    title = next(text for text in texts.values() if "95 % interval" in text.text)
    assert texts[different].y > title.y


def test_the_axis_holds_all_and_something_even_if_nothing_is_wrong() -> None:
    found = evaluate(series(), POS, draws=100)
    domain = panels(found)[0]["layer"][0]["encoding"]["x"]["scale"]["domain"]
    ends = [row.high for row in found.summaries] + [row.error for row in found.lines]
    assert domain[0] == 0
    assert max(ends) <= domain[1] <= 1
    right = [{"x"}] * 3
    fine = evaluate({"l": {"hand": (right, right)}})
    low, high = panels(fine)[0]["layer"][0]["encoding"]["x"]["scale"]["domain"]
    assert low == 0 < high
    assert "NaN" not in json.dumps(evaluation_chart(fine).to_dict())


def test_all_languages_come_first_and_only_so_many_are_drawn() -> None:
    rows = [row for number in range(20)
            for row in lemma_errors(series(number), POS, target=f"t{number}")]  # fmt: skip
    found = evaluate_rows(rows)
    drawn = panels(found)
    assert [panel["title"]["text"] for panel in drawn] == [
        "all languages", *(f"t{number}" for number in range(11))
    ]  # fmt: skip
    title = evaluation_chart(found).to_dict()["title"]["text"]
    assert "the first 11 of 20 languages" in title
    assert points(drawn[3])[0]["value"] == found.summary("hybrid", "t2").error
    assert points(drawn[0])[0]["value"] == found.summary("hybrid").error


def test_words_as_they_stand_are_a_third_line() -> None:
    models = series()
    forms = {lemma: pair[1] for lemma, pair in models["l"].items()}
    [panel] = panels(evaluate(models, forms=forms, draws=50))
    assert sum(bool(one["mark"].get("strokeDash")) for one in panel["layer"]) == 3
