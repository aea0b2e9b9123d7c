"""The chart of agreement: its measures with intervals, and the annotators."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.judgments.agreement.measures import ALL, COUNTS, MEANT, NOT_FLAGGED
from tealeaves.report.charts.annotators import annotator_panel, annotator_subtitle
from tealeaves.report.charts.blocks import decimal
from tealeaves.report.charts.intervals import Intervals, limits
from tealeaves.report.charts.style import (
    COLOURS,
    DARK,
    beside,
    configured,
    filled,
    known,
    stacked,
    titled,
)

if TYPE_CHECKING:
    from tealeaves.judgments.agreement.agreement import Agreement, AgreementRow

_WIDTH = 340
_TITLE = "How far people agree"
_SERIES = {ALL: "all annotators", NOT_FLAGGED: "without the flagged ones"}
_OVER_TOPICS = "precision over topics"
_SHARES = ("precision", _OVER_TOPICS)


def agreement_chart(found: Agreement) -> Any:
    """Return an Altair chart: measures of agreement with intervals, and annotators as points.

    Each data set and task is a block: on the left the measures, and the precision of each model
    where answers are right or wrong; on the right each annotator's correlation with the rest
    against the median time (or the number of answers), the flagged ones coloured and named.
    """
    altair = require("altair", extra="report", reason="a chart")
    parts: dict[tuple[str, str], list[AgreementRow]] = {}
    for row in found.rows:
        parts.setdefault((row.dataset, row.task), []).append(row)
    if not parts:
        raise InputError("there is no agreement to draw")
    panels = [_block(altair, found, place, rows) for place, rows in parts.items()]
    return configured(stacked(altair, panels, spacing=48, title=titled(altair, _TITLE)))


def _block(
    altair: Any, found: Agreement, place: tuple[str, str], rows: Sequence[AgreementRow]
) -> Any:
    shares = _best_first([row for row in rows if row.measure in _SHARES])
    chance = [row.value for row in rows if row.measure == "chance"]
    other = (*COUNTS, *_SHARES, "chance")
    whole = [row for row in rows if row.measure not in other and not row.model]
    parts = [(whole, "Measures of agreement"), (shares, "Precision")]
    drawn = [(some, title, _legend(found, some, chance)) for some, title in parts if some]
    people = [one for one in found.careless.rows if (one.dataset, one.task) == place]
    beside_it = annotator_subtitle(people) if people else []
    # the first panel and that beside it begin at the same height
    lines = max(len(drawn[0][2]) if drawn else 0, len(beside_it))
    panels = [
        _forest(altair, some, title, filled(said, 0 if number else lines), chance)
        for number, (some, title, said) in enumerate(drawn)
    ]
    sides = [stacked(altair, panels)]
    if people:
        sides.append(stacked(altair, [annotator_panel(altair, people, filled(beside_it, lines))]))
    title = titled(altair, " · ".join(filter(None, place)), _subtitle(rows))
    return beside(altair, sides, title=title)


def _best_first(rows: Sequence[AgreementRow]) -> list[AgreementRow]:
    """Order models by what all annotators found, the most precise first, below all together."""
    value = {row.model: row.value for row in rows if row.annotators == ALL}
    return sorted(rows, key=lambda row: (bool(row.model), -value.get(row.model, 0.0)))


def _forest(
    altair: Any,
    rows: Sequence[AgreementRow],
    title: str,
    subtitle: Sequence[str],
    chance: Sequence[float],
) -> Any:
    strokes, fills = _colours(rows)
    drawn = [_row(row) for row in rows]
    shares = rows[0].measure in _SHARES
    values = [value for row in rows for value in (row.value, row.low, row.high)]
    drawing = Intervals(
        altair,
        drawn,
        list(dict.fromkeys(row["label"] for row in drawn)),
        strokes,
        fills,
        limits([*values, 1.0]),
        axis="precision" if shares else "agreement",
        legend="annotators",
        tooltip=_tooltip(altair),
    )
    layers = [
        drawing.zero(),
        drawing.upright(_guesses(chance) if shares else []).mark_rule(
            color=DARK, strokeWidth=1, strokeDash=[4, 3]
        ),
        *drawing.layers(),
        drawing.remarks(_remarks(rows)),
    ]
    heading = titled(altair, title, subtitle, size=12)
    return altair.layer(*layers, width=_WIDTH, height=drawing.height, title=heading)


def _guesses(chance: Sequence[float]) -> list[float]:
    return sorted({value for value in chance if math.isfinite(value)})


def _colours(rows: Sequence[AgreementRow]) -> tuple[dict[str, str], dict[str, str]]:
    """Return a colour for all annotators and one without the flagged; hollow: over topics."""
    palette = dict(zip(_SERIES, COLOURS, strict=False))
    there = {_series(row): row for row in rows}
    strokes = {name: palette.get(row.annotators, DARK) for name, row in there.items()}
    hollow = {name for name, row in there.items() if row.measure == _OVER_TOPICS}
    return strokes, {name: "white" if name in hollow else c for name, c in strokes.items()}


def _series(row: AgreementRow) -> str:
    name = _SERIES.get(row.annotators, row.annotators)
    return f"{name}, over topics" if row.measure == _OVER_TOPICS else name


def _label(row: AgreementRow) -> str:
    if row.measure in _SHARES:
        return row.model or "all together"
    return f"{row.measure} *" if MEANT in row.note else row.measure


def _row(row: AgreementRow) -> dict[str, Any]:
    return {
        "label": _label(row),
        "series": _series(row),
        "value": known(row.value),
        "low": known(row.low),
        "high": known(row.high),
        "interval": f"{decimal(row.low)} to {decimal(row.high)}",
        "rests": f"{row.n:,} {row.unit}",
        "note": row.note,
    }


def _remarks(rows: Sequence[AgreementRow]) -> list[dict[str, str]]:
    """Say of which measures nobody has a value."""
    labels = dict.fromkeys(_label(row) for row in rows)
    known_ones = {_label(row) for row in rows if math.isfinite(row.value)}
    return [{"label": label, "remark": "undefined"} for label in labels if label not in known_ones]


def _tooltip(altair: Any) -> list[Any]:
    return [
        altair.Tooltip("label:N", title="measure"),
        altair.Tooltip("series:N", title="annotators"),
        altair.Tooltip("value:Q", format=".3f"),
        altair.Tooltip("interval:N"),
        altair.Tooltip("rests:N", title="n"),
        altair.Tooltip("note:N"),
    ]


def _legend(found: Agreement, rows: Sequence[AgreementRow], chance: Sequence[float]) -> list[str]:
    """Say what the signs of a panel mean."""
    percent = f"{100 * found.confidence:g} % intervals"
    drawn = f"bootstrap of {found.draws:,} draws" if found.draws else "no intervals"
    measures = {row.measure for row in rows}
    lines = []
    if measures & set(_SHARES):
        lines.append(f"{percent}: Wilson's, answers taken for independent")
        if _OVER_TOPICS in measures:
            lines.append(f"hollow: over topics, {drawn}")
        if _guesses(chance):
            listed = ", ".join(decimal(value) for value in _guesses(chance))
            lines.append(f"dashed: by chance ({listed})")
        return lines
    by_model = any(measure.endswith("by model") for measure in measures) and found.draws
    lines.append(f"{percent}: {drawn} over items" if found.draws else drawn)
    lines += ["by model: over models"] if by_model else []
    if any(row.low < -1 for row in rows):
        lines.append("intervals are cut off at −1")
    if any(MEANT in row.note for row in rows):
        lines.append("*: the level of α that is meant")
    return lines


def _subtitle(rows: Sequence[AgreementRow]) -> str:
    """Say how much there is."""
    counts = {row.measure: row.value for row in rows if row.annotators == ALL and not row.model}
    said = []
    for name in ("items", "answers", "annotators"):
        value = counts.get(name, math.nan)
        said.append(f"{value:,.0f} {name}" if math.isfinite(value) else f"{name} not known")
    flagged = counts.get("flagged annotators", 0)
    return ", ".join(said) + (f", {flagged:.0f} of them flagged as careless" if flagged else "")
