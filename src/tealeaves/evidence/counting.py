"""Counting a block for one request."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tealeaves.compiling.kernel import Kernel
from tealeaves.errors import InputError
from tealeaves.evidence.hits import Hits
from tealeaves.evidence.kernels.contexts import count_contexts
from tealeaves.evidence.kernels.events import count_events, find_events
from tealeaves.evidence.kernels.gensim_windows import count_windows_like_gensim
from tealeaves.evidence.kernels.sets import count_sets
from tealeaves.evidence.kernels.several_windows import count_several_windows
from tealeaves.evidence.kernels.windows import count_windows
from tealeaves.evidence.layout import Layout
from tealeaves.evidence.request import Request
from tealeaves.evidence.terms import Term
from tealeaves.evidence.units import Unit
from tealeaves.evidence.vocabulary import Vocabulary, asked_filter, partners, ragged

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64

Runner = Callable[[Kernel], Callable[..., Any]]


class Events(NamedTuple):
    """Where terms stand in the documents of a block (see :mod:`.kernels.events`)."""

    term: I32
    start: I32
    end: I32
    bounds: I64


def events_of(hits: Hits, vocabulary: Vocabulary, run: Runner) -> Events:
    """Find terms among hits; single tokens are terms already."""
    if vocabulary.single:
        return Events(hits.token, hits.place, hits.place, hits.bounds)
    most = run(count_events)(hits.token, vocabulary.gram_start)
    term, start, end = (np.empty(most, dtype=np.int32) for _ in range(3))
    bounds = np.empty(len(hits.bounds), dtype=np.int64)
    v = vocabulary
    tables = v.term_of_token, v.gram_start, v.grams, v.token_start, v.tokens
    found = run(find_events)(hits.token, hits.place, hits.bounds, *tables, term, start, end, bounds)
    return Events(term[:found], start[:found], end[:found], bounds)


class Tables:
    """What the kernels have to know of a request; terms are numbered as in ``universe``.

    The universe is shared by all requests of a pass, so that events are found only once.
    """

    def __init__(self, layout: Layout, universe: Sequence[Term]) -> None:
        _check_sets(layout)
        self.unit = layout.request.unit
        place = {term: number for number, term in enumerate(universe)}
        self.layout = layout
        self.universe = len(universe)
        self.sequences = any(len(term.tokens) != 1 for term in universe)
        self.terms = np.array([place[term] for term in layout.terms], dtype=np.int64)
        pairs = self.terms[layout.pairs] if len(layout.pairs) else layout.pairs
        self.partners = (*partners(self.universe, pairs), *asked_filter(pairs))
        self.members = ragged([self.terms[list(members)].tolist() for members in layout.sets])
        self.sets_of_term = _inverted(self.members, self.universe)

    def for_unit(self, request: Request) -> Tables:
        """Return the tables of a request for the same terms, pairs and sets in another unit."""
        layout = self.layout.for_unit(request)
        _check_sets(layout)
        twin = copy(self)
        twin.unit, twin.layout = request.unit, layout
        return twin


def _check_sets(layout: Layout) -> None:
    unit = layout.request.unit
    if layout.sets and (unit.kind == "context" or unit.rule == "gensim"):
        raise InputError(f"sets of more than two words cannot be counted in {unit}")


def _kernel(unit: Unit) -> Kernel:
    if unit.kind == "context":
        return count_contexts
    return count_windows_like_gensim if unit.rule == "gensim" else count_windows


class Counter:
    """Running sums for one request; it serves one thread at a time."""

    def __init__(self, tables: Tables, run: Runner) -> None:
        self.tables = tables
        self._run = run
        self._last = np.full(tables.universe, -1, dtype=np.int32)
        sets = len(tables.layout.sets)
        self._room = np.zeros(sets, dtype=np.int64), np.zeros(tables.universe, dtype=np.uint8)
        self._complete = np.zeros(sets, dtype=np.int64)
        self.singles = np.zeros(tables.universe, dtype=np.int64)
        self.pairs = np.zeros(len(tables.layout.pairs), dtype=np.int64)
        self.sets = np.zeros(sets, dtype=np.int64)
        self.units = 0

    def add(self, events: Events, lengths: I64) -> None:
        """Count one block."""
        tables, size = self.tables, self.tables.unit.size or 0
        self.units += self._run(_kernel(tables.unit))(
            *events, lengths, size, tables.sequences, *tables.partners, self._last,
            self.singles, self.pairs,
        )  # fmt: skip
        self.add_sets(events, lengths)

    def add_sets(self, events: Events, lengths: I64) -> None:
        """Count the sets of one block."""
        tables, size = self.tables, self.tables.unit.size or 0
        if len(self.sets):
            hits, is_member = self._room
            self._run(count_sets)(
                *events, lengths, size, *tables.members, *tables.sets_of_term,
                hits, self._last, is_member, self._complete, self.sets,
            )  # fmt: skip


class SeveralCounter:
    """Running sums for requests of the same terms and pairs in windows of several sizes."""

    def __init__(self, counters: Sequence[Counter], run: Runner) -> None:
        # the order of the kernel: documents, of size 0, are the widest
        self._counters = sorted(counters, key=lambda one: one.tables.unit.size or sys.maxsize)
        self._tables = counters[0].tables
        self._run = run
        self._sizes = np.array([one.tables.unit.size or 0 for one in self._counters])
        self._last = np.full(self._tables.universe, -1, dtype=np.int32)
        self._room = [np.zeros(len(counters), dtype=np.int64) for _ in range(3)]
        self._units = np.zeros(len(counters), dtype=np.int64)
        self._singles = np.zeros(len(counters) * self._tables.universe, dtype=np.int64)
        self._pairs = np.zeros(len(counters) * len(counters[0].pairs), dtype=np.int64)
        singles, pairs = (np.split(a, len(counters)) for a in (self._singles, self._pairs))
        for number, one in enumerate(self._counters):
            one.singles, one.pairs = singles[number], pairs[number]

    def add(self, events: Events, lengths: I64) -> None:
        """Count one block."""
        tables = self._tables
        self._run(count_several_windows)(
            *events, lengths, self._sizes, tables.sequences, *tables.partners, self._last,
            *self._room, self._units, self._singles, self._pairs,
        )  # fmt: skip
        for number, one in enumerate(self._counters):
            one.units = int(self._units[number])
            one.add_sets(events, lengths)


def grouped(counters: Sequence[Counter], run: Runner) -> list[Counter | SeveralCounter]:
    """Put together what can be counted at once."""
    return [
        SeveralCounter([counters[n] for n in group], run) if len(group) > 1 else counters[group[0]]
        for group in _groups([one.tables for one in counters])
    ]


def kernels_of(tables: Sequence[Tables]) -> list[Kernel]:
    """Return all kernels that count for some requests."""
    found = [count_sets] if any(one.layout.sets for one in tables) else []
    for group in _groups(tables):
        alone = len(group) == 1
        found.append(_kernel(tables[group[0]].unit) if alone else count_several_windows)
    return found


def _groups(tables: Sequence[Tables]) -> list[list[int]]:
    """Return which requests are counted at once: those in windows, for the same terms."""
    groups: dict[int, list[int]] = {}
    for number, one in enumerate(tables):
        together = _kernel(one.unit) is count_windows
        groups.setdefault(id(one.partners) if together else -number, []).append(number)
    return list(groups.values())


def _inverted(members: tuple[I64, I64], count: int) -> tuple[I64, I64]:
    """List for each term the sets it belongs to."""
    start, terms = members
    number = np.repeat(np.arange(len(start) - 1), np.diff(start))
    order = np.argsort(terms, kind="stable")
    bounds = np.zeros(count + 1, dtype=np.int64)
    bounds[1:] = np.cumsum(np.bincount(terms, minlength=count))
    return bounds, number[order]
