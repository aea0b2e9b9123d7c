"""Bibles: each verse is a document, whose id is its number in English Bibles."""

from __future__ import annotations

import codecs
import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from tealeaves.errors import InputError
from tealeaves.files import InputFile, Meter, decode_text
from tealeaves.text.bible.ces import read_ces
from tealeaves.text.bible.lines import read_ebible, read_verse_tsv
from tealeaves.text.bible.osis import read_osis
from tealeaves.text.bible.usfm import read_usfm
from tealeaves.text.bible.verses import Verse, VerseReference, parse_reference
from tealeaves.text.bible.versification import Versification, find_versification
from tealeaves.text.document import Document, Fields
from tealeaves.text.files import SourceFile

BibleFormat = Literal["tsv", "ebible", "ces", "osis", "usfm"]

_FIRST_BYTES = 64
_MORE_BYTES = 1 << 16
_REFERENCES = "vref.txt"
_XML_ROOTS: dict[BibleFormat, re.Pattern[bytes]] = {
    "osis": re.compile(rb"<(?:\w+:)?osis\b"),
    "ces": re.compile(rb"<(?:\w+:)?cesDoc\b|<seg\s[^<>]*\bid\s*=\s*[\"']\s*b\."),
}
_BYTE_ORDER_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_USFM_START = re.compile(rb"\s*\\id\s")


def read_bible(
    file: SourceFile,
    fields: Fields,  # noqa: ARG001
    meter: Meter,
    *,
    format: BibleFormat | None = None,  # noqa: A002
    references: str | None = None,
    versification: str = "english",
) -> Iterator[Document]:
    """Read each verse as a document, whose id is its number in English Bibles: ``GEN 1:1``.

    Parameters
    ----------
    format
        ``tsv`` (``GEN 1:1``, a tab, the text), ``ebible`` (one verse per line), ``ces`` (the corpus
        of Bibles in a hundred languages), ``osis`` or ``usfm``. Default: the content tells.
    references
        Of eBible: the file that says which verse each line is. Default: ``vref.txt`` in the same
        folder.
    versification
        The numbering of the file: ``english``, ``hebrew``, ``vulgate``, ``synodal`` or
        ``synodal_protestant``.
    """
    verses = _read_verses(file, meter, format or ("ebible" if references else None), references)
    position = 0
    numbered = _english_verses(verses, find_versification(versification), file.name)
    # Other numberings may put a verse into another chapter, but never into another book. So the
    # verses of a book are sorted by their English numbers; those with the same number are joined.
    for _, book in itertools.groupby(numbered, key=lambda verse: verse[0].book):
        texts: dict[VerseReference, str] = {}
        for number, text in book:
            texts[number] = f"{texts[number]} {text}" if number in texts else text
        for number in sorted(texts):
            yield Document(texts[number], str(number), source=file.identity, position=position)
            position += 1


def is_bible(file: SourceFile) -> bool:
    """Tell by its start whether a file is a Bible."""
    return _guess_format(file) is not None


def _english_verses(
    verses: Iterable[Verse], versification: Versification, name: str
) -> Iterator[tuple[VerseReference, str]]:
    """Yield the English number and the text of each verse that has both."""
    lines: dict[VerseReference, int] = {}
    last = None
    for reference, text, line, is_part in verses:
        number = versification.english(reference)
        if number is None or not text or text.isspace():  # a translation may lack a verse
            continue
        if reference in lines and reference != last and not is_part:
            raise InputError(
                f"{name}:{line}: {reference} is at line {lines[reference]} too: leave one out, or "
                f"mark them as parts of the verse ({reference}a, {reference}b)"
            )
        lines.setdefault(reference, line)
        last = reference
        yield number, text


def _read_verses(
    file: SourceFile, meter: Meter, format_: BibleFormat | None, references: str | None
) -> Iterator[Verse]:
    format_ = format_ or _guess_format(file) or _format_of_broken_file(file)
    if format_ == "tsv":
        yield from read_verse_tsv(file.lines(meter), file.name)
    elif format_ == "ebible":
        path = _find_references(file, references or _REFERENCES)
        yield from read_ebible(
            file.lines(meter), InputFile(path).lines(), name=file.name, references_name=str(path)
        )
    elif format_ == "usfm":
        yield from read_usfm(
            decode_text(file.read(meter), file.name).replace("\r\n", "\n"), file.name
        )
    else:
        with file.open(meter) as stream:
            yield from (read_ces if format_ == "ces" else read_osis)(stream, file.name, file.size)


def _format_of_broken_file(file: SourceFile) -> BibleFormat:
    """Return the format whose reader names the error best; raise if the file is no Bible."""
    first = _first_line(_read_start(file))
    if "\t" in first:
        return "tsv"
    raise InputError(
        f"{file.name}: not a Bible: it begins with {first[:40]!r}, but a Bible is verse TSV (GEN "
        "1:1, a tab, the text), CES or OSIS XML, USFM, or one verse per line with a file "
        f"{_REFERENCES} in the same folder"
    )


def _guess_format(file: SourceFile) -> BibleFormat | None:
    """Return the format of a Bible by the start of the file; None if it is no Bible."""
    start = _read_start(file)
    if start.startswith(b"<"):
        return next((name for name, root in _XML_ROOTS.items() if root.search(start)), None)
    if _USFM_START.match(start):
        return "usfm"
    reference, tab, _ = _first_line(start).partition("\t")
    if tab:
        return "tsv" if parse_reference(reference.strip()) else None
    references = file.path.parent / _REFERENCES
    return "ebible" if references.is_file() and file.path.name != _REFERENCES else None


def _read_start(file: SourceFile) -> bytes:
    with file.open() as stream:
        start = _ascii_visible(stream.read(_FIRST_BYTES))
        if not start or start.startswith(b"<"):  # blank lines, or a header before the text
            start = (start + _ascii_visible(stream.read(_MORE_BYTES))).lstrip()
    return start


def _ascii_visible(data: bytes) -> bytes:
    """Return bytes of UTF-8 or UTF-16 so that their ASCII letters can be searched."""
    for mark in _BYTE_ORDER_MARKS:
        data = data.removeprefix(mark)
    return data.replace(b"\0", b"").lstrip()


def _first_line(start: bytes) -> str:
    return start.split(b"\n", 1)[0].decode("utf-8", "replace").rstrip("\r")


def _find_references(file: SourceFile, name: str) -> Path:
    """Find the file of references by its own path, or in the folder of the Bible."""
    for path in (Path(name), file.path.parent / name):
        if path.is_file():
            return path
    raise InputError(
        f"{file.name}: no file {name} in its folder, which says which verse each line is: name "
        "another file with bible(references=PATH)"
    )
