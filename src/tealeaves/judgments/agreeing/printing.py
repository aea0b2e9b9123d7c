"""The table of agreement: a line a measure, by data set and task."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tealeaves.judgments.agreeing.rows import ALL, COUNTS, FEWEST, MEANT, MEDIAN, MOST, AgreementRow
from tealeaves.tables.numbers import DASH, interval_text, number_text
from tealeaves.tables.table import Table, text_table

_Line = tuple[list[str], list[str]]


_MEANINGS = {
    "reliability": "reliability: of mean answers (split halves, Spearman–Brown)",
    "attainable": "attainable: its root, the highest correlation to be expected of a metric",
    "precision": "precision: share of right answers; Wilson's interval is of these topics, the one "
    "over topics is of topics like these",
}
_ONE = {True: "one annotator", False: "one random answer to each item"}


def legend_of(rows: Sequence[AgreementRow]) -> list[str]:
    """Say what the measures are."""
    names = {row.measure.split()[0] for row in rows}
    starred = any(MEANT in row.note for row in rows)
    return [
        *(["* the level of α that is meant"] if starred else []),
        *_of_ceilings([row for row in rows if row.measure.startswith("ceiling")]),
        *(text for name, text in _MEANINGS.items() if name in names),
    ]


def _of_ceilings(rows: Sequence[AgreementRow]) -> list[str]:
    """Say whose correlation it is: where nobody is known, n does not count annotators."""
    ones = [text for known, text in _ONE.items() if known in {r.unit == "annotators" for r in rows}]
    if not ones:
        return []
    several = " (where n is of items or models)" if len(ones) > 1 else ""
    return [f"ceiling: correlation of {' or '.join(ones)}{several} with the mean of the rest"]


def agreement_table(rows: Sequence[AgreementRow]) -> Table:
    """Make the table; where annotators are flagged, what holds without them stands beside."""
    groups = list(dict.fromkeys(row.annotators for row in rows))
    tasks: dict[tuple[str, str], list[AgreementRow]] = {}
    for row in rows:
        tasks.setdefault((row.dataset, row.task), []).append(row)
    columns = [
        name if group == ALL else f"{group}: {name}"
        for group in groups
        for name in ("value", "interval", "n")
    ]
    lines: list[_Line] = []
    for place, found in tasks.items():
        for number, (measure, cells) in enumerate(_lines(found, groups)):
            lines.append(([*(place if number == 0 else ("", "")), measure], cells))
    if not any(dataset for dataset, _ in tasks):
        return text_table(["task", "measure"], columns, [(left[1:], c) for left, c in lines])
    return text_table(["data set", "task", "measure"], columns, lines)


def _lines(rows: Sequence[AgreementRow], groups: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the measures of one task, with the cells of each group of annotators."""
    found: dict[tuple[str, str], dict[str, AgreementRow]] = {}
    for row in rows:
        found.setdefault((row.model, row.measure), {})[row.annotators] = row
    for (model, measure), by in found.items():
        if measure in (FEWEST, MOST):
            continue
        if measure == MEDIAN:
            yield "answers an item", [cell for group in groups for cell in _range(found, group)]
            continue
        star = " *" if any(MEANT in row.note for row in by.values()) else ""
        name = f"{measure}, {model}" if model else f"{measure}{star}"
        yield name, [cell for group in groups for cell in _cells(by.get(group))]


def _cells(row: AgreementRow | None) -> list[str]:
    if row is None:
        return ["", "", ""]
    if row.measure in COUNTS:
        return [_count(row.value), "", ""]
    return [number_text(row.value), interval_text(row.low, row.high), f"{row.n} {row.unit}"]


def _range(found: dict[tuple[str, str], dict[str, AgreementRow]], group: str) -> list[str]:
    """Write the median number of answers, and the fewest and most."""
    if group not in found["", MEDIAN]:
        return ["", "", ""]
    least, median, most = (_count(found["", name][group].value) for name in (FEWEST, MEDIAN, MOST))
    return [median if least == most else f"{median} ({least}–{most})", "", ""]


def _count(value: float) -> str:
    return DASH if math.isnan(value) else f"{value:g}" if value < 1e5 else f"{value:.0f}"
