"""Gathering: one reading of each language for everything that was asked of linked documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tealeaves.errors import EvidenceError, InputError
from tealeaves.evidence.counting import Counter, Events, Runner, Tables
from tealeaves.evidence.counts import Counts, Totals
from tealeaves.evidence.layout import Layout
from tealeaves.evidence.linked.request import SidesRequest
from tealeaves.evidence.linked.side import Side, SideReader, each_once
from tealeaves.evidence.request import Request, join_requests
from tealeaves.evidence.terms import Term
from tealeaves.jobs import processors
from tealeaves.text.compression import Meter
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.text.paired.corpus import PairedCorpus
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64

_AT_ONCE = 1 << 22  # terms of linked documents that are counted at a time
_LARGE = 1 << 24  # bytes of files: of fewer, threads would only wait for each other's Python
_FEW = 1 << 12  # terms that are counted before a compiled kernel could be loaded


class Linked(NamedTuple):
    """What was gathered: the counts of each request, and the documents of each language.

    ``notes`` say how many documents have no link.
    """

    counts: list[Counts]
    sides: dict[str, Side]
    notes: tuple[str, ...] = ()


def gather_linked(
    paired: PairedCorpus,
    pipelines: Mapping[str, Pipeline],
    requests: Sequence[Request],
    documents: SidesRequest | None = None,
    *,
    threads: int | None = None,
    progress: bool = False,
) -> Linked:
    """Count words and pairs of words in linked documents, reading each language once.

    Parameters
    ----------
    pipelines
        The token pipeline of each language.
    requests
        What is to be counted, in units of links; terms say their language.
    documents
        What is to be kept of the documents themselves.
    threads
        How many languages are read at the same time; by default one for each processor. Small
        files are read one after the other.
    progress
        Show a bar on standard error.

    >>> from tealeaves.evidence.units import Unit
    >>> paired = PairedCorpus.of([{"en": "a king", "es": "un rey"}, {"en": "sea", "es": "mar"}])
    >>> king, rey = Term(("king",), "en"), Term(("rey",), "es")
    >>> request = Request.of(Unit.of_link("en", "es"), [[king, rey]])
    >>> words = Pipeline.parse("words")
    >>> [counts] = gather_linked(paired, {"en": words, "es": words}, [request]).counts
    >>> counts.single(king), counts.pair(king, rey), counts.totals.units
    (1, 1, 2)
    """
    requests = join_requests(requests)
    terms = _terms_by_language(requests, documents)
    whole = documents.languages if documents else frozenset[str]()
    readers = {
        language: SideReader(
            language,
            found,
            pipelines[language],
            whole=language in whole,
            unit=paired.side(language).unit,
        )
        for language, found in terms.items()
    }
    _read(paired, readers, threads or processors(), progress=progress)
    sides = {language: reader.side() for language, reader in readers.items()}
    counts = [_counted(request, sides, paired) for request in requests]
    kept = {language: sides[language] for language in sides if language in whole}
    notes = [note for one in counts for note in _unlinked(one, sides)]
    return Linked(counts, kept, tuple(notes))


def _unlinked(counts: Counts, sides: Mapping[str, Side]) -> list[str]:
    """Say how many documents have no partner, if any."""
    linked = counts.totals.documents
    sizes = {language: len(sides[language]) for language in counts.unit.sides}
    if max(sizes.values()) == linked:
        return []
    said = " and ".join(f"{size} of {language}" for language, size in sizes.items())
    return [f"{linked} documents are linked, of {said}"]


def _terms_by_language(
    requests: Sequence[Request], documents: SidesRequest | None
) -> dict[str, set[Term]]:
    found: dict[str, set[Term]] = {}
    for request in requests:
        if request.unit.kind != "link":
            raise InputError(f"linked documents are counted in links, not in {request.unit}")
        for language in request.unit.sides:
            found.setdefault(language, set())
        for term in request.terms:
            found.setdefault(term.language, set()).add(term)
    for language in sorted(documents.languages) if documents else ():
        found.setdefault(language, set())
    for term in documents.terms if documents else ():
        found[term.language].add(term)
    return found


# ---------------------------------------------------------------------- reading


def _read(
    paired: PairedCorpus, readers: Mapping[str, SideReader], threads: int, *, progress: bool
) -> None:
    """Read the languages, several at a time."""
    meters = {language: Meter(paired.side(language).size) for language in readers}
    keyed = {language: paired.keyed_documents(language, meters[language]) for language in readers}
    with _bar(meters, shown=progress) as advance:

        def read(language: str) -> None:
            with _named(paired, language):
                for _ in readers[language].read(keyed[language]):
                    advance()

        large = sum(meter.total for meter in meters.values()) >= _LARGE
        workers = min(threads, len(readers)) if large else 1
        if workers < 2:
            for language in readers:
                read(language)
            return
        with ThreadPoolExecutor(workers) as pool:
            for done in [pool.submit(read, language) for language in readers]:
                done.result()


@contextmanager
def _named(paired: PairedCorpus, language: str) -> Iterator[None]:
    try:
        yield
    except EvidenceError as error:
        raise EvidenceError(paired.side(language).name_sources(str(error))) from error


@contextmanager
def _bar(meters: Mapping[str, Meter], *, shown: bool) -> Iterator[Any]:
    if not shown:
        yield lambda: None
        return
    from tqdm.auto import tqdm

    total = sum(meter.total for meter in meters.values())
    with tqdm(total=total, unit="B", unit_scale=True, desc="counting", disable=None) as bar:
        yield lambda: bar.update(
            sum(min(meter.done, meter.total) for meter in meters.values()) - bar.n
        )


# ---------------------------------------------------------------------- counting


def _counted(request: Request, sides: Mapping[str, Side], paired: PairedCorpus) -> Counts:
    """Count one request in the documents that two languages have in common."""
    one, other = (sides[language] for language in request.unit.sides)
    left, right = _linked_rows(one, other)
    if not len(left):
        names = " and ".join(f"{s.language} ({paired.side(s.language).name})" for s in (one, other))
        raise InputError(f"no document is linked across {names}: do their ids agree?")
    dropped = one.dropped[left] | other.dropped[right]
    filled = (one.tokens[left] > 0) & (other.tokens[right] > 0) & ~dropped
    universe = sorted(request.terms)
    tables = Tables(Layout.of(request), universe)
    parts = [_Held.of(side, universe) for side in (one, other)]
    few = sum(len(part.numbers) for part in parts) < _FEW
    run: Runner = attrgetter("interpreted" if few else "__call__")
    counter = Counter(tables, run)
    used = left[filled], right[filled]
    for start, stop in _chunks(parts, used):
        counter.add(*_events(parts, (used[0][start:stop], used[1][start:stop])))
    totals = Totals(
        units=len(used[0]),
        tokens=int(one.tokens[used[0]].sum() + other.tokens[used[1]].sum()),
        documents=len(left),
        empty=int((~filled & ~dropped).sum()),
        dropped=int(dropped.sum()),
    )
    return replace(
        tables.layout.zeros({side.language: side.pipeline for side in (one, other)}),
        fingerprint=Fingerprint.join(
            [
                one.fingerprint(left, other.digests[right]),
                other.fingerprint(right, one.digests[left]),
            ]
        ),
        totals=totals,
        singles=counter.singles[tables.terms],
        pair_counts=counter.pairs.copy(),
        set_counts=counter.sets.copy(),
    )


def _linked_rows(one: Side, other: Side) -> tuple[I64, I64]:
    """Return the rows of both sides that are linked, in the order of the first."""
    rows = other.rows()
    found = [(row, rows[key]) for key, row in one.rows().items() if key in rows]
    both = np.array(found, dtype=np.int64).reshape(-1, 2)
    return np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1])


class _Held(NamedTuple):
    """Which terms each document of a side holds, each once, numbered as in the universe."""

    starts: I64
    numbers: I32

    @classmethod
    def of(cls, side: Side, universe: Sequence[Term]) -> _Held:
        place = {term: number for number, term in enumerate(universe)}
        known = np.array([place.get(term, -1) for term in side.terms], dtype=np.int64)
        document = np.repeat(np.arange(len(side)), np.diff(side.starts))
        number = known[side.numbers] if len(known) else side.numbers.astype(np.int64)
        asked = number >= 0
        document, number = document[asked], number[asked]
        if side.whole:
            document, number = each_once(document, number, len(universe))
        starts = np.searchsorted(document, np.arange(len(side) + 1))
        return cls(starts.astype(np.int64), number.astype(np.int32))


def _chunks(parts: Sequence[_Held], rows: tuple[I64, I64]) -> Iterator[tuple[int, int]]:
    """Yield ranges of linked documents that do not hold too many terms together."""
    sizes = sum(np.diff(part.starts)[mine] for part, mine in zip(parts, rows, strict=True))
    ends = np.cumsum(sizes)
    start, total = 0, len(rows[0])
    while start < total:
        before = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + _AT_ONCE, side="right")))
        yield start, stop
        start = stop


def _events(parts: Sequence[_Held], rows: tuple[I64, I64]) -> tuple[Events, I64]:
    """Lay the terms of linked documents side by side, as if they stood in one text.

    Which place a term has does not matter, for a document is one window; a text is one longer than
    its terms, so that documents without an asked term are units too.
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
    return Events(term, place, place, bounds), lengths + 1
