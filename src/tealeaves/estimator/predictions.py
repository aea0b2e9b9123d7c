"""``Predictions``: estimates with intervals and reasons, as rows and a table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from tealeaves.tables.numbers import interval_text, number_text
from tealeaves.tables.table import Table, text_table
from tealeaves.tables.tidy import Tidy

Row = TypeVar("Row")

_ALL = "all"


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """One topic in two languages, or (without a topic) the mean over a model's estimated topics.

    ``cnpmi`` is that of the reference at hand and ``support`` how much of it could be judged, of a
    model by the mean of all its topics. ``features`` are those that the estimate rests on.
    """

    model: str
    pivot: str
    language: str
    topic: int | str | None
    cnpmi: float
    support: float
    estimate: float
    low: float = math.nan
    high: float = math.nan
    trusted: bool | None = None
    reason: str = ""
    features: str = ""
    words: list[str] = msgspec.field(default_factory=list)


class OfTopics(Tidy, Generic[Row]):
    """What is said of topics by so many words, with intervals of a level."""

    def __init__(
        self, rows: Sequence[Row], *, level: float, top: int | None, notes: Sequence[str] = ()
    ) -> None:
        self.rows = list(rows)
        self.level = level
        self.top = top
        self.notes = list(notes)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


class Predictions(OfTopics[Prediction]):
    """Estimates of topics, a row a topic and pair of languages, and a row a model."""

    columns = Prediction.__struct_fields__

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries."""
        return [msgspec.structs.asdict(row) for row in self.rows]

    def table(self) -> Table:
        """Return the table that is printed."""
        names = {row.model for row in self.rows}
        pairs = {(row.pivot, row.language) for row in self.rows}
        labels = [
            *(["model"] if len(names) > 1 else []),
            *(["languages"] if len(pairs) > 1 else []),
            "topic",
            "words",
        ]
        columns = ["CNPMI", "support", "trust CNPMI?", "estimate", f"{self.level:.0%} interval"]
        lines = []
        for row in self.rows:
            left = [
                *([row.model] if len(names) > 1 else []),
                *([f"{row.pivot}-{row.language}"] if len(pairs) > 1 else []),
                _ALL if row.topic is None else str(row.topic),
                " / ".join(row.words),
            ]
            lines.append((left, _cells(row)))
        return text_table(labels, columns, lines)

    @property
    def legend(self) -> list[str]:
        """What the columns are."""
        return [
            "CNPMI: of the reference at hand; trust CNPMI?: whether anything speaks against it; "
            "estimate: what a rich reference would say, on its own scale, where 0 is not chance; "
            "`tealeaves estimator explain` says why"
        ]

    @property
    def doubted(self) -> list[Prediction]:
        """The topics whose CNPMI in the reference is not to be trusted."""
        return [row for row in self.rows if row.topic is not None and not row.trusted]


def _cells(row: Prediction) -> list[str]:
    said = "" if row.trusted is None else ("yes" if row.trusted else "no")
    if row.topic is not None and math.isnan(row.estimate):
        said = "–"  # nobody can say
    return [
        number_text(row.cnpmi),
        f"{row.support:.0%}",
        said,
        number_text(row.estimate),
        interval_text(row.low, row.high),
    ]
