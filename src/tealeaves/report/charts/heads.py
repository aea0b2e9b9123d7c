"""The chart of heads: how confident and how important each one is, and which were chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tealeaves.errors import InputError
from tealeaves.report.charts.blocks.axes import name_axis
from tealeaves.report.charts.blocks.cells import (
    DIVERGING,
    NEUTRAL,
    cell_colour,
    cell_numbers,
    coloured_cells,
)
from tealeaves.report.charts.blocks.headings import aligned, titled
from tealeaves.report.charts.blocks.numbers import decimal
from tealeaves.report.charts.blocks.panels import beside, configured, stacked
from tealeaves.report.charts.blocks.rows import chart_of, finite
from tealeaves.report.charts.blocks.style import COLOURS, DARK, alt, tooltip

if TYPE_CHECKING:
    from tealeaves.evidence.attention.heads import HeadsTable

_WIDE, _HIGH = 40, 30  # pixels of a cell
_MOST = 12  # with more heads in a layer the second map is below the first
_STRONG = 0.75  # numbers on darker cells are white
_UNKNOWN = "#cfcfcf"
_TITLE = "Heads of the classifier"


class _HeadMap(NamedTuple):
    """One of the two maps: its field, the field of the heads it outlines, and its colours."""

    field: str
    chosen: str
    subtitle: list[str]
    domain: list[float]
    colours: list[str]


def heads_chart(heads: HeadsTable, *, title: str = _TITLE) -> Any:
    """Return an Altair chart: confidence and importance of each head, layer by layer.

    The heads that metrics use are outlined. Importance is coloured around 1/H, the share that each
    of the H heads of a layer would have if all had the same.
    """
    rows = heads.rows
    if not rows:
        raise InputError("there are no heads to draw")
    maps = [_confidence(rows), _importance(heads)]
    headings = aligned([(one.field.capitalize(), one.subtitle) for one in maps], size=12)
    panels = [_cells(rows, *pair) for pair in zip(maps, headings, strict=True)]
    together = beside if len({row["head"] for row in rows}) <= _MOST else stacked
    return configured(together(panels, title=titled(title, heads.subtitle)))


def _confidence(rows: Sequence[Mapping[str, Any]]) -> _HeadMap:
    largest = max([0.0, *_finite_values(rows, "confidence")]) or 1.0
    subtitle = [
        "it is the mean of the largest attention of each word piece",
        _outlined(rows, "confident"),
    ]
    return _HeadMap("confidence", "confident", subtitle, [0.0, largest], [NEUTRAL, COLOURS[0]])


def _importance(heads: HeadsTable) -> _HeadMap:
    """Colour by the distance from an equal share; a few huge shares do not make others pale."""
    rows, equal = heads.rows, heads.equal_share
    limit = finite(heads.most_within) or 1.0
    away = [abs(value - equal) for value in _finite_values(rows, "importance")]
    subtitle = [
        f"it is a share of the layer's relevance; white is an equal one: 1/{round(1 / equal)} = "
        f"{equal:.3f}",
        _outlined(rows, "important"),
    ]
    if beyond := sum(distance > limit for distance in away):
        subtitle.append(
            f"colours end {limit:.2f} from white; {beyond:,} of {len(away):,} heads lie beyond"
        )
    domain = [equal - limit, equal, equal + limit]
    return _HeadMap("importance", "important", subtitle, domain, DIVERGING)


def _finite_values(rows: Sequence[Mapping[str, Any]], field: str) -> list[float]:
    return [value for row in rows if (value := finite(row[field])) is not None]


def _outlined(rows: Sequence[Mapping[str, Any]], chosen: str) -> str:
    return f"the {chosen} heads ({sum(bool(row[chosen]) for row in rows):,}) are outlined"


def _cells(rows: Sequence[Mapping[str, Any]], one: _HeadMap, heading: Any) -> Any:
    layers, heads = (sorted({row[side] for row in rows}) for side in ("layer", "head"))
    cells = [_cell(row, one) for row in rows]
    x, y = _axis(alt.X, "head", heads), _axis(alt.Y, "layer", layers)
    tooltips = tooltip("layer:O head:O", ("confidence:Q", "", ".4f"), ("importance:Q", "", ".4f"))
    base = chart_of(cells).encode(x=x, y=y, tooltip=tooltips)
    legend = alt.Legend(title=None, format=".2f", tickCount=4, gradientLength=110)
    colour = cell_colour(one.field, one.domain, one.colours, legend, clamp=True)
    chosen = chart_of(cell for cell in cells if cell[one.chosen])
    drawn = [
        coloured_cells(base, one.field, colour, unknown=_UNKNOWN, aria=False),
        chosen.mark_rect(fill=None, stroke=DARK, strokeWidth=2, aria=False).encode(x=x, y=y),
        cell_numbers(base, on_strong="white", on_others=DARK),
    ]
    size = {"width": _WIDE * len(heads), "height": _HIGH * len(layers)}
    return alt.layer(*drawn, **size, title=heading)


def _axis(channel: Any, field: str, values: list[int]) -> Any:
    # the outline of a cell at the edge stays inside
    scale = {"paddingInner": 0.06, "paddingOuter": 0.03}
    return name_axis(channel, f"{field}:O", values, title=field, scale=scale, labelAngle=0)


def _cell(row: Mapping[str, Any], one: _HeadMap) -> dict[str, Any]:
    value = finite(row[one.field])
    middle, end = one.domain[-2:]
    strength = 0.0 if value is None else abs(value - middle) / (end - middle)
    return {
        "layer": int(row["layer"]),
        "head": int(row["head"]),
        "confidence": finite(row["confidence"]),
        "importance": finite(row["importance"]),
        "confident": bool(row["confident"]),
        "important": bool(row["important"]),
        "text": decimal(value),
        "strong": strength > _STRONG,
    }
