"""Bibles: each verse a document, under its number in English Bibles."""

from __future__ import annotations

import codecs
import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, get_args

from tealeaves.errors import InputError
from tealeaves.text.bibles.ces import verses_of_ces
from tealeaves.text.bibles.ebible import verses_of_lines
from tealeaves.text.bibles.osis import verses_of_osis
from tealeaves.text.bibles.reference import Reference, Verse, parse_reference
from tealeaves.text.bibles.rows import verses_of_rows
from tealeaves.text.bibles.usfm import verses_of_usfm
from tealeaves.text.bibles.versification import versification as numbering
from tealeaves.text.compression import Meter
from tealeaves.text.document import Document, Fields
from tealeaves.text.readers.lines import text_lines
from tealeaves.text.sources import SourceFile

BibleFormat = Literal["tsv", "ebible", "ces", "osis", "usfm"]

_FIRST = 64
_START = 1 << 16
_REFERENCES = "vref.txt"
_XML: dict[BibleFormat, re.Pattern[bytes]] = {
    "osis": re.compile(rb"<(?:\w+:)?osis\b"),
    "ces": re.compile(rb"<(?:\w+:)?cesDoc\b|<seg\s[^>]*\bid\s*=\s*[\"']\s*b\."),
}
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_USFM = re.compile(rb"\s*\\id\s")


def read_bible(
    file: SourceFile,
    fields: Fields,  # noqa: ARG001
    meter: Meter,
    *,
    format: BibleFormat | None = None,  # noqa: A002
    references: str | None = None,
    versification: str = "english",
) -> Iterator[Document]:
    """Read each verse as a document, its id the number that it has in English: ``GEN 1:1``.

    Parameters
    ----------
    format
        tsv (``GEN 1:1``, a tab, the text), ebible (one verse a line), ces (the corpus of a hundred
        languages), osis or usfm; told by the content where it is not given.
    references
        Of eBible: the file that says which verse each line is; ``vref.txt`` beside the file.
    versification
        The numbering of the file: english, hebrew, vulgate, synodal or synodal_protestant.
    """
    bible = Bible(file, format=format, references=references, versification=versification)
    return bible.documents(meter)


def is_bible(file: SourceFile) -> bool:
    """Tell by its start whether a file is a Bible."""
    return _told(file) is not None


class Bible:
    """The verses of a file; after a reading it is known how many had no English number."""

    def __init__(
        self,
        file: SourceFile,
        *,
        format: BibleFormat | None = None,  # noqa: A002
        references: str | None = None,
        versification: str = "english",
    ) -> None:
        self.file = file
        self.left_out = 0  # verses without an English number, as titles of psalms
        self._numbering = numbering(versification)
        self._references = references
        self._format = format or ("ebible" if references else None)
        if self._format is not None and self._format not in get_args(BibleFormat):
            known = ", ".join(get_args(BibleFormat))
            raise InputError(f"unknown format {format} of a Bible (known: {known})")

    def documents(self, meter: Meter) -> Iterator[Document]:
        """Read the verses, those of a book in their English order.

        Other numberings may put verses into another chapter, and chapters must not be torn. What
        has the same number is the same document.
        """
        self.left_out = 0
        source = self.file.identity
        position = 0
        numbered = self._numbered(self._verses(meter))
        for _, book in itertools.groupby(numbered, key=lambda verse: verse[0].book):
            texts: dict[Reference, str] = {}
            for number, text in book:
                texts[number] = f"{texts[number]} {text}" if number in texts else text
            for number in sorted(texts):
                yield Document(texts[number], str(number), source=source, position=position)
                position += 1

    def _numbered(self, verses: Iterable[Verse]) -> Iterator[tuple[Reference, str]]:
        """Yield the English number and the text of each verse that has both."""
        english = self._numbering.english
        lines: dict[Reference, int] = {}
        last = None
        for reference, text, line, is_part in verses:
            number = english(reference)
            if number is None:
                self.left_out += 1
            elif text and not text.isspace():  # else the translation does not have it
                if reference in lines and reference != last and not is_part:
                    raise self._doubled(reference, lines[reference], line)
                lines.setdefault(reference, line)
                last = reference
                yield number, text

    def _doubled(self, reference: Reference, first: int, line: int) -> InputError:
        return InputError(
            f"{self.file.name}:{line}: {reference} stands at line {first} too: leave one out, or "
            f"call them parts of the verse ({reference}a, {reference}b)"
        )

    def _verses(self, meter: Meter) -> Iterator[Verse]:
        file = self.file
        chosen = self._format or _told(file) or self._last_hope()
        if chosen == "tsv":
            return verses_of_rows(text_lines(file, meter), file.name)
        if chosen == "ebible":
            return self._ebible(meter)
        if chosen == "usfm":
            return verses_of_usfm("\n".join(text_lines(file, meter)), file.name)
        return self._xml(chosen, meter)

    def _xml(self, chosen: str, meter: Meter) -> Iterator[Verse]:
        read = verses_of_ces if chosen == "ces" else verses_of_osis
        with self.file.open(meter) as stream:
            yield from read(stream, self.file.name)

    def _ebible(self, meter: Meter) -> Iterator[Verse]:
        path = _beside(self.file, self._references or _REFERENCES)
        references = SourceFile.at(path, reader="lines")
        return verses_of_lines(
            text_lines(self.file, meter),
            text_lines(references, Meter()),
            name=self.file.name,
            references_name=references.name,
        )

    def _last_hope(self) -> BibleFormat:
        """Return what shows best where a file is broken, or say that it is no Bible."""
        first = _first_line(_start(self.file))
        if "\t" in first:
            return "tsv"
        raise InputError(
            f"{self.file.name}: not a Bible: it begins {first[:40]!r}, but Bibles are verse TSV "
            f"(GEN 1:1, a tab, the text), CES or OSIS XML, USFM, or one verse a line beside "
            f"{_REFERENCES}"
        )


def _told(file: SourceFile) -> BibleFormat | None:
    """Tell the format of a Bible by the file's start; nothing if it is none."""
    start = _start(file)
    if start.startswith(b"<"):
        return next((kind for kind, root in _XML.items() if root.search(start)), None)
    if _USFM.match(start):
        return "usfm"
    written, tab, _ = _first_line(start).partition("\t")
    if tab:
        return "tsv" if parse_reference(written.strip()) else None
    beside = file.path.parent / _REFERENCES
    return "ebible" if beside.is_file() and file.path.name != _REFERENCES else None


def _start(file: SourceFile) -> bytes:
    with file.open(Meter()) as stream:
        start = _plain(stream.read(_FIRST))
        if not start or start.startswith(b"<"):  # blank lines, or a header before the text
            start = (start + _plain(stream.read(_START))).lstrip()
    return start


def _plain(data: bytes) -> bytes:
    """Return bytes so that their ASCII letters show, be they UTF-8 or UTF-16."""
    for mark in _MARKS:
        data = data.removeprefix(mark)
    return data.replace(b"\0", b"").lstrip()


def _first_line(start: bytes) -> str:
    return start.split(b"\n", 1)[0].decode("utf-8", "replace").rstrip("\r")


def _beside(file: SourceFile, name: str) -> Path:
    """Find the file of references, as it is named or beside the Bible."""
    for path in (Path(name), file.path.parent / name):
        if path.is_file():
            return path
    raise InputError(
        f"{file.name}: no {name} beside it, which says of each line what verse it is "
        "(bible(references=PATH) names another)"
    )
