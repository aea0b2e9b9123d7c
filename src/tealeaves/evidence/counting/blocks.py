"""Blocks: how a corpus is read, how far the reading is, and which texts were read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.errors import EvidenceError
from tealeaves.files import Meter
from tealeaves.jobs import progress_bar
from tealeaves.text.blocks import BLOCK_BYTES, TextBlock, make_blocks
from tealeaves.text.corpus import Corpus
from tealeaves.text.digest import DIGESTS, digest_texts
from tealeaves.text.document import Document
from tealeaves.text.fingerprint import Fingerprint, Span, merge_spans

if TYPE_CHECKING:
    from tealeaves.kernels import U8, U64


def blocks_with_documents(
    documents: Iterable[Document], size: int = BLOCK_BYTES
) -> Iterator[tuple[list[Document], TextBlock]]:
    """Yield blocks of about ``size`` characters, each with its documents."""
    waiting: list[Document] = []

    def remember() -> Iterator[Document]:
        for document in documents:
            waiting.append(document)
            yield document

    for block in make_blocks(remember(), size):
        yield waiting[: block.count], block
        del waiting[: block.count]


class FingerprintBuilder:
    """Collects which texts were read, block by block."""

    def __init__(self) -> None:
        self._spans: dict[str, list[Span]] = {}
        self._digests: dict[str, int] = {}

    def add(self, block: TextBlock, digests: U64, wanted: U8 | None = None) -> None:
        """Add the texts of a block, or those of them for which ``wanted`` is 1."""
        first = 0
        for source, position, count in block.runs:
            runs, run_digests = [(position, position + count)], digests[first : first + count]
            if wanted is not None:
                ours = wanted[first : first + count]
                edges = np.flatnonzero(np.diff(ours, prepend=0, append=0)) + position
                runs = list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
                run_digests = run_digests[ours == 1]
            self._spans.setdefault(source, []).extend(runs)
            digest = self._digests.get(source, 0) + int(run_digests.sum())
            self._digests[source] = digest % DIGESTS
            first += count

    def fingerprint(self) -> Fingerprint:
        """Return the fingerprint of all texts so far."""
        spans = {source: merge_spans(source, runs) for source, runs in self._spans.items() if runs}
        return Fingerprint(spans, {source: self._digests[source] for source in spans})


def corpus_fingerprint(corpus: Corpus, *, progress: bool = False) -> Fingerprint:
    """Read all texts of a corpus; return which ones they are."""
    read, meter = FingerprintBuilder(), Meter(corpus.size)
    with ReadingProgress("checking", [meter], shown=progress) as bar:
        for block in corpus.blocks(meter, BLOCK_BYTES):
            digests = np.empty(block.count, dtype=np.uint64)
            digest_texts(block.data, block.starts, block.ends, digests)
            read.add(block, digests)
            bar.update()
    return read.fingerprint()


class ReadingProgress:
    """A bar on standard error that shows how many bytes were read; nothing unless ``shown``."""

    def __init__(self, title: str, meters: Sequence[Meter], *, shown: bool) -> None:
        self._meters = meters
        self._bar: Any = None
        if shown:
            total = sum(meter.total for meter in meters)
            self._bar = progress_bar(total, title, unit="B", unit_scale=True)

    def __enter__(self) -> ReadingProgress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def rename(self, title: str) -> None:
        """Show another title."""
        if self._bar is not None:
            self._bar.set_description(title)

    def update(self) -> None:
        """Show how many bytes were read by now."""
        if self._bar is not None:
            done = sum(min(meter.done, meter.total) for meter in self._meters)
            self._bar.update(done - self._bar.n)


@contextmanager
def source_names_in_errors(corpus: Corpus) -> Iterator[None]:
    """Replace the hashes of sources in errors by the names of their files."""
    try:
        yield
    except EvidenceError as error:
        raise EvidenceError(corpus.name_sources(str(error))) from error
