"""Plain text in Markdown: escaped, so that the text of a metric is never read as markup."""

from __future__ import annotations

import html
import inspect
import re

_SIGNS = re.compile(r"([\\*_\[\]{}#|!])")
_CODE = re.compile(r"(`[^`\n]+`)")


def plain(text: str) -> str:
    """Escape text so that Markdown shows it unchanged; code in backticks stays code.

    >>> plain("c_v(never=0) < 1, see `c_v`")
    'c\\\\_v(never=0) &lt; 1, see `c_v`'
    """
    parts = _CODE.split(text)
    return "".join(p if n % 2 else _escaped(p) for n, p in enumerate(parts))


def paragraphs(text: str) -> str:
    """Return text as paragraphs, with a leading "Defaults:" in bold."""
    found = re.split(r"\n\s*\n|\n(?=Defaults: )", inspect.cleandoc(text))
    lines = (plain(" ".join(one.split())) for one in found)
    return "\n\n".join(re.sub(r"^(Defaults:)", r"**\1**", one) for one in lines)


def cell(text: str) -> str:
    """Return text for a cell of a table."""
    return plain(" ".join(text.split()))


def code(text: str) -> str:
    """Return text as code, in a line or a cell."""
    return f"<code>{html.escape(text).replace('|', '&#124;')}</code>"


def _escaped(text: str) -> str:
    return _SIGNS.sub(r"\\\1", html.escape(text, quote=False))
