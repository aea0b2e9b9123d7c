"""Convert the Markdown of GitHub to that of Python-Markdown.

The two differ in lists: Python-Markdown requires an empty line before a list, and the content of
an item indented by four.
"""

from __future__ import annotations

import re

_ITEM = re.compile(r"(?:[-*+]|\d+\.) +(?=\S)")
_FENCE = re.compile(r" *(`{3,}|~{3,})")
_INDENT = 4


def as_python_markdown(text: str) -> str:
    r"""Rewrite lists so that Python-Markdown recognises them and their content.

    >>> as_python_markdown("Two:\n- a\n- b").splitlines()
    ['Two:', '', '- a', '- b']
    >>> as_python_markdown("1. a\n\n   b").splitlines()
    ['1. a', '', '    b']
    """
    lines: list[str] = []
    fence = ""  # the fence of the current code block
    width = 0  # the indent of the content of the current item
    loose = False  # whether the item before has several paragraphs
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
    """Match the mark of an item; within a paragraph, only the number 1 starts a list."""
    item = _ITEM.match(line)
    number = item and item[0].strip(" .")
    return None if after_text and number and number.isdigit() and number != "1" else item


def _belongs(line: str) -> bool:
    """Return whether a line is part of a list."""
    return bool(_ITEM.match(line)) or line.startswith(" ")


def _other_side(fence: str, mark: str) -> str:
    """Return the fence that is open after a line that begins with ``mark``."""
    if not fence:
        return mark
    return "" if mark.startswith(fence) else fence
