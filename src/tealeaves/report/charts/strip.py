"""The chart of one metric: the topics of each model as points on a strip."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from tealeaves.errors import InputError, did_you_mean
from tealeaves.extras import require
from tealeaves.report.charts.numbers import LABEL
from tealeaves.report.charts.style import (
    COLOURS,
    DARK,
    LABEL_LIMIT,
    PALE,
    chart_of,
    configured,
    known,
    titled,
)  # fmt: skip
from tealeaves.report.charts.swarm import swarm
from tealeaves.tables.table import MarkedWords

if TYPE_CHECKING:
    from tealeaves.metrics.scores import Score, Scores

_WIDTH = 820
_HEIGHT, _LOWEST, _HIGHEST = 640, 16, 56  # pixels of all strips, and of one
_MOST = 40  # models
_FEW, _LARGE, _SMALL = 60, 7.0, 5.0  # topics a model, and pixels across a point
_MARGIN = 8  # pixels between the ends of the axis and the points
_LISTED = 4  # models of which it is said how many topics have no value
_WHOLE, _PART = "all its evidence", "a part of it"


class _Strip(NamedTuple):
    """A model: its own score, those of its topics, and how many of these have no value."""

    model: str
    whole: Score | None
    topics: list[Score]
    without: int

    @property
    def value(self) -> float:
        """The model's value; NaN where there is none."""
        return math.nan if self.whole is None else self.whole.value


