"""The chart of languages left out: how well raw CNPMI and estimates agree with the target."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.estimator.evaluation import ALL
from tealeaves.extras import require
from tealeaves.report.charts.blocks import decimal, span
from tealeaves.report.charts.intervals import Intervals, limits
from tealeaves.report.charts.style import (
    COLOURS,
    DARK,
    GREY,
    chart_of,
    configured,
    filled,
    known,
    titled,
)
from tealeaves.tables.numbers import SIGNIFICANCE_LEVEL

if TYPE_CHECKING:
    from tealeaves.estimator.evaluation import EstimatorEvaluation, EvaluatedLanguage

_WIDTH = 320
_BESIDE, _ABOVE = 58, 9  # pixels: right of the panel, and above it
_MEAN, _GAP = "mean", " "
_TITLE = "How well languages are estimated that were left out"
_LEVELS = {"topic": "Over topics", "model": "Over models"}


def left_out_chart(found: EstimatorEvaluation) -> Any:
    """Return an Altair chart: Pearson's r of the raw CNPMI and of the estimate, a line a language.

    Topics are on the left, models on the right; the mean over languages is on top, and below it
    the language that is estimated best over topics comes first.
    """
    altair = require("altair", extra="report", reason="a chart")
    levels = [level for level in _LEVELS if any(row.level == level for row in found.rows)]
    if not levels:
        raise InputError("there is no evaluation to draw")
    labels = _labels(found, levels[0])
    parts = {level: _rows(found, level) for level in levels}
    ends = (row[end] for some in parts.values() for row in some for end in ("value", "low", "high"))
    domain = limits(end for end in ends if end is not None)
    said = {level: _said(found, level) for level in levels}
    least = max(map(len, said.values()))
    panels = []
    for level, rows in parts.items():
        drawing = _drawing(altair, found, rows, labels, domain)
        title = titled(altair, _LEVELS[level], filled(said[level], least), size=13)
        panels.append(_panel(drawing, title))
    heading = titled(altair, _TITLE, _subtitle(found))
    # colours mean the same on both sides, which therefore share a legend
    resolve = altair.Resolve(scale=altair.ScaleResolveMap(yOffset="independent"))
    return configured(altair.hconcat(*panels, spacing=36, resolve=resolve, title=heading))


def _labels(found: EstimatorEvaluation, level: str) -> list[str]:
    """Return the lines from top to bottom: the mean, an empty one, the languages."""
    first = {
        row.language: row.estimate
        for row in found.rows
        if (row.level, row.estimator) == (level, found.estimators[0])
    }
    # those of other estimators or levels alone come last, as undefined ones do
    names = {row.language: first.get(row.language, math.nan) for row in found.rows}
    there = [_MEAN, _GAP] if names.pop(ALL, None) is not None else []
    return [*there, *sorted(names, key=lambda name: _order(name, names[name]))]


def _order(name: str, value: float) -> tuple[bool, float, str]:
    return (True, 0.0, name) if math.isnan(value) else (False, -value, name)


def _subtitle(found: EstimatorEvaluation) -> list[str]:
    at = "" if found.cardinality is None else f" of the first {found.cardinality} words"
    lines = [
        f"Pearson's r with the CNPMI{at} of the rich reference; each language is estimated by an "
        "estimator that never saw it",
    ]
    if found.draws:
        lines.append(
            f"{100 * found.confidence:g} % intervals, bootstrap over models (mean: over languages "
            f"and models), {found.draws:,} draws"
        )
        lines.append("right: estimate less raw; *: p < .05, corrected after Benjamini and Hochberg")
    else:
        lines.append("no intervals; right: estimate less raw")
    return lines


def _said(found: EstimatorEvaluation, level: str) -> list[str]:
    """Say what the points rest on, and in how many languages the estimate is better."""
    rows = [row for row in found.rows if row.level == level and row.language != ALL]
    each = "" if found.cardinality is not None else ", counted once for each number of words"
    lines = [f"{span(row.n for row in rows)} {level}s a language{each}"]
    for name in found.estimators:
        some = [row for row in rows if row.estimator == name]
        better = sum(row.better for row in some)
        if found.draws:
            lines.append(
                f"{name}: significantly better in {better} of {len(some)} languages (p corrected)"
            )
    return lines


def _rows(found: EstimatorEvaluation, level: str) -> list[dict[str, Any]]:
    """Return the points of a level: raw once for each language, then each estimator."""
    rows = [row for row in found.rows if row.level == level]
    widest: dict[str, EvaluatedLanguage] = {}
    for row in rows:
        if row.language not in widest or row.n > widest[row.language].n:
            widest[row.language] = row
    raw = f"raw {found.against}"
    return [
        *(_row(row, raw, (row.raw, row.raw_low, row.raw_high)) for row in widest.values()),
        *(
            _row(row, _series(row.estimator), (row.estimate, row.estimate_low, row.estimate_high))
            | {
                "difference": _difference(row),
                "between": _between(row.difference_low, row.difference_high),
                "p": known(row.p_corrected),
                "mae": known(row.mae),
                "coverage": known(row.coverage),
            }
            for row in rows
        ),
    ]


def _row(row: EvaluatedLanguage, series: str, values: tuple[float, float, float]) -> dict[str, Any]:
    value, low, high = values
    mean = row.language == ALL
    return {
        "label": _MEAN if mean else row.language,
        "series": series,
        "value": known(value),
        "low": known(low),
        "high": known(high),
        "interval": _between(low, high),
        "n": f"{row.n} languages" if mean else f"{row.n:,}",
    }


def _series(estimator: str) -> str:
    return f"estimate ({estimator})"


def _between(low: float, high: float) -> str:
    return f"{decimal(low)} to {decimal(high)}"


def _difference(row: EvaluatedLanguage) -> str:
    """Write a difference with its sign, and a star where p says that it is one."""
    if math.isnan(row.difference):
        return "–"
    sign = "+" if row.difference > 0 else ""
    return f"{sign}{decimal(row.difference)}{'*' if row.p_corrected < SIGNIFICANCE_LEVEL else ''}"


def _drawing(
    altair: Any,
    found: EstimatorEvaluation,
    rows: Sequence[Mapping[str, Any]],
    labels: Sequence[str],
    domain: Sequence[float],
) -> Intervals:
    raw = f"raw {found.against}"
    palette = [one for one in COLOURS if one != COLOURS[1]]
    estimators = {
        _series(name): palette[place % len(palette)] for place, name in enumerate(found.estimators)
    }
    return Intervals(
        altair,
        rows,
        labels,
        {raw: COLOURS[1], **estimators},
        {raw: "white", **estimators},
        domain,
        axis="Pearson's r",
        legend="Pearson's r of",
        tooltip=_tooltip(altair),
    )


def _panel(drawing: Intervals, title: Any) -> Any:
    layers = [
        drawing.zero(),
        *_set_apart(drawing),
        *drawing.layers(),
        *_differences(drawing),
        *_undefined(drawing),
    ]
    return drawing.altair.layer(*layers, width=_WIDTH, height=drawing.height, title=title)


def _set_apart(drawing: Intervals) -> list[Any]:
    """Draw a thin line between the mean and the languages."""
    if _GAP not in drawing.labels:
        return []
    rule = chart_of(drawing.altair, [{"label": _GAP}]).mark_rule(color="#999", aria=False)
    return [rule.encode(y=drawing.y)]


def _differences(drawing: Intervals) -> list[Any]:
    """Write differences right of the panel, beside the estimator's points."""
    altair = drawing.altair
    rows = [row for row in drawing.rows if "difference" in row]
    place = altair.XValue(_WIDTH + _BESIDE)
    text = chart_of(altair, rows).mark_text(align="right", fontSize=10, color=DARK, aria=False)
    head = chart_of(altair, [{"head": "difference"}]).mark_text(
        align="right", fontSize=10, color=GREY, aria=False
    )
    return [
        text.encode(x=place, y=drawing.y, yOffset=drawing.offset, text=altair.Text("difference:N")),
        head.encode(x=place, y=altair.YValue(-_ABOVE), text=altair.Text("head:N")),
    ]


