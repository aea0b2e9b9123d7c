"""Linked documents: evidence from a paired corpus, whose documents are linked across languages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.counting.blocks import (
    ReadingProgress,
    blocks_with_documents,
    source_names_in_errors,
)
from tealeaves.evidence.counting.counters import RequestCounter, RequestTables
from tealeaves.evidence.counting.events import TermEvents, TermFinder, kernel_runner
from tealeaves.evidence.counts import Counts, PipelineStamp, Totals
from tealeaves.evidence.requests import CountRequest, SidesRequest, Term, join_count_requests
from tealeaves.jobs import processors
from tealeaves.text.blocks import TextBlock
from tealeaves.text.compression import Meter
from tealeaves.text.digest import DIGESTS
from tealeaves.text.document import Document
from tealeaves.text.fingerprint import Fingerprint, merge_spans
from tealeaves.text.paired.corpus import PairedCorpus
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.arrays import Bools
    from tealeaves.compiling.arrays import I32, I64, U64

_TERMS_AT_ONCE = 1 << 22  # terms of linked documents that are counted at a time
_LARGE = 1 << 24  # bytes of files: with fewer, threads would only wait for each other's Python
_FEW_TERMS = 1 << 12  # Python counts so many before a compiled kernel could be loaded


class LinkedEvidence(NamedTuple):
    """The counts of each request, and the documents of each language that were asked for.

    ``notes`` say how many documents have no link.
    """

    counts: list[Counts]
    sides: dict[str, LanguageSide]
    notes: tuple[str, ...] = ()


def gather_linked(
    paired: PairedCorpus,
    pipelines: Mapping[str, Pipeline],
    requests: Sequence[CountRequest],
    documents: SidesRequest | None = None,
    *,
    threads: int | None = None,
    progress: bool = False,
) -> LinkedEvidence:
    """Count words and pairs of words in linked documents, reading each language once.

    Parameters
    ----------
    pipelines
        The token pipeline of each language.
    requests
        What is counted, in units of links; each term names its language.
    documents
        Which documents are kept.
    threads
        How many languages are read at the same time; by default one for each processor. Small
        files are read one after the other.
    progress
        Show a bar on standard error.

    >>> from tealeaves.evidence.units import Unit
    >>> paired = PairedCorpus.of([{"en": "a king", "es": "un rey"}, {"en": "sea", "es": "mar"}])
    >>> king, rey = Term(("king",), "en"), Term(("rey",), "es")
    >>> request = CountRequest.of(Unit.of_link("en", "es"), [[king, rey]])
    >>> words = Pipeline.parse("words")
    >>> [counts] = gather_linked(paired, {"en": words, "es": words}, [request]).counts
    >>> counts.single(king), counts.pair(king, rey), counts.totals.units
    (1, 1, 2)
    """
    requests = join_count_requests(requests)
    kept = documents.languages if documents else frozenset[str]()
    readers = {
        language: SideReader(
            language,
            terms,
            pipelines[language],
            whole=language in kept,
            unit=paired.side(language).unit,
        )
        for language, terms in _terms_by_language(requests, documents).items()
    }
    _read_sides(paired, readers, threads or processors(), progress=progress)
    sides = {language: reader.side() for language, reader in readers.items()}
    counts = [_count_links(request, sides, paired) for request in requests]
    notes = [note for one in counts for note in _notes_on_links(one, sides)]
    kept_sides = {language: side for language, side in sides.items() if language in kept}
    return LinkedEvidence(counts, kept_sides, tuple(notes))


def _terms_by_language(
    requests: Sequence[CountRequest], documents: SidesRequest | None
) -> dict[str, set[Term]]:
    terms: dict[str, set[Term]] = {}
    for request in requests:
        if request.unit.kind != "link":
            raise InputError(f"linked documents are counted in links, not in {request.unit}")
        for language in request.unit.sides:
            terms.setdefault(language, set())
        for term in request.terms:
            terms.setdefault(term.language, set()).add(term)
    for language in sorted(documents.languages) if documents else ():
        terms.setdefault(language, set())
    for term in documents.terms if documents else ():
        terms[term.language].add(term)
    return terms


def _notes_on_links(counts: Counts, sides: Mapping[str, LanguageSide]) -> list[str]:
    """Say how many documents have no link, if any."""
    linked = counts.totals.documents
    sizes = {language: len(sides[language]) for language in counts.unit.sides}
    if max(sizes.values()) == linked:
        return []
    all_documents = " and ".join(f"{size} of {language}" for language, size in sizes.items())
    return [f"{linked} documents are linked, of {all_documents}"]


# ---------------------------------------------------------------------- the documents of a language


@dataclass(frozen=True, eq=False)
class LanguageSide:
    """The documents of one language of a paired corpus, in the order of their corpus.

    The terms of document d are ``numbers[starts[d]:starts[d + 1]]``, which are positions in
    ``terms``: if the side is ``whole``, all of them in the order of the text, else each one once,
    ascending. ``keys`` say which documents of other languages it is linked to, "" if to none;
    ``tokens`` is the number of tokens of each, 0 if the pipeline drops it.
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
    dropped: Bools
    sources: tuple[str, ...]
    source: I32
    position: I64
    digests: U64

    def __len__(self) -> int:
        return len(self.keys)

    def rows(self) -> dict[str, int]:
        """Return the row of each key."""
        return {key: row for row, key in enumerate(self.keys) if key}

    def fingerprint(self, rows: I64, partners: U64 | None = None) -> Fingerprint:
        """Return the fingerprint of some rows; those of two languages always differ.

        ``partners`` are the digests of the documents that the rows are linked to. With them, the
        same texts with other links have another fingerprint.
        """
        spans, digests = {}, {}
        row_digests = self.digests[rows]
        if partners is not None:
            row_digests = _mix_digests(row_digests, partners)
        for number, source in enumerate(self.sources):
            ours = self.source[rows] == number
            if not ours.any():
                continue
            name = f"{self.language}/{source}"
            places = np.sort(self.position[rows[ours]])
            ends = np.flatnonzero(np.diff(places) != 1)
            first = places[np.concatenate([[0], ends + 1])].tolist()
            last = places[np.concatenate([ends, [len(places) - 1]])].tolist()
            spans[name] = merge_spans(name, [(a, b + 1) for a, b in zip(first, last, strict=True)])
            digests[name] = int(row_digests[ours].sum(dtype=np.uint64)) % DIGESTS
        return Fingerprint(spans, digests)


