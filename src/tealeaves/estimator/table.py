"""``FeatureTable``: features of topics, one row for each topic, language and cardinality."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats, Integers
from tealeaves.errors import InputError, did_you_mean
from tealeaves.estimator.features import in_order
from tealeaves.tables.columns import means_missing, plain_id
from tealeaves.tables.numbers import number_text
from tealeaves.tables.rows import Row, read_rows
from tealeaves.tables.table import Table, text_table
from tealeaves.tables.tidy import Tidy

if TYPE_CHECKING:
    import polars as pl

    from tealeaves.estimator.summary import FeatureSummary

Booleans = NDArray[np.bool_]

#: The columns that identify a row.
KEYS = ("pivot", "language", "model", "topic", "cardinality")
TARGET = "target"
TEXTS = "texts"
CARDINALITY = "cardinality"
_EMPTY = (None, "")
_LONGEST_NUMBER = 18  # digits of a topic's number; longer ones are names


@dataclass(frozen=True, eq=False, repr=False)
class FeatureTable(Tidy):
    """Features of topics: ``values`` has a row for each topic, a column for each feature.

    NaN is undefined. ``target`` is the CNPMI of each row in the rich reference, NaN where it is
    unknown. ``texts`` names the texts that trained a row's topics, joined by ``+``, if tables of
    several languages share texts: an estimator of a row is not learned from rows that share texts
    with it. In files the column of the cardinality both identifies rows and is a feature.

    >>> table = FeatureTable(
    ...     ("en",), ("sv",), ("m",), (0,), np.array([10]), ("cnpmi",), np.array([[0.1]]),
    ...     np.array([0.2]),
    ... )
    >>> print(table.to_csv(), end="")
    pivot,language,model,topic,cardinality,target,cnpmi
    en,sv,m,0,10,0.2,0.1
    """

    pivots: tuple[str, ...]
    languages: tuple[str, ...]
    models: tuple[str, ...]
    topics: tuple[int | str, ...]
    cardinalities: Integers
    names: tuple[str, ...]
    values: Floats
    target: Floats
    notes: list[str] = field(default_factory=list)
    texts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        put = object.__setattr__
        if not self.texts:
            put(self, "texts", ("",) * len(self.target))
        fixed = (*KEYS, *([TEXTS] if any(self.texts) else []), TARGET)
        put(self, "columns", (*fixed, *(name for name in self.names if name != CARDINALITY)))
        put(self, "cardinalities", np.asarray(self.cardinalities, dtype=np.int64))
        put(self, "values", np.asarray(self.values, dtype=np.float64))
        put(self, "target", np.asarray(self.target, dtype=np.float64))
        for name in self.names:
            if name in (*fixed, TEXTS) and name != CARDINALITY:
                raise InputError(f"{name} is a column of every table: a feature needs another name")
        _check_shape(self)

    def __len__(self) -> int:
        return len(self.target)

    @classmethod
    def open(cls, paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> FeatureTable:
        """Read saved tables as one: ``.jsonl``, ``.json``, ``.csv`` or ``.parquet``.

        Errors name the file and the line. Every column that does not identify rows, and is neither
        ``target`` nor ``texts``, is a feature; an empty cell is undefined.
        """
        files = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
        if not files:
            raise InputError("no feature table is given: name one or more files")
        rows: list[Row] = []
        for path in files:
            in_file = list(read_rows(path))
            if not in_file:
                raise InputError(f"{path}: no rows in it")
            rows += in_file
        table = _table_of(rows)
        _check_distinct(table, [row.where for row in rows])
        return table

    @classmethod
    def joined(cls, tables: Iterable[FeatureTable]) -> FeatureTable:
        """Join tables; a feature that a table lacks is undefined in its rows."""
        parts = list(tables)
        names = in_order(name for part in parts for name in part.names)
        values = [
            np.column_stack([_or_undefined(part, name) for name in names])
            if names
            else np.empty((len(part), 0))
            for part in parts
        ]
        table = cls(
            tuple(one for part in parts for one in part.pivots),
            tuple(one for part in parts for one in part.languages),
            tuple(one for part in parts for one in part.models),
            tuple(one for part in parts for one in part.topics),
            np.concatenate([np.empty(0, np.int64), *(part.cardinalities for part in parts)]),
            names,
            np.concatenate([np.empty((0, len(names))), *values]),
            np.concatenate([np.empty(0), *(part.target for part in parts)]),
            list(dict.fromkeys(note for part in parts for note in part.notes)),
            tuple(one for part in parts for one in part.texts),
        )
        _check_distinct(table)
        return table

    @property
    def keys(self) -> list[tuple[str, str, str, str, int]]:
        """What identifies each row; topic 3 is topic "3"."""
        topics = map(str, self.topics)
        cardinalities = self.cardinalities.tolist()
        return list(
            zip(self.pivots, self.languages, self.models, topics, cardinalities, strict=True)
        )

    # ------------------------------------------------------------------ parts

    def column(self, name: str) -> Floats:
        """Return a feature of all rows."""
        if name in self.names:
            return self.values[:, self.names.index(name)]
        if name == CARDINALITY:
            return self.cardinalities.astype(np.float64)
        listed = ", ".join(self.names)
        raise InputError(
            f"no feature {name} in the table{did_you_mean(name, self.names)} (there are {listed})"
        )

    def with_names(self, names: Iterable[str]) -> FeatureTable:
        """Return the table with only these features, in this order."""
        chosen = tuple(names)
        twice = next((name for name in chosen if chosen.count(name) > 1), None)
        if twice is not None:
            raise InputError(f"the feature {twice} is named twice")
        columns = [self.column(name) for name in chosen]
        values = np.column_stack(columns) if columns else np.empty((len(self), 0))
        return replace(self, names=chosen, values=values)

    def select(self, mask: NDArray[Any] | Sequence[bool] | Sequence[int]) -> FeatureTable:
        """Return some rows: where a mask is true, or by their numbers."""
        selected = np.asarray(mask)
        chosen = np.flatnonzero(selected) if selected.dtype == bool else selected.astype(np.int64)
        rows = chosen.tolist()
        return replace(
            self,
            pivots=tuple(self.pivots[row] for row in rows),
            languages=tuple(self.languages[row] for row in rows),
            models=tuple(self.models[row] for row in rows),
            topics=tuple(self.topics[row] for row in rows),
            cardinalities=self.cardinalities[chosen],
            values=self.values[chosen],
            target=self.target[chosen],
            texts=tuple(self.texts[row] for row in rows),
        )

    def complete(self, names: Iterable[str] | None = None) -> Booleans:
        """Tell of each row whether all features (or those named) are defined."""
        defined = np.ones(len(self), dtype=np.bool_)
        for name in self.names if names is None else names:
            defined &= ~np.isnan(self.column(name))
        return defined

    def summary(self) -> FeatureSummary:
        """Return how often each feature is defined, and how it varies."""
        from tealeaves.estimator.summary import FeatureSummary

        return FeatureSummary.of(self)

    def check(self, names: Iterable[str] | None = None) -> None:
        """Raise for features that are constant or never defined."""
        from tealeaves.estimator.summary import check_features

        check_features(self, self.names if names is None else tuple(names))

    def _columns(self) -> dict[str, list[Any]]:
        rows: dict[str, list[Any]] = {
            "pivot": list(self.pivots),
            "language": list(self.languages),
            "model": list(self.models),
            "topic": list(self.topics),
            CARDINALITY: self.cardinalities.tolist(),
        }
        if any(self.texts):
            rows[TEXTS] = list(self.texts)
        rows[TARGET] = self.target.tolist()
        return rows | {name: self.column(name).tolist() for name in self.columns[len(rows) :]}

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries: what identifies them, the target, and the features."""
        columns = self._columns()
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def to_polars(self) -> pl.DataFrame:
        """Return a polars data frame; topic ids are text."""
        import polars as pl

        columns = self._columns()
        columns["topic"] = [str(topic) for topic in self.topics]
        schema: dict[str, Any] = dict.fromkeys(columns, pl.Float64)
        schema |= dict.fromkeys([*KEYS[:4], *([TEXTS] if TEXTS in columns else [])], pl.String)
        return pl.DataFrame(columns, schema=schema | {CARDINALITY: pl.Int64})

    def table(self) -> Table:
        """Return all rows as a table of text."""
        rows = zip(*self._columns().values(), strict=True)
        left = self.columns.index(TARGET)
        lines = [
            ([str(x) for x in row[:left]], [number_text(x, 4) for x in row[left:]]) for row in rows
        ]
        return text_table(self.columns[:left], self.columns[left:], lines)

    def __str__(self) -> str:
        # a table has many rows, so that a summary says more
        return str(self.summary())

    def _repr_html_(self) -> str:
        return self.summary().to_html()


