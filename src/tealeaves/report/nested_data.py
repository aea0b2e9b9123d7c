"""Nested data of JSON: one change of all its texts and numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


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
