"""A whole file as one document."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from tealeaves.text.compression import Meter
from tealeaves.text.document import Document, Fields
from tealeaves.text.readers.lines import decode
from tealeaves.text.sources import Folder, SourceFile


def read_file(file: SourceFile, fields: Fields, meter: Meter) -> Iterator[Document]:  # noqa: ARG001
    """Read the file as its only document."""
    yield Document(_text(file, meter), id=file.path.name, source=file.identity)


def read_folder(folder: Folder, meter: Meter) -> Iterator[Document]:
    """Read each file of the folder as a document; the folder it lies in is its label."""
    for position, file in enumerate(folder.files):
        relative = file.path.relative_to(folder.root)
        label = relative.parent.name
        yield Document(
            _text(file, meter),
            id=relative.as_posix(),
            label=label,
            source=folder.identity,
            position=position,
        )


def _text(file: SourceFile, meter: Meter) -> str:
    with file.open(meter) as stream:
        data = stream.read()
    start = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    try:
        return data[start:].decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: start + error.start].count(b"\n") + 1
        return decode(data[start:], f"{file.name}:{line}", start)  # raises, and says where
