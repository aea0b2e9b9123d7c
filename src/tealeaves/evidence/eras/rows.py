"""Rows of a word, a year and a count, wherever they stand."""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from tealeaves.errors import InputError
from tealeaves.evidence.eras.headers import Asked, columns_of, read_cells, year_in
from tealeaves.text.columns import number_of
from tealeaves.text.frames import records_of
from tealeaves.text.rows import Row
from tealeaves.text.tokenizers import normal

__all__ = ["EARLIEST", "LATEST", "Asked", "Dated", "dated_rows", "folded"]

#: The years there may be; whatever is not among them is something else.
EARLIEST, LATEST = -3000, 3000


class Dated(NamedTuple):
    """A word, a year, and how often it occurs there."""

    word: str
    year: int
    times: float = 1.0


def folded(word: str) -> str:
    """Return a word as it is looked up: in lower case and Unicode's normal form C.

    >>> folded(" Cafe\N{COMBINING ACUTE ACCENT}") == "café"
    True
    """
    return normal(word.strip(), lower=True)


def dated_rows(given: Any, asked: Asked) -> Iterator[Dated]:
    """Yield the dated words of a file, a data frame, dictionaries, tuples or a mapping.

    Rows whose year or count says that nothing is known are left out.
    """
    if isinstance(given, str | os.PathLike):
        return _parsed(*read_cells(given, asked))
    if isinstance(given, Mapping):
        return _of_tuples(given.items(), asked)
    if isinstance(given, Iterable) and not hasattr(given, "columns"):
        rest = iter(given)
        first = list(itertools.islice(rest, 1))
        given = itertools.chain(first, rest)
        if not (first and isinstance(first[0], Mapping)):
            return _of_tuples(given, asked)
    records = records_of(given, "dated words")
    rows = [Row(f"row {number}", record) for number, record in enumerate(records, 1)]
    names = columns_of(list(records[0]) if records else [], asked, "the dated words")
    return _parsed(rows, names)


def _of_tuples(rows: Iterable[Any], asked: Asked) -> Iterator[Dated]:
    for number, cells in enumerate(rows, 1):
        parts = () if isinstance(cells, str) or not isinstance(cells, Iterable) else tuple(cells)
        if not 2 <= len(parts) <= 3:
            raise InputError(f"row {number}: {cells!r:.60} is not a word and a year (and a count)")
        count = parts[2] if asked.counted and len(parts) == 3 else 1.0
        yield from _dated(parts[0], parts[1], count, f"row {number}")


def _parsed(rows: Iterable[Row], names: Mapping[str, str]) -> Iterator[Dated]:
    word, year, count = names["word"], names["year"], names.get("count")
    for where, values in rows:
        often = values.get(count) if count else 1.0
        yield from _dated(values.get(word), values.get(year), often, where)


def _dated(word: Any, year: Any, count: Any, where: str) -> tuple[Dated, ...]:
    """Return the dated word of a row, if there is one."""
    plain = folded(word) if isinstance(word, str) else ""
    if not plain:
        raise InputError(f"{where}: {word!r:.60} is not a word")
    try:
        known = _year_written(year) if isinstance(year, str) else _year(year)
    except ValueError as error:
        raise InputError(f"{where}: the year of {word!r:.40} is {error}") from error
    try:
        often = _count(count)
    except ValueError as error:
        raise InputError(f"{where}: the count of {word!r:.40} is {error}") from error
    return () if known is None or often is None else (Dated(plain, known, often),)


def _year(value: Any) -> int | None:
    """Return a whole number or the year of a date; None if the cell says nothing."""
    year = _number(year_in(value))
    if year is None:
        return None
    if not EARLIEST <= year <= LATEST:
        raise ValueError(f"{value!s:.40}: years are from {EARLIEST} to {LATEST}")
    if not year.is_integer():
        raise ValueError(f"{value!s:.40}, not a whole number")
    return int(year)


_year_written = lru_cache(maxsize=10_000)(_year)  # a list of words has few different years


def _count(value: Any) -> float | None:
    count = value if type(value) is float and value == value else _number(value)
    if count is not None and not 0 <= count < math.inf:
        raise ValueError(f"{value!s:.40}, not 0 or more")
    return count


def _number(value: Any) -> float | None:
    try:
        return number_of(value)
    except ValueError as error:
        raise ValueError(f"{value!r:.40}, not a number") from error
