"""``Evaluation``: how well languages are estimated that were left out, as rows and a table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from tealeaves.errors import InputError, did_you_mean
from tealeaves.tables.numbers import (
    SIGNIFICANCE_LEVEL,
    append_interval,
    count_text,
    number_text,
    p_text,
    percent_text,
    starred_number,
)
from tealeaves.tables.table import Table, text_table
from tealeaves.tables.tidy import Tidy

#: The language of the rows that are means over all.
ALL = "all"
LEVELS = ("topic", "model")


class Evaluated(msgspec.Struct, frozen=True, kw_only=True):
    """One estimator in one language, over topics or over models.

    ``raw`` and ``estimate`` are Pearson's r with the target, over the same ``n`` rows of
    ``clusters`` models; of the mean of all languages, both count languages. ``mae`` is the mean
    absolute error of estimates, ``coverage`` the share of targets inside their intervals.
    ``p_corrected`` is p after Benjamini and Hochberg for the number of languages; the mean of all
    is one test, whose p is as it is. What is better or worse is so by ``p_corrected``.
    """

    language: str
    level: str
    estimator: str
    n: int = 0
    clusters: int = 0
    raw: float = math.nan
    raw_low: float = math.nan
    raw_high: float = math.nan
    estimate: float = math.nan
    estimate_low: float = math.nan
    estimate_high: float = math.nan
    difference: float = math.nan
    difference_low: float = math.nan
    difference_high: float = math.nan
    p: float = math.nan
    p_corrected: float = math.nan
    mae: float = math.nan
    coverage: float = math.nan

    @property
    def better(self) -> bool:
        """Whether the estimate is significantly better, after the correction."""
        return self.difference > 0 and self.p_corrected < SIGNIFICANCE_LEVEL

    @property
    def worse(self) -> bool:
        """Whether the estimate is significantly worse, after the correction."""
        return self.difference < 0 and self.p_corrected < SIGNIFICANCE_LEVEL

    @property
    def untested(self) -> bool:
        """Whether there is a difference, but no p of it, for models are too few."""
        return not math.isnan(self.difference) and math.isnan(self.p_corrected)

    @property
    def undecided(self) -> bool:
        """Whether the difference was tested, and is not significant."""
        return not (self.better or self.worse or math.isnan(self.p_corrected))


class Evaluation(Tidy):
    """Estimators in all languages, over topics and over models, beside what they are against.

    ``dropped`` says how many rows lack a value, by estimator; ``infinite`` which estimators have
    intervals without end.
    """

    columns = Evaluated.__struct_fields__

    def __init__(
        self,
        rows: Sequence[Evaluated],
        *,
        against: str = "cnpmi",
        draws: int = 1000,
        confidence: float = 0.95,
        cardinality: int | None = None,
        dropped: Mapping[str, int] | None = None,
        infinite: Sequence[str] = (),
    ) -> None:
        self.rows = list(rows)
        self.against = against
        self.draws = draws
        self.confidence = confidence
        self.cardinality = cardinality
        self.notes = [
            *_differences(self.rows, against, draws),
            *(
                f"{name}: {count:,} rows lack an estimate, {against} or a target, and are left out"
                for name, count in (dropped or {}).items()
                if count
            ),
            *(
                f"{name}: some intervals have no end, for languages are too few: they hold all"
                for name in infinite
            ),
        ]

    def __iter__(self) -> Iterator[Evaluated]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def estimators(self) -> list[str]:
        """The names of the estimators."""
        return list(dict.fromkeys(row.estimator for row in self.rows))

    def row(
        self, language: str = ALL, level: str = "topic", estimator: str | None = None
    ) -> Evaluated:
        """Return one row; the estimator must be said where there are several."""
        names = self.estimators
        if estimator is None and len(names) > 1:
            raise InputError(f"several estimators ({', '.join(names)}): say which")
        asked = {"estimator": estimator or names[0], "level": level, "language": language}
        for field, value in asked.items():
            known = dict.fromkeys(getattr(row, field) for row in self.rows)
            if value not in known:
                hint = did_you_mean(value, known)
                raise InputError(f"no {field} {value}{hint} (there are {', '.join(known)})")
        return next(r for r in self.rows if all(getattr(r, k) == v for k, v in asked.items()))

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries."""
        return [msgspec.structs.asdict(row) for row in self.rows]

    @property
    def content(self) -> dict[str, Any]:
        """What is written as JSON: the rows, what they rest on, and notes."""
        own = ("against", "draws", "confidence", "cardinality")
        return {**super().content, **{name: getattr(self, name) for name in own}}

    def table(self) -> Table:
        """Return the table that is printed: a row a level, estimator and language."""
        several = len(self.estimators) > 1
        covered = any(not math.isnan(row.coverage) for row in self.rows)
        labels = ["level", *(["estimator"] if several else []), "language"]
        heads = [f"raw {self.against}", "estimate", "difference", "p corrected", "MAE"]
        lines = []
        for row in self.rows:
            left = [row.level, *([row.estimator] if several else []), row.language]
            cells = [*_cells(row), *([percent_text(row.coverage)] if covered else []), _size(row)]
            lines.append((left, cells))
        return text_table(labels, [*heads, *(["coverage"] if covered else []), "n"], lines)

    @property
    def legend(self) -> list[str]:
        """What the table's columns and signs mean."""
        at = "" if self.cardinality is None else f" at cardinality {self.cardinality}"
        lines = [
            f"raw, estimate: Pearson's r of {self.against}, and of the estimate, with the target"
            f"{at}, over topics or over the means of models and cardinalities; languages are "
            "estimated without themselves; all: the mean over languages",
        ]
        if self.draws:
            lines += [
                f"[low, high]: {self.confidence:.0%} interval, bootstrap over models (for all: "
                f"over languages and models), {self.draws} draws",
                "p corrected: of the difference, after Benjamini and Hochberg for the number of "
                "languages; that of all is one test, and not corrected; *: below .05",
            ]
        if any(not math.isnan(row.coverage) for row in self.rows):
            lines.append("coverage: share of targets inside the intervals of estimates")
        return lines


