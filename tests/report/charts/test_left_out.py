"""The chart of languages left out, as the dictionary that draws it, and as a file."""

from __future__ import annotations

import itertools
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tealeaves.errors import InputError, MissingExtraError
from tealeaves.estimator.evaluation import EstimatorEvaluation, EvaluatedLanguage
from tealeaves.report.charts import left_out_chart, save_chart

pytestmark = pytest.mark.usefixtures("inline_rows")

TREES = "estimate (trees)"


def row(
    language: str, raw: float, estimate: float, *, p: float = 0.01, **more: Any
) -> EvaluatedLanguage:
    given: dict[str, Any] = {
        "level": "topic", "estimator": "trees", "n": 840, "clusters": 20,
        "raw_low": raw - 0.1, "raw_high": raw + 0.1,
        "estimate_low": estimate - 0.1, "estimate_high": estimate + 0.1,
        "difference": estimate - raw, "difference_low": 0.01, "difference_high": 0.9,
        "p": p / 2, "p_corrected": p, "mae": 0.02, "coverage": 0.9,
    }  # fmt: skip
    return EvaluatedLanguage(language=language, raw=raw, estimate=estimate, **given | more)


def rows(level: str = "topic", estimator: str = "trees") -> list[EvaluatedLanguage]:
    own: dict[str, Any] = {"level": level, "estimator": estimator}
    return [
        row("am", 0.125, 0.5, **own),
        row("sv", 0.5, 0.25, p=0.4, n=400, **own),
        row("tr", -0.25, 0.75, **own),
        row("all", 0.125, 0.5, n=3, **own),
    ]


def evaluation(*given: EvaluatedLanguage, **more: Any) -> EstimatorEvaluation:
    return EstimatorEvaluation(given or [*rows(), *rows("model")], **more)


def points(chart: Any, panel: int = 0) -> dict[str, Any]:
    content = chart.to_dict(validate=False)["hconcat"][panel]["layer"]
    found: list[dict[str, Any]] = [one for one in content if "fill" in one["encoding"]]
    assert len(found) == 1
    return found[0]


def texts(chart: Any, field: str, panel: int = 0) -> dict[tuple[str, str], str]:
    """Return the texts of a field by line and series."""
    return {
        (one["label"], one["series"]): one[field]
        for layer in chart.to_dict(validate=False)["hconcat"][panel]["layer"]
        if layer["encoding"].get("text", {}).get("field") == field
        for one in layer["data"]["values"]
    }


def test_topics_and_models_stand_side_by_side() -> None:
    content = left_out_chart(evaluation()).to_dict(validate=False)
    assert [one["title"]["text"] for one in content["hconcat"]] == ["Over topics", "Over models"]
    only = left_out_chart(evaluation(*rows("model"))).to_dict(validate=False)
    assert [one["title"]["text"] for one in only["hconcat"]] == ["Over models"]


def test_what_is_drawn_is_what_was_given() -> None:
    drawn = points(left_out_chart(evaluation()))["data"]["values"]
    found = {(one["label"], one["series"]): (one["value"], one["low"], one["high"])
             for one in drawn}  # fmt: skip
    assert len(found) == len(drawn) == 8
    assert found["am", "raw cnpmi"] == pytest.approx((0.125, 0.025, 0.225))
    assert found["am", TREES] == pytest.approx((0.5, 0.4, 0.6))
    assert found["tr", "raw cnpmi"] == pytest.approx((-0.25, -0.35, -0.15))
    assert found["mean", TREES] == pytest.approx((0.5, 0.4, 0.6))


@pytest.mark.parametrize("panel", [0, 1])
def test_the_mean_is_on_top_set_apart_and_the_best_language_next(panel: int) -> None:
    # the order of the models' panel is that of topics, so that lines go on
    other = [row("am", 0.1, 0.2, level="model"), row("sv", 0.1, 0.9, level="model"),
             row("tr", 0.1, 0.1, level="model"), row("all", 0.1, 0.4, level="model")]  # fmt: skip
    chart = left_out_chart(evaluation(*rows(), *other))
    labels = points(chart, panel)["encoding"]["y"]["scale"]["domain"]
    assert labels == ["mean", " ", "tr", "am", "sv"]
    rules = [one for one in chart.to_dict(validate=False)["hconcat"][panel]["layer"]
             if one["mark"]["type"] == "rule" and "x" not in one["encoding"]]  # fmt: skip
    assert [one["data"]["values"] for one in rules] == [[{"label": " "}]]


def test_raw_is_hollow_and_of_another_colour() -> None:
    encoding = points(left_out_chart(evaluation()))["encoding"]
    assert encoding["fill"]["scale"]["domain"] == ["raw cnpmi", TREES]
    strokes, fills = (encoding[name]["scale"]["range"] for name in ("stroke", "fill"))
    assert strokes[0] != strokes[1] == fills[1]
    assert fills[0] == "white"


