"""One JSON object a line."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from tealeaves.errors import InputError
from tealeaves.text.compression import Meter
from tealeaves.text.document import Document, Fields
from tealeaves.text.readers.lines import text_lines
from tealeaves.text.readers.records import document_of
from tealeaves.text.sources import SourceFile


def read_jsonl(file: SourceFile, fields: Fields, meter: Meter) -> Iterator[Document]:
    """Read each object as a document; blank lines are passed over."""
    decoder = msgspec.json.Decoder(dict[str, object])
    position = 0
    for number, line in enumerate(text_lines(file, meter), 1):
        if not line or line.isspace():
            continue
        where = f"{file.name}:{number}"
        try:
            record = decoder.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            if number == 1 and line.lstrip().startswith("["):
                raise InputError(
                    f"{file.name}: a JSON array; a corpus in JSON is one object a line (.jsonl)"
                ) from error
            raise InputError(f"{where}: not a JSON object: {error}") from error
        yield document_of(record, fields, where=where, source=file.identity, position=position)
        position += 1
