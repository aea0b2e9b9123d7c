"""A file whose format is to be told by its start."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

import msgspec

from tealeaves.errors import InputError
from tealeaves.text.compression import MAGIC, Meter, open_bytes

_START = 1 << 16


@dataclass(frozen=True)
class TopicsSource:
    """A file of topics: where it is, what it is called in errors, and how it starts."""

    path: Path
    name: str
    model: str
    separator: str | None
    start: bytes  # decompressed, without a byte order mark

    @classmethod
    def at(cls, path: Path, name: str, model: str, separator: str | None = None) -> TopicsSource:
        """Read a file's start; an empty file is an error."""
        with opened(path, name) as stream:
            start = stream.read(_START)
            while not start.removeprefix(codecs.BOM_UTF8).strip():
                more = stream.read(_START)
                if not more:
                    raise InputError(f"{name}: the file is empty")
                start = (start + more)[-_START:]
        return cls(path, name, model, separator, start.removeprefix(codecs.BOM_UTF8))

    @property
    def suffix(self) -> str:
        """What the name ends in, in small letters, without what says how it is compressed."""
        suffixes = [one.lower() for one in self.path.suffixes]
        while suffixes and suffixes[-1] in MAGIC:
            suffixes.pop()
        return suffixes[-1] if suffixes else ""

    def open(self) -> AbstractContextManager[BinaryIO]:
        """Open for reading, decompressed."""
        return opened(self.path, self.name)

    def data(self) -> bytes:
        """Return all that is in the file."""
        with opened(self.path, self.name) as stream:
            return stream.read()

    def text(self) -> str:
        """Return the file's text."""
        return decoded(self.data(), self.name)

    @cached_property
    def lines(self) -> list[str]:
        """The first lines, whole ones only, to tell formats apart."""
        text = self.start.decode("utf-8", "replace")
        lines = text.replace("\r\n", "\n").split("\n")
        whole = len(self.start) < _START or len(lines) == 1
        return [line for line in (lines if whole else lines[:-1]) if line.strip()] or [""]

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of a JSON object; none where the file is something else."""
        if not self.start.lstrip().startswith(b"{"):
            return frozenset()
        data = self.data().removeprefix(codecs.BOM_UTF8)
        try:
            return frozenset(msgspec.json.decode(data, type=dict[str, msgspec.Raw]))
        except (ValueError, RecursionError):
            pass
        try:
            return frozenset(json.loads(data))  # it may hold NaN, which Python writes
        except (ValueError, RecursionError):
            return frozenset()


@contextmanager
def opened(path: Path, name: str) -> Iterator[BinaryIO]:
    """Open a file, decompressed if its name says that it is compressed."""
    suffix = path.suffix.lower()
    try:
        with open_bytes(path, name, suffix if suffix in MAGIC else "", Meter()) as stream:
            yield stream
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error}") from error


def decoded(data: bytes, name: str) -> str:
    """Return the text of bytes, or say where they are no UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError(
            f"{name}:{line}: invalid UTF-8 at byte {error.start}: save it as UTF-8"
        ) from error
