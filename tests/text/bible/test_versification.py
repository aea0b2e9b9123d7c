"""Numberings of verses, and how they lead to English numbers."""

from __future__ import annotations

import pytest

from tealeaves.errors import InputError
from tealeaves.text.bible.verses import VerseReference, parse_reference
from tealeaves.text.bible.versification import find_versification

# verses of the Hebrew Bible, chapter by chapter, of books that are numbered in another way
HEBREW_VERSES = {
    "JOL": [20, 27, 5, 21],
    "JON": [16, 11, 10, 11],
    "MIC": [16, 13, 12, 14, 14, 16, 20],
    "NAM": [14, 14, 19],
    "ZEC": [17, 17, 10, 14, 11, 15, 14, 23, 17, 12, 17, 14, 9, 21],
    "MAL": [14, 17, 24],
    "HOS": [9, 25, 5, 19, 15, 11, 16, 14, 17, 15, 11, 15, 15, 10],
    "DAN": [21, 49, 33, 34, 30, 29, 28, 27, 27, 21, 45, 13],
    "SNG": [17, 17, 11, 16, 16, 12, 14, 14],
    "ECC": [18, 26, 22, 17, 19, 12, 29, 17, 18, 20, 10, 14],
}
# and of the English
ENGLISH_VERSES = {
    "JOL": [20, 32, 21],
    "JON": [17, 10, 10, 11],
    "MIC": [16, 13, 12, 13, 15, 16, 20],
    "NAM": [15, 13, 19],
    "ZEC": [21, 13, 10, 14, 11, 15, 14, 23, 17, 12, 17, 14, 9, 21],
    "MAL": [14, 17, 18, 6],
    "HOS": [11, 23, 5, 19, 15, 11, 16, 14, 17, 15, 12, 14, 16, 9],
    "DAN": [21, 49, 30, 37, 31, 28, 28, 27, 27, 21, 45, 13],
    "SNG": [17, 17, 11, 16, 16, 13, 13, 14],
    "ECC": [18, 26, 22, 16, 20, 12, 29, 17, 18, 20, 10, 14],
}


def verses(book: str, counts: list[int]) -> list[VerseReference]:
    numbered = enumerate(counts, 1)
    return [VerseReference(book, chapter, v) for chapter, n in numbered for v in range(1, n + 1)]


def english(name: str, written: str) -> str | None:
    reference = parse_reference(written)
    assert reference is not None
    number = find_versification(name).english(reference)
    return None if number is None else str(number)


@pytest.mark.parametrize("book", HEBREW_VERSES)
def test_hebrew_books_become_the_english_ones_verse_by_verse(book: str) -> None:
    """Each English verse is met once, in order: the chapters have the right lengths."""
    mapped = [find_versification("hebrew").english(v) for v in verses(book, HEBREW_VERSES[book])]
    assert mapped == verses(book, ENGLISH_VERSES[book])


@pytest.mark.parametrize(
    ("hebrew", "expected"),
    [
        ("GEN 32:1", "GEN 31:55"),
        ("GEN 32:33", "GEN 32:32"),
        ("EXO 7:26", "EXO 8:1"),
        ("EXO 21:37", "EXO 22:1"),
        ("LEV 5:26", "LEV 6:7"),
        ("NUM 17:15", "NUM 16:50"),
        ("NUM 25:19", "NUM 26:1"),
        ("DEU 28:69", "DEU 29:1"),
        ("1SA 21:1", "1SA 20:42"),
        ("1SA 24:23", "1SA 24:22"),
        ("2SA 19:44", "2SA 19:43"),
        ("1KI 5:1", "1KI 4:21"),
        ("1KI 22:43", "1KI 22:43"),
        ("1KI 22:44", "1KI 22:43"),
        ("1KI 22:54", "1KI 22:53"),
        ("2KI 12:1", "2KI 11:21"),
        ("1CH 5:41", "1CH 6:15"),
        ("1CH 6:66", "1CH 6:81"),
        ("2CH 13:23", "2CH 14:1"),
        ("NEH 3:38", "NEH 4:6"),
        ("NEH 10:1", "NEH 9:38"),
        ("JOB 40:25", "JOB 41:1"),
        ("JOB 41:26", "JOB 41:34"),
        ("ISA 8:23", "ISA 9:1"),
        ("ISA 64:11", "ISA 64:12"),
        ("JER 8:23", "JER 9:1"),
        ("EZK 21:37", "EZK 21:32"),
        ("JOL 3:1", "JOL 2:28"),
        ("MAL 3:24", "MAL 4:6"),
        ("REV 12:18", "REV 13:1"),
        ("PSA 1:1", "PSA 1:1"),
        ("PSA 3:1", None),
        ("PSA 3:2", "PSA 3:1"),
        ("PSA 51:2", None),
        ("PSA 51:3", "PSA 51:1"),
        ("PSA 51:21", "PSA 51:19"),
        ("PSA 90:1", "PSA 90:1"),
        ("PSA 142:8", "PSA 142:7"),
        ("GEN 1:1", "GEN 1:1"),
    ],
)
def test_hebrew_verses(hebrew: str, expected: str | None) -> None:
    assert english("hebrew", hebrew) == expected


