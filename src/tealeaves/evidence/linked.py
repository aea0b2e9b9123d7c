"""Linked documents: evidence from a paired corpus, whose documents are linked across languages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec.structs import replace

from tealeaves.arrays import offsets
from tealeaves.errors import InputError
from tealeaves.evidence.counting.blocks import (
    ReadingProgress,
    blocks_with_documents,
    source_names_in_errors,
)
from tealeaves.evidence.counting.counters import RequestCounter, RequestTables, group_counters
from tealeaves.evidence.counting.kernels.events import TermEvents
from tealeaves.evidence.counts import Counts, Totals
from tealeaves.evidence.requests import CountRequest, SidesRequest, Term, join_count_requests
from tealeaves.evidence.texts import EncodedTexts, TextEncoder, distinct_terms
from tealeaves.evidence.units import Unit
from tealeaves.files import Meter
from tealeaves.system import processors
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.text.paired.corpus import PairedCorpus
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.kernels import I32, I64, U64

_TERMS_AT_ONCE = 1 << 22  # terms of linked documents that are counted at a time
_LARGE = 1 << 24  # bytes of files: with fewer, threads would only wait for each other's Python


class LinkedEvidence(NamedTuple):
    """The counts of each request, and the texts of each language that was asked for.

    The ids of texts are the keys of their links, "" for texts without a link. ``notes`` say how
    many documents have no link.
    """

    counts: list[Counts]
    sides: dict[str, EncodedTexts]
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
        Which texts are kept, as sequences of terms.
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
    encoders = {
        language: TextEncoder(
            terms,
            pipelines[language],
            distinct=language not in kept,
            unit=paired.side(language).unit,
        )
        for language, terms in _terms_by_language(requests, documents).items()
    }
    _read_sides(paired, encoders, threads or processors(), progress=progress)
    sides = {language: encoder.texts() for language, encoder in encoders.items()}
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


def _notes_on_links(counts: Counts, sides: Mapping[str, EncodedTexts]) -> list[str]:
    """Say how many documents have no link, if any."""
    linked = counts.totals.documents
    sizes = {language: len(sides[language]) for language in counts.unit.sides}
    if max(sizes.values()) == linked:
        return []
    all_documents = " and ".join(f"{size} of {language}" for language, size in sizes.items())
    return [f"{linked} documents are linked, of {all_documents}"]


# ---------------------------------------------------------------------- reading


def _read_sides(
    paired: PairedCorpus, encoders: Mapping[str, TextEncoder], threads: int, *, progress: bool
) -> None:
    """Read the languages, several at a time if their files are large."""
    meters = {language: Meter(paired.side(language).size) for language in encoders}
    keyed = {language: paired.keyed_documents(language, meters[language]) for language in encoders}
    with ReadingProgress("counting", list(meters.values()), shown=progress) as bar:

        def read(language: str) -> None:
            # keys instead of ids: they say which documents of other languages it is linked to
            documents = (replace(document, id=key) for key, document in keyed[language])
            with source_names_in_errors(paired.side(language)):
                for listed, block in blocks_with_documents(documents):
                    encoders[language].add(listed, block)
                    bar.update()

        large = sum(meter.total for meter in meters.values()) >= _LARGE
        workers = min(threads, len(encoders)) if large else 1
        if workers < 2:
            for language in encoders:
                read(language)
            return
        with ThreadPoolExecutor(workers) as pool:
            for done in [pool.submit(read, language) for language in encoders]:
                done.result()


# ---------------------------------------------------------------------- counting


def _count_links(
    request: CountRequest, sides: Mapping[str, EncodedTexts], paired: PairedCorpus
) -> Counts:
    """Count one request in the documents that two languages have in common."""
    languages = request.unit.sides
    one, other = (sides[language] for language in languages)
    left, right = _linked_rows(one, other)
    if not len(left):
        names = " and ".join(f"{name} ({paired.side(name).name})" for name in languages)
        raise InputError(f"no document is linked across {names}: do their ids agree?")
    dropped = ~(one.kept[left] & other.kept[right])
    filled = (one.tokens[left] > 0) & (other.tokens[right] > 0) & ~dropped
    universe = sorted(request.terms)
    parts = [_TermsOfDocuments.of(side, universe) for side in (one, other)]
    stamps = {language: sides[language].pipeline for language in languages}
    tables = RequestTables(Counts.zeros(request, stamps), universe)
    counter = RequestCounter(tables)
    [windows] = group_counters([counter])
    used = left[filled], right[filled]
    for start, stop in _chunks(parts, used):
        windows.add(*_events(parts, (used[0][start:stop], used[1][start:stop])))
    totals = Totals(
        tokens=int(one.tokens[used[0]].sum() + other.tokens[used[1]].sum()),
        documents=len(left),
        empty=int((~filled & ~dropped).sum()),
        dropped=int(dropped.sum()),
    )
    fingerprint = _link_fingerprint(request.unit, sides, (left, right))
    return counter.added(tables.zeros, fingerprint, totals)


def _linked_rows(one: EncodedTexts, other: EncodedTexts) -> tuple[I64, I64]:
    """Return the rows of both sides that are linked, in the order of the first."""
    own_rows, rows = (
        {key: row for row, key in enumerate(side.ids) if key} for side in (one, other)
    )
    linked = [(row, rows[key]) for key, row in own_rows.items() if key in rows]
    both = np.array(linked, dtype=np.int64).reshape(-1, 2)
    return np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1])


def _link_fingerprint(
    unit: Unit, sides: Mapping[str, EncodedTexts], rows: tuple[I64, I64]
) -> Fingerprint:
    """Return the fingerprint of linked documents; the same texts with other links have another."""
    origins = [sides[language].origins for language in unit.sides]
    left, right = (origin.digests[mine] for origin, mine in zip(origins, rows, strict=True))
    mixed = _mix_digests(left, right), _mix_digests(right, left)
    return Fingerprint.join(
        origin.fingerprint(mine, digests, prefix=f"{language}/")
        for language, origin, mine, digests in zip(unit.sides, origins, rows, mixed, strict=True)
    )


def _mix_digests(digests: U64, partners: U64) -> U64:
    """Return one number for each pair of digests, which also depends on their order."""
    mixed: U64 = digests + partners * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(31)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return mixed ^ (mixed >> np.uint64(29))


class _TermsOfDocuments(NamedTuple):
    """The terms of each document of a side, each once, as positions in a universe of terms."""

    starts: I64
    numbers: I32

    @classmethod
    def of(cls, side: EncodedTexts, universe: Sequence[Term]) -> _TermsOfDocuments:
        positions = {term: number for number, term in enumerate(universe)}
        known = np.array([positions.get(term, -1) for term in side.terms], dtype=np.int64)
        document = np.repeat(np.arange(len(side)), np.diff(side.starts))
        number = known[side.numbers] if len(known) else side.numbers.astype(np.int64)
        document, number = document[number >= 0], number[number >= 0]
        if not side.distinct:
            document, number = distinct_terms(document, number, len(universe))
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
    bounds = offsets(lengths)
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
