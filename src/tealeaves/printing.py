r"""Text that is printed: signs that would control a terminal are shown instead, as ``\x1b``.

Words, ids, names and paths come from files. A terminal would take control characters in them for
commands, which clear it, name its window or hide what was printed, and signs for the direction of
writing let a line look like another one. Everything that commands print passes this module.
Joiners, marks and letters of all scripts, and marks of direction, stay as they are.
"""

from __future__ import annotations

import re
from typing import Any

# control characters (C0, delete, C1), separators of lines, embeddings and overrides of direction
_CONTROLS = "\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069"
_CONTROL = re.compile(f"[{_CONTROLS}]")
_CONTROL_IN_LINES = re.compile(f"(?![\n\t])[{_CONTROLS}]")
_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def visible(text: str) -> str:
    r"""Return text in which control characters, line breaks and tabs are visible.

    A subclass of ``str`` that has none stays what it is.

    >>> visible("\x1b]0;title\x07 two\nlines")
    '\\x1b]0;title\\x07 two\\nlines'
    >>> visible("می\u200cخواهم") == "می\u200cخواهم"
    True
    """
    return _CONTROL.sub(_escape, text) if _CONTROL.search(text) else text


def visible_lines(text: str) -> str:
    r"""Return text in which control characters are visible; line breaks and tabs stay.

    >>> visible_lines("one\n\x9btwo\r")
    'one\n\\x9btwo\\r'
    """
    return _CONTROL_IN_LINES.sub(_escape, text)


def escaped_in_json(text: str) -> str:
    r"""Return JSON that has the same content, and no control character but line breaks.

    >>> escaped_in_json('["\x7f\u202e"]')
    '["\\u007f\\u202e"]'
    """
    return _CONTROL_IN_LINES.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def echo(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print text with its control characters visible, on standard output or standard error."""
    import click

    click.echo(visible_lines(str(text)), err=err, nl=nl)


def print_note(note: str) -> None:
    """Print a note, a line, on standard error."""
    echo(f"note: {visible(note)}", err=True)


def echo_styled(text: str, **options: Any) -> None:
    """Print text that we have given colours, whose words were made visible before."""
    import click

    click.echo(text, **options)


def _escape(found: re.Match[str]) -> str:
    sign = found[0]
    code = ord(sign)
    return _SHORT.get(sign) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
