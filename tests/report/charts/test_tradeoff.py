"""The chart of a curve: lines with whiskers over numbers of texts, labels at their ends."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.judgments import Tradeoff
from tealeaves.judgments.correlation.plan import CorrelationPlan
from tealeaves.judgments.correlation.tradeoff import TradeoffPoint
from tealeaves.report.charts import TradeoffRow, curve_chart, tradeoff_chart

pytestmark = pytest.mark.usefixtures("inline_rows")
Texts = Callable[[Any], list[Any]]
ROWS = [
    TradeoffRow("lrp_sum", 100, 0.5, 0.4, 0.6),
    TradeoffRow("lrp_sum", 200, 0.7, 0.65, 0.75),
    TradeoffRow("cooccurrence", 100, 0.45, 0.41, 0.5),
    TradeoffRow("cooccurrence", 200, 0.7, 0.6, 0.8),
]


def layers(chart: Any) -> dict[str, Any]:
    named = ("whiskers", "published", "line", "points", "leaders", "labels")
    return dict(zip(named, chart.to_dict()["layer"], strict=True))


def test_lines_and_whiskers_are_the_rows() -> None:
    drawn = layers(tradeoff_chart(ROWS))
    for name in ("whiskers", "line", "points"):
        values = drawn[name]["data"]["values"]
        fields = TradeoffRow._fields
        assert [tuple(value[field] for field in fields) for value in values] == ROWS
    assert drawn["whiskers"]["mark"]["type"] == "rule"
    assert drawn["whiskers"]["encoding"]["y"]["field"] == "low"
    assert drawn["whiskers"]["encoding"]["y2"]["field"] == "high"


@pytest.mark.parametrize(("sizes", "apart"), [((100, 200), 4.0), ((1000, 1010, 2000), None)])
def test_whiskers_of_metrics_stand_beside_each_other(
    sizes: tuple[int, ...], apart: float | None
) -> None:
    many = [TradeoffRow(f"m{n}", size, 0.5, 0.4, 0.6) for n in range(5) for size in sizes]
    drawn = layers(tradeoff_chart(many))["whiskers"]
    scale = drawn["encoding"]["x"]["scale"]
    low, high = np.log2(scale["domain"])
    rows = drawn["data"]["values"]
    pixels = [520 * (np.log2(row["at"]) - low) / (high - low) for row in rows]
    # sorted from left to right, those of a size stay together, and none is on the axis
    ordered = [
        row["texts"] for _, row in sorted(zip(pixels, rows, strict=True), key=lambda p: p[0])
    ]
    assert ordered == sorted(ordered)
    assert min(pixels) == pytest.approx(6.0) == 520 - max(pixels)
    steps = np.diff(sorted(pixels))
    assert steps.min() > 0.3
    if apart:
        assert steps[:4] == pytest.approx([apart] * 4)
        # the mark of the size is in their middle
        middle = 520 * (math.log2(sizes[0]) - low) / (high - low)
        assert middle == pytest.approx(sorted(pixels)[2])


def test_texts_double_and_each_size_has_a_tick(texts_of: Texts) -> None:
    x = layers(tradeoff_chart(ROWS))["line"]["encoding"]["x"]
    assert (x["scale"]["type"], x["scale"]["base"]) == ("log", 2)
    assert x["axis"]["values"] == [100, 200]
    sizes = [100, 200, 400, 1900, 2000]
    texts = [
        text.text for text in texts_of(tradeoff_chart([TradeoffRow("m", n, 0.5) for n in sizes]))
    ]
    # 1,900 has no room beside 2,000
    assert {"100", "200", "400", "2,000"} <= set(texts)
    assert "1,900" not in texts


def test_labels_stand_at_the_ends_and_not_on_each_other(texts_of: Texts) -> None:
    many = [TradeoffRow(f"m{number}", n, 0.7) for number in range(7) for n in (100, 200)]
    texts = texts_of(tradeoff_chart(many, published={"m0": 0.71, "unknown": 0.2}))
    ends = [text for text in texts if text.text.startswith("m")]
    assert len(ends) == 8
    assert "m0, published 0.71" in {text.text for text in ends}
    assert np.diff(sorted(text.y for text in ends)).min() >= 12
    [tick] = [text for text in texts if text.text == "200"]
    assert all(text.x > tick.x and text.anchor == "start" for text in ends)


def test_labels_far_from_each_other_stay_at_their_values() -> None:
    given = [TradeoffRow("low", 100, 0.1), TradeoffRow("high", 100, 0.9)]
    labels = layers(tradeoff_chart(given))["labels"]["data"]["values"]
    assert {row["metric"]: row["at"] for row in labels} == pytest.approx({"low": 0.1, "high": 0.9})
    near = layers(tradeoff_chart(ROWS))["labels"]["data"]["values"]
    # around 0.7, where both end: 13 of 320 pixels apart, of an axis from 0.4 to 0.8
    half = 0.5 * 13 / 320 * 0.4
    assert sorted(row["at"] for row in near) == pytest.approx([0.7 - half, 0.7 + half])


def test_published_values_of_drawn_metrics_are_dashed() -> None:
    chart = tradeoff_chart(ROWS, published={"lrp_sum": 0.78, "attention_sum": 0.74})
    rules = layers(chart)["published"]
    assert rules["data"]["values"] == [{"metric": "lrp_sum", "value": 0.78}]
    assert rules["mark"]["strokeDash"] == [4, 3]
    assert chart.to_dict()["title"]["subtitle"] == ["dashed lines are published values"]
    assert tradeoff_chart(ROWS).to_dict()["title"]["subtitle"] == []


def test_more_metrics_than_colours_differ_by_their_dashes() -> None:
    encoding = layers(tradeoff_chart([TradeoffRow(f"m{n}", 10, 0.5) for n in range(8)]))["line"]
    colours = encoding["encoding"]["color"]["scale"]["range"]
    dashes = encoding["encoding"]["strokeDash"]["scale"]["range"]
    assert len({(a, tuple(b)) for a, b in zip(colours, dashes, strict=True)}) == 8


@pytest.mark.parametrize("value", [0.0, -1.0, 0.5])
def test_a_single_point_is_drawn(texts_of: Texts, value: float) -> None:
    texts = [text.text for text in texts_of(tradeoff_chart([TradeoffRow("<b>", 1, value)]))]
    assert any(text.startswith("<b> ") for text in texts)


def test_a_gap_is_no_end() -> None:
    gap = [*ROWS[:2], TradeoffRow("lrp_sum", 400, math.nan)]
    [label] = layers(tradeoff_chart(gap))["labels"]["data"]["values"]
    assert label["text"] == "lrp_sum 0.70"


def test_what_cannot_be_drawn_is_refused_in_a_line() -> None:
    for nothing in ([], [TradeoffRow("npmi", 10, math.nan)]):
        with pytest.raises(InputError, match=r"^there is no curve to draw"):
            tradeoff_chart(nothing)
    with pytest.raises(InputError, match=r"^npmi: a number of texts must be positive$"):
        tradeoff_chart([TradeoffRow("npmi", 0, 0.5)])


# ---------------------------------------------------------------------- from judgments


def points_of(task: str, counts: tuple[int, int] = (8, 8)) -> list[TradeoffPoint]:
    return [
        TradeoffPoint(
            dataset="",
            task=task,
            by="model",
            metric="lrp_sum",
            coefficient="spearman",
            texts=size,
            value=value,
            low=value - 0.1,
            high=value + 0.1,
            n=n,
            draws=20,
        )
        for size, value, n in ((25, 0.4, counts[0]), (50, 0.6, counts[1]))
    ]


def test_a_curve_says_what_it_rests_on() -> None:
    plan = CorrelationPlan(by="model", coefficients=("spearman",), level=0.9)
    chart = curve_chart(Tradeoff(points_of("rating", (5, 8)), texts=50, plan=plan)).to_dict()
    assert chart["title"]["text"] == "Agreement with people against texts used · rating"
    assert chart["title"]["subtitle"] == [
        "lines are means over 20 random subsets of the 50 texts; whiskers hold 90 % of the "
        "subsets and do not say how sure the coefficient is",
        "the models are not the same for all sizes: from few texts some have no value (5 to 8 "
        "have one)",
    ]
    same = curve_chart(Tradeoff(points_of("rating"), texts=50, plan=plan)).to_dict()
    assert same["title"]["subtitle"][0] == "8 models"
    assert "not the same" not in str(same["title"])
    assert "Spearman, model by model" in str(chart)


def test_tasks_have_a_curve_each() -> None:
    plan = CorrelationPlan(by="model", coefficients=("spearman",))
    found = Tradeoff([*points_of("rating"), *points_of("intrusion")], texts=50, plan=plan)
    chart = curve_chart(found).to_dict()
    assert [panel["title"]["text"].split(" · ")[1] for panel in chart["vconcat"]] == [
        "rating",
        "intrusion",
    ]


def test_a_task_without_any_value_is_left_out() -> None:
    plan = CorrelationPlan(by="model", coefficients=("spearman",))
    nothing = TradeoffPoint(
        dataset="", task="naming", by="model", metric="lrp_sum", coefficient="spearman", texts=25
    )
    found = Tradeoff([nothing, *points_of("rating")], texts=50, plan=plan)
    assert curve_chart(found).to_dict()["title"]["text"].endswith("rating")
    assert math.isnan(nothing.value)
    with pytest.raises(InputError, match="no metric has a value"):
        curve_chart(Tradeoff([nothing], texts=50, plan=plan))
