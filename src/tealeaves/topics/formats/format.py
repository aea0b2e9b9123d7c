"""``TopicsFormat``, a format of topics, and ``TopicsSource``, a file of unknown format."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

import msgspec

from tealeaves.artifacts import member_names
from tealeaves.compression import COMPRESSION_SUFFIXES, compression_of_name
from tealeaves.errors import InputError
from tealeaves.files import InputFile, decode_text
from tealeaves.json_data import decode_json, decode_python_json
from tealeaves.system import is_hidden, sorted_paths
from tealeaves.topics.assembly import TopicsOptions
from tealeaves.topics.topics import Topics

_START = 1 << 16
_ZIP = b"PK\x03\x04"
_SUFFIXES = {".json", ".txt", ".tsv", ".csv", ".topics", ".npz", ".parquet", *COMPRESSION_SUFFIXES}


@dataclass(frozen=True)
class TopicsSource:
    """A file or folder of topics: its path, its name in errors, and how the file starts."""

    path: Path
    name: str
    start: bytes = b""  # decompressed, without a byte order mark; empty for a folder
    separator: str | None = None  # of the words of a topic, if the caller states it

    @classmethod
    def of_file(cls, path: Path, name: str = "", separator: str | None = None) -> TopicsSource:
        """Read the start of a file; an empty file is an error."""
        source = cls(path, name or str(path), separator=separator)
        with source.open() as stream:
            start = stream.read(_START)
            size = len(start)
            while not start.removeprefix(codecs.BOM_UTF8).strip():
                more = stream.read(_START)
                if not more:
                    raise InputError(f"{source.name}: the file is empty")
                size += len(more)
                source.input_file.check_text(size, source.name)
                start = (start + more)[-_START:]
        return replace(source, start=start.removeprefix(codecs.BOM_UTF8))

    @property
    def is_whole(self) -> bool:
        """Whether the start is all of the file."""
        return len(self.start) < _START - len(codecs.BOM_UTF8)

    @property
    def suffix(self) -> str:
        """The last suffix in lower case, those of compression aside: ``.json`` of a.JSON.gz."""
        suffixes = [suffix.lower() for suffix in self.path.suffixes]
        while suffixes and suffixes[-1] in COMPRESSION_SUFFIXES:
            suffixes.pop()
        return suffixes[-1] if suffixes else ""

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the file for reading, decompressed."""
        with self._errors_of_system(), self.input_file.open() as stream:
            yield stream

    @property
    def size(self) -> int:
        """The number of bytes on disk."""
        return self.input_file.size

    @property
    def input_file(self) -> InputFile:
        """The file to be read."""
        return InputFile(self.path, name=self.name)

    @contextmanager
    def _errors_of_system(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise InputError(f"{self.name}: {error.strerror or error}") from error

    def data(self) -> bytes:
        """Return all bytes of the file, decompressed."""
        with self._errors_of_system():
            return self.input_file.read()

    def byte_lines(self) -> Iterator[bytes]:
        """Yield the lines of the file, decompressed."""
        with self._errors_of_system():
            yield from self.input_file.byte_lines()

    def text(self) -> str:
        """Return the text of the file."""
        return decode_text(self.data(), self.name)

    @cached_property
    def lines(self) -> list[str]:
        """The first lines of the file that are not empty, complete ones only."""
        text = self.start.decode("utf-8", "replace")
        lines = text.replace("\r\n", "\n").split("\n")
        complete = len(self.start) < _START or len(lines) == 1
        return [line for line in (lines if complete else lines[:-1]) if line.strip()] or [""]

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of a JSON object, none if the file is something else."""
        if not self.start.lstrip().startswith(b"{"):
            return frozenset()
        data = self.data().removeprefix(codecs.BOM_UTF8)
        try:
            return frozenset(decode_json(data, dict[str, msgspec.Raw]))
        except msgspec.DecodeError:
            pass
        try:
            return frozenset(decode_python_json(data))  # it may hold NaN, which Python writes
        except (msgspec.DecodeError, TypeError):
            return frozenset()

    @cached_property
    def members(self) -> list[str]:
        """The names of the members of a zip archive, none if the file is something else."""
        if not self.is_archive:
            return []
        if compression_of_name(self.path):
            raise InputError(
                f"{self.name}: an archive, which is compressed by itself, in a {self.path.suffix} "
                "file: unpack that first"
            )
        return member_names(self.path)

    @property
    def is_archive(self) -> bool:
        """Whether the file is a zip archive."""
        return self.start.startswith(_ZIP)


@dataclass(frozen=True)
class TopicsFormat:
    """A format of files or folders of topics.

    Parameters
    ----------
    name
        What lists and messages call it; "" for one that is only recognised to be refused.
    fits
        Recognise a file by its start and name, or a folder by its files.
    read
        Make topics of a file or folder and of the caller's options.
    options
        What a caller may state of it: ``vocabulary``, ``top``, ``languages``.
    folder
        Whether it is a format of folders.
    separated
        Whether it is possible if the caller states a separator of words.
    """

    name: str
    fits: Callable[[TopicsSource], bool]
    read: Callable[[TopicsSource, TopicsOptions], Topics]
    options: tuple[str, ...] = ()
    folder: bool = False
    separated: bool = False


def files_in(folder: Path) -> Iterator[TopicsSource]:
    """Yield the files of a folder by name; hidden, empty and damaged files are skipped."""
    for path in sorted_paths(folder.iterdir()):
        if is_hidden(path) or not path.is_file():
            continue
        try:
            yield TopicsSource.of_file(path)
        except InputError:
            continue


def plain_name(path: Path) -> str:
    """Return the name of a file without the suffixes of formats and compression.

    >>> plain_name(Path("runs/lda.20.json.gz"))
    'lda.20'
    """
    while path.suffix.lower() in _SUFFIXES:
        path = path.with_suffix("")
    return path.name
