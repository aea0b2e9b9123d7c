"""Files as streams of bytes, whatever they are compressed with, and never silently cut short."""

from __future__ import annotations

import bz2
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from tealeaves.errors import InputError
from tealeaves.extras import require

MAGIC = {".gz": b"\x1f\x8b", ".bz2": b"BZh", ".zst": b"\x28\xb5\x2f\xfd"}
_SKIPPABLE = b"\x2a\x4d\x18"  # a frame of Zstandard that holds no data
_CHUNK = 1 << 20
_LEAST = 256


class Meter:
    """Bytes read so far of all that are to be read: what a progress bar shows."""

    def __init__(self, total: int = 0) -> None:
        self.total = total
        self.done = 0


class _MeteredFile(io.FileIO):
    """A file that tells the meter what is read from it."""

    def __init__(self, path: Path, meter: Meter) -> None:
        super().__init__(path, "rb")
        self._meter = meter

    def readinto(self, buffer: Any) -> int | None:
        count = super().readinto(buffer)
        self._meter.done += count or 0
        return count


@contextmanager
def open_bytes(path: Path, name: str, compression: str, meter: Meter) -> Iterator[BinaryIO]:
    """Open a file for reading, decompressed; damage is an error that names the file."""
    with io.BufferedReader(_MeteredFile(path, meter), _CHUNK) as raw:
        before = file_state(raw.fileno())
        found = compression_of(raw.peek(4))
        if found and not compression:
            raise InputError(f"{name}: a {found} file by its content: add {found} to its name")
        if not compression:
            yield cast("BinaryIO", raw)
        elif found != compression:
            raise InputError(f"{name}: not a {compression} file, though its name says so")
        else:
            inner = _Decompressed(cast("BinaryIO", raw), compression, name)
            with io.BufferedReader(inner, _CHUNK) as stream:
                yield cast("BinaryIO", stream)
        check_unchanged(raw.fileno(), before, name)


def file_state(file: int | Path) -> tuple[int, int]:
    """Return what shows that somebody writes to a file."""
    state = os.stat(file)  # noqa: PTH116  # of an open file too
    return state.st_size, state.st_mtime_ns


def check_unchanged(file: int | Path, before: tuple[int, int], name: str) -> None:
    """Refuse what was read of a file while somebody wrote to it."""
    if file_state(file) != before:
        raise InputError(f"{name}: the file was changed while it was read")


def compression_of(start: bytes) -> str:
    """Return the suffix of the format that a file's first bytes belong to, or nothing."""
    if start[1:4] == _SKIPPABLE and start[0] >> 4 == 5:
        return ".zst"
    return next((suffix for suffix, magic in MAGIC.items() if start.startswith(magic)), "")


def _decompressor(compression: str, name: str) -> Any:
    """Return what decompresses one member: it knows its end (``eof``) and what lies behind it."""
    if compression == ".gz":
        return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    if compression == ".bz2":
        return bz2.BZ2Decompressor()
    zstandard = require("zstandard", extra="zst", reason=f"{name}: reading .zst")
    return zstandard.ZstdDecompressor().decompressobj()


def _damage(compression: str) -> tuple[type[Exception], ...]:
    """Return the errors by which a decompressor says that its input is damaged."""
    if compression == ".zst":
        return (require("zstandard", extra="zst", reason="reading .zst").ZstdError,)
    return (zlib.error, OSError, EOFError, ValueError)


class _Decompressed(io.RawIOBase):
    """The members of a compressed file, one after the other.

    The readers of the standard library and of zstandard pass over damage behind a whole member,
    or a missing end; here both are errors. Input is fed in pieces that give about a megabyte.
    """

    def __init__(self, raw: BinaryIO, compression: str, name: str) -> None:
        self._raw = raw
        self._compression = compression
        self._name = name
        self._member: Any = _decompressor(compression, name)
        self._fed = False  # whether the member has had any input
        self._piece = _LEAST
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready and self._advance():
            pass
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def _advance(self) -> bool:
        """Decompress one more piece; return whether there may be more."""
        behind = b""
        if self._member.eof:
            behind = self._member.unused_data
            self._member, self._fed = _decompressor(self._compression, self._name), False
        piece = behind or self._raw.read(self._piece)
        while piece and self._compression == ".gz" and not self._fed:
            if rest := piece.lstrip(b"\0"):  # members of gzip may be padded
                piece = rest
                break
            piece = self._raw.read(self._piece)
        if not piece:
            if self._fed:
                raise InputError(f"{self._name}: the {self._compression} file is cut short")
            return False
        self._ready = self._decompress(piece)
        self._fed = True
        share = len(self._ready) / len(piece) or 1.0
        self._piece = min(max(int(_CHUNK / share), _LEAST), _CHUNK)
        return True

    def _decompress(self, piece: bytes) -> bytes:
        try:
            return bytes(self._member.decompress(piece))
        except _damage(self._compression) as error:
            raise InputError(
                f"{self._name}: the {self._compression} file is damaged: {error}"
            ) from error
