"""The chart of metrics against each other, as the dictionary that draws it."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.metrics.agreement import MetricAgreement, MetricPair, metric_agreement
from tealeaves.metrics.scores import Score, Scores
from tealeaves.report.charts import metric_agreement_chart

pytestmark = pytest.mark.usefixtures("inline_rows")


def pairs(values: dict[tuple[str, str], float], **more: Any) -> MetricAgreement:
    names = list(dict.fromkeys(itertools.chain(*values)))
    rows = [
        MetricPair(a, b, "topics", "spearman", value, 40 + place)
        for place, ((a, b), value) in enumerate(values.items())
    ]
    return MetricAgreement(rows, names, **more)


SOME = pairs(
    {("a", "b"): -0.5, ("a", "c"): 0.95, ("a", "d"): 0.1, ("b", "c"): -0.4, ("b", "d"): 0.3,
     ("c", "d"): math.nan}
)  # fmt: skip


def cells(chart: Any) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["row"], row["column"]): row for row in chart.to_dict()["data"]["values"]}


def test_each_two_metrics_have_their_number() -> None:
    found = cells(metric_agreement_chart(SOME))
    assert len(found) == 4 * 3  # a metric with itself says nothing
    for row in SOME.rows:
        for pair in ((row.metric_a, row.metric_b), (row.metric_b, row.metric_a)):
            value = found[pair]["value"]
            assert value is None if math.isnan(row.value) else value == row.value
            assert (found[pair]["n"], found[pair]["over"]) == (row.n, "topics")
    assert (found["a", "b"]["text"], found["c", "d"]["text"]) == ("−0.50", "–")


def test_metrics_that_agree_stand_beside_each_other() -> None:
    squares, numbers = metric_agreement_chart(SOME).to_dict()["layer"]
    order = squares["encoding"]["x"]["scale"]["domain"]
    assert (
        order
        == squares["encoding"]["y"]["scale"]["domain"]
        == numbers["encoding"]["x"]["scale"]["domain"]
    )
    assert abs(order.index("a") - order.index("c")) == 1
    assert abs(order.index("b") - order.index("d")) == 1
    assert sorted(order) == ["a", "b", "c", "d"]


def linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    size = (len(colour) - 1) // 3
    parts = [colour[1 + size * n : 1 + size * (n + 1)] * (3 - size) for n in range(3)]
    r, g, b = (linear(int(part, 16) / 255) for part in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def test_numbers_can_be_read_on_every_colour() -> None:
    grid = np.linspace(-1, 1, 81)
    given = pairs({("a", f"b{place}"): float(value) for place, value in enumerate(grid)})
    # all pairs must be there
    names = [f"b{place}" for place in range(81)]
    given.rows += [
        MetricPair(a, b, "topics", "spearman", 0.0, 9) for a, b in itertools.combinations(names, 2)
    ]
    content = metric_agreement_chart(given).to_dict(validate=False)
    squares, numbers = content["layer"]
    ends = squares["encoding"]["color"]["scale"]["range"]
    strong = numbers["encoding"]["color"]["condition"]["value"]
    other = numbers["encoding"]["color"]["value"]
    assert {strong, other}.isdisjoint({"#222", "#555", "white"})  # which a dark page turns around
    for row in content["data"]["values"]:
        cell = mixed(ends, row["value"])
        text = luminance(strong if row["strong"] else other)
        low, high = sorted((luminance(cell), text))
        assert (high + 0.05) / (low + 0.05) >= 4.5, row["value"]


def mixed(ends: list[str], value: float) -> str:
    end = ends[2] if value > 0 else ends[0]
    parts = [(int(ends[1][n : n + 2], 16), int(end[n : n + 2], 16)) for n in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * abs(value)):02x}" for a, b in parts)


def test_it_says_what_it_rests_on() -> None:
    rows = [
        Score(f"m{model}", topic, metric, float(model * topic), 1.0, "s")
        for metric, model in itertools.product(("up", "down"), range(5))
        for topic in range(4)
    ]
    rows += [
        Score(f"m{model}", None, metric, float(model), 1.0, "s")
        for metric, model in itertools.product(("up", "down", "whole"), range(5))
    ]
    given = Scores(rows, better={"up": "higher", "down": "lower", "whole": "higher"})
    chart = metric_agreement_chart(metric_agreement(given))
    assert chart.to_dict()["title"]["subtitle"] == [
        "numbers are Spearman over 20 topics and 5 models where both have a value",
        "pairs with whole are over models",
        "metrics where lower is better are turned: above 0 two metrics agree",
    ]
    assert cells(chart)["up", "whole"]["over"] == "models"


def test_one_metric_has_no_chart() -> None:
    with pytest.raises(InputError, match="no two metrics to compare"):
        metric_agreement_chart(MetricAgreement([], ["a"]))
