"""Rows of a table that is read from a file: CSV, TSV, JSONL, JSON or Parquet."""

from __future__ import annotations

import csv
import itertools
import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from tealeaves.artifacts import check_no_run
from tealeaves.compression import format_suffix
from tealeaves.errors import InputError, did_you_mean
from tealeaves.files import InputFile, Meter, decode_text
from tealeaves.json_data import decode_json, decode_python_json
from tealeaves.limits import most_bytes, too_much
from tealeaves.tables.columns import has_half_character, number_of, plain_id, replace_decimal_comma
from tealeaves.tables.parquet import read_frame
from tealeaves.tables.spreadsheets import read as text_of_cell

#: Suffixes of tables; that of a compression may follow.
TABLE_SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet")
_ARRAYS = ("rows", "scores", "judgments")  # keys of the array of rows in a JSON object
_SEPARATOR = re.compile(r'"?sep=([,;\t|])"?[,;\t|]*')  # a first line by which Excel names it
_CHARACTER = 4  # bytes that csv takes for each
_INDEX_NAMES = ("", "Unnamed: 0")  # of the index of a data frame
_LONGEST_FIELD = 2**31 - 1  # the largest C long on every system


class Row(NamedTuple):
    """The values of a row by the names of its columns, and its place: file and line.

    Its methods return a field as the type that it must have; else an error names the place.

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
        text = "" if isinstance(value, list | dict) else plain_id(value)
        if not text:
            raise InputError(f"{self.where}: {name} is {value!r:.60}, not a name or a number")
        return text

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


def read_rows(
    path: str | os.PathLike[str], *, text_of: Callable[[str], str] = text_of_cell
) -> Iterator[Row]:
    """Read the rows of a table, whose format the suffix of the file tells.

    Cells of CSV and TSV are text, and the caller converts them; ``text_of`` undoes what keeps
    spreadsheets from computing them.
    """
    file = InputFile(path)
    if file.path.is_dir():
        raise InputError(f"{path}: a folder, not a file")
    if not file.path.is_file():
        raise InputError(f"{path}: no such file")
    check_no_run(file.path)
    suffix = format_suffix(file.path)
    if suffix not in TABLE_SUFFIXES:
        raise InputError(f"{path}: a table is {', '.join(TABLE_SUFFIXES)}, compressed or not")
    if suffix in (".jsonl", ".ndjson"):
        return _json_lines(file)
    if suffix == ".json":
        return _json(file)
    if suffix == ".parquet":
        return _parquet(file)
    return _spreadsheet(file, suffix, text_of)


# ---------------------------------------------------------------------- CSV and TSV


def delimited_rows(
    file: InputFile,
    meter: Meter | None = None,
    *,
    skip: int = 0,
    header: bool = True,
    check_header: Callable[[list[str]], None] | None = None,
    **style: Any,
) -> Iterator[Row]:
    """Read the rows of CSV or TSV, whose cells are text.

    ``skip`` is the number of lines before the header. Without a header, columns are called ``1``,
    ``2`` and so on. ``check_header`` raises an error for names that the caller cannot use.
    ``style`` is that of ``csv.reader``.
    """
    most = min(most_bytes("text", file.size) // _CHARACTER, _LONGEST_FIELD)
    csv.field_size_limit(max(csv.field_size_limit(), most))  # of all files that are being read
    lines = (line + "\n" for line in file.lines(meter))
    rows = csv.reader(lines, strict=True, **style)
    try:
        for _ in range(skip):
            next(rows, None)
        first = next(rows, None)
        if first is None:
            return
        names = first if header else [str(number) for number in range(1, len(first) + 1)]
        if check_header is not None:
            check_header(names)
        if len(set(names)) < len(names):
            twice = min(name for name, count in Counter(names).items() if count > 1)
            raise InputError(f"{file.name}:1: two columns are called {twice!r}: rename one")
        for row in rows if header else itertools.chain([first], rows):
            if not row:
                continue
            where = f"{file.name}:{rows.line_num}"
            if len(row) != len(names):
                has = "the header has" if header else "line 1 has"
                raise InputError(f"{where}: {len(row)} fields, but {has} {len(names)}")
            yield Row(where, dict(zip(names, row, strict=True)))
    except csv.Error as error:
        where = f"{file.name}:{rows.line_num}"
        if str(error).startswith("field larger than"):
            raise too_much("text", most * _CHARACTER, f"{where}: a cell") from error
        raise InputError(f"{where}: {error}") from error


def _spreadsheet(file: InputFile, suffix: str, text_of: Callable[[str], str]) -> Iterator[Row]:
    """Read CSV or TSV as spreadsheets, data frames and R write it."""
    lines = file.lines()
    first = next(lines, "")
    separator = _SEPARATOR.fullmatch(first) if suffix == ".csv" else None
    header = next(lines, "") if separator else first
    style: dict[str, Any] = {"delimiter": "\t"}
    if suffix == ".csv":
        signs = [sign for sign in "\t;" if sign in header and "," not in header]
        style["delimiter"] = separator[1] if separator else (*signs, ",")[0]
    elif not header.startswith('"'):  # R quotes texts; elsewhere in TSV quotes are part of a text
        style["quoting"] = csv.QUOTE_NONE
    for row in delimited_rows(file, skip=1 if separator else 0, **style):
        cells = {
            text_of(name): text_of(cell)
            for name, cell in row.values.items()
            if name not in _INDEX_NAMES
        }
        if style["delimiter"] == ";":  # used where the comma is the decimal point
            cells = {name: replace_decimal_comma(cell) or cell for name, cell in cells.items()}
        yield Row(row.where, cells)


# ---------------------------------------------------------------------- JSON


def _json_lines(file: InputFile) -> Iterator[Row]:
    for number, line in enumerate(file.lines(), 1):
        if line and not line.isspace():
            where = f"{file.name}:{number}"
            yield Row(where, _object(line, where))


def _object(text: str, where: str) -> dict[str, Any]:
    try:
        return decode_json(text, dict[str, Any])
    except msgspec.DecodeError as error:
        first = error
    try:  # json also reads NaN, which Python writes
        value = decode_python_json(text)
    except msgspec.DecodeError:
        value = None
    if not isinstance(value, dict):
        raise InputError(f"{where}: not a JSON object: {first}") from first
    _check_characters(value, where)
    return value


def _check_characters(row: dict[str, Any], where: str) -> None:
    """Raise for half characters here, where the place is known: no file can hold them."""
    if has_half_character(row):
        raise InputError(f"{where}: half a character (\\ud800 to \\udfff): write it whole")


def _json(file: InputFile) -> Iterator[Row]:
    """Read an array of objects, or an object that has one."""
    text = decode_text(file.read(), file.name)
    try:
        content = decode_python_json(text)
    except msgspec.DecodeError as error:
        raise InputError(f"{file.name}: not JSON: {error}") from error
    if isinstance(content, dict):
        if "topics" in content and not set(_ARRAYS) & set(content):
            raise InputError(f"{file.name}: it looks like a file of topics, not a table of rows")
        content = next((content[name] for name in _ARRAYS if name in content), None)
    if not isinstance(content, list) or not all(isinstance(row, dict) for row in content):
        raise InputError(f"{file.name}: not an array of JSON objects, one for each row")
    has_surrogates = "\\ud" in text.lower()
    for number, row in enumerate(content, 1):
        where = f"{file.name}, row {number}"
        if has_surrogates:
            _check_characters(row, where)
        yield Row(where, row)


# ---------------------------------------------------------------------- Parquet


def _parquet(file: InputFile) -> Iterator[Row]:
    frame = read_frame(file)
    for number, row in enumerate(frame.iter_rows(named=True), 1):
        yield Row(f"{file.name}, row {number}", row)
