"""The chart of contributions: what each feature adds to the estimate of a topic."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.estimator.features import GROUPS, group_of
from tealeaves.extras import require
from tealeaves.report.charts.columns import Column, lines, text_columns
from tealeaves.report.charts.estimates import interval_of
from tealeaves.report.charts.numbers import LABEL, short
from tealeaves.report.charts.style import (
    COLOURS,
    DARK,
    GREY,
    beside,
    chart_of,
    configured,
    filled,
    stacked,
    titled,
)
from tealeaves.tables.numbers import number_text

if TYPE_CHECKING:
    from tealeaves.estimator.predictions import (
        EstimateExplanation,
        EstimateExplanations,
        Prediction,
    )

#: More topics would make a page that nobody reads to its end.
MOST_TOPICS = 24
_WIDTH, _STEP = 230, 17
_START, _END = -300, _WIDTH + 48  # pixels: where the first column begins, and the last one ends
_COLUMNS = [
    Column("feature", "feature", _START, 138),
    Column("group", "group", -156, colour=GREY),
    Column("value", "value", -62, align="right"),
    Column("mean", "usual", -10, align="right", colour=GREY),
    Column("text", "adds", _END, align="right"),
]
_SPACE = 48  # pixels between topics side by side
_LETTERS = 105  # of a line of a subtitle, which is as wide as the panel
_ALL = "all together"
_TITLE = "What moved the estimates"
_PALETTE = {**dict(zip(GROUPS, COLOURS, strict=False)), "": DARK}


def contributions_chart(found: EstimateExplanations) -> Any:
    """Return an Altair chart: a panel a topic, a bar a feature, what moved it most on top.

    Bars begin at the estimate of a usual topic, and together lead from there to the topic's, which
    is the dark bar below them. The sentence on trust stands above. Topics without an estimate are
    named at the end.
    """
    altair = require("altair", extra="report", reason="a chart")
    if not found.rows:
        raise InputError("there are no topics to explain")
    drawn = [one for one in found.rows if one.contributions]
    some = drawn[:MOST_TOPICS]
    panels = _panels(altair, some)
    without = [one.prediction for one in found.rows if not one.contributions]
    if without:
        panels.append(_unjudged(altair, without[:MOST_TOPICS]))
    title = titled(altair, _title(len(drawn), len(without)), _subtitle(found, some))
    return configured(stacked(altair, panels, spacing=36, title=title))


def _title(drawn: int, without: int) -> str:
    most = max(drawn, without)
    if most <= MOST_TOPICS:
        return _TITLE
    return f"{_TITLE} (the first {MOST_TOPICS} of {most:,} topics; the others are left out)"


def _subtitle(found: EstimateExplanations, drawn: Sequence[EstimateExplanation]) -> list[str]:
    if not drawn:
        return ["no topic has an estimate"]
    return [
        "0 is the estimate of a topic whose features are all as usual for its number of words; "
        "bars are Shapley values, and add up to the dark one",
        f"in brackets: {100 * found.level:g} % interval of the estimate",
    ]


def _panels(altair: Any, drawn: Sequence[EstimateExplanation]) -> list[Any]:
    """Draw topics two side by side; the limits are the same, so that they can be compared."""
    rows = [_rows(one) for one in drawn]
    ends = [0.0, *(row["adds"] for some in rows for row in some)]
    domain = [min(ends), max(ends)] if any(ends) else [-1.0, 1.0]
    said = [_said(one.prediction, one.usual) for one in drawn]
    panels = []
    for start in range(0, len(drawn), 2):
        pair = range(start, min(start + 2, len(drawn)))
        least = max(len(said[place]) for place in pair)
        sides = []
        for place in pair:
            heading = titled(
                altair, _name(drawn[place].prediction), filled(said[place], least), size=13
            )
            heading.limit = _END - _START
            sides.append(_panel(altair, rows[place], domain, heading))
        panels.append(beside(altair, sides, spacing=_SPACE))
    return panels


def _name(row: Prediction) -> str:
    return f"topic {row.topic} · {row.model} · {row.pivot}-{row.language}"


def _said(row: Prediction, usual: float) -> list[str]:
    """Return the words, the estimate and the sentence on trust, in lines as wide as the panel."""
    names = (row.pivot, row.language)
    sides = [f"{name}: {words}" for name, words in zip(names, row.words, strict=False)]
    estimate = (
        f"estimate {number_text(row.estimate)} ({interval_of(row)}), usual is "
        f"{number_text(usual)}; CNPMI of the reference {number_text(row.cnpmi)}"
    )
    return [*sides, estimate.replace("-", "−"), *textwrap.wrap(row.reason, _LETTERS)]


def _rows(one: EstimateExplanation) -> list[dict[str, Any]]:
    """Return the bars of a topic, and the sum of all."""
    found: list[dict[str, Any]] = [
        {
            "line": place,
            "feature": name,
            "group": group_of(name),
            "value": _shown(one.values.get(name, math.nan)),
            "mean": _shown(one.means.get(name, math.nan)),
            "adds": one.contributions[name],
        }
        for place, name in enumerate(one.ordered)
    ]
    total = {"line": len(found), "feature": _ALL, "group": "", "value": "", "mean": ""}
    found.append({**total, "adds": one.prediction.estimate - one.usual})
    return [{**row, "text": _signed(row["adds"])} for row in found]


def _shown(value: float) -> str:
    """Write a feature: years have four digits, and the others three."""
    if math.isnan(value):
        return "–"
    return f"{value:.0f}" if abs(value) >= 1000 else short(value)


def _signed(value: float) -> str:
    """Write what is added, with its sign.

    >>> _signed(-0.0121), _signed(-0.0001)
    ('−0.012', '0.000')
    """
    text = f"{value:+.3f}".replace("-", "−")
    return text[1:] if float(text[1:]) == 0 else text


def _panel(
    altair: Any, rows: Sequence[dict[str, Any]], domain: Sequence[float], heading: Any
) -> Any:
    """Draw one topic; groups have a colour and a column, and thus no legend."""
    y = lines(altair, len(rows))
    scale = altair.Scale(domain=list(_PALETTE), range=list(_PALETTE.values()))
    bars = chart_of(altair, rows).mark_bar(height={"band": 0.7}, aria=False)
    thin = {"color": "#999", "strokeWidth": 1, "aria": False}
    zero = chart_of(altair, [{"adds": 0.0}]).mark_rule(**thin)
    above_all = chart_of(altair, rows[-1:]).mark_rule(**thin)
    layers = [
        *text_columns(altair, rows, _COLUMNS, y),
        bars.encode(
            x=_x(altair, domain),
            x2=altair.X2Datum(0),
            y=y,
            color=altair.Color("group:N", scale=scale, legend=None),
            tooltip=_tooltip(altair),
        ),
        zero.encode(x=_x(altair, domain)),
        above_all.encode(
            y=altair.Y("line:O", bandPosition=0), x=altair.XValue(_START), x2=altair.X2Value(_END)
        ),
    ]
    return altair.layer(*layers, width=_WIDTH, height=_STEP * len(rows), title=heading)


def _x(altair: Any, domain: Sequence[float]) -> Any:
    return altair.X(
        "adds:Q",
        title="added to the estimate of a usual topic",
        axis=altair.Axis(tickCount=5, labelExpr=LABEL, labelFlush=False),
        scale=altair.Scale(domain=list(domain), nice=True),
    )


def _unjudged(altair: Any, rows: Sequence[Prediction]) -> Any:
    """Name the topics without an estimate, and say why."""
    named = [
        {
            "line": place,
            "topic": _name(row),
            "pivot": (*row.words, "", "")[0],
            "other": (*row.words, "", "")[1],
            "reason": row.reason,
        }
        for place, row in enumerate(rows)
    ]
    columns = [
        Column("topic", "topic", _START, 210),
        Column("pivot", "words", _START + 220, 200),
        Column("other", "", _START + 430, 200),
        Column("reason", "why", _START + 640, 480, colour=GREY),
    ]
    layers = text_columns(altair, named, columns, lines(altair, len(named)))
    heading = titled(altair, "Without an estimate", size=13)
    return altair.layer(*layers, width=_WIDTH, height=_STEP * len(named), title=heading)


def _tooltip(altair: Any) -> list[Any]:
    return [
        altair.Tooltip("feature:N"),
        altair.Tooltip("group:N"),
        altair.Tooltip("value:N"),
        altair.Tooltip("mean:N", title="usual"),
        altair.Tooltip("adds:Q", format="+.4f"),
    ]
