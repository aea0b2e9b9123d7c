"""The chart of consensus, as the dictionary that draws it, and as a file."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tealeaves.consensus import Explanation, Explanations
from tealeaves.consensus.words import WeakPair
from tealeaves.errors import InputError, MissingExtraError
from tealeaves.report.charts import consensus_chart, save_chart
from tealeaves.report.charts.blocks import panels as panel_block

pytestmark = pytest.mark.usefixtures("inline_rows")

PARTS = {"texts.best": -0.2, "vectors.best": -0.1, "texts.worst": 0.05}


def topic(name: int | str, value: float, **more: Any) -> Explanation:
    given: dict[str, Any] = {
        "model": "lda", "support": 0.75, "low": value - 0.1, "high": value + 0.2, "usual": 0.66,
        "sources": ["corpus"], "parts": PARTS, "odd": ["soup"], "words": ["cat", "soup", "dog"],
        "weakest": [WeakPair("cat", "soup", 0.1)],
    }  # fmt: skip
    return Explanation(topic=name, value=value, **given | more)


def explanations(*rows: Explanation, level: float = 0.9, top: int | None = 10) -> Explanations:
    return Explanations(list(rows), level=level, top=top)


SHORT = "it has fewer than two words"
SOME = explanations(
    topic("pets", 0.3),
    Explanation(model="lda", topic=1, value=math.nan, support=0.0, words=["x"], why_not=SHORT),
    topic("food", 0.7, odd=[], parts={"texts.best": 0.1}),
    Explanation(model="lda", topic=None, value=0.5, support=0.5),
)


def content(chart: Any) -> dict[str, Any]:
    found: dict[str, Any] = chart.to_dict(validate=False)
    return found


def layers(chart: Any, panel: int = 0) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = content(chart)["vconcat"][panel]["layer"]
    return found


def values(layer: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = layer["data"]["values"]
    return found


def drawn(chart: Any, field: str, mark: str, panel: int = 0) -> dict[str, Any]:
    """Return the layer of a mark whose places along the axis are of a field."""
    [found] = [
        one
        for one in layers(chart, panel)
        if one["encoding"].get("x", {}).get("field") == field and one["mark"]["type"] == mark
        and "line" in values(one)[0]
    ]  # fmt: skip
    return found


def column(chart: Any, field: str) -> list[Any]:
    [found] = [
        one for one in layers(chart) if one["encoding"].get("text", {}).get("field") == field
    ]
    return [row[field] for row in values(found)]


def test_topics_stand_by_their_values_and_those_without_one_last() -> None:
    chart = consensus_chart(SOME)
    assert column(chart, "topic") == ["food", "pets", "1"]
    assert column(chart, "written") == [["cat soup dog"], ["cat [soup] dog"], ["x"]]
    assert column(chart, "reason") == [
        "+0.10 best words more related",
        "−0.30 best words less related",
        "",
    ]
    assert column(chart, "remark") == [f"no value: {SHORT}"]


def test_what_is_drawn_is_what_was_given() -> None:
    chart = consensus_chart(SOME)
    points = drawn(chart, "value", "point")
    assert [(row["topic"], row["value"]) for row in values(points)] == [
        ("food", 0.7),
        ("pets", 0.3),
    ]
    bars = drawn(chart, "low", "rule")
    assert bars["encoding"]["x2"]["field"] == "high"
    ends = [(row["low"], row["high"]) for row in values(bars)]
    assert ends == [pytest.approx((0.6, 0.9)), pytest.approx((0.2, 0.5))]
    for one in (points, bars):
        assert one["encoding"]["x"]["scale"]["domain"] == [0, 1]
        assert one["encoding"]["color"]["field"] == "value"
    assert "NaN" not in json.dumps(content(chart))


def test_words_and_reasons_are_in_the_tooltip() -> None:
    layer = drawn(consensus_chart(SOME), "value", "point")
    fields = {one["field"] for one in layer["encoding"]["tooltip"]}
    pets = values(layer)[1]
    assert fields <= set(pets)
    assert pets["words"] == "cat [soup] dog"
    assert pets["interval"] == "[0.20, 0.50]"
    assert pets["lowered"].split("; ") == [
        "-0.20 how related the third of words is that fits best, by the texts",
        "-0.10 how related the third of words is that fits best, by the vectors",
    ]
    assert pets["raised"] == "+0.05 how related the third of words is that fits worst, by the texts"
    assert (pets["odd"], pets["weakest"], pets["sources"]) == ("soup", "cat–soup", "corpus")
    assert values(layer)[0]["odd"] == "–"
    assert {"words", "interval", "lowered", "raised", "odd", "weakest", "sources"} <= fields


def average(chart: Any) -> list[float]:
    return [
        row["value"]
        for one in layers(chart)
        for row in values(one)
        if row.get("said") == "average topic" and one["mark"]["type"] == "rule"
    ]


def test_an_average_topic_is_drawn_where_it_is_the_same_for_all() -> None:
    assert average(consensus_chart(SOME)) == [0.66]
    assert average(consensus_chart(explanations(topic(0, 0.5), topic(1, 0.4, usual=0.5)))) == []


def test_titles_say_what_was_judged() -> None:
    found = content(consensus_chart(SOME))
    assert found["vconcat"][0]["title"]["text"] == "lda"
    assert found["vconcat"][0]["title"]["subtitle"] == (
        "mean 0.500, 3 topics, 1 with odd words, 1 without a value"
    )
    assert found["title"]["text"] == "What people would say of each topic"
    judged, interval = found["title"]["subtitle"]
    assert judged == (
        "judged by corpus, by the first 10 words of each topic; a [word] fits its topic badly"
    )
    assert interval.startswith(
        "bars hold people's own score for 90 % of topics like those it was fitted to"
    )
    single = explanations(topic(0, 0.5, odd=[], sources=[]), level=0.5, top=None)
    other = content(consensus_chart(single))
    assert other["title"]["subtitle"][0] == "by all words of each topic"
    assert "for 50 % of topics like those" in other["title"]["subtitle"][1]
    assert other["vconcat"][0]["title"]["subtitle"] == "1 topic"


def test_each_model_has_a_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    found = explanations(*(topic(0, 0.5, model=f"m{number}") for number in range(3)))
    titles = [panel["title"]["text"] for panel in content(consensus_chart(found))["vconcat"]]
    assert titles == ["m0", "m1", "m2"]
    assert panel_block.MOST_PANELS == 12
    monkeypatch.setattr(panel_block, "MOST_PANELS", 2)
    few = content(consensus_chart(found))
    assert len(few["vconcat"]) == 2
    assert few["title"]["text"].endswith("(the first 2 of 3 models; the others are left out)")


def test_the_worst_stand_on_top_where_they_are_asked_for() -> None:
    more = [topic("third", 0.1, model="nmf"), topic("last", 0.9, model="nmf")]
    found = Explanations([*SOME.rows, *more], level=0.9, top=10)
    ordered = content(consensus_chart(found.worst_first()))
    assert [panel["title"]["text"] for panel in ordered["vconcat"]] == ["nmf", "lda"]
    assert column(consensus_chart(SOME.worst_first()), "topic") == ["pets", "food", "1"]
    assert ordered["title"]["text"] == "What people would say of each topic"
    chart = content(consensus_chart(found.worst_first(2)))
    assert chart["title"]["text"] == "What people would say of the 2 worst of 5 topics"
    said = {one["title"]["text"]: one["title"]["subtitle"] for one in chart["vconcat"]}
    assert said == {
        "nmf": "1 of 2 topics, 1 with odd words",
        "lda": "1 of 3 topics, 1 with odd words",
    }


def test_columns_stay_apart(texts_of: Callable[[Any], list[Any]]) -> None:
    words = ["antidisestablishmentarianism"] * 9
    rows = [topic("a very long name of a topic", 0.5, words=words, odd=[]), topic(1, 0.4)]
    texts = {one.text: one for one in texts_of(consensus_chart(explanations(*rows)))}
    [many] = [one for text, one in texts.items() if text.startswith("antidis")]
    [named] = [one for text, one in texts.items() if text.startswith("a very")]
    assert named.text.endswith("…")
    assert many.x - named.x >= 120
    assert texts["0"].x - many.x >= 410
    assert texts["main reason"].x - texts["1"].x >= 10


@pytest.mark.parametrize(
    "word", ["antidisestablishmentarianism", "mmmmmmmmmm", "WWWWWWWW", "щука", "天文学", "[a]", "i"]
)
def test_no_word_is_cut_and_lines_are_around_their_topic(
    word: str, texts_of: Callable[[Any], list[Any]]
) -> None:
    words = [f"{word}{number}" for number in range(30)]
    rows = [topic("long", 0.5, words=words, odd=words[-1:]), topic("short", 0.4)]
    texts = texts_of(consensus_chart(explanations(*rows, top=30)))
    long, short = (
        next(one for one in texts if one.text.startswith(start)) for start in (word, "cat")
    )
    wanted = " ".join([*words[:-1], f"[{words[-1]}]"])
    assert "…" not in long.text
    assert long.text.replace(" ", "") == wanted.replace(" ", "")
    names = {one.text: one.y for one in texts}
    layer = next(
        one for one in layers(consensus_chart(explanations(*rows, top=30)))
        if one["encoding"].get("text", {}).get("field") == "written"
        and len(values(one)[0]["written"]) > 1
    )  # fmt: skip
    height = 13 * (len(values(layer)[0]["written"]) - 1)
    assert height > 0
    assert names["long"] - long.y == pytest.approx(height / 2, abs=1)
    assert names["short"] == pytest.approx(short.y, abs=1)
    assert names["short"] - names["long"] >= height + 13


def test_nothing_to_draw_is_an_error() -> None:
    with pytest.raises(InputError, match="there are no topics to draw"):
        consensus_chart(explanations())


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(MissingExtraError) as caught:
        consensus_chart(SOME)
    assert str(caught.value) == 'a chart needs the package altair: pip install "tealeaves[report]"'


def test_it_is_written_and_keeps_to_the_schema(tmp_path: Path) -> None:
    consensus_chart(SOME).to_dict(validate=True)
    path = tmp_path / "topics.svg"
    save_chart(consensus_chart(SOME), path)
    assert "cat [soup] dog" in path.read_text()
