"""Feature tables from files."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from tealeaves.arrays import Floats, Integers
from tealeaves.errors import InputError
from tealeaves.estimator.features.names import in_order
from tealeaves.estimator.table import (
    CARDINALITY,
    KEYS,
    TARGET,
    TEXTS,
    FeatureTable,
    check_once,
)
from tealeaves.tables.columns import plain_id
from tealeaves.tables.rows import Row, read_rows

_EMPTY = (None, "")
_LONGEST_NUMBER = 18  # digits of a topic's number; what is longer is a name


def read_features(paths: Sequence[str | os.PathLike[str]]) -> FeatureTable:
    """Read tables as one; errors name the file and the line.

    A table without the column ``target`` has none that is known; every column beside those that
    tell rows apart is a feature, and an empty cell is undefined.
    """
    if not paths:
        raise InputError("no feature table is given: name one or more files")
    rows: list[Row] = []
    for path in paths:
        found = list(read_rows(path))
        if not found:
            raise InputError(f"{path}: no rows in it")
        rows += found
    table = _table(rows)
    check_once(table, [row.where for row in rows])
    return table


def _table(rows: Sequence[Row]) -> FeatureTable:
    # most rows have the same columns: only what is new is looked at
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
    """Return the number that text may stand for: files of cells do not tell 3 from "3"."""
    digits = text.removeprefix("-")
    plain = digits.isdecimal() and digits.isascii() and len(digits) <= _LONGEST_NUMBER
    return int(text) if plain and str(int(text)) == text else text


def _cardinalities(rows: Sequence[Row]) -> Integers:
    for row in rows:
        row.field(CARDINALITY)
    found = _numbers(rows, CARDINALITY)
    wrong = np.flatnonzero(~((found >= 1) & (found == np.floor(found)) & (found < 2**31)))
    if len(wrong):
        row = rows[int(wrong[0])]
        value = row.values[CARDINALITY]
        raise InputError(f"{row.where}: cardinality is {value!r:.60}, not a number of words")
    return found.astype(np.int64)


def _numbers(rows: Sequence[Row], name: str) -> Floats:
    """Return a column, all at once if every cell is plainly a number or empty."""
    cells = [row.values.get(name) for row in rows]
    try:
        found = np.array([math.nan if cell in _EMPTY else cell for cell in cells], np.float64)
    except (ValueError, TypeError, OverflowError):
        found = np.full(len(rows), np.inf)
    if found.shape == (len(rows),) and not np.isinf(found).any():
        return found
    return np.array([_number(row, name, cell) for row, cell in zip(rows, cells, strict=True)])


def _number(row: Row, name: str, cell: Any) -> float:
    from tealeaves.tables.columns import means_missing

    return math.nan if means_missing(cell) else row.number(name)
