"""Nested data of JSON: one change of all its texts and numbers, and JSON inside a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from tealeaves.printing import escaped_in_json

# the characters that could end a script, or a line of one
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def map_values(data: Any, change: Callable[[Any], Any]) -> Any:
    """Return data with each key, and each value that is no dictionary, list or tuple, changed.

    >>> map_values({"tea": ("cup", ["pot"])}, str.upper)
    {'TEA': ['CUP', ['POT']]}
    """
    if isinstance(data, dict):
        return {change(key): map_values(one, change) for key, one in data.items()}
    if isinstance(data, list | tuple):
        return [map_values(one, change) for one in data]
    return change(data)


def valid_text(value: Any) -> Any:
    """Return a text that can be encoded: halves of characters (surrogates) become U+FFFD.

    Names of files may hold such halves. Values that are no text stay as they are.

    >>> valid_text("caf\\udce9") == "caf\\ufffd", valid_text("\\ud83d\\udc4b") == "👋"
    (True, True)
    """
    if not isinstance(value, str):
        return value
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def encoded(data: Any) -> bytes:
    """Return data as JSON, even if texts hold halves of characters."""
    try:
        return msgspec.json.encode(data)
    except UnicodeEncodeError:
        return msgspec.json.encode(map_values(data, valid_text))


def in_script(data: Any) -> str:
    """Return data as JSON for a script of HTML; no word, whatever it is, ends the script.

    >>> in_script({"word": "</script>"})
    '{"word":"\\\\u003c/script\\\\u003e"}'
    """
    text = escaped_in_json(encoded(data).decode())
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    return text