def _check_distinct(table: FeatureTable, places: Sequence[str] | None = None) -> None:
    """Raise for a row that a table has twice; ``places`` say where the rows are."""
    keys = table.keys
    if len(set(keys)) == len(keys):
        return
    seen: dict[tuple[Any, ...], int] = {}
    for number, key in enumerate(keys):
        first = seen.setdefault(key, number)
        if first != number:
            pivot, language, model, topic, cardinality = key
            what = f"{pivot}, {language}, model {model}, topic {topic}, cardinality {cardinality}"
            if places is None:
                raise InputError(f"the row of {what} is given twice: leave one table out")
            raise InputError(f"{places[number]}: the row of {what} is in {places[first]} too")


def _check_shape(table: FeatureTable) -> None:
    rows = len(table.target)
    sides = (
        table.pivots, table.languages, table.models, table.topics, table.cardinalities, table.texts
    )  # fmt: skip
    if any(len(side) != rows for side in sides):
        raise InputError(f"a table of {rows} targets has another number of languages or topics")
    if table.values.shape != (rows, len(table.names)):
        raise InputError(
            f"the values of {rows} rows and {len(table.names)} features have the shape "
            f"{table.values.shape}"
        )
    for name, column in (*zip(table.names, table.values.T, strict=True), (TARGET, table.target)):
        if np.isinf(column).any():
            row = int(np.flatnonzero(np.isinf(column))[0])
            raise InputError(f"{name} is infinite in row {row + 1}: what is undefined is NaN")


