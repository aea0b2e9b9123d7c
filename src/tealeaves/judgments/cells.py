"""What the cells of a table of judgments mean: truths, seconds, answers, and columns of others."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.tables.columns import MISSING_TEXTS, is_missing, means_missing, number_of, plain_id

if TYPE_CHECKING:
    import polars as pl

TRUE, FALSE = frozenset({"1", "true", "yes"}), frozenset({"0", "false", "no"})
_BOOLEANS = {"true": 1.0, "false": 0.0}
_INTEGER = re.compile(r"-?(0|[1-9]\d{0,17})")
_DECIMAL = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")


def truth(value: Any, where: str) -> bool | None:
    """Read true or false, in any of the usual spellings; None where nothing stands."""
    text = plain_id(value)
    if text in MISSING_TEXTS:
        return None
    if text.lower() not in TRUE | FALSE:
        raise InputError(f"{where}: {value!r:.60} is neither true nor false")
    return text.lower() in TRUE


def seconds(value: Any, where: str) -> float | None:
    """Read a time; None where nothing stands."""
    try:
        found = number_of(value)
    except ValueError:
        raise InputError(f"{where}: the time {value!r:.60} is no number of seconds") from None
    if found is not None and not math.isfinite(found):
        raise InputError(f"{where}: the time {value!r:.60} is not a finite number of seconds")
    if found is not None and found < 0:
        raise InputError(f"{where}: the time {value!r} is negative: leave unknown times empty")
    return found


def name(value: Any) -> str | None:
    """Read who answered, what and to which task; None where nobody knows."""
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


def check_finite(values: Sequence[Any], where: Sequence[str]) -> None:
    """Refuse infinite answers among numbers; among words infinity is a word."""
    wrong: list[int] = []
    for position, value in enumerate(values):
        try:
            finite = math.isfinite(_answer(value) or 0.0)
        except ValueError as error:
            if "finite" not in str(error):
                return
            finite = False
        if not finite:
            wrong.append(position)
    if wrong:
        place, value = where[wrong[0]], str(values[wrong[0]])
        raise InputError(f"{place}: the answer {value[:40]!r} is not a finite number")


def written_missing(values: Iterable[Any]) -> list[str]:
    """Tell of answers that say that they are missing and are not plainly empty."""
    texts = [value.strip() for value in values if isinstance(value, str)]
    found = Counter(text for text in texts if text and text in MISSING_TEXTS)
    if not found:
        return []
    total, listed = sum(found.values()), " or ".join(sorted(found))
    many = f"{total} answers written {listed} are"
    return [f"{many if total > 1 else f'1 answer written {listed} is'} taken for missing"]


def other_column(name: str, values: Sequence[Any]) -> pl.Series:
    """Return a column that has no meaning here: numbers, truths and lists that text stands for.

    So that a column is the same whether it was read from CSV or from Parquet. Digits after a
    leading zero stay text.
    """
    import polars as pl

    found = [None if is_missing(value) else value for value in values]
    if any(isinstance(value, str) for value in found):
        found = _untexted(found)
    kinds = {type(value) for value in found if value is not None}
    if len(kinds) == 1 or not kinds & {list, dict}:
        return pl.Series(name, found, strict=False)
    # lists among other things have no type in common but text
    texts = [None if value is None else json.dumps(value, default=str) for value in found]
    return pl.Series(name, texts, pl.String)


def _untexted(values: list[Any]) -> list[Any]:
    """Read a column of text as what all of it can be read as."""
    known = [value for value in values if value is not None]
    if not all(isinstance(value, str) for value in known):
        return values
    ways: tuple[tuple[Callable[[str], object], Callable[[str], Any]], ...] = (
        (_INTEGER.fullmatch, int),
        (_DECIMAL.fullmatch, float),
        (("true", "false", "True", "False").__contains__, lambda text: text.lower() == "true"),
        (_is_list, json.loads),
    )
    for fits, read in ways:
        if all(fits(value) for value in known):
            return [None if value is None else read(value) for value in values]
    return values


def listed(value: Any) -> list[Any] | None:
    """Return the members of a list, also of one written as JSON; None for anything else.

    >>> listed([3, 2]), listed("[3, 2]"), listed("3"), listed("[sic]")
    ([3, 2], [3, 2], None, None)
    """
    if isinstance(value, str):
        text = value.strip()
        return list(json.loads(text)) if _is_list(text) else None
    if getattr(value, "ndim", 0) == 1:  # an array
        value = value.tolist()
    return list(value) if isinstance(value, list | tuple) else None


def _is_list(text: str) -> bool:
    try:
        return text.startswith("[") and isinstance(json.loads(text), list)
    except (ValueError, RecursionError):
        return False
