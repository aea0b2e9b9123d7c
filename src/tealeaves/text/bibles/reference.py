"""References to verses, in the ways that files write them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from tealeaves.errors import InputError
from tealeaves.text.bibles.books import book_code

_REFERENCE = re.compile(
    r"(?:b\.)?"  # as CES has it
    r"([1-6]?[A-Za-z][A-Za-z0-9]{1,6})[ .]([0-9]{1,3})[:.]([0-9]{1,3})[a-z]?"
    r"(?:[-–,](?:[0-9]{1,3}[:.])?[0-9]{1,3}[a-z]?)*"
)
_PART = re.compile(r"[0-9][a-z](?![A-Za-z0-9.])")


class Reference(NamedTuple):
    """A verse: the book's code in USFM, chapter and verse.

    >>> str(Reference("GEN", 1, 1))
    'GEN 1:1'
    """

    book: str
    chapter: int
    verse: int

    def __str__(self) -> str:
        return f"{self.book} {self.chapter}:{self.verse}"


class Verse(NamedTuple):
    """A verse as it stands in a file, and the line where it begins; it may be a part of one."""

    reference: Reference
    text: str
    line: int
    is_part: bool = False


@lru_cache(maxsize=1 << 16)  # a Bible is read several times, and others have the same verses
def parse_reference(text: str) -> Reference | None:
    """Read a reference; of several verses it is the first, and letters of parts are left out.

    >>> [str(parse_reference(text)) for text in ("GEN 1:1", "b.MAR.1.2", "Ps.3.4", "JHN 3:16b-17")]
    ['GEN 1:1', 'MRK 1:2', 'PSA 3:4', 'JHN 3:16']
    >>> parse_reference("GEN 1") is None
    True
    """
    found = _REFERENCE.fullmatch(text)
    if found is None:
        return None
    name, chapter, verse = found.groups()
    book = book_code(name)
    return Reference(book, int(chapter), int(verse)) if book else None


@lru_cache(maxsize=1 << 16)
def is_part(text: str) -> bool:
    """Tell whether a reference is to a part of a verse, which has a letter.

    >>> is_part("GEN 2:4b"), is_part("GEN 2:4b-5"), is_part("gen.2.4")
    (True, True, False)
    """
    return _PART.search(text) is not None


def reference_at(text: str, name: str, line: int, *, example: str = "GEN 1:1") -> Reference:
    """Read a reference that must be one; else the error names file and line."""
    reference = parse_reference(text)
    if reference is None:
        raise InputError(f"{name}:{line}: {text!r:.60} is not a verse; one is written {example}")
    return reference
