"""From what a user names (paths, globs, folders, standard input) to files to be read."""

from __future__ import annotations

import codecs
import glob
import hashlib
import os
import shutil
import sys
import tempfile
import weakref
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import IO, Any, BinaryIO

from tealeaves.errors import InputError
from tealeaves.expressions import Expression
from tealeaves.text.compression import MAGIC, Meter, compression_of, open_bytes
from tealeaves.text.identity import content_identity

_READERS = {
    ".txt": "lines",
    ".json": "jsonl",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
}
# what lies in folders of Bibles and is none
_BESIDE_NAMES = ("vref.txt", "readme", "licen", "copying", "copyright", "copr.")
_BESIDE_SUFFIXES = (".htm", ".html", ".css", ".md", ".pdf")
_RECORDS = ("jsonl", "csv", "tsv", "parquet")  # their documents depend on the name of a field


class SourceFile:
    """A file of documents: where it is, how it is read, and what identifies its content."""

    def __init__(
        self, path: Path, *, reader: str | None, name: str, compression: str, field: str = ""
    ) -> None:
        self.path = path
        self.name = name
        self.compression = compression
        self.reader = reader or self._sniffed()
        self._field = field if self.called[0] in _RECORDS else ""
        self._spool: SourceFile | None = None

    @classmethod
    def at(cls, path: Path, *, reader: str | None = None, field: str = "") -> SourceFile:
        """Choose compression and reader by the file's name, else the reader by its start."""
        suffix = path.suffix.lower()
        compression = suffix if suffix in MAGIC else ""
        known = reader or _READERS.get(inner_suffix(path))
        return cls(path, reader=known, name=str(path), compression=compression, field=field)

    @property
    def called(self) -> tuple[str, dict[str, Any]]:
        """The name of the reader, and the parameters it is called with."""
        if "(" not in self.reader:
            return self.reader, {}
        expression = Expression.parse(self.reader)
        return expression.name, dict(expression.parameters)

    def read_by(self, reader: str, *, field: str = "") -> SourceFile:
        """Return the same file, read by another reader."""
        other = SourceFile(
            self.path, reader=reader, name=self.name, compression=self.compression, field=field
        )
        other._spool = self  # a temporary file lasts as long as the first to know it
        return other

    def _sniffed(self) -> str:
        with self.open(Meter()) as stream:
            start = stream.read(64).removeprefix(codecs.BOM_UTF8).lstrip()
        return "jsonl" if start.startswith(b"{") else "lines"

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return self.path.stat().st_size

    @cached_property
    def identity(self) -> str:
        """A hash that is the same wherever the file lies and whatever it is called.

        It tells the ways to read the file apart, for they give other documents.
        """
        return ":".join(filter(None, [content_identity(self.path), self.reader, self._field]))

    def open(self, meter: Meter) -> AbstractContextManager[BinaryIO]:
        """Open for reading, decompressed."""
        return open_bytes(self.path, self.name, self.compression, meter)


class Folder:
    """The plain files of a folder, each of them one document."""

    def __init__(self, root: Path, files: list[SourceFile]) -> None:
        self.root = root
        self.files = files
        self.reader = "file"
        self.name = str(root)

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(file.size for file in self.files)

    @cached_property
    def identity(self) -> str:
        """A hash of the files' relative names and contents."""
        digest = hashlib.blake2b(digest_size=8)
        for file in self.files:
            relative = file.path.relative_to(self.root).as_posix()
            digest.update(f"{relative}\0{file.identity}\0".encode("utf-8", "surrogatepass"))
        return f"{digest.hexdigest()}:folder"


Source = SourceFile | Folder


def find_sources(
    names: Iterable[str | os.PathLike[str]], reader: str | None, field: str
) -> list[Source]:
    """Turn what the user named into sources; each name must lead to at least one file."""
    found: list[Source] = []
    for name in names:
        text = os.fspath(name)
        if text == "-":
            if sys.stdin is None:
                raise InputError("-: standard input is closed")
            found.append(_spooled(sys.stdin.buffer, "<stdin>", reader, field))
        else:
            for path in _paths(text):
                found += _sources_at(path, reader, field)
    check_each_once(found)
    return found


