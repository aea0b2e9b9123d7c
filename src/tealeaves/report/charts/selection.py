"""The chart of a selection: each metric against the number of topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tealeaves.report.charts.blocks.axes import ValueAxis, domain_of_one
from tealeaves.report.charts.blocks.curve import Curve
from tealeaves.report.charts.blocks.headings import titled
from tealeaves.report.charts.blocks.panels import configured, stacked
from tealeaves.report.charts.blocks.points import scatter
from tealeaves.report.charts.blocks.rows import chart_of, finite
from tealeaves.report.charts.blocks.style import DARK, alt, by_name, colours, tooltip

if TYPE_CHECKING:
    from tealeaves.models.selection.result import Selection

_WIDTH, _HEIGHT = 520, 260
_TICKS = 20


def selection_chart(selection: Selection) -> Any:
    """Return an Altair chart: means with their intervals, the runs as points, the choice marked.

    Each metric has a panel; the first one decides.
    """
    panels = [_metric_panel(selection, metric) for metric in selection.better]
    title = f"Nothing chosen: no model has a finite value of {selection.criterion}"
    if selection.best is not None:
        title = f"Chosen: {selection.best.family}"
    heading = titled(title, _subtitle(selection))
    return configured(stacked(panels, spacing=24, title=heading, own=()))


def _subtitle(selection: Selection) -> str:
    counts = {one.means[selection.criterion].runs for one in selection.candidates} - {0}
    most = max(counts, default=0)
    runs = f"{most} runs" if len(counts) == 1 else f"up to {most} runs"
    text = (
        f"lines are means of {runs}; bands are 95 % intervals with the pooled variance of runs; "
        "points are runs"
    )
    if most < 2:
        text = "each point is one run" if most else "no run has a value"
    return f"{text}; topics are weighted by {selection.weight}" if selection.weight else text


def _metric_panel(selection: Selection, metric: str) -> Any:
    means, runs = _means(selection, metric), _runs(selection, metric)
    kinds = list(dict.fromkeys(one.kind for one in selection.candidates))
    legend = alt.Legend(title="model", symbolOpacity=1) if len(kinds) > 1 else None
    palette = dict(zip(kinds, colours(len(kinds)), strict=True))
    x, colour = _topics_axis(selection).x("k"), by_name(alt.Color, "model", palette, legend=legend)
    title = f"{metric} ({selection.better[metric]} is better)"
    limits = domain_of_one(row["value"] for row in runs)
    values = ValueAxis(title, {"zero": False, **limits}, {})
    curve = Curve(chart_of(means).encode(x=x, color=colour), values, "mean")
    points = scatter(runs, size=22, opacity=0.55, aria=True)
    layers = [
        *([curve.band(opacity=0.15)] if any(row["low"] is not None for row in means) else []),
        curve.line(strokeWidth=2),
        points.encode(
            x=x, y=values.y(), color=colour, tooltip=tooltip("run:N k:Q", ("value:Q", "", ".4g"))
        ),
        _choice([row for row in means if row["chosen"]], x, values.y("mean")),
    ]
    return alt.layer(*layers, width=_WIDTH, height=_HEIGHT)


def _choice(chosen: list[dict[str, Any]], x: Any, y: Any) -> Any:
    """Return a ring around the chosen mean, with its number of topics."""
    base = chart_of(chosen).encode(x=x, y=y)
    ring = base.mark_point(size=160, strokeWidth=2, color=DARK, filled=False)
    text = base.mark_text(dy=-16, fontWeight="bold", fontSize=12, color=DARK)
    return ring + text.encode(text="label:N")


def _topics_axis(selection: Selection) -> ValueAxis:
    """Return the axis of numbers of topics, with a tick at each that was tried."""
    tried = sorted({one.k for one in selection.candidates})
    ticks = {"values": tried} if len(tried) <= _TICKS else {"tickMinStep": 1}
    scale = {"zero": False, "nice": False, "padding": 14}
    return ValueAxis("number of topics", scale, {"grid": False, "format": "d", **ticks})


def _means(selection: Selection, metric: str) -> list[dict[str, Any]]:
    return [
        {
            "model": one.kind,
            "k": one.k,
            "mean": finite(mean.value),
            "low": finite(mean.low),
            "high": finite(mean.high),
            "chosen": one is selection.best,
            "label": f"k = {one.k}",
        }
        for one in selection.candidates
        for mean in [one.means[metric]]
    ]


def _runs(selection: Selection, metric: str) -> list[dict[str, Any]]:
    return [
        {"model": one.kind, "k": one.k, "run": run.label, "value": finite(run.values[metric])}
        for one in selection.candidates
        for run in one.runs
    ]