def _differences(rows: Sequence[Evaluated], against: str, draws: int) -> list[str]:
    """Name the languages where an estimator is not better, at each level."""
    parts: dict[tuple[str, str], list[Evaluated]] = {}
    for row in rows:
        if row.language != ALL:
            parts.setdefault((row.level, row.estimator), []).append(row)
    notes = []
    for (level, name), some in parts.items():
        of = f"of {count_text(len(some), 'language')}"
        start = f"{level} level, {name}:"
        said = {
            f"not significantly better than {against} (p corrected is not below .05)":
                [row.language for row in some if row.undecided],
            f"worse than {against}": [_worse(row) for row in some if row.difference < 0],
            "no interval and no p (fewer than 3 models, or too few draws are defined)":
                [row.language for row in some if row.untested and draws],
            f"not comparable with {against} (constant, or fewer than 3 rows)":
                [row.language for row in some if math.isnan(row.difference)],
        }  # fmt: skip
        notes += [
            f"{start} {what} in {len(those)} {of}: {', '.join(those)}"
            for what, those in said.items()
            if those
        ]
    return notes


def _worse(row: Evaluated) -> str:
    return f"{row.language} (significantly)" if row.worse else row.language


def _cells(row: Evaluated) -> list[str]:
    difference = starred_number(row.difference, row.p_corrected)
    return [
        append_interval(number_text(row.raw), row.raw_low, row.raw_high),
        append_interval(number_text(row.estimate), row.estimate_low, row.estimate_high),
        append_interval(difference, row.difference_low, row.difference_high),
        p_text(row.p_corrected),
        number_text(row.mae, 4),
    ]


def _size(row: Evaluated) -> str:
    if row.language == ALL:
        return count_text(row.n, "language")
    return f"{row.n} of {count_text(row.clusters, 'model')}"
