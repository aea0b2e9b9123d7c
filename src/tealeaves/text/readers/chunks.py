"""Files in pieces of whole lines, as bytes."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from tealeaves.text.compression import Meter
from tealeaves.text.sources import SourceFile
from tealeaves.text.textblock import PADDING

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I64, U8

_NEWLINE, _RETURN = 10, 13


@dataclass(frozen=True)
class Chunk:
    """Whole lines of a file: line i is the bytes ``starts[i]`` to ``ends[i]`` of ``data``.

    Line breaks are left out, as is the byte order mark. ``number`` is that of the first line in
    the file, from 0; ``offset`` where the chunk begins there.
    """

    data: U8
    starts: I64
    ends: I64
    number: int
    offset: int


def chunks(file: SourceFile, meter: Meter, size: int) -> Iterator[Chunk]:
    """Read a file in pieces of about so many bytes; a line is never cut."""
    number, offset = 0, 0
    with file.open(meter) as stream:
        for data, breaks in _whole_lines(stream, size):
            starts = np.zeros(len(breaks), dtype=np.int64)
            starts[1:] = breaks[:-1] + 1
            if offset == 0 and data[: breaks[0]][:3].tobytes() == codecs.BOM_UTF8:
                starts[0] = len(codecs.BOM_UTF8)
            yield Chunk(data, starts, _without_returns(data, starts, breaks), number, offset)
            number += len(breaks)
            offset += int(breaks[-1]) + 1


def _whole_lines(stream: BinaryIO, size: int) -> Iterator[tuple[U8, I64]]:
    """Yield arrays that begin with whole lines, and where each line ends."""
    tail = np.empty(0, dtype=np.uint8)
    room = size
    is_break = np.empty(room, dtype=np.bool_)
    while True:
        # mostly of the same size, so that memory is taken again as it was left
        data = np.empty(room + PADDING, dtype=np.uint8)
        data[: len(tail)] = tail
        filled = len(tail) + _fill(stream, data[len(tail) : room])
        breaks = np.flatnonzero(np.equal(data[:filled], _NEWLINE, out=is_break[:filled]))
        whole = int(breaks[-1]) + 1 if len(breaks) else 0
        if filled < room:  # the end of the file, perhaps without a line break
            if whole < filled:
                breaks = np.append(breaks, filled)
            if filled:
                yield data, breaks
            return
        tail = data[whole:filled].copy()
        # a long line is read with ever more room, and so copied only a few times
        room = max(size, 2 * len(tail))
        if room > len(is_break):
            is_break = np.empty(room, dtype=np.bool_)
        if whole:
            yield data, breaks


def _fill(stream: BinaryIO, room: U8) -> int:
    """Read until there is no more room, or no more to read."""
    got = 0
    while got < len(room):
        count = stream.readinto(room[got:])  # type: ignore[attr-defined]
        if not count:
            break
        got += count
    return got


def _without_returns(data: U8, starts: I64, ends: I64) -> I64:
    """Move the ends of lines before carriage returns."""
    while True:
        returns = (ends > starts) & (data[ends - 1] == _RETURN)
        if not returns.any():
            return ends
        ends = ends - returns
