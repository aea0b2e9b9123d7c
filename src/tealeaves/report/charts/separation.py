"""The chart of separation: do metrics tell topics that people like from those they do not?"""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.report.charts.blocks import decimal
from tealeaves.report.charts.numbers import LABEL, log_ticks
from tealeaves.report.charts.style import (
    COLOURS,
    DARK,
    GREY,
    chart_of,
    configured,
    known,
    titled,
)

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

_WIDTH, _BAND = 250, 46  # pixels of a panel, and of a group's strip
_COLUMNS = 3
_LETTERS = 40  # of a title's line
_POINTS = 1000  # of a group: more make the file large and the strip solid
_FEW = 60  # fewer points are drawn larger
_HEAVY = 8  # the range, in widths of the middle half, from which the axis is a signed logarithm
_GOLDEN = (math.sqrt(5) - 1) / 2
_BETWEEN = "#8a8a8a"  # groups between the first and the last
_TITLE = "Do metrics separate topics that people rate high and low?"


class Separable(NamedTuple):
    """The value that a metric gives a topic, and the group that people put the topic in."""

    metric: str
    topic: str
    value: float
    group: str
    human: float = math.nan


class Separation(NamedTuple):
    """How well a metric separates the first group from the last: the AUC, and its interval."""

    auc: float
    low: float = math.nan
    high: float = math.nan


class _Part(NamedTuple):
    """The topics of one metric that have a value, and how many have none."""

    metric: str
    rows: list[Separable]
    without: int
    heavy: bool


def separation_chart(
    rows: Sequence[Separable],
    found: Mapping[str, Separation] | None = None,
    *,
    groups: Sequence[str] = ("high", "low"),
    title: str = _TITLE,
    subtitle: str | Sequence[str] = "",
) -> Any:
    """Return an Altair chart: a panel for each metric, the topics of each group as a strip.

    ``groups`` go from top to bottom. The metric with the largest AUC comes first. Boxes hold the
    middle half of a group, a line is its median. Where a few values would press all others flat,
    the axis is a signed logarithm: it has a place for 0 and for negative values, which sums of
    relevance have, and keeps the order, which is all that AUC rests on.
    """
    altair = require("altair", extra="report", reason="a chart")
    said: dict[str, Any] = {"title": title, "subtitle": subtitle}
    return configured(separation_panels(altair, rows, found, groups=groups, **said))


def separation_panels(
    altair: Any,
    rows: Sequence[Separable],
    found: Mapping[str, Separation] | None = None,
    *,
    groups: Sequence[str] = ("high", "low"),
    title: str = "",
    subtitle: str | Sequence[str] = "",
) -> Any:
    """Return the panels of all metrics, without configuration."""
    if not rows:
        raise InputError("there are no topics to separate")
    if wrong := next((row for row in rows if row.group not in groups), None):
        raise InputError(
            f"{wrong.topic}: no group is called {wrong.group!r}, but {_listed(groups)}"
        )
    given = dict(found or {})
    parts = sorted((_part(rows, name) for name in _metrics(rows)), key=lambda p: _order(p, given))
    panels = [_panel(altair, part, given.get(part.metric), groups) for part in parts]
    heading = titled(altair, title, _said(subtitle, parts, given))
    return altair.concat(*panels, columns=_COLUMNS, spacing=26, title=heading)


def _listed(groups: Sequence[str]) -> str:
    return " or ".join(repr(group) for group in groups)


def _metrics(rows: Sequence[Separable]) -> list[str]:
    return list(dict.fromkeys(row.metric for row in rows))


def _order(part: _Part, found: Mapping[str, Separation]) -> float:
    auc = found[part.metric].auc if part.metric in found else math.nan
    return math.inf if math.isnan(auc) else -auc


def _part(rows: Sequence[Separable], metric: str) -> _Part:
    mine = [row for row in rows if row.metric == metric]
    there = [row for row in mine if math.isfinite(row.value)]
    values = np.array([row.value for row in there], dtype=np.float64)
    return _Part(metric, there, len(mine) - len(there), _heavy(values))


def _heavy(values: Floats) -> bool:
    """Whether a few values press all others flat, and a logarithm would help.

    It would not where those differ from the others by no factor.

    >>> [_heavy(np.array([1.0, 2, 3, 4, last])) for last in (5, 100)]
    [False, True]
    >>> _heavy(np.array([1001.0, 1002, 1003, 1004, 1100]))
    False
    """
    if not values.any():
        return False
    low, high = np.quantile(values, [0.25, 0.75])
    flat = np.ptp(values) > _HEAVY * (high - low)
    return bool(flat and np.abs(values).max() > _HEAVY * _bend(values))


def _said(
    subtitle: str | Sequence[str], parts: Sequence[_Part], found: Mapping[str, Separation]
) -> list[str]:
    lines = [subtitle] if isinstance(subtitle, str) else list(subtitle)
    lines.append("box: the middle half; line: the median")
    if found:
        lines[-1] += "; AUC 1: the groups are wholly apart, 0.5: not at all"
    if any(part.heavy for part in parts):
        lines.append("log: signed logarithm, where a few values would press the others flat")
    sizes = Counter((part.metric, row.group) for part in parts for row in part.rows)
    if max(sizes.values(), default=0) > _POINTS:
        lines.append(f"at most {_POINTS:,} points a group, evenly by value; boxes: all")
    return [line for line in lines if line]


