"""Columns of text beside a panel, one line per row, where an axis would have its labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from tealeaves.report.charts.style import DARK, GREY, alt, chart_of

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


def line_axis(number: int) -> Any:
    """Return an axis of numbered lines without labels, for rows with a field ``line``."""
    return alt.Y("line:O", title=None, axis=None, scale=alt.Scale(domain=list(range(number))))
