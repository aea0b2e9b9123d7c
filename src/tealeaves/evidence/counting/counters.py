"""Counters: the running sums of requests, in windows, documents and contexts."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.arrays import offsets
from tealeaves.compiling.kernel import Kernel
from tealeaves.errors import InputError
from tealeaves.evidence.counting.events import KernelRunner, TermEvents, ragged_rows
from tealeaves.evidence.counting.kernels.contexts import count_contexts
from tealeaves.evidence.counting.kernels.gensim_windows import count_windows_like_gensim
from tealeaves.evidence.counting.kernels.pairs import SPREAD
from tealeaves.evidence.counting.kernels.sets import count_sets
from tealeaves.evidence.counting.kernels.several_windows import count_several_windows
from tealeaves.evidence.counting.kernels.windows import count_windows
from tealeaves.evidence.counts import Counts, Totals
from tealeaves.evidence.requests import Term
from tealeaves.evidence.units import Unit
from tealeaves.memo import Identity
from tealeaves.text.fingerprint import Fingerprint

if TYPE_CHECKING:
    from tealeaves.arrays import Integers
    from tealeaves.compiling.arrays import I32, I64, U64

_FILTER_BITS = 16  # per pair: one of sixteen other pairs passes the filter


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
        self.sequences = any(len(term.tokens) != 1 for term in universe)
        numbers = {term: number for number, term in enumerate(universe)}
        self.terms = np.array([numbers[term] for term in zeros.terms], dtype=np.int64)
        pairs = self.terms[zeros.pairs] if len(zeros.pairs) else zeros.pairs
        self.partners = (*_partner_table(self.universe, pairs), *_pair_filter(pairs))
        self.members = ragged_rows([self.terms[list(members)].tolist() for members in zeros.sets])
        self.sets_of_term = _sets_of_terms(self.members, self.universe)

    def for_unit(self, unit: Unit) -> RequestTables:
        """Return the tables for the same terms, pairs and sets in another unit."""
        tables = copy(self)
        tables.zeros = replace(self.zeros, unit=unit)
        _check_sets(tables.zeros)
        return tables

    @property
    def kernel(self) -> Kernel:
        """The kernel that counts terms and pairs in the unit of this request alone."""
        unit = self.zeros.unit
        if unit.kind == "context":
            return count_contexts
        return count_windows_like_gensim if unit.rule == "gensim" else count_windows

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


def _partner_table(count: int, pairs: Integers) -> tuple[I64, I32, I32]:
    """List the partners of each of ``count`` terms: the terms that it is paired with, sorted.

    Return three arrays: the partners of term t are ``partner[start[t]:start[t + 1]]``, and the
    numbers of their pairs are at the same places of ``number``.
    """
    left = np.concatenate([pairs[:, 0], pairs[:, 1]])
    right = np.concatenate([pairs[:, 1], pairs[:, 0]])
    number = np.concatenate([np.arange(len(pairs), dtype=np.int64)] * 2)
    order = np.lexsort((right, left))
    partner, number = right[order].astype(np.int32), number[order].astype(np.int32)
    return _starts(left, count), partner, number


def _starts(terms: Integers, count: int) -> I64:
    """Return where the entries of each of ``count`` terms start, if they are sorted by term."""
    return offsets(np.bincount(terms, minlength=count))


def _pair_filter(pairs: Integers) -> tuple[U64, int]:
    """Return the bits that :func:`.kernels.pairs.may_be_asked` reads, and their logarithm."""
    bits = max(_FILTER_BITS * len(pairs), 64).bit_length()
    product = ((pairs[:, 0] + 1) * (pairs[:, 1] + 1)).astype(np.uint64)
    number = (product * np.uint64(SPREAD)) >> np.uint64(64 - bits)
    filter_bits = np.zeros(1 << (bits - 6), dtype=np.uint64)
    np.bitwise_or.at(filter_bits, number >> np.uint64(6), np.uint64(1) << (number & np.uint64(63)))
    return filter_bits, bits


class RequestCounter:
    """Running sums for one request. It is used by one thread at a time."""

    def __init__(self, tables: RequestTables, run: KernelRunner) -> None:
        self.tables = tables
        self._run = run
        self._last = np.full(tables.universe, -1, dtype=np.int32)
        sets = len(tables.zeros.sets)
        self._members_seen = np.zeros(sets, dtype=np.int64)
        self._is_member = np.zeros(tables.universe, dtype=np.uint8)
        self._complete = np.zeros(sets, dtype=np.int64)
        self.singles = np.zeros(tables.universe, dtype=np.int64)
        self.pairs = np.zeros(len(tables.zeros.pairs), dtype=np.int64)
        self.sets = np.zeros(sets, dtype=np.int64)
        self.units = 0

    def add(self, events: TermEvents, lengths: I64) -> None:
        """Count one block."""
        tables = self.tables
        self.units += self._run(tables.kernel)(
            *events, lengths, tables.size, tables.sequences, *tables.partners, self._last,
            self.singles, self.pairs,
        )  # fmt: skip
        self.add_sets(events, lengths)

    def add_sets(self, events: TermEvents, lengths: I64) -> None:
        """Count the sets of one block."""
        tables = self.tables
        if len(self.sets):
            self._run(count_sets)(
                *events, lengths, tables.size, *tables.members, *tables.sets_of_term,
                self._members_seen, self._last, self._is_member, self._complete, self.sets,
            )  # fmt: skip

    def counts(self, fingerprint: Fingerprint, totals: Totals) -> Counts:
        """Return a copy of the sums so far, as the counts of these texts."""
        return replace(
            self.tables.zeros,
            fingerprint=fingerprint,
            totals=totals,
            singles=self.singles[self.tables.terms],
            pair_counts=self.pairs.copy(),
            set_counts=self.sets.copy(),
        )


class MultiWindowCounter:
    """Adds to several counters at once, for the same terms and pairs in windows of several sizes.

    It keeps the sums of all of them in one array, of which each counter sees its part.
    """

    def __init__(self, counters: Sequence[RequestCounter], run: KernelRunner) -> None:
        # the kernel wants ascending sizes; documents, of size 0, are the widest
        self._counters = sorted(counters, key=lambda one: one.tables.size or sys.maxsize)
        self._tables = counters[0].tables
        self._run = run
        self._sizes = np.array([one.tables.size for one in self._counters])
        self._last = np.full(self._tables.universe, -1, dtype=np.int32)
        self._work = [np.zeros(len(counters), dtype=np.int64) for _ in range(3)]
        self._units = np.zeros(len(counters), dtype=np.int64)
        self._singles = np.zeros(len(counters) * self._tables.universe, dtype=np.int64)
        self._pairs = np.zeros(len(counters) * len(counters[0].pairs), dtype=np.int64)
        singles, pairs = (np.split(a, len(counters)) for a in (self._singles, self._pairs))
        for number, one in enumerate(self._counters):
            one.singles, one.pairs = singles[number], pairs[number]

    def add(self, events: TermEvents, lengths: I64) -> None:
        """Count one block."""
        tables = self._tables
        self._run(count_several_windows)(
            *events, lengths, self._sizes, tables.sequences, *tables.partners, self._last,
            *self._work, self._units, self._singles, self._pairs,
        )  # fmt: skip
        for number, one in enumerate(self._counters):
            one.units = int(self._units[number])
            one.add_sets(events, lengths)


def group_counters(
    counters: Sequence[RequestCounter], run: KernelRunner
) -> list[RequestCounter | MultiWindowCounter]:
    """Put together the counters that one loop can serve."""
    return [
        MultiWindowCounter([counters[n] for n in group], run)
        if len(group) > 1
        else counters[group[0]]
        for group in _groups([one.tables for one in counters])
    ]


def counting_kernels(tables: Sequence[RequestTables]) -> list[Kernel]:
    """Return the kernels that count for some requests."""
    kernels = [count_sets] if any(one.zeros.sets for one in tables) else []
    kernels += [
        tables[group[0]].kernel if len(group) == 1 else count_several_windows
        for group in _groups(tables)
    ]
    return kernels


def _groups(tables: Sequence[RequestTables]) -> list[list[int]]:
    """Return which requests are counted together: those in windows, for the same terms."""
    groups: dict[Identity | int, list[int]] = {}
    for number, one in enumerate(tables):
        key = Identity(one.partners) if one.kernel is count_windows else number
        groups.setdefault(key, []).append(number)
    return list(groups.values())