def _panel(altair: Any, part: _Part, found: Separation | None, groups: Sequence[str]) -> Any:
    x = _x(altair, part)
    y = altair.Y(
        "group:N",
        title=None,
        scale=altair.Scale(domain=list(groups), paddingInner=0.12, paddingOuter=0.06),
        axis=altair.Axis(grid=False, ticks=False, domain=False, labelPadding=6),
    )
    members = {group: [row for row in part.rows if row.group == group] for group in groups}
    points = [point for rows in members.values() for point in _points(rows)]
    boxes = chart_of(altair, [_box(name, rows) for name, rows in members.items() if rows])
    few = max(map(len, members.values())) <= _FEW
    strip = chart_of(altair, points).mark_point(
        filled=True, size=26 if few else 14, opacity=0.6 if few else 0.45, aria=False
    )
    strip = strip.encode(
        x=x,
        y=y,
        yOffset=altair.YOffset("place:Q", scale=altair.Scale(domain=[0, 1])),
        color=_colour(altair, groups),
        tooltip=_tooltip(altair),
    )
    box = boxes.mark_bar(fill=None, stroke=DARK, strokeWidth=1.2, height=_BAND * 0.42, aria=False)
    median = boxes.mark_tick(color=DARK, thickness=2.5, size=_BAND * 0.42, aria=False)
    layers = [
        strip,
        box.encode(x=_side(x, "low"), x2="high:Q", y=y),
        median.encode(x=_side(x, "median"), y=y),
    ]
    return altair.layer(
        *layers, width=_WIDTH, height=_BAND * len(groups), title=_title(altair, part, found, groups)
    )


def _side(x: Any, field: str) -> Any:
    """Return the same axis for another field."""
    other = x.copy()
    other.shorthand = f"{field}:Q"
    return other


def _title(altair: Any, part: _Part, found: Separation | None, groups: Sequence[str]) -> Any:
    said = []
    if found is not None:
        text = f"AUC {decimal(found.auc)}"
        if math.isfinite(found.low) and math.isfinite(found.high):
            text += f" [{decimal(found.low)}, {decimal(found.high)}]"
        said.append(text)
    counts = [sum(row.group == group for row in part.rows) for group in groups]
    said.append("n = " + " + ".join(f"{count:,}" for count in counts))
    if part.without:
        said.append(f"{part.without:,} without a value")
    if part.heavy:
        said.append("log")
    return altair.TitleParams(
        _lines(part.metric),
        subtitle=", ".join(said),
        anchor="start",
        fontSize=11,
        subtitleFontSize=10,
        subtitleColor=GREY,
    )


def _lines(metric: str) -> list[str]:
    """Cut a long name into lines, sooner before a bracket than within a word."""
    if len(metric) <= _LETTERS:
        return [metric or " "]
    return textwrap.wrap(metric.replace("(", " (", 1), _LETTERS)


def _points(rows: Sequence[Separable]) -> list[dict[str, Any]]:
    """Return points in the order of values; neighbours are far from each other in the strip.

    Multiples of the golden ratio fill the strip evenly, the same way each time.
    """
    ordered = sorted(rows, key=lambda row: row.value)
    if len(ordered) > _POINTS:
        kept = np.linspace(0, len(ordered) - 1, _POINTS).round().astype(int)
        ordered = [ordered[number] for number in kept.tolist()]
    return [
        {
            "topic": row.topic,
            "value": row.value,
            "group": row.group,
            "human": known(row.human),
            "place": round(number * _GOLDEN % 1, 4),
        }
        for number, row in enumerate(ordered)
    ]


def _box(group: str, rows: Sequence[Separable]) -> dict[str, Any]:
    low, median, high = np.quantile([row.value for row in rows], [0.25, 0.5, 0.75]).tolist()
    return {"group": group, "low": low, "median": median, "high": high}


def _x(altair: Any, part: _Part) -> Any:
    values = np.array([row.value for row in part.rows], dtype=np.float64)
    scale: dict[str, Any] = {"zero": False, "nice": False, "padding": 6}
    axis: dict[str, Any] = {"labelExpr": LABEL, "labelOverlap": "greedy"}
    if not values.size or np.ptp(values) == 0:
        at = float(values[0]) if values.size else 0.0
        scale["domain"] = [at - (abs(at) / 10 or 1.0), at + (abs(at) / 10 or 1.0)]
    if part.heavy:
        bend = _bend(values)
        scale |= {"type": "symlog", "constant": bend}
        ticks = log_ticks(float(values.min()), float(values.max()), bend)
        # as many as there are, or Vega leaves some out
        axis |= {"values": ticks, "tickCount": len(ticks)}
    else:
        axis["tickCount"] = 4
    return altair.X("value:Q", title=None, scale=altair.Scale(**scale), axis=altair.Axis(**axis))


def _bend(values: Floats) -> float:
    """Return where the axis turns from linear to logarithmic: most values lie beyond."""
    return float(np.quantile(np.abs(values[values != 0]), 0.25))


def _colour(altair: Any, groups: Sequence[str]) -> Any:
    """Colour the first and the last group; the names stand beside the strips."""
    between = [_BETWEEN] * max(0, len(groups) - 2)
    colours = [COLOURS[0], *between, COLOURS[1]][: len(groups)]
    scale = altair.Scale(domain=list(groups), range=colours)
    return altair.Color("group:N", scale=scale, legend=None)


def _tooltip(altair: Any) -> list[Any]:
    return [
        altair.Tooltip("topic:N"),
        altair.Tooltip("value:Q", format=".4~g"),
        altair.Tooltip("human:Q", format=".2f", title="people"),
        altair.Tooltip("group:N"),
    ]
