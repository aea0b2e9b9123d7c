"""Parquet, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.text.compression import Meter
from tealeaves.text.document import Document, Fields
from tealeaves.text.readers.records import document_of, missing_field
from tealeaves.text.sources import SourceFile

_ROWS = 10_000


def read_parquet(file: SourceFile, fields: Fields, meter: Meter) -> Iterator[Document]:
    """Read each row as a document, only the columns that are asked for."""
    import polars as pl

    if file.compression:
        raise InputError(
            f"{file.name}: Parquet is compressed inside; unpack the {file.compression}"
        )
    try:
        frame = pl.scan_parquet(file.path, glob=False, hive_partitioning=False)
        known = frame.collect_schema().names()
        if fields.text not in known:
            raise missing_field(fields.text, known, file.name)
        wanted = [name for name in dict.fromkeys(msgspec.structs.astuple(fields)) if name in known]
        yield from _rows(frame.select(wanted), file, fields)
    except (pl.exceptions.PolarsError, OSError) as error:
        first = str(error).strip().splitlines()[0]
        raise InputError(f"{file.name}: not a readable Parquet file: {first}") from error
    meter.done += file.size


def _rows(frame: Any, file: SourceFile, fields: Fields) -> Iterator[Document]:
    position = 0
    for batch in frame.collect_batches(chunk_size=_ROWS, maintain_order=True):
        for record in batch.iter_rows(named=True):
            where = f"{file.name}: row {position + 1}"
            yield document_of(record, fields, where=where, source=file.identity, position=position)
            position += 1
