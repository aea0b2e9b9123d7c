"""References to verses, however they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.text.bible.verses import (
    PERIPHERAL,
    VerseReference,
    book_code,
    parse_reference,
    require_reference,
)

# the books of the Bible as three standards abbreviate them, beginning, middle and end
NAMES = {
    "GEN": ("GEN", "Gen", "GEN"),
    "SNG": ("SNG", "Song", "SON"),
    "EZK": ("EZK", "Ezek", "EZE"),
    "JOL": ("JOL", "Joel", "JOE"),
    "NAM": ("NAM", "Nah", "NAH"),
    "MRK": ("MRK", "Mark", "MAR"),
    "JHN": ("JHN", "John", "JOH"),
    "PHP": ("PHP", "Phil", "PHI"),
    "PHM": ("PHM", "Phlm", "PHM"),
    "JAS": ("JAS", "Jas", "JAM"),
    "3JN": ("3JN", "3John", "3JO"),
    "JUD": ("JUD", "Jude", "JUD"),
    "JDG": ("JDG", "Judg", "JDG"),
    "REV": ("REV", "Rev", "REV"),
}


@pytest.mark.parametrize("code", NAMES)
def test_books_are_known_by_the_names_of_three_standards(code: str) -> None:
    assert {book_code(name) for name in NAMES[code]} == {code}


def test_other_names_have_no_book_code() -> None:
    assert {book_code(name) for name in ["", "XYZ", "Genesis", "XXA", *PERIPHERAL]} == {""}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("GEN 1:1", "GEN 1:1"),
        ("gen 1:1", "GEN 1:1"),
        ("b.GEN.1.1", "GEN 1:1"),
        ("b.1SA.31.13", "1SA 31:13"),
        ("Gen.1.1", "GEN 1:1"),
        ("1John.5.21", "1JN 5:21"),
        ("PSA 119:176", "PSA 119:176"),
        ("PSA 3:0", "PSA 3:0"),
        ("GEN 1:01", "GEN 1:1"),
        ("GEN 1:1-2", "GEN 1:1"),
        ("GEN 1:31-2:1", "GEN 1:31"),
        ("GEN 2:3a", "GEN 2:3"),
        ("GEN 2:3b-4a", "GEN 2:3"),
    ],
)
def test_references_are_read(written: str, expected: str) -> None:
    assert str(parse_reference(written)) == expected


@pytest.mark.parametrize(
    "written",
    ["", "GEN", "GEN 1", "GEN 1:", "GEN 1:x", "GENESIS 1:1", "XYZ 1:1", "GEN 1:1 ", "GEN  1:1",
     "GEN 1:1-", "GEN -1:1", "1:1", "GEN 1:1:1", "GEN 1:1000", "GEN ١:١", "id"],
)  # fmt: skip
def test_other_texts_are_not_references(written: str) -> None:
    assert parse_reference(written) is None


@given(st.sampled_from(sorted(NAMES)), st.integers(0, 999), st.integers(0, 999))
def test_a_reference_comes_back_as_it_was_written(book: str, chapter: int, verse: int) -> None:
    reference = VerseReference(book, chapter, verse)
    assert parse_reference(str(reference)) == reference


def test_a_broken_reference_is_an_error_that_says_where_and_how_it_is_right() -> None:
    with pytest.raises(InputError, match=r"^a\.tsv:7: 'GEN 1' is not a verse; write GEN 1:1$"):
        require_reference("GEN 1", "a.tsv", 7)
    with pytest.raises(InputError) as caught:
        require_reference("x" * 1000, "a.tsv", 7)
    assert len(str(caught.value)) < 150
