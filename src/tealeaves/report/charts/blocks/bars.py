"""Bars from 0, and boxes of the middle half."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tealeaves.report.charts.blocks.axes import ValueAxis
from tealeaves.report.charts.blocks.rows import chart_of
from tealeaves.report.charts.blocks.style import DARK, alt


def bars(rows: Iterable[Mapping[str, Any]], x: Any, y: Any) -> Any:
    """Return a bar from 0 to the value of each row."""
    base = chart_of(rows).mark_bar(height={"band": 0.7}, aria=False)
    return base.encode(x=x, x2=alt.X2Datum(0), y=y)


def boxes(rows: Iterable[Mapping[str, Any]], values: ValueAxis, y: Any, height: float) -> Any:
    """Return an empty box from ``low`` to ``high`` of each row."""
    style = {"fill": None, "stroke": DARK, "strokeWidth": 1.2, "aria": False}
    base = chart_of(rows).mark_bar(height=height, **style)
    return base.encode(x=values.x("low"), x2="high:Q", y=y)
