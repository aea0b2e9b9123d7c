"""The chart of contributions: what each feature adds to the estimate of a topic."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.estimator.features import GROUPS, group_of
from tealeaves.report.charts.blocks.axes import LABEL, ValueAxis, line_axis, vertical_rule
from tealeaves.report.charts.blocks.bars import bars
from tealeaves.report.charts.blocks.columns import Column, text_columns
from tealeaves.report.charts.blocks.headings import aligned, titled
from tealeaves.report.charts.blocks.numbers import percent, significant
from tealeaves.report.charts.blocks.panels import beside, configured, first_panels, stacked
from tealeaves.report.charts.blocks.rows import chart_of
from tealeaves.report.charts.blocks.style import COLOURS, DARK, GREY, THIN, alt, by_name, tooltip
from tealeaves.report.charts.estimates import interval_of
from tealeaves.tables.numbers import DASH, number_text

if TYPE_CHECKING:
    from tealeaves.estimator.predictions import (
        EstimateExplanation,
        EstimateExplanations,
        Prediction,
    )

#: A chart with more topics would be too long to read.
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
_TITLE = "What moved the estimates"
_PALETTE = {**dict(zip(GROUPS, COLOURS, strict=False)), "": DARK}


def contributions_chart(explanations: EstimateExplanations) -> Any:
    """Return an Altair chart: a panel for each topic, a bar for each feature, the longest on top.

    Bars begin at the estimate of a usual topic. Their sum leads from there to the estimate of the
    topic; it is the dark bar below them. The sentence on trust is above the panel. Topics without
    an estimate are listed at the end.
    """
    if not explanations.rows:
        raise InputError("there are no topics to explain")
    explained = [row for row in explanations.rows if row.contributions]
    drawn = explained[:MOST_TOPICS]
    panels = _pairs(drawn)
    without = [row.prediction for row in explanations.rows if not row.contributions]
    if without:
        panels.append(_without_estimate(without[:MOST_TOPICS]))
    most = max(len(explained), len(without))
    _, title = first_panels(range(most), _TITLE, "topics", MOST_TOPICS)
    subtitle = ["no topic has an estimate"]
    if drawn:
        subtitle = [
            "0 is the estimate of an average topic with as many words; "
            "bars are Shapley values, and add up to the dark one",
            f"brackets hold the {percent(explanations.level)} interval of the estimate",
        ]
    return configured(stacked(panels, spacing=36, title=titled(title, subtitle)))


def _pairs(explanations: Sequence[EstimateExplanation]) -> list[Any]:
    """Return topics two by two; the limits are the same, so that topics can be compared."""
    rows = [_rows(one) for one in explanations]
    ends = [0.0, *(row["adds"] for some in rows for row in some)]
    domain = [min(ends), max(ends)] if any(ends) else [-1.0, 1.0]
    titles = [(_name(one.prediction), _topic_subtitle(one)) for one in explanations]
    panels = []
    for start in range(0, len(explanations), 2):
        pair = slice(start, start + 2)
        sides = zip(rows[pair], aligned(titles[pair], size=13), strict=True)
        bars_of_pair = [_topic_panel(some, domain, heading) for some, heading in sides]
        panels.append(beside(bars_of_pair, spacing=_SPACE))
    return panels


def _name(row: Prediction) -> str:
    return f"topic {row.topic} · {row.model} · {row.pivot}-{row.language}"


def _topic_subtitle(one: EstimateExplanation) -> list[str]:
    """Return the words, the estimate and the sentence on trust, in lines as wide as the panel."""
    row = one.prediction
    names = (row.pivot, row.language)
    sides = [f"{name}: {words}" for name, words in zip(names, row.words, strict=False)]
    estimate = (
        f"estimate {number_text(row.estimate)} ({interval_of(row)}), of an average topic "
        f"{number_text(one.usual)}; CNPMI of the reference {number_text(row.cnpmi)}"
    )
    return [*sides, estimate.replace("-", "−"), *textwrap.wrap(row.reason, _LETTERS)]


def _rows(one: EstimateExplanation) -> list[dict[str, Any]]:
    """Return the bars of a topic, and the sum of all."""
    rows: list[dict[str, Any]] = [
        {
            "line": number,
            "feature": name,
            "group": group_of(name),
            "value": _feature_text(one.values.get(name, math.nan)),
            "mean": _feature_text(one.means.get(name, math.nan)),
            "adds": one.contributions[name],
        }
        for number, name in enumerate(one.ordered)
    ]
    total = {"line": len(rows), "feature": "all together", "group": "", "value": "", "mean": ""}
    rows.append({**total, "adds": one.prediction.estimate - one.usual})
    return [{**row, "text": _signed(row["adds"])} for row in rows]


def _feature_text(value: float) -> str:
    """Return the value of a feature: years with four digits, all others with three."""
    if math.isnan(value):
        return DASH
    return f"{value:.0f}" if abs(value) >= 1000 else significant(value)


def _signed(value: float) -> str:
    """Return what is added, with its sign.

    >>> _signed(-0.0121), _signed(-0.0001)
    ('−0.012', '0.000')
    """
    text = f"{value:+.3f}".replace("-", "−")
    return text[1:] if float(text[1:]) == 0 else text


def _topic_panel(rows: Sequence[dict[str, Any]], domain: Sequence[float], heading: Any) -> Any:
    """Return the panel of one topic; groups have a colour and a column, and thus no legend."""
    heading.limit = _END - _START
    adds = ValueAxis(
        "added to the estimate of a usual topic",
        {"domain": list(domain), "nice": True},
        {"tickCount": 5, "labelExpr": LABEL, "labelFlush": False},
    )
    x, y = adds.x("adds"), line_axis(len(rows))
    tooltips = tooltip("feature:N group:N value:N", ("mean:N", "usual"), ("adds:Q", "", "+.4f"))
    above_sum = chart_of(rows[-1:]).mark_rule(color=THIN, strokeWidth=1, aria=False)
    layers = [
        *text_columns(rows, _COLUMNS, y),
        bars(rows, x, y).encode(color=by_name(alt.Color, "group", _PALETTE), tooltip=tooltips),
        vertical_rule(x, field="adds"),
        above_sum.encode(
            y=alt.Y("line:O", bandPosition=0), x=alt.value(_START), x2=alt.value(_END)
        ),
    ]
    return alt.layer(*layers, width=_WIDTH, height=_STEP * len(rows), title=heading)


def _without_estimate(predictions: Sequence[Prediction]) -> Any:
    rows = [
        {
            "line": number,
            "topic": _name(row),
            "pivot": (*row.words, "", "")[0],
            "other": (*row.words, "", "")[1],
            "reason": row.reason,
        }
        for number, row in enumerate(predictions)
    ]
    columns = [
        Column("topic", "topic", _START, 210),
        Column("pivot", "words", _START + 220, 200),
        Column("other", "", _START + 430, 200),
        Column("reason", "why", _START + 640, 480, colour=GREY),
    ]
    layers = text_columns(rows, columns, line_axis(len(rows)))
    heading = titled("Without an estimate", size=13)
    return alt.layer(*layers, width=_WIDTH, height=_STEP * len(rows), title=heading)
