"""Texts as sequences of asked words, for metrics that follow a model through each text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import EvidenceError
from tealeaves.evidence.counting import events_of
from tealeaves.evidence.counts import PipelineStamp
from tealeaves.evidence.lane import SMALL, Plan
from tealeaves.evidence.request import Request
from tealeaves.evidence.terms import Term
from tealeaves.evidence.units import Unit
from tealeaves.text.blocks import BLOCK_BYTES, BLOCK_TEXTS, TextBlock, make_blocks
from tealeaves.text.digest import DIGESTS
from tealeaves.text.document import Document
from tealeaves.text.fingerprint import Fingerprint, merge_spans
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.compiling.arrays import I32, I64


@dataclass(frozen=True)
class TextRequest:
    """Asks for the texts themselves, with their ids and labels, and for these terms in them."""

    terms: frozenset[Term] = frozenset()

    def __or__(self, other: TextRequest) -> TextRequest:
        return TextRequest(self.terms | other.terms)


@dataclass(frozen=True, eq=False)
class EncodedTexts:
    """Texts as sequences of numbers of terms, in the order of the corpus.

    The terms of text d stand at ``numbers[starts[d]:starts[d + 1]]``; a term of several tokens
    stands where it ends. ``kept`` is false for texts that the pipeline drops. Texts of different
    documents add.

    >>> from tealeaves.text.corpus import Corpus
    >>> corpus, pipeline = Corpus.of(["A cat and a dog", "the dog"]), Pipeline.parse("words")
    >>> texts = encode(corpus, [Term(("cat",)), Term(("dog",))], pipeline)
    >>> [numbers.tolist() for numbers in texts]
    [[0, 1], [1]]
    """

    terms: tuple[Term, ...]
    pipeline: PipelineStamp
    fingerprint: Fingerprint
    ids: tuple[str, ...]
    labels: tuple[str, ...]
    kept: NDArray[np.bool_]
    starts: I64
    numbers: I32

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[I32]:
        """Yield the terms of each text."""
        for start, stop in pairwise(self.starts.tolist()):
            yield self.numbers[start:stop]

    def __add__(self, other: EncodedTexts) -> EncodedTexts:
        if (self.terms, self.pipeline) != (other.terms, other.pipeline):
            raise EvidenceError("texts that were read for other words cannot be added")
        return replace(
            self,
            fingerprint=self.fingerprint + other.fingerprint,
            ids=self.ids + other.ids,
            labels=self.labels + other.labels,
            kept=np.concatenate([self.kept, other.kept]),
            starts=np.concatenate([self.starts, other.starts[1:] + self.starts[-1]]),
            numbers=np.concatenate([self.numbers, other.numbers]),
        )


class Encoder:
    """Encodes texts while they pass by on their way to be counted."""

    def __init__(self, terms: Iterable[Term], pipeline: Pipeline) -> None:
        self.terms = tuple(sorted(term for term in terms if term.tokens))
        self._pipeline = pipeline
        self._plan: Plan | None = None
        self._ids: list[str] = []
        self._labels: list[str] = []
        self._kept: list[NDArray[np.bool_]] = []
        self._lengths: list[I64] = []
        self._numbers: list[I32] = []
        self._spans: dict[str, list[tuple[int, int]]] = {}
        self._digests: dict[str, int] = {}

    def add(self, documents: Sequence[Document], block: TextBlock) -> None:
        """Encode the texts of a block, which are those of the documents."""
        if self._plan is None:  # a first block that is small, in bytes and texts, is all there is
            asked = Request(Unit(), frozenset(self.terms))
            large = block.size > SMALL or block.count >= BLOCK_TEXTS
            self._plan = Plan([asked], self._pipeline, compiled=large)
            self._find = self._plan.finder()
        hits = self._find(block, np.ones(block.count, dtype=np.uint8))
        events = events_of(hits, self._plan.vocabulary, self._plan.run)
        order = np.argsort(hits.texts, kind="stable")
        sizes = np.diff(events.bounds)
        pieces = [events.term[events.bounds[row] : events.bounds[row + 1]] for row in order]
        lengths = np.zeros(block.count, dtype=np.int64)
        lengths[hits.texts] = sizes
        kept = np.zeros(block.count, dtype=np.bool_)
        kept[hits.texts] = True
        self._ids += [document.id for document in documents]
        self._labels += [document.label for document in documents]
        self._kept.append(kept)
        self._lengths.append(lengths)
        self._numbers.append(np.concatenate([*pieces, np.empty(0, dtype=np.int32)]))
        self._note(block, hits.digests)

    def _note(self, block: TextBlock, digests: NDArray[np.uint64]) -> None:
        here = 0
        for source, position, count in block.runs:
            self._spans.setdefault(source, []).append((position, position + count))
            digest = int(digests[here : here + count].sum())
            self._digests[source] = (self._digests.get(source, 0) + digest) % DIGESTS
            here += count

    def texts(self) -> EncodedTexts:
        """Return all texts so far."""
        lengths = np.concatenate([*self._lengths, np.empty(0, dtype=np.int64)])
        starts = np.zeros(len(lengths) + 1, dtype=np.int64)
        np.cumsum(lengths, out=starts[1:])
        spans = {source: merge_spans(source, runs) for source, runs in self._spans.items()}
        return EncodedTexts(
            self.terms,
            PipelineStamp(repr(self._pipeline), self._pipeline.signature),
            Fingerprint(spans, {source: self._digests[source] for source in spans}),
            tuple(self._ids),
            tuple(self._labels),
            np.concatenate([*self._kept, np.empty(0, dtype=np.bool_)]),
            starts,
            np.concatenate([*self._numbers, np.empty(0, dtype=np.int32)]),
        )


def encode(
    documents: Iterable[Document], terms: Iterable[Term], pipeline: Pipeline
) -> EncodedTexts:
    """Encode documents for some terms."""
    encoder = Encoder(terms, pipeline)
    for listed, block in blocks_with_documents(documents):
        encoder.add(listed, block)
    return encoder.texts()


def blocks_with_documents(
    documents: Iterable[Document], size: int | None = None
) -> Iterator[tuple[list[Document], TextBlock]]:
    """Put documents into blocks of about so many characters, and yield both."""
    passed: list[Document] = []

    def noted() -> Iterator[Document]:
        for document in documents:
            passed.append(document)
            yield document

    for block in make_blocks(noted(), size or BLOCK_BYTES):
        yield passed[: block.count], block
        del passed[: block.count]
