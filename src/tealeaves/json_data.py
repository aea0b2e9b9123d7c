"""JSON of files: decoded here alone, so that whatever is wrong with it is one kind of error."""

from __future__ import annotations

import json
from typing import Any, TypeVar

import msgspec

Content = TypeVar("Content")


def decode_json(content: bytes | str, kind: type[Content] | Any = Any) -> Content:
    """Decode JSON as a type; anything else raises ``msgspec.DecodeError``.

    >>> decode_json(b'{"a": 1}', dict[str, int])
    {'a': 1}
    >>> decode_json(b'{"a": "\\xff"}')
    Traceback (most recent call last):
    ...
    msgspec.DecodeError: invalid UTF-8 at byte 7
    """
    try:
        decoded: Content = msgspec.json.decode(content, type=kind)
    except UnicodeError as error:
        raise msgspec.DecodeError(_where_invalid(content)) from error
    except RecursionError as error:
        raise msgspec.DecodeError("nested too deeply") from error
    return decoded


def decode_python_json(content: bytes | str) -> Any:
    """Decode JSON as Python writes it, with NaN; anything else raises ``msgspec.DecodeError``.

    >>> decode_python_json("[NaN, 1]")
    [nan, 1]
    """
    try:
        return json.loads(content)
    except UnicodeError as error:
        raise msgspec.DecodeError(_where_invalid(content)) from error
    except RecursionError as error:
        raise msgspec.DecodeError("nested too deeply") from error
    except ValueError as error:  # also a number of thousands of digits
        raise msgspec.DecodeError(str(error)) from error


def _where_invalid(content: bytes | str) -> str:
    """Say where bytes are no text; msgspec names the place in a string, not in the content."""
    try:
        content.encode() if isinstance(content, str) else bytes(content).decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError) as error:
        return f"invalid UTF-8 at byte {error.start}"
    return "invalid UTF-8"
