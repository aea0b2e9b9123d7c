"""The tables of an evaluation, and the notes below them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tealeaves.lexicon.error.matching import MOST_NAMED
from tealeaves.lexicon.error.means import FEWEST_RESAMPLED
from tealeaves.lexicon.error.measures import ErrorMeasures, LemmaError
from tealeaves.lexicon.error.summaries import (
    Difference,
    ErrorSummary,
    EvaluationPlan,
    can_differ,
    parts_of_speech,
)
from tealeaves.tables.numbers import DASH, interval_text, list_text, number_text, p_text
from tealeaves.tables.table import Cell, Table, TextCell, text_table

# heading, measure, and the better direction
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
    rows: Sequence[ErrorSummary],
    by_pos: Mapping[str, Sequence[ErrorSummary]],
    labels: Sequence[str],
    plan: EvaluationPlan,
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
            *_measure_cells(row.measures),
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
            *_measure_cells(row.measures),
            TextCell(text=str(row.tokens)),
        ]
        lines.append(([str(getattr(row, label)) for label in labels], list(cells)))
    names = ["E", "all same", "all different", *(name for name, *_ in _COLUMNS), "tokens"]
    arrows = ["↓", "", "", *(arrow for *_, arrow in _COLUMNS), ""]
    return Table(labels, names, arrows, lines)


def difference_table(rows: Sequence[Difference], plan: EvaluationPlan) -> Table:
    """Return a table with a row for each two models."""
    percent = f"{100 * plan.level:g} % interval"
    columns = ["E a", "E b", "difference", percent, "p", "corrected", "lemmas"]
    lines = [([row.model_a, row.model_b], _difference_cells(row)) for row in rows]
    return text_table(["model a", "model b"], columns, lines)


def _difference_cells(row: Difference) -> list[str]:
    star = "*" if row.significant else ""
    return [
        *[number_text(value) for value in (row.error_a, row.error_b, row.difference)],
        interval_text(row.low, row.high) or DASH,
        p_text(row.p, 4),
        f"{p_text(row.p_corrected, 4)}{star}",
        str(row.lemmas),
    ]


def _best(rows: Sequence[ErrorSummary]) -> set[int]:
    """Return the ids of the rows of models with the lowest error, by language and part."""
    groups: dict[tuple[str | None, str | None], list[ErrorSummary]] = {}
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


def _label(row: ErrorSummary, label: str) -> str:
    return row.model if label == "model" else getattr(row, label) or "all"


def _measure_cells(measures: ErrorMeasures) -> list[TextCell]:
    return [TextCell(text=number_text(getattr(measures, name))) for _, name, _ in _COLUMNS]


# ---------------------------------------------------------------------- notes


def notes_of(
    rows: Sequence[LemmaError], differences: Sequence[Difference], plan: EvaluationPlan
) -> list[str]:
    """Return notes on what was left out, and on what intervals and tests lack."""
    notes = [*_left_out(rows), *_different_lemmas(rows)]
    measured = {row.lemma for row in rows if not math.isnan(row.measures.error)}
    if len(measured) < 2:
        notes.append("a single lemma has no interval: lemmas are what is sampled")
    elif len(measured) < FEWEST_RESAMPLED:
        notes.append(f"intervals are Student's: {len(measured)} lemmas are too few to be resampled")
    return [*notes, *_language_notes(rows), *_missing_letters(differences, plan)]


def _language_notes(rows: Sequence[LemmaError]) -> Iterator[str]:
    """Yield notes on languages with too few lemmas for an interval, or without a part of speech."""
    measured = [row for row in rows if not math.isnan(row.measures.error)]
    targets = list(dict.fromkeys(row.target for row in measured))
    if len(targets) < 2:
        return
    single = list(dict.fromkeys(_single_lemmas(measured)))
    if single:
        yield (
            "a language with a single lemma has no interval, nor has a total over it: "
            f"{list_text(single, MOST_NAMED)}"
        )
    lacking = []
    for pos in parts_of_speech(measured):
        having = {row.target for row in measured if row.pos == pos}
        lacking += [f"{pos} is not in {target}" for target in targets if target not in having]
    if lacking:
        yield (
            "the total of a part of speech is over the languages that have it: "
            f"{list_text(lacking, MOST_NAMED)}"
        )


def _single_lemmas(rows: Sequence[LemmaError]) -> Iterator[str]:
    """Yield the languages in which a model has one lemma, or one lemma of a part of speech."""
    whole = Counter((row.model, row.target) for row in rows)
    yield from (target for (_, target), count in whole.items() if count == 1)
    if not parts_of_speech(rows):
        return
    parts = Counter((row.model, row.target, row.pos) for row in rows if row.pos)
    for (model, target, pos), count in parts.items():
        if count == 1 and whole[model, target] > 1:
            yield f"{target} ({pos})"


def _missing_letters(differences: Sequence[Difference], plan: EvaluationPlan) -> list[str]:
    """Return the note on why letters are missing."""
    if not differences:
        return []
    untested = [f"{row.model_a} and {row.model_b}" for row in differences if math.isnan(row.p)]
    if untested:
        why = "models that share fewer than two lemmas were not tested"
        return [f"no letters: {why}: {list_text(untested, MOST_NAMED)}"]
    if can_differ(differences, plan):
        return []
    return [
        f"no letters: with so few lemmas no test could reach p ≤ {plan.alpha:g}, however far "
        "models are apart"
    ]


def _left_out(rows: Sequence[LemmaError]) -> list[str]:
    """Return the note on lemmas with fewer than two tokens, which have no pairs."""
    short = dict.fromkeys((row.lemma, row.target) for row in rows if math.isnan(row.measures.error))
    if not short:
        return []
    several = len({row.target for row in rows}) > 1
    names = [f"{lemma} in {target}" if several else lemma for lemma, target in short]
    count = "1 lemma is" if len(short) == 1 else f"{len(short)} lemmas are"
    return [f"{count} left out, with fewer than two tokens: {list_text(names, MOST_NAMED)}"]


def _different_lemmas(rows: Sequence[LemmaError]) -> list[str]:
    """Return the note on models that lack lemmas of others, so that means cannot be compared."""
    every = {(row.target, row.lemma) for row in rows}
    incomplete = []
    for model in dict.fromkeys(row.model for row in rows):
        known = {(row.target, row.lemma) for row in rows if row.model == model}
        if lacking := len(every - known):
            incomplete.append(f"{model} ({lacking} of {len(every)})")
    if not incomplete:
        return []
    return [
        "means of models are over different lemmas, differences of two models over the same: "
        f"lemmas are missing from {list_text(incomplete, MOST_NAMED)}"
    ]
