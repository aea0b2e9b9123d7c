"""Bibles of one verse a line: with the reference in the line, or in another file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.text.bible.lines import read_ebible, read_verse_tsv
from tealeaves.text.bible.verses import VerseReference

VREF = ["GEN 1:1", "GEN 1:2", "GEN 1:3", "GEN 2:1"]


def rows(*lines: str) -> list[tuple[str, str, int]]:
    return [(str(v.reference), v.text, v.line) for v in read_verse_tsv(lines, "a.tsv")]


def ebible(lines: list[str], references: list[str]) -> list[tuple[str, str]]:
    verses = read_ebible(lines, references, name="a.txt", references_name="vref.txt")
    return [(str(verse.reference), verse.text) for verse in verses]


def test_rows_are_read_with_their_lines() -> None:
    assert rows("GEN 1:1\tone", "", "GEN 1:2\ttwo\tand a tab", "EXO 1:1\t") == [
        ("GEN 1:1", "one", 1),
        ("GEN 1:2", "two\tand a tab", 3),
        ("EXO 1:1", "", 4),
    ]


def test_rows_may_name_ranges_and_parts() -> None:
    assert [row[0] for row in rows("GEN 1:1-2\ta", "GEN 1:3a\tb", "GEN 1:3b\tc")] == [
        "GEN 1:1",
        "GEN 1:3",
        "GEN 1:3",
    ]


@pytest.mark.parametrize("broken", ["GEN 1\tx", "id\ttext", "GEN 1:x\tb", "\tx", "GEN 1:1234\tb"])
def test_a_broken_row_is_an_error_that_names_its_line(broken: str) -> None:
    with pytest.raises(InputError, match=r"^a\.tsv:2: .* is not a verse; write GEN 1:1"):
        rows("GEN 1:1\ta", broken)


references = st.builds(
    VerseReference, st.sampled_from(["GEN", "EXO"]), st.integers(1, 3), st.integers(1, 150)
)


@given(st.lists(references))
def test_rows_are_read_in_any_order(wanted: list[VerseReference]) -> None:
    assert [row[0] for row in rows(*(f"{r}\tx" for r in wanted))] == list(map(str, wanted))


def test_a_range_is_one_text_under_its_first_verse_and_blank_lines_are_missing_verses() -> None:
    assert ebible(["both", "<range>", "", "last"], VREF) == [
        ("GEN 1:1", "both"),
        ("GEN 2:1", "last"),
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["a"], "a.txt has 1 lines, but vref.txt has 4"),
        (["a"] * 6, "a.txt has 6 lines, but vref.txt has 4"),
        ([], "a.txt has 0 lines, but vref.txt has 4"),
        (["<range>", "a", "b", "c"], "a.txt:1: <range>, but there is no verse before it"),
    ],
)
def test_lines_that_do_not_fit_the_references_are_an_error(lines: list[str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        ebible(lines, VREF)
    assert str(caught.value).startswith(message)


def test_a_broken_reference_is_an_error_of_the_file_of_references() -> None:
    with pytest.raises(InputError, match=r"^vref\.txt:2: 'GEN 1' is not a verse"):
        ebible(["a", "b"], ["GEN 1:1", "GEN 1"])


def test_spaces_around_a_range_do_not_matter() -> None:
    assert ebible(["both", "<range> ", " <range>", "last"], VREF) == [
        ("GEN 1:1", "both"),
        ("GEN 2:1", "last"),
    ]
