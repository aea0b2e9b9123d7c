"""Readers: from a source to its documents, one small module a format.

To add one: a module with a function of the :class:`Reader` shape, and its line in ``READERS``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from tealeaves.text.compression import Meter
from tealeaves.text.document import Document, Fields
from tealeaves.text.readers.jsonl import read_jsonl
from tealeaves.text.readers.lines import read_lines
from tealeaves.text.readers.parquet import read_parquet
from tealeaves.text.readers.table import read_csv, read_tsv
from tealeaves.text.readers.whole import read_file, read_folder
from tealeaves.text.sources import Folder, Source, SourceFile


class Reader(Protocol):
    """Reads the documents of one file."""

    def __call__(self, file: SourceFile, fields: Fields, meter: Meter) -> Iterator[Document]:
        """Yield the documents in order, each with its source and position."""
        ...


READERS: dict[str, Reader] = {
    "lines": read_lines,
    "file": read_file,
    "jsonl": read_jsonl,
    "csv": read_csv,
    "tsv": read_tsv,
    "parquet": read_parquet,
}


def read(source: Source, fields: Fields, meter: Meter) -> Iterator[Document]:
    """Read a source with the reader it names."""
    if isinstance(source, Folder):
        return read_folder(source, meter)
    return READERS[source.reader](source, fields, meter)
