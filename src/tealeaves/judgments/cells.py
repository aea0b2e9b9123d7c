"""What the cells of a table of judgments mean: true and false, seconds, answers, other columns."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.json_data import decode_python_json
from tealeaves.tables.columns import (
    MISSING_TEXTS,
    is_missing,
    means_missing,
    number_of,
    plain_id,
    replace_decimal_comma,
)
from tealeaves.tables.rows import Row

if TYPE_CHECKING:
    import polars as pl

TRUE, FALSE = frozenset({"1", "true", "yes"}), frozenset({"0", "false", "no"})
_BOOLEANS = {"true": 1.0, "false": 0.0}
_LARGEST = 1e50  # so that no square or product of squares overflows
_INTEGER = re.compile(r"-?(0|[1-9]\d{0,17})")
_DECIMAL = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")


def truth(value: Any, where: str) -> bool | None:
    """Read true or false, in any of the usual spellings; None for an empty cell."""
    text = plain_id(value)
    if text in MISSING_TEXTS:
        return None
    if text.lower() not in TRUE | FALSE:
        raise InputError(f"{where}: {value!r:.60} is neither true nor false")
    return text.lower() in TRUE


def seconds(value: Any, where: str) -> float | None:
    """Read a time; None for an empty cell."""
    try:
        time = number_of(value)
    except ValueError:
        raise InputError(f"{where}: the time {value!r:.60} is no number of seconds") from None
    if time is not None and not math.isfinite(time):
        raise InputError(f"{where}: the time {value!r:.60} is not a finite number of seconds")
    if time is not None and time < 0:
        raise InputError(f"{where}: the time {value!r} is negative: leave unknown times empty")
    return time


def name(value: Any) -> str | None:
    """Read an annotator, an item or a task; None if it is unknown."""
    text = plain_id(value)
    return None if text in MISSING_TEXTS else text


def answers(values: Sequence[Any]) -> pl.Series:
    """Return a column of numbers if all answers are numbers, or true and false; else of text."""
    import polars as pl

    numbers: list[float | None] = []
    for value in values:
        try:
            numbers.append(_answer(value))
        except ValueError:
            texts = [None if means_missing(one) else plain_id(one) for one in values]
            return pl.Series("answer", texts, pl.String)
    for number in numbers:
        if number is not None and abs(number) > _LARGEST:
            raise InputError(f"the answer {number} is not a finite number up to 1e50")
    return pl.Series("answer", numbers, pl.Float64)


def _answer(value: Any) -> float | None:
    known = _BOOLEANS.get(value.strip().lower()) if isinstance(value, str) else None
    return number_of(value) if known is None else known


def is_number(value: Any) -> bool:
    """Tell whether a cell is a number."""
    try:
        return number_of(value) is not None
    except ValueError:
        return False


def check_answers(rows: Sequence[Row], notes: list[str]) -> None:
    """Replace decimal commas, and raise for infinite answers, in each task by itself.

    One task may have numbers and another words.
    """
    parts: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        part = (plain_id(row.values.get("dataset")), plain_id(row.values.get("task")))
        parts.setdefault(part, []).append(row)
    commas: list[str] = []
    for members in parts.values():
        commas += _replace_commas(members)
        _check_finite(members)
    if commas:
        point = replace_decimal_comma(commas[0])
        notes.append(f"answers have decimal commas: {commas[0]} is read as {point}")


def _replace_commas(rows: Sequence[Row]) -> list[str]:
    """Write decimal points if all numbers have commas, and return the replaced texts.

    If only some have a comma, ``1,2`` may as well be two answers.
    """
    answers = [(row, row.values["answer"]) for row in rows]
    if any(is_number(answer) for _, answer in answers):
        return []
    replaced = []
    for row, answer in answers:
        text = answer.strip() if isinstance(answer, str) else ""
        if (point := replace_decimal_comma(text)) is not None:
            row.values["answer"] = point
            replaced.append(text)
    return replaced


def _check_finite(rows: Sequence[Row]) -> None:
    """Raise for an answer without bounds among numbers; among words, infinity is a word."""
    infinite: list[Row] = []
    for row in rows:
        try:
            finite = abs(_answer(row.values["answer"]) or 0.0) <= _LARGEST
        except ValueError as error:
            if "finite" not in str(error):
                return
            finite = False
        if not finite:
            infinite.append(row)
    if infinite:
        row = infinite[0]
        answer = str(row.values["answer"])[:40]
        raise InputError(f"{row.where}: the answer {answer!r} is not a finite number up to 1e50")


def missing_notes(answers: Iterable[Any]) -> list[str]:
    """Say how many answers are words such as NA, which mean that the answer is missing."""
    texts = [answer.strip() for answer in answers if isinstance(answer, str)]
    counts = Counter(text for text in texts if text and text in MISSING_TEXTS)
    if not counts:
        return []
    total, listed = sum(counts.values()), " or ".join(sorted(counts))
    many = f"{total} answers written {listed} are"
    return [f"{many if total > 1 else f'1 answer written {listed} is'} taken for missing"]


def other_column(name: str, values: Sequence[Any]) -> pl.Series:
    """Return a column that has no meaning here, with text read as numbers, truths or lists.

    So a column is the same whether it was read from CSV or from Parquet. Digits after a leading
    zero stay text.
    """
    import polars as pl

    column = [None if is_missing(value) else value for value in values]
    if any(isinstance(value, str) for value in column):
        column = _parsed(column)
    kinds = {type(value) for value in column if value is not None}
    if len(kinds) == 1 or not kinds & {list, dict}:
        return pl.Series(name, column, strict=False)
    # lists and other values have only text as a common type
    texts = [None if value is None else json.dumps(value, default=str) for value in column]
    return pl.Series(name, texts, pl.String)


def _parsed(values: list[Any]) -> list[Any]:
    """Read a column of text as integers, decimals, truths or lists, if all of it can be."""
    known = [value for value in values if value is not None]
    if not all(isinstance(value, str) for value in known):
        return values
    kinds: tuple[tuple[Callable[[str], object], Callable[[str], Any]], ...] = (
        (_INTEGER.fullmatch, int),
        (_DECIMAL.fullmatch, float),
        (("true", "false", "True", "False").__contains__, lambda text: text.lower() == "true"),
        (_is_list, decode_python_json),
    )
    for fits, parse in kinds:
        if all(fits(value) for value in known):
            return [None if value is None else parse(value) for value in values]
    return values


def list_members(value: Any) -> list[Any] | None:
    """Return the members of a list, also of one written as JSON; None for anything else.

    >>> list_members([3, 2]), list_members("[3, 2]"), list_members("3"), list_members("[sic]")
    ([3, 2], [3, 2], None, None)
    """
    if isinstance(value, str):
        text = value.strip()
        return list(decode_python_json(text)) if _is_list(text) else None
    if getattr(value, "ndim", 0) == 1:  # an array
        value = value.tolist()
    return list(value) if isinstance(value, list | tuple) else None


def _is_list(text: str) -> bool:
    try:
        return text.startswith("[") and isinstance(decode_python_json(text), list)
    except msgspec.DecodeError:
        return False
