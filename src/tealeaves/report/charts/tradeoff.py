"""The chart of a trade-off: how well metrics agree with people, and how many texts they used."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from tealeaves.errors import InputError
from tealeaves.report.charts.blocks.axes import ValueAxis
from tealeaves.report.charts.blocks.curve import Curve
from tealeaves.report.charts.blocks.headings import part_title, subtitle_lines, titled
from tealeaves.report.charts.blocks.numbers import COEFFICIENTS, decimal, interval_words, percent
from tealeaves.report.charts.blocks.panels import configured, stacked
from tealeaves.report.charts.blocks.rows import chart_of, fields
from tealeaves.report.charts.blocks.style import COLOURS, alt, by_name, colours, tooltip

if TYPE_CHECKING:
    from tealeaves.judgments.correlation.tradeoff import Tradeoff

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


class _TextAxis(NamedTuple):
    """The axis of texts: where each size is, with the metrics beside each other."""

    sizes: list[int]
    beside: dict[str, float]  # pixels
    octave: float  # pixels in which texts double

    @classmethod
    def of(cls, rows: Sequence[TradeoffRow], names: Sequence[str]) -> _TextAxis:
        """Put metrics as far apart as the space between two sizes allows."""
        sizes = sorted({row.texts for row in rows})
        doubled = math.log2(sizes[-1] / sizes[0]) or 1.0  # a single size has no width
        nearest = min((math.log2(b / a) for a, b in pairwise(sizes)), default=doubled)
        # the gap to the next size is as wide as the points of a size
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

    @property
    def axis(self) -> ValueAxis:
        """The axis; some sizes have a tick without a number."""
        numbered = _numbered(self.sizes)
        ticks = {
            "values": self.sizes,
            "grid": False,
            "labelOverlap": False,
            "labelFlush": False,
            "labelExpr": f"indexof({numbered}, datum.value) < 0 ? '' : format(datum.value, ',')",
        }
        scale = {"type": "log", "base": 2, "domain": self.limits, "nice": False}
        return ValueAxis("texts used (logarithmic)", scale, ticks)


def curve_chart(tradeoff: Tradeoff) -> Any:
    """Return an Altair chart: a panel for each data set and task, a line for each metric."""
    defined = [row for row in tradeoff.rows if math.isfinite(row.value)]
    parts = list(dict.fromkeys((row.dataset, row.task) for row in defined))
    if not parts:
        raise InputError("there is no curve to draw: no metric has a value")
    panels = [_task_panel(tradeoff, part) for part in parts]
    return configured(panels[0] if len(panels) == 1 else stacked(panels, spacing=40))


def _task_panel(tradeoff: Tradeoff, part: tuple[str, str]) -> Any:
    rows = [row for row in tradeoff.rows if (row.dataset, row.task) == part]
    [coefficient] = tradeoff.plan.coefficients
    draws = max(row.draws for row in rows)
    by, level = tradeoff.plan.by, percent(tradeoff.plan.level)
    lines = [
        f"lines are means over {draws:,} random subsets of the {tradeoff.texts:,} texts; "
        f"whiskers hold {level} of the subsets and do not say how sure the coefficient is"
    ]
    least, most = min(row.n for row in rows), max(row.n for row in rows)
    if least == most:
        lines.insert(0, f"{most:,} {by}s")
    else:
        lines.append(
            f"the {by}s are not the same for all sizes: from few texts some have no value "
            f"({least:,} to {most:,} have one)"
        )
    return _curves(
        [TradeoffRow(row.metric, row.texts, row.value, row.low, row.high) for row in rows],
        {},
        axis=f"{COEFFICIENTS[coefficient]}, {by} by {by}",
        title=part_title((_TITLE, *part)),
        subtitle=lines,
    )


def tradeoff_chart(
    rows: Sequence[TradeoffRow],
    *,
    published: Mapping[str, float] | None = None,
    axis: str = "correlation with people",
    title: str = _TITLE,
    subtitle: str | Sequence[str] = "",
) -> Any:
    """Return an Altair chart: a line with whiskers for each metric, over the number of texts.

    The axis of texts is logarithmic. The whiskers of metrics are beside each other, and so are
    their points. ``published`` values of metrics that are drawn are dashed lines in their colours.
    Labels are at the ends, moved apart if values are near each other.
    """
    return configured(_curves(rows, published or {}, axis=axis, title=title, subtitle=subtitle))


def _curves(
    rows: Sequence[TradeoffRow],
    published: Mapping[str, float],
    *,
    axis: str,
    title: str,
    subtitle: str | Sequence[str],
) -> Any:
    names = list(dict.fromkeys(row.metric for row in rows if math.isfinite(row.value)))
    if not names:
        raise InputError("there is no curve to draw: no metric has a value")
    if wrong := [row for row in rows if row.texts < 1]:
        raise InputError(f"{wrong[0].metric}: a number of texts must be positive")
    rules = {name: published[name] for name in names if name in published}
    rules = {name: value for name, value in rules.items() if math.isfinite(value)}
    layers = _layers(rows, names, rules, axis)
    dashed = "dashed lines are published values" if rules else ""
    heading = titled(title, subtitle_lines(subtitle, dashed))
    return alt.layer(*layers, width=_WIDTH, height=_HEIGHT, title=heading)


def _layers(
    rows: Sequence[TradeoffRow], names: list[str], rules: Mapping[str, float], title: str
) -> list[Any]:
    texts = _TextAxis.of(rows, names)
    limits = _limits(rows, list(rules.values()))
    values = ValueAxis(title, {"domain": limits, "nice": False, "zero": False}, {"tickCount": 6})
    dashes = [_DASHES[number // len(COLOURS) % len(_DASHES)] for number in range(len(names))]
    # without legends: labels are at the ends of the lines
    palette = dict(zip(names, colours(len(names)), strict=True))
    colour = by_name(alt.Color, "metric", palette)
    dash = by_name(alt.StrokeDash, "metric", dict(zip(names, dashes, strict=True)))
    drawn = [_row(row, texts) for row in rows if row.metric in texts.beside]
    base = chart_of(drawn).encode(x=texts.axis.x("at"), color=colour)
    curve = Curve(base, values)
    published = chart_of({"metric": name, "value": value} for name, value in rules.items())
    labels = chart_of(_moved_apart(_labels(rows, names, rules, texts), limits))
    labels = labels.encode(color=colour)
    return [
        curve.whiskers(strokeWidth=1.2, opacity=0.55, aria=False),
        published.mark_rule(strokeDash=_PUBLISHED, strokeWidth=1.2, opacity=0.8, aria=False).encode(
            y=values.y(), color=colour
        ),
        curve.line(strokeWidth=2, aria=False).encode(strokeDash=dash),
        base.mark_point(filled=True, size=28, opacity=1, aria=False).encode(
            y=values.y(),
            tooltip=tooltip("metric:N", ("texts:Q", "", ","), ("value:Q", "", ".3f"), "interval:N"),
        ),
        labels.mark_rule(strokeWidth=0.8, opacity=0.6, aria=False).encode(
            x=texts.axis.x("start"), x2=alt.value(_WIDTH + _BESIDE - 3), y=values.y(), y2="at:Q"
        ),
        labels.mark_text(align="left", baseline="middle", fontSize=11, aria=False).encode(
            x=alt.value(_WIDTH + _BESIDE), y=values.y("at"), text="text:N"
        ),
    ]


def _row(row: TradeoffRow, texts: _TextAxis) -> dict[str, Any]:
    return {
        **fields(row, "metric", "texts", "value", "low", "high"),
        "at": texts.at(row.texts, texts.beside[row.metric]),
        "interval": interval_words(row.low, row.high),
    }


def _numbered(sizes: Sequence[int]) -> list[int]:
    """Return the sizes with a number below their tick: the largest, and all with enough space.

    >>> _numbered([100, 200, 400, 800, 1600, 1700])
    [100, 200, 400, 800, 1700]
    """
    octave = _WIDTH / (math.log2(sizes[-1] / sizes[0]) or 1.0)
    kept = [sizes[-1]]
    for size in reversed(sizes[:-1]):
        if octave * math.log2(kept[-1] / size) >= _DIGIT * (len(f"{kept[-1]:,}") + 1):
            kept.append(size)
    return kept[::-1]


def _limits(rows: Sequence[TradeoffRow], published: Sequence[float]) -> list[float]:
    """Return limits in full tenths, with all values and whiskers inside."""
    values = [value for row in rows for value in (row.value, row.low, row.high)]
    defined = [value for value in [*values, *published] if math.isfinite(value)]
    low, high = math.floor(min(defined) * 10) / 10, math.ceil(max(defined) * 10) / 10
    return [low, high] if low < high else [low - 0.1, high + 0.1]


def _labels(
    rows: Sequence[TradeoffRow], names: list[str], rules: Mapping[str, float], texts: _TextAxis
) -> list[_Label]:
    defined = [row for row in rows if math.isfinite(row.value)]
    labels = []
    for name in names:
        last = max((row for row in defined if row.metric == name), key=lambda row: row.texts)
        start = texts.at(last.texts, texts.beside[name])
        labels.append(_Label(name, last.value, f"{name} {decimal(last.value)}", start))
    return labels + [
        _Label(name, value, f"{name}, published {decimal(value)}", texts.limits[1])
        for name, value in rules.items()
    ]


def _moved_apart(labels: Sequence[_Label], limits: list[float]) -> list[dict[str, Any]]:
    """Move labels apart, no farther than necessary: each cluster keeps its middle."""
    step = _LINE / _HEIGHT * (limits[1] - limits[0])

    def bottom(cluster: Sequence[_Label]) -> float:
        middle = sum(label.value for label in cluster) / len(cluster)
        return middle - step * (len(cluster) - 1) / 2

    def top(cluster: Sequence[_Label]) -> float:
        return bottom(cluster) + step * (len(cluster) - 1)

    clusters: list[list[_Label]] = []
    for label in sorted(labels, key=lambda label: label.value):
        clusters.append([label])
        while len(clusters) > 1 and bottom(clusters[-1]) < top(clusters[-2]) + step:
            last = clusters.pop()
            clusters[-1].extend(last)
    return [
        {**label._asdict(), "at": bottom(cluster) + number * step}
        for cluster in clusters
        for number, label in enumerate(cluster)
    ]
