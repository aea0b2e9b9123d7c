"""JSON Lines: one JSON object per line."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.files import Meter, decode
from tealeaves.json_data import decode_json
from tealeaves.text.blocks import DocumentRun, LineChunk, TextBlock, read_chunks
from tealeaves.text.document import Document, Fields
from tealeaves.text.files import SourceFile
from tealeaves.text.readers.records import make_document

_DECODING_ERRORS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def read_jsonl(file: SourceFile, fields: Fields, meter: Meter) -> Iterator[Document]:
    """Read each object as a document; blank lines are skipped."""
    return _read_objects(file.lines(meter), file, fields, line=1, position=0)


def read_jsonl_blocks(
    file: SourceFile, fields: Fields, meter: Meter, size: int
) -> Iterator[TextBlock]:
    """Read the same documents as blocks; of each object, only the text is read."""
    decoder = _decoder(fields)
    position = 0
    for chunk in read_chunks(file, meter, size):
        texts = _read_texts(chunk, decoder)
        if texts is None:  # some line is unusual, or there is an error to report
            lines = _decode_lines(chunk, file.name)
            documents = _read_objects(lines, file, fields, line=chunk.number + 1, position=position)
            texts = [document.text for document in documents]
        if texts:
            yield TextBlock.of(texts, [DocumentRun(file.identity, position, len(texts))])
        position += len(texts)


def _decoder(fields: Fields) -> msgspec.json.Decoder[Any]:
    """Return a decoder of the fields only: ``text`` first, then the others; unset if missing.

    The rest of an object is skipped, which is faster than to decode it.
    """
    names = _field_names(fields)
    keys = [f"field{number}" for number in range(len(names))]
    keys[0] = "text"
    parts: list[Any] = [(key, Any, msgspec.UNSET) for key in keys]
    try:
        record = msgspec.defstruct("Record", parts, rename=dict(zip(keys, names, strict=True)))
    except ValueError:  # the name has characters that JSON escapes
        return msgspec.json.Decoder(dict[str, Any])
    return msgspec.json.Decoder(record)


def _field_names(fields: Fields) -> list[str]:
    """Return the names of the fields to read, that of the text first."""
    names: list[str] = list(dict.fromkeys(msgspec.structs.astuple(fields)))
    return names if fields.link else [name for name in names if name != fields.link]


def _record(value: Any, fields: Fields) -> dict[str, object]:
    """Return the value that the decoder returned as a mapping."""
    if isinstance(value, dict):
        return value
    pairs = zip(_field_names(fields), msgspec.structs.astuple(value), strict=True)
    return {name: part for name, part in pairs if part is not msgspec.UNSET}


def _read_objects(
    lines: Iterable[str], file: SourceFile, fields: Fields, *, line: int, position: int
) -> Iterator[Document]:
    decoder = _decoder(fields)
    for number, text in enumerate(lines, line):
        if not text or text.isspace():
            continue
        where = f"{file.name}:{number}"
        try:
            record = _record(decoder.decode(text), fields)
            if fields.text not in record:  # decode all fields, because the error lists them
                record = decode_json(text, dict[str, object])
        except _DECODING_ERRORS as error:
            if number == 1 and text.lstrip().startswith("["):
                raise InputError(
                    f"{file.name}: a JSON array; write one object per line instead (.jsonl)"
                ) from error
            if number == 1 and (whole := _whole_object(file)) is not None:
                raise InputError(f"{file.name}: {_what_object(whole)}") from error
            raise InputError(f"{where}: not a JSON object: {error}") from error
        yield make_document(record, fields, where=where, source=file.identity, position=position)
        position += 1


def _whole_object(file: SourceFile) -> dict[str, Any] | None:
    """Return the one JSON object that a file holds in several lines; None if it does not."""
    try:
        data = file.read().removeprefix(codecs.BOM_UTF8)
        return decode_json(data, dict[str, msgspec.Raw])
    except (msgspec.DecodeError, InputError):
        return None


def _what_object(content: dict[str, Any]) -> str:
    """Say what a file with one JSON object is, where texts are wanted."""
    if "topics" in content:
        return "no texts, but a file of topics: name it without --corpus"
    return "one JSON object in several lines; write each text as an object in one line (.jsonl)"


def _read_texts(chunk: LineChunk, decoder: msgspec.json.Decoder[Any]) -> list[str] | None:
    """Read a chunk at once; None if some line is not an object whose text is a string."""
    data = chunk.data[int(chunk.starts[0]) : int(chunk.ends[-1])].tobytes()
    read = decoder.decode
    try:
        data.decode("utf-8")  # the decoder does not check the fields that it skips
        texts = [read(line).text for line in data.split(b"\n")]
    except (*_DECODING_ERRORS, AttributeError):
        return None
    return texts if all(type(text) is str for text in texts) else None


def _decode_lines(chunk: LineChunk, name: str) -> Iterator[str]:
    bounds = zip(chunk.starts.tolist(), chunk.ends.tolist(), strict=True)
    for number, (start, end) in enumerate(bounds, chunk.number + 1):
        data = chunk.data[start:end].tobytes()
        yield decode(data, f"{name}:{number}", chunk.offset + start)