def _mix_digests(digests: U64, partners: U64) -> U64:
    """Return one number for each pair of digests, which also depends on their order."""
    mixed: U64 = digests + partners * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(31)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return mixed ^ (mixed >> np.uint64(29))


class _SideBlock(NamedTuple):
    """What was found in the documents of one block."""

    tokens: I64
    dropped: Bools
    sizes: I64
    numbers: I32
    digests: U64


_EMPTY_BLOCK = _SideBlock(
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
        self._stamp = PipelineStamp.of(pipeline, unit)
        self._whole = whole
        self._find_terms = TermFinder(terms, pipeline)
        self._keys: list[str] = []
        self._labels: list[str] = []
        self._source_numbers: dict[str, int] = {}
        self._source: list[int] = []
        self._position: list[int] = []
        self._blocks = [_EMPTY_BLOCK]

    def read(self, keyed: Iterable[tuple[str, Document]]) -> Iterator[int]:
        """Read keyed documents; yield the number of documents of each block once it is read."""
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
        self._keys += keys
        self._labels += [document.label for document in documents]
        self._position += [document.position for document in documents]
        known = self._source_numbers
        self._source += [known.setdefault(one.source, len(known)) for one in documents]
        hits, events = self._find_terms(block)
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
            document, number = _each_once(document, number, len(self._find_terms.terms))
        sizes = np.bincount(document, minlength=block.count)
        digests = hits.digests.copy()  # the finder uses its buffer again for the next block
        self._blocks.append(_SideBlock(tokens, dropped, sizes, number.astype(np.int32), digests))

    def side(self) -> LanguageSide:
        """Return all documents so far."""
        sizes = np.concatenate([block.sizes for block in self._blocks])
        starts = np.zeros(len(sizes) + 1, dtype=np.int64)
        np.cumsum(sizes, out=starts[1:])
        return LanguageSide(
            self._language,
            self._whole,
            self._find_terms.terms,
            self._stamp,
            tuple(self._keys),
            tuple(self._labels),
            np.concatenate([block.tokens for block in self._blocks]),
            starts,
            np.concatenate([block.numbers for block in self._blocks]),
            np.concatenate([block.dropped for block in self._blocks]),
            tuple(self._source_numbers),
            np.array(self._source, dtype=np.int32),
            np.array(self._position, dtype=np.int64),
            np.concatenate([block.digests for block in self._blocks]),
        )


def _each_once(document: I64, number: I64, size: int) -> tuple[I64, I64]:
    """Sort the term numbers of each document and drop repetitions; there are ``size`` terms."""
    keys = np.sort(document * max(1, size) + number)
    first = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    documents, numbers = np.divmod(keys[first], max(1, size))
    return documents, numbers


def _read_sides(
    paired: PairedCorpus, readers: Mapping[str, SideReader], threads: int, *, progress: bool
) -> None:
    """Read the languages, several at a time if their files are large."""
    meters = {language: Meter(paired.side(language).size) for language in readers}
    keyed = {language: paired.keyed_documents(language, meters[language]) for language in readers}
    with ReadingProgress("counting", list(meters.values()), shown=progress) as bar:

        def read(language: str) -> None:
            with source_names_in_errors(paired.side(language)):
                for _ in readers[language].read(keyed[language]):
                    bar.update()

        large = sum(meter.total for meter in meters.values()) >= _LARGE
        workers = min(threads, len(readers)) if large else 1
        if workers < 2:
            for language in readers:
                read(language)
            return
        with ThreadPoolExecutor(workers) as pool:
            for done in [pool.submit(read, language) for language in readers]:
                done.result()


# ---------------------------------------------------------------------- counting


def _count_links(
    request: CountRequest, sides: Mapping[str, LanguageSide], paired: PairedCorpus
) -> Counts:
    """Count one request in the documents that two languages have in common."""
    one, other = (sides[language] for language in request.unit.sides)
    left, right = _linked_rows(one, other)
    if not len(left):
        names = " and ".join(f"{s.language} ({paired.side(s.language).name})" for s in (one, other))
        raise InputError(f"no document is linked across {names}: do their ids agree?")
    dropped = one.dropped[left] | other.dropped[right]
    filled = (one.tokens[left] > 0) & (other.tokens[right] > 0) & ~dropped
    universe = sorted(request.terms)
    parts = [_TermsOfDocuments.of(side, universe) for side in (one, other)]
    stamps = {side.language: side.pipeline for side in (one, other)}
    few = sum(len(part.numbers) for part in parts) < _FEW_TERMS
    tables = RequestTables(Counts.zeros(request, stamps), universe)
    counter = RequestCounter(tables, kernel_runner(compiled=not few))
    used = left[filled], right[filled]
    for start, stop in _chunks(parts, used):
        counter.add(*_events(parts, (used[0][start:stop], used[1][start:stop])))
    fingerprint = Fingerprint.join(
        [
            one.fingerprint(left, other.digests[right]),
            other.fingerprint(right, one.digests[left]),
        ]
    )
    totals = Totals(
        units=len(used[0]),
        tokens=int(one.tokens[used[0]].sum() + other.tokens[used[1]].sum()),
        documents=len(left),
        empty=int((~filled & ~dropped).sum()),
        dropped=int(dropped.sum()),
    )
    return counter.counts(fingerprint, totals)


def _linked_rows(one: LanguageSide, other: LanguageSide) -> tuple[I64, I64]:
    """Return the rows of both sides that are linked, in the order of the first."""
    rows = other.rows()
    linked = [(row, rows[key]) for key, row in one.rows().items() if key in rows]
    both = np.array(linked, dtype=np.int64).reshape(-1, 2)
    return np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1])


