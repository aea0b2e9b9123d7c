from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.text import Corpus, Document, Fields

ROWS = st.lists(
    st.tuples(*[st.text(st.characters(exclude_characters="\r\0", codec="utf-8"))] * 2), max_size=6
)


def read(path: Path, data: str | bytes, fields: Fields | None = None) -> list[Document]:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return list(Corpus.open(path, fields=fields))


def test_each_row_is_a_document(tmp_path: Path) -> None:
    data = "id,label,text,language\n7,food,bread and soup,en\n8,,rain,en\n"
    documents = read(tmp_path / "a.csv", data)
    assert [(d.id, d.label, d.text, d.language, d.position) for d in documents] == [
        ("7", "food", "bread and soup", "en", 0),
        ("8", "", "rain", "en", 1),
    ]


def test_quotes_protect_commas_quotes_and_line_breaks(tmp_path: Path) -> None:
    data = 'text,id\r\n"one, two\r\nthree ""four""",1\r\n"\n",2\r\n'
    assert [d.text for d in read(tmp_path / "a.csv", data)] == ['one, two\nthree "four"', "\n"]


@settings(deadline=None)
@given(ROWS)
def test_any_rows_are_read_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]
) -> None:
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows([("text", "label"), *rows])
    documents = read(tmp_path_factory.getbasetemp() / "rows.csv", stream.getvalue())
    assert [(d.text, d.label) for d in documents] == rows


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    assert read(tmp_path / "a.csv", "\ufefftext\none\n")[0].text == "one"


def test_a_text_may_be_longer_than_the_limit_of_the_csv_module(tmp_path: Path) -> None:
    long = "word " * 100_000
    assert read(tmp_path / "a.csv", f'text\n"{long}"\n')[0].text == long


def test_the_field_size_limit_fits_a_long_of_32_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[int] = []

    def field_size_limit(*new: int) -> int:
        limits.extend(new)
        return 0

    monkeypatch.setattr(csv, "field_size_limit", field_size_limit)
    read(tmp_path / "a.csv", "text\none\n")
    assert limits
    assert max(limits) <= 2**31 - 1, "more is an OverflowError on Windows"


@pytest.mark.parametrize("data", ["", "text\n", "text,id\r\n"])
def test_a_table_without_rows_has_no_documents(tmp_path: Path, data: str) -> None:
    assert read(tmp_path / "a.csv", data) == []


def test_fields_may_have_other_names(tmp_path: Path) -> None:
    [document] = read(tmp_path / "a.csv", "text,body\nnot this,this\n", Fields(text="body"))
    assert document.text == "this"


@pytest.mark.parametrize(
    ("data", "line", "count"),
    [
        ("text,id\none,1\ntwo\n", 3, 1),
        ("text,id\none,1\ntwo,2,3\n", 3, 3),
        ('text,id\n"a\nb",1\nunquoted, comma,2\n', 4, 3),
    ],
)
def test_a_wrong_number_of_fields_is_an_error_that_names_the_line(
    tmp_path: Path, data: str, line: int, count: int
) -> None:
    path = tmp_path / "a.csv"
    with pytest.raises(InputError) as caught:
        read(path, data)
    assert str(caught.value) == f"{path}:{line}: {count} fields, but the header has 2"


def test_a_missing_header_field_is_an_error_that_names_the_fields(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    with pytest.raises(InputError, match="Text, id") as caught:
        read(path, "Text,id\none,1\n")
    assert str(caught.value).startswith(f"{path}:1: no field 'text'; did you mean Text?")


@pytest.mark.parametrize("data", ['text\n"open\nto the end\n', 'text\n"a" b\n'])
def test_a_broken_quote_is_an_error_that_names_the_file(tmp_path: Path, data: str) -> None:
    path = tmp_path / "a.csv"
    with pytest.raises(InputError) as caught:
        read(path, data)
    assert str(caught.value).startswith(f"{path}:")


def test_two_columns_of_one_name_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="text"):
        read(tmp_path / "a.csv", "text,text\none,two\n")


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_invalid_utf8_is_an_error_that_names_line_and_byte(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    with pytest.raises(InputError) as caught:
        read(path, b"text\none\nt\xffo\n")
    assert str(caught.value).startswith(f"{path}:3: invalid UTF-8 at byte 10 of the file")


def test_in_tsv_a_quotation_mark_is_text(tmp_path: Path) -> None:
    data = 'text\tid\n"open quote\t1\nsaid "yes"\t2\n\'a, b\'\t3\n'
    documents = read(tmp_path / "a.tsv", data)
    assert [d.text for d in documents] == ['"open quote', 'said "yes"', "'a, b'"]


def test_in_tsv_a_backslash_is_text(tmp_path: Path) -> None:
    assert [d.text for d in read(tmp_path / "a.tsv", "text\tid\na\\tb\\\t1\n")] == ["a\\tb\\"]


def test_in_tsv_a_wrong_number_of_fields_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    with pytest.raises(InputError) as caught:
        read(path, "text\tid\none\t1\none\ttab\ttoo many\n")
    assert str(caught.value) == f"{path}:3: 3 fields, but the header has 2"


def test_columns_without_a_header_have_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text('d1\tfirst\nd2\tsecond "quoted\n')
    fields = Fields(id="1", text="2")
    documents = list(Corpus.open(path, reader="tsv(header=false)", fields=fields))
    assert [(d.id, d.text, d.position) for d in documents] == [
        ("d1", "first", 0), ("d2", 'second "quoted', 1),
    ]  # fmt: skip
    path.write_text('d1,"a, b"\nd2,c\n')
    documents = list(Corpus.open(path, reader="csv(header=false)", fields=fields))
    assert [d.text for d in documents] == ["a, b", "c"]
    blocks = list(Corpus.open(path, reader="csv(header=false)", fields=fields).blocks())
    assert [block.text(1) for block in blocks] == ["c"]


def test_rows_of_other_lengths_and_missing_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("a\tb\nc\n")
    with pytest.raises(InputError, match=r"a\.tsv:2: 1 fields, but line 1 has 2"):
        list(Corpus.open(path, reader="tsv(header=false)", fields={"text": "1"}))
    with pytest.raises(InputError, match=r"no field 'text' \(fields here: 1, 2;"):
        list(Corpus.open(path, reader="tsv(header=false)"))
