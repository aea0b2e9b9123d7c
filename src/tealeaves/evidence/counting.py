"""Counting a block for one request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tealeaves.compiling.kernel import Kernel
from tealeaves.errors import InputError
from tealeaves.evidence.hits import Hits
from tealeaves.evidence.kernels.contexts import count_contexts
from tealeaves.evidence.kernels.events import count_events, find_events
from tealeaves.evidence.kernels.gensim_windows import count_windows_like_gensim
from tealeaves.evidence.kernels.sets import count_sets
from tealeaves.evidence.kernels.windows import count_windows
from tealeaves.evidence.layout import Layout
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
        self.unit = layout.request.unit
        if layout.sets and (self.unit.kind == "context" or self.unit.rule == "gensim"):
            raise InputError(f"sets of more than two words cannot be counted in {self.unit}")
        place = {term: number for number, term in enumerate(universe)}
        self.layout = layout
        self.universe = len(universe)
        self.sequences = any(len(term.tokens) != 1 for term in universe)
        self.terms = np.array([place[term] for term in layout.terms], dtype=np.int64)
        pairs = self.terms[layout.pairs] if len(layout.pairs) else layout.pairs
        self.partners = (*partners(self.universe, pairs), *asked_filter(pairs))
        self.members = ragged([self.terms[list(members)].tolist() for members in layout.sets])
        self.sets_of_term = _inverted(self.members, self.universe)

    @property
    def kernels(self) -> list[Kernel]:
        """The kernels that count."""
        return [_kernel(self.unit), *([count_sets] if self.layout.sets else [])]


def _kernel(unit: Unit) -> Kernel:
    if unit.kind == "context":
        return count_contexts
    return count_windows_like_gensim if unit.rule == "gensim" else count_windows


class Counter:
    """Running sums for one request; it serves one thread at a time."""

    def __init__(self, tables: Tables, run: Runner) -> None:
        self._tables = tables
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
        tables, size = self._tables, self._tables.unit.size or 0
        self.units += self._run(_kernel(tables.unit))(
            *events, lengths, size, tables.sequences, *tables.partners, self._last,
            self.singles, self.pairs,
        )  # fmt: skip
        if len(self.sets):
            hits, is_member = self._room
            self._run(count_sets)(
                *events, lengths, size, *tables.members, *tables.sets_of_term,
                hits, self._last, is_member, self._complete, self.sets,
            )  # fmt: skip


def _inverted(members: tuple[I64, I64], count: int) -> tuple[I64, I64]:
    """List for each term the sets it belongs to."""
    start, terms = members
    number = np.repeat(np.arange(len(start) - 1), np.diff(start))
    order = np.argsort(terms, kind="stable")
    bounds = np.zeros(count + 1, dtype=np.int64)
    bounds[1:] = np.cumsum(np.bincount(terms, minlength=count))
    return bounds, number[order]
