"""Readers: from a file to its documents, one module per format.

To add a reader, write a module with its functions and add a :class:`FileReader` to ``READERS``.
Only the modules of the readers that are used are imported.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from tealeaves.catalogue import Catalogue
from tealeaves.errors import InputError, errors_about
from tealeaves.expressions import Expression, Value, format_value
from tealeaves.files import Meter
from tealeaves.parameters import allowed_text, check_names
from tealeaves.text.blocks import make_blocks
from tealeaves.text.files import FileOrFolder, SourceFolder

if TYPE_CHECKING:
    from tealeaves.text.blocks import TextBlock
    from tealeaves.text.document import Document, Fields


@dataclass(frozen=True)
class FileReader:
    """How the files of one format are read.

    Parameters
    ----------
    name
        The name in expressions.
    module
        The module of the reader, in this package.
    function
        The name of the function that yields the documents of a file in order, with source and
        position. It is called with the file, the fields and the meter. Its keyword parameters are
        those of the reader's expression: ``tsv(header=false)``.
    block_function
        The name of the function that yields the same documents in blocks, for counting. It is
        also called with the size of a block in bytes, after the meter. Empty if the format cannot
        be read faster so.
    """

    name: str
    module: str
    function: str
    block_function: str = ""

    @property
    def read(self) -> Callable[..., Iterator[Document]]:
        """The function that reads documents."""
        function: Callable[..., Iterator[Document]] = self._imported(self.function)
        return function

    @property
    def blocks(self) -> Callable[..., Iterator[TextBlock]] | None:
        """The function that reads blocks, if there is one."""
        return self._imported(self.block_function) if self.block_function else None

    def _imported(self, function: str) -> Any:
        return getattr(importlib.import_module(f"{__name__}.{self.module}"), function)

    @property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """The parameters of its expression by name."""
        return {
            parameter.name: parameter
            for parameter in inspect.signature(self.read, eval_str=True).parameters.values()
            if parameter.kind is parameter.KEYWORD_ONLY
        }


READERS = Catalogue(
    "reader",
    lambda: (
        FileReader("lines", "plain", "read_lines", "read_line_blocks"),
        FileReader("file", "plain", "read_file"),
        FileReader("jsonl", "jsonl", "read_jsonl", "read_jsonl_blocks"),
        FileReader("csv", "table", "read_csv"),
        FileReader("tsv", "table", "read_tsv"),
        FileReader("parquet", "parquet", "read_parquet", "read_parquet_blocks"),
        FileReader("tmx", "tmx", "read_tmx"),
        FileReader("bible", "bible", "read_bible"),
    ),
    example="tsv(header=false)",
)


def read_documents(file: FileOrFolder, fields: Fields, meter: Meter) -> Iterator[Document]:
    """Read a file with its reader."""
    if isinstance(file, SourceFolder):
        from tealeaves.text.readers.plain import read_folder

        return read_folder(file, meter)
    name, parameters = file.reader_call
    return READERS[name].read(file, fields, meter, **parameters)


def read_blocks(file: FileOrFolder, fields: Fields, meter: Meter, size: int) -> Iterator[TextBlock]:
    """Read the same documents in blocks of about ``size`` bytes."""
    if not isinstance(file, SourceFolder):
        name, parameters = file.reader_call
        if (blocks := READERS[name].blocks) is not None:
            return blocks(file, fields, meter, size, **parameters)
    return make_blocks(read_documents(file, fields, meter), size)


def parse_reader(text: str, defaults: Mapping[str, Value] | None = None) -> str:
    """Check the expression of a reader, and write it in the one way that identifies it.

    ``defaults`` are values of parameters that the expression does not give; those that the reader
    does not have are ignored.

    >>> parse_reader("tsv( header = False )"), parse_reader("tmx", {"language": "en"})
    ('tsv(header=false)', 'tmx(language=en)')
    """
    expression = READERS.expression(text)
    name, parameters = expression.name, READERS[expression.name].parameters
    values = {key: value for key, value in (defaults or {}).items() if key in parameters}
    values |= expression.parameters
    with errors_about(text, name):
        check_names(name, values, parameters)
    for key, value in values.items():
        try:
            msgspec.convert(value, parameters[key].annotation)
        except msgspec.ValidationError as error:
            allowed = allowed_text(parameters[key].annotation)
            raise InputError(
                f"{text}: {key} must be {allowed}, not {format_value(value)}"
            ) from error
    for key, parameter in parameters.items():
        if parameter.default is parameter.empty and key not in values:
            raise InputError(f"the reader {name} needs the parameter {key}: {name}({key}=...)")
    return str(Expression(name, {key: values[key] for key in parameters if key in values}))