@pytest.mark.parametrize("name", ["vulgate", "synodal", "synodal_protestant"])
@pytest.mark.parametrize(
    ("greek", "expected"),
    [
        ("PSA 1:6", "PSA 1:6"),
        ("PSA 9:1", None),
        ("PSA 9:21", "PSA 9:20"),
        ("PSA 9:22", "PSA 10:1"),
        ("PSA 9:39", "PSA 10:18"),
        ("PSA 22:1", "PSA 23:1"),  # the Lord is my shepherd
        ("PSA 50:1", None),
        ("PSA 50:3", "PSA 51:1"),  # miserere
        ("PSA 113:1", "PSA 114:1"),
        ("PSA 113:9", "PSA 115:1"),  # not unto us
        ("PSA 114:1", "PSA 116:1"),
        ("PSA 116:1", "PSA 117:1"),
        ("PSA 118:105", "PSA 119:105"),
        ("PSA 129:1", "PSA 130:1"),  # de profundis
        ("PSA 146:11", "PSA 147:11"),
        ("PSA 147:1", "PSA 147:12"),
        ("PSA 148:1", "PSA 148:1"),
        ("NUM 13:1", "NUM 12:16"),
        ("JOB 39:31", "JOB 40:1"),
        ("JON 2:1", "JON 1:17"),
        ("JOL 2:28", "JOL 2:28"),
        ("MAL 4:1", "MAL 4:1"),
        ("GEN 31:55", "GEN 31:55"),
        ("2CO 13:13", "2CO 13:14"),
    ],
)
def test_verses_of_bibles_that_follow_the_septuagint(
    name: str, greek: str, expected: str | None
) -> None:
    assert english(name, greek) == expected


def test_where_the_vulgate_and_the_synodal_bible_differ() -> None:
    assert english("vulgate", "PSA 115:10") == "PSA 116:10"
    assert english("synodal", "PSA 115:1") == "PSA 116:10"
    assert english("synodal", "PSA 115:10") == "PSA 116:19"
    assert english("vulgate", "MRK 8:39") == "MRK 9:1"
    assert english("synodal", "ROM 14:24") == "ROM 16:25"
    assert english("synodal", "PSA 89:1") is None
    assert english("synodal", "PSA 89:2") == "PSA 90:1"


def test_the_song_of_the_three_is_left_out_where_it_is_numbered() -> None:
    assert english("synodal", "DAN 3:24") is None
    assert english("synodal", "DAN 3:91") == english("vulgate", "DAN 3:91") == "DAN 3:24"
    assert english("synodal", "DAN 3:98") == "DAN 4:1"
    assert english("synodal_protestant", "DAN 3:24") == "DAN 3:24"
    assert english("synodal_protestant", "DAN 3:31") == "DAN 4:1"


@pytest.mark.parametrize(
    ("synodal", "expected"),
    [
        ("PRO 4:27", "PRO 4:27"), ("PRO 4:28", None), ("PRO 4:29", None),
        ("PRO 13:13", "PRO 13:13"), ("PRO 13:14", None), ("PRO 13:15", "PRO 13:14"),
        ("PRO 13:26", "PRO 13:25"),
        ("PRO 18:7", "PRO 18:7"), ("PRO 18:8", None), ("PRO 18:9", "PRO 18:8"),
        ("PRO 18:25", "PRO 18:24"),
    ],
)  # fmt: skip
def test_additional_verses_of_the_synodal_proverbs_have_no_number(
    synodal: str, expected: str | None
) -> None:
    """Chapter 4 ends with 27, 13 with 25 and 18 with 24 in English Bibles."""
    assert english("synodal", synodal) == expected
    assert english("synodal_protestant", synodal) == synodal


def test_english_numbers_stay_and_titles_have_none() -> None:
    assert english("english", "MAL 4:1") == "MAL 4:1"
    assert english("english", "PSA 3:0") is None
    assert english("hebrew", "PSA 3:0") is None
    assert english("english", "GEN 0:1") is None


def test_only_a_few_verses_of_the_hebrew_bible_share_an_english_number() -> None:
    moved = find_versification("hebrew").moves
    goals = [goal for goal in moved.values() if goal is not None]
    assert len(goals) == len(set(goals))
    # a goal that is not itself moved away is the number of two verses
    shared = {str(goal) for goal in goals if goal not in moved and goal.book != "PSA"}
    at_home = {"1KI 22:43", "1CH 12:4", "NUM 26:1", "1SA 20:42", "3JN 1:14", "REV 13:1"}
    assert at_home <= shared


@pytest.mark.parametrize("name", ["hebrew", "vulgate", "synodal", "synodal_protestant"])
def test_order_is_kept(name: str) -> None:
    """Verses of a book that follow each other in one numbering do so in the other."""
    moved = find_versification(name).moves
    for book in {reference.book for reference in moved}:
        kept = [moved[v] for v in sorted(v for v in moved if v.book == book)]
        goals = [goal for goal in kept if goal is not None]
        if book != "PSA":  # tables of psalms speak of verses that a psalm does not have
            assert goals == sorted(goals)


@pytest.mark.parametrize(
    ("alias", "name"),
    [("original", "hebrew"), ("org", "hebrew"), ("KJV", "english"), ("rso", "synodal")],
)
def test_aliases(alias: str, name: str) -> None:
    assert find_versification(alias) is find_versification(name)


def test_an_unknown_numbering_is_an_error_that_names_the_known() -> None:
    with pytest.raises(InputError, match=r"unknown versification hebrw; did you mean hebrew\?"):
        find_versification("hebrw")
    with pytest.raises(InputError, match=r"known: english, hebrew, vulgate, synodal"):
        find_versification("martian")
