"""The chart of a selection: a metric against the number of topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tealeaves.extras import require
from tealeaves.report.charts.style import DARK, chart_of, colours, configured, known, titled

if TYPE_CHECKING:
    from tealeaves.models.selection.result import Selection

_WIDTH, _HEIGHT = 520, 260
_TICKS = 20


def selection_chart(selection: Selection) -> Any:
    """Return an Altair chart: means with their intervals, the runs as points, the choice marked.

    Each metric has a panel of its own; the first one decides.
    """
    altair = require("altair", extra="report", reason="a chart")
    panels = [_panel(altair, selection, metric) for metric in selection.better]
    title = titled(altair, _title(selection), _subtitle(selection))
    return configured(altair.vconcat(*panels, spacing=24).properties(title=title))


def _title(selection: Selection) -> str:
    if selection.best is None:
        return f"Nothing chosen: no model has a finite value of {selection.criterion}"
    return f"Chosen: {selection.best.family}"


def _subtitle(selection: Selection) -> str:
    counts = {one.mean(selection.criterion).runs for one in selection.candidates} - {0}
    most = max(counts, default=0)
    runs = f"{most} runs" if len(counts) == 1 else f"up to {most} runs"
    shown = f"mean of {runs}; band: 95 % interval, variance of runs pooled; points: runs"
    if most < 2:
        shown = "one run each" if most else "no run has a value"
    return f"{shown}; topics weighted by {selection.weight}" if selection.weight else shown


def _panel(altair: Any, selection: Selection, metric: str) -> Any:
    means, runs = _means(selection, metric), _runs(selection, metric)
    kinds = list(dict.fromkeys(one.kind for one in selection.candidates))
    x = _axis(altair, selection)
    legend = altair.Legend(title="model", symbolOpacity=1) if len(kinds) > 1 else None
    scale = altair.Scale(domain=kinds, range=colours(len(kinds)))
    colour = altair.Color("model:N", scale=scale, legend=legend)
    title = f"{metric} ({selection.better[metric]} is better)"
    y = altair.Y("mean:Q", title=title, scale=altair.Scale(zero=False, **_room(runs)))
    base = chart_of(altair, means).encode(x=x, color=colour)
    band = base.mark_area(opacity=0.15).encode(y=altair.Y("low:Q", title=title), y2="high:Q")
    layers = [
        *([band] if any(row["low"] is not None for row in means) else []),
        base.mark_line(strokeWidth=2).encode(y=y),
        chart_of(altair, runs)
        .mark_point(filled=True, size=22, opacity=0.55)
        .encode(
            x=x,
            y=altair.Y("value:Q", title=title),
            color=colour,
            tooltip=["run:N", "k:Q", "value:Q"],
        ),
        _mark(altair, means, x, y),
    ]
    return altair.layer(*layers).properties(width=_WIDTH, height=_HEIGHT)


def _room(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return limits around a single value, for which an axis would have none of its own."""
    values = {row["value"] for row in runs if row["value"] is not None}
    if len(values) != 1:
        return {}
    [value] = values
    step = abs(value) / 10 or 0.1
    return {"domain": [value - step, value + step], "nice": True}


def _mark(altair: Any, means: list[dict[str, Any]], x: Any, y: Any) -> Any:
    """Return a ring around the chosen mean, with its number of topics."""
    chosen = [row for row in means if row["chosen"]]
    base = chart_of(altair, chosen).encode(x=x, y=y)
    ring = base.mark_point(size=160, strokeWidth=2, color=DARK, filled=False)
    text = base.mark_text(dy=-16, fontWeight="bold", fontSize=12, color=DARK)
    return ring + text.encode(text=altair.Text("label:N"))


def _axis(altair: Any, selection: Selection) -> Any:
    """Return the axis of numbers of topics, with a tick at each that was tried."""
    tried = sorted({one.k for one in selection.candidates})
    ticks = {"values": tried} if len(tried) <= _TICKS else {"tickMinStep": 1}
    return altair.X(
        "k:Q",
        title="number of topics",
        axis=altair.Axis(grid=False, format="d", **ticks),
        scale=altair.Scale(zero=False, nice=False, padding=14),
    )


def _means(selection: Selection, metric: str) -> list[dict[str, Any]]:
    rows = []
    spread = selection.spread(metric)
    for one in selection.candidates:
        mean = one.mean(metric)
        half = spread.half(mean)
        rows.append(
            {
                "model": one.kind,
                "k": one.k,
                "mean": known(mean.value),
                "low": known(mean.value - half),
                "high": known(mean.value + half),
                "chosen": one is selection.best,
                "label": f"k = {one.k}",
            }
        )
    return rows


def _runs(selection: Selection, metric: str) -> list[dict[str, Any]]:
    return [
        {
            "model": one.kind,
            "k": one.k,
            "run": run.label,
            "value": known(run.values[metric]),
        }
        for one in selection.candidates
        for run in one.runs
    ]
