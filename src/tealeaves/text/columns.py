"""Which column of a table is what, and what stands in its cells."""

from __future__ import annotations

import ast
import json
import math
import numbers
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from tealeaves.errors import InputError, did_you_mean

#: What columns that tell topics apart are often called, wherever topics are told apart.
TOPIC_ALIASES: dict[str, tuple[str, ...]] = {
    "dataset": ("corpus",),
    "model": ("model_id", "model_name"),
    "topic": ("topic_id", "topic_idx", "topic_seq", "topic_number"),
    "words": ("top_words", "topic_words"),
}
#: How text says that there is nothing.
MISSING = frozenset(
    {"", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL", "None", "<NA>", "-", "."}
)
#: How a caller of the command line, and of Python, says what a column is.
HOW = 'say which it is: --column {column}={name}, in Python {column}="{name}"'
_COMMA = re.compile(r"(-?\d+),(\d+)")
_WHOLE = re.compile(r"(-?\d+)\.0+")


class Columns(NamedTuple):
    """What each column is called in the table, and what had to be decided."""

    names: dict[str, str]
    notes: list[str]


def find_columns(
    there: Sequence[str],
    aliases: Mapping[str, Sequence[str]],
    *,
    where: str,
    given: Mapping[str, str] | None = None,
    empty: Collection[str] = (),
    how: str = HOW,
) -> Columns:
    """Find columns by what the caller says, by their own names, or by what they are often called.

    Case, spaces and underscores do not matter. A column of that very name goes before others, and
    a note says so; two that are merely often called so are an error. ``empty`` are columns without
    a value, which count only if nothing else is there; ``how`` tells the caller what to do where
    two columns may be the same.

    >>> find_columns(["Topic ID", "rating"], {"topic": ("topic_id",)}, where="a.csv").names
    {'topic': 'Topic ID'}
    """
    told = dict(given or {})
    names: dict[str, str] = {}
    notes: list[str] = []
    for column in told:
        if column not in aliases:
            hint = did_you_mean(column, aliases)
            raise InputError(
                f"no column is known as {column}{hint} (there are {', '.join(aliases)})"
            )
    for column, others in aliases.items():
        if column in told:
            names[column] = _told(told[column], there, where)
            continue
        free = [one for one in there if one not in told.values()]
        full = [one for one in free if one not in empty]
        match, passed = _match(column, others, full, where, how)
        if match is None:
            match, _ = _match(column, others, [one for one in free if one in empty], where, how)
        if match is not None:
            names[column] = match
        if passed:
            notes.append(f"{where}: the {column} is the column {match}, not {' or '.join(passed)}")
    return Columns(names, notes)


def _told(name: str, there: Sequence[str], where: str) -> str:
    if name not in there:
        listed = ", ".join(there)
        raise InputError(
            f"{where}: no column {name}{did_you_mean(name, there)} (there are {listed})"
        )
    return name


def _match(
    column: str, others: Sequence[str], there: Sequence[str], where: str, how: str
) -> tuple[str | None, list[str]]:
    """Return the column that is meant, and those that are passed over for it."""
    own = [one for one in there if called(one, column)]
    often = [one for one in there if one not in own and any(called(one, name) for name in others)]
    found = own or often
    if len(found) > 1:
        advice = how.format(column=column, name=found[0])
        raise InputError(f"{where}: {' and '.join(found)} may all be the {column}: {advice}")
    return (found[0] if found else None), (often if own else [])


def called(name: str, column: str) -> bool:
    """Tell whether a column has a name, however it is spelled.

    >>> called("Topic ID", "topic_id"), called("topics", "topic")
    (True, False)
    """
    return _squeezed(name) == _squeezed(column)


def _squeezed(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower() or name


# ---------------------------------------------------------------------- cells


def is_missing(value: Any) -> bool:
    """Tell whether a cell is empty: None, blank text, or any kind of not a number.

    >>> [is_missing(value) for value in (None, "", " ", float("nan"), 0, False, "NA")]
    [True, True, True, True, False, False, False]
    """
    if value is None or isinstance(value, str):
        return value is None or not value.strip()
    if isinstance(value, numbers.Real):
        return bool(value != value)
    return type(value).__name__ in ("NAType", "NaTType")  # of pandas, which cannot be compared


def says_nothing(value: Any) -> bool:
    """Tell whether a cell is empty, or says in one of the usual ways that nothing is there.

    >>> [says_nothing(value) for value in (None, "NA", " n/a", "-", "nothing", 0)]
    [True, True, True, True, False, False]
    """
    return is_missing(value) or (isinstance(value, str) and value.strip() in MISSING)


def plain_id(value: Any) -> str:
    """Write an id: 3, 3.0 and the text 3.0 are one, for tables turn numbers into others.

    >>> plain_id(3.0), plain_id("3.0"), plain_id(" a "), plain_id(None)
    ('3', '3', 'a', '')
    """
    if is_missing(value):
        return ""
    text = str(value).strip()
    found = _WHOLE.fullmatch(text) if text.endswith("0") else None
    return found[1] if found else text


def number_of(value: Any) -> float | None:
    """Return the number of a cell, None if it is missing; anything else raises ValueError.

    Infinite is only what says so; a number that is too large is none.

    >>> number_of("2.5"), number_of("NA"), number_of(True)
    (2.5, None, 1.0)
    """
    if says_nothing(value):
        return None
    if not isinstance(value, str | numbers.Real):
        raise ValueError(f"{value!r:.60} is no number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isinf(number) and "inf" not in str(value).lower():
        raise ValueError(f"{value!s:.60} is not a finite number")
    return None if number != number else number


def with_point(text: str) -> str | None:
    """Write a number that has a decimal comma with a point; None for anything else.

    >>> with_point(" 2,5"), with_point("2.5"), with_point("1,2,3")
    ('2.5', None, None)
    """
    found = _COMMA.fullmatch(text.strip())
    return f"{found[1]}.{found[2]}" if found else None


def half_characters(value: Any) -> bool:
    """Tell whether text has half a character, which no file can hold and some JSON has.

    >>> half_characters({"topic": ["\\ud800"]}), half_characters("\\U0001f600")
    (True, False)
    """
    if isinstance(value, str):
        return any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, Mapping):
        return any(half_characters(one) for pair in value.items() for one in pair)
    return isinstance(value, list | tuple) and any(half_characters(one) for one in value)


def words_of(value: Any) -> list[str]:
    """Return words from a list, or from text: a list written out, or words with commas or spaces.

    >>> words_of("a b"), words_of("a, b c"), words_of("['a', 'b']"), words_of('["a"]')
    (['a', 'b'], ['a', 'b c'], ['a', 'b'], ['a'])
    """
    if is_missing(value):
        return []
    if isinstance(value, str):
        text = value.strip()
        listed = _listed(text) if text.startswith("[") else None
        if listed is None:
            commas = ", " in text or " " not in text  # a number such as 1,000 has one too
            parts = text.split(",") if commas else text.split()
            return [part.strip() for part in parts if part.strip()]
        value = listed
    if not isinstance(value, Iterable):
        raise ValueError(f"{value!r:.60} is no list of words")
    return [str(word) for word in value]


def _listed(text: str) -> list[Any] | None:
    for read in (json.loads, ast.literal_eval):  # as JSON writes lists, and as Python does
        try:
            found = read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(found, list):
            return found
    return None
