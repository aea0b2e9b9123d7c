"""Counting one block for one request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence import kernels
from tealeaves.evidence.layout import Layout
from tealeaves.evidence.terms import Term
from tealeaves.evidence.vocabulary import partners, ragged

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


class Events(NamedTuple):
    """Where terms stand in the documents of a block (see :mod:`.kernels`)."""

    term: Ints
    start: Ints
    end: Ints
    bounds: Ints


class Counter:
    """Running sums for one request, over terms numbered as in ``universe``.

    The universe is shared by all requests of a pass, so that events are found only once.
    """

    def __init__(self, layout: Layout, universe: Sequence[Term]) -> None:
        unit = layout.request.unit
        if layout.sets and (unit.kind == "context" or unit.rule == "gensim"):
            raise InputError(f"sets of more than two words cannot be counted in {unit}")
        place = {term: number for number, term in enumerate(universe)}
        self.unit = unit
        self.terms = np.array([place[term] for term in layout.terms], dtype=np.int64)
        pairs = self.terms[layout.pairs] if len(layout.pairs) else layout.pairs
        self.partners = partners(len(universe), pairs)
        self.members = ragged([self.terms[list(members)].tolist() for members in layout.sets])
        self.sets_of_term = _inverted(self.members, len(universe))
        self.singles = np.zeros(len(universe), dtype=np.int64)
        self.pair_counts = np.zeros(len(pairs), dtype=np.int64)
        self.set_counts = np.zeros(len(layout.sets), dtype=np.int64)
        self.units = 0

    def add(self, events: Events, lengths: Ints) -> None:
        """Count one block."""
        size = self.unit.size or 0
        self.units += int(
            self._kernel(*events, lengths, size, *self.partners, self.singles, self.pair_counts)
        )
        if len(self.set_counts):
            kernels.count_sets(
                *events, lengths, size, *self.members, *self.sets_of_term, self.set_counts
            )

    @property
    def _kernel(self):  # type: ignore[no-untyped-def]
        if self.unit.kind == "context":
            return kernels.count_contexts
        if self.unit.rule == "gensim":
            return kernels.count_windows_like_gensim
        return kernels.count_windows


def _inverted(members: tuple[Ints, Ints], count: int) -> tuple[Ints, Ints]:
    """List for each term the sets it belongs to."""
    start, terms = members
    number = np.repeat(np.arange(len(start) - 1), np.diff(start))
    order = np.argsort(terms, kind="stable")
    bounds = np.zeros(count + 1, dtype=np.int64)
    bounds[1:] = np.cumsum(np.bincount(terms, minlength=count))
    return bounds, number[order]
