"""Which columns of a table have the words, the years and the counts, with a header or without."""

from __future__ import annotations

import csv
import datetime as dt
import itertools
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tealeaves.errors import InputError
from tealeaves.text.columns import find_columns, number_of, says_nothing
from tealeaves.text.compression import Meter
from tealeaves.text.readers.lines import text_lines
from tealeaves.text.readers.table import cells_of
from tealeaves.text.rows import SUFFIXES, Row, read_rows
from tealeaves.text.sources import SourceFile, inner_suffix

_ALIASES: dict[str, tuple[str, ...]] = {
    "word": ("words", "term", "lemma", "headword", "token", "ngram"),
    "year": ("years", "first_year", "first_use", "first_used", "first_known_use", "date"),
}
_COUNTS: dict[str, tuple[str, ...]] = {"count": ("counts", "match_count", "occurrences")}
_CELLS = (".tsv", ".csv", ".txt")  # which may have no header
_FIRST = 100  # rows that tell what a column is
_DATE = re.compile(r"\s*(-?\d{4})-\d\d(?:-\d\d)?(?:[T ].*)?")
_HOW = 'leave one, or in Python say derive_years(…, {column}="{name}")'


@dataclass(frozen=True)
class Asked:
    """What the caller says columns are called, and whether counts are wanted."""

    word: str | None = None
    year: str | None = None
    count: str | None = None
    counted: bool = False

    @property
    def given(self) -> dict[str, str]:
        """The names that were given."""
        names = {"word": self.word, "year": self.year, "count": self.count}
        return {column: name for column, name in names.items() if name is not None}


def read_cells(
    path: str | os.PathLike[str], asked: Asked
) -> tuple[Iterator[Row], Mapping[str, str]]:
    """Return the rows of a file, and which of its columns are word, year and count."""
    file = Path(path).expanduser()
    suffix = inner_suffix(file)
    if not file.is_file():
        raise InputError(f"{path}: {'a folder, not a file' if file.is_dir() else 'no such file'}")
    if suffix not in (*_CELLS, *SUFFIXES):
        known = ", ".join(dict.fromkeys((*_CELLS, *SUFFIXES)))
        raise InputError(f"{path}: a table of words and years is {known}, compressed or not")
    rows = _numbered(file, suffix) if suffix in _CELLS else read_rows(file)
    first = list(itertools.islice(rows, _FIRST))
    if not first:
        raise InputError(f"{path}: the table is empty")
    if suffix not in _CELLS:
        return itertools.chain(first, rows), columns_of(list(first[0].values), asked, str(path))
    titles = [title.strip() for title in first[0].values.values()]
    if _is_header(titles, asked, str(path)):
        names = columns_of(titles, asked, str(path))
        number = {title: str(place) for place, title in enumerate(titles, 1)}
        named = {column: number[name] for column, name in names.items()}
        return itertools.chain(first[1:], rows), named
    return itertools.chain(first, rows), _by_content(first, asked, str(path))


def columns_of(titles: Sequence[str], asked: Asked, where: str) -> dict[str, str]:
    """Find the columns by their titles; those of words and years must be there."""
    aliases = {**_ALIASES, **_COUNTS} if asked.counted else _ALIASES
    names = find_columns(titles, aliases, where=where, given=asked.given, how=_HOW).names
    for column in _ALIASES:
        if column not in names:
            there = f"there are {', '.join(titles)}" if titles else "there is none"
            raise InputError(
                f"{where}: no column is called {column} ({there}): call it so, or in Python "
                f'say derive_years(…, {column}="…")'
            )
    return names


def _numbered(file: Path, suffix: str) -> Iterator[Row]:
    """Yield the cells of each line by the numbers of their columns."""
    source = SourceFile.at(file, reader="lines")
    start = next(text_lines(source, Meter()), "")
    style: dict[str, Any] = {"delimiter": "\t"}
    if suffix == ".csv":
        signs = [sign for sign in "\t;" if sign in start and "," not in start]
        style = {"delimiter": signs[0] if signs else ","}
    elif suffix == ".txt" and "\t" not in start:
        style = {"delimiter": " ", "skipinitialspace": True}
    if suffix != ".csv" and not start.startswith('"'):
        style["quoting"] = csv.QUOTE_NONE
    return (Row(*row) for row in cells_of(source, Meter(), header=False, **style))


def _is_header(titles: Sequence[str], asked: Asked, where: str) -> bool:
    """Tell whether a first row is a header: names were asked for, or it has word and year."""
    if any(name in titles or not name.isdecimal() for name in asked.given.values()):
        return True
    if len(set(titles)) < len(titles):
        return False
    found = find_columns(titles, _ALIASES, where=where, how=_HOW).names
    return len(found) == len(_ALIASES)


def _by_content(first: Sequence[Row], asked: Asked, where: str) -> dict[str, str]:
    """Find the columns of a table without a header: the first is the word, then the first number.

    The first row has no say unless it is alone, so that an unknown header is told from a year.
    """
    there = list(first[0].values)
    names = find_columns(there, {"word": (), "year": (), "count": ()}, where=where,
                         given=asked.given, how=_HOW).names  # fmt: skip
    names.setdefault("word", there[0])
    if "year" not in names:
        free = [name for name in there if name not in names.values()]
        rows = first[1:] or first
        found = [name for name in free if _mostly_numbers(row.values[name] for row in rows)]
        if not found:
            raise InputError(f"{where}: no column is a year: a row is a word, a tab and a year")
        names["year"] = found[0]
    title = first[0].values[names["year"]]
    if not (says_nothing(title) or _is_number(title)):
        raise InputError(
            f"{first[0].where}: {title!r:.40} is no year; if this is a header, call its columns "
            "word and year"
        )
    return names


def _mostly_numbers(cells: Iterable[str]) -> bool:
    """Tell whether most cells that say something are numbers."""
    told = [_is_number(cell) for cell in cells if not says_nothing(cell)]
    return 2 * sum(told) > len(told)


def _is_number(cell: str) -> bool:
    try:
        return number_of(year_in(cell)) is not None
    except ValueError:
        return False


def year_in(value: Any) -> Any:
    """Return the year of a date, be it one of Python's or ISO's; anything else as it is.

    >>> year_in("1851-10-18"), year_in(dt.date(1851, 10, 18)), year_in("1851")
    ('1851', 1851, '1851')
    """
    if isinstance(value, dt.date):
        return value.year
    date = _DATE.fullmatch(value) if isinstance(value, str) and "-" in value else None
    return date[1] if date else value
