"""``tealeaves metrics``: parameters, formula and when a metric misleads."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tealeaves.expressions import format_value
from tealeaves.metrics import metric
from tealeaves.metrics.registry import METRICS

Run = Callable[..., Any]


@pytest.mark.parametrize("name", METRICS)
def test_every_parameter_is_explained(run: Run, name: str) -> None:
    one = METRICS[name]
    lines = run("metrics", name).out.splitlines()
    assert lines[-1] == f"Defaults: {one.signature}"
    said = {line.partition(":")[0].strip(): number for number, line in enumerate(lines)}
    for parameter in one.accepts:
        number = said[parameter]
        default = format_value(getattr(one.defaults, parameter))
        assert lines[number].startswith(f"  {parameter}: ")
        assert lines[number].endswith(f"; default: {default}")
        # what it means stands below
        assert lines[number + 1].startswith("    ")
    assert ("Parameters: none." in lines) == (not one.accepts)


def test_allowed_values_of_parameters(run: Run) -> None:
    text = run("metrics", "isim").out
    assert (
        "  draws: a whole number of at least 1 and of at most 1000000, or all; default: all" in text
    )
    assert "  compat: stream, or none; default: none\n    stream: as STREAM computes it." in text
    assert "  aggregate: one of mean, median, " in run("metrics", "coherence").out


def test_defaults_are_those_of_the_metric(run: Run) -> None:
    text = run("metrics", "isim(draws=3)@5").out
    assert text.startswith("isim(draws=3)@5: ")
    assert text.endswith("Defaults: isim(draws=all, intruders=uniform)\n")


def test_json_has_the_same_content(run: Run) -> None:
    for row in json.loads(run("metrics", "--format", "json").out):
        one = metric(row["name"])
        assert list(row["parameters"]) == list(row["allowed"]) == list(row["meanings"])
        assert row["parameters"] == {n: getattr(one.defaults, n) for n in one.accepts}
        assert all(row["allowed"].values())
        assert all(row["meanings"].values())
        assert (row["formula"], row["misleads"]) == (one.formula, one.misleads)


@pytest.mark.parametrize("name", METRICS)
def test_formula_and_misleads_are_shown(run: Run, name: str) -> None:
    one = METRICS[name]
    lines = run("metrics", name).out.splitlines()
    start = lines.index("Formula, with the defaults:") + 1
    stop = lines.index("", start)
    assert r", \quad ".join(line.removeprefix("  ") for line in lines[start:stop]) == one.formula
    said = lines[stop + 1 : lines.index("", stop + 1)]
    assert " ".join(said) == f"Misleads: {one.misleads}"
    assert max(map(len, said)) <= 100


def test_a_metric_without_formula_and_misleads(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = replace(metric("npmi"), formula="", misleads="")
    monkeypatch.setattr("tealeaves.metrics.description.metric", lambda _: bare)
    out = run("metrics", "npmi").out
    assert "Formula" not in out
    assert "Misleads" not in out
    assert "\n\nJudges topics" in out
    assert "\n\n\n" not in out
