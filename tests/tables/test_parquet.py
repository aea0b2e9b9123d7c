"""Damaged Parquet files: one line, wherever polars notices the damage."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest

import tealeaves
from tealeaves.errors import InputError
from tealeaves.tables.parquet import parquet_errors, read_batches
from tealeaves.tables.rows import read_rows
from tealeaves.text.corpus import Corpus
from tealeaves.topics.reading import read_topics

PACKAGE = Path(tealeaves.__file__).parent
COLUMNS = {"topic": [0, 0, 1], "word": ["a", "b", "c"], "text": ["x y", "z w", "q"]}


def _panic(*_: object, **__: object) -> None:
    """Do what polars does: Rust writes to the descriptor of standard error by itself."""
    os.write(2, b"\nthread '<unnamed>' panicked at crates/a.rs:1:2:\nno such page\nnote: run\n")
    raise pl.exceptions.PanicException("no such page\n at some place")


@pytest.mark.parametrize(
    "read", [lambda path: list(read_rows(path)), read_topics, lambda path: list(Corpus.open(path))]
)
def test_a_panic_of_polars_is_one_line(
    read: Callable[[Path], object],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "a.parquet"
    pl.DataFrame(COLUMNS).write_parquet(path)
    read(path)
    for name in ("read_parquet", "scan_parquet"):
        monkeypatch.setattr(pl, name, _panic)
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value) == f"{path}: not a readable Parquet file: no such page"
    assert capfd.readouterr().err.strip() == ""


def test_a_panic_in_a_batch_is_an_input_error() -> None:
    def batches() -> Iterator[int]:
        yield 1
        raise pl.exceptions.PanicException("broken\nat some place")

    found = read_batches(batches(), "a.parquet")
    assert next(found) == 1
    with pytest.raises(InputError, match=r"a\.parquet: not a readable Parquet file: broken$"):
        next(found)


def test_other_errors_are_left_alone() -> None:
    with pytest.raises(KeyError), parquet_errors("a.parquet"):
        raise KeyError("a defect")


def test_no_other_module_reads_parquet_files_by_itself() -> None:
    users = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if ".read_parquet(" in path.read_text(encoding="utf-8")
        or ".scan_parquet(" in path.read_text(encoding="utf-8")
    }
    # the first is the wrapper, the second uses it, the third reads a file of a package
    assert users == {
        "tables/parquet.py",
        "text/readers/parquet.py",
        "evidence/embeddings/sources/packages.py",
    }
