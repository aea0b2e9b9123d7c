"""Counters: the running sums of requests, in windows, documents and contexts."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.arrays import offsets
from tealeaves.errors import InputError
from tealeaves.evidence.counting.events import ragged_rows
from tealeaves.evidence.counting.kernels.contexts import count_contexts
from tealeaves.evidence.counting.kernels.gensim_windows import count_windows_like_gensim
from tealeaves.evidence.counting.kernels.pairs import CountSums, PartnerTable
from tealeaves.evidence.counting.kernels.sets import SetSums, SetTable, count_sets
from tealeaves.evidence.counting.kernels.windows import (
    MOST_SIZES,
    MOST_UNITS,
    WindowSums,
    WindowWork,
    count_windows,
)
from tealeaves.evidence.counts import Counts, Totals
from tealeaves.evidence.requests import Term
from tealeaves.evidence.units import Unit
from tealeaves.memo import Identity
from tealeaves.text.fingerprint import Fingerprint

if TYPE_CHECKING:
    from tealeaves.arrays import Array, Integers
    from tealeaves.evidence.counting.kernels.events import TermEvents
    from tealeaves.kernels import I64


class RequestTables:
    """A request as the arrays that the kernels read.

    ``zeros`` are the counts of the request before any text is read. The kernels number terms by
    their position in ``universe``, the terms of all requests, so that events are found only once
    for all of them; ``terms`` are those of this request.
    """

    def __init__(self, zeros: Counts, universe: Sequence[Term]) -> None:
        _check_sets(zeros)
        self.zeros = zeros
        self.universe = len(universe)
        pairs, self.terms = zeros.pairs, np.arange(self.universe)
        if len(zeros.terms) < self.universe:
            numbers = {term: number for number, term in enumerate(universe)}
            self.terms = np.array([numbers[term] for term in zeros.terms], dtype=np.int64)
            pairs = self.terms.astype(np.int32)[pairs]
        self.pairs = PartnerTable.of(self.universe, pairs)
        members = ragged_rows([self.terms[list(members)].tolist() for members in zeros.sets])
        self.sets = SetTable(*members, *_sets_of_terms(members, self.universe))

    def for_unit(self, unit: Unit) -> RequestTables:
        """Return the tables for the same terms, pairs and sets in another unit."""
        tables = copy(self)
        tables.zeros = replace(self.zeros, unit=unit)
        _check_sets(tables.zeros)
        return tables

    @property
    def in_windows(self) -> bool:
        """Whether units are exact windows or documents."""
        return self.zeros.unit.kind != "context" and self.zeros.unit.rule != "gensim"

    @property
    def size(self) -> int:
        """The size of windows and contexts; 0 stands for whole documents."""
        return self.zeros.unit.size or 0


def _check_sets(zeros: Counts) -> None:
    unit = zeros.unit
    if zeros.sets and (unit.kind == "context" or unit.rule == "gensim"):
        raise InputError(f"sets of more than two words cannot be counted in {unit}")


def _sets_of_terms(members: tuple[I64, I64], count: int) -> tuple[I64, I64]:
    """List for each of ``count`` terms the sets that it belongs to."""
    start, terms = members
    number = np.repeat(np.arange(len(start) - 1), np.diff(start))
    order = np.argsort(terms, kind="stable")
    return _starts(terms, count), number[order]


def _starts(terms: Integers, count: int) -> I64:
    """Return where the entries of each of ``count`` terms start, if they are sorted by term."""
    return offsets(np.bincount(terms, minlength=count))


class RequestCounter:
    """Running sums for one request. It is used by one thread at a time.

    ``sums`` are arrays of terms and of pairs that add up to the counts.
    """

    def __init__(self, tables: RequestTables) -> None:
        self.tables = tables
        self.sums: list[tuple[Array, Array]] = []
        self.units = 0
        sets = len(tables.zeros.sets)
        self._sums: CountSums | None = None
        self._sets = SetSums(
            seen=np.zeros(sets, dtype=np.int64),
            last=np.full(tables.universe, -1, dtype=np.int32),
            is_member=np.zeros(tables.universe, dtype=np.uint8),
            complete=np.zeros(sets, dtype=np.int64),
            counts=np.zeros(sets, dtype=np.int64),
        )

    def add(self, events: TermEvents, lengths: I64) -> None:
        """Count one block, in contexts or by gensim's rule."""
        tables = self.tables
        if self._sums is None:
            singles, pairs = (
                np.zeros(size, dtype=np.int64)
                for size in (tables.universe, len(tables.zeros.pairs))
            )
            self._sums = CountSums(self._sets.last, singles, pairs)
            self.sums.append((singles, pairs))
        context = tables.zeros.unit.kind == "context"
        count = count_contexts if context else count_windows_like_gensim
        self.units += count(events, lengths, tables.size, tables.pairs, self._sums)

    def add_sets(self, events: TermEvents, lengths: I64) -> None:
        """Count the sets of one block."""
        if len(self._sets.counts):
            count_sets(events, lengths, self.tables.size, self.tables.sets, self._sets)

    def added(self, counts: Counts, fingerprint: Fingerprint, totals: Totals) -> Counts:
        """Add the sums so far to the arrays of counts; return them with these texts."""
        for singles, pairs in self.sums:
            np.add(counts.singles, singles[self.tables.terms], out=counts.singles)
            np.add(counts.pair_counts, pairs, out=counts.pair_counts)
        np.add(counts.set_counts, self._sets.counts, out=counts.set_counts)
        every = counts.totals + totals + Totals(units=self.units)
        return replace(counts, fingerprint=fingerprint, totals=every)


