"""Blocks of texts as UTF-8 bytes, which is how texts are counted, and files in chunks of lines."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import numpy as np

from tealeaves.files import Meter
from tealeaves.kernels import kernel
from tealeaves.limits import most_bytes
from tealeaves.text.document import Document
from tealeaves.text.files import SourceFile

if TYPE_CHECKING:
    from tealeaves.kernels import I64, U8

BLOCK_BYTES = 1 << 21
BLOCK_TEXTS = 1 << 14
PADDING = 32  # bytes after the last text that may be read, whatever they are
_BREAKS = 1 << 12  # lines of a chunk, for a start
_NEWLINE, _RETURN = 10, 13


class DocumentRun(NamedTuple):
    """Consecutive documents of a source."""

    source: str
    position: int
    texts: int


@dataclass(frozen=True)
class TextBlock:
    """Some texts: text i is the bytes ``starts[i]`` to ``ends[i]`` of ``data``.

    There is at least one byte between two texts, and there are ``PADDING`` bytes after the last.
    ``runs`` say which documents the texts are. ``decode`` turns bytes into a string, given the
    number of the text and where it starts.
    """

    data: U8
    starts: I64
    ends: I64
    runs: tuple[DocumentRun, ...]
    decode: Callable[[bytes, int, int], str]

    @classmethod
    def of(cls, texts: Iterable[str], runs: Iterable[DocumentRun]) -> TextBlock:
        """Make a block of strings."""
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        lengths = np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded))
        starts = np.zeros(len(encoded), dtype=np.int64)
        np.cumsum(lengths[:-1] + 1, out=starts[1:])
        data = np.frombuffer(b"\n".join([*encoded, bytes(PADDING)]), dtype=np.uint8)
        return cls(data, starts, starts + lengths, tuple(runs), _decode)

    @property
    def count(self) -> int:
        """The number of texts."""
        return len(self.starts)

    @property
    def size(self) -> int:
        """The number of bytes of all texts."""
        return int((self.ends - self.starts).sum())

    def text(self, number: int) -> str:
        """Return a text as a string; invalid UTF-8 is an error that says where it is."""
        start, end = int(self.starts[number]), int(self.ends[number])
        return self.decode(self.data[start:end].tobytes(), number, start)

    def slices(self, number: int, size: int) -> Iterator[str]:
        """Yield a text as strings of up to ``size`` bytes, at least 4; no character is cut."""
        start, end = int(self.starts[number]), int(self.ends[number])
        while start < end:
            stop = min(start + size, end)
            while start < stop < end and self.data[stop] & 0xC0 == 0x80:  # inside of a character
                stop -= 1
            stop = stop if stop > start else min(start + size, end)
            yield self.decode(self.data[start:stop].tobytes(), number, start)
            start = stop

    def cut(self, first: int, last: int) -> TextBlock:
        """Return the block of the texts from ``first`` to before ``last``."""
        first, last = max(first, 0), max(last, 0)
        if first == 0 and last >= self.count:
            return self
        return replace(
            self,
            starts=self.starts[first:last],
            ends=self.ends[first:last],
            runs=tuple(_cut_runs(self.runs, first, last)),
            decode=lambda data, number, start: self.decode(data, number + first, start),
        )


def _decode(data: bytes, number: int, start: int) -> str:  # noqa: ARG001
    return data.decode("utf-8", "surrogatepass")


def _cut_runs(runs: Iterable[DocumentRun], first: int, last: int) -> Iterator[DocumentRun]:
    place = 0
    for run in runs:
        low, high = max(first, place), min(last, place + run.texts)
        if low < high:
            yield DocumentRun(run.source, run.position + low - place, high - low)
        place += run.texts


def make_blocks(documents: Iterable[Document], size: int = BLOCK_BYTES) -> Iterator[TextBlock]:
    """Put documents into blocks of about ``size`` characters."""
    texts: list[str] = []
    runs: list[DocumentRun] = []
    length = 0
    for document in documents:
        texts.append(document.text)
        _extend_runs(runs, document)
        length += len(document.text)
        if length >= size or len(texts) >= BLOCK_TEXTS:
            yield TextBlock.of(texts, runs)
            texts, runs, length = [], [], 0
    if texts:
        yield TextBlock.of(texts, runs)


def _extend_runs(runs: list[DocumentRun], document: Document) -> None:
    """Add a document to the last run, or to a new one if it does not follow the last."""
    if runs:
        source, position, texts = runs[-1]
        if source == document.source and position + texts == document.position:
            runs[-1] = DocumentRun(source, position, texts + 1)
            return
    runs.append(DocumentRun(document.source, document.position, 1))


# ---------------------------------------------------------------------- chunks of lines


@dataclass(frozen=True)
class LineChunk:
    """Whole lines of a file: line i is the bytes ``starts[i]`` to ``ends[i]`` of ``data``.

    Line breaks are left out, and so is the byte order mark. ``number`` is the number of the first
    line in the file, from 0; ``offset`` is the byte of the file where the chunk begins.
    """

    data: U8
    starts: I64
    ends: I64
    number: int
    offset: int


def read_chunks(file: SourceFile, meter: Meter, size: int) -> Iterator[LineChunk]:
    """Read a file in chunks of about ``size`` bytes; a line is never cut."""
    number, offset = 0, 0
    with file.open(meter) as stream:
        for data, breaks in _read_whole_lines(stream, size, most_bytes("text", file.size)):
            if len(breaks) == 1:  # it may be a part of a line that is too long
                file.check_text(int(breaks[0]), f"{file.name}:{number + 1}")
            starts = np.zeros(len(breaks), dtype=np.int64)
            starts[1:] = breaks[:-1] + 1
            if offset == 0 and data[: breaks[0]][:3].tobytes() == codecs.BOM_UTF8:
                starts[0] = len(codecs.BOM_UTF8)
            yield LineChunk(data, starts, _before_returns(data, starts, breaks), number, offset)
            number += len(breaks)
            offset += int(breaks[-1]) + 1


def _read_whole_lines(stream: BinaryIO, size: int, most: int) -> Iterator[tuple[U8, I64]]:
    """Yield arrays that begin with whole lines, and where each line ends.

    A line of more than ``most`` bytes is not read to its end.
    """
    tail = np.empty(0, dtype=np.uint8)
    capacity = size
    places = np.empty(_BREAKS, dtype=np.int64)
    while True:
        # mostly of the same size, so that the allocator can use the same memory again
        data = np.empty(capacity + PADDING, dtype=np.uint8)
        data[: len(tail)] = tail
        length = len(tail) + _fill(stream, data[len(tail) : capacity])
        count = find_bytes(data, length, _NEWLINE, places)
        if count > len(places):
            places = np.empty(2 * count, dtype=np.int64)
            find_bytes(data, length, _NEWLINE, places)
        breaks = places[:count].copy()
        if not count and length > most:
            breaks = np.array([length])
        whole = int(breaks[-1]) + 1 if len(breaks) else 0
        if length < capacity:  # the end of the file, perhaps without a line break
            if whole < length:
                breaks = np.append(breaks, length)
            if length:
                yield data, breaks
            return
        tail = data[whole:length].copy()
        # the capacity grows for a long line, which is thus copied only a few times
        capacity = max(size, 2 * len(tail))
        if whole:
            yield data, breaks


@kernel
def find_bytes(data: U8, size: int, value: int, places: I64) -> int:
    """Write where a byte of ASCII stands among the first ``size``; return how often it does.

    Places for which ``places`` has no space are counted but not written.
    """
    found = [place for place, byte in enumerate(data[:size]) if byte == value]
    places[: len(found)] = found[: len(places)]
    return len(found)


def _fill(stream: BinaryIO, buffer: U8) -> int:
    """Read until the buffer is full or the stream ends; return the number of bytes."""
    length = 0
    while length < len(buffer):
        count = stream.readinto(buffer[length:])  # type: ignore[attr-defined]
        if not count:
            break
        length += count
    return length


def _before_returns(data: U8, starts: I64, ends: I64) -> I64:
    """Return the ends of lines without the carriage returns before them."""
    while True:
        returns = (ends > starts) & (data[ends - 1] == _RETURN)
        if not returns.any():
            return ends
        ends = ends - returns
