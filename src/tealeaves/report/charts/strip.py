"""The chart of one metric: the topics of each model as points on a strip."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from tealeaves.errors import InputError, did_you_mean
from tealeaves.report.charts.blocks.axes import LABEL, ValueAxis, name_axis
from tealeaves.report.charts.blocks.headings import titled
from tealeaves.report.charts.blocks.panels import configured
from tealeaves.report.charts.blocks.rows import chart_of, finite, grouped, highest_first
from tealeaves.report.charts.blocks.style import (
    COLOURS,
    DARK,
    LABEL_LIMIT,
    PALE,
    alt,
    by_name,
    tooltip,
)
from tealeaves.report.charts.blocks.swarm import aside, strip_ticks, swarm
from tealeaves.tables.table import MarkedWords

if TYPE_CHECKING:
    from tealeaves.metrics.scores import Score, Scores

_WIDTH = 820
_HEIGHT, _LOWEST, _HIGHEST = 640, 16, 56  # pixels of all strips, and of one
_MOST = 40  # models
_FEW, _LARGE, _SMALL = 60, 7.0, 5.0  # topics of a model, and pixels across a point
_MARGIN = 8  # pixels between the ends of the axis and the points
_LISTED = 4  # models whose topics without a value are counted in the subtitle
_WHOLE, _PART = "all its evidence", "a part of it"


class _ModelStrip(NamedTuple):
    """A model: its score, those of its topics, and how many topics have no value."""

    model: str
    whole: Score | None
    topics: list[Score]
    without: int

    @property
    def value(self) -> float:
        """The value of the model; NaN if there is none."""
        return math.nan if self.whole is None else self.whole.value


def strip_chart(scores: Scores, metric: str) -> Any:
    """Return an Altair chart: a strip for each model, the best on top, a point for each topic.

    Points are moved aside so that they do not hide each other; a tick is the model's value.
    """
    strips = _strips(scores, metric)
    drawn = strips[:_MOST]
    step = min(max(_HEIGHT // len(drawn), _LOWEST), _HIGHEST)
    domain = _domain(drawn)
    better = scores.better.get(metric, "")
    x = ValueAxis(
        metric + (f" ({better} is better)" if better else ""),
        {"domain": domain, "nice": False, "zero": False},
        {"tickCount": 7, "labelExpr": LABEL, "labelOverlap": "greedy", "labelFlush": False},
    ).x()
    names = [strip.model for strip in drawn]
    dense = {"paddingInner": 0, "paddingOuter": 0}
    look: dict[str, Any] = {"grid": False, "labelLimit": LABEL_LIMIT, "labelPadding": 8}
    y = name_axis(alt.Y, "model:N", names, scale=dense, **look)
    size = _LARGE if max(len(strip.topics) for strip in drawn) <= _FEW else _SMALL
    points = _points(scores, drawn, _WIDTH / (domain[1] - domain[0]), step, size)
    middle_lines = chart_of({"model": strip.model} for strip in drawn)
    layers = [
        middle_lines.mark_rule(color=PALE, aria=False).encode(y=y),
        _dots(points, x, y, step, size),
        _ticks(drawn, x, y, step),
    ]
    heading = titled(f"Topics by {metric}", _subtitle(strips))
    return configured(alt.layer(*layers, width=_WIDTH, height=step * len(drawn), title=heading))


def _strips(scores: Scores, metric: str) -> list[_ModelStrip]:
    """Return a strip for each model, the best first, those without a value last."""
    rows = [row for row in scores if row.metric == metric]
    if not rows:
        labels = list(dict.fromkeys(row.metric for row in scores))
        hint = did_you_mean(metric, labels)
        raise InputError(f"no scores of {metric}{hint} (there are {', '.join(labels) or 'none'})")
    strips = []
    for model, some in grouped(rows, lambda row: row.model).items():
        topics = [row for row in some if row.topic is not None]
        defined = [row for row in topics if math.isfinite(row.value)]
        whole = next((row for row in some if row.topic is None), None)
        strips.append(_ModelStrip(model, whole, defined, len(topics) - len(defined)))
    if not any(strip.topics or strip.without for strip in strips):
        raise InputError(f"{metric} says nothing of topics: it has values of models alone")
    sign = -1 if scores.better.get(metric) == "lower" else 1
    return sorted(strips, key=lambda strip: highest_first(sign * strip.value))


def _domain(strips: list[_ModelStrip]) -> list[float]:
    """Return the ends of the axis: all values, with some space around a single one."""
    values = [row.value for strip in strips for row in strip.topics]
    values += [strip.value for strip in strips if math.isfinite(strip.value)]
    if not values:
        return [0.0, 1.0]
    low, high = min(values), max(values)
    away = (high - low) * _MARGIN / _WIDTH or abs(low) / 10 or 0.1
    return [low - away, high + away]


def _points(
    scores: Scores, strips: list[_ModelStrip], scale: float, step: int, size: float
) -> list[dict[str, Any]]:
    points = []
    for strip in strips:
        asides = swarm([row.value * scale for row in strip.topics], size, (step - size) / 2 - 1)
        for row, moved in zip(strip.topics, asides, strict=True):
            key = (row.model, row.topic)
            words = MarkedWords.of(scores.words.get(key, ()), scores.marked.get(key, ()))
            points.append(
                {
                    "model": row.model,
                    "topic": str(row.topic),
                    "words": str(words),
                    "value": float(f"{row.value:.6g}"),
                    "support": _rounded(row.support),
                    "aside": round(moved, 2),
                }
            )
    return points


def _rounded(support: float) -> float:
    """Return a share with four digits; a part must not be rounded to the whole."""
    return 1 if support >= 1 else min(float(f"{support:.4g}"), 0.9999)


def _dots(points: list[dict[str, Any]], x: Any, y: Any, step: int, size: float) -> Any:
    over = alt.selection_point(name="over", on="pointerover", empty=False, clear="pointerout")

    def look(over_it: Any, otherwise: Any) -> Any:
        return alt.condition(over, alt.value(over_it), alt.value(otherwise))

    legend = None
    if any(row["support"] < 1 for row in points):
        legend = alt.Legend(title="rests on", orient="top", titleOrient="left", offset=4)
    area = math.pi / 4 * (size - 1) ** 2  # half of the line around a point lies outside
    return (
        chart_of(points)
        .transform_calculate(evidence=f"datum.support < 1 ? '{_PART}' : '{_WHOLE}'")
        .mark_point(strokeWidth=1, opacity=1, aria=False)
        .encode(
            x=x,
            y=y,
            yOffset=aside("aside", [-step / 2, step / 2], nice=False),
            fill=by_name(alt.Fill, "evidence", {_WHOLE: COLOURS[0], _PART: "white"}, legend=legend),
            fillOpacity=look(1, 0.7),
            stroke=look(DARK, COLOURS[0]),
            strokeWidth=look(2, 1),
            size=look(2.5 * area, area),
            tooltip=tooltip(
                "model:N topic:N words:N",
                ("value:Q", "", ".4f"),
                ("support:Q", "", ".2~%"),
            ),
        )
        .add_params(over)
    )


def _ticks(strips: list[_ModelStrip], x: Any, y: Any, step: int) -> Any:
    rows = [
        {"model": strip.model, "value": strip.value, "support": finite(strip.whole.support)}
        for strip in strips
        if strip.whole is not None and math.isfinite(strip.value)
    ]
    tooltips = tooltip("model:N", ("value:Q", "of the model", ".4f"), ("support:Q", "", ".2~%"))
    return strip_ticks(rows, step * 0.84, opacity=1).encode(x=x, y=y, tooltip=tooltips)


def _subtitle(strips: list[_ModelStrip]) -> list[str]:
    topics = sum(len(strip.topics) + strip.without for strip in strips)
    lines = [f"points are {topics:,} topics; thick lines are the values of models"]
    if len(strips) > _MOST:
        lines.append(f"the first {_MOST} of {len(strips):,} models are shown")
    lacking = [strip for strip in strips if strip.without]
    if lacking:
        without = sum(strip.without for strip in lacking)
        line = f"{without:,} topics have no finite value, and so no point"
        if len(lacking) <= _LISTED:
            line += f" ({', '.join(f'{strip.model} {strip.without:,}' for strip in lacking)})"
        lines.append(line)
    return lines