def _or_undefined(table: FeatureTable, name: str) -> Floats:
    known = name in table.names or name == CARDINALITY
    return table.column(name) if known else np.full(len(table), np.nan)


# ---------------------------------------------------------------------- files


def _table_of(rows: Sequence[Row]) -> FeatureTable:
    # most rows have the same columns, so only new layouts are searched
    layouts = dict.fromkeys(tuple(row.values) for row in rows)
    there = dict.fromkeys(name for layout in layouts for name in layout)
    names = in_order([CARDINALITY, *(name for name in there if name not in (*KEYS, TEXTS, TARGET))])
    cardinalities = _cardinalities(rows)
    features = [_numbers(rows, name) for name in names if name != CARDINALITY]
    return FeatureTable(
        tuple(row.text("pivot") for row in rows),
        tuple(row.text("language") for row in rows),
        tuple(row.text("model") for row in rows),
        tuple(_topic(row.text("topic")) for row in rows),
        cardinalities,
        names,
        np.column_stack([cardinalities.astype(np.float64), *features]),
        _numbers(rows, TARGET),
        texts=tuple(plain_id(row.values.get(TEXTS) or "") for row in rows),
    )


def _topic(text: str) -> int | str:
    """Return the number that a text stands for, because CSV does not distinguish 3 from "3"."""
    digits = text.removeprefix("-")
    plain = digits.isdecimal() and digits.isascii() and len(digits) <= _LONGEST_NUMBER
    return int(text) if plain and str(int(text)) == text else text


def _cardinalities(rows: Sequence[Row]) -> Integers:
    for row in rows:
        row.field(CARDINALITY)
    numbers = _numbers(rows, CARDINALITY)
    wrong = np.flatnonzero(~((numbers >= 1) & (numbers == np.floor(numbers)) & (numbers < 2**31)))
    if len(wrong):
        row = rows[int(wrong[0])]
        value = row.values[CARDINALITY]
        raise InputError(f"{row.where}: cardinality is {value!r:.60}, not a number of words")
    return numbers.astype(np.int64)


def _numbers(rows: Sequence[Row], name: str) -> Floats:
    """Return a column as numbers; columns with only numbers and empty cells are read fast."""
    cells = [row.values.get(name) for row in rows]
    try:
        column = np.array([math.nan if cell in _EMPTY else cell for cell in cells], np.float64)
    except (ValueError, TypeError, OverflowError):
        column = np.full(len(rows), np.inf)
    if column.shape == (len(rows),) and not np.isinf(column).any():
        return column
    return np.array([_number(row, name, cell) for row, cell in zip(rows, cells, strict=True)])


def _number(row: Row, name: str, cell: Any) -> float:
    return math.nan if means_missing(cell) else row.number(name)
