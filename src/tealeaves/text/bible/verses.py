"""Books, references and verses of the Bible, in the ways that files write them."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from tealeaves.errors import InputError

# the code of USFM, then the abbreviations of OSIS and of CES if they differ; in the order of the
# canon
_BOOKS = """
GEN
EXO Exod
LEV
NUM
DEU Deut
JOS Josh
JDG Judg
RUT Ruth
1SA 1Sam
2SA 2Sam
1KI 1Kgs
2KI 2Kgs
1CH 1Chr
2CH 2Chr
EZR Ezra
NEH
EST Esth
JOB
PSA Ps
PRO Prov
ECC Eccl
SNG Song SON
ISA
JER
LAM
EZK Ezek EZE
DAN
HOS
JOL Joel JOE
AMO Amos
OBA Obad
JON Jonah
MIC
NAM Nah
HAB
ZEP Zeph
HAG
ZEC Zech
MAL
MAT Matt
MRK Mark MAR
LUK Luke
JHN John JOH
ACT Acts
ROM
1CO 1Cor
2CO 2Cor
GAL
EPH
PHP Phil PHI
COL
1TH 1Thess
2TH 2Thess
1TI 1Tim
2TI 2Tim
TIT Titus
PHM Phlm
HEB
JAS JAM
1PE 1Pet
2PE 2Pet
1JN 1John 1JO
2JN 2John 2JO
3JN 3John 3JO
JUD Jude
REV
TOB
JDT
ESG EsthGr AddEsth
WIS
SIR
BAR
LJE EpJer
S3Y PrAzar
SUS
BEL
1MA 1Macc
2MA 2Macc
3MA 3Macc
4MA 4Macc
1ES 1Esd
2ES 2Esd
MAN PrMan
PS2 AddPs
ODA Odes
PSS PssSol
EZA
5EZ
6EZ
DAG DanGr AddDan
PS3
2BA
LBA
JUB
ENO
LAO
"""

#: Codes of USFM for what is in a Bible besides its books (front matter, glossaries and the like).
PERIPHERAL = frozenset(
    "FRT BAK OTH INT CNC GLO TDX NDX XXA XXB XXC XXD XXE XXF XXG".split()  # noqa: SIM905
)

_REFERENCE = re.compile(
    r"(?:b\.)?"  # the prefix of CES
    r"([1-6]?[A-Za-z][A-Za-z0-9]{1,6})[ .]([0-9]{1,3})[:.]([0-9]{1,3})[a-z]?"
    r"(?:[-–,](?:[0-9]{1,3}[:.])?[0-9]{1,3}[a-z]?)*"
)
_PART = re.compile(r"[0-9][a-z](?![A-Za-z0-9.])")


class VerseReference(NamedTuple):
    """The book (its code in USFM), chapter and number of a verse.

    >>> str(VerseReference("GEN", 1, 1))
    'GEN 1:1'
    """

    book: str
    chapter: int
    verse: int

    def __str__(self) -> str:
        return f"{self.book} {self.chapter}:{self.verse}"


class Verse(NamedTuple):
    """A verse, or a part of one, as it is written in a file, and the line where it begins."""

    reference: VerseReference
    text: str
    line: int
    is_part: bool = False


def book_code(name: str) -> str:
    """Return the code of a book in USFM; an empty string if the book is not known.

    >>> book_code("Gen"), book_code("1john"), book_code("MAR"), book_code("Moby")
    ('GEN', '1JN', 'MRK', '')
    """
    return _book_codes().get(name.upper(), "")


@cache
def _book_codes() -> dict[str, str]:
    rows = [line.split() for line in _BOOKS.strip().splitlines()]
    return {name.upper(): row[0] for row in rows for name in row}


@lru_cache(maxsize=1 << 16)  # a Bible is read several times, and others have the same verses
def parse_reference(text: str) -> VerseReference | None:
    """Read a reference: the first of several verses, without the letters of parts.

    >>> [str(parse_reference(text)) for text in ("GEN 1:1", "b.MAR.1.2", "Ps.3.4", "JHN 3:16b-17")]
    ['GEN 1:1', 'MRK 1:2', 'PSA 3:4', 'JHN 3:16']
    >>> parse_reference("GEN 1") is None
    True
    """
    match = _REFERENCE.fullmatch(text)
    if match is None:
        return None
    name, chapter, verse = match.groups()
    book = book_code(name)
    return VerseReference(book, int(chapter), int(verse)) if book else None


def require_reference(
    text: str, name: str, line: int, *, example: str = "GEN 1:1"
) -> VerseReference:
    """Read a reference; if the text is none, the error names the file and the line."""
    reference = parse_reference(text)
    if reference is None:
        raise InputError(f"{name}:{line}: {text!r:.60} is not a verse; write {example}")
    return reference


@lru_cache(maxsize=1 << 16)
def is_part(text: str) -> bool:
    """Tell whether a reference has a letter, and is thus to a part of a verse.

    >>> is_part("GEN 2:4b"), is_part("GEN 2:4b-5"), is_part("gen.2.4")
    (True, True, False)
    """
    return _PART.search(text) is not None
