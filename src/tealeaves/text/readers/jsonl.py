"""One JSON object a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.text.compression import Meter
from tealeaves.text.document import Document, Fields
from tealeaves.text.readers.chunks import Chunk, chunks
from tealeaves.text.readers.lines import decode, text_lines
from tealeaves.text.readers.records import document_of
from tealeaves.text.sources import SourceFile
from tealeaves.text.textblock import Run, TextBlock

_DAMAGE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def read_jsonl(file: SourceFile, fields: Fields, meter: Meter) -> Iterator[Document]:
    """Read each object as a document; blank lines are passed over."""
    return _documents(text_lines(file, meter), file, fields, line=1, position=0)


def jsonl_blocks(file: SourceFile, fields: Fields, meter: Meter, size: int) -> Iterator[TextBlock]:
    """Read the same documents, but of each object the text alone."""
    decoder = _decoder(fields)
    position = 0
    for chunk in chunks(file, meter, size):
        texts = _texts(chunk, decoder)
        if texts is None:  # something in it is unusual, or an error that is to be named
            lines = _lines(chunk, file.name)
            documents = _documents(lines, file, fields, line=chunk.number + 1, position=position)
            texts = [document.text for document in documents]
        if texts:
            yield TextBlock.of(texts, [Run(file.identity, position, len(texts))])
        position += len(texts)


def _decoder(fields: Fields) -> msgspec.json.Decoder[Any]:
    """Return a decoder of the fields alone: ``text``, then the others; unset where missing.

    Everything else in an object is passed over, which is faster than to make values of it.
    """
    names = _names(fields)
    keys = [f"field{number}" for number in range(len(names))]
    keys[0] = "text"
    parts: list[Any] = [(key, Any, msgspec.UNSET) for key in keys]
    try:
        record = msgspec.defstruct("Record", parts, rename=dict(zip(keys, names, strict=True)))
    except ValueError:  # a name that JSON writes with escapes
        return msgspec.json.Decoder(dict[str, Any])
    return msgspec.json.Decoder(record)


def _names(fields: Fields) -> list[str]:
    """List the fields to look for, the text's first."""
    known: list[str] = list(dict.fromkeys(msgspec.structs.astuple(fields)))
    return known if fields.link else [name for name in known if name != fields.link]


def _record(value: Any, fields: Fields) -> dict[str, object]:
    """Make a mapping of what the decoder found."""
    if isinstance(value, dict):
        return value
    found = zip(_names(fields), msgspec.structs.astuple(value), strict=True)
    return {name: part for name, part in found if part is not msgspec.UNSET}


def _documents(
    lines: Iterable[str], file: SourceFile, fields: Fields, *, line: int, position: int
) -> Iterator[Document]:
    decoder = _decoder(fields)
    for number, text in enumerate(lines, line):
        if not text or text.isspace():
            continue
        where = f"{file.name}:{number}"
        try:
            record = _record(decoder.decode(text), fields)
            if fields.text not in record:  # the error names the fields that there are
                record = msgspec.json.decode(text, type=dict[str, object])
        except _DAMAGE as error:
            if number == 1 and text.lstrip().startswith("["):
                raise InputError(
                    f"{file.name}: a JSON array; a corpus in JSON is one object a line (.jsonl)"
                ) from error
            raise InputError(f"{where}: not a JSON object: {error}") from error
        yield document_of(record, fields, where=where, source=file.identity, position=position)
        position += 1


def _texts(chunk: Chunk, decoder: msgspec.json.Decoder[Any]) -> list[str] | None:
    """Read a chunk at once if each of its lines is an object whose text is a string."""
    data = chunk.data[int(chunk.starts[0]) : int(chunk.ends[-1])].tobytes()
    read = decoder.decode
    try:
        data.decode("utf-8")  # fields that are passed over are not looked into
        texts = [read(line).text for line in data.split(b"\n")]
    except (*_DAMAGE, AttributeError):
        return None
    return texts if all(type(text) is str for text in texts) else None


def _lines(chunk: Chunk, name: str) -> Iterator[str]:
    bounds = zip(chunk.starts.tolist(), chunk.ends.tolist(), strict=True)
    for number, (start, end) in enumerate(bounds, chunk.number + 1):
        data = chunk.data[start:end].tobytes()
        yield decode(data, f"{name}:{number}", chunk.offset + start)
