"""CSV and TSV with a header."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any

from tealeaves.errors import InputError
from tealeaves.text.compression import Meter
from tealeaves.text.document import Document, Fields
from tealeaves.text.readers.lines import text_lines
from tealeaves.text.readers.records import document_of, missing_field
from tealeaves.text.sources import SourceFile

_LONGEST_FIELD = 2**31 - 1  # what fits a C long on every system


def read_csv(file: SourceFile, fields: Fields, meter: Meter) -> Iterator[Document]:
    """Read comma-separated rows; fields may be quoted and hold line breaks."""
    return _read_table(file, fields, meter, delimiter=",")


def read_tsv(file: SourceFile, fields: Fields, meter: Meter) -> Iterator[Document]:
    """Read tab-separated rows as they are: a quotation mark is text."""
    return _read_table(file, fields, meter, delimiter="\t", quoting=csv.QUOTE_NONE)


def _read_table(file: SourceFile, fields: Fields, meter: Meter, **style: Any) -> Iterator[Document]:
    for position, (where, record) in enumerate(cells_of(file, meter, needed=fields.text, **style)):
        yield document_of(record, fields, where=where, source=file.identity, position=position)


def cells_of(
    file: SourceFile, meter: Meter, *, needed: str | None = None, skip: int = 0, **style: Any
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the cells of each row by the names of the header, and where the row stands.

    ``skip`` lines stand before the header.
    """
    csv.field_size_limit(_LONGEST_FIELD)  # a document may be longer than the default 128 KiB
    lines = (line + "\n" for line in text_lines(file, meter))
    rows = csv.reader(lines, strict=True, **style)
    try:
        for _ in range(skip):
            next(rows, None)
        header = next(rows, None)
        if header is None:
            return
        if needed is not None and needed not in header:
            raise missing_field(needed, header, f"{file.name}:1")
        twice = {name for name in header if header.count(name) > 1}
        if twice:
            raise InputError(f"{file.name}:1: two columns are called {sorted(twice)[0]!r}")
        for row in rows:
            if not row:
                continue
            where = f"{file.name}:{rows.line_num}"
            if len(row) != len(header):
                raise InputError(f"{where}: {len(row)} fields, but the header has {len(header)}")
            yield where, dict(zip(header, row, strict=True))
    except csv.Error as error:
        raise InputError(f"{file.name}:{rows.line_num}: {error}") from error
