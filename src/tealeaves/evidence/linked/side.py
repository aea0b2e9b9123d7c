"""One language's documents of a paired corpus, as sequences of asked terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.evidence.counting import events_of
from tealeaves.evidence.counts import PipelineStamp
from tealeaves.evidence.encoded import blocks_with_documents
from tealeaves.evidence.lane import SMALL, Plan
from tealeaves.evidence.request import Request
from tealeaves.evidence.terms import Term
from tealeaves.evidence.units import Unit
from tealeaves.text.blocks import BLOCK_TEXTS, TextBlock
from tealeaves.text.document import Document
from tealeaves.text.fingerprint import Fingerprint, merge_spans
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.compiling.arrays import I32, I64, U64

_DIGESTS = 1 << 64


@dataclass(frozen=True, eq=False)
class Side:
    """The documents of one language, in the order of their corpus.

    The terms of document d are ``numbers[starts[d]:starts[d + 1]]``, which are positions in
    ``terms``: each once, in ascending order, or all in the order of the text if the side is
    ``whole``. ``keys`` say which documents of other languages it is linked to, "" for none;
    ``tokens`` is how many tokens each has, 0 where the pipeline drops it.
    """

    language: str
    whole: bool
    terms: tuple[Term, ...]
    pipeline: PipelineStamp
    keys: tuple[str, ...]
    labels: tuple[str, ...]
    tokens: I64
    starts: I64
    numbers: I32
    dropped: NDArray[np.bool_]
    sources: tuple[str, ...]
    source: I32
    position: I64
    digests: U64

    def __len__(self) -> int:
        return len(self.keys)

    def rows(self) -> dict[str, int]:
        """Return where each key stands."""
        return {key: row for row, key in enumerate(self.keys) if key}

    def fingerprint(self, rows: I64, partners: U64 | None = None) -> Fingerprint:
        """Return which documents some rows are; those of two languages are never the same.

        ``partners`` are the digests of the documents that they are linked to, where links count:
        other links of the same texts are then another fingerprint.
        """
        spans, digests = {}, {}
        found = self.digests[rows]
        linked = found if partners is None else _mixed(found, partners)
        for number, source in enumerate(self.sources):
            mine = self.source[rows] == number
            if not mine.any():
                continue
            ours = rows[mine]
            name = f"{self.language}/{source}"
            places = np.sort(self.position[ours])
            ends = np.flatnonzero(np.diff(places) != 1)
            first = places[np.concatenate([[0], ends + 1])].tolist()
            last = places[np.concatenate([ends, [len(places) - 1]])].tolist()
            spans[name] = merge_spans(name, [(a, b + 1) for a, b in zip(first, last, strict=True)])
            digests[name] = int(linked[mine].sum(dtype=np.uint64)) % _DIGESTS
        return Fingerprint(spans, digests)


def _mixed(digests: U64, partners: U64) -> U64:
    """Return one number for each pair of digests, which depends on their order too."""
    found: U64 = digests + partners * np.uint64(0x9E3779B97F4A7C15)
    found ^= found >> np.uint64(31)
    found *= np.uint64(0xBF58476D1CE4E5B9)
    return found ^ (found >> np.uint64(29))


def each_once(document: I64, number: I64, size: int) -> tuple[I64, I64]:
    """Return which documents hold which of so many terms, in the order of both, each once."""
    held = np.sort(document * max(1, size) + number)
    first = np.ones(len(held), dtype=np.bool_)
    np.not_equal(held[1:], held[:-1], out=first[1:])
    documents, numbers = np.divmod(held[first], max(1, size))
    return documents, numbers


class _Part(NamedTuple):
    """What was found in the documents of one block."""

    tokens: I64
    dropped: NDArray[np.bool_]
    sizes: I64
    numbers: I32
    digests: U64


_NOTHING = _Part(
    np.empty(0, dtype=np.int64),
    np.empty(0, dtype=np.bool_),
    np.empty(0, dtype=np.int64),
    np.empty(0, dtype=np.int32),
    np.empty(0, dtype=np.uint64),
)


class SideReader:
    """Reads the documents of one language, block by block."""

    def __init__(
        self,
        language: str,
        terms: Iterable[Term],
        pipeline: Pipeline,
        *,
        whole: bool,
        unit: str = "",
    ) -> None:
        self._language = language
        self._terms = tuple(sorted(term for term in terms if term.tokens))
        self._pipeline = pipeline
        self._unit = unit
        self._whole = whole
        self._plan: Plan | None = None
        self._keys: list[str] = []
        self._labels: list[str] = []
        self._source_of: dict[str, int] = {}
        self._source: list[int] = []
        self._position: list[int] = []
        self._parts: list[_Part] = []

    def read(self, keyed: Iterable[tuple[str, Document]]) -> Iterator[int]:
        """Read keyed documents, yielding after each block how many were read."""
        keys: list[str] = []

        def documents() -> Iterator[Document]:
            for key, document in keyed:
                keys.append(key)
                yield document

        for listed, block in blocks_with_documents(documents()):
            self._add(listed, keys[: block.count], block)
            del keys[: block.count]
            yield block.count

    def _add(self, documents: Sequence[Document], keys: Sequence[str], block: TextBlock) -> None:
        if self._plan is None:  # a first block that is small, in bytes and texts, is all there is
            asked = Request(Unit(), frozenset(self._terms))
            large = block.size > SMALL or block.count >= BLOCK_TEXTS
            self._plan = Plan([asked], self._pipeline, compiled=large)
            self._find = self._plan.finder()
        self._keys += keys
        self._labels += [document.label for document in documents]
        self._position += [document.position for document in documents]
        known = self._source_of
        self._source += [known.setdefault(one.source, len(known)) for one in documents]
        hits = self._find(block, np.ones(block.count, dtype=np.uint8))
        events = events_of(hits, self._plan.vocabulary, self._plan.run)
        tokens = np.zeros(block.count, dtype=np.int64)
        tokens[hits.texts] = hits.lengths
        dropped = np.ones(block.count, dtype=np.bool_)
        dropped[hits.texts] = False
        document = np.repeat(hits.texts, np.diff(events.bounds))
        number = events.term.astype(np.int64)
        if self._whole:
            order = np.argsort(document, kind="stable")
            document, number = document[order], number[order]
        else:
            document, number = each_once(document, number, len(self._terms))
        sizes = np.bincount(document, minlength=block.count)
        self._parts.append(_Part(tokens, dropped, sizes, number.astype(np.int32), hits.digests))

    def side(self) -> Side:
        """Return all documents so far."""
        parts = [_NOTHING, *self._parts]
        tokens = np.concatenate([part.tokens for part in parts])
        sizes = np.concatenate([part.sizes for part in parts])
        starts = np.zeros(len(sizes) + 1, dtype=np.int64)
        np.cumsum(sizes, out=starts[1:])
        return Side(
            self._language,
            self._whole,
            self._terms,
            PipelineStamp(repr(self._pipeline), self._pipeline.signature, self._unit),
            tuple(self._keys),
            tuple(self._labels),
            tokens,
            starts,
            np.concatenate([part.numbers for part in parts]),
            np.concatenate([part.dropped for part in parts]),
            tuple(self._source_of),
            np.array(self._source, dtype=np.int32),
            np.array(self._position, dtype=np.int64),
            np.concatenate([part.digests for part in parts]),
        )
