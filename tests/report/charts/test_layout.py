"""Charts of correlations: their order, their limits, and that nothing lies on anything else."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from tealeaves.judgments.agreement.agreement import Agreement, AgreementRow
from tealeaves.judgments.agreement.careless import Annotator, Careless
from tealeaves.judgments.agreement.measures import ALL
from tealeaves.judgments.correlation.correlation import metric_matrices
from tealeaves.judgments.correlation.matching import MatchedScores
from tealeaves.judgments.correlation.result import Correlation, Correlations
from tealeaves.judgments.judgments import TopicKey
from tealeaves.report.charts import (
    agreement_chart,
    correlation_charts,
    forest_chart,
    heat_map,
    scatter_chart,
)
from tealeaves.report.charts.blocks import panels as panel_block

pytestmark = pytest.mark.usefixtures("inline_rows")
Texts = Callable[[Any], list[Any]]
LOWER = {"perplexity": "lower"}


def row(metric: str, value: float, coefficient: str = "pearson", **more: Any) -> Correlation:
    given: dict[str, Any] = {
        "low": value - 0.1, "high": value + 0.1, "n": 20, "clusters": 20, "draws": 2000, "p": 0.24,
        "dataset": "nyt", "task": "rating", "by": "topic", "bins": 10, "ceiling": 0.6,
    }  # fmt: skip
    return Correlation(metric=metric, coefficient=coefficient, value=value, **given | more)


def found(rows: Sequence[Correlation], n: int = 20) -> Correlations:
    rng = np.random.default_rng(0)
    parts = []
    for model in dict.fromkeys(one.model for one in rows):
        human = rng.normal(2, 0.5, n)
        names = dict.fromkeys(one.metric for one in rows if one.model == model)
        scores = {name: human + rng.normal(0, 1, n) for name in names}
        keys = [TopicKey("nyt", "lda", str(i)) for i in range(n)]
        words: list[tuple[str, ...]] = [("apple",)] * n
        part = MatchedScores("nyt", "rating", "topic", keys, human, scores, words, model=model)
        parts.append(part.with_lines(0.95))
    matrices = metric_matrices(rows, parts, LOWER)
    return Correlations(list(rows), matrices=matrices, parts=parts, better=LOWER)


def subtitles(chart: Any) -> str:
    return str(chart.to_dict(validate=False)["vconcat"][0]["title"]["subtitle"])


# ---------------------------------------------------------------------- order


def test_scatter_plots_have_the_order_of_the_forest() -> None:
    # where lower is better −.5 agrees, and where higher is better −.9 does not
    given = found([row("npmi", 0.3), row("c_v", -0.9), row("perplexity", -0.5)])
    [forest] = [one for one in forest_chart(given).to_dict()["vconcat"][0]["layer"]
                if "fill" in one["encoding"]]  # fmt: skip
    order = ["perplexity ↓", "npmi", "c_v"]
    assert forest["encoding"]["y"]["scale"]["domain"] == order
    panels = scatter_chart(given).to_dict()["vconcat"][0]["concat"]
    assert [panel["title"]["text"] for panel in panels] == [[name] for name in order]


@pytest.mark.parametrize("draw", [correlation_charts, forest_chart, scatter_chart, heat_map])
def test_more_blocks_than_a_page_holds_are_not_drawn_and_that_is_said(
    draw: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert panel_block.MOST_PANELS == 12
    monkeypatch.setattr(panel_block, "MOST_PANELS", 2)
    rows = [row("npmi", 0.3, model=f"m{number}") for number in range(3)]
    content = draw(found(rows)).to_dict(validate=False)
    assert len(content["vconcat"]) == 2
    assert content["title"]["text"].endswith("(the first 2 of 3; the others are left out)")
    whole = draw(found(rows[:2])).to_dict(validate=False)
    assert "left out" not in whole["title"]["text"]


# ---------------------------------------------------------------------- intervals


def test_intervals_of_phi_k_are_of_halves() -> None:
    only = found([row("npmi", 0.3, "phik", draws=200)])
    assert "95 % intervals are from 200 random halves" in subtitles(forest_chart(only))
    assert "brackets hold the 95 % interval (200 random halves)" in subtitles(scatter_chart(only))
    for draw in (forest_chart, scatter_chart):
        assert "bootstrap" not in subtitles(draw(only))
    both = found([row("npmi", 0.3), row("npmi", 0.3, "phik", draws=200)])
    expected = "95 % intervals are from a bootstrap of 2,000 draws and 200 random halves (phi_K)"
    assert expected in subtitles(forest_chart(both))
    assert "brackets hold the 95 % interval (bootstrap of 2,000 draws)" in subtitles(
        scatter_chart(both)
    )


def test_what_is_attainable_is_dotted() -> None:
    def rules(chart: Any) -> list[Any]:
        layers = chart.to_dict()["vconcat"][0]["layer"]
        return [
            (one["mark"]["strokeDash"], [value["value"] for value in one["data"]["values"]])
            for one in layers
            if "strokeDash" in one["mark"]
        ]

    known = [row("npmi", 0.3, attainable=0.9), row("npmi", 0.3, "spearman")]
    assert rules(forest_chart(found(known))) == [([4, 3], [0.6]), ([1, 3], [0.9])]
    assert rules(forest_chart(found([row("npmi", 0.3)]))) == [([4, 3], [0.6])]
    lower = forest_chart(found([row("perplexity", -0.3, attainable=0.9)]))
    assert rules(lower) == [([4, 3], [0.6, -0.6]), ([1, 3], [0.9, -0.9])]


# ---------------------------------------------------------------------- limits


def panel_of(n: int) -> tuple[list[float], list[float], str]:
    """Return the limits of people's axis, those of the band, and the subtitle."""
    chart = scatter_chart(found([row("npmi", 0.3)], n))
    [panel] = chart.to_dict(validate=False)["vconcat"][0]["concat"]
    _, band, line = panel["layer"]
    rows = band["data"]["values"]
    sides = [min(one["low"] for one in rows), max(one["high"] for one in rows)]
    return line["encoding"]["y"]["scale"]["domain"], sides, subtitles(chart)


