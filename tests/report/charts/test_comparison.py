"""The chart of a comparison, as the dictionary that draws it, and as a file."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tealeaves.comparison import ComparedModel, Comparison, Pair
from tealeaves.comparison.design import Design
from tealeaves.comparison.result import UnitValue
from tealeaves.report.charts import comparison_chart, save_chart

pytestmark = pytest.mark.usefixtures("inline_rows")

NAMES = ["lda", "nmf", "a model with a very long name, longer than any model should have"]


def comparison(metrics: tuple[str, ...] = ("npmi", "c_v"), over: str = "topics") -> Comparison:
    summary = [
        ComparedModel(model=name, metric=metric, value=0.1 * n, low=0.1 * n - 0.05,
                      high=0.1 * n + 0.05, n=4, letters="abc"[n])
        for metric in metrics
        for n, name in enumerate(NAMES)
    ]  # fmt: skip
    units = [
        UnitValue(name, metric, str(topic), math.nan if topic == 3 else 0.1 * n + 0.01 * topic)
        for metric in metrics
        for n, name in enumerate(NAMES)
        for topic in range(4)
    ]
    design = Design(over=over, pairing="auto", test="permutation", correction="holm", level=0.05,
                    draws=100, seed=0)  # fmt: skip
    pairs = [Pair(metric="npmi", model_a="lda", model_b="nmf", value_a=0.0, value_b=0.1)]
    better = dict.fromkeys(metrics, "higher") | {"umass": "lower"}
    return Comparison(pairs, summary, design=design, better=better, units=units)


def panels(chart: Any) -> list[dict[str, Any]]:
    return [panel for row in chart.to_dict()["vconcat"] for panel in row["hconcat"]]


def rows_of(content: Any) -> list[dict[str, Any]]:
    """Return the rows of means, in whichever layer or panel they are kept."""
    if isinstance(content, list):
        return [row for one in content for row in rows_of(one)]
    if not isinstance(content, dict):
        return []
    if "remark" in next(iter(content.get("values") or [{}])):
        found: list[dict[str, Any]] = content["values"]
        return found
    return [row for one in content.values() for row in rows_of(one)]


def test_there_is_a_panel_for_each_metric_three_in_a_row() -> None:
    content = comparison_chart(comparison(("npmi", "c_v", "umass", "pmi"))).to_dict()
    assert [len(row["hconcat"]) for row in content["vconcat"]] == [3, 1]
    titles = [panel["layer"][2]["encoding"]["x"]["title"] for row in content["vconcat"]
              for panel in row["hconcat"]]  # fmt: skip
    assert titles == [
        "npmi (higher is better)",
        "c_v (higher is better)",
        "umass (lower is better)",
        "pmi (higher is better)",
    ]
    assert content["title"]["text"] == "3 models on 4 metrics"
    assert "share a letter" in content["title"]["subtitle"][0]
    assert "Holm" in content["title"]["subtitle"][1]


def test_means_intervals_and_letters_are_drawn() -> None:
    points, rule, mean, letters, _ = panels(comparison_chart(comparison()))[0]["layer"]
    rows = mean["data"]["values"]
    assert [row["model"] for row in rows] == NAMES
    assert [row["value"] for row in rows] == pytest.approx([0.0, 0.1, 0.2])
    assert [row["letters"] for row in letters["data"]["values"]] == ["a", "b", "c"]
    assert (rule["encoding"]["x"]["field"], rule["encoding"]["x2"]["field"]) == ("low", "high")
    assert letters["encoding"]["x"]["value"] > 250  # right of the panel
    assert points["mark"]["opacity"] < 1


def test_models_keep_their_order_and_are_named_once_in_a_row() -> None:
    first, second = panels(comparison_chart(comparison()))
    for panel, named in ((first, True), (second, False)):
        y = panel["layer"][0]["encoding"]["y"]
        assert y["scale"]["domain"] == NAMES
        assert y["axis"]["labels"] is named


def test_units_without_a_value_are_not_drawn() -> None:
    chart = comparison_chart(comparison())
    points = panels(chart)[0]["layer"][0]["data"]["values"]
    assert len(points) == 3 * 3
    assert all(0 <= row["offset"] < 1 for row in points)
    assert "NaN" not in json.dumps(chart.to_dict())


def test_runs_are_called_so() -> None:
    title = comparison_chart(comparison(("npmi",), over="seeds")).to_dict()["title"]
    assert title["text"] == "3 families of models on npmi"
    assert "pale ones are runs" in title["subtitle"][0]


def test_a_metric_without_units_has_means_alone() -> None:
    found = comparison(("npmi",))
    found.units = []
    found.summary = [ComparedModel(model=name, metric="npmi", value=0.5) for name in NAMES]
    [panel] = panels(comparison_chart(found))
    _, mean, *_ = panel["layer"]
    assert "yOffset" not in str(panel["layer"])  # of points
    assert panel["title"]["text"] == "no letters: each model has one value"
    assert "letter" not in str(comparison_chart(found).to_dict()["title"]["subtitle"])
    assert [row["low"] for row in rows_of(comparison_chart(found).to_dict())] == [None] * 3
    assert mean["encoding"]["x"]["scale"]["domain"] == [0.45, 0.55]


def changed(found: Comparison, metric: str, models: list[str], **values: Any) -> Comparison:
    found.summary = [
        msgspec.structs.replace(row, letters="", low=math.nan, high=math.nan, **values)
        if row.metric == metric and row.model in models
        else row
        for row in found.summary
    ]
    return found


def test_a_mean_that_is_infinite_is_said_in_place_of_letters() -> None:
    panel, other = panels(comparison_chart(changed(comparison(), "npmi", ["nmf"], value=math.inf)))
    *_, letters, remarks = panel["layer"]
    assert [row["remark"] for row in remarks["data"]["values"]] == ["", "mean is infinite", ""]
    assert letters["data"]["values"][1]["letters"] == ""
    assert remarks["encoding"]["x"] == letters["encoding"]["x"]
    assert panel["title"]["text"] == other["title"]["text"] == " "


def test_a_metric_without_any_value_says_so() -> None:
    found = changed(comparison(), "npmi", NAMES, value=math.nan, n=0)
    found.units = [unit for unit in found.units if unit.metric != "npmi"]
    panel, _ = panels(comparison_chart(found))
    assert panel["title"]["text"] == "no model has a value"
    assert {row["remark"] for row in rows_of(panel)} == {"no value"}


def test_where_no_test_could_reach_the_level_that_is_said() -> None:
    found = changed(comparison(), "npmi", NAMES)
    found.pairs = [msgspec.structs.replace(pair, p=0.1) for pair in found.pairs]
    first, second = panels(comparison_chart(found))
    assert first["title"]["text"] == "no letters: no test could reach the level"
    # of the same height, so that the panels begin at the same one
    assert second["title"]["text"] == " "


def test_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "models.svg"
    save_chart(comparison_chart(comparison()), path)
    text = path.read_text()
    assert text.startswith("<svg")
    assert NAMES[2][:30] in text
