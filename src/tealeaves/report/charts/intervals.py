"""Points with intervals, one line per label: the building block of forest plots."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tealeaves.report.charts.numbers import interval_words
from tealeaves.report.charts.style import (
    DARK,
    GREY,
    LABEL_LIMIT,
    OFFSET,
    alt,
    chart_of,
    finite,
    scale_of,
    vertical_rule,
)

WIDTH = 420
_STEP, _MARGIN = 11, 10  # pixels of a point, and between two lines
_LETTERS = 45  # of all names in a legend
_ABOVE, _HALF, _LINE = 8, 5, 12  # pixels: from rule to text, half a letter's height, a line


class Rule(NamedTuple):
    """A line from top to bottom at some values, and the text above it."""

    values: Sequence[float]
    text: str
    dash: Sequence[int]


def rules_offset(rules: Sequence[Rule]) -> int:
    """Return the pixels between the title and a panel that has the texts of rules above it."""
    return OFFSET + (_ABOVE + _HALF + _LINE * (len(rules) - 1) if rules else 0)


def interval_row(label: str, series: str, value: float, low: float, high: float) -> dict[str, Any]:
    """Return the fields that :class:`Intervals` draws."""
    numbers = {"value": finite(value), "low": finite(low), "high": finite(high)}
    return {"label": label, "series": series, **numbers, "interval": interval_words(low, high)}


@dataclass(frozen=True)
class Intervals:
    """Rows with ``label``, ``series``, ``value``, ``low`` and ``high``, and how they are drawn.

    ``labels`` are the lines from top to bottom. A line holds a point for each series; ``strokes``
    and ``fills`` are the colours of its outline and of its inside.
    """

    rows: Sequence[Mapping[str, Any]]
    labels: Sequence[str]
    strokes: Mapping[str, str]
    fills: Mapping[str, str]
    domain: Sequence[float]
    axis: str
    legend: str
    tooltip: Sequence[Any]

    @property
    def y(self) -> Any:
        """The lines."""
        return alt.Y(
            "label:N",
            sort=list(self.labels),
            title=None,
            axis=alt.Axis(
                labelLimit=LABEL_LIMIT, labelPadding=6, grid=False, ticks=False, domain=False
            ),
            scale=alt.Scale(domain=list(self.labels), paddingInner=_MARGIN / self._line_height),
        )

    @property
    def offset(self) -> Any:
        """The position of a series within its line."""
        return alt.YOffset("series:N", sort=list(self.strokes))

    @property
    def _line_height(self) -> int:
        return _STEP * len(self.strokes) + _MARGIN

    def x(self, field: str = "value") -> Any:
        """Return the axis of values, for a field of the rows."""
        return alt.X(
            f"{field}:Q",
            title=self.axis,
            axis=alt.Axis(tickCount=6, format=".1f"),
            scale=alt.Scale(domain=list(self.domain), nice=False, clamp=True),
        )

    def panel(self, layers: Sequence[Any], *, title: Any, width: int = WIDTH) -> Any:
        """Return layers as a panel of the right height."""
        height = self._line_height * len(self.labels)
        return alt.layer(*layers, width=width, height=height, title=title)

    def points(self) -> list[Any]:
        """Return the intervals, and the points above them."""
        drawn = [row for row in self.rows if row["value"] is not None]
        base = chart_of(drawn).encode(
            y=self.y,
            yOffset=self.offset,
            stroke=self._colour(alt.Stroke, self.strokes),
            tooltip=list(self.tooltip),
        )
        points = base.mark_point(size=48, strokeWidth=1.5, opacity=1, aria=False)
        return [
            base.mark_rule(strokeWidth=1.5, aria=False).encode(x=self.x("low"), x2="high:Q"),
            points.encode(x=self.x(), fill=self._colour(alt.Fill, self.fills)),
        ]

    def _colour(self, channel: Any, colours: Mapping[str, str]) -> Any:
        legend = None  # a single series needs none
        if len(colours) > 1:
            # long names in one row would make the page wider than the panel
            columns = {"columns": 2} if sum(map(len, colours)) > _LETTERS else {}
            legend = alt.Legend(
                title=self.legend,
                labelLimit=LABEL_LIMIT,
                symbolOpacity=1,
                orient="bottom",
                **columns,
            )
        return channel("series:N", scale=scale_of(colours), sort=list(colours), legend=legend)

    def zero(self) -> Any:
        """Return a thin line at 0."""
        return vertical_rule(self.x())

    def dashed(self, values: Iterable[float], dash: Sequence[int]) -> Any:
        """Return dashed lines from top to bottom."""
        base = chart_of({"value": value} for value in values).encode(x=self.x())
        return base.mark_rule(color=DARK, strokeWidth=1, strokeDash=list(dash))

    def rules(self, rules: Sequence[Rule]) -> list[Any]:
        """Return dashed lines, and their texts above the panel, one above the other."""
        middle = sum(self.domain) / 2
        layers = []
        for number, rule in enumerate(rules):
            right = rule.values[0] > middle
            base = chart_of([{"value": rule.values[0]}]).encode(x=self.x())
            label = base.mark_text(
                align="right" if right else "left",
                dx=4 if right else -4,
                dy=-_ABOVE - _LINE * number,
                fontSize=10,
                color=DARK,
            )
            layers += [
                self.dashed(rule.values, rule.dash),
                label.encode(y=alt.value(0), text=alt.value(rule.text)),
            ]
        return layers

    def remarks(self, remarks: Mapping[str, str]) -> Any:
        """Return a text in place of the points of some labels."""
        rows = [{"label": label, "remark": remark} for label, remark in remarks.items()]
        text = chart_of(rows).mark_text(
            align="left", dx=5, fontSize=10, fontStyle="italic", color=GREY, aria=False
        )
        start = alt.datum(max(self.domain[0], 0.0))
        return text.encode(x=start, y=self.y, text="remark:N")

    def texts(self, rows: Iterable[Mapping[str, Any]], field: str, x: Any, **mark: Any) -> Any:
        """Return a field of the rows as text, at the height of their points."""
        text = chart_of(rows).mark_text(**mark, aria=False)
        return text.encode(x=x, y=self.y, yOffset=self.offset, text=f"{field}:N")


def hollow(strokes: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Return the fills of series: white for those that are drawn hollow."""
    white = set(names)
    return {name: "white" if name in white else colour for name, colour in strokes.items()}


def interval_limits(values: Iterable[float]) -> list[float]:
    """Return the limits of an axis of coefficients, in full tenths, with 0 and all values inside.

    >>> interval_limits([0.12, 0.57, float("nan")])
    [0.0, 0.6]
    """
    finite_values = [0.0, *(value for value in values if math.isfinite(value))]
    low, high = min(finite_values), max(finite_values)
    if low == high:
        return [-1.0, 1.0]
    return [max(-1.0, math.floor(low * 10) / 10), min(1.0, math.ceil(high * 10) / 10)]