class _TermsOfDocuments(NamedTuple):
    """The terms of each document of a side, each once, as positions in a universe of terms."""

    starts: I64
    numbers: I32

    @classmethod
    def of(cls, side: LanguageSide, universe: Sequence[Term]) -> _TermsOfDocuments:
        positions = {term: number for number, term in enumerate(universe)}
        known = np.array([positions.get(term, -1) for term in side.terms], dtype=np.int64)
        document = np.repeat(np.arange(len(side)), np.diff(side.starts))
        number = known[side.numbers] if len(known) else side.numbers.astype(np.int64)
        document, number = document[number >= 0], number[number >= 0]
        if side.whole:
            document, number = _each_once(document, number, len(universe))
        starts = np.searchsorted(document, np.arange(len(side) + 1))
        return cls(starts.astype(np.int64), number.astype(np.int32))


def _chunks(parts: Sequence[_TermsOfDocuments], rows: tuple[I64, I64]) -> Iterator[tuple[int, int]]:
    """Yield ranges of linked documents that do not have too many terms together."""
    sizes = sum(np.diff(part.starts)[mine] for part, mine in zip(parts, rows, strict=True))
    ends = np.cumsum(sizes)
    start, total = 0, len(rows[0])
    while start < total:
        before = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + _TERMS_AT_ONCE, side="right")))
        yield start, stop
        start = stop


def _events(parts: Sequence[_TermsOfDocuments], rows: tuple[I64, I64]) -> tuple[TermEvents, I64]:
    """Join the terms of linked documents, as if they stood in one text.

    The place of a term does not matter, for the whole text is one window. A text is one token
    longer than its terms, so that documents without a requested term are units too.
    """
    sizes = [np.diff(part.starts)[mine] for part, mine in zip(parts, rows, strict=True)]
    lengths = sizes[0] + sizes[1]
    bounds = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=bounds[1:])
    term = np.empty(int(bounds[-1]), dtype=np.int32)
    first = bounds[:-1]
    for part, mine, size in zip(parts, rows, sizes, strict=True):
        inside = np.arange(int(size.sum())) - np.repeat(np.cumsum(size) - size, size)
        term[np.repeat(first, size) + inside] = part.numbers[
            np.repeat(part.starts[mine], size) + inside
        ]
        first = first + size
    place = (np.arange(len(term)) - np.repeat(bounds[:-1], lengths)).astype(np.int32)
    return TermEvents(term, place, place, bounds), lengths + 1
