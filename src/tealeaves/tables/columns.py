"""Tables that are read: which column is what, what a cell holds, and rows of data frames."""

from __future__ import annotations

import ast
import math
import numbers
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from tealeaves.errors import InputError, did_you_mean
from tealeaves.json_data import decode_python_json

#: Other names of the columns that identify topics.
TOPIC_ALIASES: dict[str, tuple[str, ...]] = {
    "dataset": ("corpus",),
    "model": ("model_id", "model_name"),
    "topic": ("topic_id", "topic_idx", "topic_seq", "topic_number"),
    "words": ("top_words", "topic_words"),
}
#: Texts that stand for a missing value.
MISSING_TEXTS = frozenset(
    {"", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL", "None", "<NA>", "-", "."}
)
#: How a user chooses a column, on the command line and in Python.
COLUMN_ADVICE = 'say which it is: --column {column}={name}, in Python {column}="{name}"'
_DECIMAL_COMMA = re.compile(r"(-?\d+),(\d+)")
_WHOLE_NUMBER = re.compile(r"(-?\d+)\.0+")


# ---------------------------------------------------------------------- columns


class ColumnNames(NamedTuple):
    """The name that each column has in a table, and notes on doubtful choices."""

    names: dict[str, str]
    notes: list[str]


def find_columns(
    names: Sequence[str],
    aliases: Mapping[str, Sequence[str]],
    *,
    where: str,
    chosen: Mapping[str, str] | None = None,
    empty: Collection[str] = (),
    advice: str = COLUMN_ADVICE,
) -> ColumnNames:
    """Find columns by the names that the caller chooses, by their own names, or by other names.

    Case, spaces and underscores do not matter. A column that has the name itself is preferred to
    one with another name, and a note says so. If two columns fit, there is an error.

    Parameters
    ----------
    names
        the names of the columns in the table
    aliases
        the columns to be found, with their other names
    where
        the table, for messages
    chosen
        for some columns, the name in the table that the caller chooses
    empty
        columns without values, which are used only if there is no other
    advice
        what a message tells the user to do if two columns fit

    >>> find_columns(["Topic ID", "rating"], {"topic": ("topic_id",)}, where="a.csv").names
    {'topic': 'Topic ID'}
    """
    chosen = chosen or {}
    for column, name in chosen.items():
        _check_choice(column, name, names, aliases, where)
    columns: dict[str, str] = {}
    notes: list[str] = []
    free = [name for name in names if name not in chosen.values()]
    for column, others in aliases.items():
        if column in chosen:
            columns[column] = chosen[column]
            continue
        full = [name for name in free if name not in empty]
        match, passed_over = _match(column, others, full, where, advice)
        if match is None:
            rest = [name for name in free if name in empty]
            match, _ = _match(column, others, rest, where, advice)
        if match is not None:
            columns[column] = match
        if passed_over:
            others_text = " or ".join(passed_over)
            notes.append(f"{where}: the {column} is the column {match}, not {others_text}")
    return ColumnNames(columns, notes)


def _check_choice(
    column: str, name: str, names: Sequence[str], known: Collection[str], where: str
) -> None:
    if column not in known:
        hint = did_you_mean(column, known)
        raise InputError(f"no column is known as {column}{hint} (there are {', '.join(known)})")
    if name not in names:
        hint = did_you_mean(name, names)
        raise InputError(f"{where}: no column {name}{hint} (there are {', '.join(names)})")


def _match(
    column: str, others: Sequence[str], names: Sequence[str], where: str, advice: str
) -> tuple[str | None, list[str]]:
    """Return the column that fits, and those with another name that are passed over."""
    same = [name for name in names if is_column_name(name, column)]
    also = [
        name
        for name in names
        if name not in same and any(is_column_name(name, other) for other in others)
    ]
    matches = same or also
    if len(matches) > 1:
        cure = advice.format(column=column, name=matches[0])
        raise InputError(f"{where}: {' and '.join(matches)} may all be the {column}: {cure}")
    return (matches[0] if matches else None), (also if same else [])


def is_column_name(name: str, column: str) -> bool:
    """Tell whether two names of a column are the same but for case, spaces and punctuation.

    >>> is_column_name("Topic ID", "topic_id"), is_column_name("topics", "topic")
    (True, False)
    """
    return _letters(name) == _letters(column)


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower() or name


# ---------------------------------------------------------------------- cells


def is_missing(value: Any) -> bool:
    """Tell whether a cell is empty: None, blank text, or any kind of NaN.

    >>> [is_missing(value) for value in (None, "", " ", float("nan"), 0, False, "NA")]
    [True, True, True, True, False, False, False]
    """
    if value is None or isinstance(value, str):
        return value is None or not value.strip()
    if isinstance(value, numbers.Real):
        return bool(value != value)
    return type(value).__name__ in ("NAType", "NaTType")  # of pandas, which cannot be compared


def means_missing(value: Any) -> bool:
    """Tell whether a cell is empty, or holds a text that stands for a missing value.

    >>> [means_missing(value) for value in (None, "NA", " n/a", "-", "nothing", 0)]
    [True, True, True, True, False, False]
    """
    return is_missing(value) or (isinstance(value, str) and value.strip() in MISSING_TEXTS)


def plain_id(value: Any) -> str:
    """Return an id as text: 3, 3.0 and "3.0" are the same, as tables convert numbers.

    >>> plain_id(3.0), plain_id("3.0"), plain_id(" a "), plain_id(None)
    ('3', '3', 'a', '')
    """
    if is_missing(value):
        return ""
    text = str(value).strip()
    whole = _WHOLE_NUMBER.fullmatch(text) if text.endswith("0") else None
    return whole[1] if whole else text


def number_of(value: Any) -> float | None:
    """Return the number of a cell, None if it is missing; raise ValueError for anything else.

    Only a cell that says so is infinite; a number that is too large for a float is an error.

    >>> number_of("2.5"), number_of("NA"), number_of(True)
    (2.5, None, 1.0)
    """
    if means_missing(value):
        return None
    if not isinstance(value, str | numbers.Real):
        raise ValueError(f"{value!r:.60} is no number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isinf(number) and "inf" not in str(value).lower():
        raise ValueError(f"{value!s:.60} is not a finite number")
    return None if math.isnan(number) else number


def replace_decimal_comma(text: str) -> str | None:
    """Return a number with a decimal comma as one with a point; None for anything else.

    >>> [replace_decimal_comma(text) for text in (" 2,5", "2.5", "1,2,3")]
    ['2.5', None, None]
    """
    number = _DECIMAL_COMMA.fullmatch(text.strip())
    return f"{number[1]}.{number[2]}" if number else None


def has_half_character(value: Any) -> bool:
    """Tell whether text has a lone surrogate, which JSON can hold and no text file can.

    >>> has_half_character({"topic": ["\\ud800"]}), has_half_character("\\U0001f600")
    (True, False)
    """
    parts = [value]
    while parts:  # not by calls, because it may be nested deeply
        part = parts.pop()
        if isinstance(part, str):
            if any("\ud800" <= letter <= "\udfff" for letter in part):
                return True
        elif isinstance(part, Mapping):
            parts += [*part.keys(), *part.values()]
        elif isinstance(part, list | tuple):
            parts += part
    return False


def words_of(value: Any) -> list[str]:
    """Return the words of a list or text; text is a written list, or words with commas or spaces.

    >>> words_of("a b"), words_of("a, b c"), words_of("['a', 'b']"), words_of('["a"]')
    (['a', 'b'], ['a', 'b c'], ['a', 'b'], ['a'])
    """
    if is_missing(value):
        return []
    if isinstance(value, str):
        text = value.strip()
        value = _written_list(text) if text.startswith("[") else None
        if value is None:
            has_commas = ", " in text or " " not in text  # the comma of 1,000 separates no words
            parts = text.split(",") if has_commas else text.split()
            return [part.strip() for part in parts if part.strip()]
    if not isinstance(value, Iterable):
        raise ValueError(f"{value!r:.60} is no list of words")
    return [str(word) for word in value]


def _written_list(text: str) -> list[Any] | None:
    """Return a list that is written in JSON or in Python."""
    for read in (decode_python_json, ast.literal_eval):
        try:
            value = read(text)
        except (msgspec.DecodeError, ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(value, list):
            return value
    return None


# ---------------------------------------------------------------------- data frames


def records_of(rows: Any, what: str = "rows") -> list[dict[str, Any]]:
    """Return the rows of a data frame (polars, pandas, Arrow) or of dictionaries.

    >>> records_of([{"topic": 1}])
    [{'topic': 1}]
    """
    if hasattr(rows, "collect_schema") and hasattr(rows, "collect"):  # polars, lazy or not
        rows = rows.lazy().collect()
    if hasattr(rows, "iter_rows"):
        return list(rows.iter_rows(named=True))
    if hasattr(rows, "to_dict") and hasattr(rows, "columns"):  # pandas
        rows = rows.to_dict("records")
    elif hasattr(rows, "__arrow_c_stream__"):
        import polars as pl

        return list(pl.DataFrame(rows).iter_rows(named=True))
    if isinstance(rows, Iterable) and not isinstance(rows, str | bytes | Mapping):
        records = list(rows)
        if all(isinstance(row, Mapping) for row in records):
            return [{str(key): cell for key, cell in row.items()} for row in records]
    raise InputError(f"{what} must be a data frame or dictionaries, one per row")
