"""Blocks of texts: UTF-8 bytes, as they are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.text.document import Document

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I64, U8

BLOCK_BYTES = 1 << 21
PADDING = 32  # bytes behind the texts that may be read, whatever they hold
BLOCK_TEXTS = 1 << 14


class Run(NamedTuple):
    """Consecutive documents of a source."""

    source: str
    position: int
    texts: int


@dataclass(frozen=True)
class TextBlock:
    """Some texts: text i is the bytes ``starts[i]`` to ``ends[i]`` of ``data``.

    At least one byte lies between texts, and ``PADDING`` bytes behind the last. ``runs`` say which
    documents they are; ``decode`` makes a string of the bytes of a text, given its number.
    """

    data: U8
    starts: I64
    ends: I64
    runs: tuple[Run, ...]
    decode: Callable[[bytes, int, int], str]

    @classmethod
    def of(cls, texts: Iterable[str], runs: Iterable[Run]) -> TextBlock:
        """Put texts together."""
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
        """The bytes of all texts together."""
        return int((self.ends - self.starts).sum())

    def text(self, number: int) -> str:
        """Return a text as a string; invalid UTF-8 is an error that says where."""
        start, end = int(self.starts[number]), int(self.ends[number])
        return self.decode(self.data[start:end].tobytes(), number, start)

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


def _cut_runs(runs: Iterable[Run], first: int, last: int) -> Iterator[Run]:
    here = 0
    for run in runs:
        low, high = max(first, here), min(last, here + run.texts)
        if low < high:
            yield Run(run.source, run.position + low - here, high - low)
        here += run.texts


def batched(documents: Iterable[Document], size: int = BLOCK_BYTES) -> Iterator[TextBlock]:
    """Put documents into blocks of about so many characters."""
    texts: list[str] = []
    runs: list[Run] = []
    filled = 0
    for document in documents:
        texts.append(document.text)
        _extend(runs, document)
        filled += len(document.text)
        if filled >= size or len(texts) >= BLOCK_TEXTS:
            yield TextBlock.of(texts, runs)
            texts, runs, filled = [], [], 0
    if texts:
        yield TextBlock.of(texts, runs)


def _extend(runs: list[Run], document: Document) -> None:
    """Add a document to the last run if it follows it."""
    if runs:
        source, position, texts = runs[-1]
        if source == document.source and position + texts == document.position:
            runs[-1] = Run(source, position, texts + 1)
            return
    runs.append(Run(document.source, document.position, 1))
