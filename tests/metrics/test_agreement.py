"""Metrics against each other, topic by topic."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from tealeaves.errors import InputError
from tealeaves.metrics.agreement import metric_agreement
from tealeaves.metrics.scores import Score, Scores

NAN = math.nan
BETTER = {"up": "higher", "down": "lower", "more": "higher", "whole": "higher"}


def scores(values: dict[str, list[list[float]]], models: dict[str, list[float]]) -> Scores:
    """Values of topics, model by model, and values of models."""
    rows = [
        Score(f"m{model}", topic, metric, value, 0.0 if math.isnan(value) else 1.0, "s")
        for metric, each in values.items()
        for model, topics in enumerate(each)
        for topic, value in enumerate(topics)
    ]
    rows += [
        Score(f"m{model}", None, metric, value, 1.0, "s")
        for metric, each in models.items()
        for model, value in enumerate(each)
    ]
    return Scores(rows, better=BETTER)


SMALL = scores(
    {"up": [[1, 2], [3, 4, 9]], "down": [[1, 3], [2, 4, NAN]], "more": [[5, 5], [5, 5, 5]]}, {}
)


def test_by_hand() -> None:
    # over the four topics that both have, ranks 1 2 3 4 and 1 3 2 4: ρ = 1 − 6·2/(4·15) = .8;
    # less of "down" is better, so the two disagree
    agreement = metric_agreement(SMALL)
    pair = agreement.pair("up", "down")
    assert pair.value == pytest.approx(-0.8)
    assert (pair.n, pair.over) == (4, "topics")
    assert agreement.value("down", "up") == pair.value
    # what is constant has no coefficient, but a number of topics
    pair = agreement.pair("up", "more")
    assert math.isnan(pair.value)
    assert pair.n == 5


@pytest.mark.parametrize(
    ("name", "oracle"),
    [("spearman", stats.spearmanr), ("pearson", stats.pearsonr), ("kendall", stats.kendalltau)],
)
def test_coefficients_are_those_of_scipy(name: str, oracle: object) -> None:
    rng = np.random.default_rng(0)
    values = {metric: rng.random((3, 20)).round(1) for metric in ("up", "down", "more")}
    values["up"][0, :4] = values["down"][2, 3:9] = NAN
    agreement = metric_agreement(
        scores({metric: each.tolist() for metric, each in values.items()}, {}), coefficient=name
    )
    sign = {"up": 1, "down": -1, "more": 1}
    for a, b in itertools.combinations(values, 2):
        x, y = sign[a] * values[a].ravel(), sign[b] * values[b].ravel()
        both = np.isfinite(x) & np.isfinite(y)
        pair = agreement.pair(a, b)
        assert callable(oracle)
        assert pair.value == pytest.approx(oracle(x[both], y[both]).statistic)
        assert pair.n == both.sum()


def test_topics_of_models_that_lack_a_metric_do_not_count() -> None:
    agreement = metric_agreement(scores({"up": [[1, 2, 3, 4], [1, 2]], "more": [[1, 2, 3, 5]]}, {}))
    assert agreement.value("up", "more") == pytest.approx(1)
    assert agreement.pair("up", "more").n == 4


def test_too_few_topics_are_undefined() -> None:
    agreement = metric_agreement(scores({"up": [[1, 2, 3]], "more": [[1, 2, 3]]}, {}))
    assert math.isnan(agreement.value("up", "more"))
    assert agreement.pair("up", "more").n == 3
    assert "–" in str(agreement)


def test_few_models_leave_out_metrics_of_whole_models() -> None:
    given = scores({"up": [[1, 2]] * 4, "more": [[1, 2]] * 4}, {"whole": [1, 2, 3, 4]})
    agreement = metric_agreement(given)
    assert agreement.metrics == ["up", "more"]
    assert len(agreement.rows) == 1
    [note] = agreement.notes
    assert note.startswith("left out: whole, which judge whole models: 4 models, fewer than 5")


def test_five_models_are_enough() -> None:
    by_topic: dict[str, list[list[float]]] = {"up": [[1, 2, 3, 4]] * 5, "down": [[1, 2, 3, 4]] * 5}
    models: dict[str, list[float]] = {
        "up": [1, 2, 3, 4, 5],
        "down": [1, 2, 3, 5, 4],
        "whole": [1, 2, 3, 4, 5.5],
    }
    agreement = metric_agreement(scores(by_topic, models))
    assert agreement.of_models == ["whole"]
    assert [(row.metric_a, row.metric_b, row.over, row.n) for row in agreement.rows] == [
        ("up", "down", "topics", 20), ("up", "whole", "models", 5), ("down", "whole", "models", 5),
    ]  # fmt: skip
    # ranks 1 2 3 5 4: ρ = 1 − 6·2/(5·24) = .9, and less of "down" is better
    assert [row.value for row in agreement.rows] == pytest.approx([-1, 1, -0.9])
    assert not agreement.notes


def test_exports() -> None:
    agreement = metric_agreement(SMALL)
    header, _, constant, _ = agreement.to_csv().splitlines()
    assert header == "metric_a,metric_b,over,coefficient,value,n"
    assert constant == "up,more,topics,spearman,,5"
    assert "| up | down | -0.800 | 4 | topics |" in agreement.to_markdown()
    assert "<td>-0.800</td>" in agreement.to_html()
    assert "above 0 two metrics agree" in str(agreement)
    assert agreement.to_polars().height == 3


def test_unknown_coefficients_and_metrics_are_refused() -> None:
    with pytest.raises(InputError, match="unknown coefficient spearmann; did you mean spearman"):
        metric_agreement(SMALL, coefficient="spearmann")
    with pytest.raises(
        InputError, match="up and none are not compared; the metrics are up, down, more"
    ):
        metric_agreement(SMALL).value("up", "none")
    assert metric_agreement(Scores([])).rows == []
    assert str(metric_agreement(Scores([])))


def test_metrics_that_agree_are_beside_each_other() -> None:
    # a and c rise together, b and d fall together
    up, down = [1.0, 2, 3, 4, 5], [5.0, 4, 3, 2, 1]
    values = {"a": [up], "b": [down], "c": [up], "d": [down]}
    order = metric_agreement(scores(values, {})).order
    assert sorted(order) == ["a", "b", "c", "d"]
    assert abs(order.index("a") - order.index("c")) == 1
    assert abs(order.index("b") - order.index("d")) == 1
