"""Rows of tables: whatever they are written in, they come out the same."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tealeaves.errors import InputError
from tealeaves.tables.rows import Row, read_rows

ROWS: list[dict[str, Any]] = [{"a": 1, "b": "x, y"}, {"a": 2, "b": 'é "q"'}]


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def values(path: Path) -> list[dict[str, Any]]:
    return [row.values for row in read_rows(path)]


def test_every_format_holds_the_same_rows(tmp_path: Path) -> None:
    lines = "".join(json.dumps(row) + "\n" for row in ROWS)
    frame = pl.DataFrame(ROWS)
    frame.write_parquet(tmp_path / "t.parquet")
    assert values(written(tmp_path / "t.jsonl", lines + "\n")) == ROWS
    assert values(written(tmp_path / "t.json", json.dumps(ROWS))) == ROWS
    assert values(written(tmp_path / "s.json", json.dumps({"scores": ROWS, "notes": []}))) == ROWS
    assert values(tmp_path / "t.parquet") == ROWS
    texts = [{"a": str(row["a"]), "b": row["b"]} for row in ROWS]
    assert values(written(tmp_path / "t.csv", frame.write_csv())) == texts
    assert values(written(tmp_path / "t.tsv", 'a\tb\n1\tx, y\n2\té "q"\n')) == texts
    (tmp_path / "t.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    assert values(tmp_path / "t.jsonl.gz") == ROWS


def test_semicolons_come_with_decimal_commas(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "topic;score;words\n1;2,5;a,b\n")
    assert values(path) == [{"topic": "1", "score": "2.5", "words": "a,b"}]


def test_quotation_marks_of_r_are_none_of_the_text(tmp_path: Path) -> None:
    assert values(written(tmp_path / "t.tsv", '"a"\t"b"\n1\t"x"\n')) == [{"a": "1", "b": "x"}]


@pytest.mark.parametrize("heading", ["", "Unnamed: 0"])
def test_the_index_of_a_data_frame_is_no_column(tmp_path: Path, heading: str) -> None:
    assert values(written(tmp_path / "t.csv", f"{heading},a\n0,x\n")) == [{"a": "x"}]


def test_a_byte_order_mark_is_no_part_of_a_name(tmp_path: Path) -> None:
    assert values(written(tmp_path / "t.csv", "\ufeffa,b\n1,2\n")) == [{"a": "1", "b": "2"}]


def test_nan_in_json_is_read_although_json_has_none(tmp_path: Path) -> None:
    (found,) = values(written(tmp_path / "t.jsonl", '{"a": NaN}\n'))
    assert math.isnan(found["a"])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.jsonl", '{"a": 1}\n[1]\n', r"t\.jsonl:2: not a JSON object"),
        ("t.jsonl", '{"a": 1\n', r"t\.jsonl:1: not a JSON object"),
        ("t.json", "{", "not JSON"),
        ("t.json", '{"other": []}', "not an array of JSON objects"),
        ("t.json", "[1]", "not an array of JSON objects"),
        ("t.csv", "a,b\n1\n", r"t\.csv:2: 1 fields, but the header has 2"),
        ("t.csv", "a,a\n1,2\n", "two columns are called 'a'"),
        ("t.parquet", "no", "not a readable Parquet file"),
        ("t.txt", "a", "a table is"),
        ("t.jsonl", '{"a": 1}\n{"a": ["\\ud800"]}\n', r"t\.jsonl:2: half a character"),
        ("t.json", '[{"a": "x"}, {"\\uDFFF": 1}]', r"t\.json, row 2: half a character"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = written(tmp_path / name, text)
    with pytest.raises(InputError, match=message):
        list(read_rows(path))


def test_whole_characters_may_be_written_in_halves(tmp_path: Path) -> None:
    text = '[{"a": "\\ud83d\\ude00"}]'
    assert values(written(tmp_path / "t.json", text)) == [{"a": "\U0001f600"}]


@pytest.mark.parametrize(
    "text",
    [
        "topic\tscore\n1\t2.5\n",
        "sep=;\ntopic;score\n1;2,5\n",
        '"sep=;"\ntopic;score\n1;2,5\n',
        "sep=,\ntopic,score\n1,2.5\n",
        "sep=|\r\ntopic|score\r\n1|2.5\r\n",
        "sep=\t\ntopic\tscore\n1\t2.5\n",
    ],
)
def test_what_spreadsheets_call_csv(tmp_path: Path, text: str) -> None:
    assert values(written(tmp_path / "t.csv", text)) == [{"topic": "1", "score": "2.5"}]


def test_lines_are_counted_with_what_stands_before_the_header(tmp_path: Path) -> None:
    (row,) = read_rows(written(tmp_path / "t.csv", "sep=;\na;b\n1;2\n"))
    assert row.where.endswith("t.csv:3")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a folder, not a file"):
        read_rows(tmp_path)


def test_a_file_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no\.csv: no such file"):
        list(read_rows(tmp_path / "no.csv"))


# ---------------------------------------------------------------------- fields of a row


def test_fields_are_what_they_must_be() -> None:
    row = Row("f:1", {"id": 3.0, "n": "2.5", "words": ["a", 1], "votes": [1, "2"]})
    assert row.text("id") == "3"
    assert row.number("n") == 2.5
    assert row.words("words") == ["a", "1"]
    assert row.numbers("votes") == [1.0, 2.0]


@pytest.mark.parametrize(
    ("method", "name", "message"),
    [
        (
            "text",
            "modell",
            r"f:1: no field modell; did you mean model\? \(there are model, n, l, i\)",
        ),
        ("text", "model", r"f:1: model is None, not a name"),
        ("text", "l", r"f:1: l is \[None, 'x'\], not a name"),
        ("number", "n", r"f:1: n is 'many', not a number"),
        ("number", "model", r"f:1: model is None, not a number"),
        ("number", "i", r"f:1: i is 'inf', not a finite number"),
        ("number", "l", r"f:1: l is \[None, 'x'\], not a number"),
        ("numbers", "n", r"f:1: n is 'many', not a list"),
        ("numbers", "l", r"f:1: l is None, not a number"),
        ("words", "model", r"f:1: model is None, not a list"),
    ],
)
def test_fields_that_are_not_name_the_place(method: str, name: str, message: str) -> None:
    row = Row("f:1", {"model": None, "n": "many", "l": [None, "x"], "i": "inf"})
    with pytest.raises(InputError, match=message):
        getattr(row, method)(name)
