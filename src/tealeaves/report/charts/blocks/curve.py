"""Curves: a line over an axis, with a band or whiskers around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tealeaves.report.charts.blocks.axes import ValueAxis


@dataclass(frozen=True)
class Curve:
    """Rows with ``low`` and ``high`` around a field, and the axis of their values.

    ``base`` is the chart of the rows, with the axis from left to right and the colours.
    """

    base: Any
    values: ValueAxis
    field: str = "value"

    def line(self, **mark: Any) -> Any:
        """Return the line through the values."""
        return self.base.mark_line(**mark).encode(y=self.values.y(self.field))

    def band(self, **mark: Any) -> Any:
        """Return the area between low and high."""
        return self.base.mark_area(**mark).encode(**self._ends)

    def whiskers(self, **mark: Any) -> Any:
        """Return a vertical line from low to high for each value that has both."""
        known = self.base.transform_filter("isValid(datum.low) && isValid(datum.high)")
        return known.mark_rule(**mark).encode(**self._ends)

    @property
    def _ends(self) -> Mapping[str, Any]:
        return {"y": self.values.y("low"), "y2": "high:Q"}
