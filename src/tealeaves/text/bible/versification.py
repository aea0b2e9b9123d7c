"""Versification: numberings of chapters and verses, and their numbers in English Bibles.

The tables at the end say where numberings differ. ``32:2-33=32:1`` means that the verses 32:2 to
32:33 are the verses from 32:1 on, ``10-112:*=11`` that the chapters 10 to 112 are the chapters from
11 on, and ``=-`` that the verses have no number. A later move of a verse replaces an earlier one.
The tables of Greek psalms lead to Hebrew numbers, all others to English ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType

from tealeaves.errors import InputError, did_you_mean
from tealeaves.text.bible.verses import VerseReference

_ALIASES = {"kjv": "english", "eng": "english", "original": "hebrew", "org": "hebrew",
            "vul": "vulgate", "rso": "synodal", "rsc": "synodal_protestant"}  # fmt: skip
_LONGEST_CHAPTER = 176  # verses of Psalm 119


class Versification:
    """A numbering of verses, and the number of each verse in an English Bible (King James).

    >>> hebrew = find_versification("hebrew")
    >>> str(hebrew.english(VerseReference("MAL", 3, 19)))
    'MAL 4:1'
    >>> hebrew.english(VerseReference("PSA", 51, 1)) is None
    True
    """

    def __init__(self, name: str, moves: Mapping[VerseReference, VerseReference | None]) -> None:
        self.name = name
        self.moves = moves

    def english(self, reference: VerseReference) -> VerseReference | None:
        """Return the number in an English Bible; None if it has none, like titles of psalms.

        If an English verse is two verses of this numbering, both have its number.
        """
        if reference.verse == 0 or reference.chapter == 0:
            return None
        return self.moves.get(reference, reference) if self.moves else reference


def find_versification(name: str) -> Versification:
    """Return the numbering of that name.

    ``english`` is that of the King James Version; ``hebrew`` that of the Hebrew Bible and the Greek
    New Testament, also called ``original``; ``vulgate``; ``synodal`` that of the Russian Bible with
    the additions of the Septuagint, and ``synodal_protestant`` without them.
    """
    plain = name.strip().lower()
    full_name = _ALIASES.get(plain, plain)
    if full_name not in _TABLES:
        hint = did_you_mean(name, [*_TABLES, *_ALIASES])
        raise InputError(f"unknown versification {name}{hint} (known: {', '.join(_TABLES)})")
    return _read_versification(full_name)


@cache
def _read_versification(name: str) -> Versification:
    moves: dict[VerseReference, VerseReference | None] = {}
    for table in _TABLES[name]:
        step = _read_table(table)
        earlier = {verse: target and step.get(target, target) for verse, target in moves.items()}
        moves = step | earlier
    return Versification(name, MappingProxyType(moves))


def _read_table(table: str) -> dict[VerseReference, VerseReference | None]:
    rows = (line.split() for line in table.split("\n") if line)
    return dict(pair for book, *moves in rows for move in moves for pair in _read_move(book, move))


def _read_move(book: str, move: str) -> Iterator[tuple[VerseReference, VerseReference | None]]:
    """Yield the verses of a move, and where each is moved to."""
    places, _, target = move.partition("=")
    to_chapter, _, to_verse = target.partition(":")
    chapters, _, verses = places.partition(":")
    chapter, last_chapter = _read_span(chapters)
    first, last = (1, _LONGEST_CHAPTER) if verses == "*" else _read_span(verses)
    for further in range(last_chapter - chapter + 1):
        for verse in range(first, last + 1):
            place = VerseReference(book, chapter + further, verse)
            if target == "-":
                yield place, None
            else:
                number = int(to_verse or first) + verse - first
                yield place, VerseReference(book, int(to_chapter) + further, number)


def _read_span(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    return int(first), int(last or first)


# ---------------------------------------------------------------------- tables

# The Hebrew Bible and the Greek New Testament, without the psalms.
_HEBREW = """
GEN 32:1=31:55 32:2-33=32:1
EXO 7:26-29=8:1 8:1-28=8:5 21:37=22:1 22:1-30=22:2
LEV 5:20-26=6:1 6:1-23=6:8
NUM 17:1-15=16:36 17:16-28=17:1 25:19=26:1 30:1=29:40 30:2-17=30:1
DEU 13:1=12:32 13:2-19=13:1 23:1=22:30 23:2-26=23:1 28:69=29:1 29:1-28=29:2
1SA 21:1=20:42 21:2-16=21:1 24:1=23:29 24:2-23=24:1
2SA 19:1=18:33 19:2-44=19:1
1KI 5:1-14=4:21 5:15-32=5:1 22:44-54=22:43
2KI 12:1=11:21 12:2-22=12:1
1CH 5:27-41=6:1 6:1-66=6:16 12:5-41=12:4
2CH 1:18=2:1 2:1-17=2:2 13:23=14:1 14:1-14=14:2
NEH 3:33-38=4:1 4:1-17=4:7 7:68-72=7:69 10:1=9:38 10:2-40=10:1
JOB 40:25-32=41:1 41:1-26=41:9
ECC 4:17=5:1 5:1-19=5:2
SNG 7:1=6:13 7:2-14=7:1
ISA 8:23=9:1 9:1-20=9:2 64:1-11=64:2
JER 8:23=9:1 9:1-25=9:2
EZK 21:1-5=20:45 21:6-37=21:1
DAN 3:31-33=4:1 4:1-34=4:4 6:1=5:31 6:2-29=6:1
HOS 2:1-2=1:10 2:3-25=2:1 12:1=11:12 12:2-15=12:1 14:1=13:16 14:2-10=14:1
JOL 3:1-5=2:28 4:1-21=3:1
JON 2:1=1:17 2:2-11=2:1
MIC 4:14=5:1 5:1-14=5:2
NAM 2:1=1:15 2:2-14=2:1
ZEC 2:1-4=1:18 2:5-17=2:1
MAL 3:19-24=4:1
2CO 13:13=13:14
3JN 1:15=1:14
REV 12:18=13:1
"""

# Psalms whose title is one verse in the Hebrew Bible, and psalms whose title is two verses.
_TITLES = (
    *range(3, 10), 12, 13, *range(18, 23), 30, 31, 34, 36, *range(38, 43), *range(44, 50), 53,
    *range(55, 60), *range(61, 66), *range(67, 71), *range(75, 78), 80, 81, 83, 84, 85, 88, 89, 92,
    102, 108, 140, 142,
)  # fmt: skip
_LONG_TITLES = (51, 52, 54, 60)


def _moves_without_titles(psalms: Iterable[int], verses: int) -> str:
    moves = (f"{n}:1-{verses}=- {n}:{verses + 1}-{_LONGEST_CHAPTER}={n}:1" for n in psalms)
    return f"PSA {' '.join(moves)}\n"


# The Hebrew psalms.
_HEBREW_PSALMS = _moves_without_titles(_TITLES, 1) + _moves_without_titles(_LONG_TITLES, 2)

# The psalms of the Septuagint, and of Bibles that follow it, to Hebrew numbers.
_GREEK_PSALMS = """
PSA 9:22-39=10:1 10-112:*=11 113:1-8=114:1 113:9-26=115:1 114:1-9=116:1 116-145:*=117 146:1-11=147:1
"""

# The verses of the Vulgate's psalms to Hebrew numbers, where they differ; some editions begin the
# second halves of psalms with verse 1.
_VULGATE_PSALMS = """
PSA 2:13=2:12 4:10=4:9 10:1=- 10:2-8=11:1 12:1=13:2 12:2=13:3 12:3=13:3 43:22-26=44:23
PSA 55:11-13=56:12 115:1-9=116:10 115:10-19=116:10 147:1-9=147:12
"""

# The Vulgate, without the psalms.
_VULGATE = """
GEN 49:31-32=49:32 50:22-25=50:23
EXO 40:13-36=40:15
LEV 26:45=26:46
NUM 11:34=11:35 13:1=12:16 13:2-34=13:1 20:29=20:28 20:30=20:29 30:1=29:40 30:2-17=30:1
JOS 4:24=4:23 4:25=4:24 5:15=5:14 5:16=5:15 21:36=21:37 21:37-43=21:39
JDG 5:32=5:31
1SA 20:43=20:42 24:1=23:29 24:2-23=24:1
1KI 22:44-54=22:43
NEH 3:30-31=3:31 12:33-46=12:34
EST 10:4-13=- 11-16:*=-
JOB 16:5-23=16:4 39:31-35=40:1 40:1-19=40:6 40:20-27=41:1 40:28=41:9 41:1-25=41:10
ECC 4:17=5:1 5:1-19=5:2 7:1=6:12 7:2-30=7:1
SNG 1:1-16=1:2 5:17=6:1 6:1-12=6:2
JER 37:4-20=37:5
DAN 3:24-90=- 3:91-97=3:24 3:98-100=4:1 4:1-34=4:4 13-14:*=-
HOS 2:24=2:23 14:1=13:16 14:2-10=14:1
AMO 6:11-15=6:10
JON 2:1=1:17 2:2-11=2:1
MIC 5:11-14=5:12
HAG 2:1=1:15 2:2-24=2:1
MAT 17:15-26=17:16
MRK 8:39=9:1 9:1-49=9:2
JHN 6:52-72=6:51
ACT 7:55-59=7:56 14:6-27=14:7
2CO 13:13=13:14
3JN 1:15=1:14
REV 12:18=13:1
"""

# The verses of the Russian psalms to Hebrew numbers, where they differ.
_SYNODAL_PSALMS = """
PSA 89:1=- 89:2-6=90:1 115:1-10=116:10 141:1-7=142:2 147:1-9=147:12 151:*=-
"""

# The Russian Synodal Bible, without the psalms.
_SYNODAL = """
LEV 14:55-56=14:56
NUM 13:1=12:16 13:2-34=13:1 30:1=29:40 30:2-17=30:1
JOS 5:16=6:1 6:1-26=6:2
1SA 20:43=20:42 24:1=23:29 24:2-23=24:1
JOB 39:31-35=40:1 40:1-19=40:6 40:20-27=41:1 41:1-26=41:9
ECC 4:17=5:1 5:1-19=5:2
SNG 1:1-16=1:2 7:1=6:13 7:2-14=7:1
ISA 3:19-25=3:20
DAN 3:31-33=4:1 4:1-34=4:4
HOS 14:1=13:16 14:2-10=14:1
JON 2:1=1:17 2:2-11=2:1
ROM 14:24-26=16:25
2CO 13:13=13:14
3JN 1:15=1:14
"""

# What the Synodal Bible adds from the Septuagint.
_ORTHODOX = """
JOS 24:34-36=-
2CH 37:*=-
PRO 4:28-29=- 13:14=- 13:15-26=13:14 18:8=- 18:9-25=18:8
DAN 3:24-90=- 3:91-97=3:24 3:98-100=4:1 13-14:*=-
"""

_TABLES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        # each table leads to the numbers of the next, the last to English numbers
        "english": (),
        "hebrew": (_HEBREW + _HEBREW_PSALMS,),
        "vulgate": (_GREEK_PSALMS + _VULGATE_PSALMS, _HEBREW_PSALMS + _VULGATE),
        "synodal": (_GREEK_PSALMS + _SYNODAL_PSALMS, _HEBREW_PSALMS + _SYNODAL + _ORTHODOX),
        "synodal_protestant": (_GREEK_PSALMS + _SYNODAL_PSALMS, _HEBREW_PSALMS + _SYNODAL),
    }
)
