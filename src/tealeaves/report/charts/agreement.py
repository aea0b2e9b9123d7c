"""The chart of agreement: its measures with intervals, and the annotators as points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.judgments.agreement.measures import ALL, COUNTS, MEANT, NOT_FLAGGED
from tealeaves.report.charts.blocks.axes import ValueAxis
from tealeaves.report.charts.blocks.headings import padded, part_title, titled
from tealeaves.report.charts.blocks.intervals import (
    Intervals,
    hollow,
    interval_limits,
    interval_row,
)
from tealeaves.report.charts.blocks.numbers import decimal, percent
from tealeaves.report.charts.blocks.panels import beside, configured, stacked
from tealeaves.report.charts.blocks.points import scatter
from tealeaves.report.charts.blocks.rows import fields, finite, grouped, highest_first
from tealeaves.report.charts.blocks.style import COLOURS, DARK, GREY, alt, by_name, tooltip
from tealeaves.tables.numbers import DASH

if TYPE_CHECKING:
    from tealeaves.judgments.agreement.agreement import Agreement, AgreementRow
    from tealeaves.judgments.agreement.careless import Annotator

_WIDTH, _HEIGHT = 340, 260
_TITLE = "How far people agree"
_SERIES = {ALL: "all annotators", NOT_FLAGGED: "without the flagged ones"}
_OVER_TOPICS = "precision over topics"
_PRECISION = ("precision", _OVER_TOPICS)
_NAMED = 12  # more names would overlap
_WIDE = 20  # from this ratio of the longest time to the shortest the axis is logarithmic
_TIME, _ANSWERS = "median time of an answer (seconds)", "number of answers"
_ORDER = "annotators, the one who agrees best first"
_REST = "correlation with the rest (Spearman)"


def agreement_chart(agreement: Agreement) -> Any:
    """Return an Altair chart: measures of agreement with intervals, and annotators as points.

    Each data set and task has a row of panels: on the left the measures, and the precision of each
    model if answers are right or wrong; on the right each annotator's correlation with the rest
    against the median time (or the number of answers), the flagged ones coloured and named.
    """
    tasks = grouped(agreement.rows, lambda row: (row.dataset, row.task))
    if not tasks:
        raise InputError("there is no agreement to draw")
    panels = [_task(agreement, part, rows) for part, rows in tasks.items()]
    return configured(stacked(panels, spacing=48, title=titled(_TITLE)))


def _task(agreement: Agreement, part: tuple[str, str], rows: Sequence[AgreementRow]) -> Any:
    precision = _best_first([row for row in rows if row.measure in _PRECISION])
    chance = sorted({r.value for r in rows if r.measure == "chance" and math.isfinite(r.value)})
    other = (*COUNTS, *_PRECISION, "chance")
    measures = [row for row in rows if row.measure not in other and not row.model]
    drawn = []
    if measures:
        drawn.append((measures, "Measures of agreement", _measures_subtitle(agreement, measures)))
    if precision:
        drawn.append((precision, "Precision", _precision_subtitle(agreement, precision, chance)))
    people = [one for one in agreement.careless.rows if (one.dataset, one.task) == part]
    right = _annotators_subtitle(people) if people else []
    # the first panels of both sides begin at the same height
    lines = max(len(drawn[0][2]) if drawn else 0, len(right))
    left = [
        _forest(some, title, padded(subtitle, 0 if number else lines), chance)
        for number, (some, title, subtitle) in enumerate(drawn)
    ]
    sides = [stacked(left)]
    if people:
        sides.append(stacked([_annotators(people, padded(right, lines))]))
    return beside(sides, title=titled(part_title(part), _counts(rows)))


def _best_first(rows: Sequence[AgreementRow]) -> list[AgreementRow]:
    """Return all models together, then models by their precision, the highest first."""
    value = {row.model: row.value for row in rows if row.annotators == ALL}
    return sorted(rows, key=lambda row: (bool(row.model), -value.get(row.model, 0.0)))


def _counts(rows: Sequence[AgreementRow]) -> str:
    counts = {row.measure: row.value for row in rows if row.annotators == ALL and not row.model}
    texts = []
    for name in ("items", "answers", "annotators"):
        value = counts.get(name, math.nan)
        texts.append(f"{value:,.0f} {name}" if math.isfinite(value) else f"{name} not known")
    flagged = counts.get("flagged annotators", 0)
    return ", ".join(texts) + (f", {flagged:.0f} of them flagged as careless" if flagged else "")


# ---------------------------------------------------------------------- measures


def _forest(
    rows: Sequence[AgreementRow], title: str, subtitle: Sequence[str], chance: Sequence[float]
) -> Any:
    precision = rows[0].measure in _PRECISION
    palette = dict(zip(_SERIES, COLOURS, strict=False))
    strokes = {_series(row): palette.get(row.annotators, DARK) for row in rows}
    labels = list(dict.fromkeys(map(_label, rows)))
    values = [value for row in rows for value in (row.value, row.low, row.high)]
    drawing = Intervals(
        [_row(row) for row in rows],
        labels,
        strokes,
        hollow(strokes, [_series(row) for row in rows if row.measure == _OVER_TOPICS]),
        interval_limits([*values, 1.0]),
        axis="precision" if precision else "agreement",
        legend="annotators",
        tooltip=tooltip(
            ("label:N", "measure"),
            ("series:N", "annotators"),
            ("value:Q", "", ".3f"),
            "interval:N",
            ("rests:N", "n"),
            "note:N",
        ),
    )
    defined = {_label(row) for row in rows if math.isfinite(row.value)}
    layers = [
        drawing.zero(),
        drawing.dashed(chance if precision else [], [4, 3]),
        *drawing.points(),
        drawing.remarks({label: "undefined" for label in labels if label not in defined}),
    ]
    return drawing.panel(layers, title=titled(title, subtitle, size=12), width=_WIDTH)


def _row(row: AgreementRow) -> dict[str, Any]:
    numbers = interval_row(_label(row), _series(row), row.value, row.low, row.high)
    return numbers | {"rests": f"{row.n:,} {row.unit}", "note": row.note}


def _label(row: AgreementRow) -> str:
    if row.measure in _PRECISION:
        return row.model or "all together"
    return f"{row.measure} *" if MEANT in row.note else row.measure


def _series(row: AgreementRow) -> str:
    name = _SERIES.get(row.annotators, row.annotators)
    return f"{name}, over topics" if row.measure == _OVER_TOPICS else name


def _bootstrap(agreement: Agreement) -> str:
    return f"bootstrap of {agreement.draws:,} draws" if agreement.draws else "no intervals"


def _precision_subtitle(
    agreement: Agreement, rows: Sequence[AgreementRow], chance: Sequence[float]
) -> list[str]:
    level = percent(agreement.confidence)
    lines = [f"{level} intervals are Wilson's and take answers for independent"]
    if any(row.measure == _OVER_TOPICS for row in rows):
        lines.append(f"hollow points are over topics ({_bootstrap(agreement)})")
    if chance:
        lines.append(f"dashed lines are chance ({', '.join(map(decimal, chance))})")
    return lines


def _measures_subtitle(agreement: Agreement, rows: Sequence[AgreementRow]) -> list[str]:
    lines = [_bootstrap(agreement)]
    if agreement.draws:
        lines = [f"{percent(agreement.confidence)} intervals are a {lines[0]} over items"]
        if any(row.measure.endswith("by model") for row in rows):
            lines.append("intervals of models resample models")
    if any(row.low < -1 for row in rows):
        lines.append("intervals are cut off at −1")
    if any(MEANT in row.note for row in rows):
        lines.append("* marks the level of α to report")
    return lines


# ---------------------------------------------------------------------- annotators


def _annotators(people: Sequence[Annotator], subtitle: Sequence[str]) -> Any:
    """Return the annotators of one task: correlation with the rest against time.

    If not all times are known, the axis is the number of answers, and if that is the same for all,
    the order of annotators. Annotators without a correlation are crosses at the bottom, so that
    none is missing.
    """
    axis, positions = _positions(people)
    rows = [_annotator_row(one, x) for one, x in zip(people, positions, strict=True)]
    placed = [row for row in rows if row["y"] is not None]
    below = [row for row in rows if row["y"] is None]
    lowest = min([0.0, *(row["y"] for row in placed)])
    # crosses need space at the bottom, and a label at the very top would push the title up
    domain = [lowest - (0.12 if below else 0.04 * (lowest < 0)), 1.05]
    x = _position_axis([row["x"] for row in rows], axis).x("x")
    y = ValueAxis(_REST, {"domain": domain, "nice": False}, {"tickCount": 5}).y("y")
    flagged = sum(row["kind"] == "flagged" for row in rows)
    legend = alt.Legend(title="annotators", symbolOpacity=1, orient="bottom") if flagged else None
    palette = {"not flagged": COLOURS[0], "flagged": COLOURS[1]}
    shown = {
        "color": by_name(alt.Color, "kind", palette, legend=legend),
        "tooltip": tooltip(
            "annotator:N answers:Q",
            ("time:Q", "median time", ".2f"),
            ("y:Q", "with the rest", ".2f"),
            ("line:Q", "longest line"),
            "gold:N flags:N",
        ),
    }
    points = scatter(placed, size=40, opacity=0.65).encode(x=x, y=y)
    crosses = scatter(below, size=50, shape="cross", angle=45)
    crosses = crosses.encode(x=x, y=alt.value(_HEIGHT - 6))
    layers = [points.encode(**shown), crosses.encode(**shown)]
    if flagged <= _NAMED:
        layers += [_names(points), _names(crosses)]
    title = titled("Annotators", subtitle, size=12)
    return alt.layer(*layers, width=_WIDTH, height=_HEIGHT, title=title)


def _positions(people: Sequence[Annotator]) -> tuple[str, list[float]]:
    """Return the first quantity in which annotators differ: its name, and its values."""
    times = [one.time for one in people]
    if all(map(math.isfinite, times)) and len(set(times)) > 1:
        return _TIME, times
    answers = [float(one.answers) for one in people]
    if len(set(answers)) > 1:
        return _ANSWERS, answers
    order = sorted(range(len(people)), key=lambda number: highest_first(people[number].rest))
    return _ORDER, [float(order.index(number) + 1) for number in range(len(people))]


def _annotator_row(one: Annotator, x: float) -> dict[str, Any]:
    return {
        "x": x,
        "y": finite(one.rest),
        **fields(one, "annotator", "answers", "time", "line"),
        "gold": f"{one.gold_right} of {one.gold}" if one.gold else DASH,
        "flags": "; ".join(one.flags) or DASH,
        "kind": "flagged" if one.flags else "not flagged",
    }


def _position_axis(values: Sequence[float], title: str) -> ValueAxis:
    scale: dict[str, Any] = {"zero": False, "nice": title != _ORDER, "padding": 12}
    ticks: dict[str, Any] = {"labels": title != _ORDER, "ticks": title != _ORDER}
    if title != _TIME:
        ticks["format"] = "d"
    if title == _ORDER:
        scale["domain"] = [0.5, len(values) + 0.5]
    elif min(values) > 0 and max(values) > _WIDE * min(values):
        scale["type"] = "log"
        title += ", logarithmic"
    return ValueAxis(title, scale, {"tickCount": 5, "grid": False, **ticks})


def _names(layer: Any) -> Any:
    text = layer.transform_filter("datum.kind === 'flagged'").mark_text(
        align="left", dx=7, dy=-5, fontSize=10, color=GREY, limit=110, aria=False
    )
    return text.encode(text="annotator:N")


def _annotators_subtitle(people: Sequence[Annotator]) -> list[str]:
    below = sum(math.isnan(one.rest) for one in people)
    flagged = sum(bool(one.flags) for one in people)
    lines = [f"{len(people):,} annotators, {flagged:,} flagged as careless"]
    if below:
        lines.append(f"× marks {below:,} without correlation (constant, or too few common items)")
    if flagged > _NAMED:
        lines.append(f"names are left out: more than {_NAMED} are flagged")
    return lines
