"""Limits: how much a part of a file may hold before the file is refused.

A file of a few kilobytes may ask for gigabytes of memory, or for hours. What it asks for is
compared with a limit before memory is taken. Usual files do not come near the limits. A user who
has a file that does raises them: on the command line and in Python by the variable
``TEALEAVES_LIMITS``, in Python also by :func:`raised`.

>>> with raised(archive="50GB", pairs=1e9):
...     print(limit("archive"), limit("pairs"))
50000000000 1000000000
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from tealeaves.errors import InputError, did_you_mean

#: The variable of the environment with the limits that a user has changed.
VARIABLE = "TEALEAVES_LIMITS"

_UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_VALUE = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)(?:[eE]\+?(\d{1,2}))?([KMGT]B)?", re.IGNORECASE)
_LARGEST = 10**18
_MORE = 4  # times a limit, where it is not known how much is needed


class Limit(NamedTuple):
    """A limit: its value unless a user changes it, what it counts, and what it is of."""

    default: int
    unit: str
    meaning: str


LIMITS: Mapping[str, Limit] = MappingProxyType(
    {
        "text": Limit(256_000_000, "bytes", "what is read at once: a line, a text, a small file"),
        "archive": Limit(1_000_000_000, "bytes", "the arrays that a file of numbers asks for"),
        "ratio": Limit(100, "", "how many times its own size a file may ask for, if that is more"),
        "directory": Limit(16_000_000, "bytes", "the list of the members of an archive"),
        "window": Limit(134_217_728, "bytes", "what Zstandard remembers to decompress the rest"),
        "tag": Limit(1_000_000, "bytes", "a tag or a comment of XML"),
        "nesting": Limit(1_000, "", "elements of XML that are inside each other"),
        "expression": Limit(10_000, "characters", "an expression, as npmi(window=10)@10"),
        "pairs": Limit(100_000_000, "", "the pairs of words that are counted in one unit"),
        "empty_documents": Limit(10_000, "", "documents without tokens in a state of MALLET"),
        "line": Limit(10_000, "bytes", "a line with spaces in a word in a state of MALLET"),
    }
)

_lock = threading.Lock()
_raised: dict[object, str] = {}  # limits that are raised at the moment, by each call
_before: str | None = None  # the variable without them


def limit(name: str) -> int:
    """Return the value of a limit."""
    return _values(os.environ.get(VARIABLE, ""))[name]


@contextmanager
def raised(**values: float | str) -> Iterator[None]:
    """Raise limits for a while, in all threads and in processes that are started meanwhile.

    Parameters
    ----------
    values
        Limits by their names: numbers, or texts such as ``"50GB"``.

    >>> with raised(text="1GB"):
    ...     limit("text")
    1000000000
    """
    global _before
    key = object()
    with _lock:
        before = _before if _raised else os.environ.get(VARIABLE)
        more = " ".join(f"{name}={value}" for name, value in values.items())
        _values(_joined(before, [*_raised.values(), more]))  # raises for what is no limit
        _before, _raised[key] = before, more
        os.environ[VARIABLE] = _joined(_before, _raised.values())
    try:
        yield
    finally:
        with _lock:
            del _raised[key]
            if _raised:  # by another thread, perhaps
                os.environ[VARIABLE] = _joined(_before, _raised.values())
            elif _before is None:
                os.environ.pop(VARIABLE, None)
            else:
                os.environ[VARIABLE] = _before


def _joined(before: str | None, raised: Iterable[str]) -> str:
    return " ".join([before or "", *raised]).strip()


def check(name: str, found: int, what: str) -> None:
    """Raise if more was found than a limit allows; ``what`` names the file and what it asks for.

    >>> check("nesting", 2_000, "a.xml:3: elements inside of each other")
    Traceback (most recent call last):
    ...
    tealeaves.errors.InputError: a.xml:3: elements inside of each other: 2,000, over the limit ...
    """
    if found > limit(name):
        raise too_much(name, limit(name), what, found)


def check_bytes(name: str, found: int, what: str, *, size: int) -> None:
    """Raise if a file of ``size`` bytes asks for more than ``most_bytes`` allows."""
    most = most_bytes(name, size)
    if found > most:
        raise too_much(name, most, what, found)


def most_bytes(name: str, size: int) -> int:
    """Return how much a file of ``size`` bytes may ask for: the limit, or ``ratio`` times its size.

    >>> most_bytes("archive", 1_000), most_bytes("archive", 10**9)
    (1000000000, 100000000000)
    """
    return max(limit(name), limit("ratio") * size)


def too_much(name: str, most: int, what: str, found: int | None = None) -> InputError:
    """Return the error for more than ``most``; ``found`` is None if it is not known how much."""
    unit = LIMITS[name].unit
    enough = written(_MORE * most if found is None else found, unit)
    python = enough if enough.isdigit() else f'"{enough}"'
    amount = "" if found is None else f" {_spaced(enough)},"
    return InputError(
        f"{what}:{amount} over the limit of {_spaced(written(most, unit))}; if it is right, raise "
        f'it: {VARIABLE}="{name}={enough}" (in Python: tealeaves.limits.raised({name}={python}))'
    )


def _spaced(value: str) -> str:
    return f"{int(value):,}" if value.isdigit() else re.sub(r"(?<=\d)(?=[A-Z])", " ", value)


def written(number: int, unit: str = "bytes") -> str:
    """Write a number as it is read: bytes with at most three digits, rounded up.

    >>> written(5_368_709_256), written(256_000_000), written(10_000, "")
    ('5.37GB', '256MB', '10000')
    """
    if unit != "bytes" or number < 10**3:
        return str(number)
    suffix, size = next(item for item in reversed(_UNITS.items()) if number >= item[1])
    tenth = 10 ** max(len(str(number)) - 3, 0)
    rounded = -(-number // tenth) * tenth
    return f"{rounded / size:g}{suffix}"


@lru_cache(maxsize=64)
def _values(text: str) -> dict[str, int]:
    """Return the value of each limit, given those that a user has changed."""
    values = {name: one.default for name, one in LIMITS.items()}
    for part in text.replace(",", " ").split():
        name, _, value = part.partition("=")
        if name not in LIMITS:
            known = ", ".join(LIMITS)
            raise InputError(
                f"{VARIABLE}: no limit {name!r:.40}{did_you_mean(name[:40], LIMITS)} "
                f"(limits are {known})"
            )
        values[name] = _number(name, value)
    return values


def _number(name: str, text: str) -> int:
    match = _VALUE.fullmatch(text)
    number = 0.0
    if match is not None:
        power = int(match[2] or 0)
        number = float(match[1]) * 10**power * _UNITS.get((match[3] or "").upper(), 1)
    if not 1 <= number <= _LARGEST:
        raise InputError(
            f"{VARIABLE}: {name} must be a number of at least 1, as in {name}=1e9 or {name}=50GB, "
            f"not {text!r:.40}"
        )
    return round(number)
