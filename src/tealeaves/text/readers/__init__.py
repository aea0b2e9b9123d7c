"""Readers: from a source to its documents, one small module a format.

To add one: a module with a function of the :class:`Reader` shape, and its line in ``READERS``.
Counting reads texts in blocks; a format that can give these faster than document by document has
a second function, in ``_BLOCK_READERS``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from tealeaves.text.compression import Meter
from tealeaves.text.document import Document, Fields
from tealeaves.text.readers.jsonl import jsonl_blocks, read_jsonl
from tealeaves.text.readers.lines import line_blocks, read_lines
from tealeaves.text.readers.parquet import parquet_blocks, read_parquet
from tealeaves.text.readers.table import read_csv, read_tsv
from tealeaves.text.readers.whole import read_file, read_folder
from tealeaves.text.sources import Folder, Source, SourceFile
from tealeaves.text.textblock import TextBlock, batched


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

_BLOCK_READERS = {"lines": line_blocks, "jsonl": jsonl_blocks, "parquet": parquet_blocks}


def read(source: Source, fields: Fields, meter: Meter) -> Iterator[Document]:
    """Read a source with the reader it names."""
    if isinstance(source, Folder):
        return read_folder(source, meter)
    return READERS[source.reader](source, fields, meter)


def read_blocks(source: Source, fields: Fields, meter: Meter, size: int) -> Iterator[TextBlock]:
    """Read the same documents in blocks of about so many bytes."""
    if source.reader in _BLOCK_READERS and not isinstance(source, Folder):
        return _BLOCK_READERS[source.reader](source, fields, meter, size)
    return batched(read(source, fields, meter), size)
