"""The chart of a selection, as the dictionary that draws it, and as files."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import pytest

from tealeaves.errors import InputError, MissingExtraError
from tealeaves.models.selection.candidates import Candidate, TrainedRun
from tealeaves.models.selection.result import Selection
from tealeaves.report.charts import check_chart_file, save_chart, selection_chart

pytestmark = pytest.mark.usefixtures("inline_rows")

VALUES = {4: [0.1, 0.2, 0.3], 8: [0.5, 0.6, 0.7]}


def selection(
    kinds: tuple[str, ...] = ("lda",), runs: int = 3, given: dict[int, list[float]] = VALUES
) -> Selection:
    candidates = [
        Candidate(
            kind,
            k,
            f"{kind}(k={k})",
            tuple(
                TrainedRun(
                    f"{kind}-{k}-{n}", n, None, {"npmi": v, "umass": -v}, {"npmi": 1, "umass": 1}
                )
                for n, v in enumerate(values[:runs], 1)
            ),
        )
        for kind in kinds
        for k, values in given.items()
    ]
    better = {"npmi": "higher", "umass": "lower"}
    return Selection(candidates, better, trained={}, weight="documents", tokens="words")


def layers(chart: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = chart.to_dict()["vconcat"][0]["layer"]
    return found


def test_there_is_a_panel_for_each_metric() -> None:
    content = selection_chart(selection()).to_dict()
    assert content["title"]["text"] == "Chosen: lda(k=8)"
    assert "weighted by documents" in content["title"]["subtitle"]
    titles = [panel["layer"][1]["encoding"]["y"]["title"] for panel in content["vconcat"]]
    assert titles == ["npmi (higher is better)", "umass (lower is better)"]


def test_means_intervals_and_runs_are_drawn() -> None:
    band, line, points, _ = layers(selection_chart(selection()))
    rows = band["data"]["values"]
    assert [row["k"] for row in rows] == [4, 8]
    # pooled s = 0.1, t(4) = 2.776445, 2.776445 * 0.1 / √3 = 0.160298
    assert rows[0]["mean"] == pytest.approx(0.2)
    assert rows[0]["low"] == pytest.approx(0.2 - 0.160298, abs=1e-6)
    assert rows[0]["high"] == pytest.approx(0.2 + 0.160298, abs=1e-6)
    assert line["encoding"]["y"]["field"] == "mean"
    assert [row["value"] for row in points["data"]["values"]] == [
        v for x in VALUES.values() for v in x
    ]
    assert band["encoding"]["x"]["axis"]["values"] == [4, 8]


def test_the_chosen_one_is_marked() -> None:
    mark = layers(selection_chart(selection()))[3]
    [row] = mark["data"]["values"]
    assert (row["k"], row["label"]) == (8, "k = 8")


def test_one_run_has_no_band_and_json_no_nan() -> None:
    band, *_ = layers(selection_chart(selection(runs=1)))
    assert [row["low"] for row in band["data"]["values"]] == [None, None]
    assert not any(
        isinstance(value, float) and math.isnan(value)
        for row in band["data"]["values"]
        for value in row.values()
    )


def test_several_models_have_colours_and_a_legend() -> None:
    colour = layers(selection_chart(selection(("lda", "nmf"))))[0]["encoding"]["color"]
    assert colour["scale"]["domain"] == ["lda", "nmf"]
    assert len(set(colour["scale"]["range"])) == 2
    assert colour["legend"]["title"] == "model"
    assert layers(selection_chart(selection()))[0]["encoding"]["color"]["legend"] is None


@pytest.mark.parametrize(
    ("suffix", "start"),
    [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("html", b"<!DOCTYPE html>")],
)
def test_files_begin_as_their_kind_does(suffix: str, start: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"k.{suffix}"
    save_chart(selection_chart(selection()), path)
    data = path.read_bytes()
    assert data.lstrip().startswith(start)
    assert len(data) > 5000


def test_html_needs_no_network(tmp_path: Path) -> None:
    path = tmp_path / "k.html"
    save_chart(selection_chart(selection()), path)
    text = path.read_text()
    assert "<script src" not in text
    assert "cdn.jsdelivr" not in text
    assert "import(" not in text


def test_where_nothing_is_chosen_the_title_says_so() -> None:
    nothing = {4: [math.nan, math.nan], 8: [math.nan, math.inf]}
    chart = selection_chart(selection(given=nothing))
    title = chart.to_dict()["title"]
    assert title["text"] == "Nothing chosen: no model has a finite value of npmi"
    assert layers(chart)[-1]["data"]["values"] == []


def test_the_runs_that_are_counted_have_a_value() -> None:
    given = {4: [0.1, 0.2, math.nan], 8: [0.5, 0.6, math.nan]}
    subtitle = selection_chart(selection(given=given)).to_dict()["title"]["subtitle"]
    assert subtitle.startswith(
        "lines are means of 2 runs; bands are 95 % intervals with the pooled variance of runs"
    )
    given = {4: [0.1, 0.2, 0.3], 8: [0.5, 0.6, math.nan]}
    subtitle = selection_chart(selection(given=given)).to_dict()["title"]["subtitle"]
    assert subtitle.startswith("lines are means of up to 3 runs;")


@pytest.mark.parametrize(
    ("module", "package"), [("altair", "altair"), ("vl_convert", "vl-convert-python")]
)
def test_a_missing_package_is_named(
    module: str, package: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError) as caught:
        check_chart_file(tmp_path / "k.svg")
    expected = f'a chart needs the package {package}: pip install "tealeaves[report]"'
    assert str(caught.value) == expected


@pytest.mark.parametrize("name", ["k.gif", "k", "nowhere/k.png"])
def test_what_cannot_be_written_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        check_chart_file(tmp_path / name)


def test_a_single_value_has_an_axis_that_names_it() -> None:
    chart = selection_chart(selection(runs=1, given={8: [0.5]}))
    line, *_ = layers(chart)  # a single run has no interval, and so no band
    low, high = line["encoding"]["y"]["scale"]["domain"]
    assert low < 0.5 < high
    several = layers(selection_chart(selection()))[1]["encoding"]["y"]["scale"]
    assert "domain" not in several
