"""``agreement``: how far people agree, for each data set and task."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, asdict, dataclass, field
from typing import Any

from tealeaves.errors import InputError, did_you_mean
from tealeaves.judgments.agreement.alpha import check_level
from tealeaves.judgments.agreement.careless import (
    Annotator,
    Careless,
    Thresholds,
    annotators_of,
    careless_notes,
)
from tealeaves.judgments.agreement.estimates import Resampling
from tealeaves.judgments.agreement.measures import (
    ALL,
    COUNTS,
    FEWEST,
    MEANT,
    MEDIAN,
    MOST,
    MeasureSettings,
    measure_task,
)
from tealeaves.judgments.judgments import Judgments
from tealeaves.judgments.reading import open_judgments
from tealeaves.parameters import wrong_value
from tealeaves.tables.numbers import DASH, interval_text, number_text
from tealeaves.tables.table import Table, text_table
from tealeaves.tables.tidy import Tidy

_FEWEST_DRAWS = 20  # with fewer the ends of an interval are single draws
_MEANINGS = {
    "reliability": "reliability: how reliable mean answers are (split halves, Spearman–Brown)",
    "attainable": "attainable: the square root of reliability, the highest correlation that a "
    "metric can be expected to reach",
    "precision": "precision: share of right answers; its interval (Wilson) holds for these topics, "
    "that of precision over topics for all topics like these",
}


@dataclass(frozen=True)
class AgreementRow:
    """One measure: of which data set, task, model (empty for all) and annotators, with interval.

    ``n`` counts ``unit``: items, annotators, models, topics or answers.
    """

    dataset: str
    task: str
    model: str
    annotators: str
    measure: str
    value: float
    low: float
    high: float
    n: int
    unit: str
    note: str


@dataclass(repr=False, eq=False)
class Agreement(Tidy):
    """How far people agree: one row per measure, the annotators in ``careless``.

    ``level`` is the level of α that is meant. Intervals are of ``draws`` draws, and contain the
    true value with the probability ``confidence``.
    """

    rows: list[AgreementRow]
    _: KW_ONLY
    careless: Careless
    level: str
    notes: list[str] = field(default_factory=list)
    draws: int = 2000
    confidence: float = 0.95

    def __iter__(self) -> Iterator[AgreementRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def row(
        self,
        measure: str,
        *,
        dataset: str | None = None,
        task: str | None = None,
        model: str = "",
        annotators: str = ALL,
    ) -> AgreementRow:
        """Return one row; data set and task must be named if there are several."""
        rows = [
            row
            for row in self.rows
            if (row.measure, row.model, row.annotators) == (measure, model, annotators)
            and dataset in (None, row.dataset)
            and task in (None, row.task)
        ]
        if len(rows) == 1:
            return rows[0]
        if rows:
            raise InputError(f"{measure} of several data sets or tasks: say which")
        known = dict.fromkeys(row.measure for row in self.rows)
        raise InputError(
            f"no measure {measure}{did_you_mean(measure, known)} (there are {', '.join(known)})"
        )

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries; the ``n`` of a count is None."""
        return [asdict(row) | {"n": row.n if row.unit else None} for row in self.rows]

    @property
    def content(self) -> dict[str, Any]:
        """The JSON object: the rows, the annotators, and notes."""
        people = self.careless.content["rows"]
        return {"rows": super().content["rows"], "annotators": people, "notes": self.notes}

    def table(self) -> Table:
        """Return the table that is printed: one line per measure, by data set and task.

        If annotators are flagged, the measures without them are further columns.
        """
        groups = list(dict.fromkeys(row.annotators for row in self.rows))
        tasks: dict[tuple[str, str], list[AgreementRow]] = {}
        for row in self.rows:
            tasks.setdefault((row.dataset, row.task), []).append(row)
        columns = [
            name if group == ALL else f"{group}: {name}"
            for group in groups
            for name in ("value", "interval", "n")
        ]
        heads = ["data set", "task", "measure"]
        first = 0 if any(dataset for dataset, _ in tasks) else 1
        lines = []
        for place, rows in tasks.items():
            for number, (measure, cells) in enumerate(_lines(rows, groups)):
                left = [*(place if number == 0 else ("", "")), measure]
                lines.append((left[first:], cells))
        return text_table(heads[first:], columns, lines)

    @property
    def legend(self) -> list[str]:
        """What the measures are."""
        names = {row.measure.split()[0] for row in self.rows}
        starred = any(MEANT in row.note for row in self.rows)
        return [
            *(["*: the level of α to report"] if starred else []),
            *_ceiling_legend([row for row in self.rows if row.measure.startswith("ceiling")]),
            *(text for name, text in _MEANINGS.items() if name in names),
        ]


