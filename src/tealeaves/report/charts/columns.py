"""Columns of text beside a panel, a line each: what stands where an axis would have its labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tealeaves.report.charts.style import DARK, GREY, chart_of

_ABOVE = 9  # pixels from the panel's top to the middle of the headings


class Column(NamedTuple):
    """A column: the field of its texts, its heading, and where it stands.

    ``x`` is in pixels from the left end of the panel, negative left of it. Numbers end
    there (``align="right"``), words begin there; words wider than ``width`` are cut.
    """

    field: str
    heading: str
    x: float
    width: int = 0
    align: str = "left"
    colour: str = DARK


def text_columns(
    altair: Any, rows: Sequence[Mapping[str, Any]], columns: Sequence[Column], y: Any
) -> list[Any]:
    """Return the texts of all columns and their headings, for lines that ``y`` places."""
    return [layer for one in columns for layer in _column(altair, rows, one, y)]


def _column(altair: Any, rows: Sequence[Mapping[str, Any]], one: Column, y: Any) -> list[Any]:
    given = {"align": one.align, "baseline": "middle", "aria": False}
    # what cannot be too wide is not measured, which takes longer than all else
    limit = {"limit": one.width} if one.width else {}
    place = altair.XValue(one.x)
    texts = chart_of(altair, rows).mark_text(**given, **limit, fontSize=11, color=one.colour)
    layers = [texts.encode(x=place, y=y, text=altair.Text(f"{one.field}:N"))]
    if one.heading:
        heading = chart_of(altair, [{"heading": one.heading}]).mark_text(
            **given, fontSize=10, color=GREY
        )
        layers.append(
            heading.encode(x=place, y=altair.YValue(-_ABOVE), text=altair.Text("heading:N"))
        )
    return layers


def lines(altair: Any, number: int, field: str = "line") -> Any:
    """Return the places of so many lines, told apart by their number; texts name them."""
    scale = altair.Scale(domain=list(range(number)))
    return altair.Y(f"{field}:O", title=None, axis=None, scale=scale)
