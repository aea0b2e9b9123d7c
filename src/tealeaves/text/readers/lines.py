"""One document a line."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from tealeaves.errors import InputError
from tealeaves.text.compression import Meter
from tealeaves.text.document import Document, Fields
from tealeaves.text.sources import SourceFile


def read_lines(file: SourceFile, fields: Fields, meter: Meter) -> Iterator[Document]:  # noqa: ARG001
    """Read each line as a document; a blank line is an empty document, so that ids stay true."""
    for position, line in enumerate(text_lines(file, meter)):
        yield Document(line, id=str(position + 1), source=file.identity, position=position)


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
