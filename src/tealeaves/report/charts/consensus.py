"""The chart of consensus: each topic's value with its interval, its words, and the main reason."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.consensus.explanations import TAUGHT
from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.report.charts.blocks import MOST_BLOCKS
from tealeaves.report.charts.columns import Column, lines, text_columns
from tealeaves.report.charts.style import COLOURS, DARK, GREY, chart_of, configured, known, titled
from tealeaves.tables.table import wrap_words

if TYPE_CHECKING:
    from tealeaves.consensus.explanations import Explanation, Explanations

_WIDTH, _STEP = 320, 22
_WORDS, _REASON, _ROOM = 480, 210, 14  # pixels of columns, and between them
_LETTER, _SHORTEST, _LONGEST = 6.5, 34, 120  # pixels of a letter, and of the names of topics
_FONT, _LINE, _BETWEEN = 11, 13, 6  # pixels of a Chinese letter, of a line, between topics
# pixels of letters, in the widest of the fonts that browsers take: narrow and broad ones, others
_WIDTHS = dict.fromkeys("fijlrt[]()-.,' ", 4.6) | dict.fromkeys("mwMW@", 11.0)
_SMALL, _LARGE = 7.0, 8.5
_TITLE = "What people would say of {}"
_AXIS = "0: the worst answer people could give · 1: the best"
_MIDDLE = "#8a8a8a"


def consensus_chart(found: Explanations) -> Any:
    """Return an Altair chart: a line a topic, its value with the interval, words and main reason.

    There is a panel for each model, the highest value on top, or the lowest where topics are
    ordered so. A dashed line is what an average topic has. Topics without a value stand at the
    end, and why is said.
    """
    altair = require("altair", extra="report", reason="a chart")
    parts: dict[str, list[Explanation]] = {}
    for row in found.topics:
        parts.setdefault(row.model, []).append(row)
    if not parts:
        raise InputError("there are no topics to draw")
    title = _TITLE.format(found.chosen or "each topic")
    if len(parts) > MOST_BLOCKS:
        title += f" (the first {MOST_BLOCKS} of {len(parts):,} models; the others are left out)"
    # as wide in all panels, so that these stand below each other
    longest = max(len(str(row.topic)) for row in found.topics)
    names = int(min(max(_LETTER * longest, _SHORTEST), _LONGEST))
    panels = [
        _panel(altair, _ordered(rows, found), _heading(altair, model, found), names)
        for model, rows in list(parts.items())[:MOST_BLOCKS]
    ]
    heading = titled(altair, title, _subtitle(found))
    return configured(altair.vconcat(*panels, spacing=36, title=heading))


def _subtitle(found: Explanations) -> list[str]:
    top = "all words" if found.top is None else f"the first {found.top} words"
    judged = f"{found.judged_by}, by {top} of each topic".removeprefix(", ")
    marked = "; [word]: fits its topic badly" * any(row.odd for row in found.topics)
    interval = f"bars: people's own score is in them for {100 * found.level:g} % of {TAUGHT}"
    return [judged + marked, interval]


def _heading(altair: Any, model: str, found: Explanations) -> Any:
    return titled(altair, model, _said(model, found), size=13, offset=16)


def _ordered(rows: Sequence[Explanation], found: Explanations) -> list[Explanation]:
    """Order topics by their values, those without one last."""
    known = [row for row in rows if not math.isnan(row.value)]
    known.sort(key=lambda row: row.value, reverse=not found.worst_on_top)
    return [*known, *(row for row in rows if math.isnan(row.value))]


def _panel(altair: Any, topics: Sequence[Explanation], title: Any, names: int) -> Any:
    drawn = [_row(number, row) for number, row in enumerate(topics)]
    y = lines(altair, len(topics))
    columns = [
        Column("topic", "topic", -_WORDS - 2 * _ROOM - names, names, colour=GREY),
        Column("reason", "main reason", _WIDTH + _ROOM, _REASON, colour=GREY),
    ]
    layers = [
        *text_columns(altair, drawn, columns, y),
        *_words(altair, drawn, y),
        *_average(altair, topics),
        *_points(altair, drawn, y),
        *_remarks(altair, drawn, y),
    ]
    step = max(_STEP, _LINE * max(len(row["written"]) for row in drawn) + _BETWEEN)
    return altair.layer(*layers, width=_WIDTH, height=step * len(topics), title=title)


def _words(altair: Any, drawn: Sequence[dict[str, Any]], y: Any) -> list[Any]:
    """Write the words of topics, on several lines where they are many.

    There is a layer for each number of lines, so that their middle is where the topic is.
    """
    layers: list[Any] = []
    for number in sorted({len(row["written"]) for row in drawn}):
        some = [row for row in drawn if len(row["written"]) == number]
        column = Column("written", "" if layers else "words", -_WORDS - _ROOM, _WORDS)
        texts, *heading = text_columns(altair, some, [column], y)
        texts.mark.dy, texts.mark.lineHeight = -_LINE * (number - 1) / 2, _LINE
        layers += [texts, *heading]
    return layers


def _row(number: int, row: Explanation) -> dict[str, Any]:
    lowered, raised = (
        [str(one) for one in row.reasons if (one.part < 0) is down] for down in (True, False)
    )
    return {
        "line": number,
        "topic": str(row.topic),
        "words": str(row.marked),
        "written": wrap_words(row.marked, _WORDS, _pixels),
        "value": known(row.value),
        "low": known(row.low),
        "high": known(row.high),
        "interval": row.interval or "–",
        "support": known(row.support),
        "reason": "" if row.why_not else row.main_reason.replace("-", "−", 1),
        "why_not": row.why_not,
        "lowered": "; ".join(lowered) or "–",
        "raised": "; ".join(raised) or "–",
        "odd": ", ".join(row.odd) or "–",
        "weakest": ", ".join(map(str, row.weakest)) or "–",
        "sources": ", ".join(row.sources) or "–",
    }


def _pixels(text: str) -> float:
    """Return about how wide a text is, rather too wide: what does not fit would be cut."""
    return sum(map(_letter, text))


def _letter(sign: str) -> float:
    if unicodedata.east_asian_width(sign) in "WF":
        return _FONT
    return _WIDTHS.get(sign, _SMALL if sign.isascii() and not sign.isupper() else _LARGE)


def _said(model: str, found: Explanations) -> str:
    """Say the mean of a model, and how many topics have odd words or no value."""
    topics = [row for row in found.topics if row.model == model]
    every = sum(row.model == model and row.topic is not None for row in found.among)
    mean = next((row.value for row in found if row.model == model and row.topic is None), math.nan)
    undefined = sum(math.isnan(row.value) for row in topics)
    odd = sum(bool(row.odd) for row in topics)
    number = f"{len(topics):,} of {every:,}" if len(topics) < every else f"{every:,}"
    parts = [f"{number} topic{'s' * (every != 1)}"]
    if not math.isnan(mean):
        parts.insert(0, f"mean {mean:.3f}")
    if odd:
        parts.append(f"{odd:,} with odd words")
    if undefined:
        parts.append(f"{undefined:,} without a value")
    return ", ".join(parts)


def _x(altair: Any, field: str) -> Any:
    return altair.X(
        f"{field}:Q",
        title=_AXIS,
        axis=altair.Axis(
            values=[0, 0.25, 0.5, 0.75, 1],
            format=".2~f",
            domain=False,
            ticks=False,
            titleColor=GREY,
            titleFontSize=11,
            titleFontWeight="normal",
        ),
        scale=altair.Scale(domain=[0, 1], nice=False, clamp=True),
    )


def _average(altair: Any, topics: Sequence[Explanation]) -> list[Any]:
    """Draw what an average topic has, where that is the same for all."""
    usual = {round(row.usual, 3) for row in topics if not math.isnan(row.usual)}
    if len(usual) != 1:
        return []
    base = chart_of(altair, [{"value": usual.pop(), "said": "average topic"}])
    rule = base.mark_rule(color="#999", strokeDash=[4, 3], strokeWidth=1, aria=False)
    text = base.mark_text(fontSize=10, color=GREY, baseline="middle", aria=False)
    return [
        rule.encode(x=_x(altair, "value")),
        text.encode(x=_x(altair, "value"), y=altair.YValue(-9), text=altair.Text("said:N")),
    ]


def _points(altair: Any, drawn: Sequence[dict[str, Any]], y: Any) -> list[Any]:
    """Return the intervals as broad pale bars, and the values above them."""
    some = [row for row in drawn if row["value"] is not None]
    # bad topics are orange, good ones blue: colours that most eyes tell apart
    scale = altair.Scale(domain=[0, 0.5, 1], range=[COLOURS[1], _MIDDLE, COLOURS[0]])
    colour = altair.Color("value:Q", scale=scale, legend=None)
    base = chart_of(altair, some).encode(y=y, color=colour, tooltip=_tooltip(altair))
    bar = base.mark_rule(strokeWidth=8, opacity=0.25, aria=False)
    point = base.mark_point(size=85, filled=True, opacity=1, aria=False)
    return [
        bar.encode(x=_x(altair, "low"), x2=altair.X2("high:Q")),
        point.encode(x=_x(altair, "value")),
    ]


def _remarks(altair: Any, drawn: Sequence[dict[str, Any]], y: Any) -> list[Any]:
    """Write why topics have no value."""
    some = [
        {"line": row["line"], "remark": f"no value: {row['why_not']}"}
        for row in drawn
        if row["value"] is None
    ]
    text = chart_of(altair, some).mark_text(
        align="left", limit=_WIDTH, fontSize=10, fontStyle="italic", color=DARK, aria=False
    )
    return [text.encode(x=altair.XValue(6), y=y, text=altair.Text("remark:N"))] if some else []


def _tooltip(altair: Any) -> list[Any]:
    return [
        altair.Tooltip("topic:N"),
        altair.Tooltip("words:N"),
        altair.Tooltip("value:Q", format=".3f"),
        altair.Tooltip("interval:N"),
        altair.Tooltip("support:Q", format=".0%"),
        altair.Tooltip("lowered:N", title="lowered by"),
        altair.Tooltip("raised:N", title="raised by"),
        altair.Tooltip("odd:N", title="odd words"),
        altair.Tooltip("weakest:N", title="least related"),
        altair.Tooltip("sources:N", title="judged by"),
    ]
