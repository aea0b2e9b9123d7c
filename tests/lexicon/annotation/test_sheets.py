"""Annotation sheets: their cells, their rows, writing and reading them."""

from __future__ import annotations

import csv
import io
import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.lexicon.annotation.annotation import Annotation, normalized_expression
from tealeaves.lexicon.annotation.sample import SamplePlan
from tealeaves.lexicon.annotation.sampling import draw_sample
from tealeaves.lexicon.annotation.sheets import (
    COLUMNS,
    marked,
    read_cells,
    read_sheet,
    read_sheets,
    sheet_cell,
    sheet_rows,
    text_of_cell,
    write_cells,
    write_sheet,
)
from tealeaves.lexicon.bitext import Passages
from tealeaves.lexicon.words import Words

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=6)
WILD = st.text("a=+-@'\"1\t\n é…", max_size=6)
NAME = (TEXT | WILD).filter(bool)
PROSE = (TEXT | WILD).map(lambda text: " ".join(text.split()))
EXPRESSION = st.text("aä-=+@'\"… b", min_size=1, max_size=6).map(normalized_expression)
SAID = st.none() | st.frozensets(EXPRESSION.filter(lambda said: said not in ("", "-")), max_size=3)


@st.composite
def sheets(draw: st.DrawFn) -> list[Annotation]:
    keys = draw(st.lists(NAME, min_size=1, max_size=4, unique=True))
    return [
        Annotation(
            lemma=draw(NAME),
            pos=draw(st.sampled_from("NAV")),
            bin=draw(st.sampled_from(["", "30-100", "300+"])),
            split=draw(st.sampled_from(["dev", "test", "mixed"])),
            source="eng",
            target=draw(NAME),
            key=key,
            place=draw(st.integers(0, 50)),
            form=draw(TEXT | WILD),
            passage=draw(PROSE),
            translation=draw(PROSE),
            expressions=draw(SAID),
            words=tuple(sorted(draw(st.sets(st.integers(0, 30), max_size=3)))),
        )
        for key in keys
    ]


def read_plainly(path: Path) -> list[Annotation]:
    """Read a sheet as it was before it was written: without files and lines."""
    return [msgspec.structs.replace(one, where="") for one in read_sheet(path)]


