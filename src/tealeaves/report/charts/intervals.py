"""Points with intervals, a line each: what all forest plots are drawn of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tealeaves.report.charts.style import GREY, LABEL_LIMIT, chart_of

_STEP, _MARGIN = 11, 10  # pixels of a point, and the room between two lines
_LETTERS = 45  # of all names in a legend
WIDTH = 420


@dataclass(frozen=True)
class Intervals:
    """Rows with ``label``, ``series``, ``value``, ``low`` and ``high``, and how they are drawn.

    ``labels`` are the lines from top to bottom; a line holds a point for each of the series, whose
    outlines and insides are coloured by ``strokes`` and ``fills``.
    """

    altair: Any
    rows: Sequence[Mapping[str, Any]]
    labels: Sequence[str]
    strokes: Mapping[str, str]
    fills: Mapping[str, str]
    domain: Sequence[float]
    axis: str
    legend: str
    tooltip: Sequence[Any]

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        return (_STEP * len(self.strokes) + _MARGIN) * len(self.labels)

    @property
    def y(self) -> Any:
        """The lines."""
        altair = self.altair
        room = _MARGIN / (_STEP * len(self.strokes) + _MARGIN)
        return altair.Y(
            "label:N",
            sort=list(self.labels),
            title=None,
            axis=altair.Axis(
                labelLimit=LABEL_LIMIT, labelPadding=6, grid=False, ticks=False, domain=False
            ),
            scale=altair.Scale(domain=list(self.labels), paddingInner=room),
        )

    @property
    def offset(self) -> Any:
        """The places of the series in a line."""
        return self.altair.YOffset("series:N", sort=list(self.strokes))

    def x(self, field: str = "value") -> Any:
        """Return the axis of values, for one field of the rows."""
        altair = self.altair
        return altair.X(
            f"{field}:Q",
            title=self.axis,
            axis=altair.Axis(tickCount=6, format=".1f"),
            scale=altair.Scale(domain=list(self.domain), nice=False, clamp=True),
        )

    def layers(self) -> list[Any]:
        """Return the intervals, and the points above them."""
        drawn = [row for row in self.rows if row["value"] is not None]
        base = chart_of(self.altair, drawn).encode(
            y=self.y,
            yOffset=self.offset,
            stroke=self._coloured(self.altair.Stroke, self.strokes),
            tooltip=list(self.tooltip),
        )
        points = base.mark_point(size=48, strokeWidth=1.5, opacity=1, aria=False)
        return [
            base.mark_rule(strokeWidth=1.5, aria=False).encode(x=self.x("low"), x2="high:Q"),
            points.encode(x=self.x(), fill=self._coloured(self.altair.Fill, self.fills)),
        ]

    def upright(self, values: Sequence[float]) -> Any:
        """Return a chart of some values, for lines from top to bottom."""
        return chart_of(self.altair, [{"value": value} for value in values]).encode(x=self.x())

    def zero(self) -> Any:
        """Return a thin line at 0."""
        return self.upright([0.0]).mark_rule(color="#999", strokeWidth=1, aria=False)

    def remarks(self, rows: Sequence[Mapping[str, str]]) -> Any:
        """Return a ``remark`` in place of the points of a line."""
        start = self.altair.datum(max(self.domain[0], 0.0))
        text = chart_of(self.altair, rows).mark_text(
            align="left", dx=5, fontSize=10, fontStyle="italic", color=GREY, aria=False
        )
        return text.encode(x=start, y=self.y, text="remark:N")

    def _coloured(self, channel: Any, colour: Mapping[str, str]) -> Any:
        altair = self.altair
        # below, and in two columns where long names would make a page wider than the panel
        wide = {"columns": 2} if sum(map(len, colour)) > _LETTERS else {}
        legend = altair.Legend(
            title=self.legend, labelLimit=LABEL_LIMIT, symbolOpacity=1, orient="bottom", **wide
        )
        scale = altair.Scale(domain=list(colour), range=list(colour.values()))
        # a single series needs no legend
        shown = legend if len(colour) > 1 else None
        return channel("series:N", scale=scale, sort=list(colour), legend=shown)


def limits(values: Iterable[float]) -> list[float]:
    """Return limits of coefficients that hold 0 and all values, at full tenths.

    >>> limits([0.12, 0.57, float("nan")])
    [0.0, 0.6]
    """
    finite = [0.0, *(value for value in values if math.isfinite(value))]
    low, high = min(finite), max(finite)
    if low == high:
        return [-1.0, 1.0]
    return [max(-1.0, math.floor(low * 10) / 10), min(1.0, math.ceil(high * 10) / 10)]
