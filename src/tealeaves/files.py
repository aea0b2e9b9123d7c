"""Files: reading them decompressed and line by line, and writing them completely or not at all."""

from __future__ import annotations

import codecs
import io
import os
import platform
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from tealeaves.compression import DecompressedStream, compression_of_content, compression_of_name
from tealeaves.errors import InputError
from tealeaves.system import (
    is_reserved_name,
    may_write_to,
    process_is_alive,
    remove_temporary,
    replace_file,
)

_HOST = re.sub(r"[^A-Za-z0-9]", "", platform.node()) or "host"
_BUFFER = 1 << 20

# ---------------------------------------------------------------------- reading


class Meter:
    """The number of bytes that were read, and of all that will be: for a progress bar."""

    def __init__(self, total: int = 0) -> None:
        self.total = total
        self.done = 0


class InputFile:
    """A file to be read, compressed or not.

    Parameters
    ----------
    path
        Where it is.
    name
        What messages call it. Default: the path.
    compression
        ``.gz``, ``.bz2``, ``.zst`` or an empty string. Default: the suffix of the path tells.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, name: str = "", compression: str | None = None
    ) -> None:
        self.path = Path(path)
        self.name = name or str(path)
        self.compression = compression_of_name(self.path) if compression is None else compression

    @property
    def size(self) -> int:
        """The number of bytes on disk."""
        return self.path.stat().st_size

    @contextmanager
    def open(self, meter: Meter | None = None) -> Iterator[BinaryIO]:
        """Open the file for reading, decompressed; a damaged or changed file is an error."""
        with io.BufferedReader(_MeteredFile(self.path, meter or Meter()), _BUFFER) as raw:
            state = file_state(raw.fileno())
            content = compression_of_content(raw.peek(4))
            if content and not self.compression:
                raise InputError(
                    f"{self.name}: a {content} file by its content: add {content} to its name"
                )
            if content != self.compression:
                raise InputError(
                    f"{self.name}: not a {self.compression} file, though its name says so: "
                    "rename it"
                )
            if not content:
                yield cast("BinaryIO", raw)
            else:
                inner = DecompressedStream(cast("BinaryIO", raw), content, self.name)
                with io.BufferedReader(inner, _BUFFER) as stream:
                    yield cast("BinaryIO", stream)
            check_unchanged(raw.fileno(), state, self.name)

    def lines(self, meter: Meter | None = None) -> Iterator[str]:
        """Read line by line; invalid UTF-8 is an error that names the line and the byte."""
        with self.open(meter) as stream:
            offset = 0
            for number, line in enumerate(stream, 1):
                has_mark = number == 1 and line.startswith(codecs.BOM_UTF8)
                start = len(codecs.BOM_UTF8) if has_mark else 0
                text = line[start:].rstrip(b"\r\n")
                yield decode(text, f"{self.name}:{number}", offset + start)
                offset += len(line)


class _MeteredFile(io.FileIO):
    """A file that adds what is read from it to a meter."""

    def __init__(self, path: Path, meter: Meter) -> None:
        super().__init__(path, "rb")
        self._meter = meter

    def readinto(self, buffer: Any) -> int | None:
        count = super().readinto(buffer)
        self._meter.done += count or 0
        return count


def decode(data: bytes, where: str, offset: int = 0) -> str:
    """Decode UTF-8; an error names the invalid byte of the file, of which ``offset`` is the first.

    ``where`` is the file and the line.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{where}: invalid UTF-8 at byte {offset + error.start} of the file "
            f"(0x{data[error.start]:02x}): save the file as UTF-8"
        ) from error


def decode_text(data: bytes, name: str) -> str:
    """Decode the whole content of a file; an error names the line and the byte."""
    start = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    try:
        return data[start:].decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: start + error.start].count(b"\n") + 1
        return decode(data[start:], f"{name}:{line}", start)  # it raises the error


def file_state(file: int | Path) -> tuple[int, int]:
    """Return the size of a file and when it was last written."""
    state = os.stat(file)  # noqa: PTH116  # of an open file too
    return state.st_size, state.st_mtime_ns


def check_unchanged(file: int | Path, state: tuple[int, int], name: str) -> None:
    """Raise if a file was written to while it was read; ``state`` is what it was before."""
    if file_state(file) != state:
        raise InputError(f"{name}: the file was changed while it was read: run this again")


# ---------------------------------------------------------------------- writing


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file that gets its name only when it is completely written.

    The bytes go to a hidden file in the same folder, which is flushed to disk and renamed at the
    end. If the process is killed, there is either the old file or the new one, never a part.
    """
    check_writable(path)
    target = _target(path)
    temporary = target.with_name(f".{target.name}.{_HOST}-{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        replace_file(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise, before any work is done, if no file can be written at a path."""
    if is_reserved_name(Path(path).name):
        raise InputError(f"{path}: Windows does not allow this name: choose another")
    target = _target(path)
    if target.is_dir():
        raise InputError(f"{path}: a folder, not a file")
    if target.exists() and not target.is_file():
        raise InputError(f"{path}: not a regular file, so it cannot be replaced")
    check_folder_writable(target.parent, name=str(Path(path).parent))


def check_folder_writable(folder: Path, *, name: str = "") -> None:
    """Raise if no file can be written to a folder; ``name`` is its name in errors."""
    if not folder.exists():
        raise InputError(f"{name or folder}: no such folder: make it first, or name another")
    if not folder.is_dir():
        raise InputError(f"{name or folder}: a file, not a folder")
    if not may_write_to(folder):
        raise InputError(f"{name or folder}: you may not write to this folder")


def check_replaceable(
    path: str | os.PathLike[str], read: Callable[[Path], object], holds: str
) -> None:
    """Raise, before any work is done, if a path cannot be written, or has a file of something else.

    ``read`` reads a file that may be replaced, and ``holds`` says what is in it.
    """
    check_writable(path)
    if Path(path).exists():
        try:
            read(Path(path))
        except InputError as error:
            raise InputError(f"{path} exists and holds no {holds}: name another file") from error


def remove_leftovers(path: str | os.PathLike[str]) -> None:
    """Remove the temporary files of processes of this machine that were killed while writing."""
    target = _target(path)
    pattern = re.compile(rf"\.{re.escape(target.name)}\.{_HOST}-(\d+)\.tmp")
    for neighbour in target.parent.iterdir():
        match = pattern.fullmatch(neighbour.name)
        if match and not process_is_alive(int(match[1])):
            remove_temporary(neighbour)


def _target(path: str | os.PathLike[str]) -> Path:
    """Return the file to be written: of a link, the file that it points to."""
    return Path(os.path.realpath(path))


# ---------------------------------------------------------------------- cache


def user_cache() -> Path | None:
    """Return the user's folder for files that can be made again; None if there is no home.

    It is ``TEALEAVES_CACHE``, or ``tealeaves`` in ``XDG_CACHE_HOME`` or in ``~/.cache``.
    """
    if cache := os.environ.get("TEALEAVES_CACHE"):
        return _expanded(cache)
    if caches := os.environ.get("XDG_CACHE_HOME"):
        return _expanded(caches) / "tealeaves"
    home = _expanded("~")
    return home / ".cache" / "tealeaves" if home.is_absolute() else None


def _expanded(path: str) -> Path:
    return Path(os.path.expanduser(path))  # noqa: PTH111  # there may be no home
