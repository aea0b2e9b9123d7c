"""Files: reading them decompressed and line by line, and writing them completely or not at all."""

from __future__ import annotations

import codecs
import io
import os
import platform
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from tealeaves.compression import DecompressedStream, compression_of_content, compression_of_name
from tealeaves.errors import InputError
from tealeaves.limits import most_bytes, too_much
from tealeaves.system import (
    flush_folder,
    is_reserved_name,
    keep_permissions,
    locked_if_abandoned,
    mark_in_use,
    may_remove_folder,
    may_write_to,
    path_of_unnamed,
    remove_temporary,
    replace_by_open_file,
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
        file = _MeteredFile(self.path, meter or Meter(), self.name)
        with io.BufferedReader(file, _BUFFER) as raw:
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

    def read(self, meter: Meter | None = None) -> bytes:
        """Read all bytes; a file that becomes far larger than it is on disk is an error."""
        content = io.BytesIO()
        with self.open(meter) as stream:
            while piece := stream.read(_BUFFER):
                content.write(piece)
                self.check_text(content.tell(), self.name)
        return content.getvalue()

    def check_text(self, size: int, where: str) -> None:
        """Raise if a text or a line is larger than the limit for a file of this size."""
        most = most_bytes("text", self.size)
        if size > most:  # of which only a part may have been read
            raise too_much("text", most, f"{where}: a text or a line")

    def byte_lines(self, meter: Meter | None = None) -> Generator[bytes]:
        """Read line by line, with the line breaks."""
        with self.open(meter) as stream:
            most = most_bytes("text", self.size)
            for number, line in enumerate(iter(partial(stream.readline, most + 1), b""), 1):
                if len(line) > most:
                    self.check_text(len(line), f"{self.name}:{number}")
                yield line

    def lines(self, meter: Meter | None = None) -> Iterator[str]:
        """Read line by line; invalid UTF-8 is an error that names the line and the byte."""
        offset = 0
        with closing(self.byte_lines(meter)) as lines:
            for number, line in enumerate(lines, 1):
                has_mark = number == 1 and line.startswith(codecs.BOM_UTF8)
                start = len(codecs.BOM_UTF8) if has_mark else 0
                text = line[start:].rstrip(b"\r\n")
                yield decode(text, f"{self.name}:{number}", offset + start)
                offset += len(line)


class _MeteredFile(io.FileIO):
    """A file that adds what is read from it to a meter; errors call it ``name``."""

    def __init__(self, path: Path, meter: Meter, name: str) -> None:
        super().__init__(path, "rb")
        self._shown = name
        self._meter = meter

    def readinto(self, buffer: Any) -> int | None:
        with _errors_about(self._shown):
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
    end. If the process is killed, there is either the old file or the new one, never a part; so it
    is with several writers of one file, each of which has a hidden file of its own. A new file
    keeps the mode of the one that it replaces, and follows the umask if there is none. An error
    of the disk names the file.
    """
    output = _Output(path)
    try:
        yield output.stream
        output.complete()
        output.publish()
    except BaseException:
        output.discard()
        raise


@contextmanager
def atomic_writes() -> Iterator[Callable[[Path, bytes], None]]:
    """Write several files, which get their names when all are on disk, in the order of writing.

    The function that is yielded takes a path and the content. Folders are made where they are
    missing. After an error none of the new files is left, nor a folder that was made for them; only
    if the disk fails while files are renamed, some that were replaced are new.
    """
    outputs: list[_Output] = []
    made: list[Path] = []

    def write(path: Path, content: bytes) -> None:
        made.extend(_make_folder(path.parent))
        output = _Output(path)
        outputs.append(output)
        output.stream.write(content)
        output.complete()

    try:
        yield write
        for output in outputs:
            output.publish()
    except BaseException:
        for output in outputs:
            output.take_back()
        for folder in reversed(made):
            with suppress(OSError):  # it has other files by now
                folder.rmdir()
        raise


@contextmanager
def growing_file(path: str | os.PathLike[str], *, append: bool) -> Iterator[BinaryIO]:
    """Open a file under its own name, for work that can be resumed from a part of it.

    At the end it is flushed to disk. An error of the disk names it.
    """
    raw = _OutputFile(path, "ab" if append else "wb", str(path))
    stream = io.BufferedWriter(raw)
    try:
        yield cast("BinaryIO", stream)
        stream.flush()
        with _errors_about(str(path)):
            os.fsync(raw.fileno())
    finally:
        raw.close()  # after an error, what is still in the buffer is not written


def move_into_place(new: Path, old: Path) -> None:
    """Give a complete file the name of another one, whose mode it gets."""
    target = _target(old)
    with _errors_about(str(old)):
        with new.open("r+b") as stream:
            if target.exists():
                keep_permissions(stream.fileno(), target.stat())
            os.fsync(stream.fileno())
        replace_file(new, target)
        flush_folder(target.parent)


class _Output:
    """A file that is written under another name, until it is complete."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        check_writable(path)
        self._name = str(path)
        self._target = _target(path)
        self._has_name = False
        with _errors_about(self._name):
            self._old = self._target.stat() if self._target.exists() else None
            self._temporary, self._raw = self._open()
        self._buffered = io.BufferedWriter(self._raw, _BUFFER)
        self.stream = cast("BinaryIO", self._buffered)

    def _open(self) -> tuple[Path, _OutputFile]:
        mode = 0o666 if self._old is None else 0o600  # the old one may be for few eyes
        while True:
            temporary = self._target.with_name(
                f".{self._target.name}.{_HOST}-{os.urandom(6).hex()}.tmp"
            )
            raw = _OutputFile(temporary, "xb", self._name, mode)
            if mark_in_use(raw.fileno(), temporary):
                return temporary, raw
            raw.close()

    def complete(self) -> None:
        """Write all bytes to disk."""
        with _errors_about(self._name):
            self._buffered.flush()
            if self._old is not None:
                keep_permissions(self._raw.fileno(), self._old)
            os.fsync(self._raw.fileno())

    def publish(self) -> None:
        """Give the file its name."""
        with _errors_about(self._name):
            replace_by_open_file(self._raw, self._temporary, self._target)
            self._has_name = True
            flush_folder(self._target.parent)

    def discard(self) -> None:
        """Remove the hidden file; what has its name stays."""
        with suppress(OSError):
            self._raw.close()  # what is still in the buffer is not written
        with suppress(OSError):
            self._temporary.unlink(missing_ok=True)

    def take_back(self) -> None:
        """Remove the file, unless it has replaced another one."""
        self.discard()
        if self._has_name and self._old is None:
            with suppress(OSError):
                self._target.unlink()


class _OutputFile(io.FileIO):
    """A file that is written to; errors name it, which those of the system do not."""

    def __init__(
        self, path: str | os.PathLike[str], mode: str, name: str, permissions: int = 0o666
    ) -> None:
        with _errors_about(name):
            super().__init__(
                path, mode, opener=lambda file, flags: os.open(file, flags, permissions)
            )
        self._shown = name

    def write(self, data: Any) -> int:
        with _errors_about(self._shown):
            return os.write(self.fileno(), data)


@contextmanager
def _errors_about(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno is not None:  # the text of others is all they have
            error.filename, error.filename2 = name, None
        raise


def _make_folder(folder: Path) -> list[Path]:
    """Make a folder where it is missing; return those that were made, outer ones first."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()][::-1]
    folder.mkdir(parents=True, exist_ok=True)
    return missing


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
    pattern = re.compile(rf"\.{re.escape(target.name)}\.{_HOST}-[0-9a-f]{{12}}\.tmp")
    for neighbour in target.parent.iterdir():
        if pattern.fullmatch(neighbour.name):
            with locked_if_abandoned(neighbour) as abandoned:
                if abandoned:
                    remove_temporary(neighbour)


def _target(path: str | os.PathLike[str]) -> Path:
    """Return the file to be written: of a link, the file that it points to."""
    return Path(os.path.realpath(path))


# ---------------------------------------------------------------------- temporary files

_LOCK = ".lock"  # the first file of a temporary folder, locked until the folder is removed


@contextmanager
def temporary_folder(parent: Path, start: str) -> Iterator[Path]:
    """Make a folder that is removed at the end; ``start`` is the start of its name.

    Those of processes that were killed are removed, too.
    """
    import shutil

    remove_abandoned_folders(parent, start)
    folder, lock = _locked_folder(parent, start)
    try:
        yield folder
    finally:
        lock.close()
        shutil.rmtree(folder, ignore_errors=True)


def _locked_folder(parent: Path, start: str) -> tuple[Path, io.FileIO]:
    import tempfile

    while True:
        folder = Path(tempfile.mkdtemp(prefix=start, dir=parent))
        try:
            lock = io.FileIO(folder / _LOCK, "xb")
        except FileNotFoundError:  # it was empty, and removed
            continue
        if mark_in_use(lock.fileno(), folder / _LOCK):
            return folder, lock
        lock.close()


def remove_abandoned_folders(parent: Path, start: str) -> None:
    """Remove the temporary folders of processes that were killed."""
    import shutil

    for folder in [one for one in parent.glob(f"{start}*") if may_remove_folder(one)]:
        has_files = any(folder.iterdir())
        with locked_if_abandoned(folder / _LOCK) as abandoned:
            # without a lock, but with other files, it was being removed
            if abandoned or (has_files and not (folder / _LOCK).exists()):
                shutil.rmtree(folder, ignore_errors=True)
        with suppress(OSError):
            folder.rmdir()  # if it is empty; one that is being made is then made again


class Spool:
    """A copy of a stream in the temporary folder, which can be read again.

    It goes when it is closed or the process ends, however it ends, because the file has no name.
    Where such a file cannot be opened again, it is in a folder that a later run removes.

    Parameters
    ----------
    stream
        What is copied.
    name
        What messages call it.
    """

    def __init__(self, stream: IO[bytes], name: str) -> None:
        import shutil
        import tempfile

        place = tempfile.gettempdir()
        with ExitStack() as stack, _errors_about(f"{name}, which is copied to {place}"):
            copy: IO[bytes] = stack.enter_context(tempfile.TemporaryFile())
            path = path_of_unnamed(copy.fileno())
            if path is None:
                folder = stack.enter_context(temporary_folder(Path(place), "tealeaves-"))
                path = folder / "stream"
                copy = stack.enter_context(path.open("wb"))
            shutil.copyfileobj(stream, copy)
            copy.flush()
            #: Where it can be opened.
            self.path = path
            self._copy = stack.pop_all()

    def close(self) -> None:
        """Remove the copy."""
        self._copy.close()


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
