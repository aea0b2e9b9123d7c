"""Points with intervals, one line per label: the building block of forest plots."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tealeaves.report.charts.blocks.axes import ValueAxis, name_axis, vertical_rule
from tealeaves.report.charts.blocks.columns import remarks
from tealeaves.report.charts.blocks.headings import OFFSET
from tealeaves.report.charts.blocks.numbers import interval_words
from tealeaves.report.charts.blocks.rows import chart_of, finite
from tealeaves.report.charts.blocks.style import DARK, GREY, LABEL_LIMIT, alt, by_name

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
        return name_axis(
            alt.Y,
            "label:N",
            self.labels,
            scale={"paddingInner": _MARGIN / self._line_height},
            labelLimit=LABEL_LIMIT,
            labelPadding=6,
            grid=False,
        )

    @property
    def offset(self) -> Any:
        """The position of a series within its line."""
        return alt.YOffset("series:N", sort=list(self.strokes))

    @property
    def _line_height(self) -> int:
        return _STEP * len(self.strokes) + _MARGIN

    @property
    def values(self) -> ValueAxis:
        """The axis of values."""
        return limited_axis(self.axis, self.domain, ".1f")

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
        return points_with_intervals(
            base,
            self.values,
            rule={"strokeWidth": 1.5, "aria": False},
            point={"size": 48, "strokeWidth": 1.5, "opacity": 1, "aria": False},
            fill=self._colour(alt.Fill, self.fills),
        )

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
        return by_name(channel, "series", colours, sort=list(colours), legend=legend)

    def zero(self) -> Any:
        """Return a thin line at 0."""
        return vertical_rule(self.values.x())

    def dashed(self, values: Iterable[float], dash: Sequence[int]) -> Any:
        """Return dashed lines from top to bottom."""
        base = chart_of({"value": value} for value in values).encode(x=self.values.x())
        return base.mark_rule(color=DARK, strokeWidth=1, strokeDash=list(dash))

    def rules(self, rules: Sequence[Rule]) -> list[Any]:
        """Return dashed lines, and their texts above the panel, one above the other."""
        middle = sum(self.domain) / 2
        layers = []
        for number, rule in enumerate(rules):
            right = rule.values[0] > middle
            base = chart_of([{"value": rule.values[0]}]).encode(x=self.values.x())
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

    def remarks(self, texts: Mapping[str, str]) -> Any:
        """Return a text in place of the points of some labels."""
        rows = [{"label": label, "remark": text} for label, text in texts.items()]
        return remarks(rows, self.start, self.y, dx=5, color=GREY)

    @property
    def start(self) -> Any:
        """The position at 0, or at the lower limit if that is higher."""
        return alt.datum(max(self.domain[0], 0.0))

    def texts(self, rows: Iterable[Mapping[str, Any]], field: str, x: Any, **mark: Any) -> Any:
        """Return a field of the rows as text, at the height of their points."""
        text = chart_of(rows).mark_text(**mark, aria=False)
        return text.encode(x=x, y=self.y, yOffset=self.offset, text=f"{field}:N")


def limited_axis(title: str, domain: Sequence[float], number_format: str) -> ValueAxis:
    """Return an axis of values that ends at its limits: what lies beyond is drawn there."""
    scale = {"domain": list(domain), "nice": False, "clamp": True}
    return ValueAxis(title, scale, {"tickCount": 6, "format": number_format})


def points_with_intervals(
    base: Any,
    values: ValueAxis,
    *,
    rule: Mapping[str, Any],
    point: Mapping[str, Any],
    **encoding: Any,
) -> list[Any]:
    """Return lines from ``low`` to ``high``, and points at ``value`` above them.

    ``rule`` and ``point`` are options of the marks, ``encoding`` are channels of the points alone.
    """
    return [
        base.mark_rule(**rule).encode(x=values.x("low"), x2="high:Q"),
        base.mark_point(**point).encode(x=values.x(), **encoding),
    ]


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