@settings(max_examples=60)
@given(sheets(), st.sampled_from([".tsv", ".jsonl"]))
def test_sheets_come_back(rows: list[Annotation], suffix: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"fin{suffix}"
        write_sheet(rows, path)
        assert read_plainly(path) == rows


def resaved(data: bytes, how: str) -> bytes:
    """Save a table again as spreadsheets do."""
    text = data.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text, newline=""), "excel-tab"))
    written = io.StringIO(newline="")
    if how == "excel":
        csv.writer(written, "excel-tab").writerows(rows)
        return written.getvalue().encode("utf-8-sig")
    if how == "csv":
        csv.writer(written).writerows(rows)
        return written.getvalue().encode("utf-8-sig")
    if how == "libreoffice":
        csv.writer(written, "excel-tab", quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
        return written.getvalue().encode()
    blank = [""] * len(rows[0])  # trailing cells dropped, blank rows at the end, nothing quoted
    lines = ["\t".join(row).rstrip("\t") for row in rows] + ["\t".join(blank)] * 3
    return "\r\n".join(lines).encode()


@pytest.mark.parametrize("how", ["excel", "csv", "libreoffice", "google"])
def test_spreadsheets_give_back_what_they_were_given(tmp_path: Path, how: str) -> None:
    said = [None, frozenset(), frozenset({"-nsa", "käsi"}), frozenset({"ottaa … kiinni"})]
    rows = [
        Annotation(
            lemma="true/A",
            pos="A",
            bin="30-100",
            key=f"0100100{number}",
            place=number,
            form="true",
            passage='"It is »true«," he said',
            translation="= niin",
            expressions=one,
            words=(1, 12) if one else (),
        )
        for number, one in enumerate(said)
    ]
    write_sheet(rows, tmp_path / "a.tsv")
    path = tmp_path / ("b.csv" if how == "csv" else "b.tsv")
    path.write_bytes(resaved((tmp_path / "a.tsv").read_bytes(), how))
    assert read_plainly(path) == rows


def test_no_cell_of_a_table_is_a_formula(tmp_path: Path) -> None:
    evil = '=HYPERLINK("http://a")'
    row = Annotation(
        lemma=evil, key="+1", place=0, form="@x", passage="-1", expressions=frozenset({"=a"})
    )
    write_sheet([row], tmp_path / "a.tsv")
    text = (tmp_path / "a.tsv").read_text(encoding="utf-8-sig")
    _, cells = csv.reader(io.StringIO(text), "excel-tab")
    assert not [cell for cell in cells if cell.startswith(tuple("=+-@"))]
    assert read_plainly(tmp_path / "a.tsv") == [row]


def test_nothing_is_a_mere_dash(tmp_path: Path) -> None:
    write_sheet(
        [Annotation(lemma="a", key="1", place=0, expressions=frozenset())], tmp_path / "a.tsv"
    )
    last = (tmp_path / "a.tsv").read_text(encoding="utf-8-sig").splitlines()[1].split("\t")
    assert last[COLUMNS.index("expressions")] == "-"


def test_columns_in_any_order_and_others_beside_them(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("note\tExpressions \tplace\tkey\tlemma\nhm\tx\t3.0\tGEN 1:1\thand/N\n")
    [found] = read_sheet(path)
    assert found == Annotation(
        lemma="hand/N",
        pos="N",
        key="GEN 1:1",
        place=3,
        expressions=frozenset({"x"}),
        where=f"{path}:2",
    )
    assert found.is_annotated


@pytest.mark.parametrize(("suffix", "first"), [(".tsv", 2), (".jsonl", 1)])
def test_annotations_know_the_line_that_they_were_read_from(
    tmp_path: Path, suffix: str, first: int
) -> None:
    path = tmp_path / f"a{suffix}"
    write_sheet([Annotation(lemma="a", key=key, place=0) for key in "12"], path)
    found = read_sheet(path)
    assert [one.where for one in found] == [f"{path}:{first}", f"{path}:{first + 1}"]
    write_sheet(found, path)  # which is not written
    assert "where" not in path.read_text()


def test_json_may_have_lists_or_cells(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"lemma": "a", "key": "1", "place": 0, "expressions": "x | y", "words": "2,1"}\n'
        '{"lemma": "a", "key": "2", "place": 0, "expressions": ["x|y"], "words": [3]}\n'
        '{"lemma": "a", "key": "3", "place": 0, "expressions": []}\n'
        '{"lemma": "a", "key": "4", "place": 0, "expressions": null, "pos": null}\n'
    )
    found = read_sheet(path)
    assert [one.expressions for one in found] == [{"x", "y"}, {"x|y"}, set(), None]
    assert [one.words for one in found] == [(1, 2), (3,), (), ()]


HEADER = "lemma\tkey\tplace\texpressions\twords\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ": no rows"),
        (HEADER, ": no rows"),
        ("lemma\tkey\tplace\texpression\na\t1\t0\tx\n", ":2: no column expressions; did you mean"),
        (HEADER + "a\t1\t0\tx | \n", ":2: an expression is empty"),
        (HEADER + "a\t1\t0\tx\n\na\t1\tb\tx\n", ":4: place is 'b', not a number from 0"),
        (HEADER + "a\t1\t-1\tx\n", ":2: place is '-1', not a number from 0"),
        (HEADER + "a\t1\t0\tx\t1 b\n", ":2: words is 'b', not a number from 0"),
        (HEADER + "\t1\t0\tx\n", ":2: the lemma is missing"),
        (HEADER + "a\t\t0\tx\n", ":2: the key is missing"),
        (HEADER + "a\t1\t0\tx\t\tmore\n", ":2: 6 cells, but the header has 5"),
        (HEADER + "a\t1\t0\tx\na\t1\t0\ty\n", ":3: token 0 of 1 stands at "),
        (HEADER + "a\t1\t0\t#NAME?\n", ":2: #NAME? is what a spreadsheet makes of a formula"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        read_sheet(path)
    assert str(error.value).startswith(f"{path}{told}")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("value", ["5", '{"a": 1}', "[1]"])
def test_json_that_is_no_expressions(tmp_path: Path, value: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"lemma": "a", "key": "1", "place": 0, "expressions": {value}}}\n')
    with pytest.raises(InputError, match=r"a\.jsonl:1: expressions are .*, not text or a list"):
        read_sheet(path)


def test_files_that_are_no_sheets(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"missing\.tsv: no such file"):
        read_sheet(tmp_path / "missing.tsv")
    (tmp_path / "a.xlsx").write_bytes(b"PK")
    with pytest.raises(InputError, match=r"a\.xlsx: a sheet is \.tsv or \.jsonl or \.csv"):
        read_sheet(tmp_path / "a.xlsx")
    with pytest.raises(InputError, match=r"b\.txt: a sheet is \.tsv or \.jsonl"):
        write_sheet([], tmp_path / "b.txt")
    (tmp_path / "c.tsv").write_bytes("lemma".encode("utf-16"))
    with pytest.raises(InputError, match=r"c\.tsv:\d+: invalid UTF-8 .*: save the file as UTF-8"):
        read_sheet(tmp_path / "c.tsv")


def test_folders_of_sheets(tmp_path: Path) -> None:
    for name in ("fin", "ara"):
        row = Annotation(lemma="a", key="1", place=0, target=name)
        write_sheet([row], tmp_path / f"{name}.tsv")
    (tmp_path / "sample.json").write_text("{}")
    assert [one.target for one in read_sheets([tmp_path])] == ["ara", "fin"]
    both = [tmp_path / "fin.tsv", tmp_path]
    assert [one.target for one in read_sheets(both)] == ["fin", "ara"]  # each once
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty: no sheet \(\.tsv, \.jsonl\) in this folder"):
        read_sheets([tmp_path / "empty"])


# ---------------------------------------------------------------------- rows of a sample


def passages(language: str, *, texts: dict[str, str], words: str = "") -> Passages:
    forms = Words.of(text.replace(".", "").replace(",", "").split() for text in texts.values())
    told = Words.of(words.split() for words in words.split("|")) if words else forms
    return Passages(language, tuple(texts), forms, told, texts=tuple(texts.values()))


SOURCE = passages(
    "eng",
    texts={"1": "The hand, the Hands.", "2": "A hand."},
    words="the hand/N the hand/N|a hand/N",
)


def test_tokens_stand_in_context_beside_the_target() -> None:
    target = passages("fin", texts={"2": "Käsi.", "1": "Käsi, kädet."})
    other = passages("zho", texts={"1": "手."})
    sample = draw_sample(SOURCE, [target, other], SamplePlan(), lemmas=["hand/N"])
    rows = sheet_rows(sample, SOURCE, target)
    assert [(one.key, one.place, one.form, one.passage, one.translation) for one in rows] == [
        ("1", 1, "hand", "The »hand«, the Hands.", "Käsi, kädet."),
        ("1", 3, "Hands", "The hand, the »Hands«.", "Käsi, kädet."),
        ("2", 1, "hand", "A »hand«.", "Käsi."),
    ]
    assert {(one.lemma, one.pos, one.source, one.target) for one in rows} == {
        ("hand/N", "N", "eng", "fin")
    }
    assert not any(one.is_annotated for one in rows)
    assert [one.key for one in sheet_rows(sample, SOURCE, other)] == ["1", "1"]  # what it has


def test_without_texts_the_forms_are_shown() -> None:
    plain = Passages("eng", SOURCE.keys, SOURCE.forms, SOURCE.words)
    assert marked(plain, 0, 3) == "The hand the »Hands«"


def test_where_forms_are_not_all_of_the_text_they_are_shown() -> None:
    """Stop words are left out, so that ``he`` would be found within ``the``."""
    forms = Words.of([["he", "ran"]])
    left = Passages("eng", ("1",), forms, forms, texts=("the he ran",))
    assert marked(left, 0, 0) == "»he« ran"
    gone = Passages("eng", ("1",), forms, forms, texts=("she",))
    assert marked(gone, 0, 1) == "he »ran«"


# ---------------------------------------------------------------------- cells of a spreadsheet

CELL = st.text("ab\t\"'=\r\n é", max_size=6)


@given(st.text("'=+-@.19ae TRUmr", max_size=6))
def test_what_is_guarded_comes_back(text: str) -> None:
    assert text_of_cell(sheet_cell(text)) == text
    assert sheet_cell(text)[:1] not in tuple("=+-@0123456789.")


@pytest.mark.parametrize(
    "text", ["=1+1", "+a", "-nsa", "@x", "01001001", "1:1", "true", "FALSE", "MAR 1", "May 5", ".5"]
)
def test_what_spreadsheets_would_change_is_guarded(text: str) -> None:
    assert sheet_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "hand/N", "GEN 1:1", "truth", "'tis", "ma", "mark"])
def test_what_they_leave_alone_is_not(text: str) -> None:
    assert sheet_cell(text) == text_of_cell(text) == text


@given(st.lists(st.lists(CELL, min_size=1, max_size=3), max_size=3))
def test_cells_come_back_and_are_those_of_any_reader(rows: list[list[str]]) -> None:
    text = write_cells(rows)
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    assert [row for _, row in read_cells(text)] == filled
    theirs = csv.reader(io.StringIO(text, newline=""), "excel-tab", strict=True)
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
