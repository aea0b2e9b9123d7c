"""CSV and TSV, with or without a header."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterator
from typing import Any

from tealeaves.errors import InputError
from tealeaves.text.compression import Meter
from tealeaves.text.document import Document, Fields
from tealeaves.text.files import SourceFile
from tealeaves.text.readers.plain import text_lines
from tealeaves.text.readers.records import HeaderError, make_document, missing_field

_LONGEST_FIELD = 2**31 - 1  # the largest C long on every system


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
    rows = cells_of(file, meter, needed=fields.text, **style)
    for position, (where, record) in enumerate(rows):
        yield make_document(record, fields, where=where, source=file.identity, position=position)


def cells_of(
    file: SourceFile,
    meter: Meter,
    *,
    needed: str | None = None,
    skip: int = 0,
    header: bool = True,
    **style: Any,
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the place of each row (file and line), and its cells by the names of the header.

    ``needed`` is a column that must be there. ``skip`` is the number of lines before the header.
    Without a header, columns are named by their numbers. ``style`` is passed on to ``csv.reader``.
    """
    csv.field_size_limit(_LONGEST_FIELD)  # a document may be longer than the default 128 KiB
    lines = (line + "\n" for line in text_lines(file, meter))
    rows = csv.reader(lines, strict=True, **style)
    try:
        for _ in range(skip):
            next(rows, None)
        first = next(rows, None)
        if first is None:
            return
        names = first if header else [str(number) for number in range(1, len(first) + 1)]
        _check_names(names, needed, f"{file.name}:1")
        for row in rows if header else itertools.chain([first], rows):
            if not row:
                continue
            where = f"{file.name}:{rows.line_num}"
            if len(row) != len(names):
                has = "the header has" if header else "line 1 has"
                raise InputError(f"{where}: {len(row)} fields, but {has} {len(names)}")
            yield where, dict(zip(names, row, strict=True))
    except csv.Error as error:
        raise InputError(f"{file.name}:{rows.line_num}: {error}") from error


def _check_names(names: list[str], needed: str | None, where: str) -> None:
    if needed is not None and needed not in names:
        raise HeaderError(str(missing_field(needed, names, where)))
    duplicates = sorted(name for name in names if names.count(name) > 1)
    if duplicates:
        raise InputError(f"{where}: two columns are called {duplicates[0]!r}")
