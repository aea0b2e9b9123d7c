"""Bibles in USFM, the Unified Standard Format Markers; a file usually holds one book."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.text.bible.verses import PERIPHERAL, Verse, book_code, is_part, require_reference

# alternative numbers of chapters and verses: the parser would drop the space after them
_ALTERNATIVE_NUMBERS = re.compile(r"\\(ca|cp|va|vp)\s[^\\]*\\\1\*")
_BOOK_OR_CHAPTER = re.compile(r"\\(?=(?:id|c)\s)")
# paragraphs that are not text of verses: titles, headings, introductions, remarks
_OTHER_PARAGRAPHS = re.compile(
    r"(?:id|ide|usfm|sts|rem|h|toca?|mte?|mt|ms|mr|s|sr|r|d|sp|sd|cl|cp|cd|qa|lit|restore|i.*)\d?"
)
# character styles and elements that are not text of verses
_OTHER_CHARACTERS = frozenset("ca cp va vp cat fig pro rq xt".split())  # noqa: SIM905
_OTHER_ELEMENTS = frozenset("note figure sidebar periph book ms".split())  # noqa: SIM905
_BLOCK_ELEMENTS = frozenset("para table row cell optbreak".split())  # noqa: SIM905


def read_usfm(text: str, name: str) -> Iterator[Verse]:
    """Read the verses of a USFM text without notes, titles, headings and cross references.

    The title of a psalm (``\\d``) is left out too.
    """
    book = ""
    line = 1
    pieces = _BOOK_OR_CHAPTER.split(text)
    line += pieces[0].count("\n")
    for piece in pieces[1:]:
        marker, *rest = piece.split(maxsplit=2)
        value = rest[0] if rest else ""
        if marker == "id":
            book = _require_book(value, name, line)
            _check_no_verse(piece, name, line)
        elif not book:
            raise InputError(f"{name}:{line}: a chapter before any book: USFM begins with \\id GEN")
        elif book not in PERIPHERAL:
            if not re.fullmatch("[0-9]{1,3}", value):
                raise InputError(f"{name}:{line}: {value!r:.60} is not a chapter; write \\c 1")
            yield from _ChapterParser(book, int(value), name, line).verses(piece)
        line += piece.count("\n")


def _require_book(code: str, name: str, line: int) -> str:
    book = code.upper() if code.upper() in PERIPHERAL else book_code(code)
    if not book:
        raise InputError(f"{name}:{line}: {code!r:.60} is not a book; write \\id GEN")
    return book


def _check_no_verse(piece: str, name: str, line: int) -> None:
    verse = re.search(r"\\v\s", piece)
    if verse:
        line += piece.count("\n", 0, verse.start())
        raise InputError(f"{name}:{line}: a verse before any chapter: \\c 1 is missing")


@cache
def _grammar() -> Any:
    return require("usfmtc.usfmparser", extra="usfm", reason="reading USFM").Grammar()


class _ChapterParser:
    """Parses one chapter, because the parser becomes slow with the length of its text."""

    def __init__(self, book: str, number: int, name: str, line: int) -> None:
        self._book, self._number, self._name, self._first_line = book, number, name, line
        self._verses: list[tuple[Verse, list[str]]] = []

    def verses(self, piece: str) -> Iterator[Verse]:
        """Yield the verses of a chapter."""
        usfmtc = require("usfmtc", extra="usfm", reason="reading USFM")
        plain = _ALTERNATIVE_NUMBERS.sub(lambda match: "\n" * match[0].count("\n"), piece)
        stream = io.StringIO(f"\\id {self._book}\n\\{plain}")
        try:
            root = usfmtc.USX.fromUsfm(stream, grammar=_grammar()).getroot()
        except Exception as error:  # the parser raises errors of any kind
            where = f"{self._name}:{self._first_line}"
            chapter = f"{self._book} {self._number}"
            raise InputError(f"{where}: the USFM of {chapter} cannot be read: {error}") from error
        self._walk(root)
        for verse, pieces in self._verses:
            yield verse._replace(text=" ".join("".join(pieces).split()))

    def _walk(self, element: Any) -> None:
        if element.tag == "verse":
            self._begin_verse(element)
        elif not _is_other(element):
            self._add_text(element.text)
            for inner in element:
                self._walk(inner)
                self._add_text(inner.tail)
            if element.tag in _BLOCK_ELEMENTS:
                self._add_text(" ")

    def _begin_verse(self, element: Any) -> None:
        line = self._first_line + element.pos.l - 1  # without the line with the book
        reference_text = f"{self._book} {self._number}:{element.get('number', '')}"
        reference = require_reference(reference_text, self._name, line, example="\\v 1 or \\v 1-2")
        self._verses.append((Verse(reference, "", line, is_part(reference_text)), []))

    def _add_text(self, text: str | None) -> None:
        if text and self._verses:
            self._verses[-1][1].append(text)


def _is_other(element: Any) -> bool:
    """Tell whether an element is not text of a verse."""
    style = element.get("style", "")
    if element.tag == "para":
        return _OTHER_PARAGRAPHS.fullmatch(style) is not None
    return element.tag in _OTHER_ELEMENTS or (element.tag == "char" and style in _OTHER_CHARACTERS)
