"""The chart of consensus: each topic's value with its interval, its words, and the main reason."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.consensus.explanations import FITTED
from tealeaves.errors import InputError
from tealeaves.report.charts.blocks.axes import ValueAxis, line_axis
from tealeaves.report.charts.blocks.columns import Column, remarks, text_columns
from tealeaves.report.charts.blocks.headings import titled
from tealeaves.report.charts.blocks.intervals import points_with_intervals
from tealeaves.report.charts.blocks.numbers import percent
from tealeaves.report.charts.blocks.panels import configured, first_panels, stacked
from tealeaves.report.charts.blocks.rows import chart_of, fields, grouped, highest_first
from tealeaves.report.charts.blocks.style import COLOURS, DARK, GREY, THIN, alt, tooltip
from tealeaves.tables.numbers import DASH, count_text
from tealeaves.tables.table import wrap_words

if TYPE_CHECKING:
    from tealeaves.consensus.explanations import Explanation, Explanations

_WIDTH, _STEP = 320, 22
_WORDS, _REASON, _GAP = 480, 210, 14  # pixels of columns, and between them
_LETTER, _SHORTEST, _LONGEST = 6.5, 34, 120  # pixels of a letter, and of the names of topics
_FONT, _LINE, _BETWEEN = 11, 13, 6  # pixels of a Chinese letter, of a line, between topics
# pixels of letters, in the widest of the fonts that browsers use: narrow and broad ones, others
_WIDTHS = dict.fromkeys("fijlrt[]()-.,' ", 4.6) | dict.fromkeys("mwMW@", 11.0)
_SMALL, _LARGE = 7.0, 8.5
_VALUES = ValueAxis(
    "0: the worst answer people could give · 1: the best",
    {"domain": [0, 1], "nice": False, "clamp": True},
    {
        "values": [0, 0.25, 0.5, 0.75, 1],
        "format": ".2~f",
        "domain": False,
        "ticks": False,
        "titleColor": GREY,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
    },
)
_MIDDLE = "#8a8a8a"


def consensus_chart(explanations: Explanations) -> Any:
    """Return an Altair chart: the value of each topic with its interval, words and main reason.

    There is a panel for each model, with the highest value on top, or the lowest if topics are
    ordered so. A dashed line is the value of an average topic. Topics without a value are at the
    end, with the reason.
    """
    models = list(grouped(explanations.topics, lambda row: row.model).items())
    if not models:
        raise InputError("there are no topics to draw")
    title = f"What people would say of {explanations.chosen or 'each topic'}"
    drawn, title = first_panels(models, title, "models")
    # as wide in all panels, so that they are aligned
    longest = max(len(str(row.topic)) for row in explanations.topics)
    names = int(min(max(_LETTER * longest, _SHORTEST), _LONGEST))
    sign = -1 if explanations.worst_on_top else 1
    panels = []
    for model, topics in drawn:
        heading = titled(model, _model_subtitle(model, explanations), size=13, offset=16)
        topics.sort(key=lambda row: highest_first(sign * row.value))
        panels.append(_model_panel(topics, heading, names))
    heading = titled(title, _subtitle(explanations))
    return configured(stacked(panels, spacing=36, title=heading, own=()))


def _subtitle(explanations: Explanations) -> list[str]:
    top = explanations.top
    words = "all words" if top is None else f"the first {top} words"
    judged = f"{explanations.judged_by}, by {words} of each topic".removeprefix(", ")
    if any(row.odd for row in explanations.topics):
        judged += "; a [word] fits its topic badly"
    level = percent(explanations.level)
    return [judged, f"bars hold people's own score for {level} of {FITTED}"]


def _model_subtitle(model: str, explanations: Explanations) -> str:
    """Return the mean of a model, and how many topics have odd words or no value."""
    topics = [row for row in explanations.topics if row.model == model]
    scores = [row for row in explanations.among if row.model == model]
    every = sum(row.topic is not None for row in scores)
    means = (row.value for row in explanations if row.model == model and row.topic is None)
    mean = next(means, math.nan)
    parts = [] if math.isnan(mean) else [f"mean {mean:.3f}"]
    shown = f"{len(topics):,} of " if len(topics) < every else ""
    parts.append(shown + count_text(every, "topic"))
    if odd := sum(bool(row.odd) for row in topics):
        parts.append(f"{odd:,} with odd words")
    if undefined := sum(math.isnan(row.value) for row in topics):
        parts.append(f"{undefined:,} without a value")
    return ", ".join(parts)


def _model_panel(topics: Sequence[Explanation], title: Any, names: int) -> Any:
    rows = [_row(number, row) for number, row in enumerate(topics)]
    y = line_axis(len(topics))
    columns = [
        Column("topic", "topic", -_WORDS - 2 * _GAP - names, names, colour=GREY),
        Column("reason", "main reason", _WIDTH + _GAP, _REASON, colour=GREY),
    ]
    layers = [
        *text_columns(rows, columns, y),
        *_words(rows, y),
        *_average(topics),
        *_points([row for row in rows if row["value"] is not None], y),
        *_reasons_without_value([row for row in rows if row["value"] is None], y),
    ]
    step = max(_STEP, _LINE * max(len(row["written"]) for row in rows) + _BETWEEN)
    return alt.layer(*layers, width=_WIDTH, height=step * len(topics), title=title)


def _row(number: int, row: Explanation) -> dict[str, Any]:
    lowered = [str(reason) for reason in row.reasons if reason.part < 0]
    raised = [str(reason) for reason in row.reasons if not reason.part < 0]
    return {
        "line": number,
        "topic": str(row.topic),
        "words": str(row.marked),
        "written": wrap_words(row.marked, _WORDS, _pixels),
        **fields(row, "value", "low", "high", "support", "why_not"),
        "interval": row.interval or DASH,
        "reason": "" if row.why_not else row.main_reason.replace("-", "−", 1),
        "lowered": "; ".join(lowered) or DASH,
        "raised": "; ".join(raised) or DASH,
        "odd": ", ".join(row.odd) or DASH,
        "weakest": ", ".join(map(str, row.weakest)) or DASH,
        "sources": ", ".join(row.sources) or DASH,
    }


def _pixels(text: str) -> float:
    """Return about how wide a text is, rather too wide: what does not fit would be cut."""
    return sum(map(_letter_pixels, text))


def _letter_pixels(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return _FONT
    return _WIDTHS.get(letter, _SMALL if letter.isascii() and not letter.isupper() else _LARGE)


def _words(rows: Sequence[dict[str, Any]], y: Any) -> list[Any]:
    """Return the words of topics, on several lines if they are many.

    There is a layer for each number of lines, so that texts are centred at their topics.
    """
    layers: list[Any] = []
    for number in sorted({len(row["written"]) for row in rows}):
        some = [row for row in rows if len(row["written"]) == number]
        column = Column("written", "" if layers else "words", -_WORDS - _GAP, _WORDS)
        texts, *heading = text_columns(some, [column], y)
        texts.mark.dy, texts.mark.lineHeight = -_LINE * (number - 1) / 2, _LINE
        layers += [texts, *heading]
    return layers


def _average(topics: Sequence[Explanation]) -> list[Any]:
    """Return the value of an average topic, if it is the same for all."""
    usual = {round(row.usual, 3) for row in topics if not math.isnan(row.usual)}
    if len(usual) != 1:
        return []
    base = chart_of([{"value": usual.pop(), "said": "average topic"}]).encode(x=_VALUES.x())
    text = base.mark_text(fontSize=10, color=GREY, baseline="middle", aria=False)
    return [
        base.mark_rule(color=THIN, strokeDash=[4, 3], strokeWidth=1, aria=False),
        text.encode(y=alt.value(-9), text="said:N"),
    ]


def _points(rows: Sequence[dict[str, Any]], y: Any) -> list[Any]:
    """Return the intervals as broad pale bars, and the values above them."""
    # bad topics are orange, good ones blue: most people can tell these colours apart
    scale = alt.Scale(domain=[0, 0.5, 1], range=[COLOURS[1], _MIDDLE, COLOURS[0]])
    base = chart_of(rows).encode(
        y=y,
        color=alt.Color("value:Q", scale=scale, legend=None),
        tooltip=tooltip(
            "topic:N words:N",
            ("value:Q", "", ".3f"),
            "interval:N",
            ("support:Q", "", ".0%"),
            ("lowered:N", "lowered by"),
            ("raised:N", "raised by"),
            ("odd:N", "odd words"),
            ("weakest:N", "least related"),
            ("sources:N", "judged by"),
        ),
    )
    bar = {"strokeWidth": 8, "opacity": 0.25, "aria": False}
    point = {"size": 85, "filled": True, "opacity": 1, "aria": False}
    return points_with_intervals(base, _VALUES, rule=bar, point=point)


def _reasons_without_value(rows: Sequence[dict[str, Any]], y: Any) -> list[Any]:
    texts = [{"line": row["line"], "remark": f"no value: {row['why_not']}"} for row in rows]
    return [remarks(texts, alt.value(6), y, limit=_WIDTH, color=DARK)] if rows else []
