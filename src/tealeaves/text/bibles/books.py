"""The books of the Bible and what they are called."""

from __future__ import annotations

from functools import cache

# a code of USFM, then what else stands for it: the abbreviations of OSIS and of CES; the order is
# that of the canon
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

#: Codes of USFM for what stands before, between and behind the books of a Bible.
PERIPHERAL = frozenset(
    "FRT BAK OTH INT CNC GLO TDX NDX XXA XXB XXC XXD XXE XXF XXG".split()  # noqa: SIM905
)


def book_code(name: str) -> str:
    """Return the code that USFM has for a book; nothing if the book is not known.

    >>> book_code("Gen"), book_code("1john"), book_code("MAR"), book_code("Moby")
    ('GEN', '1JN', 'MRK', '')
    """
    return _codes().get(name.upper(), "")


@cache
def _codes() -> dict[str, str]:
    rows = (line.split() for line in _BOOKS.split("\n") if line)
    return {name.upper(): row[0] for row in rows for name in row}
