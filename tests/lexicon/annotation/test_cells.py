"""Cells that spreadsheets leave alone."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.lexicon.annotation.sheets import guarded, read_cells, unguarded, write_cells

CELL = st.text("ab\t\"'=\r\n é", max_size=6)


@given(st.text("'=+-@.19ae TRUmr", max_size=6))
def test_what_is_guarded_comes_back(text: str) -> None:
    assert unguarded(guarded(text)) == text
    assert guarded(text)[:1] not in tuple("=+-@0123456789.")


@pytest.mark.parametrize(
    "text", ["=1+1", "+a", "-nsa", "@x", "01001001", "1:1", "true", "FALSE", "MAR 1", "May 5", ".5"]
)
def test_what_spreadsheets_would_change_is_guarded(text: str) -> None:
    assert guarded(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "hand/N", "GEN 1:1", "truth", "'tis", "ma", "mark"])
def test_what_they_leave_alone_is_not(text: str) -> None:
    assert guarded(text) == unguarded(text) == text


@given(st.lists(st.lists(CELL, min_size=1, max_size=3), max_size=3))
def test_cells_come_back_and_are_those_of_any_reader(rows: list[list[str]]) -> None:
    written = write_cells(rows)
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    assert [row for _, row in read_cells(written)] == filled
    theirs = csv.reader(io.StringIO(written, newline=""), "excel-tab", strict=True)
    assert [row for row in theirs if any(cell.strip() for cell in row)] == filled


def test_lines_are_counted_whatever_ends_them() -> None:
    text = 'a\tb\r\n"c\nc"\td\n\t\t\r\ne\tf\rg\t'
    assert list(read_cells(text)) == [
        (1, ["a", "b"]),
        (2, ["c\nc", "d"]),
        (5, ["e", "f"]),
        (6, ["g", ""]),
    ]


def test_quotation_marks_are_text_where_nothing_is_quoted() -> None:
    """As some spreadsheets write tables."""
    text = '"And he said\tb\nhe said "no"\t"yes" or no\n'
    assert [row for _, row in read_cells(text)] == [
        ['"And he said', "b"],
        ['he said "no"', '"yes" or no'],
    ]