def test_line_and_band_are_inside_the_panel() -> None:
    (low, high), (bottom, top), said = panel_of(8)
    assert low < bottom < top < high
    assert "cut off" not in said


def test_a_band_too_wide_is_cut_and_that_is_said() -> None:
    (low, high), (bottom, top), said = panel_of(3)
    assert bottom < low or top > high
    assert "wide bands are cut off" in said


# ---------------------------------------------------------------------- places


def test_p_stands_right_of_the_axis_and_on_no_name(texts_of: Texts) -> None:
    # intervals from 0 to 1 leave no room inside
    rows = [row(name, 0.5, "phik", low=0.0, high=1.0, ceiling=math.nan) for name in ("c_v", "npmi")]
    texts = texts_of(forest_chart(found(rows)))
    [end] = [one for one in texts if one.text == "1.0"]
    shown = [one for one in texts if one.text == "p = 0.24"]
    names = {one.text: one for one in texts if one.text in ("c_v", "npmi")}
    assert len(shown) == 2
    assert all(one.x > end.x and one.anchor == "start" for one in shown)
    assert all(one.anchor == "end" and one.x < end.x - 400 for one in names.values())
    # each on the line of its metric
    assert sorted(one.y for one in shown) == pytest.approx(
        sorted(one.y for one in names.values()), abs=2
    )


def test_texts_above_rules_do_not_lie_on_each_other(texts_of: Texts) -> None:
    texts = texts_of(forest_chart(found([row("npmi", 0.3, attainable=0.65)])))
    [one] = [text for text in texts if text.text.startswith("one person and the others: 0.60")]
    [highest] = [text for text in texts if text.text.startswith("highest to be expected: 0.65")]
    assert one.y - highest.y >= 11
    # the subtitle has two lines, 13 pixels from the one to the other
    [subtitle] = [text for text in texts if "95 % intervals" in text.text]
    assert highest.y - subtitle.y >= 13 + 11


@pytest.mark.parametrize("attainable", [math.nan, 0.9])
def test_forest_and_heat_map_begin_at_the_same_height(texts_of: Texts, attainable: float) -> None:
    rows = [row(name, 0.3, attainable=attainable) for name in ("npmi", "perplexity")]
    rows += [row("npmi", 0.3, "phik")]
    texts = {one.text: one for one in texts_of(correlation_charts(found(rows)))}
    forest, heat = texts["Coefficients"], texts["Metrics with each other"]
    assert heat.x > forest.x + 400
    assert heat.y == pytest.approx(forest.y, abs=2)


def test_many_or_long_names_put_the_heat_map_below() -> None:
    def panels(names: Sequence[str]) -> int:
        content = correlation_charts(found([row(name, 0.3) for name in names])).to_dict(
            validate=False
        )
        return len(content["vconcat"][0]["vconcat"])

    assert panels(["npmi", "c_v"]) == 2
    assert panels([f"m{number}" for number in range(14)]) == 3
    assert panels(["npmi(window=10, eps=1e-12, oov=skip)@10"]) == 3


def test_panels_of_agreement_begin_at_the_same_height(texts_of: Texts) -> None:
    measured = AgreementRow("", "rating", "", ALL, "alpha ordinal", 0.5, 0.4, 0.6, 40, "items", "")
    people = [
        Annotator("", "rating", name, 20, 5.0 + place, 3, 2, 3, rest, ())
        for place, (name, rest) in enumerate([("ann", 0.8), ("bob", math.nan)])
    ]
    chart = agreement_chart(Agreement([measured], careless=Careless(people), level="ordinal"))
    texts = {one.text: one for one in texts_of(chart)}
    left, right = texts["Measures of agreement"], texts["Annotators"]
    assert right.x > left.x + 340
    assert right.y == pytest.approx(left.y, abs=2)


def test_places_in_a_line_are_not_shared_with_the_panel_below() -> None:
    # precision has more points in a line: measures would be pressed together
    measures = (("kappa", ""), ("precision", "lda"), ("precision over topics", "lda"))
    rows = [
        AgreementRow("", "t", model, who, measure, 0.5, 0.4, 0.6, 40, "items", "")
        for who in (ALL, "not flagged")
        for measure, model in measures
    ]
    chart = agreement_chart(Agreement(rows, careless=Careless([]), level="ordinal"))
    resolve = chart.to_dict()["vconcat"][0]["hconcat"][0]["resolve"]["scale"]
    assert resolve["yOffset"] == "independent"
