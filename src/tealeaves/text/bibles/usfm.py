"""Bibles in USFM, the Unified Standard Format Markers, one book a file as a rule."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.text.bibles.books import PERIPHERAL, book_code
from tealeaves.text.bibles.reference import Verse, is_part, reference_at

# other numbers of chapters and verses: the parser takes the space behind them away
_OTHER_NUMBERS = re.compile(r"\\(ca|cp|va|vp)\s[^\\]*\\\1\*")
_PARTS = re.compile(r"\\(?=(?:id|c)\s)")
# paragraphs that are not the text of verses: titles, headings, introductions, remarks
_ASIDE = re.compile(
    r"(?:id|ide|usfm|sts|rem|h|toca?|mte?|mt|ms|mr|s|sr|r|d|sp|sd|cl|cp|cd|qa|lit|restore|i.*)\d?"
)
# characters that are said about the text, and elements that hold no text of verses
_ASIDE_CHARACTERS = frozenset("ca cp va vp cat fig pro rq xt".split())  # noqa: SIM905
_ASIDE_ELEMENTS = frozenset("note figure sidebar periph book ms".split())  # noqa: SIM905
_BLOCKS = frozenset("para table row cell optbreak".split())  # noqa: SIM905


def verses_of_usfm(text: str, name: str) -> Iterator[Verse]:
    """Read the verses of USFM; notes, titles, headings and cross references are left out.

    The text of a psalm's title (``\\d``) is none of a verse.
    """
    book = ""
    line = 1
    pieces = _PARTS.split(text)
    line += pieces[0].count("\n")
    for piece in pieces[1:]:
        marker, value = _first_words(piece)
        if marker == "id":
            book = _book(value, name, line)
            _check_no_verse(piece, name, line)
        elif not book:
            raise InputError(f"{name}:{line}: a chapter before any book: USFM begins with \\id GEN")
        elif book not in PERIPHERAL:
            if not re.fullmatch("[0-9]{1,3}", value):
                raise InputError(f"{name}:{line}: {value!r:.60} is no chapter; write \\c 1")
            yield from _Chapter(book, int(value), name, line).verses(piece)
        line += piece.count("\n")


def _first_words(piece: str) -> tuple[str, str]:
    marker, *rest = piece.split(maxsplit=2)
    return marker, rest[0] if rest else ""


def _book(code: str, name: str, line: int) -> str:
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


class _Chapter:
    """The verses of a chapter, as they are found."""

    def __init__(self, book: str, number: int, name: str, line: int) -> None:
        self._book, self._number, self._name, self._first_line = book, number, name, line
        self._found: list[tuple[Verse, list[str]]] = []

    def verses(self, piece: str) -> Iterator[Verse]:
        """Parse a chapter by itself: the parser slows down with the length of its text."""
        usfmtc = require("usfmtc", extra="usfm", reason="reading USFM")
        plain = _OTHER_NUMBERS.sub(lambda found: "\n" * found[0].count("\n"), piece)
        whole = io.StringIO(f"\\id {self._book}\n\\{plain}")
        try:
            root = usfmtc.USX.fromUsfm(whole, grammar=_grammar()).getroot()
        except Exception as error:  # the parser is not ours, and says what it likes
            where = f"{self._name}:{self._first_line}"
            chapter = f"{self._book} {self._number}"
            raise InputError(f"{where}: the USFM of {chapter} cannot be read: {error}") from error
        self._walk(root)
        for verse, pieces in self._found:
            yield verse._replace(text=" ".join("".join(pieces).split()))

    def _walk(self, element: Any) -> None:
        if element.tag == "verse":
            self._begin(element)
        elif not _is_aside(element):
            self._add(element.text)
            for inner in element:
                self._walk(inner)
                self._add(inner.tail)
            if element.tag in _BLOCKS:
                self._add(" ")

    def _begin(self, element: Any) -> None:
        line = self._first_line + element.pos.l - 1  # behind the line with the book
        written = f"{self._book} {self._number}:{element.get('number', '')}"
        reference = reference_at(written, self._name, line, example="\\v 1 or \\v 1-2")
        self._found.append((Verse(reference, "", line, is_part(written)), []))

    def _add(self, text: str | None) -> None:
        if text and self._found:
            self._found[-1][1].append(text)


def _is_aside(element: Any) -> bool:
    style = element.get("style", "")
    if element.tag == "para":
        return _ASIDE.fullmatch(style) is not None
    return element.tag in _ASIDE_ELEMENTS or (element.tag == "char" and style in _ASIDE_CHARACTERS)
