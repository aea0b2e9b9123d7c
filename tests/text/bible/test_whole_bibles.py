"""Against whole Bibles: counts of verses and chapters, and numberings that meet all of them."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import pytest

from tealeaves.text.bible.verses import VerseReference, parse_reference
from tealeaves.text.bible.versification import find_versification
from tealeaves.text.corpus import Corpus

from ...calls import count_calls  # noqa: TID252

pytestmark = pytest.mark.reference

# verses and chapters, as the folder's README has them
FILES = {
    "eng_kjv": (31096, 1189),
    "heb_modern": (31100, 1189),
    "jpn_kougo1955": (30627, 1171),
    "ron_lsb_NT": (7948, 260),
    "rus_synodal": (31078, 1189),
    "tur_ytc": (28709, 1080),
    "zho_cuv_hans": (31099, 1189),
}

# verses of each chapter of the Hebrew Bible and the Greek New Testament, of the books that differ
ORIGINAL = """
GEN 31 25 24 26 32 22 24 22 29 32 32 20 18 24 21 16 27 33 38 18 34 24 20 67 34 35 46 22 35 43 54
    33 20 31 29 43 36 30 23 23 57 38 34 34 28 34 31 22 33 26
EXO 22 25 22 31 23 30 29 28 35 29 10 51 22 31 27 36 16 27 25 26 37 30 33 18 40 37 21 43 46 38 18
    35 23 35 35 38 29 31 43 38
LEV 17 16 17 35 26 23 38 36 24 20 47 8 59 57 33 34 16 30 37 27 24 33 44 23 55 46 34
NUM 54 34 51 49 31 27 89 26 23 36 35 16 33 45 41 35 28 32 22 29 35 41 30 25 19 65 23 31 39 17 54
    42 56 29 34 13
DEU 46 37 29 49 33 25 26 20 29 22 32 31 19 29 23 22 20 22 21 20 23 29 26 22 19 19 26 69 28 20 30
    52 29 12
1SA 28 36 21 22 12 21 17 22 27 27 15 25 23 52 35 23 58 30 24 42 16 23 28 23 44 25 12 25 11 31 13
2SA 27 32 39 12 25 23 29 18 13 19 27 31 39 33 37 23 29 32 44 26 22 51 39 25
1KI 53 46 28 20 32 38 51 66 28 29 43 33 34 31 34 34 24 46 21 43 29 54
2KI 18 25 27 44 27 33 20 29 37 36 20 22 25 29 38 20 41 37 37 21 26 20 37 20 30
1CH 54 55 24 43 41 66 40 40 44 14 47 41 14 17 29 43 27 17 19 8 30 19 32 31 31 32 34 21 30
2CH 18 17 17 22 14 42 22 18 31 19 23 16 23 14 19 14 19 34 11 37 20 12 21 27 28 23 9 27 36 27 21 33
    25 33 27 23
NEH 11 20 38 17 19 19 72 18 37 40 36 47 31
JOB 22 13 26 21 27 30 21 22 35 22 20 25 28 22 35 22 16 21 29 29 34 30 17 25 6 14 23 28 25 31 40 22
    33 37 16 33 24 41 30 32 26 17
PSA 6 12 9 9 13 11 18 10 21 18 7 9 6 7 5 11 15 51 15 10 14 32 6 10 22 12 14 9 11 13 25 11 22 23 28
    13 40 23 14 18 14 12 5 27 18 12 10 15 21 23 21 11 7 9 24 14 12 12 18 14 9 13 12 11 14 20 8 36
    37 6 24 20 28 23 11 13 21 72 13 20 17 8 19 13 14 17 7 19 53 17 16 16 5 23 11 13 12 9 9 5 8 29
    22 35 45 48 43 14 31 7 10 10 9 8 18 19 2 29 176 7 8 9 4 8 5 6 5 6 8 8 3 18 3 3 21 26 9 8 24 14
    10 8 12 15 21 10 20 14 9 6
ECC 18 26 22 17 19 12 29 17 18 20 10 14
SNG 17 17 11 16 16 12 14 14
ISA 31 22 26 6 30 13 25 23 20 34 16 6 22 32 9 14 14 7 25 6 17 25 18 23 12 21 13 29 24 33 9 20 24
    17 10 22 38 22 8 31 29 25 28 28 25 13 15 22 26 11 23 15 12 17 13 12 21 14 21 22 11 12 19 11 25
    24
JER 19 37 25 31 31 30 34 23 25 25 23 17 27 22 21 21 27 23 15 18 14 30 40 10 38 24 22 17 32 24 40
    44 26 22 19 32 21 28 18 16 18 22 13 30 5 28 7 47 39 46 64 34
EZK 28 10 27 17 17 14 27 18 11 22 25 28 23 23 8 63 24 32 14 44 37 31 49 27 17 21 36 26 21 26 18 32
    33 31 15 38 28 23 29 49 26 20 27 31 25 24 23 35
