"""The chart of estimates: each topic's estimate with its interval, beside its CNPMI."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.report.charts.blocks import MOST_BLOCKS
from tealeaves.report.charts.columns import Column, lines, text_columns
from tealeaves.report.charts.intervals import limits
from tealeaves.report.charts.style import COLOURS, GREY, chart_of, configured, known, titled

if TYPE_CHECKING:
    from tealeaves.estimator.predictions import Prediction, Predictions

_WIDTH, _STEP = 360, 20
_WORDS, _ID, _ROOM = 200, 120, 12  # pixels of words, of a topic's number, and between columns
_TITLE = "What a rich reference would say of each topic"
_TRUST = {True: "can be trusted", False: "not to be trusted"}
_COLOURS = {_TRUST[True]: COLOURS[0], _TRUST[False]: COLOURS[1]}
_REMARK: dict[str, Any] = {"fontSize": 10, "fontStyle": "italic", "aria": False}
# a white one below keeps lines of the panel from going through the letters
_HALO_AND_TEXT: list[dict[str, Any]] = [{"stroke": "white", "strokeWidth": 3}, {"color": GREY}]
_SHAPES = {_TRUST[True]: "circle", _TRUST[False]: "diamond"}


def estimates_chart(found: Predictions) -> Any:
    """Return an Altair chart: a line a topic, its estimate with the interval, its CNPMI hollow.

    There is a panel for each model and pair of languages, the highest estimate on top. Topics
    whose CNPMI is not to be trusted have a colour and a shape of their own. Those without an
    estimate stand at the end, and that is said.
    """
    altair = require("altair", extra="report", reason="a chart")
    parts: dict[tuple[str, str, str], list[Prediction]] = {}
    for row in found.rows:
        parts.setdefault((row.model, row.pivot, row.language), []).append(row)
    if not any(row.topic is not None for row in found.rows):
        raise InputError("there are no topics to draw")
    domain = limits(
        value
        for row in found.rows
        for value in (row.cnpmi, row.estimate, row.low, row.high)
        if row.topic is not None
    )
    title = _TITLE
    if len(parts) > MOST_BLOCKS:
        title += f" (the first {MOST_BLOCKS} of {len(parts):,} panels; the others are left out)"
    panels = [_panel(altair, rows, domain) for rows in list(parts.values())[:MOST_BLOCKS]]
    heading = titled(altair, title, _subtitle(found))
    # colours and shapes mean the same in all panels, which therefore share a legend
    return configured(altair.vconcat(*panels, spacing=32, title=heading))


def _subtitle(found: Predictions) -> list[str]:
    top = "all words" if found.top is None else f"the first {found.top} words"
    text = [
        f"filled: the estimate with its {100 * found.level:g} % interval, on the scale of a rich "
        f"reference; hollow: CNPMI of the reference at hand; of {top} of each topic",
    ]
    if any(math.isinf(row.low) or math.isinf(row.high) for row in found.rows):
        text.append(
            "intervals from edge to edge have no end: the estimator learned from too few languages"
        )
    return text


def _panel(altair: Any, rows: Sequence[Prediction], domain: Sequence[float]) -> Any:
    topics = sorted((row for row in rows if row.topic is not None), key=_order)
    drawn = [_row(number, row, domain) for number, row in enumerate(topics)]
    y = lines(altair, len(topics))
    pivot, language = rows[0].pivot, rows[0].language
    width = 2 * (_WORDS + _ROOM)
    columns = [
        Column("topic", "topic", -width - _ROOM, _ID, "right"),
        Column("pivot", pivot, -width, _WORDS),
        Column("other", language, -_WORDS - _ROOM, _WORDS),
    ]
    layers = [
        *text_columns(altair, drawn, columns, y),
        _zero(altair, domain),
        *_points(altair, drawn, y, domain),
        *_remarks(altair, drawn, y, domain),
    ]
    title = titled(altair, f"{rows[0].model} · {pivot}-{language}", _said(rows), size=13)
    return altair.layer(*layers, width=_WIDTH, height=_STEP * len(topics), title=title)


def _order(row: Prediction) -> tuple[bool, float]:
    """Order topics by their estimates, the highest first, those without one last."""
    undefined = math.isnan(row.estimate)
    return undefined, 0.0 if undefined else -row.estimate


def _row(number: int, row: Prediction, domain: Sequence[float]) -> dict[str, Any]:
    first, second = (*row.words, "", "")[:2]
    return {
        "line": number,
        "topic": str(row.topic),
        "pivot": first,
        "other": second,
        "estimate": known(row.estimate),
        "low": _end(row.low, domain),
        "high": _end(row.high, domain),
        "interval": interval_of(row),
        "cnpmi": known(row.cnpmi),
        "support": known(row.support),
        "trust": _TRUST[bool(row.trusted)],
        "reason": row.reason,
        "features": row.features,
    }


def _end(value: float, domain: Sequence[float]) -> float | None:
    """Return the end of an interval; one without end reaches the edge of the panel."""
    return known(max(domain[0], min(domain[1], value)) if math.isinf(value) else value)


def interval_of(row: Prediction) -> str:
    """Write the interval of an estimate, which may have no end; a dash where there is none."""
    if math.isnan(row.low):
        return "–"
    ends = (f"{end:.3f}" if math.isfinite(end) else "no end" for end in (row.low, row.high))
    return " to ".join(ends).replace("-", "−")


def _said(rows: Sequence[Prediction]) -> str:
    """Say the means of the model, and how many topics are not to be trusted or estimated."""
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


def _x(altair: Any, field: str, domain: Sequence[float]) -> Any:
    return altair.X(
        f"{field}:Q",
        title="CNPMI",
        axis=altair.Axis(tickCount=6, format=".3~f"),
        scale=altair.Scale(domain=list(domain), nice=False, clamp=True),
    )


def _zero(altair: Any, domain: Sequence[float]) -> Any:
    rule = chart_of(altair, [{"value": 0.0}]).mark_rule(color="#999", strokeWidth=1, aria=False)
    return rule.encode(x=_x(altair, "value", domain))


def _points(
    altair: Any, drawn: Sequence[dict[str, Any]], y: Any, domain: Sequence[float]
) -> list[Any]:
    """Return intervals, the CNPMI as hollow points, and the estimates above them."""
    legend = altair.Legend(title="CNPMI of the reference", orient="top", symbolOpacity=1)
    names = list(_COLOURS)
    given: dict[str, Any] = {"legend": legend, "sort": names}
    scale = altair.Scale(domain=names, range=list(_COLOURS.values()))
    colour = altair.Color("trust:N", scale=scale, **given)
    shapes = altair.Scale(domain=names, range=list(_SHAPES.values()))
    shape = altair.Shape("trust:N", scale=shapes, **given)
    tooltip = _tooltip(altair)

    def base(field: str) -> Any:
        some = [row for row in drawn if row[field] is not None]
        return chart_of(altair, some).encode(y=y, color=colour, tooltip=tooltip)

    rule = base("low").mark_rule(strokeWidth=1.5, opacity=0.6, aria=False)
    hollow = base("cnpmi").mark_point(size=60, strokeWidth=1.5, fill="white", opacity=1, aria=False)
    point = base("estimate").mark_point(size=70, filled=True, opacity=1, aria=False)
    return [
        rule.encode(x=_x(altair, "low", domain), x2=altair.X2("high:Q")),
        hollow.encode(x=_x(altair, "cnpmi", domain), shape=shape),
        point.encode(x=_x(altair, "estimate", domain), shape=shape),
    ]


def _remarks(
    altair: Any, drawn: Sequence[dict[str, Any]], y: Any, domain: Sequence[float]
) -> list[Any]:
    """Write which topics have no estimate, on the side where their CNPMI is not drawn."""
    middle = sum(domain) / 2
    layers = []
    for align, place, left in (("left", 6, True), ("right", _WIDTH - 6, False)):
        some = [
            {"line": row["line"], "remark": _remark(row)}
            for row in drawn
            if row["estimate"] is None and (row["cnpmi"] is None or row["cnpmi"] > middle) is left
        ]
        text = chart_of(altair, some).encode(
            x=altair.XValue(place), y=y, text=altair.Text("remark:N")
        )
        given = {"align": align, "limit": _WIDTH, **_REMARK}
        layers += [text.mark_text(**given, **one) for one in _HALO_AND_TEXT if some]
    return layers


def _remark(row: dict[str, Any]) -> str:
    """Say why there is no estimate, where no point is in the way."""
    reason = row["reason"].rstrip(".")
    return "no estimate" if row["cnpmi"] is not None or not reason else f"no estimate: {reason}"


def _tooltip(altair: Any) -> list[Any]:
    return [
        altair.Tooltip("topic:N"),
        altair.Tooltip("pivot:N", title="words"),
        altair.Tooltip("other:N", title="and"),
        altair.Tooltip("estimate:Q", format=".3f"),
        altair.Tooltip("interval:N"),
        altair.Tooltip("cnpmi:Q", title="CNPMI", format=".3f"),
        altair.Tooltip("support:Q", format=".0%"),
        altair.Tooltip("trust:N", title="its CNPMI"),
        altair.Tooltip("reason:N"),
        altair.Tooltip("features:N"),
    ]
