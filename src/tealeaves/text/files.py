"""The files of a corpus, found by what a user names: paths, globs, folders, standard input."""

from __future__ import annotations

import codecs
import glob
import hashlib
import os
import sys
import weakref
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from tealeaves.artifacts import check_no_artifact
from tealeaves.compression import compression_of_content, format_suffix
from tealeaves.errors import InputError
from tealeaves.expressions import Expression
from tealeaves.files import InputFile, Spool
from tealeaves.system import is_hidden, matching_paths, sorted_paths

_READERS = {
    ".txt": "lines",
    ".json": "jsonl",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
}
_RECORD_READERS = ("jsonl", "csv", "tsv", "parquet")  # they need the name of the text's field
# files in folders of Bibles that are not Bibles
_COMPANION_NAMES = ("vref.txt", "readme", "licen", "copying", "copyright", "copr.")
_COMPANION_SUFFIXES = (".htm", ".html", ".css", ".md", ".pdf")
_SAMPLES = 64
_SAMPLE_BYTES = 64 * 1024


class SourceFile(InputFile):
    """A file of documents: where it is, how it is read, and what identifies its content.

    Parameters
    ----------
    path, name, compression
        As for any file to be read.
    reader
        The expression of its reader. Default: the name of the file tells, or else its start.
    field
        The name of the field that holds the text.
    """

    def __init__(
        self,
        path: Path,
        *,
        reader: str | None = None,
        field: str = "",
        name: str = "",
        compression: str | None = None,
    ) -> None:
        super().__init__(path, name=name, compression=compression)
        check_no_artifact(path)
        self.reader = reader or _READERS.get(format_suffix(path)) or self._guess_reader()
        self._field = field if self.reader_call[0] in _RECORD_READERS else ""
        self._temporary: SourceFile | None = None

    @property
    def reader_call(self) -> tuple[str, dict[str, Any]]:
        """The name of the reader, and the parameters that it is called with."""
        if "(" not in self.reader:
            return self.reader, {}
        expression = Expression.parse(self.reader)
        return expression.name, dict(expression.parameters)

    def with_reader(self, reader: str, *, field: str = "") -> SourceFile:
        """Return the same file with another reader."""
        other = SourceFile(
            self.path, reader=reader, name=self.name, compression=self.compression, field=field
        )
        other._temporary = self  # a temporary file is deleted with its first SourceFile
        return other

    def _guess_reader(self) -> str:
        with self.open() as stream:
            start = stream.read(64).removeprefix(codecs.BOM_UTF8).lstrip()
        return "jsonl" if start.startswith(b"{") else "lines"

    @cached_property
    def identity(self) -> str:
        """A hash of the content, the same wherever the file is and whatever it is called.

        It includes the reader, because another reader makes other documents of the file.
        """
        return ":".join(filter(None, [content_identity(self.path), self.reader, self._field]))


class SourceFolder:
    """The plain files of a folder, each of which is one document."""

    def __init__(self, root: Path, files: list[SourceFile]) -> None:
        self.root = root
        self.files = files
        self.reader = "file"
        self.name = str(root)

    @property
    def size(self) -> int:
        """The number of bytes on disk."""
        return sum(file.size for file in self.files)

    @cached_property
    def identity(self) -> str:
        """A hash of the relative names and the contents of the files."""
        digest = hashlib.blake2b(digest_size=8)
        for file in self.files:
            relative = file.path.relative_to(self.root).as_posix()
            digest.update(f"{relative}\0{file.identity}\0".encode("utf-8", "surrogatepass"))
        return f"{digest.hexdigest()}:folder"


FileOrFolder = SourceFile | SourceFolder


