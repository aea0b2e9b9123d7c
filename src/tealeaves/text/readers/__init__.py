"""Readers: from a file to its documents, one module per format.

To add a reader, write a module with a function of the :data:`Reader` shape and add its line to
``READERS``. The keyword parameters of the function are the parameters of the reader's expression:
``tsv(header=false)``. Counting reads texts in blocks. If a format can be read in blocks faster than
document by document, write a second function and add it to ``_BLOCK_READERS``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping

import msgspec

from tealeaves.errors import InputError, did_you_mean
from tealeaves.expressions import Expression, Value
from tealeaves.text.blocks import TextBlock, make_blocks
from tealeaves.text.compression import Meter
from tealeaves.text.document import Document, Fields
from tealeaves.text.files import FileOrFolder, SourceFolder
from tealeaves.text.readers.bible import read_bible
from tealeaves.text.readers.jsonl import read_jsonl, read_jsonl_blocks
from tealeaves.text.readers.parquet import read_parquet, read_parquet_blocks
from tealeaves.text.readers.plain import read_file, read_folder, read_line_blocks, read_lines
from tealeaves.text.readers.table import read_csv, read_tsv
from tealeaves.text.readers.tmx import read_tmx

#: A function that reads a file. It is called with the file, the fields, the meter, and the
#: reader's parameters by keyword. It yields the documents in order, with source and position.
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

_BLOCK_READERS = {
    "lines": read_line_blocks,
    "jsonl": read_jsonl_blocks,
    "parquet": read_parquet_blocks,
}


def read_documents(file: FileOrFolder, fields: Fields, meter: Meter) -> Iterator[Document]:
    """Read a file with its reader."""
    if isinstance(file, SourceFolder):
        return read_folder(file, meter)
    name, parameters = file.reader_call
    return READERS[name](file, fields, meter, **parameters)


def read_blocks(file: FileOrFolder, fields: Fields, meter: Meter, size: int) -> Iterator[TextBlock]:
    """Read the same documents in blocks of about ``size`` bytes."""
    if file.reader in _BLOCK_READERS and not isinstance(file, SourceFolder):
        return _BLOCK_READERS[file.reader](file, fields, meter, size)
    return make_blocks(read_documents(file, fields, meter), size)


def parse_reader(text: str, defaults: Mapping[str, Value] | None = None) -> str:
    """Check the expression of a reader, and write it in the one way that identifies it.

    ``defaults`` are values of parameters that the expression does not give; those that the reader
    does not have are ignored.

    >>> parse_reader("tsv( header = False )"), parse_reader("tmx", {"language": "en"})
    ('tsv(header=false)', 'tmx(language=en)')
    """
    expression = Expression.parse(text)
    name = expression.name
    if name not in READERS:
        known = ", ".join(sorted(READERS))
        raise InputError(f"unknown reader {name}{did_you_mean(name, READERS)} (known: {known})")
    if expression.top is not None:
        raise InputError(f"{text}: a reader has no @{expression.top}")
    parameters = {
        parameter.name: parameter
        for parameter in inspect.signature(READERS[name], eval_str=True).parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    values = {key: value for key, value in (defaults or {}).items() if key in parameters}
    values |= expression.parameters
    for key, value in values.items():
        if key not in parameters:
            hint = did_you_mean(key, parameters)
            has = f"it has: {', '.join(parameters)}" if parameters else "it has none"
            raise InputError(f"{text}: {name} has no parameter {key}{hint} ({has})")
        try:
            msgspec.convert(value, parameters[key].annotation)
        except msgspec.ValidationError as error:
            raise InputError(f"{text}: {key}: {error}") from error
    for key, parameter in parameters.items():
        if parameter.default is parameter.empty and key not in values:
            raise InputError(f"the reader {name} needs the parameter {key}: {name}({key}=...)")
    return str(Expression(name, {key: values[key] for key in parameters if key in values}))
