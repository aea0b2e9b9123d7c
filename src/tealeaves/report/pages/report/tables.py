"""Tables as scripts read them, and how their cells are written."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any

from tealeaves.report.pages.report.fitting import fit
from tealeaves.report.sections.parts import ReportTable, Word
from tealeaves.report.sections.wording import LARGE, short
from tealeaves.tables.numbers import DASH


def packed_table(table: ReportTable) -> dict[str, Any]:
    """Return all that a table has, for JSON."""
    rows = [[packed_cell(cell) for cell in row] for row in table.rows]
    digits = decimals(table)
    return {
        "caption": table.caption,
        "columns": list(table.columns),
        "numeric": numeric_columns(table),
        "labels": table.labels,
        "decimals": digits,
        "legend": list(table.legend),
        "fit": fit(table, lambda column, cell: told(cell, digits[column])),
        "rows": rows,
    }


def packed_cell(cell: Any) -> Any:
    """Return a cell for JSON, which knows neither words nor numbers that are not finite.

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
    """Return a word as itself where there is nothing to say of it: most are so."""
    plain = not (word.odd or word.why or word.match)
    return word.text if plain else [word.text, int(word.odd), word.why, word.match]


def numeric_columns(table: ReportTable) -> list[bool]:
    """Tell which columns hold numbers and nothing else.

    >>> numeric_columns(ReportTable("", ["a", "b", "c"], [["x", 1.0, None], ["y", None, None]]))
    [False, True, False]
    """
    return [_is_numeric([row[n] for row in table.rows]) for n in range(len(table.columns))]


def _is_numeric(column: Sequence[Any]) -> bool:
    known = [cell for cell in column if cell is not None]
    return bool(known) and all(isinstance(cell, numbers.Real) for cell in known)


def decimals(table: ReportTable) -> list[int]:
    """Return how many decimals each column has: none where all numbers are whole by nature.

    >>> decimals(ReportTable("", ["model", "topics", "score"], [["a", 10, 1.0], ["b", None, 0]]))
    [0, 0, 3]
    """
    return [
        table.digits if any(_is_broken(row[n]) for row in table.rows) else 0
        for n in range(len(table.columns))
    ]


def _is_broken(cell: Any) -> bool:
    return isinstance(cell, numbers.Real) and not isinstance(cell, numbers.Integral)


def told(cell: str | float | None, digits: int) -> str:
    """Write a cell that is no list of words; ``told`` of scripts/numbers.js writes the same.

    >>> told(0.0625, 3), told(-7, 0), told(float("nan"), 3), told(None, 3), told(-0.00012, 3)
    ('0.062', '−7', '–', '–', '−0.00012')
    >>> told(1.2e-06, 3), told(-1e200, 3), told(float("-inf"), 3)
    ('1.2e−6', '−1.0e200', '−∞')
    """
    if cell is None or isinstance(cell, str):
        return DASH if cell is None else cell
    if math.isnan(cell):
        return DASH
    sign, size = "−" if cell < 0 else "", abs(float(cell))
    if math.isinf(size):
        return f"{sign}∞"
    # digits as asked would be none of a small number, and too many of a large one
    if size and not float(f"1e-{digits}") <= size < LARGE:
        return sign + short(size)
    return f"{sign}{size:.{digits}f}"
