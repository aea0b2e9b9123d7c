"""The chart of a curve: how well metrics agree with people, and how many texts that took."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.report.charts.blocks import decimal
from tealeaves.report.charts.style import COLOURS, chart_of, colours, configured, known, titled

_WIDTH, _HEIGHT = 520, 320
_LINE = 13  # pixels from a label to the next
_BESIDE = 14  # pixels from the panel to its labels
_DIGIT = 7  # pixels
_APART = 4.0  # pixels from the whisker of a metric to that of the next
_MARGIN = 6.0  # pixels from the axis to the first whisker
_DASHES = ([1, 0], [6, 2], [2, 2])  # for more metrics than there are colours
_PUBLISHED = [4, 3]
_TITLE = "Agreement with people against texts used"


class TradeoffRow(NamedTuple):
    """The coefficient of a metric from so many texts: its mean over subsets, and the limits."""

    metric: str
    texts: int
    value: float
    low: float = math.nan
    high: float = math.nan


class _Label(NamedTuple):
    """A text right of the panel, at the height of a value; a line leads to it from ``start``."""

    metric: str
    value: float
    text: str
    start: float


class _Across(NamedTuple):
    """Where numbers of texts are: those of each metric a little beside those of the others."""

    sizes: list[int]
    beside: dict[str, float]  # pixels
    octave: float  # pixels in which texts double

    @classmethod
    def of(cls, rows: Sequence[TradeoffRow], names: Sequence[str]) -> _Across:
        """Put as much between metrics as there is room for between two sizes."""
        sizes = sorted({row.texts for row in rows})
        doubled = math.log2(sizes[-1] / sizes[0]) or 1.0  # a single size has no width
        nearest = min((math.log2(b / a) for a, b in pairwise(sizes)), default=doubled)
        # beside the points of a size as much is left free as they take themselves
        apart = min(_APART, _WIDTH * nearest / (2 * doubled * len(names)))
        middle = (len(names) - 1) / 2
        beside = {name: (number - middle) * apart for number, name in enumerate(names)}
        return cls(sizes, beside, (_WIDTH - 2 * (middle * apart + _MARGIN)) / doubled)

    def at(self, texts: float, pixels: float) -> float:
        """Return what is so many pixels right of a number of texts."""
        return texts * math.exp2(pixels / self.octave)

    @property
    def limits(self) -> list[float]:
        """The ends of the axis, with all that is beside the first and the last size."""
        first = self.sizes[0] if len(self.sizes) > 1 else self.sizes[0] / 2
        away = max(self.beside.values()) + _MARGIN
        return [self.at(first, -away), self.at(self.sizes[-1], away)]


def tradeoff_chart(
    rows: Sequence[TradeoffRow],
    *,
    published: Mapping[str, float] | None = None,
    axis: str = "correlation with people",
    title: str = _TITLE,
    subtitle: str | Sequence[str] = "",
) -> Any:
    """Return an Altair chart: a line with whiskers for each metric, over the number of texts.

    Texts double from tick to tick: the axis is logarithmic. The whiskers of metrics stand beside
    each other, and so do their points. ``published`` values of metrics that are drawn are dashed
    lines in their colours. Labels stand at the ends, moved apart where values are near each other.
    """
    altair = require("altair", extra="report", reason="a chart")
    said: dict[str, Any] = {"axis": axis, "title": title, "subtitle": subtitle}
    return configured(tradeoff_panel(altair, rows, published=published, **said))


def tradeoff_panel(
    altair: Any,
    rows: Sequence[TradeoffRow],
    *,
    published: Mapping[str, float] | None = None,
    axis: str,
    title: str,
    subtitle: str | Sequence[str] = "",
) -> Any:
    """Return the chart without configuration, to be put beside others."""
    given = dict(published or {})
    names = list(dict.fromkeys(row.metric for row in rows if math.isfinite(row.value)))
    if not names:
        raise InputError("there is no curve to draw: no metric has a value")
    if wrong := [row for row in rows if row.texts < 1]:
        raise InputError(f"{wrong[0].metric}: a number of texts must be positive")
    rules: list[dict[str, Any]] = [
        {"metric": name, "value": given[name]}
        for name in names
        if math.isfinite(given.get(name, math.nan))
    ]
    limits = _limits(rows, [rule["value"] for rule in rules])
    layers = _layers(altair, rows, names, rules, _y(altair, limits, axis), limits)
    heading = titled(altair, title, _said(subtitle, rules))
    return altair.layer(*layers, width=_WIDTH, height=_HEIGHT, title=heading)


def _layers(
    altair: Any,
    rows: Sequence[TradeoffRow],
    names: list[str],
    rules: Sequence[Mapping[str, Any]],
    y: Callable[[str], Any],
    limits: list[float],
) -> list[Any]:
    across = _Across.of(rows, names)
    x = _x(altair, across)
    colour = _by_metric(altair.Color, altair, names, colours(len(names)))
    dashes = [_DASHES[number // len(COLOURS) % len(_DASHES)] for number in range(len(names))]
    dash = _by_metric(altair.StrokeDash, altair, names, dashes)
    drawn = [_row(row, across) for row in rows if row.metric in across.beside]
    base = chart_of(altair, drawn).encode(x=x("at"), color=colour)
    labels = chart_of(altair, _placed(_labels(rows, names, rules, across), limits))
    right = labels.encode(color=colour)
    return [
        base.transform_filter("isValid(datum.low) && isValid(datum.high)")
        .mark_rule(strokeWidth=1.2, opacity=0.55, aria=False)
        .encode(y=y("low"), y2="high:Q"),
        chart_of(altair, rules)
        .mark_rule(strokeDash=_PUBLISHED, strokeWidth=1.2, opacity=0.8, aria=False)
        .encode(y=y("value"), color=colour),
        base.mark_line(strokeWidth=2, aria=False).encode(y=y("value"), strokeDash=dash),
        base.mark_point(filled=True, size=28, opacity=1, aria=False).encode(
            y=y("value"), tooltip=_tooltip(altair)
        ),
        right.mark_rule(strokeWidth=0.8, opacity=0.6, aria=False).encode(
            x=x("start"), x2=altair.value(_WIDTH + _BESIDE - 3), y=y("value"), y2="at:Q"
        ),
        right.mark_text(align="left", baseline="middle", fontSize=11, aria=False).encode(
            x=altair.value(_WIDTH + _BESIDE), y=y("at"), text="text:N"
        ),
    ]


def _row(row: TradeoffRow, across: _Across) -> dict[str, Any]:
    return {
        "metric": row.metric,
        "texts": row.texts,
        "at": across.at(row.texts, across.beside[row.metric]),
        "value": known(row.value),
        "low": known(row.low),
        "high": known(row.high),
        "interval": f"{decimal(row.low)} to {decimal(row.high)}",
    }


def _by_metric(channel: Any, altair: Any, names: list[str], values: Sequence[Any]) -> Any:
    """Return a sign of the metrics without legend: their labels stand at the ends."""
    scale = altair.Scale(domain=names, range=list(values))
    return channel("metric:N", scale=scale, legend=None)


def _x(altair: Any, across: _Across) -> Callable[[str], Any]:
    """Return a function from a field to the axis of texts."""
    numbered = _numbered(across.sizes)
    scale = altair.Scale(type="log", base=2, domain=across.limits, nice=False)
    axis = altair.Axis(
        values=across.sizes,
        grid=False,
        labelOverlap=False,
        labelFlush=False,
        labelExpr=f"indexof({numbered}, datum.value) < 0 ? '' : format(datum.value, ',')",
    )

    def of(field: str) -> Any:
        return altair.X(f"{field}:Q", title="texts used (logarithmic)", scale=scale, axis=axis)

    return of


def _numbered(sizes: Sequence[int]) -> list[int]:
    """Return which sizes have a number below their tick: the largest, and all with room.

    >>> _numbered([100, 200, 400, 800, 1600, 1700])
    [100, 200, 400, 800, 1700]
    """
    octave = _WIDTH / (math.log2(sizes[-1] / sizes[0]) or 1.0)
    kept = [sizes[-1]]
    for size in reversed(sizes[:-1]):
        if octave * math.log2(kept[-1] / size) >= _DIGIT * (len(f"{kept[-1]:,}") + 1):
            kept.append(size)
    return kept[::-1]


def _y(altair: Any, limits: list[float], title: str) -> Callable[[str], Any]:
    """Return a function from a field to the axis of coefficients."""
    scale = altair.Scale(domain=limits, nice=False, zero=False)

    def of(field: str) -> Any:
        return altair.Y(f"{field}:Q", title=title, scale=scale, axis=altair.Axis(tickCount=6))

    return of


def _limits(rows: Sequence[TradeoffRow], published: Sequence[float]) -> list[float]:
    """Return limits at full tenths that hold all values and whiskers."""
    values = [value for row in rows for value in (row.value, row.low, row.high)]
    finite = [value for value in [*values, *published] if math.isfinite(value)]
    low, high = math.floor(min(finite) * 10) / 10, math.ceil(max(finite) * 10) / 10
    return [low, high] if low < high else [low - 0.1, high + 0.1]


def _labels(
    rows: Sequence[TradeoffRow],
    names: list[str],
    rules: Sequence[Mapping[str, Any]],
    across: _Across,
) -> list[_Label]:
    known_ones = [row for row in rows if math.isfinite(row.value)]
    last = {
        name: max((row for row in known_ones if row.metric == name), key=lambda row: row.texts)
        for name in names
    }
    ends = [
        _Label(
            name,
            row.value,
            f"{name} {decimal(row.value)}",
            across.at(row.texts, across.beside[name]),
        )
        for name, row in last.items()
    ]
    return ends + [
        _Label(
            rule["metric"],
            rule["value"],
            f"{rule['metric']}, published {decimal(rule['value'])}",
            across.limits[1],
        )
        for rule in rules
    ]


def _placed(labels: Sequence[_Label], limits: list[float]) -> list[dict[str, Any]]:
    """Move labels apart, no farther than they need: each cluster stays around its own middle."""
    step = _LINE / _HEIGHT * (limits[1] - limits[0])
    ordered = sorted(labels, key=lambda label: label.value)
    clusters: list[list[_Label]] = []
    for label in ordered:
        clusters.append([label])
        while len(clusters) > 1 and _bottom(clusters[-1], step) < _top(clusters[-2], step) + step:
            last = clusters.pop()
            clusters[-1].extend(last)
    return [
        {**label._asdict(), "at": _bottom(cluster, step) + number * step}
        for cluster in clusters
        for number, label in enumerate(cluster)
    ]


def _bottom(cluster: Sequence[_Label], step: float) -> float:
    middle = sum(label.value for label in cluster) / len(cluster)
    return middle - step * (len(cluster) - 1) / 2


def _top(cluster: Sequence[_Label], step: float) -> float:
    return _bottom(cluster, step) + step * (len(cluster) - 1)


def _said(subtitle: str | Sequence[str], rules: Sequence[Any]) -> list[str]:
    lines = [subtitle] if isinstance(subtitle, str) else list(subtitle)
    if rules:
        lines.append("dashed: published values")
    return [line for line in lines if line]


def _tooltip(altair: Any) -> list[Any]:
    return [
        altair.Tooltip("metric:N"),
        altair.Tooltip("texts:Q", format=","),
        altair.Tooltip("value:Q", format=".3f"),
        altair.Tooltip("interval:N"),
    ]
