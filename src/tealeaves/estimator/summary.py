"""``FeatureSummary``: how often features are defined and how they vary; checks before a fit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.estimator.features import group_of
from tealeaves.estimator.table import TARGET, FeatureTable
from tealeaves.statistics.resampling import is_constant
from tealeaves.tables.numbers import count_text, list_text
from tealeaves.tables.table import Table, text_table
from tealeaves.tables.tidy import Tidy

_SHOWN = 6  # languages that a note names
# what features are computed from, for messages
_MADE_OF = {"era": "a table of words and years", "drift": "a modern corpus"}
_DICTIONARY = "a dictionary"
_ROUNDING = 1e-9


class FeatureRow(msgspec.Struct, frozen=True, kw_only=True):
    """One feature over all rows of a table, or the target.

    ``coverage`` is the share of rows where it is defined; mean, standard deviation and variance
    (divided by n) are of these.
    """

    name: str
    group: str
    coverage: float
    mean: float = math.nan
    sd: float = math.nan
    variance: float = math.nan
    minimum: float = math.nan
    maximum: float = math.nan
    constant: bool = False


class FeatureSummary(Tidy):
    """One row for each feature, and one for the target."""

    columns = FeatureRow.__struct_fields__

    def __init__(self, rows: Iterable[FeatureRow], *, size: str = "", notes: Sequence[str] = ()):
        self.rows: list[FeatureRow] = list(rows)
        self.size = size
        self.notes = list(notes)

    @classmethod
    def of(cls, table: FeatureTable) -> FeatureSummary:
        """Summarise all features of a table."""
        rows = [_row(name, group_of(name), table.column(name)) for name in table.names]
        rows.append(_row(TARGET, TARGET, table.target))
        return cls(rows, size=_size(table), notes=[*table.notes, *_by_language(table)])

    def row(self, name: str) -> FeatureRow:
        """Return the row of one feature, or of the target."""
        for row in self.rows:
            if row.name == name:
                return row
        raise InputError(f"no feature {name} (there are {', '.join(r.name for r in self.rows)})")

    def table(self) -> Table:
        """Return the table that is printed: a row for each feature."""
        columns = ["coverage", "mean", "sd", "variance", "min", "max", ""]
        return text_table(["feature", "group"], columns, [_line(row) for row in self.rows])

    @property
    def legend(self) -> list[str]:
        """The number of rows, and what coverage means."""
        return [f"{self.size}; coverage: share of rows where a feature is defined"]


def check_target(table: FeatureTable) -> None:
    """Raise for targets that are undefined, constant or not a CNPMI."""
    known = table.target[~np.isnan(table.target)]
    if not len(known):
        raise InputError(
            f"none of {len(table):,} rows has a target and a CNPMI: build tables with a rich "
            "reference (--rich)"
        )
    if len(outside := np.flatnonzero(np.abs(table.target) > 1 + _ROUNDING)):
        row = int(outside[0])
        raise InputError(
            f"the target of {table.languages[row]}, model {table.models[row]}, topic "
            f"{table.topics[row]} is {table.target[row]:g}: a CNPMI lies between -1 and 1"
        )
    if is_constant(known):
        raise InputError(
            f"the target is {known[0]:g} in all {len(known):,} rows with it: nothing can be "
            "learned from it"
        )


def check_features(table: FeatureTable, names: Sequence[str]) -> None:
    """Raise for a feature that is constant or undefined in all rows, or in all complete rows."""
    for name in names:
        _check_column(name, table.column(name), f"in all {len(table):,} rows")
    usable = table.complete(names)
    if not usable.any():
        listed = ", ".join(names)
        raise InputError(
            f"none of {len(table):,} rows has all of {listed}: leave out features that are seldom "
            "defined"
        )
    if (known := usable & ~np.isnan(table.target)).any():
        usable = known
    where = f"in all {int(usable.sum()):,} rows that have all features"
    for name in names:
        _check_column(name, table.column(name)[usable], where)


def _check_column(name: str, column: Floats, where: str) -> None:
    defined = column[~np.isnan(column)]
    if not len(defined):
        made = _DICTIONARY if name == "mta" else _MADE_OF.get(group_of(name), "its source")
        raise InputError(
            f"{name} is undefined {where}: give {made}, or leave it out (--without {name})"
        )
    if is_constant(defined):
        raise InputError(
            f"{name} is {defined[0]:g} {where}{'' if len(defined) == len(column) else ' with it'}: "
            f"leave it out (--without {name}), or give tables where it varies"
        )


def _row(name: str, group: str, column: Floats) -> FeatureRow:
    defined = column[~np.isnan(column)]
    if not len(defined):
        return FeatureRow(name=name, group=group, coverage=0.0 if len(column) else math.nan)
    return FeatureRow(
        name=name,
        group=group,
        coverage=len(defined) / len(column),
        mean=float(defined.mean()),
        sd=float(defined.std()),
        variance=float(defined.var()),
        minimum=float(defined.min()),
        maximum=float(defined.max()),
        constant=is_constant(defined),
    )


def _line(row: FeatureRow) -> tuple[list[str], list[str]]:
    numbers = (row.mean, row.sd, row.variance, row.minimum, row.maximum)
    remark = "constant" if row.constant else "" if row.coverage > 0 else "never defined"
    # rounded down, so that only full coverage looks full
    covered = "–" if math.isnan(row.coverage) else f"{math.floor(row.coverage * 1000) / 10:.1f}%"
    return [row.name, row.group], [covered, *map(_number, numbers), remark]


def _number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.4g}"


def _size(table: FeatureTable) -> str:
    counts = (
        count_text(len(table), "row"),
        count_text(len(set(table.languages)), "language"),
        count_text(len(set(zip(table.languages, table.models, strict=True))), "model"),
        count_text(len(np.unique(table.cardinalities)), "cardinality", "cardinalities"),
    )
    return ", ".join(counts)


def _by_language(table: FeatureTable) -> list[str]:
    """Name the languages in which a feature is undefined or constant, if it varies in others."""
    names, member = np.unique(np.array(table.languages, dtype=np.str_), return_inverse=True)
    order = np.argsort(member, kind="stable")
    ends = np.cumsum(np.bincount(member, minlength=len(names)))
    notes = []
    for name in table.names:
        column = table.column(name)[order]
        parts = [part[~np.isnan(part)] for part in np.split(column, ends[:-1])]
        dull = {
            "undefined": [str(n) for n, part in zip(names, parts, strict=True) if not len(part)],
            "constant": [
                str(n) for n, p in zip(names, parts, strict=True) if len(p) > 1 and is_constant(p)
            ],
        }
        notes += [
            f"{name} is {what} in {len(those)} of {len(names)} languages: "
            f"{list_text(those, _SHOWN)}"
            for what, those in dull.items()
            if 0 < len(those) < len(names)
        ]
    return notes