def test_both_sides_have_the_same_limits() -> None:
    chart = left_out_chart(evaluation(*rows(), row("am", 0.1, 0.85, level="model")))
    domains = [points(chart, side)["encoding"]["x"]["scale"]["domain"] for side in (0, 1)]
    # −0.25 − 0.1 and 0.85 + 0.1, to the next tenths
    assert domains == [[-0.4, 1.0], [-0.4, 1.0]]


def test_differences_are_written_with_a_star_where_p_is_small() -> None:
    said = texts(left_out_chart(evaluation()), "difference")
    assert said == {
        ("am", TREES): "+0.38*",
        ("sv", TREES): "−0.25",
        ("tr", TREES): "+1.00*",
        ("mean", TREES): "+0.38*",
    }


def test_what_it_rests_on_is_said() -> None:
    content = left_out_chart(evaluation()).to_dict(validate=False)
    assert content["hconcat"][0]["title"]["subtitle"] == [
        "each language has 400 to 840 topics, counted once for each number of words",
        "trees is significantly better in 2 of 3 languages (p corrected)",
    ]
    assert "95 % intervals" in content["title"]["subtitle"][1]
    assert "1,000 draws" in content["title"]["subtitle"][1]
    ten = left_out_chart(evaluation(cardinality=10)).to_dict(validate=False)
    assert ten["hconcat"][1]["title"]["subtitle"][0] == "each language has 400 to 840 models"
    assert "of the first 10 words" in ten["title"]["subtitle"][0]


def test_a_worse_estimate_is_not_called_better_however_small_its_p() -> None:
    worse = row("am", 0.5, 0.1, difference_low=-0.6, difference_high=-0.2)
    chart = left_out_chart(evaluation(worse, row("sv", 0.1, 0.5)))
    title = chart.to_dict(validate=False)["hconcat"][0]["title"]
    said = "trees is significantly better in 1 of 2 languages (p corrected)"
    assert title["subtitle"][1] == said


def test_several_estimators_share_the_raw_of_most_rows() -> None:
    fewer = [msgspec.structs.replace(one, n=one.n // 2, raw=0.9) for one in rows("topic", "ridge")]
    chart = left_out_chart(evaluation(*fewer, *rows()))
    drawn = points(chart)["data"]["values"]
    series = [one["series"] for one in drawn if one["label"] == "am"]
    assert series == ["raw cnpmi", "estimate (ridge)", TREES]
    [raw] = [one for one in drawn if (one["label"], one["series"]) == ("am", "raw cnpmi")]
    assert raw["value"] == 0.125
    assert len(set(points(chart)["encoding"]["stroke"]["scale"]["range"])) == 3


def test_what_is_undefined_is_said_and_stands_last() -> None:
    unknown = row("zz", math.nan, math.nan, n=2, p=math.nan)
    constant = row("am", math.nan, 0.5, p=math.nan)
    chart = left_out_chart(evaluation(unknown, constant, row("sv", 0.1, 0.2)))
    assert texts(chart, "remark") == {
        ("zz", "raw cnpmi"): "undefined",
        ("zz", TREES): "undefined",
        ("am", "raw cnpmi"): "undefined",
    }
    assert texts(chart, "difference")["am", TREES] == "–"
    drawn = points(chart)
    assert drawn["encoding"]["y"]["scale"]["domain"] == ["am", "sv", "zz"]
    assert len(drawn["data"]["values"]) == 3
    assert "NaN" not in json.dumps(chart.to_dict(validate=False))


def test_without_draws_there_are_no_intervals() -> None:
    none = dict.fromkeys(("raw_low", "raw_high", "estimate_low", "estimate_high"), math.nan)
    given = row("am", 0.1, 0.5, p=math.nan, **none)
    content = left_out_chart(evaluation(given, draws=0)).to_dict(validate=False)
    assert content["title"]["subtitle"][1:] == [
        "there are no intervals; right of the panel is the estimate minus raw"
    ]
    assert len(content["hconcat"][0]["title"]["subtitle"]) == 1


def test_lines_of_many_languages_do_not_touch(texts_of: Callable[[Any], list[Any]]) -> None:
    names = [f"l{number:02}" for number in range(23)]
    given = [row(name, 0.1, 0.01 * number) for number, name in enumerate(names)]
    found = texts_of(left_out_chart(evaluation(*given, row("all", 0.1, 0.11))))
    heights = sorted(one.y for one in found if one.text in {*names, "mean"})
    assert len(heights) == 24
    steps = [b - a for a, b in itertools.pairwise(heights)]
    assert min(steps) > 20
    assert steps[0] > 1.5 * max(steps[1:])  # the mean is apart


def test_nothing_to_draw_is_an_error() -> None:
    with pytest.raises(InputError, match="there is no evaluation to draw"):
        left_out_chart(EstimatorEvaluation([]))


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(MissingExtraError) as caught:
        left_out_chart(evaluation())
    assert str(caught.value) == 'a chart needs the package altair: pip install "tealeaves[report]"'


def test_it_is_written_and_keeps_to_the_schema(tmp_path: Path) -> None:
    left_out_chart(evaluation()).to_dict(validate=True)
    path = tmp_path / "languages.svg"
    save_chart(left_out_chart(evaluation()), path)
    assert path.read_text().startswith("<svg")
