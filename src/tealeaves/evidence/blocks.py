"""Blocks of token ids: the one seam between texts and counting.

Whatever turns texts into ``Block``s can feed the kernels. Here any pipeline does, through Python
strings; a faster path for some pipelines replaces :func:`read_blocks` and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import EvidenceError
from tealeaves.text.compression import Meter
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
from tealeaves.text.fingerprint import DIGESTS, Fingerprint, Span, merged, text_digest
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BLOCK_TOKENS = 1 << 20
_BLOCK_DOCUMENTS = 1 << 14


@dataclass(frozen=True)
class Block:
    """Some documents as token ids; -1 stands for a token that nobody asked for.

    ``offsets`` bound the documents in ``ids``. Documents the pipeline dropped (``min_tokens``)
    are in the fingerprint but not in ``ids``.
    """

    ids: NDArray[np.int64]
    offsets: NDArray[np.int64]
    fingerprint: Fingerprint
    dropped: int


def read_blocks(
    corpus: Corpus,
    pipeline: Pipeline,
    token_ids: Mapping[str, int],
    *,
    skip: Fingerprint,
    meter: Meter,
) -> Iterator[Block]:
    """Read a corpus block by block, passing over the documents that ``skip`` holds."""
    tokenize = pipeline.tokenizer()
    building = _Building()
    for document in _unread(corpus, skip, meter):
        tokens = tokenize(document.text)
        if len(tokens) < pipeline.min_tokens:
            building.dropped += 1
        else:
            building.ids += [token_ids.get(token, -1) for token in tokens]
            building.offsets.append(len(building.ids))
        building.documents.append(document)
        if building.full:
            yield building.block()
            building = _Building()
    if building.documents:
        yield building.block()


class _Building:
    """A block that is still growing."""

    def __init__(self) -> None:
        self.ids: list[int] = []
        self.offsets = [0]
        self.documents: list[Document] = []
        self.dropped = 0

    @property
    def full(self) -> bool:
        return len(self.ids) >= _BLOCK_TOKENS or len(self.documents) >= _BLOCK_DOCUMENTS

    def block(self) -> Block:
        return Block(
            np.array(self.ids, dtype=np.int64),
            np.array(self.offsets, dtype=np.int64),
            _fingerprint(self.documents),
            self.dropped,
        )


def _unread(corpus: Corpus, skip: Fingerprint, meter: Meter) -> Iterator[Document]:
    """Yield the documents that are not in ``skip``; those that are must be the same texts."""
    passed, digest = 0, 0
    for document in corpus.documents(meter):
        runs = skip.runs(document.source)
        if any(start <= document.position < stop for start, stop in runs):
            passed += 1
            digest += text_digest(document.text)
        else:
            yield document
    if (passed, digest % DIGESTS) != (skip.documents, skip.digest):
        raise EvidenceError(
            "the unfinished count read texts that are not in this corpus: have they changed?"
        )


def _fingerprint(documents: list[Document]) -> Fingerprint:
    """Fingerprint documents, run by run of consecutive positions of one source."""
    runs: dict[str, list[Span]] = {}
    digests: dict[str, int] = {}
    for document in documents:
        digests[document.source] = digests.get(document.source, 0) + text_digest(document.text)
        known = runs.setdefault(document.source, [])
        here = document.position
        if known and known[-1][1] == here:
            known[-1] = (known[-1][0], here + 1)
        else:
            known.append((here, here + 1))
    spans = {source: merged(source, found) for source, found in runs.items()}
    return Fingerprint(spans, {source: digest % DIGESTS for source, digest in digests.items()})
