"""The headers of the pages of a Parquet file: sizes that do not fit are refused.

polars takes memory by the sizes that a damaged header states, and where there is not so much, it
ends the process. So headers are read first. They are structs of Thrift in its compact protocol.
"""

from __future__ import annotations

import io
import os
from typing import IO, Any

_MAGIC = b"PAR1"
_FRAME = len(_MAGIC) + 4  # the end of a file: the length of the footer, and the magic bytes
_FIRST = 1 << 14  # bytes that most headers fit into
_DEEPEST = 32
_SLACK = 100  # some writers count the bytes of a column without those of a header
_SMALL = 1 << 20  # some do not count the bytes of a dictionary
_VARINT = 10  # bytes of the longest number

Fields = dict[int, Any]


class _CutError(ValueError):
    """A struct that goes on after the bytes that were read."""


def check_pages(file: IO[bytes]) -> None:
    """Raise ``ValueError`` for a Parquet file with a page that cannot be as it says.

    What is no Parquet file at all is left to polars.
    """
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _FRAME))
    end = file.read(_FRAME)
    length = int.from_bytes(end[:4], "little")
    if end[4:] != _MAGIC or length > size - _FRAME - len(_MAGIC):
        return
    footer = size - _FRAME - length
    file.seek(footer)
    try:
        content, _ = _Reader(file.read(length)).struct()
        for group in content.get(4, []):
            for column in group.get(1, []):
                _check_column(file, column.get(3, {}), footer)
    except (_CutError, AttributeError, TypeError) as error:
        raise ValueError("its header is damaged") from error
    finally:
        file.seek(0)


def _check_column(file: IO[bytes], column: Fields, footer: int) -> None:
    """Check the pages of a column of one row group, one after the other."""
    values, unpacked, packed = (column.get(field, -1) for field in (5, 6, 7))
    at = min(place for place in (column.get(11), column.get(9, -1)) if place)
    if min(values, unpacked, packed) < 0 or not len(_MAGIC) <= at <= at + packed <= footer:
        raise ValueError("a column is not where the header says")
    end = min(at + packed + _SLACK, footer)
    left = values
    while at < end and left > 0:
        header, length = _page_header(file, at, end)
        sizes = header.get(2, -1), header.get(3, -1)
        at += length + sizes[1]
        if min(sizes) < 0 or sizes[0] > max(2 * unpacked, _SMALL) or at > end:
            raise ValueError("a page has a size that does not fit")
        left -= _check_values(header, left, sizes[0])
    if left:
        raise ValueError("a column has other numbers of values than its pages")


def _check_values(header: Fields, left: int, size: int) -> int:
    """Return the number of values of a page of data, 0 for a dictionary."""
    page = next((field for field in (5, 7, 8) if field in header), 0)
    number = header[page].get(1, -1) if page else -1
    if page == 7 and 0 <= number <= size:  # each of a dictionary takes a byte at least
        return 0
    if page in (5, 8) and 0 <= number <= left:
        return int(number)
    raise ValueError("a page has a number of values that does not fit")


def _page_header(file: IO[bytes], at: int, end: int) -> tuple[Fields, int]:
    file.seek(at)
    try:
        return _Reader(file.read(min(_FIRST, end - at))).struct()
    except _CutError:
        file.seek(at)
        return _Reader(file.read(end - at)).struct()


class _Reader:
    """Reads structs of Thrift; fields are named by their numbers."""

    def __init__(self, data: bytes) -> None:
        self._stream = io.BytesIO(data)
        self._size = len(data)

    def struct(self) -> tuple[Fields, int]:
        """Return a struct and its length."""
        fields = self._struct(0)
        return fields, self._stream.tell()

    def _take(self, count: int) -> bytes:
        data = self._stream.read(count) if count <= self._size else b""
        if len(data) < count:
            raise _CutError("cut short")
        return data

    def _unsigned(self) -> int:
        value = 0
        for place in range(_VARINT):
            byte = self._take(1)[0]
            value |= (byte & 0x7F) << (7 * place)
            if byte < 0x80:
                return value
        raise ValueError("its header is damaged")

    def _signed(self) -> int:
        value = self._unsigned()
        return (value >> 1) ^ -(value & 1)

    def _count(self, number: int) -> int:
        if number > self._size:  # each member takes a byte at least
            raise _CutError("cut short")
        return number

    def _struct(self, depth: int) -> Fields:
        if depth > _DEEPEST:
            raise ValueError("its header is nested too deeply")
        fields: Fields = {}
        number = 0
        while byte := self._take(1)[0]:
            number = number + (byte >> 4) if byte >> 4 else self._signed()
            kind = byte & 15
            fields[number] = kind == 1 if kind in (1, 2) else self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (1, 2, 3):
            return self._take(1)
        if kind in (4, 5, 6):
            return self._signed()
        if kind in (7, 8):
            return self._take(8 if kind == 7 else self._unsigned())
        if kind in (9, 10):
            byte = self._take(1)[0]
            count = self._count(byte >> 4 if byte >> 4 < 15 else self._unsigned())
            return [self._value(byte & 15, depth + 1) for _ in range(count)]
        if kind == 11:
            count = self._count(self._unsigned())
            kinds = self._take(1)[0] if count else 0
            for _ in range(count):
                self._value(kinds >> 4, depth + 1)
                self._value(kinds & 15, depth + 1)
            return None
        if kind == 12:
            return self._struct(depth + 1)
        raise ValueError("its header is damaged")
