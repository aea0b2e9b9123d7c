"""Parquet files, read by polars: whatever is wrong with a file is one error of one line.

polars panics for some damaged files. Rust then prints to standard error and raises what is not even
an ``Exception``.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, TypeVar

from tealeaves.errors import InputError
from tealeaves.files import InputFile
from tealeaves.limits import check_bytes
from tealeaves.system import stderr_without
from tealeaves.tables.parquet_pages import check_pages

if TYPE_CHECKING:
    import polars as pl

_CELL = 8  # bytes of a number

Batch = TypeVar("Batch")


def read_frame(file: InputFile) -> pl.DataFrame:
    """Read a whole file, which is a small one; a few bytes may claim any number of rows."""
    import polars as pl

    data = io.BytesIO(file.read())
    check_parquet(data, file.name)
    with parquet_errors(file.name):
        rows = pl.scan_parquet(data).select(pl.len()).collect().item()
        columns = len(pl.read_parquet_schema(data))
    what = f"{file.name}: {rows} rows of {columns} columns"
    check_bytes("text", _CELL * rows * columns, what, size=file.size)
    with parquet_errors(file.name):
        frame = pl.read_parquet(data)
    check_bytes("text", int(frame.estimated_size()), what, size=file.size)
    return frame


def check_parquet(file: IO[bytes], name: str) -> None:
    """Refuse a file with headers that would let polars end the process."""
    try:
        check_pages(file)
    except ValueError as error:
        raise InputError(f"{name}: not a readable Parquet file: {error}") from error


def read_batches(batches: Iterable[Batch], name: str) -> Iterator[Batch]:
    """Yield batches, each of which is read when it is asked for."""
    rest = iter(batches)
    while True:
        with parquet_errors(name):
            batch = next(rest, None)
        if batch is None:
            return
        yield batch


@contextmanager
def parquet_errors(name: str) -> Iterator[None]:
    """Turn all errors and panics of polars into input errors, and keep panics off the terminal."""
    import polars as pl

    try:
        with stderr_without(b"panicked at"):
            yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        first = (str(error).strip().splitlines() or ["damaged"])[0]
        raise InputError(f"{name}: not a readable Parquet file: {first}") from error
