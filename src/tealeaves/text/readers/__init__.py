"""Readers: from a source to its documents, one small module a format.

To add one: a module with a function of the :data:`Reader` shape, and its line in ``READERS``. What
the function takes by keyword are the parameters of its expression: ``tsv(header=false)``.
Counting reads texts in blocks; a format that can give these faster than document by document has
a second function, in ``_BLOCK_READERS``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping

import msgspec

from tealeaves.errors import InputError, did_you_mean
from tealeaves.expressions import Expression, Value
from tealeaves.text.compression import Meter
from tealeaves.text.document import Document, Fields
from tealeaves.text.readers.bible import read_bible
from tealeaves.text.readers.jsonl import jsonl_blocks, read_jsonl
from tealeaves.text.readers.lines import line_blocks, read_lines
from tealeaves.text.readers.parquet import parquet_blocks, read_parquet
from tealeaves.text.readers.table import read_csv, read_tsv
from tealeaves.text.readers.tmx import read_tmx
from tealeaves.text.readers.whole import read_file, read_folder
from tealeaves.text.sources import Folder, Source
from tealeaves.text.textblock import TextBlock, batched

#: Reads a file: called with the file, the fields and the meter, and with parameters by keyword, it
#: yields the documents in order, each with its source and position.
Reader = Callable[..., Iterator[Document]]


READERS: dict[str, Reader] = {
    "lines": read_lines,
    "file": read_file,
    "jsonl": read_jsonl,
    "csv": read_csv,
    "tsv": read_tsv,
    "parquet": read_parquet,
    "tmx": read_tmx,
    "bible": read_bible,
}

_BLOCK_READERS = {"lines": line_blocks, "jsonl": jsonl_blocks, "parquet": parquet_blocks}


def read(source: Source, fields: Fields, meter: Meter) -> Iterator[Document]:
    """Read a source with the reader it names."""
    if isinstance(source, Folder):
        return read_folder(source, meter)
    name, parameters = source.called
    return READERS[name](source, fields, meter, **parameters)


def read_blocks(source: Source, fields: Fields, meter: Meter, size: int) -> Iterator[TextBlock]:
    """Read the same documents in blocks of about so many bytes."""
    if source.reader in _BLOCK_READERS and not isinstance(source, Folder):
        return _BLOCK_READERS[source.reader](source, fields, meter, size)
    return batched(read(source, fields, meter), size)


def parse_reader(text: str, known: Mapping[str, Value] | None = None) -> str:
    """Check a reader's expression and write it in one way only, so that it can identify.

    ``known`` are values for parameters that the reader may have and that are not given.

    >>> parse_reader("tsv( header = False )"), parse_reader("tmx", {"language": "en"})
    ('tsv(header=false)', 'tmx(language=en)')
    """
    expression = Expression.parse(text)
    name = expression.name
    if name not in READERS:
        listed = ", ".join(sorted(READERS))
        raise InputError(f"unknown reader {name}{did_you_mean(name, READERS)} (known: {listed})")
    if expression.top is not None:
        raise InputError(f"{text}: a reader takes no @{expression.top}")
    takes = {
        parameter.name: parameter
        for parameter in inspect.signature(READERS[name], eval_str=True).parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    given = {key: value for key, value in (known or {}).items() if key in takes}
    given |= expression.parameters
    for key, value in given.items():
        _check_parameter(text, name, key, value, takes)
    for key, parameter in takes.items():
        if parameter.default is parameter.empty and key not in given:
            raise InputError(f"the reader {name} needs the parameter {key}: {name}({key}=...)")
    return str(Expression(name, {key: given[key] for key in takes if key in given}))


def _check_parameter(
    text: str, name: str, key: str, value: Value, takes: Mapping[str, inspect.Parameter]
) -> None:
    if key not in takes:
        has = f"it has: {', '.join(takes)}" if takes else "it has none"
        raise InputError(f"{text}: {name} has no parameter {key}{did_you_mean(key, takes)} ({has})")
    try:
        msgspec.convert(value, takes[key].annotation)
    except msgspec.ValidationError as error:
        raise InputError(f"{text}: {key}: {error}") from error
