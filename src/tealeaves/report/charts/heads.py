"""The chart of heads: how confident and how important each one is, and which were chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.report.charts.blocks import decimal
from tealeaves.report.charts.style import (
    COLOURS,
    DARK,
    beside,
    chart_of,
    configured,
    filled,
    known,
    stacked,
    titled,
)

_WIDE, _HIGH = 40, 30  # pixels of a cell
_MOST = 12  # more heads in a layer put the second map below the first
_QUANTILE = 0.95  # of the distances from a uniform share: where the colours end
_STRONG = 0.75  # numbers on darker cells are white
_NEUTRAL, _UNKNOWN = "#f7f7f7", "#cfcfcf"
_TITLE = "Heads of the classifier"


class _Shown(NamedTuple):
    """One of the two maps: what it shows, which heads it marks, and its colours."""

    field: str
    chosen: str
    title: str
    lines: list[str]
    domain: list[float]
    colours: list[str]


def heads_chart(
    rows: Sequence[Mapping[str, Any]], *, title: str = _TITLE, subtitle: str | Sequence[str] = ""
) -> Any:
    """Return an Altair chart: confidence and importance of each head, layer by layer.

    A row has ``layer``, ``head``, ``confidence``, ``importance``, and whether the head is among the
    ``confident`` and the ``important`` ones: those are outlined. Importance is coloured around
    1/H, the share that each of the H heads of a layer would have if all had the same.
    """
    altair = require("altair", extra="report", reason="a chart")
    if not rows:
        raise InputError("there are no heads to draw")
    heads = len({row["head"] for row in rows})
    maps = [_confidence(rows), _importance(rows, heads)]
    lines = max(len(one.lines) for one in maps)
    drawn = [_panel(altair, rows, one, lines) for one in maps]
    together = beside if heads <= _MOST else stacked
    return configured(together(altair, drawn, title=titled(altair, title, subtitle)))


def _confidence(rows: Sequence[Mapping[str, Any]]) -> _Shown:
    largest = float(np.max(_finite(rows, "confidence"), initial=0.0)) or 1.0
    lines = ["mean of the largest attention of each word piece", _marked(rows, "confident")]
    colours = [_NEUTRAL, COLOURS[0]]
    return _Shown("confidence", "confident", "Confidence", lines, [0.0, largest], colours)


def _importance(rows: Sequence[Mapping[str, Any]], heads: int) -> _Shown:
    """Colour by the distance from a uniform share; a few huge shares do not pale the others."""
    uniform = 1 / heads
    away = np.abs(_finite(rows, "importance") - uniform)
    limit = float(np.quantile(away, _QUANTILE) or away.max()) if away.size else 0.0
    limit = limit or 1.0
    lines = [
        f"share of the layer's relevance; white: 1/{heads} = {uniform:.3f}, all the same",
        _marked(rows, "important"),
    ]
    if (beyond := int((away > limit).sum())) > 0:
        lines.append(
            f"colours end {limit:.2f} from white; {beyond:,} of {away.size:,} heads lie beyond"
        )
    domain = [uniform - limit, uniform, uniform + limit]
    colours = [COLOURS[1], _NEUTRAL, COLOURS[0]]
    return _Shown("importance", "important", "Importance", lines, domain, colours)


def _finite(rows: Sequence[Mapping[str, Any]], field: str) -> Any:
    values = np.array([row[field] for row in rows], dtype=np.float64)
    return values[np.isfinite(values)]


def _marked(rows: Sequence[Mapping[str, Any]], chosen: str) -> str:
    return f"outlined: the {chosen} heads ({sum(bool(row[chosen]) for row in rows):,})"


def _panel(altair: Any, rows: Sequence[Mapping[str, Any]], one: _Shown, lines: int) -> Any:
    layers, heads = (sorted({row[side] for row in rows}) for side in ("layer", "head"))
    cells = [_cell(row, one) for row in rows]
    x = _axis(altair.X, altair, "head", heads)
    y = _axis(altair.Y, altair, "layer", layers)
    tooltip = _tooltip(altair)
    base = chart_of(altair, cells).encode(x=x, y=y, tooltip=tooltip)
    scale = altair.Scale(domain=one.domain, range=one.colours, interpolate="rgb", clamp=True)
    legend = altair.Legend(title=None, format=".2f", tickCount=4, gradientLength=110)
    colour = altair.Color(f"{one.field}:Q", scale=scale, legend=legend)
    nothing = altair.condition(f"datum.{one.field} === null", altair.value(_UNKNOWN), colour)
    chosen = chart_of(altair, [cell for cell in cells if cell[one.chosen]])
    white = altair.condition("datum.strong", altair.value("white"), altair.value(DARK))
    drawn = [
        base.mark_rect(stroke="white", strokeWidth=1, invalid=None, aria=False).encode(
            color=nothing
        ),
        chosen.mark_rect(fill=None, stroke=DARK, strokeWidth=2, aria=False).encode(x=x, y=y),
        base.mark_text(fontSize=10, aria=False).encode(text="text:N", color=white),
    ]
    heading = titled(altair, one.title, filled(one.lines, lines), size=12)
    size = {"width": _WIDE * len(heads), "height": _HIGH * len(layers)}
    return altair.layer(*drawn, **size, title=heading)


def _axis(channel: Any, altair: Any, field: str, values: list[int]) -> Any:
    axis = altair.Axis(labelAngle=0, ticks=False, domain=False)
    # the outline of a cell at the edge stays inside
    scale = altair.Scale(domain=values, paddingInner=0.06, paddingOuter=0.03)
    return channel(f"{field}:O", title=field, scale=scale, axis=axis)


def _cell(row: Mapping[str, Any], one: _Shown) -> dict[str, Any]:
    value = known(row[one.field])
    middle, end = (one.domain[1], one.domain[2]) if len(one.domain) > 2 else one.domain
    strength = 0.0 if value is None else abs(value - middle) / (end - middle)
    return {
        "layer": int(row["layer"]),
        "head": int(row["head"]),
        "confidence": known(row["confidence"]),
        "importance": known(row["importance"]),
        "confident": bool(row["confident"]),
        "important": bool(row["important"]),
        "text": decimal(value),
        "strong": strength > _STRONG,
    }


def _tooltip(altair: Any) -> list[Any]:
    return [
        altair.Tooltip("layer:O"),
        altair.Tooltip("head:O"),
        altair.Tooltip("confidence:Q", format=".4f"),
        altair.Tooltip("importance:Q", format=".4f"),
    ]
