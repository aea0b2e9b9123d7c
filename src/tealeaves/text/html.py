"""HTML: what is visible of a text with tags."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import unescape

_INVISIBLE = re.compile(r"<!--|<(script|style)\b", re.IGNORECASE)
_INVISIBLE_ENDS = {
    "": re.compile(r"-->"),
    "script": re.compile(r"</script\s*>", re.IGNORECASE),
    "style": re.compile(r"</style\s*>", re.IGNORECASE),
}
_TAG = re.compile(r"</?[A-Za-z!?][^<>]*>")
_LINK = re.compile(r"(?:\b[a-z][a-z0-9+.-]{1,20}://|\bwww\.)[^\s<>\"']+|mailto:\S+", re.IGNORECASE)


def strip_html(text: str) -> str:
    """Remove comments, scripts, tags and links, and resolve entities.

    >>> strip_html("<p>Caf&eacute; <b>noir</b><br>see https://example.org/x?y=1 now</p>").split()
    ['Café', 'noir', 'see', 'now']
    """
    return _resolve(_TAG.sub(" ", _strip_invisible(text)))


def html_slices(text: str, size: int) -> Iterator[str]:
    """Yield what ``strip_html`` returns in slices of about ``size`` characters.

    Neither an entity nor a link has a space in it.
    """
    plain = _gathered(_between_tags(_strip_invisible(text), size), size)
    waiting: list[str] = []
    for part in plain:
        end = max(part.rfind(" "), part.rfind("\n")) + 1
        if end:
            yield _resolve("".join([*waiting, part[:end]]))
            waiting = []
        waiting.append(part[end:])
    yield _resolve("".join(waiting))


def _resolve(text: str) -> str:
    return _LINK.sub(" ", unescape(text))


def _between_tags(text: str, size: int) -> Iterator[str]:
    """Yield the parts of a text between tags, with a space for each tag."""
    place = 0
    for tag in _TAG.finditer(text):
        for start in range(place, tag.start(), size):
            yield text[start : min(start + size, tag.start())]
        yield " "
        place = tag.end()
    for start in range(place, len(text), size):
        yield text[start : start + size]


def _gathered(parts: Iterable[str], size: int) -> Iterator[str]:
    """Join parts to larger ones."""
    waiting: list[str] = []
    length = 0
    for part in parts:
        waiting.append(part)
        length += len(part)
        if length >= size:
            yield "".join(waiting)
            waiting, length = [], 0
    yield "".join(waiting)


def _strip_invisible(text: str) -> str:
    """Remove comments, scripts and styles in one pass, even if many are never closed."""
    parts, place = [], 0
    never_closed: set[str] = set()
    for opening in _INVISIBLE.finditer(text):
        kind = (opening[1] or "").lower()
        if opening.start() < place or kind in never_closed:
            continue
        closing = _INVISIBLE_ENDS[kind].search(text, opening.end())
        if closing is None:
            never_closed.add(kind)
            continue
        parts.append(text[place : opening.start()])
        place = closing.end()
    return " ".join([*parts, text[place:]])
