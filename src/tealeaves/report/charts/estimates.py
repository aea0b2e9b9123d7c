"""The chart of estimates: each topic's estimate with its interval, beside its CNPMI."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.report.charts.blocks.axes import ValueAxis, line_axis, vertical_rule
from tealeaves.report.charts.blocks.columns import Column, remarks, text_columns
from tealeaves.report.charts.blocks.headings import titled
from tealeaves.report.charts.blocks.intervals import interval_limits, limited_axis
from tealeaves.report.charts.blocks.numbers import percent
from tealeaves.report.charts.blocks.panels import configured, first_panels, stacked
from tealeaves.report.charts.blocks.rows import chart_of, fields, finite, grouped, highest_first
from tealeaves.report.charts.blocks.style import COLOURS, GREY, alt, by_name, tooltip
from tealeaves.tables.numbers import DASH

if TYPE_CHECKING:
    from tealeaves.estimator.predictions import Prediction, Predictions

_WIDTH, _STEP = 360, 20
_WORDS, _ID, _GAP = 200, 120, 12  # pixels of words, of the id of a topic, and between columns
_TITLE = "What a rich reference would say of each topic"
_TRUST = {True: "can be trusted", False: "not to be trusted"}
_COLOURS = dict(zip(_TRUST.values(), COLOURS, strict=False))
_SHAPES = dict(zip(_TRUST.values(), ("circle", "diamond"), strict=True))
# the white text below keeps lines of the panel out of the letters
_HALO_AND_TEXT: list[dict[str, Any]] = [{"stroke": "white", "strokeWidth": 3}, {"color": GREY}]


def estimates_chart(predictions: Predictions) -> Any:
    """Return an Altair chart: each topic's estimate with its interval, and its CNPMI hollow.

    There is a panel for each model and pair of languages, with the highest estimate on top. Topics
    whose CNPMI is not to be trusted have their own colour and shape. Topics without an estimate
    are at the end, with a remark.
    """
    topics = [row for row in predictions.rows if row.topic is not None]
    if not topics:
        raise InputError("there are no topics to draw")
    ends = [value for row in topics for value in (row.cnpmi, row.estimate, row.low, row.high)]
    domain = interval_limits(ends)
    pairs = grouped(predictions.rows, lambda row: (row.model, row.pivot, row.language))
    drawn, title = first_panels(list(pairs.values()), _TITLE, "panels")
    panels = [_pair_panel(rows, domain) for rows in drawn]
    heading = titled(title, _subtitle(predictions))
    # colours and shapes mean the same in all panels, so that one legend is enough
    return configured(stacked(panels, title=heading, own=()))


def interval_of(row: Prediction) -> str:
    """Return the interval of an estimate, which may be unlimited, as text."""
    if math.isnan(row.low):
        return DASH
    ends = (f"{end:.3f}" if math.isfinite(end) else "no end" for end in (row.low, row.high))
    return " to ".join(ends).replace("-", "−")


def _subtitle(predictions: Predictions) -> list[str]:
    top = predictions.top
    words = "all words" if top is None else f"the first {top} words"
    lines = [
        f"filled points are estimates with {percent(predictions.level)} intervals, on the scale of "
        "a rich reference; hollow ones are the CNPMI of the given reference; both rest on "
        f"{words} of each topic",
    ]
    if any(math.isinf(row.low) or math.isinf(row.high) for row in predictions.rows):
        lines.append(
            "intervals from edge to edge have no end: the estimator learned from too few languages"
        )
    return lines


def _pair_panel(rows: Sequence[Prediction], domain: Sequence[float]) -> Any:
    topics = [row for row in rows if row.topic is not None]
    topics.sort(key=lambda row: highest_first(row.estimate))
    drawn = [_row(number, row, domain) for number, row in enumerate(topics)]
    y = line_axis(len(topics))
    model, pivot, language = rows[0].model, rows[0].pivot, rows[0].language
    columns = [
        Column("topic", "topic", -2 * (_WORDS + _GAP) - _GAP, _ID, "right"),
        Column("pivot", pivot, -2 * (_WORDS + _GAP), _WORDS),
        Column("other", language, -_WORDS - _GAP, _WORDS),
    ]
    values = limited_axis("CNPMI", domain, ".3~f")
    layers = [
        *text_columns(drawn, columns, y),
        vertical_rule(values.x()),
        *_points(drawn, y, values),
        *_reasons_without_estimate(drawn, y, sum(domain) / 2),
    ]
    title = titled(f"{model} · {pivot}-{language}", _panel_subtitle(rows), size=13)
    return alt.layer(*layers, width=_WIDTH, height=_STEP * len(topics), title=title)


def _panel_subtitle(rows: Sequence[Prediction]) -> str:
    """Return how many topics are not to be trusted or not estimated, and the means of the model."""
    topics = [row for row in rows if row.topic is not None]
    undefined = sum(math.isnan(row.estimate) for row in topics)
    doubted = sum(not row.trusted for row in topics) - undefined
    parts = [f"{len(topics):,} topics, {doubted:,} of them not to be trusted"]
    if undefined:
        parts.append(f"{undefined:,} without an estimate")
    whole = next((row for row in rows if row.topic is None), None)
    if whole is not None and not math.isnan(whole.estimate):
        means = f"mean estimate {whole.estimate:.3f}, mean CNPMI {whole.cnpmi:.3f}"
        parts.append(means.replace("-", "−"))
    return "; ".join(parts)


def _row(number: int, row: Prediction, domain: Sequence[float]) -> dict[str, Any]:
    first, second = (*row.words, "", "")[:2]
    return {
        "line": number,
        "topic": str(row.topic),
        "pivot": first,
        "other": second,
        **fields(row, "estimate", "cnpmi", "support", "reason", "features"),
        "low": _end(row.low, domain),
        "high": _end(row.high, domain),
        "interval": interval_of(row),
        "trust": _TRUST[bool(row.trusted)],
    }


def _end(value: float, domain: Sequence[float]) -> float | None:
    """Return the end of an interval; an unlimited one reaches the edge of the panel."""
    return finite(max(domain[0], min(domain[1], value)) if math.isinf(value) else value)


def _points(rows: Sequence[dict[str, Any]], y: Any, values: ValueAxis) -> list[Any]:
    """Return intervals, the CNPMI as hollow points, and the estimates above them."""
    legend = alt.Legend(title="CNPMI of the reference", orient="top", symbolOpacity=1)
    options: dict[str, Any] = {"legend": legend, "sort": list(_COLOURS)}
    colour = by_name(alt.Color, "trust", _COLOURS, **options)
    shape = by_name(alt.Shape, "trust", _SHAPES, **options)
    tooltips = tooltip(
        "topic:N",
        ("pivot:N", "words"),
        ("other:N", "and"),
        ("estimate:Q", "", ".3f"),
        "interval:N",
        ("cnpmi:Q", "CNPMI", ".3f"),
        ("support:Q", "", ".0%"),
        ("trust:N", "its CNPMI"),
        "reason:N features:N",
    )

    def base(field: str) -> Any:
        some = [row for row in rows if row[field] is not None]
        return chart_of(some).encode(x=values.x(field), y=y, color=colour, tooltip=tooltips)

    rule = base("low").mark_rule(strokeWidth=1.5, opacity=0.6, aria=False)
    hollow = base("cnpmi").mark_point(size=60, strokeWidth=1.5, fill="white", opacity=1, aria=False)
    point = base("estimate").mark_point(size=70, filled=True, opacity=1, aria=False)
    return [rule.encode(x2="high:Q"), hollow.encode(shape=shape), point.encode(shape=shape)]


def _reasons_without_estimate(rows: Sequence[dict[str, Any]], y: Any, middle: float) -> list[Any]:
    """Return the remarks on topics without an estimate, on the side where no CNPMI is drawn."""
    layers = []
    for align, x, left in (("left", 6, True), ("right", _WIDTH - 6, False)):
        some = [
            {"line": row["line"], "remark": _remark(row)}
            for row in rows
            if row["estimate"] is None and (row["cnpmi"] is None or row["cnpmi"] > middle) is left
        ]
        style: dict[str, Any] = {"align": align, "limit": _WIDTH}
        layers += [
            remarks(some, alt.value(x), y, **style, **look) for look in _HALO_AND_TEXT if some
        ]
    return layers


def _remark(row: dict[str, Any]) -> str:
    """Return why there is no estimate, if no point is in the way of so long a text."""
    reason = row["reason"].rstrip(".")
    return "no estimate" if row["cnpmi"] is not None or not reason else f"no estimate: {reason}"
