"""Texts at the lines of a panel: columns beside it, remarks inside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from tealeaves.report.charts.blocks.rows import chart_of
from tealeaves.report.charts.blocks.style import DARK, GREY, alt

_ABOVE = 9  # pixels from the top of the panel to the middle of the headings


class Column(NamedTuple):
    """A column: the field of its texts, its heading, and its position.

    ``x`` is in pixels from the left end of the panel, negative left of it. Texts begin there, or
    end there if they are right-aligned. Texts wider than ``width`` are cut.
    """

    field: str
    heading: str
    x: float
    width: int = 0
    align: str = "left"
    colour: str = DARK


def text_columns(rows: Sequence[Mapping[str, Any]], columns: Iterable[Column], y: Any) -> list[Any]:
    """Return the texts of all columns and their headings, at the heights that ``y`` gives."""
    return [layer for column in columns for layer in _column(rows, column, y)]


def _column(rows: Sequence[Mapping[str, Any]], column: Column, y: Any) -> list[Any]:
    style = {"align": column.align, "baseline": "middle", "aria": False}
    # measuring the width of texts takes longer than all else, so only if they may be too wide
    limit = {"limit": column.width} if column.width else {}
    x = alt.value(column.x)
    texts = chart_of(rows).mark_text(**style, **limit, fontSize=11, color=column.colour)
    layers = [texts.encode(x=x, y=y, text=f"{column.field}:N")]
    if column.heading:
        heading = chart_of([{"heading": column.heading}])
        heading = heading.mark_text(**style, fontSize=10, color=GREY)
        layers.append(heading.encode(x=x, y=alt.value(-_ABOVE), text="heading:N"))
    return layers


def remarks(rows: Iterable[Mapping[str, Any]], x: Any, y: Any, **mark: Any) -> Any:
    """Return the field ``remark`` of rows as small italics, in place of points that are missing."""
    style = {"align": "left", "fontSize": 10, "fontStyle": "italic", "aria": False}
    return chart_of(rows).mark_text(**style | mark).encode(x=x, y=y, text="remark:N")
