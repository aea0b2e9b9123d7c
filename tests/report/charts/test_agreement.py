"""The chart of agreement, as the dictionary that draws it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tealeaves.errors import InputError
from tealeaves.judgments import Judgments
from tealeaves.judgments.agreement.agreement import Agreement, AgreementRow, agreement
from tealeaves.judgments.agreement.careless import Annotator, Careless
from tealeaves.judgments.agreement.measures import ALL, MEANT, NOT_FLAGGED
from tealeaves.report.charts import agreement_chart

pytestmark = pytest.mark.usefixtures("inline_rows")

NAN = math.nan


def row(measure: str, value: float, **more: Any) -> AgreementRow:
    given: dict[str, Any] = {
        "dataset": "nyt", "task": "rating", "model": "", "annotators": ALL, "low": value - 0.1,
        "high": value + 0.1, "n": 40, "unit": "items", "note": "",
    }  # fmt: skip
    return AgreementRow(measure=measure, value=value, **given | more)


def annotator(
    name: str, rest: float, time: float = 5.0, *flags: str, task: str = "rating"
) -> Annotator:
    return Annotator("nyt", task, name, 20, time, 3, 2, 3, rest, flags)


COUNTS = [
    row("items", 40, low=NAN, high=NAN),
    row("answers", 1200, low=NAN, high=NAN),
    row("annotators", 30, low=NAN, high=NAN),
    row("flagged annotators", 2, low=NAN, high=NAN),
]
MEASURES = [
    row("alpha nominal", 0.3),
    row("alpha ordinal", 0.5, note=MEANT),
    row("alpha ordinal", 0.6, note=MEANT, annotators=NOT_FLAGGED),
    row("kappa", NAN, low=NAN, high=NAN),
]
PRECISION = [
    row("precision", 0.4, model="lda", n=90, unit="answers"),
    row("precision", 0.7, model="nmf", n=80, unit="answers"),
    row("precision", 0.6, unit="answers"),
    row("chance", 1 / 6, low=NAN, high=NAN, unit="answers"),
]
PEOPLE = [annotator("ann", 0.8), annotator("bob", NAN, 4.0, "14 equal answers in a row")]


def found(rows: Sequence[AgreementRow], people: Sequence[Annotator] = ()) -> Agreement:
    return Agreement(list(rows), careless=Careless(list(people)), level="ordinal")


def block(chart: Any, number: int = 0) -> dict[str, Any]:
    content: dict[str, Any] = chart.to_dict(validate=False)["vconcat"][number]
    return content


def measures(chart: Any, panel: int = 0) -> dict[str, Any]:
    content: dict[str, Any] = block(chart)["hconcat"][0]["vconcat"][panel]
    return content


def points(panel: dict[str, Any]) -> dict[str, Any]:
    layer: dict[str, Any]
    [layer] = [one for one in panel["layer"] if "fill" in one["encoding"]]
    return layer


def test_measures_have_points_and_intervals_and_counts_are_said() -> None:
    chart = agreement_chart(found([*COUNTS, *MEASURES]))
    assert block(chart)["title"]["text"] == "nyt · rating"
    said = "40 items, 1,200 answers, 30 annotators, 2 of them flagged as careless"
    assert block(chart)["title"]["subtitle"] == said
    layer = points(measures(chart))
    assert layer["encoding"]["y"]["scale"]["domain"] == [
        "alpha nominal",
        "alpha ordinal *",
        "kappa",
    ]
    drawn = [(one["label"], one["series"], one["value"]) for one in layer["data"]["values"]]
    assert drawn == [
        ("alpha nominal", "all annotators", 0.3),
        ("alpha ordinal *", "all annotators", 0.5),
        ("alpha ordinal *", "without the flagged ones", 0.6),
    ]
    assert [one["low"] for one in layer["data"]["values"]] == pytest.approx([0.2, 0.4, 0.5])
    assert layer["data"]["values"][0]["rests"] == "40 items"
    assert layer["encoding"]["stroke"]["legend"]["title"] == "annotators"
    # kappa has no value, and that is written
    assert {"label": "kappa", "remark": "undefined"} in measures(chart)["layer"][-1]["data"][
        "values"
    ]
    json.dumps(chart.to_dict(), allow_nan=False)


def test_it_keeps_to_the_schema() -> None:
    over = row("precision over topics", 0.65, model="nmf", n=9, unit="topics")
    rows = [*COUNTS, *MEASURES, *PRECISION, over]
    [block] = agreement_chart(found(rows, PEOPLE)).to_dict(validate=True)["vconcat"]
    measures, annotators = (side["vconcat"] for side in block["hconcat"])
    assert (len(measures), len(annotators)) == (2, 1)


def test_where_nobody_is_flagged_there_is_one_colour_and_no_legend() -> None:
    layer = points(measures(agreement_chart(found(MEASURES[:2]))))
    assert layer["encoding"]["stroke"]["scale"]["domain"] == ["all annotators"]
    assert layer["encoding"]["stroke"]["legend"] is None


def test_models_have_their_precision_and_chance_is_dashed() -> None:
    chart = agreement_chart(found([*MEASURES, *PRECISION]))
    panel = measures(chart, 1)
    assert panel["title"]["text"] == "Precision"
    assert points(panel)["encoding"]["y"]["scale"]["domain"] == ["all together", "nmf", "lda"]
    assert panel["title"]["subtitle"] == [
        "95 % intervals are Wilson's and take answers for independent",
        "dashed lines are chance (0.17)",
    ]
    [dashed] = [one for one in panel["layer"] if "strokeDash" in one["mark"]]
    assert [one["value"] for one in dashed["data"]["values"]] == pytest.approx([1 / 6])
    # neither is among the measures of agreement
    assert points(measures(chart))["encoding"]["y"]["scale"]["domain"] == [
        "alpha nominal",
        "alpha ordinal *",
        "kappa",
    ]


def test_precision_over_topics_is_hollow_beside_wilsons() -> None:
    over = row("precision over topics", 0.65, model="nmf", n=9, unit="topics")
    panel = measures(agreement_chart(found([*MEASURES, *PRECISION, over])), 1)
    encoding = points(panel)["encoding"]
    assert encoding["y"]["scale"]["domain"] == ["all together", "nmf", "lda"]
    assert encoding["fill"]["scale"]["domain"] == ["all annotators", "all annotators, over topics"]
    assert encoding["fill"]["scale"]["range"][1] == "white"
    assert len(set(encoding["stroke"]["scale"]["range"])) == 1
    assert "hollow points are over topics (bootstrap of 2,000 draws)" in panel["title"]["subtitle"]


def test_intervals_say_of_what_they_are() -> None:
    said = found([*MEASURES, row("ceiling pearson by model", 0.9, unit="models")])
    said.draws, said.confidence = 500, 0.9
    subtitle = measures(agreement_chart(said))["title"]["subtitle"]
    assert subtitle[:2] == [
        "90 % intervals are a bootstrap of 500 draws over items",
        "intervals of models resample models",
    ]
    said.draws = 0
    assert measures(agreement_chart(said))["title"]["subtitle"][0] == "no intervals"


def right(chart: Any) -> dict[str, Any]:
    content: dict[str, Any] = block(chart)["hconcat"][1]["vconcat"][0]
    return content


def test_annotators_are_points_and_the_flagged_are_named() -> None:
    panel = right(agreement_chart(found(MEASURES, PEOPLE)))
    placed, crosses, *names = panel["layer"]
    [ann] = placed["data"]["values"]
    assert (ann["x"], ann["y"], ann["kind"]) == (5.0, 0.8, "not flagged")
    # bob, who always said the same, has no correlation and is not lost
    [bob] = crosses["data"]["values"]
    assert (bob["annotator"], bob["x"], bob["kind"]) == ("bob", 4.0, "flagged")
    assert placed["encoding"]["x"]["title"] == "median time of an answer (seconds)"
    assert placed["encoding"]["color"]["scale"]["domain"] == ["not flagged", "flagged"]
    assert all(one["encoding"]["text"]["field"] == "annotator" for one in names)
    assert len(names) == 2
    assert all("flagged" in one["transform"][0]["filter"] for one in names)
    assert panel["title"]["subtitle"] == [
        "2 annotators, 1 flagged as careless",
        "× marks 1 without correlation (constant, or too few common items)",
    ]


def test_without_times_the_number_of_answers_takes_their_place() -> None:
    people = [annotator("ann", 0.8), replace(annotator("bob", 0.5, NAN), answers=30)]
    placed = right(agreement_chart(found(MEASURES, people)))["layer"][0]
    assert placed["encoding"]["x"]["title"] == "number of answers"
    assert [one["x"] for one in placed["data"]["values"]] == [20, 30]


def test_where_nothing_tells_annotators_apart_their_order_does() -> None:
    people = [annotator(name, rest, NAN) for name, rest in
              (("ann", 0.5), ("bob", NAN), ("eve", 0.8), ("dan", -0.1))]  # fmt: skip
    placed, crosses = right(agreement_chart(found(MEASURES, people)))["layer"][:2]
    assert {one["annotator"]: one["x"] for one in placed["data"]["values"]} == {
        "eve": 1,
        "ann": 2,
        "dan": 3,
    }
    assert [one["x"] for one in crosses["data"]["values"]] == [4]
    assert placed["encoding"]["x"]["title"] == "annotators, the one who agrees best first"
    assert placed["encoding"]["x"]["axis"]["labels"] is False


def test_times_far_apart_have_a_logarithmic_axis() -> None:
    people = [annotator("ann", 0.8, 1.0), annotator("bob", 0.5, 100.0)]
    x = right(agreement_chart(found(MEASURES, people)))["layer"][0]["encoding"]["x"]
    assert x["scale"]["type"] == "log"
    assert x["title"].endswith("logarithmic")


def test_many_names_are_left_out() -> None:
    people = [annotator(f"a{n}", 0.5, 1.0 + n, "flag") for n in range(13)]
    panel = right(agreement_chart(found(MEASURES, people)))
    assert len(panel["layer"]) == 2
    assert "names are left out: more than 12 are flagged" in panel["title"]["subtitle"]


def test_blocks_have_their_own_annotators() -> None:
    rows = [*MEASURES, row("alpha nominal", 0.1, task="intrusion")]
    chart = agreement_chart(found(rows, [annotator("eve", 0.1, task="intrusion")]))
    assert block(chart, 1)["title"]["text"] == "nyt · intrusion"
    assert len(block(chart)["hconcat"]) == 1
    assert len(block(chart, 1)["hconcat"]) == 2


def test_nothing_is_nothing_to_draw() -> None:
    with pytest.raises(InputError, match="there is no agreement to draw"):
        agreement_chart(found([]))


def test_a_measured_agreement_is_drawn() -> None:
    answers = {"ann": "33112213", "bob": "32112113", "eve": "23122213"}
    rows = [
        {"annotator": who, "model": "lda", "topic": str(topic), "answer": int(x), "time": 3.0}
        for who, line in answers.items()
        for topic, x in enumerate(line)
    ]
    measured = agreement(Judgments.of(rows), draws=100)
    chart = agreement_chart(measured)
    drawn = {one["label"]: one["value"] for one in points(measures(chart))["data"]["values"]}
    assert drawn["alpha ordinal *"] == measured.row("alpha ordinal").value
    assert len(right(chart)["layer"][0]["data"]["values"]) == 3
