"""Tables that people fill in with spreadsheets: tab-separated cells that come back as they went."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

# What a spreadsheet would take for a formula, a number, a date or a truth value. An apostrophe
# before it keeps it text, and is taken off again here.
_TAKEN = re.compile(
    r"'*(?:[=+\-@.\d]|(?:true|false)$|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\W*\d)",
    re.IGNORECASE,
)
_SPECIAL = re.compile(r'["\t\r\n]')
# A cell is quoted as a whole, or its quotation marks are text: some spreadsheets quote nothing.
_CELL = re.compile(r'("(?:[^"]|"")*"(?=[\t\r\n]|\Z)|[^\t\r\n]*)(\t|\r\n|\r|\n|\Z)')
_BREAK = re.compile(r"\r\n|\r|\n")


def guarded(text: str) -> str:
    """Keep a spreadsheet from reading more than text into a cell.

    >>> guarded("=nsa"), guarded("01001001"), guarded("GEN 1:1")
    ("'=nsa", "'01001001", 'GEN 1:1')
    """
    return f"'{text}" if _TAKEN.match(text) else text


def unguarded(text: str) -> str:
    """Take off what :func:`guarded` has put before a cell.

    >>> unguarded(guarded("'=nsa")), unguarded("'tis")
    ("'=nsa", "'tis")
    """
    return text[1:] if text.startswith("'") and _TAKEN.match(text) else text


def write_cells(rows: Iterable[Sequence[str]]) -> str:
    """Write rows of cells as tab-separated text, quoted where need be."""
    return "".join("\t".join(map(_quoted, row)) + "\n" for row in rows)


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if _SPECIAL.search(cell) else cell


def read_cells(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line that each row begins at, and its cells; blank rows are left out.

    >>> list(read_cells('a\\t"b\\tc"\\r\\n\\r\\nhe said "no"\\td'))
    [(1, ['a', 'b\\tc']), (3, ['he said "no"', 'd'])]
    """
    line = first = 1
    row: list[str] = []
    for found in _CELL.finditer(text):
        row.append(_unquoted(found[1]))
        line += len(_BREAK.findall(found[0]))
        if found[2] != "\t":
            if any(cell.strip() for cell in row):
                yield first, row
            first, row = line, []


def _unquoted(cell: str) -> str:
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        inner = cell[1:-1]
        if '"' not in inner.replace('""', ""):
            return inner.replace('""', '"')
    return cell
