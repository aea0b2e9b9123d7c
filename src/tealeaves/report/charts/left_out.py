"""The chart of languages left out: how well raw CNPMI and estimates agree with the target."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.estimator.evaluation import ALL
from tealeaves.report.charts.blocks.headings import aligned, titled
from tealeaves.report.charts.blocks.intervals import (
    Intervals,
    hollow,
    interval_limits,
    interval_row,
)
from tealeaves.report.charts.blocks.numbers import decimal, interval_words, percent, span
from tealeaves.report.charts.blocks.panels import beside, configured
from tealeaves.report.charts.blocks.rows import chart_of, fields, finite, highest_first
from tealeaves.report.charts.blocks.style import COLOURS, DARK, GREY, THIN, alt, tooltip
from tealeaves.tables.numbers import DASH, SIGNIFICANCE_LEVEL

if TYPE_CHECKING:
    from tealeaves.estimator.evaluation import EstimatorEvaluation, EvaluatedLanguage

_WIDTH = 320
_BESIDE, _ABOVE = 58, 9  # pixels: right of the panel, and above it
_MEAN, _GAP = "mean", " "
_TITLE = "How well languages are estimated that were left out"
_LEVELS = {"topic": "Over topics", "model": "Over models"}


def left_out_chart(evaluation: EstimatorEvaluation) -> Any:
    """Return an Altair chart: Pearson's r of the raw CNPMI and of the estimate for each language.

    Topics are on the left, models on the right. The mean over languages is on top; below it, the
    language that is estimated best over topics comes first.
    """
    levels = [level for level in _LEVELS if any(row.level == level for row in evaluation.rows)]
    if not levels:
        raise InputError("there is no evaluation to draw")
    labels = _labels(evaluation, levels[0])
    rows = {level: _rows(evaluation, level) for level in levels}
    ends = [row[end] for some in rows.values() for row in some for end in ("value", "low", "high")]
    domain = interval_limits(end for end in ends if end is not None)
    titles = [(_LEVELS[level], _level_subtitle(evaluation, level)) for level in levels]
    panels = [
        _level_panel(_intervals(evaluation, rows[level], labels, domain), title)
        for level, title in zip(levels, aligned(titles, size=13), strict=True)
    ]
    # colours mean the same on both sides, so that one legend is enough
    heading = titled(_TITLE, _subtitle(evaluation))
    return configured(beside(panels, spacing=36, own=["yOffset"], title=heading))


def _labels(evaluation: EstimatorEvaluation, level: str) -> list[str]:
    """Return the lines from top to bottom: the mean, an empty one, the languages."""
    first = {
        row.language: row.estimate
        for row in evaluation.rows
        if (row.level, row.estimator) == (level, evaluation.estimators[0])
    }
    # languages that only other estimators or levels have come last, as undefined ones do
    values = {row.language: first.get(row.language, math.nan) for row in evaluation.rows}
    mean = [_MEAN, _GAP] if values.pop(ALL, None) is not None else []
    return [*mean, *sorted(values, key=lambda name: (highest_first(values[name]), name))]


def _subtitle(evaluation: EstimatorEvaluation) -> list[str]:
    words = evaluation.cardinality
    first = "" if words is None else f" of the first {words} words"
    lines = [
        f"points are Pearson's r with the CNPMI{first} of the rich reference; each language is "
        "estimated by an estimator that never saw it",
    ]
    if not evaluation.draws:
        return [*lines, "there are no intervals; right of the panel is the estimate minus raw"]
    return [
        *lines,
        f"{percent(evaluation.confidence)} intervals are a bootstrap over models (that of the mean "
        f"is over languages and models) of {evaluation.draws:,} draws",
        "right of the panel is the estimate minus raw; * marks p < .05, corrected by Benjamini "
        "and Hochberg",
    ]


def _level_subtitle(evaluation: EstimatorEvaluation, level: str) -> list[str]:
    """Return the number of points, and in how many languages the estimate is better."""
    rows = [row for row in evaluation.rows if row.level == level and row.language != ALL]
    once = "" if evaluation.cardinality is not None else ", counted once for each number of words"
    lines = [f"each language has {span(row.n for row in rows)} {level}s{once}"]
    for name in evaluation.estimators if evaluation.draws else ():
        better = [row.better for row in rows if row.estimator == name]
        lines.append(
            f"{name} is significantly better in {sum(better)} of {len(better)} languages"
            " (p corrected)"
        )
    return lines


def _rows(evaluation: EstimatorEvaluation, level: str) -> list[dict[str, Any]]:
    """Return the points of a level: raw once for each language, then each estimator."""
    rows = [row for row in evaluation.rows if row.level == level]
    widest: dict[str, EvaluatedLanguage] = {}
    for row in rows:
        if row.language not in widest or row.n > widest[row.language].n:
            widest[row.language] = row
    raw = f"raw {evaluation.against}"
    return [
        *(_row(row, raw, (row.raw, row.raw_low, row.raw_high)) for row in widest.values()),
        *(
            _row(row, _series(row.estimator), (row.estimate, row.estimate_low, row.estimate_high))
            | {
                "difference": _difference(row),
                "between": interval_words(row.difference_low, row.difference_high),
                "p": finite(row.p_corrected),
                **fields(row, "mae", "coverage"),
            }
            for row in rows
        ),
    ]


def _row(row: EvaluatedLanguage, series: str, values: tuple[float, float, float]) -> dict[str, Any]:
    mean = row.language == ALL
    n = f"{row.n} languages" if mean else f"{row.n:,}"
    return interval_row(_MEAN if mean else row.language, series, *values) | {"n": n}


def _series(estimator: str) -> str:
    return f"estimate ({estimator})"


def _difference(row: EvaluatedLanguage) -> str:
    if math.isnan(row.difference):
        return DASH
    sign = "+" if row.difference > 0 else ""
    return f"{sign}{decimal(row.difference)}{'*' if row.p_corrected < SIGNIFICANCE_LEVEL else ''}"


def _intervals(
    evaluation: EstimatorEvaluation,
    rows: Sequence[Mapping[str, Any]],
    labels: Sequence[str],
    domain: Sequence[float],
) -> Intervals:
    raw = f"raw {evaluation.against}"
    palette = [colour for colour in COLOURS if colour != COLOURS[1]]
    strokes = {raw: COLOURS[1]} | {
        _series(name): palette[number % len(palette)]
        for number, name in enumerate(evaluation.estimators)
    }
    return Intervals(
        rows,
        labels,
        strokes,
        hollow(strokes, [raw]),
        domain,
        axis="Pearson's r",
        legend="Pearson's r of",
        tooltip=tooltip(
            ("label:N", "language"),
            ("series:N", "Pearson's r of"),
            ("value:Q", "", ".3f"),
            "interval:N n:N difference:N",
            ("between:N", "its interval"),
            ("p:Q", "p corrected", ".4f"),
            ("mae:Q", "mean absolute error", ".4f"),
            ("coverage:Q", "", ".1%"),
        ),
    )


def _level_panel(drawing: Intervals, title: Any) -> Any:
    layers = [drawing.zero()]
    if _GAP in drawing.labels:  # a line between the mean and the languages
        line = chart_of([{"label": _GAP}]).mark_rule(color=THIN, aria=False)
        layers.append(line.encode(y=drawing.y))
    layers += [*drawing.points(), *_differences(drawing), *_undefined(drawing)]
    return drawing.panel(layers, title=title, width=_WIDTH)


def _differences(drawing: Intervals) -> list[Any]:
    rows = [row for row in drawing.rows if "difference" in row]
    x = alt.value(_WIDTH + _BESIDE)
    style: dict[str, Any] = {"align": "right", "fontSize": 10}
    head = chart_of([{"head": "difference"}]).mark_text(**style, color=GREY, aria=False)
    return [
        drawing.texts(rows, "difference", x, **style, color=DARK),
        head.encode(x=x, y=alt.value(-_ABOVE), text="head:N"),
    ]


def _undefined(drawing: Intervals) -> list[Any]:
    rows = [
        {"label": row["label"], "series": row["series"], "remark": "undefined"}
        for row in drawing.rows
        if row["value"] is None
    ]
    if not rows:
        return []
    style: dict[str, Any] = {"align": "left", "dx": 5, "fontSize": 9, "fontStyle": "italic"}
    return [drawing.texts(rows, "remark", drawing.start, **style, color=GREY)]