def strip_chart(scores: Scores, metric: str) -> Any:
    """Return an Altair chart: a strip for each model, the best on top, a point for each topic.

    Points are moved aside so that they do not hide each other; a tick is the model's value.
    """
    altair = require("altair", extra="report", reason="a chart")
    _check(scores, metric)
    strips = _strips(scores, metric)
    drawn = strips[:_MOST]
    step = min(max(_HEIGHT // len(drawn), _LOWEST), _HIGHEST)
    domain = _domain(drawn)
    points = _points(scores, drawn, domain, step)
    better = scores.better.get(metric, "")
    title = metric + (f" ({better} is better)" if better else "")
    x = _x(altair, domain, title)
    y = altair.Y(
        "model:N",
        title=None,
        scale=altair.Scale(domain=[strip.model for strip in drawn], paddingInner=0, paddingOuter=0),
        axis=altair.Axis(
            ticks=False, domain=False, grid=False, labelLimit=LABEL_LIMIT, labelPadding=8
        ),
    )
    layers = [
        _bands(altair, drawn, y),
        _dots(altair, points, x, y, step, _size(drawn)),
        _ticks(altair, drawn, x, y, step),
    ]
    heading = titled(altair, f"Topics by {metric}", _subtitle(strips))
    return configured(altair.layer(*layers, width=_WIDTH, height=step * len(drawn), title=heading))


def _check(scores: Scores, metric: str) -> None:
    """Refuse a metric that there are no scores of."""
    labels = list(dict.fromkeys(row.metric for row in scores))
    if metric not in labels:
        hint = did_you_mean(metric, labels)
        raise InputError(f"no scores of {metric}{hint} (there are {', '.join(labels) or 'none'})")


def _strips(scores: Scores, metric: str) -> list[_Strip]:
    """Return a strip for each model, the best first, those without a value last."""
    models: dict[str, list[Score]] = {}
    for row in scores:
        if row.metric == metric:
            models.setdefault(row.model, []).append(row)
    found = []
    for model, rows in models.items():
        topics = [row for row in rows if row.topic is not None]
        there = [row for row in topics if math.isfinite(row.value)]
        whole = next((row for row in rows if row.topic is None), None)
        found.append(_Strip(model, whole, there, len(topics) - len(there)))
    if not any(strip.topics or strip.without for strip in found):
        raise InputError(f"{metric} says nothing of topics: it has values of models alone")
    sign = 1 if scores.better.get(metric) == "lower" else -1

    def order(strip: _Strip) -> tuple[bool, float]:
        return math.isnan(strip.value), 0.0 if math.isnan(strip.value) else sign * strip.value

    return sorted(found, key=order)


def _domain(strips: list[_Strip]) -> list[float]:
    """Return the ends of the axis: all values, and some room where there is but one."""
    values = [row.value for strip in strips for row in strip.topics]
    values += [strip.value for strip in strips if math.isfinite(strip.value)]
    if not values:
        return [0.0, 1.0]
    low, high = min(values), max(values)
    away = (high - low) * _MARGIN / _WIDTH or abs(low) / 10 or 0.1
    return [low - away, high + away]


def _size(strips: list[_Strip]) -> float:
    return _LARGE if max(len(strip.topics) for strip in strips) <= _FEW else _SMALL


def _points(
    scores: Scores, strips: list[_Strip], domain: list[float], step: int
) -> list[dict[str, Any]]:
    scale, size = _WIDTH / (domain[1] - domain[0]), _size(strips)
    points = []
    for strip in strips:
        asides = swarm([row.value * scale for row in strip.topics], size, (step - size) / 2 - 1)
        for row, aside in zip(strip.topics, asides, strict=True):
            key = (row.model, row.topic)
            words = MarkedWords.of(scores.words.get(key, ()), scores.marked.get(key, ()))
            points.append(
                {
                    "model": row.model,
                    "topic": str(row.topic),
                    "words": str(words),
                    "value": float(f"{row.value:.6g}"),
                    "support": _rounded(row.support),
                    "aside": round(aside, 2),
                }
            )
    return points


def _rounded(support: float) -> float:
    """Write a share with four digits; what is not whole must not look so."""
    return 1 if support >= 1 else min(float(f"{support:.4g}"), 0.9999)


def _x(altair: Any, domain: list[float], title: str) -> Any:
    scale = altair.Scale(domain=domain, nice=False, zero=False)
    axis = altair.Axis(tickCount=7, labelExpr=LABEL, labelOverlap="greedy", labelFlush=False)
    return altair.X("value:Q", title=title, scale=scale, axis=axis)


def _bands(altair: Any, strips: list[_Strip], y: Any) -> Any:
    """Return a line through the middle of each strip, which shows where a model's points are."""
    rows = [{"model": strip.model} for strip in strips]
    return chart_of(altair, rows).mark_rule(color=PALE, aria=False).encode(y=y)


def _dots(
    altair: Any, points: list[dict[str, Any]], x: Any, y: Any, step: int, across: float
) -> Any:
    over = altair.selection_point(name="over", on="pointerover", empty=False, clear="pointerout")
    parts = any(row["support"] < 1 for row in points)
    fill = altair.Fill(
        "evidence:N",
        scale=altair.Scale(domain=[_WHOLE, _PART], range=[COLOURS[0], "white"]),
        legend=altair.Legend(title="rests on", orient="top", titleOrient="left", offset=4)
        if parts
        else None,
    )
    area = math.pi / 4 * (across - 1) ** 2  # half of the line around it lies outside
    return (
        chart_of(altair, points)
        .transform_calculate(evidence=f"datum.support < 1 ? '{_PART}' : '{_WHOLE}'")
        .mark_point(strokeWidth=1, opacity=1, aria=False)
        .encode(
            x=x,
            y=y,
            yOffset=altair.YOffset(
                "aside:Q", scale=altair.Scale(domain=[-step / 2, step / 2], nice=False)
            ),
            fill=fill,
            fillOpacity=altair.condition(over, altair.value(1), altair.value(0.7)),
            stroke=altair.condition(over, altair.value(DARK), altair.value(COLOURS[0])),
            strokeWidth=altair.condition(over, altair.value(2), altair.value(1)),
            size=altair.condition(over, altair.value(2.5 * area), altair.value(area)),
            tooltip=_tooltip(altair),
        )
        .add_params(over)
    )


def _ticks(altair: Any, strips: list[_Strip], x: Any, y: Any, step: int) -> Any:
    rows = [
        {"model": strip.model, "value": strip.value, "support": known(strip.whole.support)}
        for strip in strips
        if strip.whole is not None and math.isfinite(strip.value)
    ]
    tooltip = [
        altair.Tooltip("model:N"),
        altair.Tooltip("value:Q", title="of the model", format=".4f"),
        altair.Tooltip("support:Q", format=".2~%"),
    ]
    ticks = chart_of(altair, rows).mark_tick(
        color=DARK, thickness=2.5, size=step * 0.84, opacity=1, aria=False
    )
    return ticks.encode(x=x, y=y, tooltip=tooltip)


def _tooltip(altair: Any) -> list[Any]:
    return [
        altair.Tooltip("model:N"),
        altair.Tooltip("topic:N"),
        altair.Tooltip("words:N"),
        altair.Tooltip("value:Q", format=".4f"),
        altair.Tooltip("support:Q", format=".2~%"),
    ]


def _subtitle(strips: list[_Strip]) -> list[str]:
    topics = sum(len(strip.topics) + strip.without for strip in strips)
    lines = [f"points: {topics:,} topics; thick line: the model's value"]
    if len(strips) > _MOST:
        lines.append(f"the first {_MOST} of {len(strips):,} models; the others are left out")
    lacking = [strip for strip in strips if strip.without]
    if lacking:
        without = sum(strip.without for strip in lacking)
        said = f"{without:,} topics have no finite value, and so no point"
        if len(lacking) <= _LISTED:
            said += f" ({', '.join(f'{strip.model} {strip.without:,}' for strip in lacking)})"
        lines.append(said)
    return lines
