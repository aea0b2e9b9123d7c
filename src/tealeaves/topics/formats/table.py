"""Tables of (topic, rank, word, weight): CSV, TSV and Parquet."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

import msgspec

from tealeaves.errors import InputError, warn_caller
from tealeaves.json_data import decode_json
from tealeaves.tables.parquet import read_frame
from tealeaves.topics.assembly import OUTLIERS, TopicsOptions
from tealeaves.topics.formats.format import TopicsFormat, TopicsSource
from tealeaves.topics.topics import Topic, TopicId, Topics

COLUMN_NAMES = {
    "topic": ("topic", "topic_id"),
    "rank": ("rank",),
    "word": ("word", "term", "token"),
    "weight": ("weight", "score", "prob", "probability", "value"),
}
_PARQUET = b"PAR1"
_SEPARATORS = (",", "\t", ";")
_TABLE_SUFFIXES = (".csv", ".tsv")
_WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,17}")  # 1 and 01 are two ids


class _TopicsRow(NamedTuple):
    """The used values of a row, and its place in the file for errors."""

    where: str
    topic: Any
    word: Any
    rank: Any
    weight: Any


@dataclass(frozen=True)
class _TopicsColumns:
    """The positions of the used columns by what they hold, and the names of all columns."""

    positions: dict[str, int]
    names: list[str]

    @classmethod
    def of(cls, names: list[str]) -> _TopicsColumns:
        plain = [name.strip().lower() for name in names]
        positions = {
            key: plain.index(known)
            for key, variants in COLUMN_NAMES.items()
            for known in reversed(variants)
            if known in plain
        }
        return cls(positions, names)

    @property
    def sufficient(self) -> bool:
        """Whether there are columns of topics and of words."""
        return "topic" in self.positions and "word" in self.positions

    def row(self, values: Any, where: str) -> _TopicsRow:
        """Return the used values of a row."""
        keys = ("topic", "word", "rank", "weight")
        used = (values[self.positions[key]] if key in self.positions else None for key in keys)
        return _TopicsRow(where, *used)

    def name(self, key: str) -> str:
        """Return the name of a column in the file."""
        return self.names[self.positions[key]]


def is_table(file: TopicsSource) -> bool:
    """Recognise Parquet by its first bytes or name, text by a header with topics and words.

    Words of a topic may look like such a header. So if the name of the file is not that of a table,
    its second line must have numbers in the columns of numbers.
    """
    if _is_parquet(file):
        return True
    columns, separator = _read_header(file)
    if not columns.sufficient:
        return False
    numbers = [key for key in ("rank", "weight") if key in columns.positions]
    if any(suffix in _TABLE_SUFFIXES for suffix in (s.lower() for s in file.path.suffixes)):
        return bool(numbers) or len(columns.names) == 2
    second = file.lines[1].split(separator) if len(file.lines) > 1 else []
    return (
        len(second) == len(columns.names)
        and bool(numbers)
        and all(_finite_number(second[columns.positions[key]]) is not None for key in numbers)
    )


def read_table(file: TopicsSource, options: TopicsOptions) -> Topics:
    """Read the topics in the order of the file, and their words by rank, else by weight."""
    columns, rows = _read_parquet(file) if _is_parquet(file) else _read_text(file)
    if not columns.sufficient:
        raise InputError(
            f"{file.name}: a table of topics has the columns topic and word, not "
            f"{', '.join(columns.names)[:100]}"
        )
    groups: dict[TopicId, list[_TopicsRow]] = {}
    for row in rows:
        groups.setdefault(_topic_id(row, columns), []).append(_check_row(row, columns))
    groups = _without_outliers(groups, file.name)
    if all(isinstance(key, str) and _WHOLE_NUMBER.fullmatch(key) for key in groups):
        groups = {int(key): rows_of_topic for key, rows_of_topic in groups.items()}
    topics = tuple(_make_topic(identity, group) for identity, group in groups.items())
    return Topics(topics, model=options.name)


def _without_outliers(
    groups: dict[TopicId, list[_TopicsRow]], name: str
) -> dict[TopicId, list[_TopicsRow]]:
    """Leave out topic -1: in models that cluster documents it holds those without a topic."""
    topics = {key: rows for key, rows in groups.items() if str(key) != str(OUTLIERS)}
    if len(topics) < len(groups):
        if not topics:
            raise InputError(f"{name}: no topics: all rows are of topic -1, the outliers")
        warn_caller(f"{name}: topic -1, the outliers, is no topic and is left out")
    return topics


def _is_parquet(file: TopicsSource) -> bool:
    return file.start.startswith(_PARQUET) or file.suffix == ".parquet"


def _read_header(file: TopicsSource) -> tuple[_TopicsColumns, str]:
    """Return the columns that the first line names, and their separator."""
    first = file.lines[0].rstrip("\r")
    headers = []
    for sign in _SEPARATORS:
        names = [field.strip().strip('"') for field in first.split(sign)]
        headers.append((_TopicsColumns.of(names), sign))
    return next((header for header in headers if header[0].sufficient), headers[0])


def _read_text(file: TopicsSource) -> tuple[_TopicsColumns, Iterator[_TopicsRow]]:
    columns, separator = _read_header(file)
    # a quotation mark is part of the text in a file with tabs
    style: Any = {"quoting": csv.QUOTE_NONE} if separator == "\t" else {}
    stream = io.StringIO(file.text(), newline="")
    rows = csv.reader(stream, strict=True, delimiter=separator, **style)

    def read_rows() -> Iterator[_TopicsRow]:
        try:
            header: list[str] = []
            while not any(header):
                header = next(rows)
            for row in rows:
                where = f"{file.name}:{rows.line_num}"
                if row and len(row) != len(columns.names):
                    raise InputError(
                        f"{where}: {len(row)} fields, but the header has {len(columns.names)}"
                    )
                if row:
                    yield columns.row(row, where)
        except csv.Error as error:
            raise InputError(f"{file.name}:{rows.line_num}: {error}") from error

    return columns, read_rows()


def _read_parquet(file: TopicsSource) -> tuple[_TopicsColumns, Iterator[_TopicsRow]]:
    frame = read_frame(file.input_file)
    columns = _TopicsColumns.of(frame.columns)
    return columns, (
        columns.row(values, f"{file.name}: row {number}")
        for number, values in enumerate(frame.iter_rows(), 1)
        if columns.sufficient
    )


def _topic_id(row: _TopicsRow, columns: _TopicsColumns) -> TopicId:
    value = row.topic
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str):
        value = value.strip()
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise InputError(f"{row.where}: {row.topic!r} in {columns.name('topic')} is no topic's id")
    return value


def _check_row(row: _TopicsRow, columns: _TopicsColumns) -> _TopicsRow:
    if not isinstance(row.word, str) or not row.word.strip():
        raise InputError(f"{row.where}: {row.word!r} in {columns.name('word')} is no word")
    for key in ("rank", "weight"):
        value = getattr(row, key)
        if key in columns.positions and _finite_number(value) is None:
            raise InputError(f"{row.where}: {value!r} in {columns.name(key)} is not a number")
    return row._replace(rank=_finite_number(row.rank), weight=_finite_number(row.weight))


def _finite_number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _make_topic(identity: TopicId, rows: list[_TopicsRow]) -> Topic:
    if rows[0].rank is not None:
        rows = sorted(rows, key=lambda row: row.rank)
    elif rows[0].weight is not None:
        rows = sorted(rows, key=lambda row: -row.weight)
    weights = None if rows[0].weight is None else tuple(row.weight for row in rows)
    return Topic(identity, tuple(row.word for row in rows), weights)


TABLE = TopicsFormat(
    "a table with the columns topic, word and rank or weight (CSV, TSV, Parquet)",
    is_table,
    read_table,
)


# ---------------------------------------------------------------------- tables without topics

# the columns that tell what else a table holds, and what reads it
_OTHER_TABLES = (
    ({"topic", "answer"}, "a table of judgments, which --human reads"),
    ({"metric", "value"}, "a table of scores, which `tealeaves correlate` reads"),
)
_OTHER_SUFFIXES = (*_TABLE_SUFFIXES, ".jsonl", ".ndjson")


def _what_other_table(file: TopicsSource) -> str:
    """Say what a table holds if it is known and no topics; "" otherwise."""
    if file.suffix not in _OTHER_SUFFIXES:
        return ""
    first = file.lines[0].rstrip("\r")
    headers = [
        {field.strip().strip('"').lower() for field in first.split(sign)} for sign in _SEPARATORS
    ]
    if first.startswith("{"):
        try:
            headers.append(set(decode_json(first, dict[str, msgspec.Raw])))
        except msgspec.DecodeError:
            return ""
    found = (what for columns, what in _OTHER_TABLES if any(columns <= h for h in headers))
    return next(found, "")


def is_other_table(file: TopicsSource) -> bool:
    """Recognise a table of judgments or of scores, in which rows are not topics."""
    return bool(_what_other_table(file))


def refuse_other_table(file: TopicsSource, _options: TopicsOptions) -> NoReturn:
    """Raise the error that says what the table is."""
    raise InputError(f"{file.name}: no topics, but {_what_other_table(file)}")


OTHER_TABLE = TopicsFormat("", is_other_table, refuse_other_table, separated=True)
