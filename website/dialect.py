"""From Markdown as GitHub reads it to Markdown as Python-Markdown does.

The two differ in lists: Python-Markdown wants an empty line before them, and what belongs to an
item indented by four.
"""

from __future__ import annotations

import re

_ITEM = re.compile(r"(?:[-*+]|\d+\.) +(?=\S)")
_FENCE = re.compile(r" *(`{3,}|~{3,})")
_INDENT = 4


def as_python_markdown(text: str) -> str:
    r"""Write lists so that Python-Markdown finds them, and what is in them.

    >>> as_python_markdown("Two:\n- a\n- b").splitlines()
    ['Two:', '', '- a', '- b']
    >>> as_python_markdown("1. a\n\n   b").splitlines()
    ['1. a', '', '    b']
    """
    lines: list[str] = []
    fence = ""  # what ends the block of code at hand
    width = 0  # how far what belongs to the item at hand is indented
    loose = False  # whether an item of several paragraphs came before
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip(" "))
        if not fence and line.strip() and indent < width:
            width = 0
        mark = _FENCE.match(line)
        after_text = bool(lines) and bool(lines[-1].strip()) and not _belongs(lines[-1])
        item = None if fence or width else _item(line, after_text=after_text)
        if item:
            if lines and lines[-1].strip() and (after_text or loose):
                lines.append("")
            width = len(item[0])
            loose = False
            lines.append(line)
        else:
            loose = loose or (bool(width) and not line.strip())
            lines.append(" " * (_INDENT - width) + line if width and line.strip() else line)
        if mark:
            fence = _other_side(fence, mark[1])
    return "\n".join(lines) + "\n"


def _item(line: str, *, after_text: bool) -> re.Match[str] | None:
    """Return the mark of an item; in the middle of a text, a number other than 1 is none."""
    found = _ITEM.match(line)
    number = found and found[0].strip(" .")
    return None if after_text and number and number.isdigit() and number != "1" else found


def _belongs(line: str) -> bool:
    """Whether a line is of a list already."""
    return bool(_ITEM.match(line)) or line.startswith(" ")


def _other_side(fence: str, mark: str) -> str:
    """Return the fence that is open after a line that begins with this one."""
    if not fence:
        return mark
    return "" if mark.startswith(fence) else fence
