"""Plain text: each line is a document, or the whole file is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tealeaves.files import Meter, decode, decode_text
from tealeaves.text.blocks import DocumentRun, LineChunk, TextBlock, read_chunks
from tealeaves.text.document import Document, Fields
from tealeaves.text.files import SourceFile, SourceFolder


def read_lines(file: SourceFile, fields: Fields, meter: Meter) -> Iterator[Document]:  # noqa: ARG001
    """Read each line as a document; a blank line is an empty one, so that no position shifts."""
    for position, line in enumerate(file.lines(meter)):
        yield Document(line, source=file.identity, position=position)


def read_line_blocks(
    file: SourceFile,
    fields: Fields,  # noqa: ARG001
    meter: Meter,
    size: int,
) -> Iterator[TextBlock]:
    """Read the same documents as blocks of bytes."""
    for chunk in read_chunks(file, meter, size):
        run = DocumentRun(file.identity, chunk.number, len(chunk.starts))
        decode_line = _line_decoder(file.name, chunk)
        yield TextBlock(chunk.data, chunk.starts, chunk.ends, (run,), decode_line)


def _line_decoder(name: str, chunk: LineChunk) -> Callable[[bytes, int, int], str]:
    def decode_line(data: bytes, number: int, start: int) -> str:
        return decode(data, f"{name}:{chunk.number + number + 1}", chunk.offset + start)

    return decode_line


def read_file(file: SourceFile, fields: Fields, meter: Meter) -> Iterator[Document]:  # noqa: ARG001
    """Read the whole file as one document."""
    yield Document(_whole_text(file, meter), id=file.path.name, source=file.identity)


def read_folder(folder: SourceFolder, meter: Meter) -> Iterator[Document]:
    """Read each file of a folder as a document; its label is the name of the folder it is in."""
    for position, file in enumerate(folder.files):
        relative = file.path.relative_to(folder.root)
        yield Document(
            _whole_text(file, meter),
            id=relative.as_posix(),
            label=relative.parent.name,
            source=folder.identity,
            position=position,
        )


def _whole_text(file: SourceFile, meter: Meter) -> str:
    return decode_text(file.read(meter), file.name)
