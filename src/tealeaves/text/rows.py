"""Rows of a table, whatever it is written in: CSV, TSV, JSONL, JSON or Parquet."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tealeaves.errors import InputError, did_you_mean
from tealeaves.tables.columns import has_half_character, number_of, plain_id, replace_decimal_comma
from tealeaves.text.compression import Meter
from tealeaves.text.files import SourceFile, inner_suffix
from tealeaves.text.readers.plain import text_lines
from tealeaves.text.readers.table import cells_of

#: What a table's file may be called, beside a suffix of compression.
SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet")
_ARRAYS = ("rows", "scores", "judgments")
_SEPARATOR = re.compile(r'"?sep=([,;\t|])"?[,;\t|]*')  # how Excel says what parts cells
_ROW_NUMBERS = re.compile(r"|Unnamed: 0")  # how data frames head their index


class Row(NamedTuple):
    """A record, and the place of the file where it stands.

    Its methods return a field as what it must be, or say where it is not.

    >>> row = Row("a.csv:2", {"topic": "3.0", "score": "2.5", "words": ["a", "b"]})
    >>> row.text("topic"), row.number("score"), row.words("words")
    ('3', 2.5, ['a', 'b'])
    """

    where: str
    values: dict[str, Any]

    def field(self, name: str) -> Any:
        """Return a field that must be there."""
        if name not in self.values:
            raise InputError(
                f"{self.where}: no field {name}{did_you_mean(name, self.values)} "
                f"(there are {', '.join(self.values)})"
            )
        return self.values[name]

    def text(self, name: str) -> str:
        """Return a field as text, which must not be empty; numbers are written as ids."""
        value = self.field(name)
        found = "" if isinstance(value, list | dict) else plain_id(value)
        if not found:
            raise InputError(f"{self.where}: {name} is {value!r:.60}, not a name or a number")
        return found

    def number(self, name: str) -> float:
        """Return a field as a number."""
        return self._number(self.field(name), name)

    def numbers(self, name: str) -> list[float]:
        """Return a field that is a list of numbers."""
        return [self._number(value, name) for value in self._list(name)]

    def words(self, name: str) -> list[str]:
        """Return a field that is a list of words."""
        return [str(word) for word in self._list(name)]

    def _number(self, value: Any, name: str) -> float:
        try:
            number = number_of(value)
        except ValueError:
            number = None
        if number is None:
            raise InputError(f"{self.where}: {name} is {value!r:.60}, not a number")
        if not math.isfinite(number):
            raise InputError(f"{self.where}: {name} is {value!r:.60}, not a finite number")
        return number

    def _list(self, name: str) -> list[Any]:
        value = self.field(name)
        if not isinstance(value, list):
            raise InputError(f"{self.where}: {name} is {value!r:.60}, not a list")
        return value


def read_rows(path: str | os.PathLike[str]) -> Iterator[Row]:
    """Read the rows of a table; the file's name says how they are written.

    Cells of CSV and TSV are text. Numbers are left to the caller, who knows what they mean.
    """
    where = Path(path)
    if where.is_dir():
        raise InputError(f"{path}: a folder, not a file")
    if not where.is_file():
        raise InputError(f"{path}: no such file")
    suffix = inner_suffix(where)
    if suffix not in SUFFIXES:
        raise InputError(f"{path}: a table is {', '.join(SUFFIXES)}, compressed or not")
    file = SourceFile.at(where, reader="lines")
    if suffix in (".jsonl", ".ndjson"):
        return _json_lines(file)
    if suffix == ".json":
        return _json(file)
    if suffix == ".parquet":
        return _parquet(file)
    return _cells(file, suffix)


def _cells(file: SourceFile, suffix: str) -> Iterator[Row]:
    lines = text_lines(file, Meter())
    first = next(lines, "")
    said = _SEPARATOR.fullmatch(first) if suffix == ".csv" else None
    header = next(lines, "") if said else first
    style = _style(suffix, header, said[1] if said else None)
    for where, record in cells_of(file, Meter(), skip=1 if said else 0, **style):
        cells = {name: cell for name, cell in record.items() if not _ROW_NUMBERS.fullmatch(name)}
        if style["delimiter"] == ";":  # there the comma is the decimal point
            cells = {name: replace_decimal_comma(cell) or cell for name, cell in cells.items()}
        yield Row(where, cells)


def _style(suffix: str, header: str, said: str | None) -> dict[str, Any]:
    """Tell by the header how cells are parted; spreadsheets put semicolons and tabs into .csv."""
    if suffix == ".csv":
        parts = [said] if said else [sign for sign in "\t;" if sign in header]
        return {"delimiter": parts[0] if said or (parts and "," not in header) else ","}
    # R quotes texts; elsewhere a quotation mark in a TSV is a quotation mark
    quoting = csv.QUOTE_MINIMAL if header.startswith('"') else csv.QUOTE_NONE
    return {"delimiter": "\t", "quoting": quoting}


def _json_lines(file: SourceFile) -> Iterator[Row]:
    for number, line in enumerate(text_lines(file, Meter()), 1):
        if line and not line.isspace():
            yield Row(f"{file.name}:{number}", _object(line, f"{file.name}:{number}"))


def _object(text: str, where: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError) as error:
        first = error
    try:  # Python writes NaN, which JSON has not
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise InputError(f"{where}: not a JSON object: {first}") from first
    return _whole(value, where)


def _whole(row: dict[str, Any], where: str) -> dict[str, Any]:
    """Refuse half characters here, where the place is known: no table and no file takes them."""
    if has_half_character(row):
        raise InputError(f"{where}: half a character (\\ud800 to \\udfff): write it whole")
    return row


def _json(file: SourceFile) -> Iterator[Row]:
    """Read an array of objects, or an object that holds one as its rows."""
    text = "\n".join(text_lines(file, Meter()))
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file.name}: not JSON: {error}") from error
    if isinstance(content, dict):
        if "topics" in content and not set(_ARRAYS) & set(content):
            raise InputError(f"{file.name}: it looks like a file of topics, not a table of rows")
        content = next((content[name] for name in _ARRAYS if name in content), None)
    if not isinstance(content, list) or not all(isinstance(row, dict) for row in content):
        raise InputError(f"{file.name}: not an array of JSON objects, one a row")
    halves = "\\ud" in text.lower()
    for number, row in enumerate(content, 1):
        where = f"{file.name}, row {number}"
        yield Row(where, _whole(row, where) if halves else row)


def _parquet(file: SourceFile) -> Iterator[Row]:
    import polars as pl

    with file.open(Meter()) as stream:
        data = io.BytesIO(stream.read())
    try:
        frame = pl.read_parquet(data)
    except (pl.exceptions.PolarsError, OSError) as error:
        first = str(error).strip().splitlines()[0]
        raise InputError(f"{file.name}: not a readable Parquet file: {first}") from error
    for number, row in enumerate(frame.iter_rows(named=True), 1):
        yield Row(f"{file.name}, row {number}", row)