def _paths(name: str) -> Iterator[Path]:
    """Yield the path of that name, or what the glob matches, in sorted order."""
    path = Path(name).expanduser()
    if path.exists():
        yield path
        return
    if not glob.has_magic(name):
        raise InputError(f"{name}: no such file or folder")
    matches = map(Path, sorted(glob.glob(str(path), recursive=True)))  # noqa: PTH207  # ~, /
    # ** leads to the files of a folder by itself
    found = [match for match in matches if "**" not in name or match.is_file()]
    if not found:
        raise InputError(f"{name}: no file matches this pattern")
    yield from found


def _sources_at(path: Path, reader: str | None, field: str) -> Iterator[Source]:
    if path.is_file():
        yield SourceFile.at(path, reader=reader, field=field)
        return
    if not path.is_dir():  # a pipe can be read only once
        with path.open("rb") as stream:
            yield _spooled(stream, str(path), reader, field)
        return
    plain: list[SourceFile] = []
    tables: list[SourceFile] = []
    of_bibles = reader is not None and reader.startswith("bible")
    for inner in _files_below(path):
        if of_bibles and is_beside(inner):
            continue
        known = reader or _READERS.get(inner_suffix(inner), "file")
        if known == "lines" and reader is None:
            known = "file"
        file = SourceFile.at(inner, reader=known, field=field)
        (plain if file.reader == "file" else tables).append(file)
    if not plain and not tables:
        raise InputError(f"{path}: no files in this folder")
    yield from tables
    if plain:
        yield Folder(path, plain)


def _files_below(folder: Path) -> list[Path]:
    """List the files of a folder and its folders, sorted, hidden ones left out."""

    def refuse(error: OSError) -> None:
        raise error  # else a folder that may not be read would look empty

    found = []
    for parent, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(parent, name) for name in names if not name.startswith(".")]
    return sorted(path for path in found if path.is_file())


def inner_suffix(path: Path) -> str:
    """Return the suffix that tells the format, before that of the compression."""
    suffix = path.suffix.lower()
    return Path(path.stem).suffix.lower() if suffix in MAGIC else suffix


def is_beside(path: Path) -> bool:
    """Tell by its name whether a file in a folder of Bibles is none: references, a read-me.

    >>> is_beside(Path("vref.txt")), is_beside(Path("00-README.txt")), is_beside(Path("GEN.usfm"))
    (True, True, False)
    """
    name = path.name.lower().lstrip("0123456789-_ ")
    return name.startswith(_BESIDE_NAMES) or inner_suffix(path) in _BESIDE_SUFFIXES


def check_each_once(sources: Iterable[Source]) -> None:
    """Refuse a file that is named twice, or beside its compressed copy."""
    seen: dict[Path, str] = {}
    for source in sources:
        for file in source.files if isinstance(source, Folder) else [source]:
            path = Path(os.path.realpath(file.path))
            plain = path.with_suffix("") if file.compression and file.name != "<stdin>" else path
            if plain in seen:
                both = f"{file.name} and {seen[plain]}"
                raise InputError(f"{both} are the same texts: they would be counted twice")
            seen[plain] = file.name


def refuse_markup(sources: Iterable[Source]) -> None:
    """Refuse files that hold several languages, where nothing says which is to be read."""
    for source in sources:
        for file in source.files if isinstance(source, Folder) else [source]:
            if inner_suffix(file.path) == ".tmx":
                raise InputError(
                    f"{file.name}: TMX holds several languages: say which is to be read with the "
                    "reader tmx(language=en)"
                )


def _spooled(stream: IO[bytes], name: str, reader: str | None, field: str) -> SourceFile:
    """Copy a stream to a temporary file, so that it can be read again and identified."""
    handle, temporary = tempfile.mkstemp(prefix="tealeaves-", suffix=".stream")
    path = Path(temporary)
    try:
        with os.fdopen(handle, "wb") as spool:
            shutil.copyfileobj(stream, spool)
        with path.open("rb") as start:
            compression = compression_of(start.read(4))
        source = SourceFile(path, reader=reader, name=name, compression=compression, field=field)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    weakref.finalize(source, path.unlink, missing_ok=True)
    return source
