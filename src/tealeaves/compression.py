"""Compressed files (gzip, bzip2, Zstandard): how they are recognised and decompressed."""

from __future__ import annotations

import bz2
import io
import zlib
from pathlib import Path
from typing import Any, BinaryIO

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.limits import limit, too_much

_FIRST_BYTES = {".gz": b"\x1f\x8b", ".bz2": b"BZh", ".zst": b"\x28\xb5\x2f\xfd"}
COMPRESSION_SUFFIXES = tuple(_FIRST_BYTES)
_SKIPPABLE = b"\x2a\x4d\x18"  # in a frame of Zstandard that holds no data
_INPUT = 1 << 16  # bytes that are read at once
_OUTPUT = 1 << 20  # bytes that a piece of input may become at once
# pieces of Zstandard, whose library does not limit the output: two kilobytes become at most 64 MB
_LEAST, _MOST = 1 << 8, 1 << 11


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
    a missing end. Here both are errors. Input goes by small pieces, so that memory is bounded
    whatever a piece becomes.
    """

    def __init__(self, raw: BinaryIO, compression: str, name: str) -> None:
        self._raw = raw
        self._compression = compression
        self._name = name
        self._member: Any = _decompressor(compression, name)
        self._begun = False  # whether the member has had any input
        self._input = memoryview(b"")
        self._piece = _LEAST
        self._ready = memoryview(b"")
        self._has_more = False  # output for which no more input is needed

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
        if self._member.eof:
            self._input = memoryview(self._member.unused_data + self._input)
            self._member, self._begun = _decompressor(self._compression, self._name), False
        if not self._has_more and not self._find_input():
            if self._begun:
                raise InputError(
                    f"{self._name}: the {self._compression} file is cut short: copy it again"
                )
            return False
        try:
            self._ready = memoryview(self._decompress())
        except _errors_of_damage(self._compression) as error:
            if "requires too much memory" in str(error):
                raise self._window_error() from error
            raise InputError(
                f"{self._name}: the {self._compression} file is damaged: {error}"
            ) from error
        self._begun = True
        return True

    def _find_input(self) -> bool:
        """Read on if there is no input; return whether there is any."""
        while True:
            if not self._input:
                self._input = memoryview(self._raw.read(_INPUT))
            if not self._input or self._begun or self._compression != ".gz":
                return bool(self._input)
            # members of gzip may be padded
            self._input = memoryview(bytes(self._input).lstrip(b"\0"))
            if self._input:
                return True

    def _decompress(self) -> bytes:
        """Return what a piece of the input becomes."""
        if self._compression == ".zst":
            piece, self._input = self._input[: self._piece], self._input[self._piece :]
            output = bytes(self._member.decompress(piece))
            self._piece = _MOST if len(output) * _MOST < _OUTPUT * len(piece) else _LEAST
            return output
        output = bytes(self._member.decompress(self._input, _OUTPUT))
        more = not self._member.eof
        self._input = memoryview(getattr(self._member, "unconsumed_tail", b"") if more else b"")
        self._has_more = len(output) == _OUTPUT and more
        return output

    def _window_error(self) -> InputError:
        what = f"{self._name}: the window that it was compressed with"
        return too_much("window", limit("window"), what)


def _decompressor(compression: str, name: str) -> Any:
    """Return what decompresses one member; it has ``eof``, and ``unused_data`` after the end."""
    if compression == ".gz":
        return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    if compression == ".bz2":
        return bz2.BZ2Decompressor()
    zstandard = require("zstandard", extra="zst", reason=f"{name}: reading .zst")
    window = min(limit("window"), 1 << zstandard.WINDOWLOG_MAX)
    return zstandard.ZstdDecompressor(max_window_size=window).decompressobj()


def _errors_of_damage(compression: str) -> tuple[type[Exception], ...]:
    """Return the errors that a decompressor raises for damaged input."""
    if compression == ".zst":
        return (require("zstandard", extra="zst", reason="reading .zst").ZstdError,)
    return (zlib.error, OSError, EOFError, ValueError)
