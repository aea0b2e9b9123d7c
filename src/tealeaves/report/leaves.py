"""Nested data of JSON: changes of its texts and numbers, wherever they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def with_leaves(data: Any, change: Callable[[Any], Any]) -> Any:
    """Return data with each key, and each value that is no dictionary, list or tuple, changed.

    >>> with_leaves({"tea": ("cup", ["pot"])}, str.upper)
    {'TEA': ['CUP', ['POT']]}
    """
    if isinstance(data, dict):
        return {change(key): with_leaves(one, change) for key, one in data.items()}
    if isinstance(data, list | tuple):
        return [with_leaves(one, change) for one in data]
    return change(data)
