"""The charts of separation and of curves, from results of judgments."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.judgments import Correlations, Tradeoff, separation
from tealeaves.judgments.correlation.matching import MatchedScores
from tealeaves.judgments.correlation.plan import CorrelationPlan
from tealeaves.judgments.correlation.tradeoff import TradeoffPoint
from tealeaves.judgments.judgments import TopicKey
from tealeaves.report.charts import curve_chart, separated_chart

pytest.importorskip("altair")

HUMAN = np.array([1.0, 1, 2, 3, 3, 4, 5, 5, 5])


def part_of(task: str, human: Any = HUMAN, by: str = "topic") -> MatchedScores:
    keys = [TopicKey("", "lda", str(number)) for number in range(len(human))]
    values = np.array([1.0, 4, 2, 3, 5, 4, 7, 3, 9])
    scores = {"up": values, "down": -values, "gap": np.where(values > 8, np.nan, values)}
    words: list[tuple[str, ...]] = [("cat", "dog")] * len(human)
    return MatchedScores("", task, by, keys, np.asarray(human), scores, words)


def correlations(*parts: MatchedScores, **plan: Any) -> Correlations:
    return Correlations(
        [], parts=list(parts), better={"down": "lower"}, plan=CorrelationPlan(**plan)
    )


def panels(chart: Any) -> list[Any]:
    return [
        panel for block in chart.to_dict(validate=False)["vconcat"] for panel in block["concat"]
    ]


def test_a_block_for_each_task_and_a_panel_for_each_metric() -> None:
    chart = separated_chart(
        separation(correlations(part_of("rating"), part_of("intrusion"), draws=100))
    )
    blocks = chart.to_dict()["vconcat"]
    assert [block["title"]["text"] for block in blocks] == ["rating", "intrusion"]
    titles = {panel["title"]["text"][0]: panel["title"]["subtitle"] for panel in panels(chart)}
    # thirds: 5, 5, 5 have 7, 3, 9; 1, 1, 2 have 1, 4, 2: 8 of 9 pairs
    assert titles["up"].startswith("AUC 0.89 [")
    assert titles["down ↓"].startswith("AUC 0.89 [")
    assert titles["gap"].endswith("n = 2 + 3, 1 without a value")
    said = blocks[0]["title"]["subtitle"]
    assert said[0].startswith("high: 5 or more by people; low: 2 or less (upper and lower thirds")
    assert "↓: lower is better, and AUC is turned so" in said


def test_only_the_two_groups_are_drawn() -> None:
    chart = separated_chart(separation(correlations(part_of("rating"), draws=0))).to_dict()
    points = chart["vconcat"][0]["concat"][0]["layer"][0]["data"]
    rows = chart["datasets"][points["name"]] if "name" in points else points["values"]
    assert [row["group"] for row in rows].count("high") == 3
    assert {row["human"] for row in rows} == {1.0, 2.0, 5.0}
    assert rows[0]["topic"].startswith("lda ")
    assert "interval" not in str(chart["vconcat"][0]["title"])


def test_halves_and_models_are_said() -> None:
    found = correlations(part_of("rating", by="model"), draws=0, by="model")
    chart = separated_chart(separation(found, "halves")).to_dict()
    assert "separate models that" in chart["title"]["text"]
    assert "halves" in chart["vconcat"][0]["title"]["subtitle"][0]


def test_people_who_find_all_alike_are_left_out() -> None:
    same = part_of("same", human=np.ones(9))
    chart = separated_chart(separation(correlations(same, part_of("rating"), draws=0)))
    assert [block["title"]["text"] for block in chart.to_dict()["vconcat"]] == ["rating"]
    with pytest.raises(InputError, match="people's scores are constant"):
        separated_chart(separation(correlations(same, draws=0)))


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
        "line: the mean over 20 random subsets of the 50 texts; whiskers: 90 % of the subsets, "
        "not how sure the coefficient is",
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
