"""The chart of heads: numbers, outlines and colours of its two maps."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from tealeaves.errors import InputError
from tealeaves.evidence.attention.heads import HeadsTable
from tealeaves.report.charts import heads_chart

pytestmark = pytest.mark.usefixtures("inline_rows")
Texts = Callable[[Any], list[Any]]


def panels(chart: Any) -> list[Any]:
    return list(chart.to_dict()["hconcat"])


def head(layer: int, number: int, confidence: float, importance: float, **more: Any) -> Any:
    chosen = {"confident": False, "important": False}
    return {"layer": layer, "head": number, "confidence": confidence, "importance": importance,
            **chosen, **more}  # fmt: skip


HEADS = [
    head(0, 0, 0.25, 0.25),
    head(0, 1, 0.5, 0.75, confident=True, important=True),
    head(1, 0, 0.8, -1.5, confident=True),
    head(1, 1, 0.1, 2.5, important=True),
]


def test_numbers_of_heads_are_in_their_cells(texts_of: Texts) -> None:
    confidence, importance = panels(heads_chart(HeadsTable(HEADS)))
    for panel, field in ((confidence, "confidence"), (importance, "importance")):
        rows = panel["layer"][0]["data"]["values"]
        assert [(row["layer"], row["head"], row[field]) for row in rows] == [
            (row["layer"], row["head"], row[field]) for row in HEADS
        ]
        assert panel["layer"][0]["encoding"]["color"]["field"] == field
    texts = [text.text for text in texts_of(heads_chart(HeadsTable(HEADS)))]
    assert {"0.25", "0.50", "0.75", "0.80", "0.10", "−1.50", "2.50"} <= set(texts)


def test_chosen_heads_are_outlined() -> None:
    outlined = [
        [(row["layer"], row["head"]) for row in panel["layer"][1]["data"]["values"]]
        for panel in panels(heads_chart(HeadsTable(HEADS)))
    ]
    assert outlined == [[(0, 1), (1, 0)], [(0, 1), (1, 1)]]


def test_importance_is_white_at_a_uniform_share() -> None:
    confidence, importance = panels(heads_chart(HeadsTable(HEADS)))
    low, middle, high = importance["layer"][0]["encoding"]["color"]["scale"]["domain"]
    assert middle == 0.5  # two heads
    # distances 0.25, 0.25, 2, 2: their 95 % quantile is 2
    assert (low, high) == (-1.5, 2.5)
    assert confidence["layer"][0]["encoding"]["color"]["scale"]["domain"] == [0, 0.8]


def test_a_huge_share_does_not_pale_the_others() -> None:
    rows = [head(layer, number, 0.5, 0.5) for layer in range(20) for number in range(2)]
    rows = [row | {"importance": 0.4 + 0.2 * row["head"]} for row in rows]
    rows[0]["importance"] = -1e6
    _, panel = panels(heads_chart(HeadsTable(rows)))
    domain = panel["layer"][0]["encoding"]["color"]["scale"]["domain"]
    assert domain == pytest.approx([0.4, 0.5, 0.6])
    assert any("1 of 40 heads lie beyond" in line for line in panel["title"]["subtitle"])


@pytest.mark.parametrize("value", [0.0, math.nan])
def test_heads_without_anything_are_drawn(texts_of: Texts, value: float) -> None:
    texts = [text.text for text in texts_of(heads_chart(HeadsTable([head(0, 0, value, value)])))]
    assert texts.count("0.00" if value == 0 else "–") >= 2


def test_no_heads_are_refused() -> None:
    with pytest.raises(InputError, match=r"^there are no heads to draw$"):
        heads_chart(HeadsTable([]))