class WindowCounter:
    """Adds to several counters at once, for the same terms and pairs in windows of several sizes.

    It keeps the sums of all of them in one array, of which each counter sees its part. Sums that
    could become too large are added to the others before.
    """

    def __init__(self, counters: Sequence[RequestCounter]) -> None:
        # the kernel wants ascending sizes; documents, of size 0, are the widest
        self._counters = sorted(counters, key=lambda one: one.tables.size or sys.maxsize)
        self._tables = counters[0].tables
        self._sizes = np.array([one.tables.size for one in self._counters])
        self._tokens = 0  # of the texts in ``_sums``, which have no more units
        terms, pairs = self._tables.universe, len(self._tables.zeros.pairs)
        self._work = WindowWork.of(len(counters), terms, pairs)
        shapes = (terms, len(counters)), (pairs, len(counters))
        arrays = [np.zeros(shape, dtype=np.int32) for shape in shapes]
        self._sums = WindowSums(
            np.full(terms, -1, dtype=np.int32), arrays[0].reshape(-1), arrays[1].reshape(-1)
        )
        for number, counter in enumerate(self._counters):
            counter.sums.append((arrays[0][:, number], arrays[1][:, number]))

    def add(self, events: TermEvents, lengths: I64) -> None:
        """Count one block."""
        tokens = int(lengths.sum())
        if self._tokens + tokens >= MOST_UNITS:
            self._make_room()
        self._tokens += tokens
        count_windows(events, lengths, self._sizes, self._tables.pairs, self._work, self._sums)
        for number, one in enumerate(self._counters):
            one.units = int(self._work.units[number])
            one.add_sets(events, lengths)

    def _make_room(self) -> None:
        """Put the sums of each counter into larger numbers, and begin again with zeros."""
        for one in self._counters:
            if len(one.sums) == 1:
                singles, pairs = (np.zeros(len(part), dtype=np.int64) for part in one.sums[0])
                one.sums.append((singles, pairs))
            for part, whole in zip(*one.sums, strict=True):
                np.add(whole, part, out=whole)
        self._sums.singles[:] = 0
        self._sums.pairs[:] = 0
        self._tokens = 0


def group_counters(counters: Sequence[RequestCounter]) -> list[RequestCounter | WindowCounter]:
    """Put together the counters that one loop can serve: in windows, for the same terms."""
    groups: dict[Identity, list[RequestCounter]] = {}
    for one in counters:
        if one.tables.in_windows:
            groups.setdefault(Identity(one.tables.pairs), []).append(one)
    alone = [one for one in counters if not one.tables.in_windows]
    parts = (
        group[first : first + MOST_SIZES]
        for group in groups.values()
        for first in range(0, len(group), MOST_SIZES)
    )
    return [*map(WindowCounter, parts), *alone]
