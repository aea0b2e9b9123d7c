"""Compressed files (gzip, bzip2, Zstandard): how they are recognised and decompressed."""

from __future__ import annotations

import bz2
import io
import zlib
from pathlib import Path
from typing import Any, BinaryIO

from tealeaves.errors import InputError
from tealeaves.extras import require

_FIRST_BYTES = {".gz": b"\x1f\x8b", ".bz2": b"BZh", ".zst": b"\x28\xb5\x2f\xfd"}
COMPRESSION_SUFFIXES = tuple(_FIRST_BYTES)
_SKIPPABLE = b"\x2a\x4d\x18"  # in a frame of Zstandard that holds no data
_CHUNK = 1 << 20
_LEAST = 256


def compression_of_name(path: Path) -> str:
    """Return the suffix of the compression that a file's name tells, or nothing.

    >>> compression_of_name(Path("a.csv.GZ")), compression_of_name(Path("a.csv"))
    ('.gz', '')
    """
    suffix = path.suffix.lower()
    return suffix if suffix in COMPRESSION_SUFFIXES else ""


def compression_of_content(start: bytes) -> str:
    """Return the suffix of the compression that a file's first four bytes tell, or nothing."""
    if start[1:4] == _SKIPPABLE and start[0] >> 4 == 5:
        return ".zst"
    return next((suffix for suffix, first in _FIRST_BYTES.items() if start.startswith(first)), "")


def format_suffix(path: Path) -> str:
    """Return the suffix of a file's format, which comes before that of its compression.

    >>> format_suffix(Path("a.csv.gz")), format_suffix(Path("a.CSV")), format_suffix(Path("a.gz"))
    ('.csv', '.csv', '')
    """
    return (Path(path.stem) if compression_of_name(path) else path).suffix.lower()


class DecompressedStream(io.RawIOBase):
    """The content of a compressed file, whose members are read one after the other.

    The readers of the standard library and of zstandard ignore damage after a complete member, or
    a missing end. Here both are errors. Each piece of input gives about a megabyte of output.
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
        """Return true."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer, or a part of it; return the number of bytes."""
        while not self._ready and self._advance():
            pass
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def _advance(self) -> bool:
        """Decompress one more piece; return whether there may be more."""
        rest = b""
        if self._member.eof:
            rest = self._member.unused_data
            self._member, self._fed = _decompressor(self._compression, self._name), False
        piece = rest or self._raw.read(self._piece)
        while piece and self._compression == ".gz" and not self._fed:
            if unpadded := piece.lstrip(b"\0"):  # members of gzip may be padded
                piece = unpadded
                break
            piece = self._raw.read(self._piece)
        if not piece:
            if self._fed:
                raise InputError(
                    f"{self._name}: the {self._compression} file is cut short: copy it again"
                )
            return False
        try:
            self._ready = bytes(self._member.decompress(piece))
        except _errors_of_damage(self._compression) as error:
            raise InputError(
                f"{self._name}: the {self._compression} file is damaged: {error}"
            ) from error
        self._fed = True
        share = len(self._ready) / len(piece) or 1.0
        self._piece = min(max(int(_CHUNK / share), _LEAST), _CHUNK)
        return True


def _decompressor(compression: str, name: str) -> Any:
    """Return what decompresses one member; it has ``eof``, and ``unused_data`` after the end."""
    if compression == ".gz":
        return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    if compression == ".bz2":
        return bz2.BZ2Decompressor()
    zstandard = require("zstandard", extra="zst", reason=f"{name}: reading .zst")
    return zstandard.ZstdDecompressor().decompressobj()


def _errors_of_damage(compression: str) -> tuple[type[Exception], ...]:
    """Return the errors that a decompressor raises for damaged input."""
    if compression == ".zst":
        return (require("zstandard", extra="zst", reason="reading .zst").ZstdError,)
    return (zlib.error, OSError, EOFError, ValueError)
