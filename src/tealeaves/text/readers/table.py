"""CSV and TSV, with or without a header."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any

from tealeaves.files import Meter
from tealeaves.tables.rows import delimited_rows
from tealeaves.text.document import Document, Fields
from tealeaves.text.files import SourceFile
from tealeaves.text.readers.records import HeaderError, make_document, missing_field


def read_csv(
    file: SourceFile, fields: Fields, meter: Meter, *, header: bool = True
) -> Iterator[Document]:
    """Read comma-separated rows; fields may be quoted and contain line breaks.

    Without a header, columns are called ``1``, ``2`` and so on.
    """
    return _read_table(file, fields, meter, header=header, delimiter=",")


def read_tsv(
    file: SourceFile, fields: Fields, meter: Meter, *, header: bool = True
) -> Iterator[Document]:
    """Read tab-separated rows; a quotation mark is part of the text.

    Without a header, columns are called ``1``, ``2`` and so on.
    """
    style = {"delimiter": "\t", "quoting": csv.QUOTE_NONE}
    return _read_table(file, fields, meter, header=header, **style)


def _read_table(file: SourceFile, fields: Fields, meter: Meter, **style: Any) -> Iterator[Document]:
    def check_header(names: list[str]) -> None:
        if fields.text not in names:
            raise HeaderError(str(missing_field(fields.text, names, f"{file.name}:1")))

    rows = delimited_rows(file, meter, check_header=check_header, **style)
    for position, (where, record) in enumerate(rows):
        yield make_document(record, fields, where=where, source=file.identity, position=position)
