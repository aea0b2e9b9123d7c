"""The chart of estimates, as the dictionary that draws it, and as a file."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tealeaves.errors import InputError, MissingExtraError
from tealeaves.estimator.predictions import Prediction, Predictions
from tealeaves.report.charts import estimates_chart, save_chart
from tealeaves.report.charts.blocks import panels as panel_block

pytestmark = pytest.mark.usefixtures("inline_rows")

UNJUDGED = "Cannot be judged: the reference has no pair of its words."
DOUBT = "Not to be trusted: its words are young."
FINE = "Nothing speaks against the reference."


def topic(number: int, estimate: float, *, half: float = 0.05, **more: Any) -> Prediction:
    given: dict[str, Any] = {
        "model": "pltm", "pivot": "en", "language": "am", "cnpmi": 0.3, "support": 0.75,
        "low": estimate - half, "high": estimate + half, "trusted": True, "reason": FINE,
        "features": "cnpmi mta", "words": ["god king", "ንጉሥ ልጅ"],
    }  # fmt: skip
    return Prediction(topic=number, estimate=estimate, **given | more)


def predictions(*rows: Prediction, level: float = 0.9, top: int | None = 10) -> Predictions:
    return Predictions(list(rows), level=level, top=top)


SOME = predictions(
    topic(1, 0.1),
    topic(2, math.nan, cnpmi=math.nan, support=0.0, trusted=False, reason=UNJUDGED, features=""),
    topic(3, 0.25, cnpmi=-0.05, trusted=False, reason=DOUBT),
    Prediction(model="pltm", pivot="en", language="am", topic=None, cnpmi=0.125, support=0.5,
               estimate=0.175),
)  # fmt: skip


def layers(chart: Any, panel: int = 0) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = chart.to_dict(validate=False)["vconcat"][panel]["layer"]
    return found


def values(layer: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = layer["data"]["values"]
    return found


def drawn(chart: Any, field: str, panel: int = 0) -> dict[str, Any]:
    """Return the layer whose places along the axis are of a field."""
    [found] = [one for one in layers(chart, panel) if one["encoding"]["x"].get("field") == field]
    return found


def remarks(chart: Any) -> list[tuple[str, float]]:
    return [
        (row["remark"], one["encoding"]["x"]["value"])
        for one in layers(chart)
        if one["encoding"].get("text", {}).get("field") == "remark" and "color" in one["mark"]
        for row in values(one)
    ]


def test_topics_stand_by_their_estimates_and_those_without_one_last() -> None:
    chart = estimates_chart(SOME)
    first = layers(chart)[0]
    assert first["encoding"]["text"]["field"] == "topic"
    assert [(row["line"], row["topic"]) for row in values(first)] == [(0, "3"), (1, "1"), (2, "2")]
    assert first["encoding"]["y"]["scale"]["domain"] == [0, 1, 2]
    # the row of the model is no topic
    assert "null" not in {row["topic"] for row in values(first)}


def test_what_is_drawn_is_what_was_given() -> None:
    chart = estimates_chart(SOME)
    points = [(row["topic"], row["estimate"]) for row in values(drawn(chart, "estimate"))]
    assert points == [("3", 0.25), ("1", 0.1)]
    assert drawn(chart, "low")["encoding"]["x2"]["field"] == "high"
    ends = [(row["low"], row["high"]) for row in values(drawn(chart, "low"))]
    assert ends == [pytest.approx((0.2, 0.3)), pytest.approx((0.05, 0.15))]
    hollow = drawn(chart, "cnpmi")
    assert [(row["topic"], row["cnpmi"]) for row in values(hollow)] == [("3", -0.05), ("1", 0.3)]
    assert hollow["mark"]["fill"] == "white"
    assert drawn(chart, "estimate")["mark"]["filled"] is True
    assert "NaN" not in json.dumps(chart.to_dict(validate=False))


@pytest.mark.parametrize("field", ["estimate", "cnpmi"])
def test_topics_not_to_be_trusted_differ_in_colour_and_shape(field: str) -> None:
    layer = drawn(estimates_chart(SOME), field)
    assert [row["trust"] for row in values(layer)] == ["not to be trusted", "can be trusted"]
    for channel in ("color", "shape"):
        encoding = layer["encoding"][channel]
        assert encoding["field"] == "trust"
        scale = encoding["scale"]
        assert scale["domain"] == ["can be trusted", "not to be trusted"]
        assert len(set(scale["range"])) == 2


def test_the_reason_and_the_words_are_in_the_tooltip() -> None:
    layer = drawn(estimates_chart(SOME), "estimate")
    fields = [one["field"] for one in layer["encoding"]["tooltip"]]
    assert {"pivot", "other", "interval", "reason", "features"} <= set(fields)
    first = values(layer)[0]
    assert first["reason"] == DOUBT
    assert (first["pivot"], first["other"]) == ("god king", "ንጉሥ ልጅ")
    assert first["interval"] == "0.200 to 0.300"


def test_a_topic_without_an_estimate_is_listed_as_such() -> None:
    chart = estimates_chart(SOME)
    said = f"no estimate: {UNJUDGED.rstrip('.')}"
    assert [text for text, _ in remarks(chart)] == [said]
    assert (
        "1 without an estimate" in chart.to_dict(validate=False)["vconcat"][0]["title"]["subtitle"]
    )


@pytest.mark.parametrize(("cnpmi", "left"), [(-0.05, False), (0.3, True)])
def test_the_remark_is_where_the_cnpmi_is_not(cnpmi: float, left: bool) -> None:
    # the axis is from −0.1 to 0.3 in both
    bad = topic(2, math.nan, cnpmi=cnpmi, trusted=False, reason=UNJUDGED)
    chart = estimates_chart(predictions(topic(1, 0.1, cnpmi=-0.01), topic(3, 0.25), bad))
    [(text, x)] = remarks(chart)
    assert text == "no estimate"
    assert (x < 180) is left
    assert cnpmi in [row["cnpmi"] for row in values(drawn(chart, "cnpmi"))]


def test_means_of_the_model_are_said() -> None:
    title = estimates_chart(SOME).to_dict(validate=False)["vconcat"][0]["title"]
    assert title["text"] == "pltm · en-am"
    assert title["subtitle"] == (
        "3 topics, 1 of them not to be trusted; 1 without an estimate; "
        "mean estimate 0.175, mean CNPMI 0.125"
    )


def test_each_model_and_pair_has_a_panel_with_the_same_limits() -> None:
    found = predictions(topic(1, 0.1), topic(1, 0.5, language="sv"), topic(1, 0.2, model="b"))
    chart = estimates_chart(found)
    titles = [panel["title"]["text"] for panel in chart.to_dict(validate=False)["vconcat"]]
    assert titles == ["pltm · en-am", "pltm · en-sv", "b · en-am"]
    for panel in range(3):
        scale = drawn(chart, "estimate", panel)["encoding"]["x"]["scale"]
        assert scale["domain"] == [0.0, 0.6]  # 0.5 + 0.05, to the next tenth


def test_more_panels_than_a_page_holds_are_not_drawn_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert panel_block.MOST_PANELS == 12
    monkeypatch.setattr(panel_block, "MOST_PANELS", 2)
    found = predictions(*(topic(1, 0.1, model=f"m{number}") for number in range(3)))
    content = estimates_chart(found).to_dict(validate=False)
    assert len(content["vconcat"]) == 2
    assert content["title"]["text"].endswith("(the first 2 of 3 panels; the others are left out)")


def test_an_interval_without_end_reaches_both_edges_and_that_is_said() -> None:
    chart = estimates_chart(predictions(topic(1, 0.15, half=math.inf)))
    [row] = values(drawn(chart, "low"))
    assert [row["low"], row["high"]] == [0.0, 0.3]  # the limits: the CNPMI is 0.3
    assert row["interval"] == "no end to no end"
    assert "too few languages" in chart.to_dict(validate=False)["title"]["subtitle"][1]
    assert len(estimates_chart(SOME).to_dict(validate=False)["title"]["subtitle"]) == 1


@pytest.mark.parametrize(("top", "said"), [(10, "the first 10 words"), (None, "all words")])
def test_what_was_judged_is_said(top: int | None, said: str) -> None:
    [line] = estimates_chart(predictions(topic(1, 0.1), level=0.8, top=top)).to_dict(
        validate=False
    )["title"]["subtitle"]
    assert "80 % interval" in line
    assert said in line


def test_words_stay_left_of_the_panel(texts_of: Callable[[Any], list[Any]]) -> None:
    long = "antidisestablishmentarianism " * 5
    rows = [topic(n, 0.01 * n, words=[long, long[::-1]]) for n in range(4)]
    texts = texts_of(estimates_chart(predictions(*rows)))
    cut = [one for one in texts if one.text.endswith("…")]
    assert len(cut) == 8
    first, second = sorted({one.x for one in cut})
    assert second - first >= 200
    [start] = [one.x for one in texts if one.text == "−0.1"]  # 0 − 0.05, to the next tenth
    assert start - second >= 200


def test_nothing_to_draw_is_an_error() -> None:
    with pytest.raises(InputError, match="there are no topics to draw"):
        estimates_chart(predictions())


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(MissingExtraError) as caught:
        estimates_chart(SOME)
    assert str(caught.value) == 'a chart needs the package altair: pip install "tealeaves[report]"'


def test_it_is_written_and_keeps_to_the_schema(tmp_path: Path) -> None:
    estimates_chart(SOME).to_dict(validate=True)
    path = tmp_path / "am.svg"
    save_chart(estimates_chart(SOME), path)
    text = path.read_text()
    assert text.startswith("<svg")
    assert "ንጉሥ ልጅ" in text
