"""Tables as CSV: no formula for a spreadsheet, no command for a terminal, and nothing is lost."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.judgments import Judgments, read_judgments
from tealeaves.lexicon.annotation.sheets import sheet_cell, text_of_cell
from tealeaves.metrics.reading import read_scores
from tealeaves.metrics.scores import Score, Scores
from tealeaves.tables.formats import csv_text
from tealeaves.tables.rows import read_rows
from tealeaves.tables.spreadsheets import cell_of, read, written

# what spreadsheets compute when a cell begins with it
FORMULA = re.compile(r"\s*[=+\-@＝＋－＠\t\r\n]")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
TEXT = st.text(st.sampled_from("'=-+@\\x1bf0a.8 \x1b\r\x9f\t\n")) | st.text()
HOSTILE = [
    "=1+1", '=HYPERLINK("http://x")', "+1+cmd|'/c calc'!A0", "-1+1", "@SUM(1)", "\t=1", "\r=1",
    "\n=1", "'=1", "''@x", "-", "--", "-a", "-1", "\x1b]0;x\x07", "\\x1b", "\\\x1b", "\\\\x1b",
    "a\x9bb", "'tis", "x\u202ey",
]  # fmt: skip

IDS = [one for one in HOSTILE if one.strip() == one]  # space around ids does not count


@given(TEXT)
def test_any_text_comes_back(text: str) -> None:
    assert read(written(text)) == text
    assert text_of_cell(sheet_cell(text)) == text
    assert not CONTROL.search(written(text) + sheet_cell(text))


@given(TEXT)
def test_only_numbers_begin_like_a_formula(text: str) -> None:
    cell = written(text)
    if FORMULA.match(cell) and cell != "-":
        assert isinstance(float(cell.replace("∞", "inf")), float)


@pytest.mark.parametrize(
    "text", ["-1", "-0.5", "+.5", "-1e-05", "-1E5", "-inf", "-Infinity", "+nan", "-∞", "-", "-7."]
)
def test_numbers_stay_numbers(text: str) -> None:
    assert written(text) == read(text) == text
    assert cell_of(-0.25) == -0.25


@pytest.mark.parametrize("text", ["-1+1", "-1 2", "-e5", "-1e", "+-1", "-0x10", "-1;2", "=-1"])
def test_what_only_begins_like_a_number_is_text(text: str) -> None:
    assert written(text) == f"'{text}"


def test_a_table_has_no_formula_and_comes_back(tmp_path: Path) -> None:
    text = csv_text(["=head", "value"], [{"=head": one, "value": -0.5} for one in HOSTILE])
    cells = [row[0] for row in csv.reader(io.StringIO(text, newline=""))]
    assert [one for one in cells if FORMULA.match(one)] == ["-", "-1"]
    path = tmp_path / "a.csv"
    path.write_bytes(text.encode())
    rows = [row.values for row in read_rows(path)]
    assert rows == [{"=head": one, "value": "-0.5"} for one in HOSTILE]


def test_saved_scores_are_read_back(tmp_path: Path) -> None:
    rows = [Score(model, "-1", "npmi", -0.5, 1.0, "s") for model in IDS]
    Scores(rows).save(tmp_path / "scores.csv")
    assert "\n'=1+1,-1,npmi,-0.5," in (tmp_path / "scores.csv").read_text(encoding="utf-8")
    found = read_scores(tmp_path / "scores.csv")
    assert [(row.model, row.topic, row.value) for row in found.rows] == [
        (one, "-1", -0.5) for one in IDS
    ]


def test_saved_judgments_are_read_back(tmp_path: Path) -> None:
    given = [
        {"model": one, "topic": "-1", "annotator": "-anna", "value": 2, "words": ["=a", "b"]}
        for one in IDS
    ]
    judged = Judgments.of(given)
    judged.save(tmp_path / "judged.csv")
    text = (tmp_path / "judged.csv").read_bytes().decode()
    assert "'=1+1" in text
    assert "'-anna" in text
    assert not CONTROL.search(text)
    assert read_judgments(tmp_path / "judged.csv").frame.equals(judged.frame)


@pytest.mark.parametrize("text", [" =1+1", "＝1+1", "\u3000＋cmd", " -x"])
def test_formulas_after_spaces_and_of_full_width_are_text(text: str) -> None:
    assert written(text) == f"'{text}"
    assert read(written(text)) == text
