"""Annotation sheets, out and in."""

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
from tealeaves.lexicon.annotation.sheets import COLUMNS, read_sheet, read_sheets, write_sheet

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
