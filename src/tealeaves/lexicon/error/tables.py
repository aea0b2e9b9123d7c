"""The tables of an evaluation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from tealeaves.lexicon.error.rows import LemmaError, Measures
from tealeaves.lexicon.error.summaries import Difference, Plan, Summary
from tealeaves.tables.numbers import DASH, interval_text, number_text, p_text
from tealeaves.tables.table import Cell, Table, TextCell, text_table

# heading, measure, and which direction is better
_COLUMNS = (
    ("expressed", "expressed_error", "↓"),
    ("mismatched", "mismatched", "↓"),
    ("corrected", "corrected", "↑"),
    ("adjusted", "adjusted", "↑"),
    ("BCubed F", "bcubed_f", "↑"),
    ("ARI", "ari", "↑"),
    ("V-measure", "v_measure", "↑"),
    ("empty", "empty_extracted", ""),
)


def summary_table(
    rows: Sequence[Summary],
    by_pos: Mapping[str, Sequence[Summary]],
    labels: Sequence[str],
    plan: Plan,
) -> Table:
    """Return a table with a row for each mean; ``by_pos`` adds E of each part of speech."""
    best = _best(rows)
    errors = {
        pos: {(row.model, row.target): row.error for row in some} for pos, some in by_pos.items()
    }
    widest = max((len(row.letters) for row in rows), default=0)
    lines: list[tuple[list[str], list[Cell]]] = []
    for row in rows:
        letters = f" {row.letters:<{widest}}" if widest else ""
        cells = [
            TextCell(text=number_text(row.error) + letters, best=id(row) in best),
            TextCell(text=interval_text(row.low, row.high) or DASH),
            *(
                TextCell(text=number_text(known.get((row.model, row.target), math.nan)))
                for known in errors.values()
            ),
            *_measured(row.measures),
            TextCell(text=str(row.lemmas)),
            TextCell(text=str(row.tokens) if row.tokens else DASH),
        ]
        lines.append(([_label(row, label) for label in labels], list(cells)))
    names = ["E", f"{100 * plan.level:g} % interval", *by_pos, *(name for name, *_ in _COLUMNS)]
    arrows = ["↓", "", *["↓"] * len(by_pos), *(arrow for *_, arrow in _COLUMNS)]
    return Table(list(labels), [*names, "lemmas", "tokens"], [*arrows, "", ""], lines)


def lemma_table(rows: Sequence[LemmaError]) -> Table:
    """Return a table with a row for each model and lemma."""
    several = len({row.target for row in rows}) > 1
    labels = [*(["target"] if several else []), "lemma", "pos", "model"]
    lines: list[tuple[list[str], list[Cell]]] = []
    for row in sorted(rows, key=lambda row: (row.target, row.lemma)):
        cells = [
            TextCell(text=number_text(row.measures.error)),
            TextCell(text=number_text(row.measures.all_same)),
            TextCell(text=number_text(row.measures.all_different)),
            *_measured(row.measures),
            TextCell(text=str(row.tokens)),
        ]
        lines.append(([str(getattr(row, label)) for label in labels], list(cells)))
    names = ["E", "all same", "all different", *(name for name, *_ in _COLUMNS), "tokens"]
    arrows = ["↓", "", "", *(arrow for *_, arrow in _COLUMNS), ""]
    return Table(labels, names, arrows, lines)


def difference_table(rows: Sequence[Difference], plan: Plan) -> Table:
    """Return a table with a row for each two models."""
    percent = f"{100 * plan.level:g} % interval"
    columns = ["E a", "E b", "difference", percent, "p", "corrected", "lemmas"]
    shown = [([row.model_a, row.model_b], _shown(row)) for row in rows]
    return text_table(["model a", "model b"], columns, shown)


def _shown(row: Difference) -> list[str]:
    star = "*" if row.significant else ""
    return [
        *[number_text(value) for value in (row.error_a, row.error_b, row.difference)],
        interval_text(row.low, row.high) or DASH,
        p_text(row.p, 4),
        f"{p_text(row.p_corrected, 4)}{star}",
        str(row.lemmas),
    ]


def _best(rows: Sequence[Summary]) -> set[int]:
    """Return the identities of the lowest errors of models, within each language and part."""
    groups: dict[tuple[str | None, str | None], list[Summary]] = {}
    for row in rows:
        if row.kind == "model":
            groups.setdefault((row.target, row.pos), []).append(row)
    return {
        id(row)
        for some in groups.values()
        if len(some) > 1
        for row in some
        if row.error == min(one.error for one in some)
    }


def _label(row: Summary, label: str) -> str:
    return row.model if label == "model" else getattr(row, label) or "all"


def _measured(measures: Measures) -> list[TextCell]:
    return [TextCell(text=number_text(getattr(measures, name))) for _, name, _ in _COLUMNS]