def agreement(
    judgments: Judgments | str | os.PathLike[str] | Any,
    *,
    scale: str | None = None,
    level: str = "ordinal",
    draws: int = 2000,
    seed: int = 0,
    confidence: float = 0.95,
    least: int = 5,
    thresholds: Thresholds | None = None,
) -> Agreement:
    """Measure how far people agree, for each data set and task.

    If annotators are flagged as careless, everything is also measured without them. Means of
    models are measured if there are at least four models, with intervals from eight.

    Parameters
    ----------
    judgments
        :class:`Judgments`, a file or a data frame.
    scale
        The numbers of answers: ``votes``, ``majority``, or as in ``"good=3, fair=2, bad=1"``.
    level
        The level of α that is reported first: ``nominal``, ``ordinal`` or ``interval``. α is
        computed at all three.
    draws
        The number of samples of the bootstrap over items; 0 for no intervals.
    seed
        The seed of the bootstrap.
    confidence
        The level of the intervals.
    least
        Annotators who share fewer items with others do not count for the ceiling.
    thresholds
        When an annotator is flagged as careless.

    >>> rows = [("ann", "a", 3), ("bob", "a", 3), ("ann", "b", 1), ("bob", "b", 2)]
    >>> result = agreement(
    ...     [{"annotator": who, "topic": topic, "answer": x} for who, topic, x in rows]
    ... )
    >>> result.row("alpha ordinal").value
    0.833
    >>> result.notes[0]
    'rating: only 2 items have two answers or more: there are no intervals'
    """
    check_level(level)
    if draws < 0 or 0 < draws < _FEWEST_DRAWS:
        raise wrong_value("draws", draws, f"at least {_FEWEST_DRAWS}, or 0 for no intervals")
    if not 0 < confidence < 1:
        raise wrong_value("confidence", confidence, "between 0 and 1")
    settings = MeasureSettings(level, least, Resampling(draws, seed, confidence))
    people = open_judgments(judgments, scale)
    annotators = annotators_of(people, thresholds)
    rows: list[AgreementRow] = []
    notes: list[str] = []
    flag_notes: list[str] = []
    for dataset, task in people.parts:
        members = [one for one in annotators if (one.dataset, one.task) == (dataset, task)]
        flagged = [one.annotator for one in members if one.flags] if members else None
        groups, remarks = measure_task(people.part(dataset, task), settings, flagged)
        rows += [
            AgreementRow(dataset, task, model, group, measure, *estimate)
            for group, measures in groups.items()
            for (model, measure), estimate in measures.estimates.items()
        ]
        place = " ".join(filter(None, (dataset, task)))
        about_people = [f"{place}: {text}" for text in (careless_notes(members) if groups else [])]
        flag_notes += about_people
        notes += [*about_people, *(f"{place}: {text}" for text in remarks)]
    if not any(row.measure not in COUNTS for row in rows):
        raise InputError(_nothing(rows, annotators))
    if any(row.model and row.measure == "precision" for row in rows):
        notes.append("`tealeaves compare --human FILE` tells whether models differ")
    return Agreement(
        rows,
        careless=Careless(annotators, [*people.notes, *flag_notes]),
        level=level,
        notes=[*people.notes, *notes],
        draws=draws,
        confidence=confidence,
    )


def _nothing(rows: Sequence[AgreementRow], annotators: Sequence[Annotator]) -> str:
    answers = sum(row.value for row in rows if row.measure == "answers")
    if not answers or math.isnan(answers):
        return "no answer has a value: there is nothing to agree on"
    reason = (
        "no item has two answers or more: agreement cannot be computed from means, only from the "
        "answers of each annotator"
    )
    if not annotators:
        return reason
    return (
        f"{reason}; if annotators saw the same items under other names, say which column names "
        "them with --column item=NAME"
    )


# ---------------------------------------------------------------------- the printed table


def _lines(rows: Sequence[AgreementRow], groups: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the measures of one task, with the cells of each group of annotators."""
    measures: dict[tuple[str, str], dict[str, AgreementRow]] = {}
    for row in rows:
        measures.setdefault((row.model, row.measure), {})[row.annotators] = row
    for (model, measure), by_group in measures.items():
        if measure in (FEWEST, MOST):
            continue
        if measure == MEDIAN:
            spans = [_answer_span(measures, group) for group in groups]
            yield "answers an item", [cell for span in spans for cell in (span, "", "")]
            continue
        star = " *" if any(MEANT in row.note for row in by_group.values()) else ""
        name = f"{measure}, {model}" if model else f"{measure}{star}"
        yield name, [cell for group in groups for cell in _cells(by_group.get(group))]


def _cells(row: AgreementRow | None) -> list[str]:
    if row is None:
        return ["", "", ""]
    if row.measure in COUNTS:
        return [_count_text(row.value), "", ""]
    return [number_text(row.value), interval_text(row.low, row.high), f"{row.n} {row.unit}"]


def _answer_span(measures: dict[tuple[str, str], dict[str, AgreementRow]], group: str) -> str:
    """Return the median number of answers, and the fewest and most."""
    if group not in measures["", MEDIAN]:
        return ""
    values = (measures["", name][group].value for name in (FEWEST, MEDIAN, MOST))
    least, median, most = map(_count_text, values)
    return median if least == most else f"{median} ({least}–{most})"


def _count_text(value: float) -> str:
    return DASH if math.isnan(value) else f"{value:g}" if value < 1e5 else f"{value:.0f}"


def _ceiling_legend(rows: Sequence[AgreementRow]) -> list[str]:
    """Say whose answers the ceiling correlates; ``n`` counts annotators only if they are known."""
    known = {row.unit == "annotators" for row in rows}
    names = {True: "one annotator", False: "one random answer to each item"}
    who = [name for annotators, name in names.items() if annotators in known]
    if not who:
        return []
    several = " (where n is of items or models)" if len(who) > 1 else ""
    return [f"ceiling: correlation of {' or '.join(who)}{several} with the mean of the rest"]
