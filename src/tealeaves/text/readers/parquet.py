"""Parquet files, read slice by slice.

A row group, which may be the whole file, is not decoded at once. Each slice of it is decoded by
itself, so that memory holds the packed column and one slice of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.files import Meter, check_unchanged, file_state
from tealeaves.tables.parquet import check_parquet, parquet_errors, read_batches
from tealeaves.text.blocks import TextBlock, make_blocks
from tealeaves.text.document import Document, Fields
from tealeaves.text.files import SourceFile
from tealeaves.text.readers.records import make_document, missing_field

_ROWS = 2_000  # of a batch, and of the first slice, which tells how large rows are
_BATCH_BYTES = 1 << 25
# Each slice reads the packed column again. So a slice is a share of the file, if that is larger.
_SLICE_BYTES = 1 << 26
_SLICES = 8
_GROWTH = 16  # a slice has at most so many times the rows of the one before


def read_parquet(file: SourceFile, fields: Fields, meter: Meter) -> Iterator[Document]:
    """Read each row as a document; only the columns of the fields are read."""
    position = 0
    for batch in _read_batches(file, fields, msgspec.structs.astuple(fields)):
        yield from _make_documents(batch, file, fields, position)
        position += len(batch)
    meter.done += file.size


def read_parquet_blocks(
    file: SourceFile, fields: Fields, meter: Meter, size: int
) -> Iterator[TextBlock]:
    """Read the same documents as blocks; only the column of the text is read."""
    position = 0
    for batch in _read_batches(file, fields, (fields.text,)):
        column = batch[fields.text].to_list()
        if all(type(text) is str for text in column):
            documents: Iterable[Document] = [
                Document(text, source=file.identity, position=number)
                for number, text in enumerate(column, position)
            ]
        else:
            documents = _make_documents(batch, file, fields, position)
        yield from make_blocks(documents, size)
        position += len(batch)
    meter.done += file.size


def _read_batches(file: SourceFile, fields: Fields, names: tuple[str, ...]) -> Iterator[Any]:
    import polars as pl

    if file.compression:
        raise InputError(
            f"{file.name}: Parquet files are compressed already: unpack the {file.compression} file"
        )
    before = file_state(file.path)
    with file.path.open("rb") as stream:
        check_parquet(stream, file.name)
    with parquet_errors(file.name):
        frame = pl.scan_parquet(file.path, glob=False, hive_partitioning=False)
        columns = frame.collect_schema().names()
        rows = frame.select(pl.len()).collect().item()
    if fields.text not in columns:
        raise missing_field(fields.text, columns, file.name)
    needed = [name for name in dict.fromkeys(names) if name in columns]
    slices = _read_slices(frame.select(needed), max(_SLICE_BYTES, file.size // _SLICES))
    read = 0
    for part in read_batches(slices, file.name):
        read += len(part)
        yield from part.iter_slices(max(1, min(_rows_of(part, _BATCH_BYTES), _ROWS)))
    if read != rows:  # polars may end early instead of telling that a file is damaged
        raise InputError(
            f"{file.name}: not a readable Parquet file: {read} of its {rows} rows can be read"
        )
    check_unchanged(file.path, before, file.name)


def _read_slices(frame: Any, size: int) -> Iterator[Any]:
    """Yield data frames of about ``size`` bytes, with all rows in their order."""
    start, rows = 0, _ROWS
    while True:
        part = frame.slice(start, rows).collect()
        if len(part):
            yield part
        if len(part) < rows:
            return
        start += rows
        rows = min(max(_rows_of(part, size), _ROWS), _GROWTH * rows)


def _rows_of(part: Any, size: int) -> int:
    """Return how many rows like those of a data frame have about so many bytes."""
    return int(size * len(part) // max(part.estimated_size(), 1))


def _make_documents(batch: Any, file: SourceFile, fields: Fields, first: int) -> Iterator[Document]:
    for position, record in enumerate(batch.iter_rows(named=True), first):
        where = f"{file.name}: row {position + 1}"
        yield make_document(record, fields, where=where, source=file.identity, position=position)
