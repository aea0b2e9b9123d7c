"""The chart of topics by one metric, as the dictionary that draws it."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.metrics.scores import Score, Scores
from tealeaves.report.charts import strip_chart
from tealeaves.report.charts.blocks.swarm import swarm

pytestmark = pytest.mark.usefixtures("inline_rows")

NAN = math.nan
HOSTILE = "</script><script>alert(1)</script>"


def scores(
    models: dict[str, tuple[float, list[float]]], better: str = "higher", **more: Any
) -> Scores:
    rows = []
    for model, (value, topics) in models.items():
        for topic, one in enumerate(topics):
            rows.append(Score(model, topic, "npmi", one, 0.0 if math.isnan(one) else 1.0, "s"))
        rows.append(Score(model, None, "npmi", value, 1.0, "s"))
    return Scores(rows, better={"npmi": better}, **more)


def drawn(chart: Any) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return the layers of a chart that follows the schema: lines, points and ticks."""
    lines, points, ticks = chart.to_dict()["layer"]
    return lines, points, ticks


def rows_of(layer: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = layer["data"]["values"]
    return found


SOME = {"a": (0.1, [0.0, 0.2]), "b": (0.3, [0.25, 0.35]), "c": (NAN, [NAN, NAN, 0.4])}


def models_of(chart: Any) -> list[str]:
    found: list[str] = drawn(chart)[1]["encoding"]["y"]["scale"]["domain"]
    return found


def test_the_best_model_is_on_top_and_one_without_value_at_the_bottom() -> None:
    assert models_of(strip_chart(scores(SOME), "npmi")) == ["b", "a", "c"]
    lower = strip_chart(scores(SOME, "lower"), "npmi")
    assert models_of(lower) == ["a", "b", "c"]
    assert drawn(lower)[1]["encoding"]["x"]["title"] == "npmi (lower is better)"


def test_each_topic_with_a_value_is_a_point_and_the_others_are_counted() -> None:
    chart = strip_chart(scores(SOME), "npmi")
    _, points, ticks = drawn(chart)
    assert {(row["model"], row["topic"]): row["value"] for row in rows_of(points)} == {
        ("a", "0"): 0.0, ("a", "1"): 0.2, ("b", "0"): 0.25, ("b", "1"): 0.35, ("c", "2"): 0.4,
    }  # fmt: skip
    assert {row["model"]: row["value"] for row in rows_of(ticks)} == {"a": 0.1, "b": 0.3}
    assert chart.to_dict()["title"]["subtitle"] == [
        "points are 7 topics; thick lines are the values of models",
        "2 topics have no finite value, and so no point (c 2)",
    ]
    json.dumps(chart.to_dict(validate=False), allow_nan=False)


def test_points_show_words_with_odd_ones_in_brackets() -> None:
    words = {("a", 0): [f"w{n}" for n in range(12)], ("b", 1): [HOSTILE, "שלום", "x" * 200]}
    chart = strip_chart(scores(SOME, words=words, marked={("a", 0): ("w2",)}), "npmi")
    points = drawn(chart)[1]
    shown = {(row["model"], row["topic"]): row["words"] for row in rows_of(points)}
    assert shown["a", "0"] == "w0 w1 [w2] w3 w4 w5 w6 w7 w8 w9 …"
    assert shown["b", "1"] == f"{HOSTILE} שלום {'x' * 200}"
    assert shown["a", "1"] == ""
    fields = [one["field"] for one in points["encoding"]["tooltip"]]
    assert fields == ["model", "topic", "words", "value", "support"]


def test_what_rests_on_less_is_hollow_and_only_then_is_there_a_legend() -> None:
    whole = strip_chart(scores(SOME), "npmi")
    assert drawn(whole)[1]["encoding"]["fill"]["legend"] is None
    rows = [Score("a", 0, "npmi", 0.1, 1.0, "s"), Score("a", 1, "npmi", 0.2, 0.99999, "s")]
    points = drawn(strip_chart(Scores(rows), "npmi"))[1]
    fill = points["encoding"]["fill"]
    assert fill["legend"]["title"] == "rests on"
    assert dict(zip(fill["scale"]["domain"], fill["scale"]["range"], strict=True)) == {
        "all its evidence": "#0072B2", "a part of it": "white",
    }  # fmt: skip
    assert [row["support"] < 1 for row in rows_of(points)] == [False, True]
    [made] = points["transform"]
    assert made == {
        "calculate": "datum.support < 1 ? 'a part of it' : 'all its evidence'", "as": "evidence",
    }  # fmt: skip


def test_points_of_one_value_do_not_hide_each_other() -> None:
    points = rows_of(drawn(strip_chart(scores({"a": (0.1, [0.1] * 5)}), "npmi"))[1])
    assert len({row["aside"] for row in points}) == 5


def test_many_models_keep_a_height_and_what_is_left_out_is_said() -> None:
    many = {f"m{number:03}": (number / 100, [0.1, 0.2]) for number in range(50)}
    chart = strip_chart(scores(many), "npmi")
    assert len(models_of(chart)) == 40
    assert models_of(chart)[0] == "m049"
    assert chart.to_dict()["height"] == 640
    assert "the first 40 of 50 models are shown" in json.dumps(chart.to_dict())
    assert strip_chart(scores(SOME), "npmi").to_dict()["height"] == 3 * 56


def test_no_value_at_all_and_one_value_can_be_drawn() -> None:
    chart = strip_chart(scores({"a": (NAN, [NAN])}), "npmi")
    assert drawn(chart)[1]["encoding"]["x"]["scale"]["domain"] == [0, 1]
    low, high = drawn(strip_chart(scores({"a": (0.5, [0.5])}), "npmi"))[1]["encoding"]["x"][
        "scale"
    ]["domain"]
    assert low < 0.5 < high


def test_drawn_models_are_named_and_words_are_text(texts_of: Callable[[Any], list[Any]]) -> None:
    found = texts_of(strip_chart(scores({f"{HOSTILE}": (0.1, [0.1, 0.3])}), "npmi"))
    assert HOSTILE in [one.text for one in found]


def test_what_cannot_be_drawn_is_said() -> None:
    with pytest.raises(InputError, match=r"no scores of npm; did you mean npmi\? \(there are npmi"):
        strip_chart(scores(SOME), "npm")
    with pytest.raises(InputError, match="irbo says nothing of topics"):
        strip_chart(Scores([Score("a", None, "irbo", 0.1, 1.0, "s")]), "irbo")


@given(st.lists(st.floats(0, 600), max_size=40))
def test_no_point_of_a_swarm_hides_another_where_there_is_room(places: list[float]) -> None:
    asides = swarm(places, 5, 100)  # 81 places, of which each of 39 others may take three
    found = sorted(zip(places, asides, strict=True))
    for place, (x, y) in enumerate(found):
        for a, b in found[place + 1 :]:
            assert math.hypot(x - a, y - b) >= 5 - 1e-9


@given(st.lists(st.floats(0, 20), max_size=60))
def test_a_swarm_keeps_to_its_room(places: list[float]) -> None:
    asides = swarm(places, 5, 12)
    assert all(abs(aside) <= 12 for aside in asides)
    assert swarm(places, 5, 12) == asides
    # a point that nothing is near to stays on the line
    assert swarm([*places, 1000.0], 5, 12)[-1] == 0


def test_equal_points_that_have_no_room_fill_it_evenly() -> None:
    asides = sorted(swarm([1.0] * 200, 5, 20))
    assert asides[0] < -19
    assert asides[-1] > 19
    assert max(b - a for a, b in itertools.pairwise(asides)) < 1
