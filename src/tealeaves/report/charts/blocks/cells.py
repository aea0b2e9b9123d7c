"""Coloured cells with numbers: the building block of heat maps."""

from __future__ import annotations

from typing import Any

from tealeaves.report.charts.blocks.style import COLOURS, alt

NEUTRAL = "#f7f7f7"
#: From negative values over 0 to positive ones.
DIVERGING = [COLOURS[1], NEUTRAL, COLOURS[0]]


def cell_colour(
    field: str, domain: list[float], colours: list[str], legend: Any, **options: Any
) -> Any:
    """Return the colours of a field; ``options`` are those of the scale."""
    scale = alt.Scale(domain=domain, range=colours, interpolate="rgb", **options)
    return alt.Color(f"{field}:Q", scale=scale, legend=legend)


def coloured_cells(base: Any, field: str, colour: Any, *, unknown: str, **mark: Any) -> Any:
    """Return cells with the colours of a field; those without a value have the colour unknown."""
    shown = alt.condition(f"datum.{field} === null", alt.value(unknown), colour)
    cells = base.mark_rect(stroke="white", strokeWidth=1, invalid=None, **mark)
    return cells.encode(color=shown)


def cell_numbers(base: Any, *, on_strong: str, on_others: str) -> Any:
    """Return the ``text`` of cells, in another colour on cells that are ``strong``."""
    colour = alt.condition("datum.strong", alt.value(on_strong), alt.value(on_others))
    return base.mark_text(fontSize=10, aria=False).encode(text="text:N", color=colour)
