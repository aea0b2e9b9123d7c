"""JSON of files: whatever is wrong with it is one kind of error.

Other modules decode JSON with these functions; only files of topics are also parsed by the standard
library, which names the line of an error and the names that are given twice.
"""

from __future__ import annotations

import json
from typing import Any, TypeVar, overload

import msgspec

Content = TypeVar("Content")


@overload
def decode_json(content: bytes | str | msgspec.Raw, kind: type[Content]) -> Content: ...


@overload
def decode_json(content: bytes | str | msgspec.Raw, kind: Any = ...) -> Any: ...


def decode_json(content: bytes | str | msgspec.Raw, kind: Any = Any) -> Any:
    """Decode JSON as a type; anything else raises ``msgspec.DecodeError``.

    >>> decode_json(b'{"a": 1}', dict[str, int])
    {'a': 1}
    >>> decode_json(b'{"a": "\\xff"}')
    Traceback (most recent call last):
    ...
    msgspec.DecodeError: invalid UTF-8 at byte 7
    """
    try:
        if not isinstance(content, str):
            str(content, "utf-8")  # msgspec does not look at the names and values that it skips
        return msgspec.json.decode(content, type=kind)
    except UnicodeError as error:
        raise msgspec.DecodeError(_where_invalid(error)) from error
    except RecursionError as error:
        raise msgspec.DecodeError("nested too deeply") from error


def decode_python_json(content: bytes | str) -> Any:
    """Decode JSON as Python writes it, with NaN; anything else raises ``msgspec.DecodeError``.

    >>> decode_python_json("[NaN, 1]")
    [nan, 1]
    """
    try:
        return json.loads(content)
    except UnicodeError as error:
        raise msgspec.DecodeError(_where_invalid(error)) from error
    except RecursionError as error:
        raise msgspec.DecodeError("nested too deeply") from error
    except ValueError as error:  # also a number of thousands of digits
        raise msgspec.DecodeError(str(error)) from error


def convert_json(content: Any, kind: Any, *, strict: bool = True, **options: Any) -> Any:
    """Convert decoded JSON to a type; anything else raises ``msgspec.ValidationError``.

    >>> convert_json(["\\ud800"], list[int])
    Traceback (most recent call last):
    ...
    msgspec.ValidationError: half a character (\\ud800 to \\udfff)
    """
    try:
        return msgspec.convert(content, kind, strict=strict, **options)
    except UnicodeError as error:
        raise msgspec.ValidationError("half a character (\\ud800 to \\udfff)") from error
    except RecursionError as error:
        raise msgspec.ValidationError("nested too deeply") from error


def _where_invalid(error: UnicodeError) -> str:
    start = getattr(error, "start", None)
    return "invalid UTF-8" if start is None else f"invalid UTF-8 at byte {start}"
