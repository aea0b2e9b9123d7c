"""Plain text from marked-up text."""

from __future__ import annotations

import html
import re

_INVISIBLE = re.compile(r"<!--|<(script|style)\b", re.IGNORECASE)
_ENDS = {
    "": re.compile(r"-->"),
    "script": re.compile(r"</script\s*>", re.IGNORECASE),
    "style": re.compile(r"</style\s*>", re.IGNORECASE),
}
_TAG = re.compile(r"</?[A-Za-z!?][^<>]*>")
_LINK = re.compile(r"(?:\b[a-z][a-z0-9+.-]{1,20}://|\bwww\.)[^\s<>\"']+|mailto:\S+", re.IGNORECASE)


def strip_html(text: str) -> str:
    """Remove comments, scripts, tags and links and resolve entities.

    >>> strip_html("<p>Caf&eacute; <b>noir</b><br>see https://example.org/x?y=1 now</p>").split()
    ['Café', 'noir', 'see', 'now']
    """
    text = _TAG.sub(" ", _visible(text))
    return _LINK.sub(" ", html.unescape(text))


def _visible(text: str) -> str:
    """Cut out comments, scripts and styles, in one pass however many are never closed."""
    parts, place = [], 0
    never_closed: set[str] = set()
    for opening in _INVISIBLE.finditer(text):
        kind = (opening[1] or "").lower()
        if opening.start() < place or kind in never_closed:
            continue
        closing = _ENDS[kind].search(text, opening.end())
        if closing is None:
            never_closed.add(kind)
            continue
        parts.append(text[place : opening.start()])
        place = closing.end()
    return " ".join([*parts, text[place:]])
