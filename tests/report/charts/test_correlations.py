"""The charts of correlations with people, as the dictionaries that draw them."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tealeaves.errors import InputError
from tealeaves.judgments import Judgments, correlate
from tealeaves.judgments.correlation.correlation import metric_matrices
from tealeaves.judgments.correlation.matching import MatchedScores
from tealeaves.judgments.correlation.plan import CorrelationPlan
from tealeaves.judgments.correlation.result import Correlation, Correlations
from tealeaves.judgments.judgments import TopicKey
from tealeaves.report.charts import (
    correlation_charts,
    forest_chart,
    heat_map,
    scatter_chart,
)
from tealeaves.report.charts.task_correlations import drawn_tasks
from tealeaves.statistics.regression import fitted_line

pytestmark = pytest.mark.usefixtures("inline_rows")

PART = ("nyt", "rating", "")
VALUES = {"npmi": 0.5, "umass": -0.7, "c_v": 0.3}
BETTER = {"npmi": "higher", "umass": "lower", "c_v": "higher"}


def correlation(
    metric: str, value: float, coefficient: str = "pearson", **more: Any
) -> Correlation:
    dataset, task, model = more.pop("part", PART)
    given = {
        "low": value - 0.1, "high": value + 0.1, "n": 40, "clusters": 40, "draws": 2000, "p": 0.01,
        "ceiling": 0.6,
    }  # fmt: skip
    return Correlation(
        dataset=dataset, task=task, model=model, by=more.pop("by", "topic"), metric=metric,
        coefficient=coefficient, value=value, **given | more,
    )  # fmt: skip


def matched(
    n: int = 40, part: tuple[str, str, str] = PART, names: Sequence[str] = ()
) -> MatchedScores:
    rng = np.random.default_rng(1)
    human = rng.normal(2, 0.5, n).round(1)
    dataset, task, model = part
    names = names or list(VALUES)
    scores = {name: VALUES.get(name, 0.5) * human + rng.normal(0, 0.3, n) for name in names}
    keys = [TopicKey(dataset, f"lda{i % 3}", str(i)) for i in range(n)]
    words: list[tuple[str, ...]] = [("apple", f"w{i}") for i in range(n)]
    points = MatchedScores(dataset, task, "topic", keys, human, scores, words, model=model)
    return points.with_lines(0.95)


def correlations(
    rows: Sequence[Correlation] | None = None,
    parts: Sequence[MatchedScores] | None = None,
    **plan: Any,
) -> Correlations:
    if rows is None:
        rows = [correlation(name, value) for name, value in VALUES.items()]
    used = [matched()] if parts is None else list(parts)
    return Correlations(
        list(rows),
        matrices=metric_matrices(rows, used, BETTER),
        parts=used,
        better=BETTER,
        plan=CorrelationPlan(**plan),
    )


def every(content: Any, key: str) -> Iterator[Any]:
    """Yield what is stored under a key, at any depth."""
    if isinstance(content, dict):
        for name, value in content.items():
            if name == key:
                yield value
            yield from every(value, key)
    elif isinstance(content, list):
        for value in content:
            yield from every(value, key)


def layers(chart: Any, panel: int = 0) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = chart.to_dict()["vconcat"][panel]["layer"]
    return found


def points(chart: Any, panel: int = 0) -> dict[str, Any]:
    """Return the layer of points of a forest."""
    [found] = [one for one in layers(chart, panel) if "fill" in one["encoding"]]
    return found


def texts(chart: Any) -> str:
    return " | ".join(str(text) for text in every(chart.to_dict(validate=False), "subtitle"))


# ---------------------------------------------------------------------- forest


def test_the_metric_that_agrees_best_is_on_top_and_keeps_its_sign() -> None:
    drawn = points(forest_chart(correlations()))
    # −.7 of a metric where lower is better agrees better than .5
    assert drawn["encoding"]["y"]["scale"]["domain"] == ["umass ↓", "npmi", "c_v"]
    rows = {row["label"]: row for row in drawn["data"]["values"]}
    assert rows["umass ↓"]["value"] == -0.7
    assert (rows["npmi"]["low"], rows["npmi"]["high"]) == (0.4, 0.6)
    assert rows["npmi"]["n"] == 40
    assert "n" in [one["field"] for one in drawn["encoding"]["tooltip"]]


def test_coefficients_stand_side_by_side_in_colours() -> None:
    rows = [
        correlation("npmi", 0.1 * place, name)
        for place, name in enumerate(["spearman", "pearson", "phik"], 1)
    ]
    encoding = points(forest_chart(correlations(rows)))["encoding"]
    names = ["Spearman", "Pearson", "phi_K"]
    assert encoding["yOffset"] == {"field": "series", "sort": names, "type": "nominal"}
    assert encoding["stroke"]["scale"]["domain"] == names
    assert len(set(encoding["stroke"]["scale"]["range"])) == 3
    assert encoding["stroke"]["scale"] == encoding["fill"]["scale"]


def test_partial_correlations_are_hollow_and_named() -> None:
    rows = [correlation("npmi", 0.5), correlation("npmi", 0.2, control="c_v")]
    chart = forest_chart(correlations(rows, control="c_v"))
    encoding = points(chart)["encoding"]
    assert encoding["fill"]["scale"]["domain"] == ["Pearson", "Pearson given c_v"]
    stroke, fill = encoding["stroke"]["scale"]["range"], encoding["fill"]["scale"]["range"]
    assert stroke[0] == stroke[1] == fill[0]
    assert fill[1] == "white"
    assert "hollow points hold c_v constant" in texts(chart)


def rules(chart: Any) -> list[list[float]]:
    """Return where the dashed lines of the first panel are."""
    return [
        [row["value"] for row in one["data"]["values"]]
        for one in layers(chart)
        if "strokeDash" in one["mark"]
    ]


def test_the_ceiling_is_dashed_on_the_side_of_each_metric() -> None:
    chart = forest_chart(correlations())
    assert rules(chart) == [[0.6, -0.6]]
    labels = [one["encoding"]["text"] for one in layers(chart) if "text" in one["encoding"]]
    assert {"value": "one person and the others: 0.60 (Pearson)"} in labels
    higher = correlations([correlation("npmi", 0.5)])
    assert rules(forest_chart(higher)) == [[0.6]]
    unknown = correlations([correlation("npmi", 0.5, ceiling=math.nan)])
    assert rules(forest_chart(unknown)) == []


def test_the_axis_holds_zero_all_intervals_and_the_ceiling_in_all_panels() -> None:
    other = ("wiki", "rating", "")
    rows = [correlation("npmi", 0.5), correlation("npmi", -0.25, part=other)]
    chart = forest_chart(correlations(rows))
    domains = [points(chart, panel)["encoding"]["x"]["scale"]["domain"] for panel in (0, 1)]
    assert domains == [[-0.4, 0.6], [-0.4, 0.6]]


def test_panels_say_what_they_rest_on() -> None:
    rows = [
        correlation("npmi", 0.5, n=1200, clusters=1000, dropped=3),
        correlation("npmi", 0.4, "kendall", n=1200, clusters=1000, dropped=3, draws=500),
    ]
    assert forest_chart(correlations(rows)).to_dict()["vconcat"][0]["title"]["subtitle"] == [
        "1,200 topics in 1,000 clusters of near-identical ones (3 without a value dropped)",
        "95 % intervals are from a bootstrap of 2,000 draws (Kendall 500)",
    ]


def test_there_is_a_panel_for_each_data_set_task_and_model() -> None:
    parts = [*itertools.product(["nyt", "wiki"], ["rating", "intrusion"], [""]), ("a", "b", "lda")]
    rows = [correlation("npmi", 0.5, part=part) for part in parts]
    content = forest_chart(correlations(rows)).to_dict()
    assert [panel["title"]["text"] for panel in content["vconcat"]] == [
        "nyt · rating", "nyt · intrusion", "wiki · rating", "wiki · intrusion", "a · b · lda",
    ]  # fmt: skip


def nothing() -> Correlations:
    """Three models: no coefficient has a value."""
    nan = math.nan
    rows = [
        correlation(
            metric, nan, name, low=nan, high=nan, p=nan, n=3, clusters=3, draws=0, ceiling=nan,
            by="model", remark="fewer than 4 models",
        )
        for name in ("pearson", "spearman")
        for metric in ("npmi", "c_v")
    ]  # fmt: skip
    return correlations(rows, [matched(3, names=["npmi", "c_v"])], by="model")


def test_where_there_is_no_value_the_reason_is_written() -> None:
    chart = forest_chart(nothing())
    assert points(chart)["data"]["values"] == []
    [remarks] = [one for one in layers(chart) if one["encoding"].get("text", {}).get("field")]
    assert remarks["data"]["values"] == [
        {"label": "npmi", "remark": "no value: fewer than 4 models"},
        {"label": "c_v", "remark": "no value: fewer than 4 models"},
    ]
    assert points(chart)["encoding"]["x"]["scale"]["domain"] == [-1, 1]
    assert "no metric has a value: fewer than 4 models" in json.dumps(
        scatter_chart(nothing()).to_dict()
    )
    assert "3 models: fewer than 4 have no coefficient" in texts(heat_map(nothing()))


def test_phi_k_shows_its_p_and_bins_and_has_no_sign() -> None:
    rows = [correlation("umass", 0.7, "phik", bins=10), correlation("npmi", 0.2, "phik", bins=10)]
    chart = forest_chart(correlations(rows))
    shown = [row["text"] for one in layers(chart) for row in one["data"]["values"] if "text" in row]
    assert shown == ["p = 0.01", "p = 0.01"]
    assert "phi_K has 10 bins, with noise correction" in texts(chart)
    assert points(chart)["encoding"]["y"]["scale"]["domain"] == ["umass ↓", "npmi"]
    assert rules(chart) == [[0.6]]
    said = texts(scatter_chart(correlations(rows)))
    assert "phi_K 0.70 [0.60, 0.80], p = 0.01, n = 40" in said
    assert "phi_K has 10 bins" in said


# ---------------------------------------------------------------------- scatter


def test_the_best_metrics_are_drawn() -> None:
    chart = scatter_chart(correlations(), most=2)
    panels = chart.to_dict()["vconcat"][0]["concat"]
    assert [panel["title"]["text"] for panel in panels] == [["umass ↓"], ["npmi"]]
    assert panels[0]["title"]["subtitle"] == "Pearson −0.70 [−0.80, −0.60], n = 40"
    assert "the best 2 of 3 metrics" in texts(chart)


def test_topics_are_points_with_their_words() -> None:
    found = correlations()
    panel = scatter_chart(found).to_dict()["vconcat"][0]["concat"][1]
    cloud, band, line = panel["layer"]
    [part] = found.parts
    first = {
        "x": part.scores["npmi"][0], "y": part.human[0], "model": "lda0", "topic": "0",
        "words": "apple w0",
    }  # fmt: skip
    assert cloud["data"]["values"][0] == first
    assert len(cloud["data"]["values"]) == 40
    fields = [one["field"] for one in cloud["encoding"]["tooltip"]]
    assert fields == ["model", "topic", "words", "x", "y"]
    assert (band["mark"]["type"], line["mark"]["type"]) == ("area", "line")
    expected = fitted_line(part.scores["npmi"], part.human)
    assert expected is not None
    assert [row["low"] for row in band["data"]["values"]] == pytest.approx(list(expected.low))


def test_many_points_are_sampled_and_that_is_said() -> None:
    part = matched(1600).with_points(7)
    rows = [correlation("npmi", 0.5, n=1600, clusters=1600)]
    chart = scatter_chart(correlations(rows, [part]))
    content = chart.to_dict(validate=False)
    cloud, band, _ = content["vconcat"][0]["concat"][0]["layer"]
    topics = [int(row["topic"]) for row in cloud["data"]["values"]]
    sample = np.random.default_rng(7).choice(np.arange(1600), 1500, replace=False)
    assert topics == sorted(sample)
    assert "panels show at most 1,500 random points" in texts(chart)
    assert scatter_chart(correlations(rows, [part])).to_dict(validate=False) == content
    # the line is of all
    line = fitted_line(part.scores["npmi"], part.human)
    assert line is not None
    assert band["data"]["values"][0]["y"] == pytest.approx(line.y[0])
    assert "at random" not in texts(scatter_chart(correlations()))


def test_topics_without_a_value_are_no_points() -> None:
    part = matched()
    part.scores["npmi"][:5] = np.nan
    chart = scatter_chart(correlations([correlation("npmi", 0.5, n=35)], [part]))
    cloud = chart.to_dict()["vconcat"][0]["concat"][0]["layer"][0]
    assert len(cloud["data"]["values"]) == 35
    json.dumps(chart.to_dict(validate=False), allow_nan=False)


# ---------------------------------------------------------------------- heat map


@pytest.mark.parametrize(
    ("name", "oracle"),
    [("pearson", stats.pearsonr), ("spearman", stats.spearmanr), ("kendall", stats.kendalltau)],
)
def test_pairs_are_compared_where_both_have_a_value(name: str, oracle: Any) -> None:
    part = matched()
    part.scores["npmi"][:5] = np.nan
    part.scores["c_v"][3:9] = np.nan
    metrics = ["c_v", "npmi", "umass"]
    rows = [
        correlation(metric, value, name) for metric, value in zip(metrics, (3, 2, 1), strict=True)
    ]
    [found] = metric_matrices(rows, [part], {})
    assert (found.coefficient, found.metrics) == (name, metrics)
    columns = [part.human, *(part.scores[metric] for metric in metrics)]
    for i, j in itertools.product(range(4), range(4)):
        both = np.isfinite(columns[i]) & np.isfinite(columns[j])
        assert found.n[i, j] == both.sum()
        expected = oracle(columns[i][both], columns[j][both]).statistic
        assert found.values[i, j] == pytest.approx(expected)
    assert found.n[1, 2] == 40 - 9


def cells_of(chart: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = next(every(chart.to_dict(validate=False), "data"))["values"]
    return found


def test_people_come_first_then_the_best() -> None:
    chart = heat_map(correlations())
    cells, numbers = layers(chart)
    order = ["people", "umass ↓", "npmi", "c_v"]
    for side in ("x", "y"):
        assert cells["encoding"][side]["scale"]["domain"] == order
    assert len(cells_of(chart)) == 16
    assert cells_of(chart)[0]["text"] == "1.00"
    assert numbers["encoding"]["text"]["field"] == "text"
    scale = cells["encoding"]["color"]["scale"]
    assert scale["domain"] == [-1, 0, 1]
    assert scale["range"][0] != scale["range"][2]
    assert "40 topics" in texts(chart)


def test_constant_metrics_have_empty_cells() -> None:
    part = matched()
    part.scores["npmi"][:] = 1.0
    chart = heat_map(correlations(parts=[part]))
    [cell] = [one for one in cells_of(chart) if (one["row"], one["column"]) == ("people", "npmi")]
    assert (cell["value"], cell["text"]) == (None, "–")
    json.dumps(chart.to_dict(validate=False), allow_nan=False)


def test_phi_k_of_pairs_is_not_drawn() -> None:
    found = correlations([correlation("npmi", 0.5, "phik"), correlation("npmi", 0.5, "kendall")])
    assert "numbers are Kendall over 40 topics" in texts(heat_map(found))
    assert "numbers are Pearson over 40 topics" in texts(
        heat_map(correlations([correlation("npmi", 0.5, "phik")]))
    )


# ---------------------------------------------------------------------- all


def test_all_three_stand_in_a_block_for_each_part() -> None:
    parts = [PART, ("wiki", "rating", "")]
    rows = [correlation("npmi", 0.5, part=part) for part in parts]
    content = correlation_charts(
        correlations(rows, [matched(part=part, names=["npmi"]) for part in parts])
    ).to_dict()
    assert content["title"]["text"] == "How well metrics agree with people"
    assert [block["title"]["text"] for block in content["vconcat"]] == [
        "nyt · rating",
        "wiki · rating",
    ]
    top, scatter = content["vconcat"][0]["vconcat"]
    forest, heat = top["hconcat"]
    assert [panel["title"]["text"] for panel in (forest, heat, scatter)] == [
        "Coefficients",
        "Metrics with each other",
        "Metrics against people",
    ]
    assert list(every(content["vconcat"], "config")) == []


@pytest.mark.parametrize(
    ("which", "drawn"),
    [("forest", forest_chart), ("scatter", scatter_chart), ("heatmap", heat_map)],
)
def test_one_can_be_had_alone(which: str, drawn: Any) -> None:
    found = correlations()
    same = drawn(found).to_dict(validate=False)
    assert correlation_charts(found, which).to_dict(validate=False) == same


def test_what_cannot_be_drawn_is_said() -> None:
    with pytest.raises(InputError, match=r"no chart heat.*heatmap"):
        correlation_charts(correlations(), "heat")
    with pytest.raises(InputError, match="there are no correlations to draw"):
        correlation_charts(correlations([]))
    for which in ("scatter", "heatmap"):
        with pytest.raises(InputError, match="hold no values of topics"):
            correlation_charts(correlations(parts=[]), which)
    with pytest.raises(InputError, match="give the result of separation"):
        correlation_charts(correlations(), "separation")
    assert len(correlation_charts(correlations(parts=[])).to_dict()["vconcat"][0]["vconcat"]) == 1


def test_equal_metrics_keep_their_order_and_missing_ones_are_last() -> None:
    rows = [correlation("c", math.nan), correlation("b", 0.2), correlation("a", 0.2)]
    [task], _ = drawn_tasks(correlations(rows, []), "")
    assert task.metrics == ["b", "a", "c"]


def test_what_was_correlated_is_what_is_drawn(tmp_path: Path) -> None:
    part = matched(20)
    table = tmp_path / "scores.csv"
    lines = ["model,topic,npmi,c_v"]
    lines += [
        f"{key.model},{key.topic},{npmi!r},{c_v!r}"
        for key, npmi, c_v in zip(
            part.keys, part.scores["npmi"].tolist(), part.scores["c_v"].tolist(), strict=True
        )
    ]
    table.write_text("\n".join(lines))
    people = Judgments.of(
        [
            {"model": key.model, "topic": key.topic, "annotator": "ann", "answer": answer}
            for key, answer in zip(part.keys, part.human.tolist(), strict=True)
        ]
    )
    found = correlate(table, people, draws=100, permutations=19, coefficients=("spearman",))
    drawn = {row["label"]: row["value"] for row in points(forest_chart(found))["data"]["values"]}
    first = [cell for cell in cells_of(heat_map(found)) if cell["row"] == "people"]
    cells = {cell["column"]: cell["value"] for cell in first}
    for metric in ("npmi", "c_v"):
        expected = stats.spearmanr(part.scores[metric], part.human).statistic
        assert drawn[metric] == pytest.approx(expected)
        assert cells[metric] == pytest.approx(expected)