def _undefined(drawing: Intervals) -> list[Any]:
    """Say where a coefficient has no value."""
    altair = drawing.altair
    rows = [
        {"label": row["label"], "series": row["series"], "remark": "undefined"}
        for row in drawing.rows
        if row["value"] is None
    ]
    text = chart_of(altair, rows).mark_text(
        align="left", dx=5, fontSize=9, fontStyle="italic", color=GREY, aria=False
    )
    start = altair.XDatum(max(drawing.domain[0], 0.0))
    encoded = text.encode(
        x=start, y=drawing.y, yOffset=drawing.offset, text=altair.Text("remark:N")
    )
    return [encoded] if rows else []


def _tooltip(altair: Any) -> list[Any]:
    return [
        altair.Tooltip("label:N", title="language"),
        altair.Tooltip("series:N", title="Pearson's r of"),
        altair.Tooltip("value:Q", format=".3f"),
        altair.Tooltip("interval:N"),
        altair.Tooltip("n:N"),
        altair.Tooltip("difference:N"),
        altair.Tooltip("between:N", title="its interval"),
        altair.Tooltip("p:Q", title="p corrected", format=".4f"),
        altair.Tooltip("mae:Q", title="mean absolute error", format=".4f"),
        altair.Tooltip("coverage:Q", format=".1%"),
    ]
