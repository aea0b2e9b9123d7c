"""The chart of a comparison: the mean of each model with its interval, a panel a metric."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tealeaves.extras import require
from tealeaves.report.charts.style import COLOURS, DARK, GREY, chart_of, configured, known, titled

if TYPE_CHECKING:
    from tealeaves.comparison import ComparedModel, Comparison

_WIDTH, _STEP = 250, 26
_COLUMNS = 3
_LONGEST_NAME = 360  # pixels; longer names are cut
_SPREAD = [-0.5, 1.5]  # points keep to the middle half of their row
_LETTERS = 10  # pixels right of a panel
_MANY = 15  # points of a model that begin to hide each other
_TURN = 0.618034  # of the golden ratio: points that follow each other come to lie apart


def comparison_chart(comparison: Comparison) -> Any:
    """Return an Altair chart: means with their intervals, topics or runs as points, letters.

    Each metric has a panel of its own, up to three side by side; models stand in the order given.
    """
    altair = require("altair", extra="report", reason="a chart")
    metrics = list(dict.fromkeys(row.metric for row in comparison.summary))
    rows = []
    for start in range(0, len(metrics), _COLUMNS):
        beside = metrics[start : start + _COLUMNS]
        panels = [
            _panel(altair, comparison, metric, named=number == 0)
            for number, metric in enumerate(beside)
        ]
        rows.append(altair.hconcat(*panels, spacing=32))
    chart = altair.vconcat(*rows, spacing=28)
    title = titled(altair, _title(comparison), _subtitle(comparison))
    return configured(chart.properties(title=title))


def _title(comparison: Comparison) -> str:
    what = "models" if comparison.design.over == "topics" else "families of models"
    metrics = len({row.metric for row in comparison.summary})
    on = f"{metrics} metrics" if metrics > 1 else comparison.summary[0].metric
    return f"{len(comparison.models)} {what} on {on}"


def _subtitle(comparison: Comparison) -> list[str]:
    design = comparison.design
    points = "topics" if design.over == "topics" else "runs"
    shared = (
        f"; models that share a letter do not differ significantly (p ≤ {design.level:g})"
        if any(row.letters for row in comparison.summary)
        else ""
    )
    drawn = f"mean with {100 * (1 - design.level):g} % interval"
    drawn += f"; points: {points}" if comparison.units else ""
    return [drawn + shared, comparison.tested]


def _remark(row: ComparedModel) -> str:
    """Say why a model has no mean where others may have one."""
    if math.isfinite(row.value):
        return ""
    return "no value" if math.isnan(row.value) else "mean is infinite"


def _silence(comparison: Comparison, metric: str) -> str:
    """Say why a metric has no letters; a space where it has some, for all are to be as high."""
    rows = [row for row in comparison.summary if row.metric == metric]
    if all(math.isnan(row.value) for row in rows):
        return "no model has a value"
    if metric in comparison.without_letters:
        return "no letters: no test could reach the level"
    if any(row.letters for row in rows):
        return " "
    whole = all(row.n == 0 for row in rows)
    return "no letters: one value a model" if whole else "no letters: nothing could be tested"


def _panel(altair: Any, comparison: Comparison, metric: str, *, named: bool) -> Any:
    """Draw one metric; only the first of a row names the models."""
    means, points = _means(comparison, metric), _points(comparison, metric)
    axis = altair.Axis(
        title=None, labels=named, ticks=False, domain=False, labelLimit=_LONGEST_NAME, grid=True
    )
    y = altair.Y("model:N", sort=comparison.models, axis=axis)
    title = f"{metric} ({comparison.better[metric]} is better)"
    scale = altair.Scale(zero=False, **_room(means, points))
    x = altair.X(
        "value:Q",
        title=title,
        scale=scale,
        axis=altair.Axis(tickCount=5, labelFlush=False, titleLimit=_WIDTH),
    )
    base = chart_of(altair, means).encode(y=y)
    right = altair.value(_WIDTH + _LETTERS)
    dots = (
        chart_of(altair, points)
        .mark_circle(**_dots(len(points) / len(means)), color=COLOURS[0])
        .encode(
            x=x,
            y=y,
            yOffset=altair.YOffset("offset:Q", scale=altair.Scale(domain=_SPREAD)),
            tooltip=["model:N", "unit:N", "value:Q"],
        )
    )
    layers = [
        *([dots] if points else []),
        base.mark_rule(strokeWidth=2, color=DARK).encode(
            x=altair.X("low:Q", title=title), x2="high:Q"
        ),
        base.mark_point(filled=True, size=60, opacity=1, color=DARK).encode(
            x=x, tooltip=["model:N", "value:Q", "low:Q", "high:Q", "n:Q", "letters:N"]
        ),
        base.mark_text(align="left", fontSize=12, color=DARK).encode(x=right, text="letters:N"),
        base.mark_text(align="left", fontSize=10, fontStyle="italic", color=GREY).encode(
            x=right, text="remark:N"
        ),
    ]
    said = titled(altair, _silence(comparison, metric), size=10)
    said.fontWeight, said.fontStyle, said.color, said.offset = "normal", "italic", GREY, 4
    return altair.layer(*layers, width=_WIDTH, height=altair.Step(_STEP), title=said)


def _dots(each: float) -> dict[str, float]:
    """Return how points look: many are fainter than a few."""
    return {"size": 16, "opacity": 0.3} if each > _MANY else {"size": 26, "opacity": 0.5}


def _means(comparison: Comparison, metric: str) -> list[dict[str, Any]]:
    return [
        {
            "model": row.model,
            "value": known(row.value),
            "low": known(row.low),
            "high": known(row.high),
            "n": row.n,
            "letters": row.letters,
            "remark": _remark(row),
        }
        for row in comparison.summary
        if row.metric == metric
    ]


def _points(comparison: Comparison, metric: str) -> list[dict[str, Any]]:
    """Return the units, a little apart in height so that equal ones do not hide each other."""
    units = [row for row in comparison.units if row.metric == metric and math.isfinite(row.value)]
    return [
        {
            "model": row.model,
            "unit": row.unit,
            "value": row.value,
            "offset": round(number * _TURN % 1, 4),
        }
        for number, row in enumerate(units)
    ]


def _room(means: list[dict[str, Any]], points: list[dict[str, Any]]) -> dict[str, Any]:
    """Return limits around a single value, for which an axis would have none of its own."""
    values = {row["value"] for row in [*means, *points] if row["value"] is not None}
    if not values:
        return {"domain": [0, 1]}
    if len(values) != 1:
        return {}
    [value] = values
    step = abs(value) / 10 or 0.1
    return {"domain": [value - step, value + step], "nice": True}
