"""A lane: everything that one thread needs to count blocks, and what it has counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.compiling.kernel import Kernel
from tealeaves.errors import InputError
from tealeaves.evidence.counting import Counter, Runner, Tables, events_of, grouped, kernels_of
from tealeaves.evidence.counts import Counts, PipelineStamp, Totals
from tealeaves.evidence.hits import ByteFinder, Finder, Hits, StringFinder, can_find_in_bytes
from tealeaves.evidence.kernels.events import count_events, find_events
from tealeaves.evidence.kernels.tokens import find_hits
from tealeaves.evidence.layout import Layout
from tealeaves.evidence.request import Request
from tealeaves.evidence.terms import Term
from tealeaves.evidence.vocabulary import Vocabulary
from tealeaves.evidence.wordtable import fill_table
from tealeaves.text.blocks import TextBlock
from tealeaves.text.digest import DIGESTS, digest_texts
from tealeaves.text.fingerprint import Fingerprint, Span, merge_spans
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import U8, U64

SMALL = 1 << 17  # bytes of text that are counted before compiled kernels could be loaded


class Plan:
    """What all lanes of a pass share: the requests, laid out, and how tokens are found."""

    def __init__(
        self, requests: Sequence[Request], pipeline: Pipeline, *, compiled: bool = True
    ) -> None:
        universe = sorted({term for request in requests for term in request.terms})
        languages = {term.language for term in universe}
        if len(languages) > 1:
            named = ", ".join(sorted(map(repr, languages)))
            raise InputError(f"words of several languages ({named}) are not in one text")
        self.vocabulary = Vocabulary.of(universe)
        self.tables = _tables(requests, universe)
        self.stamps = {"": PipelineStamp(repr(pipeline), pipeline.signature)}
        self._in_bytes = compiled and can_find_in_bytes(pipeline)
        self._pipeline = pipeline
        self._finder: ByteFinder | None = None
        self.run: Runner = attrgetter("__call__" if compiled else "interpreted")
        self._compiled = compiled

    @property
    def kernels(self) -> list[Kernel]:
        """All that has to be compiled for it."""
        if not self._compiled:
            return []
        found = [find_hits, fill_table] if self._in_bytes else [digest_texts]
        if not self.vocabulary.single:
            found += [count_events, find_events]
        return found + kernels_of(self.tables)

    def prepare(self) -> None:
        """Load the kernels, or compile them."""
        for kernel in self.kernels:
            kernel.prepare()

    @property
    def releases_the_gil(self) -> bool:
        """Whether several threads are faster than one."""
        return self._in_bytes

    def finder(self) -> Finder:
        """Return a finder of hits for another lane."""
        tokens = self.vocabulary.token_ids
        if not self._in_bytes:
            return StringFinder(self._pipeline, tokens, compiled=self._compiled)
        if self._finder is None:
            self._finder = ByteFinder(self._pipeline, tokens)
            return self._finder
        return self._finder.again()


def _tables(requests: Sequence[Request], universe: Sequence[Term]) -> list[Tables]:
    """Lay out requests; those that ask for the same in other units share what they can."""
    known: dict[tuple[int, ...], Tables] = {}
    found = []
    for request in requests:
        key = id(request.terms), id(request.pairs), id(request.sets)
        same = known.get(key)
        tables = same.for_unit(request) if same else Tables(Layout.of(request), universe)
        known.setdefault(key, tables)
        found.append(tables)
    return found


class Lane:
    """Counts blocks, one at a time."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._find = plan.finder()
        self._counters = [Counter(tables, plan.run) for tables in plan.tables]
        self._adding = grouped(self._counters, plan.run)
        self._spans: dict[str, list[Span]] = {}
        self._digests: dict[str, int] = {}
        self._totals = Totals()
        self.passed = 0, 0  # the number of texts that were passed over, and their digest

    def add(self, block: TextBlock, skip: Fingerprint) -> None:
        """Count the texts of a block that are not in ``skip``."""
        wanted = _wanted(block, skip)
        hits = self._find(block, wanted)
        events = events_of(hits, self._plan.vocabulary, self._plan.run)
        for counter in self._adding:
            counter.add(events, hits.lengths)
        self._note(block, wanted, hits.digests)
        self._totals += _totals(hits, int(wanted.sum()))

    def _note(self, block: TextBlock, wanted: U8, digests: U64) -> None:
        """Keep in mind which texts were counted, and which passed over."""
        here = 0
        for source, position, count in block.runs:
            ours = wanted[here : here + count]
            theirs = digests[here : here + count]
            here += count
            edges = np.flatnonzero(np.diff(ours, prepend=0, append=0)).tolist()
            runs = zip(edges[::2], edges[1::2], strict=True)
            spans = self._spans.setdefault(source, [])
            spans += [(position + start, position + stop) for start, stop in runs]
            digest = int(theirs[ours == 1].sum())
            self._digests[source] = self._digests.get(source, 0) + digest
            number, passed = self.passed
            skipped = ours == 0
            self.passed = number + int(skipped.sum()), passed + int(theirs[skipped].sum())

    @property
    def fingerprint(self) -> Fingerprint:
        """The documents that were counted."""
        spans = {s: merge_spans(s, found) for s, found in self._spans.items() if found}
        return Fingerprint(spans, {s: self._digests[s] % DIGESTS for s in spans})

    def counts(self) -> list[Counts]:
        """Return what has been counted, request by request."""
        fingerprint = self.fingerprint
        return [
            replace(
                tables.layout.zeros(self._plan.stamps),
                fingerprint=fingerprint,
                totals=self._totals + Totals(units=counter.units),
                singles=counter.singles[tables.terms],
                pair_counts=counter.pairs.copy(),
                set_counts=counter.sets.copy(),
            )
            for tables, counter in zip(self._plan.tables, self._counters, strict=True)
        ]


def _wanted(block: TextBlock, skip: Fingerprint) -> U8:
    wanted = np.ones(block.count, dtype=np.uint8)
    here = 0
    for source, position, count in block.runs:
        for start, stop in skip.runs(source):
            low, high = max(start - position, 0), min(stop - position, count)
            wanted[here + low : here + max(low, high)] = 0
        here += count
    return wanted


def _totals(hits: Hits, documents: int) -> Totals:
    return Totals(
        tokens=int(hits.lengths.sum()),
        documents=documents,
        empty=int((hits.lengths == 0).sum()),
        dropped=hits.dropped,
    )
