"""How tables fit on paper, and where their long texts may break."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from tealeaves.report.sections.parts import ReportTable

#: Texts from this length on are long: they have room of their own, and may break anywhere.
LONG = 40
#: Characters across a page of paper, at each size of type; style.css has the sizes.
SIZES = ((84, "large"), (104, "middle"), (124, "small"))
#: What is wider than these is printed in the smallest type, and may break anywhere.
SMALLEST = "smallest"
# what long texts and lists of words are given at least, and what lies between columns
_LONG_ROOM, _WORDS_ROOM, _GAP = 20, 18, 2
_BREAK = re.compile(r"(?<=[,|=(])")
_SPACE = re.compile(r"[\s-]+")


def pieces(text: str) -> list[str]:
    """Return a text in pieces between which a line may end; scripts/words.js does the same.

    >>> pieces("npmi(window=10)|v1"), pieces("tea")
    (['npmi(', 'window=', '10)|', 'v1'], ['tea'])
    """
    return [one for one in _BREAK.split(text) if one]


def is_long(cell: Any) -> bool:
    """Tell whether a cell is a long text."""
    return isinstance(cell, str) and len(cell) >= LONG


def fit(table: ReportTable, told: Callable[[int, Any], str]) -> str:
    """Return the size of type in which a table fits on paper with its words and numbers whole.

    ``told`` writes a number of a column.

    >>> fit(ReportTable("", ["a", "b"], [["tea", 0.5]]), lambda column, cell: str(cell))
    'large'
    >>> fit(ReportTable("", ["word " * 9] * 14, [["x" * 6] * 14]), lambda column, cell: str(cell))
    'small'
    """
    need = 0
    for column, name in enumerate(table.columns):
        need += _GAP + max([_room(name), *_rooms(table, column, told)])
    return next((size for most, size in SIZES if need <= most), SMALLEST)


def _rooms(table: ReportTable, column: int, told: Callable[[int, Any], str]) -> list[int]:
    """Return what the cells of a column need; many of them are the same."""
    rooms = {}
    for row in table.rows:
        cell = row[column]
        if isinstance(cell, tuple):
            rooms[""] = _WORDS_ROOM
        else:
            text = cell if isinstance(cell, str) else told(column, cell)
            if text not in rooms:
                rooms[text] = _LONG_ROOM if is_long(cell) else _room(text)
    return list(rooms.values())


def _room(text: str) -> int:
    """Return the length of the longest piece of a text."""
    return max(_width(word) for piece in pieces(text) or [""] for word in _SPACE.split(piece))


def _width(word: str) -> int:
    """Return the length of a word in which wide letters count twice."""
    return len(word) + sum(one.isupper() or one in "@%" or _is_wide(one) for one in word)


def _is_wide(letter: str) -> bool:
    return letter > "\u2e00" and unicodedata.east_asian_width(letter) in "FW"
