"""The chart of contributions, as the dictionary that draws it, and as a file."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tealeaves.errors import InputError, MissingExtraError
from tealeaves.estimator.predictions import EstimateExplanation, EstimateExplanations, Prediction
from tealeaves.report.charts import contributions, contributions_chart, save_chart

pytestmark = pytest.mark.usefixtures("inline_rows")

UNJUDGED = "Cannot be judged: the reference has no pair of its words."
REASON = (
    "Not to be trusted: it is likely to stand lower among topics than its CNPMI there says (age of "
    "its words, how its words are used); and the reference has only 30% of its words in am."
)
MORE = "cnpmi(never=-1)"
ADDED = {"cnpmi": 0.02, "mc_other": -0.05, "era_mean": 0.0, MORE: -0.01}


def prediction(number: int, estimate: float, **more: Any) -> Prediction:
    given: dict[str, Any] = {
        "model": "pltm", "pivot": "en", "language": "am", "cnpmi": -0.05, "support": 0.75,
        "low": estimate - 0.1, "high": estimate + 0.1, "trusted": False, "reason": REASON,
        "words": ["god king", "ንጉሥ ልጅ"],
    }  # fmt: skip
    return Prediction(topic=number, estimate=estimate, **given | more)


def explanation(
    number: int = 1, added: dict[str, float] = ADDED, **more: Any
) -> EstimateExplanation:
    usual = 0.14
    return EstimateExplanation(
        prediction=prediction(number, usual + sum(added.values()), **more),
        usual=usual,
        values={name: 1653.4 if name == "era_mean" else 0.462 for name in added},
        means={name: 1500.0 if name == "era_mean" else 1.5 for name in added},
        contributions=added,
    )


def unjudged(number: int) -> EstimateExplanation:
    row = prediction(number, math.nan, reason=UNJUDGED)
    return EstimateExplanation(
        prediction=row, usual=math.nan, values={}, means={}, contributions={}
    )


def explanations(*rows: EstimateExplanation) -> EstimateExplanations:
    return EstimateExplanations(list(rows), level=0.9, top=10)


def panels(chart: Any) -> list[dict[str, Any]]:
    rows = chart.to_dict(validate=False)["vconcat"]
    return [panel for row in rows for panel in row.get("hconcat", [])]


def bars(panel: dict[str, Any]) -> dict[str, Any]:
    found: list[dict[str, Any]] = [one for one in panel["layer"] if one["mark"]["type"] == "bar"]
    assert len(found) == 1
    return found[0]


def column(panel: dict[str, Any], field: str) -> list[str]:
    """Return the texts of a column, from top to bottom."""
    [found] = [one for one in panel["layer"]
               if one["encoding"].get("text", {}).get("field") == field]  # fmt: skip
    rows = sorted(found["data"]["values"], key=lambda row: row["line"])
    return [row[field] for row in rows]


def test_a_bar_for_each_feature_that_moved_it_most_first_and_their_sum() -> None:
    [panel] = panels(contributions_chart(explanations(explanation())))
    rows = bars(panel)["data"]["values"]
    names = ["mc_other", "cnpmi", MORE, "era_mean", "all together"]
    assert [row["feature"] for row in rows] == names
    assert [row["line"] for row in rows] == [0, 1, 2, 3, 4]
    # 0.02 − 0.05 + 0 − 0.01 = −0.04
    assert [row["adds"] for row in rows] == pytest.approx([-0.05, 0.02, -0.01, 0.0, -0.04])
    assert bars(panel)["encoding"]["x2"] == {"datum": 0}
    assert column(panel, "text") == ["−0.050", "+0.020", "−0.010", "0.000", "−0.040"]


def test_the_sum_leads_from_usual_to_the_estimate_whatever_bars_say() -> None:
    one = explanation()
    [panel] = panels(contributions_chart(explanations(one)))
    last = bars(panel)["data"]["values"][-1]
    assert last["adds"] == one.prediction.estimate - one.usual


def test_groups_have_a_colour_and_a_column() -> None:
    [panel] = panels(contributions_chart(explanations(explanation())))
    assert column(panel, "group") == ["gap", "base", "more", "era", ""]
    encoding = bars(panel)["encoding"]["color"]
    assert encoding["field"] == "group"
    assert encoding["scale"]["domain"] == ["base", "gap", "era", "drift", "more", ""]
    assert len(set(encoding["scale"]["range"])) == 6


def test_values_stand_beside_usual_ones() -> None:
    [panel] = panels(contributions_chart(explanations(explanation())))
    assert column(panel, "value") == ["0.462", "0.462", "0.462", "1653", ""]
    assert column(panel, "mean") == ["1.5", "1.5", "1.5", "1500", ""]


def test_words_estimate_and_the_wrapped_sentence_stand_above() -> None:
    [panel] = panels(contributions_chart(explanations(explanation(7))))
    title = panel["title"]
    assert title["text"] == "topic 7 · pltm · en-am"
    pivot, other, estimate, *sentence = title["subtitle"]
    assert (pivot, other) == ("en: god king", "am: ንጉሥ ልጅ")
    # 0.14 − 0.04 = 0.1
    assert estimate == (
        "estimate 0.100 (0.000 to 0.200), of an average topic 0.140; CNPMI of the reference −0.050"
    )
    assert len(sentence) == 2
    assert " ".join(sentence) == REASON


def test_topics_stand_two_side_by_side_begin_alike_and_have_the_same_limits() -> None:
    rows = [explanation(1), explanation(2, {"mta": 0.3}, reason="Fine."), explanation(3)]
    chart = contributions_chart(explanations(*rows))
    assert [len(row["hconcat"]) for row in chart.to_dict(validate=False)["vconcat"]] == [2, 1]
    first, second, third = panels(chart)
    # as many lines, the last of them empty
    assert len(first["title"]["subtitle"]) == len(second["title"]["subtitle"]) == 5
    assert second["title"]["subtitle"][3:] == ["Fine.", " "]
    domains = [bars(panel)["encoding"]["x"]["scale"]["domain"] for panel in (first, second, third)]
    assert domains[0] == pytest.approx([-0.05, 0.3])
    assert domains[0] == domains[1] == domains[2]


def test_topics_without_an_estimate_are_named_at_the_end() -> None:
    chart = contributions_chart(explanations(unjudged(4), explanation(1), unjudged(5)))
    *_, last = chart.to_dict(validate=False)["vconcat"]
    assert last["title"]["text"] == "Without an estimate"
    assert column(last, "topic") == ["topic 4 · pltm · en-am", "topic 5 · pltm · en-am"]
    assert column(last, "reason") == [UNJUDGED, UNJUDGED]
    assert column(last, "other") == ["ንጉሥ ልጅ", "ንጉሥ ልጅ"]
    assert len(panels(chart)) == 1
    assert "NaN" not in json.dumps(chart.to_dict(validate=False))


def test_where_no_topic_has_an_estimate_that_is_said() -> None:
    content = contributions_chart(explanations(unjudged(4))).to_dict(validate=False)
    assert content["title"]["subtitle"] == ["no topic has an estimate"]
    assert len(content["vconcat"]) == 1


def test_features_that_add_nothing_have_limits_all_the_same() -> None:
    [panel] = panels(contributions_chart(explanations(explanation(1, {"cnpmi": 0.0}))))
    assert bars(panel)["encoding"]["x"]["scale"]["domain"] == [-1.0, 1.0]


def test_more_topics_than_a_page_holds_are_not_drawn_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert contributions.MOST_TOPICS == 24
    monkeypatch.setattr(contributions, "MOST_TOPICS", 2)
    chart = contributions_chart(explanations(*(explanation(n) for n in range(3))))
    assert len(panels(chart)) == 2
    said = "(the first 2 of 3 topics; the others are left out)"
    assert chart.to_dict(validate=False)["title"]["text"].endswith(said)


def test_an_interval_without_end_is_said() -> None:
    row = explanation(1, low=-math.inf, high=math.inf)
    [panel] = panels(contributions_chart(explanations(row)))
    assert "(no end to no end)" in panel["title"]["subtitle"][2]


def test_panels_side_by_side_do_not_touch(texts_of: Callable[[Any], list[Any]]) -> None:
    rows = [explanation(1, words=["long " * 60, "x"]), explanation(2)]
    texts = texts_of(contributions_chart(explanations(*rows)))
    ends = sorted(one.x for one in texts if one.text == "adds")
    starts = sorted(one.x for one in texts if one.text == "feature")
    assert len(ends) == len(starts) == 2
    assert ends[0] < starts[1]
    [words] = [one for one in texts if one.text.startswith("en: long")]
    assert "long" in words.text.partition("…")[0] != words.text


def test_nothing_to_draw_is_an_error() -> None:
    with pytest.raises(InputError, match="there are no topics to explain"):
        contributions_chart(explanations())


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(MissingExtraError) as caught:
        contributions_chart(explanations(explanation()))
    assert str(caught.value) == 'a chart needs the package altair: pip install "tealeaves[report]"'


def test_it_is_written_and_keeps_to_the_schema(tmp_path: Path) -> None:
    contributions_chart(explanations(explanation(), unjudged(2))).to_dict(validate=True)
    path = tmp_path / "why.svg"
    save_chart(contributions_chart(explanations(explanation(), unjudged(2))), path)
    text = path.read_text()
    assert text.startswith("<svg")
    assert "ንጉሥ ልጅ" in text
