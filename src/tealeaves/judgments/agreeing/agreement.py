"""``agreement``: how far people agree, for each data set and task."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from tealeaves.errors import InputError, did_you_mean
from tealeaves.judgments.agreeing.alpha import LEVELS
from tealeaves.judgments.agreeing.careless import Annotator, Careless, Thresholds, careless
from tealeaves.judgments.agreeing.estimates import Resampling
from tealeaves.judgments.agreeing.measures import Settings
from tealeaves.judgments.agreeing.printing import agreement_table, legend_of
from tealeaves.judgments.agreeing.rows import ALL, COUNTS, AgreementRow
from tealeaves.judgments.agreeing.tasks import measured, of_people
from tealeaves.judgments.given import given_judgments
from tealeaves.judgments.judgments import Judgments
from tealeaves.tables.table import Table
from tealeaves.tables.tidy import Tidy

_FEWEST_DRAWS = 20  # with fewer the ends of an interval are single draws


class Agreement(Tidy):
    """How far people agree: a row a measure, the annotators in ``careless``.

    ``level`` is the level of α that is meant; intervals are of ``draws`` draws, and hold the truth
    with the probability ``confidence``.
    """

    def __init__(
        self,
        rows: Iterable[AgreementRow],
        *,
        careless: Careless,
        level: str,
        notes: Sequence[str] = (),
        draws: int = 2000,
        confidence: float = 0.95,
    ) -> None:
        self.rows = list(rows)
        self.careless = careless
        self.level = level
        self.notes = list(notes)
        self.draws = draws
        self.confidence = confidence

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
        """Return one row; data set and task must be said where there are several."""
        found = [
            one
            for one in self.rows
            if (one.measure, one.model, one.annotators) == (measure, model, annotators)
            and dataset in (None, one.dataset)
            and task in (None, one.task)
        ]
        if len(found) == 1:
            return found[0]
        if found:
            raise InputError(f"{measure} of several data sets or tasks: say which")
        known = dict.fromkeys(one.measure for one in self.rows)
        raise InputError(
            f"no measure {measure}{did_you_mean(measure, known)} (there are {', '.join(known)})"
        )

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries; what is itself a count rests on no number of units."""
        return [asdict(one) | {"n": one.n if one.unit else None} for one in self.rows]

    @property
    def content(self) -> dict[str, Any]:
        """What is written as JSON: the rows, the annotators, and notes."""
        people = self.careless.content["rows"]
        return {"rows": super().content["rows"], "annotators": people, "notes": self.notes}

    def table(self) -> Table:
        """Return the table that is printed: a row a measure, by data set and task."""
        return agreement_table(self.rows)

    @property
    def legend(self) -> list[str]:
        """What the measures are."""
        return legend_of(self.rows)


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

    ``judgments`` may be a file, too, or a data frame; ``scale`` says what answers count. α is
    given at all levels; ``level`` says which one is meant. Intervals are of a bootstrap over items
    with ``draws`` draws (0: none). Annotators with fewer than ``least`` items in common with others
    do not count for the ceiling. Where annotators are flagged as careless by ``thresholds``,
    everything is also measured without them. Means of models are measured where there are four
    models or more, with intervals from eight.

    >>> rows = [("ann", "a", 3), ("bob", "a", 3), ("ann", "b", 1), ("bob", "b", 2)]
    >>> found = agreement(
    ...     [{"annotator": who, "topic": topic, "answer": x} for who, topic, x in rows]
    ... )
    >>> found.row("alpha ordinal").value
    0.833
    >>> found.notes[0]
    'rating: only 2 items have two answers or more: there are no intervals'
    """
    _check(level, draws, confidence)
    settings = Settings(level, least, Resampling(draws, seed, confidence))
    given = given_judgments(judgments, scale)
    people = careless(given, thresholds)
    rows: list[AgreementRow] = []
    notes: list[str] = []
    flags: list[str] = []
    for dataset, task in given.parts:
        own = [one for one in people if (one.dataset, one.task) == (dataset, task)]
        found, said = measured(given.part(dataset, task), settings, own)
        rows += [
            AgreementRow(dataset, task, model, who, measure, *estimate)
            for who, one in found.items()
            for (model, measure), estimate in one.estimates.items()
        ]
        place = " ".join(filter(None, (dataset, task)))
        seen = [f"{place}: {text}" for text in (of_people(own) if found else [])]
        flags += seen
        notes += [*seen, *(f"{place}: {text}" for text in said)]
    if not any(one.measure not in COUNTS for one in rows):
        raise InputError(_nothing(rows, people))
    notes = [*given.notes, *notes, *_to_compare(rows)]
    return Agreement(
        rows,
        careless=Careless(people, [*given.notes, *flags]),
        level=level,
        notes=notes,
        draws=draws,
        confidence=confidence,
    )


def _to_compare(rows: Iterable[AgreementRow]) -> list[str]:
    if not any(one.model and one.measure == "precision" for one in rows):
        return []
    return ["`tealeaves compare --human FILE` tells whether models differ"]


def _check(level: str, draws: int, confidence: float) -> None:
    if level not in LEVELS:
        raise InputError(
            f"no level {level}{did_you_mean(level, LEVELS)} (there are {', '.join(LEVELS)})"
        )
    if draws < 0 or 0 < draws < _FEWEST_DRAWS:
        raise InputError(f"draws {draws}: give {_FEWEST_DRAWS} or more, or 0 for no intervals")
    if not 0 < confidence < 1:
        raise InputError(f"the confidence is {confidence}: it must lie between 0 and 1")


def _nothing(rows: Sequence[AgreementRow], people: Sequence[Annotator]) -> str:
    answers = sum(one.value for one in rows if one.measure == "answers")
    if not answers or math.isnan(answers):
        return "no answer has a value: there is nothing to agree on"
    said = (
        "no item has two answers or more: means, one answer an item, say nothing of agreement; "
        "it needs the answers of each annotator"
    )
    if not people:
        return said
    return (
        f"{said}; if annotators saw the same items under other names, say which column names "
        "them with --column item=NAME"
    )
