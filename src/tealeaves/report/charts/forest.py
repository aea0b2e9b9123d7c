"""Forest plots: coefficients of all metrics as points with their intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.extras import require
from tealeaves.report.charts.blocks import NAMES, Block, decimal, drawn_blocks
from tealeaves.report.charts.intervals import WIDTH, Intervals, limits
from tealeaves.report.charts.rules import Rule, offset_above, ruled
from tealeaves.report.charts.style import (
    GREY,
    chart_of,
    colours,
    configured,
    known,
    stacked,
    titled,
)

if TYPE_CHECKING:
    from tealeaves.judgments.correlation.result import Correlation, Correlations

_BESIDE = 8  # pixels right of the panel
_TITLE = "How well metrics agree with people"


def forest_chart(found: Correlations) -> Any:
    """Return an Altair chart: points and intervals of all metrics, the human ceiling dashed.

    There is a panel for each data set and task (and model, where they were taken apart), the
    metric that agrees best on top. Hollow points hold another metric fast.
    """
    altair = require("altair", extra="report", reason="a chart")
    blocks, title = drawn_blocks(found, _TITLE)
    domain = forest_domain(blocks)
    panels = [forest_panel(altair, block, domain, title=block.title) for block in blocks]
    return configured(stacked(altair, panels, title=titled(altair, title)))


def forest_domain(blocks: Sequence[Block]) -> list[float]:
    """Return the limits of the axis, the same for all blocks, so that they can be compared."""
    rows = [row for block in blocks for row in block.rows]
    rules = [side for block in blocks for rule in _rules(block) for side in rule.sides]
    return limits([*(v for row in rows for v in (row.value, row.low, row.high)), *rules])


def forest_panel(altair: Any, block: Block, domain: list[float], *, title: str) -> Any:
    """Return the forest of one block, without configuration."""
    strokes, fills = _colours(block)
    drawing = Intervals(
        altair,
        [_row(block, row) for row in block.rows],
        [block.label(metric) for metric in block.metrics],
        strokes,
        fills,
        domain,
        axis="coefficient",
        legend="coefficient",
        tooltip=_tooltip(altair),
    )
    layers = [
        drawing.zero(),
        *ruled(drawing, _rules(block)),
        *drawing.layers(),
        *_values_of_p(drawing),
        drawing.remarks(_remarks(block)),
    ]
    heading = titled(altair, title, forest_subtitle(block), size=13)
    return altair.layer(*layers, width=WIDTH, height=drawing.height, title=heading)


def _row(block: Block, row: Correlation) -> dict[str, Any]:
    return {
        "label": block.label(row.metric),
        "series": _series(row),
        "value": known(row.value),
        "low": known(row.low),
        "high": known(row.high),
        "interval": f"{decimal(row.low)} to {decimal(row.high)}",
        "n": row.n,
        "dropped": row.dropped,
        "clusters": row.clusters,
        "draws": row.draws,
        "p": known(row.p),
        "p_corrected": known(row.p_corrected),
        "remark": row.remark,
    }


def _series(row: Correlation) -> str:
    name = NAMES[row.coefficient]
    return f"{name} given {row.control}" if row.control else name


def _colours(block: Block) -> tuple[dict[str, str], dict[str, str]]:
    """Return a colour for each coefficient; points are white inside where a metric is held."""
    palette = dict(zip(block.coefficients, colours(len(block.coefficients)), strict=True))
    held = {_series(row): (palette[row.coefficient], row.control) for row in block.rows}
    strokes = {name: colour for name, (colour, _) in held.items()}
    return strokes, {name: "white" if control else c for name, (c, control) in held.items()}


def _rules(block: Block) -> list[Rule]:
    """Return the ceiling and what is attainable, those of them that are known."""
    mirrored = any(block.better.get(row.metric) == "lower" for row in block.rows)
    known_ones = (
        (block.ceiling, "one person and the others", block.first, [4, 3]),
        (block.attainable, "highest to be expected", "pearson", [1, 3]),
    )
    return [
        Rule(
            [value, *([-value] if mirrored and name != "phik" else [])],
            f"{text}: {decimal(value)} ({NAMES[name]})",
            dash,
        )
        for value, text, name, dash in known_ones
        if math.isfinite(value)
    ]


def forest_offset(block: Block) -> int:
    """Return the room between title and panel: that of all titles, and the texts above rules."""
    return offset_above(_rules(block))


def _values_of_p(drawing: Intervals) -> list[Any]:
    """Write p of phi_K, which is above 0 by chance alone; right of the panel nothing else is."""
    drawn = [
        {**row, "text": f"p = {row['p']:.2g}"}
        for row in drawing.rows
        if row["series"] == NAMES["phik"] and None not in (row["value"], row["p"])
    ]
    altair = drawing.altair
    text = chart_of(altair, drawn).mark_text(align="left", fontSize=9, color=GREY, aria=False)
    place = altair.value(WIDTH + _BESIDE)
    encoded = text.encode(x=place, y=drawing.y, yOffset=drawing.offset, text="text:N")
    return [encoded] if drawn else []


def _remarks(block: Block) -> list[dict[str, str]]:
    """Say why a metric has no value at all."""
    found = []
    for metric in block.metrics:
        rows = [row for row in block.rows if row.metric == metric]
        if all(math.isnan(row.value) for row in rows):
            remark = f"no value: {rows[0].remark or 'undefined'}"
            found.append({"label": block.label(metric), "remark": remark})
    return found


def _tooltip(altair: Any) -> list[Any]:
    return [
        altair.Tooltip("label:N", title="metric"),
        altair.Tooltip("series:N", title="coefficient"),
        altair.Tooltip("value:Q", format=".3f"),
        altair.Tooltip("interval:N"),
        altair.Tooltip("n:Q"),
        altair.Tooltip("dropped:Q"),
        altair.Tooltip("clusters:Q"),
        altair.Tooltip("draws:Q"),
        altair.Tooltip("p:Q", format=".4f"),
        altair.Tooltip("p_corrected:Q", title="p corrected", format=".4f"),
        altair.Tooltip("remark:N"),
    ]


def forest_subtitle(block: Block) -> list[str]:
    """Say what the forest rests on and what its signs mean."""
    lines = [block.units, block.drawn]
    if any(row.control for row in block.rows):
        lines.append(f"hollow: {block.plan.control} held fast (partial correlation)")
    if "phik" in block.coefficients:
        noise = "" if block.plan.noise_correction else "out"
        lines.append(f"phi_K: {block.plan.bins} bins, with{noise} noise correction")
    return [*lines, *block.lower]
