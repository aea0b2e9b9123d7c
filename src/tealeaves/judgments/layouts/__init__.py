"""Layouts of published judgments: a module each, as models for a layout of one's own.

A layout has a name, ``LAYOUT``; ``fits(columns)`` tells whether a table is laid out so by the names
of its columns, and ``read(rows, name)`` makes judgments of its rows.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Protocol, cast

from tealeaves.judgments.judgments import Judgments
from tealeaves.text.rows import Row


class Layout(Protocol):
    """What a module of a layout has."""

    LAYOUT: str

    def fits(self, columns: frozenset[str]) -> bool:
        """Tell whether a table with these columns is laid out so."""
        ...

    def read(self, rows: Sequence[Row], name: str) -> Judgments:
        """Make judgments of the rows; ``name`` is the file's."""
        ...


_NAMES = ("khodorchenko2022", "hoyle2021", "lau_baldwin2016", "hao2018")
LAYOUTS = tuple(cast("Layout", importlib.import_module(f"{__name__}.{name}")) for name in _NAMES)
