"""Parquet, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.text.compression import Meter, check_unchanged, file_state
from tealeaves.text.document import Document, Fields
from tealeaves.text.readers.records import document_of, missing_field
from tealeaves.text.sources import SourceFile
from tealeaves.text.textblock import TextBlock, batched

_ROWS = 2_000


def read_parquet(file: SourceFile, fields: Fields, meter: Meter) -> Iterator[Document]:
    """Read each row as a document, only the columns that are asked for."""
    position = 0
    for batch in _batches(file, fields, msgspec.structs.astuple(fields)):
        yield from _documents(batch, file, fields, position)
        position += len(batch)
    meter.done += file.size


def parquet_blocks(
    file: SourceFile, fields: Fields, meter: Meter, size: int
) -> Iterator[TextBlock]:
    """Read the same documents, but of each row the text alone."""
    position = 0
    for batch in _batches(file, fields, (fields.text,)):
        column = batch[fields.text].to_list()
        if all(type(text) is str for text in column):
            source, first = file.identity, position
            documents = (
                Document(text, source=source, position=number)
                for number, text in enumerate(column, first)
            )
            yield from batched(documents, size)
        else:
            yield from batched(_documents(batch, file, fields, position), size)
        position += len(batch)
    meter.done += file.size


def _batches(file: SourceFile, fields: Fields, names: tuple[str, ...]) -> Iterator[Any]:
    import polars as pl

    if file.compression:
        raise InputError(
            f"{file.name}: Parquet is compressed inside; unpack the {file.compression}"
        )
    before = file_state(file.path)
    try:
        frame = pl.scan_parquet(file.path, glob=False, hive_partitioning=False)
        known = frame.collect_schema().names()
        if fields.text not in known:
            raise missing_field(fields.text, known, file.name)
        wanted = [name for name in dict.fromkeys(names) if name in known]
        yield from frame.select(wanted).collect_batches(chunk_size=_ROWS, maintain_order=True)
    except (pl.exceptions.PolarsError, OSError) as error:
        first = str(error).strip().splitlines()[0]
        raise InputError(f"{file.name}: not a readable Parquet file: {first}") from error
    check_unchanged(file.path, before, file.name)


def _documents(batch: Any, file: SourceFile, fields: Fields, first: int) -> Iterator[Document]:
    for position, record in enumerate(batch.iter_rows(named=True), first):
        where = f"{file.name}: row {position + 1}"
        yield document_of(record, fields, where=where, source=file.identity, position=position)
