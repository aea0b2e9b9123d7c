r"""Cells of CSV and TSV that a spreadsheet shows as they are, and that are read back unchanged.

A spreadsheet computes text that begins like a formula, and a formula can run programs or send data
away. An apostrophe before such text keeps it text; numbers are left alone. Control characters,
which a terminal would obey, are written as ``\x1b``. Both are undone where tables are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

_NUMBER = r"[+-]?(?:\d++\.?\d*+|\.\d++)(?:e[+-]?\d++)?\Z|[+-]?(?:inf|infinity|nan|∞)\Z|-\Z"
# text that a spreadsheet would compute, after any number of apostrophes; signs may have full width
_FORMULA = re.compile(rf"'*(?!{_NUMBER})\s*[=+\-@＝＋－＠\t\r\n]", re.IGNORECASE)
_CONTROL = "[\x00-\x08\x0b-\x1f\x7f-\x9f]"
_CODE = "x(?:[01][0-9a-f]|7f|[89][0-9a-f])"
# control characters, and the backslashes that would make a code of what follows them
# (a run of backslashes is tried once, from its start: texts may be long)
_HIDDEN = re.compile(rf"{_CONTROL}|(?<!\\)\\++(?={_CODE}|{_CONTROL})")
_WRITTEN = re.compile(rf"(?<!\\)(\\++)({_CODE})")


def written(text: str, is_special: Callable[[str], Any] = _FORMULA.match) -> str:
    r"""Return text as a cell: without control characters, and with an apostrophe if it needs one.

    ``is_special`` tells whether a spreadsheet would not take a text for text, with or without
    apostrophes before it.

    >>> written("=nsa"), written("-0.5"), written("-x"), written("a-b"), written("'@")
    ("'=nsa", '-0.5', "'-x", 'a-b', "''@")
    >>> written("a\x1bb")
    'a\\x1bb'
    """
    if _HIDDEN.search(text):
        text = _HIDDEN.sub(_hide, text)
    return f"'{text}" if is_special(text) else text


def read(cell: str, is_special: Callable[[str], Any] = _FORMULA.match) -> str:
    """Return the text of a cell that was :func:`written`.

    >>> read(written("'=nsa")), read("'tis"), read("'-1")
    ("'=nsa", "'tis", "'-1")
    """
    text = cell[1:] if cell.startswith("'") and is_special(cell) else cell
    return _WRITTEN.sub(_show, text) if "\\x" in text else text


def cell_of(value: Any) -> Any:
    """Return a value as a cell: text as :func:`written`, numbers as they are.

    >>> cell_of("=1+1"), cell_of(-1.5), cell_of(None)
    ("'=1+1", -1.5, None)
    """
    return written(value) if isinstance(value, str) else value


def _hide(found: re.Match[str]) -> str:
    hidden = found[0]
    return 2 * hidden if hidden.startswith("\\") else f"\\x{ord(hidden):02x}"


def _show(found: re.Match[str]) -> str:
    backslashes, code = found.groups()
    sign = chr(int(code[1:], 16)) if len(backslashes) % 2 else code
    return backslashes[: len(backslashes) // 2] + sign