def content_identity(path: Path) -> str:
    """Return a hash of the content of a file.

    A file of up to 4 MiB is hashed as a whole. Of a larger one, the size and 64 evenly spaced
    samples are hashed, so that no second pass over it is needed.
    """
    size = path.stat().st_size
    digest = hashlib.blake2b(size.to_bytes(8, "little"), digest_size=8)
    with path.open("rb") as stream:
        if size <= _SAMPLES * _SAMPLE_BYTES:
            digest.update(stream.read())
        else:
            for number in range(_SAMPLES):
                stream.seek(number * (size - _SAMPLE_BYTES) // (_SAMPLES - 1))
                digest.update(stream.read(_SAMPLE_BYTES))
    return digest.hexdigest()


def find_files(
    names: Iterable[str | os.PathLike[str]], reader: str | None, field: str
) -> list[FileOrFolder]:
    """Find the files and folders that a user names; each name must lead to at least one file.

    ``field`` is the name of the field that holds the text.
    """
    files: list[FileOrFolder] = []
    for path_name in names:
        name = os.fspath(path_name)
        if name == "-":
            if sys.stdin is None:
                raise InputError("-: standard input is closed")
            files.append(_copy_stream(sys.stdin.buffer, "<stdin>", reader, field))
        else:
            for path in _matching_paths(name):
                files += _files_at(path, reader, field)
    check_distinct(files)
    return files


def _matching_paths(name: str) -> list[Path]:
    """Return the path of that name, or the sorted matches of a glob."""
    path = Path(name).expanduser()
    if path.exists():
        return [path]
    if not glob.has_magic(name):
        raise InputError(f"{name}: no such file or folder")
    matches = [Path(match) for match in matching_paths(str(path))]
    if "**" in name:  # it matches the folders of the files too
        matches = [match for match in matches if match.is_file()]
    if not matches:
        raise InputError(f"{name}: no file matches this pattern")
    return matches


def _files_at(path: Path, reader: str | None, field: str) -> Iterator[FileOrFolder]:
    if path.is_file():
        yield SourceFile(path, reader=reader, field=field)
        return
    if not path.is_dir():  # a pipe, which can be read only once
        with path.open("rb") as stream:
            yield _copy_stream(stream, str(path), reader, field)
        return
    plain: list[SourceFile] = []
    tables: list[SourceFile] = []
    of_bibles = reader is not None and reader.startswith("bible")
    for inner in _files_below(path):
        if of_bibles and is_companion(inner):
            continue
        inner_reader = reader or _READERS.get(format_suffix(inner), "file")
        if inner_reader == "lines" and reader is None:
            inner_reader = "file"
        file = SourceFile(inner, reader=inner_reader, field=field)
        (plain if file.reader == "file" else tables).append(file)
    if not plain and not tables:
        raise InputError(f"{path}: no files in this folder")
    yield from tables
    if plain:
        yield SourceFolder(path, plain)


def _files_below(folder: Path) -> list[Path]:
    """Return the files of a folder and its subfolders, sorted, without hidden ones."""

    def reraise(error: OSError) -> None:
        raise error  # else a folder without permission to read would look empty

    paths: list[Path] = []
    for parent, folders, names in os.walk(folder, onerror=reraise):
        folders[:] = [name for name in folders if not is_hidden(Path(parent, name))]
        paths += [path for path in (Path(parent, name) for name in names) if not is_hidden(path)]
    return sorted_paths(path for path in paths if path.is_file())


def _copy_stream(stream: IO[bytes], name: str, reader: str | None, field: str) -> SourceFile:
    """Copy a stream to a temporary file, so that it can be read again and identified."""
    copy = Spool(stream, name)
    try:
        with copy.path.open("rb") as start:
            compression = compression_of_content(start.read(4))
        file = SourceFile(copy.path, reader=reader, name=name, compression=compression, field=field)
    except BaseException:
        copy.close()
        raise
    weakref.finalize(file, copy.close)
    return file


def is_companion(path: Path) -> bool:
    """Tell by its name whether a file in a folder of Bibles is no Bible, but a read-me or the like.

    >>> [is_companion(Path(name)) for name in ("vref.txt", "00-README.txt", "GEN.usfm")]
    [True, True, False]
    """
    name = path.name.lower().lstrip("0123456789-_ ")
    return name.startswith(_COMPANION_NAMES) or format_suffix(path) in _COMPANION_SUFFIXES


def single_files(files: Iterable[FileOrFolder]) -> Iterator[SourceFile]:
    """Yield the files, and those of folders."""
    for file in files:
        if isinstance(file, SourceFolder):
            yield from file.files
        else:
            yield file


def check_distinct(files: Iterable[FileOrFolder]) -> None:
    """Raise for a file that is named twice, or together with its compressed copy."""
    names: dict[Path, str] = {}
    for file in single_files(files):
        path = Path(os.path.realpath(file.path))
        plain = path.with_suffix("") if file.compression and file.name != "<stdin>" else path
        if plain in names:
            raise InputError(
                f"{file.name} and {names[plain]} are the same texts and would be counted twice: "
                "name only one of them"
            )
        names[plain] = file.name


def check_no_tmx(files: Iterable[FileOrFolder]) -> None:
    """Raise for TMX files: they have several languages, and only a reader says which is read."""
    for file in single_files(files):
        if format_suffix(file.path) == ".tmx":
            raise InputError(
                f"{file.name}: TMX has several languages: choose one with the reader "
                "tmx(language=en)"
            )
