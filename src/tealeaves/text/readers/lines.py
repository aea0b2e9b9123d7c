"""One document a line."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from tealeaves.errors import InputError
from tealeaves.text.compression import Meter
from tealeaves.text.document import Document, Fields
from tealeaves.text.readers.chunks import Chunk, chunks
from tealeaves.text.sources import SourceFile
from tealeaves.text.textblock import Run, TextBlock


def read_lines(file: SourceFile, fields: Fields, meter: Meter) -> Iterator[Document]:  # noqa: ARG001
    """Read each line as a document; a blank line is an empty one, so that positions stay true."""
    for position, line in enumerate(text_lines(file, meter)):
        yield Document(line, source=file.identity, position=position)


def line_blocks(
    file: SourceFile,
    fields: Fields,  # noqa: ARG001
    meter: Meter,
    size: int,
) -> Iterator[TextBlock]:
    """Read the same documents as bytes."""
    for chunk in chunks(file, meter, size):
        run = Run(file.identity, chunk.number, len(chunk.starts))
        yield TextBlock(chunk.data, chunk.starts, chunk.ends, (run,), _Decoding(file.name, chunk))


class _Decoding:
    """Decodes the lines of a chunk; errors name line and byte."""

    def __init__(self, name: str, chunk: Chunk) -> None:
        self._name, self._number, self._offset = name, chunk.number, chunk.offset

    def __call__(self, data: bytes, number: int, start: int) -> str:
        return decode(data, f"{self._name}:{self._number + number + 1}", self._offset + start)


def text_lines(file: SourceFile, meter: Meter) -> Iterator[str]:
    """Decode a file line by line; invalid UTF-8 is an error that names line and byte."""
    with file.open(meter) as stream:
        offset = 0
        for number, line in enumerate(stream, 1):
            start = len(codecs.BOM_UTF8) if number == 1 and line.startswith(codecs.BOM_UTF8) else 0
            yield decode(line[start:].rstrip(b"\r\n"), f"{file.name}:{number}", offset + start)
            offset += len(line)


def decode(data: bytes, where: str, offset: int = 0) -> str:
    """Decode UTF-8 or say which byte of the file is not."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{where}: invalid UTF-8 at byte {offset + error.start} of the file "
            f"(0x{data[error.start]:02x}): save the file as UTF-8"
        ) from error
