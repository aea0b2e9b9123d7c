"""The numbers of topics to try: ``5:60:5`` or ``5,10,20``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from operator import index
from typing import Any

from tealeaves.errors import InputError

_MOST = 1000  # numbers of topics in one grid; more is a slip of the pen
_EXAMPLES = "give a number (20), several (5,10,20) or start:stop:step (5:60:5)"
_RANGE = re.compile(r"(\d{1,9}):(\d{1,9})(?::(\d{1,9}))?")


def parse_grid(given: str | int | Iterable[int]) -> list[int]:
    """Read numbers of topics; the end of a range belongs to it.

    >>> parse_grid("5:20:5"), parse_grid("2:4"), parse_grid("8,4, 8"), parse_grid(7)
    ([5, 10, 15, 20], [2, 3, 4], [4, 8], [7])
    """
    if isinstance(given, str):
        numbers = [number for part in given.split(",") for number in _part(part.strip(), given)]
    else:
        numbers = _numbers(given)
    if not numbers or min(numbers) < 1:
        raise InputError(f"k={given!s}: the number of topics is at least 1: {_EXAMPLES}")
    if len(numbers) > _MOST:
        raise InputError(f"k={given!s}: {len(numbers)} numbers of topics are more than {_MOST}")
    return sorted(set(numbers))


def _numbers(given: Any) -> list[int]:
    """Take whole numbers of any library."""
    try:
        return [index(k) for k in (given if hasattr(given, "__iter__") else [given])]
    except TypeError as error:
        raise InputError(f"k={given!r:.40}: not a grid of numbers: {_EXAMPLES}") from error


def _part(part: str, whole: str) -> Iterable[int]:
    if part.isdecimal() and len(part) < 10:
        return [int(part)]
    found = _RANGE.fullmatch(part)
    if not found:
        raise InputError(f"k={whole}: not a grid of numbers of topics: {_EXAMPLES}")
    start, stop, step = (int(number) for number in found.groups(default="1"))
    if step < 1 or stop < start:
        raise InputError(f"k={whole}: {part} holds no number: {_EXAMPLES}")
    return range(start, stop + 1, step)
