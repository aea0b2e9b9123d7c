"""Encoded texts: each text as a sequence of terms, for metrics that need the texts themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import EvidenceError
from tealeaves.evidence.counting.blocks import FingerprintBuilder, blocks_with_documents
from tealeaves.evidence.counting.events import TermFinder
from tealeaves.evidence.counts import PipelineStamp
from tealeaves.evidence.requests import Term
from tealeaves.text.blocks import TextBlock
from tealeaves.text.document import Document
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.arrays import Bools
    from tealeaves.compiling.arrays import I32, I64


@dataclass(frozen=True, eq=False)
class EncodedTexts:
    """Texts as sequences of term numbers, in the order of the corpus.

    The terms of text d are ``numbers[starts[d]:starts[d + 1]]``; a term of several tokens stands
    where it ends. ``kept`` is false for texts that the pipeline drops. ``+`` adds the texts of
    other documents.

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
    kept: Bools
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
            raise EvidenceError("texts that were encoded for different words cannot be added")
        return replace(
            self,
            fingerprint=self.fingerprint + other.fingerprint,
            ids=self.ids + other.ids,
            labels=self.labels + other.labels,
            kept=np.concatenate([self.kept, other.kept]),
            starts=np.concatenate([self.starts, other.starts[1:] + self.starts[-1]]),
            numbers=np.concatenate([self.numbers, other.numbers]),
        )


class TextEncoder:
    """Encodes texts block by block, while they are read for counting."""

    def __init__(self, terms: Iterable[Term], pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._find_terms = TermFinder(terms, pipeline)
        self._read = FingerprintBuilder()
        self._ids: list[str] = []
        self._labels: list[str] = []
        self._kept: list[Bools] = []
        self._lengths: list[I64] = []
        self._numbers: list[I32] = []

    def add(self, documents: Sequence[Document], block: TextBlock) -> None:
        """Encode the documents of a block."""
        hits, events = self._find_terms(block)
        order = np.argsort(hits.texts, kind="stable")
        pieces = [events.term[events.bounds[row] : events.bounds[row + 1]] for row in order]
        lengths = np.zeros(block.count, dtype=np.int64)
        lengths[hits.texts] = np.diff(events.bounds)
        kept = np.zeros(block.count, dtype=np.bool_)
        kept[hits.texts] = True
        self._ids += [document.id for document in documents]
        self._labels += [document.label for document in documents]
        self._kept.append(kept)
        self._lengths.append(lengths)
        self._numbers.append(np.concatenate([*pieces, np.empty(0, dtype=np.int32)]))
        self._read.add(block, hits.digests)

    def texts(self) -> EncodedTexts:
        """Return all texts so far."""
        lengths = np.concatenate([*self._lengths, np.empty(0, dtype=np.int64)])
        starts = np.zeros(len(lengths) + 1, dtype=np.int64)
        np.cumsum(lengths, out=starts[1:])
        return EncodedTexts(
            self._find_terms.terms,
            PipelineStamp.of(self._pipeline),
            self._read.fingerprint(),
            tuple(self._ids),
            tuple(self._labels),
            np.concatenate([*self._kept, np.empty(0, dtype=np.bool_)]),
            starts,
            np.concatenate([*self._numbers, np.empty(0, dtype=np.int32)]),
        )


def encode(
    documents: Iterable[Document], terms: Iterable[Term], pipeline: Pipeline
) -> EncodedTexts:
    """Encode documents as sequences of some terms."""
    encoder = TextEncoder(terms, pipeline)
    for listed, block in blocks_with_documents(documents):
        encoder.add(listed, block)
    return encoder.texts()
