"""The chart of terms and topics: a circle where a term belongs to a topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tealeaves.extras import require
from tealeaves.report.charts.style import COLOURS, DARK, GREY, chart_of, configured, titled

if TYPE_CHECKING:
    from tealeaves.topics.term_matrix import TermMatrix

_ROW = 15  # pixels
_WIDE, _NARROW, _MANY = 16, 12, 100  # pixels of a column, and topics from which it is narrow
_LETTERS = 2  # of a topic's id that stands upright
_LABELS = 170  # pixels of the longest term that is written out
#: The share of the largest weight below which nothing is drawn: circles could not be seen.
FAINTEST = 0.003
_WORDS = 10
_AREAS = {
    "probabilities": "area: the probability of the term in the topic",
    "weights": "area: the weight of the term in the topic",
    "ranks": "area: 1 / rank of the term in the topic, for the model says no weights",
}
_NAMES = {"probabilities": "p(w|t)", "weights": "weight", "ranks": "1 / rank"}


def term_matrix_chart(found: TermMatrix, *, title: str = "") -> Any:
    """Return an Altair chart: terms as rows, topics as columns, weights as areas of circles.

    The row and the column of the circle under the pointer stand out.
    """
    altair = require("altair", extra="report", reason="a chart")
    row, column = (
        altair.selection_point(name=f"same_{field}", fields=[field], on="pointerover", empty=False)
        for field in ("term", "topic")
    )
    step = _NARROW if len(found.topics) >= _MANY else _WIDE
    area = 0.85 * step**2  # neighbours of the largest just meet
    chart = (
        chart_of(altair, _circles(found))
        .transform_lookup("topic", altair.LookupData(_words(found), key="topic", fields=["words"]))
        .mark_circle(opacity=0.8, aria=False)
        .encode(
            x=_axis(altair, altair.X, "topic", list(map(str, found.topics))),
            y=_axis(altair, altair.Y, "term", list(found.terms)),
            size=_size(altair, found, area),
            color=altair.condition(
                row | column, altair.value(COLOURS[1]), altair.value(COLOURS[0])
            ),
            tooltip=[
                altair.Tooltip("term:N"),
                altair.Tooltip("topic:N"),
                altair.Tooltip("weight:Q", format=".3~g", title=_NAMES[found.weights]),
                altair.Tooltip("words:N", title="topic's words"),
            ],
        )
        .add_params(row, column)
        .properties(
            width=altair.Step(step),
            height=altair.Step(_ROW),
            title=titled(altair, title or f"Terms and topics of {found.model}", _subtitle(found)),
        )
    )
    return configured(chart)


def _circles(found: TermMatrix) -> list[dict[str, Any]]:
    """Return the circles; ids are text, so that 1 and "1" are one to the chart, too."""
    return [
        {**row, "topic": str(row["topic"]), "weight": float(f"{row['weight']:.4g}")}
        for row in found.to_dicts(FAINTEST)
    ]


def _words(found: TermMatrix) -> dict[str, Any]:
    """Return the first words of each topic: a table of its own, for a topic has many circles."""
    pairs = zip(found.topics, found.words, strict=True)
    return {"values": tuple({"topic": str(t), "words": " ".join(w[:_WORDS])} for t, w in pairs)}


def _axis(altair: Any, channel: Any, field: str, labels: list[str]) -> Any:
    axis: dict[str, Any] = {"ticks": False, "domain": False, "grid": True, "labelOverlap": False}
    if field == "topic":
        long = max(map(len, labels)) > _LETTERS
        turned = {"labelAngle": -90, "labelAlign": "left", "labelBaseline": "middle"}
        axis |= {"orient": "top", "title": "topic", "titleAnchor": "start", "titleColor": GREY}
        axis |= {"labelLimit": 120, **(turned if long else {"labelAngle": 0})}
    else:
        axis |= {"title": None, "labelLimit": _LABELS}
    scale = altair.Scale(domain=labels)
    return channel(f"{field}:N", scale=scale, axis=altair.Axis(**axis, labelColor=DARK))


def _size(altair: Any, found: TermMatrix, area: float) -> Any:
    """Return circles whose area is the weight; a weight of zero has none."""
    most = float(found.values.max(initial=0.0))
    scale = altair.Scale(domain=[0, most or 1.0], range=[0, area], nice=False)
    # on top: the right end of a wide chart may be out of sight
    legend = altair.Legend(
        title=_NAMES[found.weights],
        orient="top",
        titleOrient="left",
        tickCount=4,
        symbolFillColor=COLOURS[0],
    )
    return altair.Size("weight:Q", scale=scale, legend=legend)


def _subtitle(found: TermMatrix) -> list[str]:
    lines = [_AREAS[found.weights]]
    if found.left_out:
        every = len(found.terms) + found.left_out
        lines.append(
            f"{len(found.terms)} of {every:,} terms: first words of topics, then the most salient"
        )
    return lines
