"""The chart of separation: strips of groups, metric by metric, on axes of their own."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.judgments import Correlations, Separations
from tealeaves.judgments import separation as separations_of
from tealeaves.judgments.correlation.matching import MatchedScores
from tealeaves.judgments.correlation.plan import CorrelationPlan
from tealeaves.judgments.judgments import TopicKey
from tealeaves.report.charts import (
    AucInterval,
    Separable,
    save_chart,
    separated_chart,
    separation,
    separation_chart,
)
from tealeaves.report.charts.blocks.axes import log_ticks
from tealeaves.statistics.spread import logarithm_bend

pytestmark = pytest.mark.usefixtures("inline_rows")
Texts = Callable[[Any], list[Any]]


def rows(metric: str, high: list[float], low: list[float]) -> list[Separable]:
    grouped = [("high", value) for value in high] + [("low", value) for value in low]
    return [
        Separable(metric, f"topic {number}", value, group, 2.5)
        for number, (group, value) in enumerate(grouped)
    ]


NPMI = rows("npmi", [0.1, 0.2, 0.3, 0.4], [0.0, 0.1])
SUMS = rows("lrp_sum", [2.0, 3.0, 900.0, 4.0], [-1.0, 1.0, math.nan, 0.0, 2.0])
FOUND = {"npmi": AucInterval(0.9, 0.8, 0.95), "lrp_sum": AucInterval(0.95)}


def panels(chart: Any) -> dict[str, Any]:
    return {" ".join(panel["title"]["text"]): panel for panel in chart.to_dict()["concat"]}


def test_points_are_the_topics_that_have_a_value() -> None:
    drawn = panels(separation_chart(NPMI + SUMS, FOUND))
    for metric, given_rows in (("npmi", NPMI), ("lrp_sum", SUMS)):
        points = drawn[metric]["layer"][0]["data"]["values"]
        found = {(point["topic"], point["value"], point["group"]) for point in points}
        there = {(row.topic, row.value, row.group) for row in given_rows if row.value == row.value}
        assert found == there
        assert len(points) == len(there)


def test_boxes_are_quartiles() -> None:
    panel = panels(separation_chart(NPMI))["npmi"]
    high, low = panel["layer"][1]["data"]["values"]
    # of .1 .2 .3 .4 the quartiles lie 0.75, 1.5 and 2.25 steps after the first
    expected = {"group": "high", "low": 0.175, "median": 0.25, "high": 0.325}
    assert high == {"group": "high"} | {
        k: pytest.approx(expected[k]) for k in expected if k[0] != "g"
    }
    assert low["median"] == pytest.approx(0.05)
    assert panel["layer"][2]["encoding"]["x"]["field"] == "median"


def test_titles_have_the_auc_and_the_best_metric_comes_first(texts_of: Texts) -> None:
    chart = separation_chart(rows("other", [1.0], [2.0]) + NPMI + SUMS, FOUND)
    drawn = panels(chart)
    assert list(drawn) == ["lrp_sum", "npmi", "other"]
    said = {name: panel["title"]["subtitle"] for name, panel in drawn.items()}
    assert said == {
        "lrp_sum": "AUC 0.95, n = 4 + 4, 1 without a value, log",
        "npmi": "AUC 0.90 [0.80, 0.95], n = 4 + 2",
        "other": "n = 1 + 1",
    }
    texts = [text.text for text in texts_of(chart)]
    assert {"high", "low", "npmi", *said.values()} <= set(texts)


def test_only_where_a_few_values_press_the_others_flat_the_axis_is_a_logarithm() -> None:
    drawn = panels(separation_chart(NPMI + SUMS))
    npmi, sums = (drawn[name]["layer"][0]["encoding"]["x"] for name in ("npmi", "lrp_sum"))
    assert "type" not in npmi["scale"]
    assert sums["scale"]["type"] == "symlog"
    # of 1 1 2 2 3 4 900, without the 0, a quarter lie below 1.5
    assert sums["scale"]["constant"] == pytest.approx(1.5)
    assert sums["axis"]["values"] == [0.0, 3.0, 10.0, 30.0, 100.0, 300.0]


def test_points_of_a_strip_do_not_lie_on_each_other() -> None:
    panel = panels(separation_chart(rows("tied", [1.0] * 50, [1.0] * 50)))["tied"]
    points = panel["layer"][0]["data"]["values"]
    places = sorted(point["place"] for point in points if point["group"] == "high")
    assert np.diff(places).min() > 0.5 / 50
    assert (places[0] >= 0, places[-1] <= 1) == (True, True)


def test_many_points_are_thinned_and_boxes_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(separation, "_POINTS", 3)
    values = [float(value) for value in range(9)]
    chart = separation_chart(rows("npmi", values, [1.0]))
    points = panels(chart)["npmi"]["layer"][0]["data"]["values"]
    assert [point["value"] for point in points if point["group"] == "high"] == [0, 4, 8]
    assert panels(chart)["npmi"]["layer"][1]["data"]["values"][0]["low"] == 2
    said = chart.to_dict()["title"]["subtitle"]
    assert any("groups show at most 3 points" in line for line in said)
    few = separation_chart(rows("npmi", values[:3], [1.0])).to_dict()["title"]["subtitle"]
    assert not any("at most" in line for line in few)


def test_thirds_have_a_colour_between() -> None:
    given_rows = [Separable("npmi", "t", 0.5, group) for group in ("top", "middle", "bottom")]
    chart = separation_chart(given_rows, groups=("top", "middle", "bottom"))
    scale = panels(chart)["npmi"]["layer"][0]["encoding"]["color"]["scale"]
    assert scale["domain"] == ["top", "middle", "bottom"]
    assert len(set(scale["range"])) == 3


@pytest.mark.parametrize(
    ("high", "low"),
    [([math.nan], [math.nan]), ([0.0, 0.0], [0.0]), ([1.0], []), ([0.0] * 9, [5.0]),
     ([1e-9, 2e-9, 3e-9], [-4.0])],
)  # fmt: skip
def test_extremes_are_drawn(texts_of: Texts, high: list[float], low: list[float]) -> None:
    texts = [text.text for text in texts_of(separation_chart(rows("metric", high, low)))]
    assert {"metric", "high", "low"} <= set(texts)


def test_words_like_html_are_text(tmp_path: Path) -> None:
    evil = "</script><b>"
    chart = separation_chart([Separable(evil, evil, 0.5, "high")], title=evil)
    save_chart(chart, tmp_path / "chart.html")
    page = (tmp_path / "chart.html").read_text().partition("const spec = ")[2]
    assert evil not in page
    assert r"\u003c/script\u003e\u003cb\u003e" in page


def test_what_cannot_be_drawn_is_refused_in_a_line() -> None:
    with pytest.raises(InputError, match=r"^there are no topics to separate$"):
        separation_chart([])
    with pytest.raises(InputError, match=r"^t: no group is called 'good', but 'high' or 'low'$"):
        separation_chart([Separable("npmi", "t", 0.5, "good")])


@given(st.lists(st.floats(-1e9, 1e9, allow_subnormal=False), min_size=1, max_size=40))
def test_each_logarithm_has_ticks_inside(values: list[float]) -> None:
    column = np.array(values)
    column[np.abs(column) < 1e-9] = 0
    bend = logarithm_bend(column)
    if math.isnan(bend):
        return
    low, high = float(column.min()), float(column.max())
    ticks = log_ticks(low, high, bend)
    assert len(ticks) >= 2
    assert ticks == sorted(set(ticks))
    assert (ticks[0] >= low, ticks[-1] <= high) == (True, True)


# ---------------------------------------------------------------------- from correlations

HUMAN = np.array([1.0, 1, 2, 3, 3, 4, 5, 5, 5])


def part_of(task: str, human: Any = HUMAN, by: str = "topic") -> MatchedScores:
    keys = [TopicKey("", "lda", str(number)) for number in range(len(human))]
    values = np.array([1.0, 4, 2, 3, 5, 4, 7, 3, 9])
    scores = {"up": values, "down": -values, "gap": np.where(values > 8, np.nan, values)}
    return MatchedScores(
        "", task, by, keys, np.asarray(human), scores, [("cat", "dog")] * len(human)
    )


def correlations(*parts: MatchedScores, **plan: Any) -> Correlations:
    return Correlations(
        [], parts=list(parts), better={"down": "lower"}, plan=CorrelationPlan(**plan)
    )


def thirds(*parts: MatchedScores, **plan: Any) -> Separations:
    return separations_of(correlations(*parts, **plan))


def task_panels(chart: Any) -> list[Any]:
    return [
        panel for block in chart.to_dict(validate=False)["vconcat"] for panel in block["concat"]
    ]


def test_a_block_for_each_task_and_a_panel_for_each_metric() -> None:
    chart = separated_chart(thirds(part_of("rating"), part_of("intrusion"), draws=100))
    blocks = chart.to_dict()["vconcat"]
    assert [block["title"]["text"] for block in blocks] == ["rating", "intrusion"]
    titles = {panel["title"]["text"][0]: panel["title"]["subtitle"] for panel in task_panels(chart)}
    # thirds: 5, 5, 5 have 7, 3, 9; 1, 1, 2 have 1, 4, 2: 8 of 9 pairs
    assert titles["up"].startswith("AUC 0.89 [")
    assert titles["down ↓"].startswith("AUC 0.89 [")
    assert titles["gap"].endswith("n = 2 + 3, 1 without a value")
    said = blocks[0]["title"]["subtitle"]
    assert said[0].startswith("high: 5 or more by people; low: 2 or less (upper and lower thirds")
    assert "↓ marks that lower is better, so AUC counts low values as good" in said


def test_only_the_two_groups_are_drawn() -> None:
    chart = separated_chart(thirds(part_of("rating"), draws=0)).to_dict()
    points = chart["vconcat"][0]["concat"][0]["layer"][0]["data"]
    rows = chart["datasets"][points["name"]] if "name" in points else points["values"]
    assert [row["group"] for row in rows].count("high") == 3
    assert {row["human"] for row in rows} == {1.0, 2.0, 5.0}
    assert rows[0]["topic"].startswith("lda ")
    assert "interval" not in str(chart["vconcat"][0]["title"])


def test_halves_and_models_are_said() -> None:
    found = correlations(part_of("rating", by="model"), draws=0, by="model")
    chart = separated_chart(separations_of(found, "halves")).to_dict()
    assert "separate models that" in chart["title"]["text"]
    assert "halves" in chart["vconcat"][0]["title"]["subtitle"][0]


def test_people_who_find_all_alike_are_left_out() -> None:
    same = part_of("same", human=np.ones(9))
    chart = separated_chart(thirds(same, part_of("rating"), draws=0))
    assert [block["title"]["text"] for block in chart.to_dict()["vconcat"]] == ["rating"]
    with pytest.raises(InputError, match="people's scores are constant"):
        separated_chart(thirds(same, draws=0))
