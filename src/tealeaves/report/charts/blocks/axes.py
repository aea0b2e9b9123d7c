"""Axes: of numbers, of names, of numbered lines; their limits, ticks and rules."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tealeaves.report.charts.blocks.rows import chart_of
from tealeaves.report.charts.blocks.style import THIN, alt

_TICKS = 5  # powers of ten
_FEWEST = 4  # ticks: with fewer, 3, 30 and so on are added
#: How Vega writes the label of a tick: without exponent unless it would have many zeros.
LABEL = (
    "datum.value && (abs(datum.value) < 1e-3 || abs(datum.value) >= 1e6)"
    " ? format(datum.value, '.2~e') : format(datum.value, ',.6~f')"
)


@dataclass(frozen=True)
class ValueAxis:
    """An axis of numbers, for any field of the rows.

    ``scale`` and ``ticks`` are options of the scale and of the axis in Vega-Lite.
    """

    title: str | None
    scale: Mapping[str, Any]
    ticks: Mapping[str, Any]

    def x(self, field: str = "value") -> Any:
        """Return the axis from left to right, for a field."""
        return self._of(alt.X, field)

    def y(self, field: str = "value") -> Any:
        """Return the axis from bottom to top, for a field."""
        return self._of(alt.Y, field)

    def _of(self, channel: Any, field: str) -> Any:
        options = {"axis": alt.Axis(**self.ticks)} if self.ticks else {}
        scale = alt.Scale(**self.scale)
        return channel(f"{field}:Q", title=self.title, scale=scale, **options)


def name_axis(
    channel: Any,
    field: str,
    names: Sequence[Any],
    *,
    title: str | None = None,
    scale: Mapping[str, Any] | None = None,
    **axis: Any,
) -> Any:
    """Return an axis of names in their order, without ticks; the field has its type."""
    return channel(
        field,
        title=title,
        scale=alt.Scale(domain=list(names), **scale or {}),
        axis=alt.Axis(ticks=False, domain=False, **axis),
    )


def line_axis(number: int) -> Any:
    """Return an axis of numbered lines without labels, for rows with a field ``line``."""
    return alt.Y("line:O", title=None, axis=None, scale=alt.Scale(domain=list(range(number))))


def vertical_rule(x: Any, values: Iterable[float] = (0.0,), field: str = "value") -> Any:
    """Return thin lines from top to bottom, by default one at 0."""
    rule = chart_of({field: value} for value in values)
    return rule.mark_rule(color=THIN, strokeWidth=1, aria=False).encode(x=x)


def domain_of_one(values: Iterable[float | None]) -> dict[str, Any]:
    """Return limits around a single value; of several, Vega finds the limits itself.

    >>> domain_of_one([2.0, None]), domain_of_one([1.0, 2.0])
    ({'domain': [1.8, 2.2], 'nice': True}, {})
    """
    different = {value for value in values if value is not None}
    if len(different) != 1:
        return {}
    [value] = different
    step = abs(value) / 10 or 0.1
    return {"domain": [value - step, value + step], "nice": True}


def log_ticks(low: float, high: float, bend: float) -> list[float]:
    """Return the ticks of a signed logarithm: 0 and the powers of ten within the limits.

    None is smaller than ``bend``, below which the axis is linear. If the powers are few, 3, 30 and
    so on are added.

    >>> log_ticks(-20, 5000, 3)
    [-10.0, 0.0, 10.0, 100.0, 1000.0]
    >>> log_ticks(0.5, 20, 0.7)
    [1.0, 3.0, 10.0]
    """
    first = math.floor(math.log10(bend))
    last = max(first, math.floor(math.log10(max(abs(low), abs(high), bend))))
    step = max(1, math.ceil((last - first) / _TICKS))
    powers = [float(f"1e{power}") for power in range(first, last + 1, step)]
    ticks = _ticks_within(powers, low, high, bend)
    if len(ticks) < _FEWEST:
        multiples = [factor * power for power in powers for factor in (1, 3)]
        ticks = _ticks_within(multiples, low, high, bend)
    return ticks


def _ticks_within(sizes: list[float], low: float, high: float, bend: float) -> list[float]:
    far = [size for size in sizes if size >= bend]
    both = [*(-size for size in reversed(far)), 0.0, *far]
    return [tick for tick in both if low <= tick <= high]
