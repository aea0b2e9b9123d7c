"""The chart of a selection: each metric against the number of topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tealeaves.report.charts.style import (
    DARK,
    alt,
    chart_of,
    colours,
    configured,
    domain_of_one,
    finite,
    titled,
)

if TYPE_CHECKING:
    from tealeaves.models.selection.result import Selection

_WIDTH, _HEIGHT = 520, 260
_TICKS = 20


def selection_chart(selection: Selection) -> Any:
    """Return an Altair chart: means with their intervals, the runs as points, the choice marked.

    Each metric has a panel; the first one decides.
    """
    panels = [_panel(selection, metric) for metric in selection.better]
    title = f"Nothing chosen: no model has a finite value of {selection.criterion}"
    if selection.best is not None:
        title = f"Chosen: {selection.best.family}"
    heading = titled(title, _subtitle(selection))
    return configured(alt.vconcat(*panels, spacing=24, title=heading))


def _subtitle(selection: Selection) -> str:
    counts = {one.means[selection.criterion].runs for one in selection.candidates} - {0}
    most = max(counts, default=0)
    runs = f"{most} runs" if len(counts) == 1 else f"up to {most} runs"
    text = f"mean of {runs}; band: 95 % interval, variance of runs pooled; points: runs"
    if most < 2:
        text = "one run each" if most else "no run has a value"
    return f"{text}; topics weighted by {selection.weight}" if selection.weight else text


def _panel(selection: Selection, metric: str) -> Any:
    means, runs = _means(selection, metric), _runs(selection, metric)
    kinds = list(dict.fromkeys(one.kind for one in selection.candidates))
    x = _x(selection)
    legend = alt.Legend(title="model", symbolOpacity=1) if len(kinds) > 1 else None
    scale = alt.Scale(domain=kinds, range=colours(len(kinds)))
    colour = alt.Color("model:N", scale=scale, legend=legend)
    title = f"{metric} ({selection.better[metric]} is better)"
    limits = domain_of_one(row["value"] for row in runs)
    y = alt.Y("mean:Q", title=title, scale=alt.Scale(zero=False, **limits))
    base = chart_of(means).encode(x=x, color=colour)
    band = base.mark_area(opacity=0.15).encode(y=alt.Y("low:Q", title=title), y2="high:Q")
    points = chart_of(runs).mark_point(filled=True, size=22, opacity=0.55)
    layers = [
        *([band] if any(row["low"] is not None for row in means) else []),
        base.mark_line(strokeWidth=2).encode(y=y),
        points.encode(
            x=x,
            y=alt.Y("value:Q", title=title),
            color=colour,
            tooltip=["run:N", "k:Q", "value:Q"],
        ),
        _choice([row for row in means if row["chosen"]], x, y),
    ]
    return alt.layer(*layers, width=_WIDTH, height=_HEIGHT)


def _choice(chosen: list[dict[str, Any]], x: Any, y: Any) -> Any:
    """Return a ring around the chosen mean, with its number of topics."""
    base = chart_of(chosen).encode(x=x, y=y)
    ring = base.mark_point(size=160, strokeWidth=2, color=DARK, filled=False)
    text = base.mark_text(dy=-16, fontWeight="bold", fontSize=12, color=DARK)
    return ring + text.encode(text="label:N")


def _x(selection: Selection) -> Any:
    """Return the axis of numbers of topics, with a tick at each that was tried."""
    tried = sorted({one.k for one in selection.candidates})
    ticks = {"values": tried} if len(tried) <= _TICKS else {"tickMinStep": 1}
    return alt.X(
        "k:Q",
        title="number of topics",
        axis=alt.Axis(grid=False, format="d", **ticks),
        scale=alt.Scale(zero=False, nice=False, padding=14),
    )


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
