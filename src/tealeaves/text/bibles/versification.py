"""Numberings of chapters and verses, and how they lead to that of English Bibles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from tealeaves.errors import InputError, did_you_mean
from tealeaves.text.bibles.reference import Reference
from tealeaves.text.bibles.tables import (
    GREEK_PSALMS,
    HEBREW,
    HEBREW_PSALMS,
    LONGEST,
    ORTHODOX,
    SYNODAL,
    SYNODAL_PSALMS,
    VULGATE,
    VULGATE_PSALMS,
)

_ALIASES = {"kjv": "english", "eng": "english", "original": "hebrew", "org": "hebrew",
            "vul": "vulgate", "rso": "synodal", "rsc": "synodal_protestant"}  # fmt: skip


class Versification:
    """A numbering of verses: which verse of an English Bible (King James) each of its verses is.

    >>> hebrew = versification("hebrew")
    >>> str(hebrew.english(Reference("MAL", 3, 19))), hebrew.english(Reference("PSA", 51, 1))
    ('MAL 4:1', None)
    """

    def __init__(self, name: str, moved: Mapping[Reference, Reference | None]) -> None:
        self.name = name
        self.moved = moved

    def english(self, reference: Reference) -> Reference | None:
        """Return the number in an English Bible; nothing for what has none, as titles of psalms.

        Where an English verse is two of the other, both have its number.
        """
        if reference.verse == 0 or reference.chapter == 0:
            return None
        return self.moved.get(reference, reference) if self.moved else reference


def versification(name: str) -> Versification:
    """Return the numbering of that name.

    ``english`` is that of the King James Version; ``hebrew`` that of the Hebrew Bible and the Greek
    New Testament, also called ``original``; ``vulgate``; ``synodal`` that of the Russian Bible with
    the additions of the Septuagint, and ``synodal_protestant`` without them.
    """
    plain = name.strip().lower()
    known = _ALIASES.get(plain, plain)
    if known not in _TABLES:
        hint = did_you_mean(name, [*_TABLES, *_ALIASES])
        raise InputError(f"unknown versification {name}{hint} (known: {', '.join(_TABLES)})")
    return _made(known)


_TABLES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        # each table leads to the next, the last to English numbers
        "english": (),
        "hebrew": (HEBREW + HEBREW_PSALMS,),
        "vulgate": (GREEK_PSALMS + VULGATE_PSALMS, HEBREW_PSALMS + VULGATE),
        "synodal": (GREEK_PSALMS + SYNODAL_PSALMS, HEBREW_PSALMS + SYNODAL + ORTHODOX),
        "synodal_protestant": (GREEK_PSALMS + SYNODAL_PSALMS, HEBREW_PSALMS + SYNODAL),
    }
)


@cache
def _made(name: str) -> Versification:
    moved: dict[Reference, Reference | None] = {}
    for table in _TABLES[name]:
        step = _read(table)
        earlier = {here: goal and step.get(goal, goal) for here, goal in moved.items()}
        moved = step | earlier
    return Versification(name, MappingProxyType(moved))


def _read(table: str) -> dict[Reference, Reference | None]:
    rows = (line.split() for line in table.split("\n") if line)
    return dict(pair for book, *moves in rows for move in moves for pair in _moved(book, move))


def _moved(book: str, move: str) -> Iterator[tuple[Reference, Reference | None]]:
    """Read a move: the verses that it speaks of, and what becomes of each."""
    here, _, goal = move.partition("=")
    to_chapter, _, to_verse = goal.partition(":")
    chapters, _, verses = here.partition(":")
    chapter, last_chapter = _span(chapters)
    first, last = (1, LONGEST) if verses == "*" else _span(verses)
    for further in range(last_chapter - chapter + 1):
        for verse in range(first, last + 1):
            place = Reference(book, chapter + further, verse)
            if goal == "-":
                yield place, None
            else:
                number = int(to_verse or first) + verse - first
                yield place, Reference(book, int(to_chapter) + further, number)


def _span(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    return int(first), int(last or first)
