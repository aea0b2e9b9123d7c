"""Damaged Parquet files: one line, wherever polars notices the damage."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import tealeaves
from tealeaves.errors import InputError
from tealeaves.tables.parquet import parquet_errors, read_batches
from tealeaves.tables.parquet_pages import check_pages
from tealeaves.tables.rows import read_rows
from tealeaves.text.corpus import Corpus
from tealeaves.text.readers import parquet
from tealeaves.topics.reading import read_topics
from tests.systems import WINDOWS

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


def _check(frame: pl.DataFrame, **options: Any) -> bytes:
    stream = io.BytesIO()
    frame.write_parquet(stream, **options)
    check_pages(stream)
    return stream.getvalue()


@pytest.mark.parametrize("compression", ["zstd", "snappy", "gzip", "lz4", "uncompressed"])
@pytest.mark.parametrize("options", [{}, {"row_group_size": 1000}, {"data_page_size": 200}])
def test_the_pages_of_good_files_are_accepted(compression: str, options: dict[str, Any]) -> None:
    rows = range(5000)
    frame = pl.DataFrame(
        {
            "text": [f"text {row % 97}" * (row % 9) if row % 5 else None for row in rows],
            "number": list(rows),
            "list": [[row] * (row % 3) for row in rows],
            "truth": [row % 2 == 0 for row in rows],
        }
    )
    _check(frame, compression=compression, **options)
    _check(frame.clear(), compression=compression, **options)


def test_sizes_that_do_not_fit_are_refused() -> None:
    """A page that says that it has 2**60 values: polars would end the process."""
    data = _check(pl.DataFrame({"text": ["a", "b", "c"]}), compression="uncompressed")
    refused = 0
    for place in range(4, 60):
        changed = data[:place] + bytes([data[place] ^ 0x40]) + data[place + 1 :]
        try:
            check_pages(io.BytesIO(changed))
        except ValueError:
            refused += 1
    assert refused > 5


@pytest.mark.skipif(WINDOWS, reason="limits of processes are those of POSIX")
def test_no_flipped_bit_ends_the_process(tmp_path: Path) -> None:
    """Each byte of a file is changed, in a process with 2 GB of memory."""
    path = tmp_path / "a.parquet"
    pl.DataFrame(COLUMNS).write_parquet(path)
    code = f"""
import resource
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
from tealeaves.errors import InputError
from tealeaves.files import InputFile
from tealeaves.tables.parquet import read_frame
path = {str(path)!r}
data = open(path, "rb").read()
for place in range(len(data)):
    for bit in (0x01, 0x40):
        changed = data[:place] + bytes([data[place] ^ bit]) + data[place + 1:]
        open(path, "wb").write(changed)
        try:
            read_frame(InputFile(path))
        except InputError:
            pass
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_rows_that_polars_leaves_out_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a panic of another thread, a slice ends as if the file did."""
    path = tmp_path / "a.parquet"
    pl.DataFrame(COLUMNS).write_parquet(path)
    monkeypatch.setattr(parquet, "_read_slices", lambda *_: iter([]))
    with pytest.raises(InputError, match=r"a\.parquet: not a readable .*: 0 of its 3 rows"):
        list(Corpus.open(path))


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
