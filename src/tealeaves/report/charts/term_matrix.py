"""The chart of terms and topics: a circle where a term belongs to a topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tealeaves.report.charts.blocks.axes import name_axis
from tealeaves.report.charts.blocks.headings import titled
from tealeaves.report.charts.blocks.panels import configured
from tealeaves.report.charts.blocks.rows import chart_of
from tealeaves.report.charts.blocks.style import COLOURS, DARK, GREY, alt, tooltip

if TYPE_CHECKING:
    from tealeaves.topics.term_matrix import TermMatrix

_ROW = 15  # pixels
_WIDE, _NARROW, _MANY = 16, 12, 100  # pixels of a column, and topics from which it is narrow
_LETTERS = 2  # of the longest id of a topic that is not turned
_LABELS = 170  # pixels of the longest term that is shown in full
#: The share of the largest weight below which nothing is drawn: circles could not be seen.
FAINTEST = 0.003
_WORDS = 10
_AREAS = {
    "probabilities": "areas are the probability of the term in the topic",
    "weights": "areas are the weight of the term in the topic",
    "ranks": "areas are 1 / rank of the term in the topic, because the model has no weights",
}
_NAMES = {"probabilities": "p(w|t)", "weights": "weight", "ranks": "1 / rank"}


def term_matrix_chart(matrix: TermMatrix, *, title: str = "") -> Any:
    """Return an Altair chart: terms as rows, topics as columns, weights as areas of circles.

    The row and the column of the circle under the pointer are highlighted.
    """
    row, column = (
        alt.selection_point(name=f"same_{field}", fields=[field], on="pointerover", empty=False)
        for field in ("term", "topic")
    )
    step = _NARROW if len(matrix.topics) >= _MANY else _WIDE
    area = 0.85 * step**2  # neighbours of the largest just meet
    chart = (
        chart_of(_circles(matrix))
        .transform_lookup("topic", alt.LookupData(_words(matrix), key="topic", fields=["words"]))
        .mark_circle(opacity=0.8, aria=False)
        .encode(
            x=_axis(alt.X, "topic", list(map(str, matrix.topics))),
            y=_axis(alt.Y, "term", list(matrix.terms)),
            size=_size(matrix, area),
            color=alt.condition(row | column, alt.value(COLOURS[1]), alt.value(COLOURS[0])),
            tooltip=tooltip(
                "term:N topic:N",
                ("weight:Q", _NAMES[matrix.weights], ".3~g"),
                ("words:N", "topic's words"),
            ),
        )
        .add_params(row, column)
        .properties(
            width=alt.Step(step),
            height=alt.Step(_ROW),
            title=titled(title or f"Terms and topics of {matrix.model}", _subtitle(matrix)),
        )
    )
    return configured(chart)


def _circles(matrix: TermMatrix) -> list[dict[str, Any]]:
    """Return the circles; ids are text, so that 1 and "1" are the same in the chart, too."""
    return [
        {**row, "topic": str(row["topic"]), "weight": float(f"{row['weight']:.4g}")}
        for row in matrix.to_dicts(FAINTEST)
    ]


def _words(matrix: TermMatrix) -> dict[str, Any]:
    """Return the first words of each topic, in a separate table: a topic has many circles."""
    pairs = zip(matrix.topics, matrix.words, strict=True)
    return {"values": tuple({"topic": str(t), "words": " ".join(w[:_WORDS])} for t, w in pairs)}


def _axis(channel: Any, field: str, labels: list[str]) -> Any:
    axis: dict[str, Any] = {"grid": True, "labelOverlap": False, "labelColor": DARK}
    if field == "topic":
        long = max(map(len, labels)) > _LETTERS
        turned = {"labelAngle": -90, "labelAlign": "left", "labelBaseline": "middle"}
        axis |= {"orient": "top", "titleAnchor": "start", "titleColor": GREY}
        axis |= {"labelLimit": 120, **(turned if long else {"labelAngle": 0})}
    else:
        axis |= {"labelLimit": _LABELS}
    title = "topic" if field == "topic" else None
    return name_axis(channel, f"{field}:N", labels, title=title, **axis)


def _size(matrix: TermMatrix, area: float) -> Any:
    """Return circles whose area is the weight; a weight of zero has none."""
    most = float(matrix.values.max(initial=0.0))
    scale = alt.Scale(domain=[0, most or 1.0], range=[0, area], nice=False)
    # on top: the right end of a wide chart may be out of sight
    legend = alt.Legend(
        title=_NAMES[matrix.weights],
        orient="top",
        titleOrient="left",
        tickCount=4,
        symbolFillColor=COLOURS[0],
    )
    return alt.Size("weight:Q", scale=scale, legend=legend)


def _subtitle(matrix: TermMatrix) -> list[str]:
    lines = [_AREAS[matrix.weights]]
    if matrix.left_out:
        every = len(matrix.terms) + matrix.left_out
        lines.append(
            f"{len(matrix.terms)} of {every:,} terms are shown: first words of topics, then the "
            "most salient"
        )
    return lines
