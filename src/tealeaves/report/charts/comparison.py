"""The chart of a comparison: the mean of each model with its interval, a panel for each metric."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tealeaves.report.charts.blocks.axes import ValueAxis, domain_of_one, name_axis
from tealeaves.report.charts.blocks.headings import titled
from tealeaves.report.charts.blocks.intervals import points_with_intervals
from tealeaves.report.charts.blocks.numbers import percent
from tealeaves.report.charts.blocks.panels import beside, configured, stacked
from tealeaves.report.charts.blocks.points import crowd_look
from tealeaves.report.charts.blocks.rows import chart_of, fields
from tealeaves.report.charts.blocks.style import COLOURS, DARK, GREY, alt, tooltip
from tealeaves.report.charts.blocks.swarm import aside, golden_ratio_spread

if TYPE_CHECKING:
    from tealeaves.comparison import ComparedModel, Comparison

_WIDTH, _STEP = 250, 26
_COLUMNS = 3
_LONGEST_NAME = 360  # pixels; longer names are cut
_SPREAD = [-0.5, 1.5]  # points stay in the middle half of their row
_LETTERS = 10  # pixels right of a panel
_FEW = 15  # points of a model that do not hide each other


def comparison_chart(comparison: Comparison) -> Any:
    """Return an Altair chart: means with their intervals, topics or runs as points, letters.

    Each metric has a panel, up to three side by side. Models keep their order.
    """
    metrics = list(dict.fromkeys(row.metric for row in comparison.summary))
    panels = [
        _metric_panel(comparison, metric, named=number % _COLUMNS == 0)
        for number, metric in enumerate(metrics)
    ]
    rows = [
        beside(panels[start : start + _COLUMNS], spacing=32, own=())
        for start in range(0, len(panels), _COLUMNS)
    ]
    design = comparison.design
    compared = "models" if design.over == "topics" else "families of models"
    on = f"{len(metrics)} metrics" if len(metrics) > 1 else metrics[0]
    title = titled(f"{len(comparison.models)} {compared} on {on}", _subtitle(comparison))
    return configured(stacked(rows, spacing=28, title=title, own=()))


def _subtitle(comparison: Comparison) -> list[str]:
    design = comparison.design
    line = f"dark points are means with {percent(1 - design.level)} intervals"
    if comparison.units:
        line += f"; pale ones are {'topics' if design.over == 'topics' else 'runs'}"
    if any(row.letters for row in comparison.summary):
        line += f"; models that share a letter do not differ significantly (p ≤ {design.level:g})"
    return [line, comparison.tested]


def _metric_panel(comparison: Comparison, metric: str, *, named: bool) -> Any:
    """Return the panel of one metric; only the first of a row names the models."""
    means, points = _means(comparison, metric), _points(comparison, metric)
    look: dict[str, Any] = {"labels": named, "labelLimit": _LONGEST_NAME, "grid": True}
    y = name_axis(alt.Y, "model:N", comparison.models, **look)
    known = [row["value"] for row in [*means, *points] if row["value"] is not None]
    domain = domain_of_one(known) if known else {"domain": [0, 1]}
    values = ValueAxis(
        f"{metric} ({comparison.better[metric]} is better)",
        {"zero": False, **domain},
        {"tickCount": 5, "labelFlush": False, "titleLimit": _WIDTH},
    )
    base = chart_of(means).encode(y=y)
    right = alt.value(_WIDTH + _LETTERS)
    layers = [
        *([_units(points, len(points) / len(means), values.x(), y)] if points else []),
        *points_with_intervals(
            base,
            values,
            rule={"strokeWidth": 2, "color": DARK},
            point={"filled": True, "size": 60, "opacity": 1, "color": DARK},
            tooltip=tooltip(
                "model:N", *(_number(name) for name in ("value", "low", "high")), "n:Q letters:N"
            ),
        ),
        base.mark_text(align="left", fontSize=12, color=DARK).encode(x=right, text="letters:N"),
        base.mark_text(align="left", fontSize=10, fontStyle="italic", color=GREY).encode(
            x=right, text="remark:N"
        ),
    ]
    note = titled(_note(comparison, metric), size=10, offset=4)
    note.fontWeight, note.fontStyle, note.color = "normal", "italic", GREY
    return alt.layer(*layers, width=_WIDTH, height=alt.Step(_STEP), title=note)


def _units(points: list[dict[str, Any]], each: float, x: Any, y: Any) -> Any:
    """Return the points of topics or runs; many are fainter than a few."""
    look = crowd_look(each, _FEW, (26, 0.5), (16, 0.3))
    circles = chart_of(points).mark_circle(**look, color=COLOURS[0])
    tooltips = tooltip("model:N unit:N", _number("value"))
    return circles.encode(x=x, y=y, yOffset=aside("offset", _SPREAD), tooltip=tooltips)


def _number(field: str) -> tuple[str, str, str]:
    return f"{field}:Q", "", ".4g"


def _note(comparison: Comparison, metric: str) -> str:
    """Return why a metric has no letters; a space if it has some, so that panels are aligned."""
    rows = [row for row in comparison.summary if row.metric == metric]
    if all(math.isnan(row.value) for row in rows):
        return "no model has a value"
    if metric in comparison.without_letters:
        return "no letters: no test could reach the level"
    if any(row.letters for row in rows):
        return " "
    whole = all(row.n == 0 for row in rows)
    return (
        "no letters: each model has one value" if whole else "no letters: nothing could be tested"
    )


def _means(comparison: Comparison, metric: str) -> list[dict[str, Any]]:
    return [
        fields(row, "model", "value", "low", "high", "n", "letters") | {"remark": _remark(row)}
        for row in comparison.summary
        if row.metric == metric
    ]


def _remark(row: ComparedModel) -> str:
    if math.isfinite(row.value):
        return ""
    return "no value" if math.isnan(row.value) else "mean is infinite"


def _points(comparison: Comparison, metric: str) -> list[dict[str, Any]]:
    """Return the units, at different heights, so that equal ones do not hide each other."""
    units = [row for row in comparison.units if row.metric == metric and math.isfinite(row.value)]
    return [
        fields(row, "model", "unit", "value") | {"offset": offset}
        for row, offset in zip(units, golden_ratio_spread(len(units)), strict=True)
    ]
