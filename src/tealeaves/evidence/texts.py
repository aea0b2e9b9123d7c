"""Encoded texts: each text as a sequence of terms, for metrics that need the texts themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.arrays import offsets
from tealeaves.evidence.counting.blocks import blocks_with_documents
from tealeaves.evidence.counting.events import TermFinder
from tealeaves.evidence.counts import PipelineStamp
from tealeaves.evidence.requests import Term
from tealeaves.text.blocks import TextBlock
from tealeaves.text.digest import DIGESTS
from tealeaves.text.document import Document
from tealeaves.text.fingerprint import Fingerprint, merge_spans
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.arrays import Bools
    from tealeaves.kernels import I32, I64, U64


@dataclass(frozen=True, eq=False)
class EncodedTexts:
    """Texts as sequences of term numbers, in the order of the corpus.

    The terms of text d are ``numbers[starts[d]:starts[d + 1]]``; a term of several tokens stands
    where it ends. If they are ``distinct``, each term of a text is there once, in ascending order.
    ``tokens`` is the number of tokens of each text. ``kept`` is false for texts that the pipeline
    drops.

    >>> from tealeaves.text.corpus import Corpus
    >>> corpus, pipeline = Corpus.of(["A cat and a dog", "the dog"]), Pipeline.parse("words")
    >>> texts = encode(corpus, [Term(("cat",)), Term(("dog",))], pipeline)
    >>> [numbers.tolist() for numbers in texts]
    [[0, 1], [1]]
    """

    terms: tuple[Term, ...]
    distinct: bool
    pipeline: PipelineStamp
    ids: tuple[str, ...]
    labels: tuple[str, ...]
    origins: TextOrigins
    kept: Bools
    tokens: I64
    starts: I64
    numbers: I32

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[I32]:
        """Yield the terms of each text."""
        for start, stop in pairwise(self.starts.tolist()):
            yield self.numbers[start:stop]

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """The fingerprint of all texts."""
        return self.origins.fingerprint(np.arange(len(self)), self.origins.digests)


class TextOrigins(NamedTuple):
    """Where texts come from: text d is number ``positions[d]`` of ``sources[source_numbers[d]]``.

    ``digests`` are those of the texts.
    """

    sources: tuple[str, ...]
    source_numbers: I32
    positions: I64
    digests: U64

    def fingerprint(self, rows: I64, digests: U64, prefix: str = "") -> Fingerprint:
        """Return the fingerprint of some rows, given one digest for each of them.

        ``prefix`` stands before the names of sources.
        """
        spans, sums = {}, {}
        for number, source in enumerate(self.sources):
            here = self.source_numbers[rows] == number
            if not here.any():
                continue
            name = f"{prefix}{source}"
            positions = np.sort(self.positions[rows[here]])
            last = np.flatnonzero(np.diff(positions, append=positions[-1] + 2) != 1)
            starts = positions[np.concatenate([[0], last[:-1] + 1])].tolist()
            stops = (positions[last] + 1).tolist()
            spans[name] = merge_spans(name, zip(starts, stops, strict=True))
            sums[name] = int(digests[here].sum(dtype=np.uint64)) % DIGESTS
        return Fingerprint(spans, sums)


class _EncodedBlock(NamedTuple):
    kept: Bools
    tokens: I64
    sizes: I64
    numbers: I32
    digests: U64


_NO_TEXTS = _EncodedBlock(
    kept=np.empty(0, dtype=np.bool_),
    tokens=np.empty(0, dtype=np.int64),
    sizes=np.empty(0, dtype=np.int64),
    numbers=np.empty(0, dtype=np.int32),
    digests=np.empty(0, dtype=np.uint64),
)


class TextEncoder:
    """Encodes texts block by block, while they are read.

    ``unit`` is what texts were joined into before, such as ``chapter``.
    """

    def __init__(
        self, terms: Iterable[Term], pipeline: Pipeline, *, distinct: bool = False, unit: str = ""
    ) -> None:
        self._stamp = PipelineStamp.of(pipeline, unit)
        self._find_terms = TermFinder(terms, pipeline)
        self._distinct = distinct
        self._ids: list[str] = []
        self._labels: list[str] = []
        self._sources: dict[str, int] = {}
        self._source_numbers: list[int] = []
        self._positions: list[int] = []
        self._blocks = [_NO_TEXTS]

    def add(self, documents: Sequence[Document], block: TextBlock) -> None:
        """Encode the documents of a block."""
        self._ids += [document.id for document in documents]
        self._labels += [document.label for document in documents]
        self._positions += [document.position for document in documents]
        sources = self._sources
        self._source_numbers += [sources.setdefault(d.source, len(sources)) for d in documents]
        hits, events = self._find_terms(block)
        kept = np.zeros(block.count, dtype=np.bool_)
        kept[hits.texts] = True
        tokens = np.zeros(block.count, dtype=np.int64)
        tokens[hits.texts] = hits.lengths
        text, number = np.repeat(hits.texts, np.diff(events.bounds)), events.term.astype(np.int64)
        if self._distinct:
            text, number = distinct_terms(text, number, len(self._find_terms.terms))
        else:
            order = np.argsort(text, kind="stable")
            text, number = text[order], number[order]
        sizes = np.bincount(text, minlength=block.count)
        digests = hits.digests.copy()  # the finder uses its buffer again for the next block
        self._blocks.append(_EncodedBlock(kept, tokens, sizes, number.astype(np.int32), digests))

    def texts(self) -> EncodedTexts:
        """Return all texts so far."""
        kept, tokens, sizes, numbers, digests = map(np.concatenate, zip(*self._blocks, strict=True))
        positions = np.array(self._positions, dtype=np.int64)
        source_numbers = np.array(self._source_numbers, dtype=np.int32)
        return EncodedTexts(
            terms=self._find_terms.terms,
            distinct=self._distinct,
            pipeline=self._stamp,
            ids=tuple(self._ids),
            labels=tuple(self._labels),
            origins=TextOrigins(tuple(self._sources), source_numbers, positions, digests),
            kept=kept,
            tokens=tokens,
            starts=offsets(sizes),
            numbers=numbers,
        )


def distinct_terms(texts: I64, numbers: I64, terms: int) -> tuple[I64, I64]:
    """Sort the term numbers of each text and drop repetitions; ``terms`` is the number of terms."""
    keys = np.unique(texts * max(1, terms) + numbers)
    return np.divmod(keys, max(1, terms))


def encode(
    documents: Iterable[Document], terms: Iterable[Term], pipeline: Pipeline
) -> EncodedTexts:
    """Encode documents as sequences of some terms."""
    encoder = TextEncoder(terms, pipeline)
    for listed, block in blocks_with_documents(documents):
        encoder.add(listed, block)
    return encoder.texts()
