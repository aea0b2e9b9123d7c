"""Tables of (topic, rank, word, weight): CSV, TSV and Parquet."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from tealeaves.errors import InputError
from tealeaves.topics.adapters.given import warn
from tealeaves.topics.adapters.parts import OUTLIERS, Parts
from tealeaves.topics.formats.source import TopicsSource
from tealeaves.topics.topics import Topic, TopicId, Topics

FORM = "a table with the columns topic, word and rank or weight (CSV, TSV, Parquet)"
STATED = ()
NAMES = {
    "topic": ("topic", "topic_id"),
    "rank": ("rank",),
    "word": ("word", "term", "token"),
    "weight": ("weight", "score", "prob", "probability", "value"),
}
_PARQUET = b"PAR1"
_SEPARATORS = (",", "\t", ";")
_TABLES = (".csv", ".tsv")
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")  # 1 and 01 are two ids


class _Row(NamedTuple):
    where: str
    topic: Any
    word: Any
    rank: Any
    weight: Any


@dataclass(frozen=True)
class _Columns:
    """The places of the columns that are used, by what they are."""

    places: dict[str, int]
    names: list[str]

    @classmethod
    def of(cls, names: list[str]) -> _Columns:
        plain = [name.strip().lower() for name in names]
        places = {
            what: plain.index(known)
            for what, variants in NAMES.items()
            for known in reversed(variants)
            if known in plain
        }
        return cls(places, names)

    @property
    def whole(self) -> bool:
        """Whether the least is there: topics and their words."""
        return "topic" in self.places and "word" in self.places

    def row(self, values: Any, where: str) -> _Row:
        """Return the used values of a row."""
        keys = ("topic", "word", "rank", "weight")
        used = (values[self.places[key]] if key in self.places else None for key in keys)
        return _Row(where, *used)

    def name(self, what: str) -> str:
        """Return what the file calls a column."""
        return self.names[self.places[what]]


def fits(file: TopicsSource) -> bool:
    """Parquet by its first bytes or its name; text by a header that names topics and words.

    The words of a topic may be these too. So a file that is not called a table must have numbers
    where its second line has to.
    """
    if _is_parquet(file):
        return True
    columns, separator = _header(file)
    if not columns.whole:
        return False
    numbers = [what for what in ("rank", "weight") if what in columns.places]
    if any(suffix in _TABLES for suffix in (s.lower() for s in file.path.suffixes)):
        return bool(numbers) or len(columns.names) == 2
    second = file.lines[1].split(separator) if len(file.lines) > 1 else []
    return (
        len(second) == len(columns.names)
        and bool(numbers)
        and all(_number(second[columns.places[what]]) is not None for what in numbers)
    )


def read(file: TopicsSource, parts: Parts) -> Topics:
    """Read the topics in the order of the file; their words by rank, else by weight."""
    if _is_parquet(file):
        columns, rows = _parquet(file)
    else:
        columns, rows = _text(file)
    if not columns.whole:
        raise InputError(
            f"{file.name}: a table of topics has the columns topic and word, not "
            f"{', '.join(columns.names)[:100]}"
        )
    groups: dict[TopicId, list[_Row]] = {}
    for row in rows:
        groups.setdefault(_identity(row, columns), []).append(_checked(row, columns))
    groups = _without_outliers(groups, file.name)
    if all(isinstance(key, str) and _WHOLE.fullmatch(key) for key in groups):
        groups = {int(key): found for key, found in groups.items()}
    return Topics(
        tuple(_topic(identity, found) for identity, found in groups.items()), model=parts.name
    )


def _without_outliers(groups: dict[TopicId, list[_Row]], name: str) -> dict[TopicId, list[_Row]]:
    """Leave out topic -1, which gathers the documents of no topic in models that cluster."""
    kept = {key: rows for key, rows in groups.items() if str(key) != str(OUTLIERS)}
    if len(kept) < len(groups):
        if not kept:
            raise InputError(f"{name}: no topics, for all rows are of topic -1, the outliers")
        warn(f"{name}: topic -1 is that of the outliers, which is no topic: it is left out")
    return kept


def _is_parquet(file: TopicsSource) -> bool:
    return file.start.startswith(_PARQUET) or file.suffix == ".parquet"


def _header(file: TopicsSource) -> tuple[_Columns, str]:
    """Return the columns that the first line names, and what separates them."""
    first = file.lines[0].rstrip("\r")
    tried = [(_Columns.of(_unquoted(first.split(sign))), sign) for sign in _SEPARATORS]
    return next((found for found in tried if found[0].whole), tried[0])


def _unquoted(fields: Iterable[str]) -> list[str]:
    return [field.strip().strip('"') for field in fields]


def _text(file: TopicsSource) -> tuple[_Columns, Iterator[_Row]]:
    columns, separator = _header(file)
    # a quotation mark is text where tabs separate
    style: Any = {"quoting": csv.QUOTE_NONE} if separator == "\t" else {}
    stream = io.StringIO(file.text(), newline="")
    rows = csv.reader(stream, strict=True, delimiter=separator, **style)

    def made() -> Iterator[_Row]:
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

    return columns, made()


def _parquet(file: TopicsSource) -> tuple[_Columns, Iterator[_Row]]:
    import polars as pl

    try:
        frame = pl.read_parquet(io.BytesIO(file.data()))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        first = (str(error).strip().splitlines() or ["damaged"])[0]
        raise InputError(f"{file.name}: not a readable Parquet file: {first}") from error
    columns = _Columns.of(frame.columns)
    return columns, (
        columns.row(values, f"{file.name}: row {number}")
        for number, values in enumerate(frame.iter_rows(), 1)
        if columns.whole
    )


def _identity(row: _Row, columns: _Columns) -> TopicId:
    value = row.topic
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str):
        value = value.strip()
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise InputError(f"{row.where}: {row.topic!r} in {columns.name('topic')} is no topic's id")
    return value


def _checked(row: _Row, columns: _Columns) -> _Row:
    if not isinstance(row.word, str) or not row.word.strip():
        raise InputError(f"{row.where}: {row.word!r} in {columns.name('word')} is no word")
    for what in ("rank", "weight"):
        value = getattr(row, what)
        if what in columns.places and _number(value) is None:
            raise InputError(f"{row.where}: {value!r} in {columns.name(what)} is not a number")
    return row._replace(rank=_number(row.rank), weight=_number(row.weight))


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _topic(identity: TopicId, rows: list[_Row]) -> Topic:
    if rows[0].rank is not None:
        rows = sorted(rows, key=lambda row: row.rank)
    elif rows[0].weight is not None:
        rows = sorted(rows, key=lambda row: -row.weight)
    weights = None if rows[0].weight is None else tuple(row.weight for row in rows)
    return Topic(identity, tuple(row.word for row in rows), weights)
