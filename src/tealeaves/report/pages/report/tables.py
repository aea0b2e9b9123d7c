"""Tables of a page: their cells for JSON and as text, and how they fit on paper."""

from __future__ import annotations

import math
import numbers
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from tealeaves.report.sections.parts import ReportTable, Word
from tealeaves.report.sections.sentences import LARGE, short
from tealeaves.tables.numbers import DASH

#: Texts from this length on are long: their column is wide, and they may break anywhere.
LONG = 40
#: Characters across a page of paper, at each size of type; style.css has the sizes.
SIZES = ((84, "large"), (104, "middle"), (124, "small"))
#: Wider tables are printed in the smallest type, and their texts may break anywhere.
SMALLEST = "smallest"
# the least width of long texts and lists of words, and the gap between columns
_LONG_WIDTH, _WORDS_WIDTH, _GAP = 20, 18, 2
_BREAK = re.compile(r"(?<=[,|=(])")
_SPACE = re.compile(r"[\s-]+")


def packed_table(table: ReportTable) -> dict[str, Any]:
    """Return a table for JSON."""
    return {
        "caption": table.caption,
        "columns": list(table.columns),
        "numeric": numeric_columns(table),
        "labels": table.labels,
        "decimals": decimals(table),
        "legend": list(table.legend),
        "fit": fit(table),
        "rows": [[packed_cell(cell) for cell in row] for row in table.rows],
    }


def packed_cell(cell: Any) -> Any:
    """Return a cell for JSON, which has neither words nor numbers that are not finite.

    Numbers may be those of numpy.

    >>> packed_cell(float("nan")), packed_cell(float("-inf")), packed_cell(0.5)
    (None, '-inf', 0.5)
    >>> packed_cell((Word("tea"), Word("</b>", odd=True, why="apart", match=2)))
    ['tea', ['</b>', 1, 'apart', 2]]
    """
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, numbers.Integral):
        return int(cell)
    if isinstance(cell, numbers.Real):
        value = float(cell)
        return value if math.isfinite(value) else None if math.isnan(value) else str(value)
    return [_packed_word(word) for word in cell]


def _packed_word(word: Word) -> str | list[Any]:
    """Return a word as its text alone if it has nothing else, like most words."""
    plain = not (word.odd or word.why or word.match)
    return word.text if plain else [word.text, int(word.odd), word.why, word.match]


def cell_text(cell: str | float | None, digits: int) -> str:
    """Return a cell that is no list of words as text; scripts/numbers.js does the same.

    >>> cell_text(0.0625, 3), cell_text(-7, 0), cell_text(float("nan"), 3), cell_text(None, 3)
    ('0.062', '−7', '–', '–')
    >>> cell_text(-0.00012, 3), cell_text(1.2e-06, 3), cell_text(-1e200, 3)
    ('−0.00012', '1.2e−6', '−1.0e200')
    >>> cell_text(float("-inf"), 3)
    '−∞'
    """
    if cell is None or isinstance(cell, str):
        return DASH if cell is None else cell
    if math.isnan(cell):
        return DASH
    sign, size = "−" if cell < 0 else "", abs(float(cell))
    if math.isinf(size):
        return f"{sign}∞"
    # fixed decimals would show no digit of a small number, and too many of a large one
    if size and not float(f"1e-{digits}") <= size < LARGE:
        return sign + short(size)
    return f"{sign}{size:.{digits}f}"


def numeric_columns(table: ReportTable) -> list[bool]:
    """Return which columns hold numbers and nothing else.

    >>> numeric_columns(ReportTable("", ["a", "b", "c"], [["x", 1.0, None], ["y", None, None]]))
    [False, True, False]
    """
    return [_is_numeric([row[n] for row in table.rows]) for n in range(len(table.columns))]


def _is_numeric(column: Sequence[Any]) -> bool:
    known = [cell for cell in column if cell is not None]
    return bool(known) and all(isinstance(cell, numbers.Real) for cell in known)


def decimals(table: ReportTable) -> list[int]:
    """Return the decimals of each column: none if all its numbers are integers.

    >>> decimals(ReportTable("", ["model", "topics", "score"], [["a", 10, 1.0], ["b", None, 0]]))
    [0, 0, 3]
    """
    return [
        table.digits if any(_is_fraction(row[n]) for row in table.rows) else 0
        for n in range(len(table.columns))
    ]


def _is_fraction(cell: Any) -> bool:
    return isinstance(cell, numbers.Real) and not isinstance(cell, numbers.Integral)


def pieces(text: str) -> list[str]:
    """Return a text in pieces between which a line may end; scripts/words.js does the same.

    >>> pieces("npmi(window=10)|v1"), pieces("tea")
    (['npmi(', 'window=', '10)|', 'v1'], ['tea'])
    """
    return [piece for piece in _BREAK.split(text) if piece]


def is_long(cell: Any) -> bool:
    """Whether a cell is a long text."""
    return isinstance(cell, str) and len(cell) >= LONG


def fit(table: ReportTable) -> str:
    """Return the size of type in which a table fits on paper without breaking words or numbers.

    >>> fit(ReportTable("", ["a", "b"], [["tea", 0.5]]))
    'large'
    >>> fit(ReportTable("", ["word " * 9] * 14, [["x" * 6] * 14]))
    'small'
    """
    width = 0
    for column, (name, digits) in enumerate(zip(table.columns, decimals(table), strict=True)):
        cells = (row[column] for row in table.rows)
        width += _GAP + max([_text_width(name), *_cell_widths(cells, digits)])
    return next((size for most, size in SIZES if width <= most), SMALLEST)


def _cell_widths(cells: Iterable[Any], digits: int) -> list[int]:
    """Return the widths of different cells; many are the same."""
    widths = {}
    for cell in cells:
        if isinstance(cell, tuple):
            widths[""] = _WORDS_WIDTH
        else:
            text = cell_text(cell, digits)
            if text not in widths:
                widths[text] = _LONG_WIDTH if is_long(cell) else _text_width(text)
    return list(widths.values())


def _text_width(text: str) -> int:
    """Return the width of the longest word of a text."""
    return max(_word_width(word) for piece in pieces(text) or [""] for word in _SPACE.split(piece))


def _word_width(word: str) -> int:
    """Return the length of a word in which wide letters count twice."""
    return len(word) + sum(one.isupper() or one in "@%" or _is_wide(one) for one in word)


def _is_wide(letter: str) -> bool:
    return letter > "\u2e00" and unicodedata.east_asian_width(letter) in "FW"
