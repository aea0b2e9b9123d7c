"""Panels put together: one below the other, side by side, not too many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from tealeaves.report.charts.blocks.style import PALE, alt

Panel = TypeVar("Panel")

#: A chart with more panels than this would be too long to read.
MOST_PANELS = 12
#: The scales that each panel has for itself, with a legend of its own.
_OWN = ("color", "fill", "stroke", "yOffset")


def first_panels(
    panels: Sequence[Panel], title: str, noun: str = "", most: int | None = None
) -> tuple[list[Panel], str]:
    """Return the panels that are drawn, and the title, which says how many are left out."""
    most = MOST_PANELS if most is None else most
    if len(panels) > most:
        of = f"{len(panels):,} {noun}".rstrip()
        title += f" (the first {most} of {of}; the others are left out)"
    return list(panels[:most]), title


def stacked(
    panels: Sequence[Any], *, title: Any = None, spacing: int = 32, own: Sequence[str] = _OWN
) -> Any:
    """Return charts one below the other; ``own`` are the scales that they do not share."""
    # all at once: each change of a chart copies it
    return alt.vconcat(*panels, spacing=spacing, **_given(title, own))


def beside(
    panels: Sequence[Any], *, title: Any = None, spacing: int = 40, own: Sequence[str] = _OWN
) -> Any:
    """Return charts side by side; ``own`` are the scales that they do not share."""
    return alt.hconcat(*panels, spacing=spacing, **_given(title, own))


def in_columns(
    panels: Sequence[Any], columns: int, *, title: Any, spacing: int, own: Sequence[str] = ()
) -> Any:
    """Return charts in rows of so many; ``own`` are the scales that they do not share."""
    return alt.concat(*panels, columns=columns, spacing=spacing, **_given(title, own))


def _given(title: Any, own: Sequence[str]) -> dict[str, Any]:
    scales = alt.ScaleResolveMap(**dict.fromkeys(own, "independent"))
    given = {"title": title, "resolve": alt.Resolve(scale=scales) if own else None}
    return {name: value for name, value in given.items() if value is not None}


def configured(chart: Any) -> Any:
    """Set the sizes of text and the colour of the grid; only the outermost chart may have them."""
    chart.config = {
        "view": {"stroke": None},
        "axis": {"labelFontSize": 11, "titleFontSize": 12, "gridColor": PALE},
        "legend": {"labelFontSize": 11, "titleFontSize": 12},
    }
    return chart