DAN 21 49 33 34 30 29 28 27 27 21 45 13
HOS 9 25 5 19 15 11 16 14 17 15 11 15 15 10
JOL 20 27 5 21
JON 16 11 10 11
MIC 16 13 12 14 14 16 20
NAM 14 14 19
ZEC 17 17 10 14 11 15 14 23 17 12 17 14 9 21
MAL 14 17 24
2CO 24 17 18 18 21 18 16 24 15 18 33 21 13
3JN 15
REV 20 29 22 11 14 17 17 13 21 11 19 18 18 20 8 21 18 24 21 15 27 21
"""


@pytest.fixture(scope="module")
def english_verses(reference_data: Path) -> set[VerseReference]:
    """The verses that two English Bibles have."""
    paths = [reference_data / "bible" / f"eng_{name}.tsv.gz" for name in ("kjv", "web")]
    parsed_ids = {parse_reference(verse.id) for verse in Corpus.open(*paths, reader="bible")}
    return {reference for reference in parsed_ids if reference is not None}


def original_verses() -> list[VerseReference]:
    verses = []
    book, chapter = "", 0
    for word in ORIGINAL.split():
        if not word.isdecimal():
            book, chapter = word, 0
            continue
        chapter += 1
        verses += [VerseReference(book, chapter, verse) for verse in range(1, int(word) + 1)]
    return verses


@pytest.mark.parametrize("name", FILES)
def test_files_have_the_verses_and_chapters_that_they_should(
    reference_data: Path, name: str
) -> None:
    path = reference_data / "bible" / f"{name}.tsv.gz"
    ids = [verse.id for verse in Corpus.open(path, reader="bible")]
    assert len(ids) == len(set(ids)) == FILES[name][0]
    assert len({key.partition(":")[0] for key in ids}) == FILES[name][1]


def test_original_numbers_reach_every_english_verse(english_verses: set[VerseReference]) -> None:
    """All but a few English verses are met once; of those that are not, all is known."""
    verses = original_verses()
    mapped = {verse: find_versification("original").english(verse) for verse in verses}
    met = Counter(goal for goal in mapped.values() if goal is not None)
    books = {verse.book for verse in verses}
    wanted = {verse for verse in english_verses if verse.book in books}
    assert set(met) <= wanted
    # here the English verse is the second half of one that was met
    halves = {"NEH 7:68", "PSA 13:6", "ISA 64:1", "2CO 13:13"}
    assert set(map(str, wanted - set(met))) == halves
    # and here it is two of the others
    doubles = {"NUM 26:1", "1SA 20:42", "1KI 22:43", "1CH 12:4", "3JN 1:14", "REV 13:1"}
    assert {str(goal) for goal, count in met.items() if count > 1} == doubles
    assert max(met.values()) == 2
    titles = [verse for verse, goal in mapped.items() if goal is None]
    assert {verse.book for verse in titles} == {"PSA"}
    assert len(verses) == len(titles) + len(wanted) - len(halves) + len(doubles)


def test_original_chapters_become_english_ones_in_order(
    english_verses: set[VerseReference],
) -> None:
    goals = [find_versification("hebrew").english(verse) for verse in original_verses()]
    for before, after in itertools.pairwise(goals):
        if before and after and before.book == after.book:
            assert before <= after
    counts = Counter((verse.book, verse.chapter) for verse in set(goals) if verse)
    wanted = Counter((v.book, v.chapter) for v in english_verses)
    differ = {key for key in counts if counts[key] != wanted[key]}
    assert differ == {("NEH", 7), ("PSA", 13), ("ISA", 64), ("2CO", 13)}


@pytest.mark.parametrize("name", ["vulgate", "synodal", "synodal_protestant"])
def test_moved_verses_are_english_ones(english_verses: set[VerseReference], name: str) -> None:
    goals = {
        goal for goal in find_versification(name).moves.values() if goal and goal.book != "PSA"
    }
    # the files of the folder do not have the end of Romans 16
    assert {str(goal) for goal in goals - english_verses} <= {"ROM 16:26", "ROM 16:27"}
    psalms = {v for v in english_verses if v.book == "PSA"}
    moved = find_versification(name).moves
    reached = {find_versification(name).english(v) for v in {*psalms, *moved}}
    missed = {"vulgate": {"PSA 44:21", "PSA 56:10"}}.get(name, {"PSA 90:6"})
    assert set(map(str, psalms - reached)) == missed


def test_a_bible_takes_few_more_calls_than_its_lines(reference_data: Path) -> None:
    path = reference_data / "bible" / "eng_web.tsv.gz"
    lines, verses = (_calls(path, reader) for reader in ("lines", "bible"))
    assert lines > 31103
    assert lines < verses < 4 * lines


def _calls(path: Path, reader: str) -> int:
    corpus = Corpus.open(path, reader=reader)
    assert sum(1 for _ in corpus) == 31103  # references that are known are not parsed again
    return count_calls(lambda: list(corpus)).total()
