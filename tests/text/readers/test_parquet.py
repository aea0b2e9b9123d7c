from __future__ import annotations

import datetime as dt
from pathlib import Path

import polars as pl
import pytest

from tealeaves.errors import InputError
from tealeaves.files import Meter
from tealeaves.text import Corpus, Fields


def write(path: Path, **columns: object) -> Path:
    pl.DataFrame(columns).write_parquet(path)
    return path


def test_each_row_is_a_document(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.parquet",
        text=["un café", ""],
        id=[7, None],
        label=["food", None],
        language=["fr", "fr"],
        other=[1.5, 2.5],
    )
    documents = [(d.text, d.id, d.label, d.language, d.position) for d in Corpus.open(path)]
    assert documents == [("un café", "7", "food", "fr", 0), ("", "", "", "fr", 1)]


def test_many_rows_keep_their_order_over_batches_and_row_groups(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    texts = [f"document {number}" for number in range(25_001)]
    pl.DataFrame({"text": texts}).write_parquet(path, row_group_size=3_000)
    corpus = Corpus.open(path)
    assert [d.text for d in corpus] == texts
    assert [d.position for d in corpus] == list(range(25_001))
    assert [d.text for d in corpus[9_999:10_002]] == texts[9_999:10_002]


def test_a_list_of_tokens_is_a_text(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", text=[["a", "b"], []])
    assert [d.text for d in Corpus.open(path)] == ["a b", ""]


def test_fields_may_have_other_names(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", body=["b"], text=["t"], when=[dt.date(2020, 1, 2)])
    [document] = Corpus.open(path, fields=Fields(text="body", id="when"))
    assert (document.text, document.id) == ("b", "2020-01-02")


def test_two_parts_may_come_from_one_column(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", text=["t"])
    [document] = Corpus.open(path, fields=Fields(label="text"))
    assert (document.text, document.label) == ("t", "t")


def test_a_missing_column_is_an_error_that_names_the_columns(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", texts=["t"], id=[1])
    with pytest.raises(InputError, match=r"no field 'text'; did you mean texts\?.*texts, id") as c:
        list(Corpus.open(path))
    assert str(c.value).startswith(f"{path}: ")


def test_a_null_text_is_an_empty_document(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", text=["t", None])
    assert [document.text for document in Corpus.open(path)] == ["t", ""]


def test_a_name_with_brackets_is_not_a_pattern(tmp_path: Path) -> None:
    write(tmp_path / "x1.parquet", text=["wrong"])
    path = write(tmp_path / "x[1].parquet", text=["right"])
    assert [document.text for document in Corpus.open(path)] == ["right"]


@pytest.mark.parametrize("cut", [0, 3, 100, -1])
def test_a_file_cut_short_is_an_error_that_names_it(tmp_path: Path, cut: int) -> None:
    path = write(tmp_path / "a.parquet", text=["t"] * 100)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(InputError, match="not a readable Parquet file") as caught:
        list(Corpus.open(path))
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_another_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_text("text,id\none,1\n" * 10)
    with pytest.raises(InputError, match="not a readable Parquet file"):
        list(Corpus.open(path))


def test_a_parquet_file_compressed_once_more_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet.gz"
    path.write_bytes(b"\x1f\x8b")
    with pytest.raises(InputError, match=r"compressed already: unpack the \.gz"):
        list(Corpus.open(path))


def test_the_meter_ends_at_the_size_of_the_file(tmp_path: Path) -> None:
    corpus = Corpus.open(write(tmp_path / "a.parquet", text=["t"] * 100))
    meter = Meter(corpus.size)
    assert len(list(corpus.documents(meter))) == 100
    assert meter.done == meter.total > 0
