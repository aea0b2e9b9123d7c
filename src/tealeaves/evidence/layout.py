"""How the terms, pairs and sets of a request are laid out in arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import EvidenceError, InputError
from tealeaves.evidence.counts import Counts, PipelineStamp, Totals
from tealeaves.evidence.request import Request
from tealeaves.evidence.terms import Term
from tealeaves.evidence.units import Unit
from tealeaves.text.digest import text_digest
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.arrays import Integers


_UNKNOWN = -1


@dataclass(frozen=True)
class Layout:
    """A request as positions: terms sorted, pairs and sets as positions of terms, sorted."""

    request: Request
    terms: tuple[Term, ...]
    pairs: Integers
    sets: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, request: Request) -> Layout:
        """Lay out a request; equal requests have equal layouts."""
        terms = tuple(sorted(request.terms))
        place = {term: position for position, term in enumerate(terms)}
        flat = (place[term] for pair in request.pairs for term in pair)
        rows = np.fromiter(flat, np.int64, count=2 * len(request.pairs)).reshape(-1, 2)
        rows.sort(axis=1)
        rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
        sets = sorted(tuple(sorted(place[member] for member in s)) for s in request.sets)
        return cls(request, terms, rows, tuple(sets))

    def for_unit(self, request: Request) -> Layout:
        """Return the same layout for a request of the same terms, pairs and sets."""
        return replace(self, request=request)

    def zeros(self, pipelines: Mapping[str, PipelineStamp]) -> Counts:
        """Return counts of no text at all."""
        return Counts(
            unit=self.request.unit,
            pipelines=pipelines,
            fingerprint=Fingerprint(),
            totals=Totals(),
            terms=self.terms,
            singles=np.zeros(len(self.terms), dtype=np.int64),
            pairs=self.pairs,
            pair_counts=np.zeros(len(self.pairs), dtype=np.int64),
            sets=self.sets,
            set_counts=np.zeros(len(self.sets), dtype=np.int64),
        )


def filled(
    unit: Unit, singles: Mapping[str, int], pairs: Mapping[tuple[str, str], int], units: int
) -> Counts:
    """Make counts of given numbers; the words are tokens as they stand."""
    term = {word: Term((word,)) for word in singles}
    unknown = {word for pair in pairs for word in pair} - set(singles)
    if unknown:
        raise InputError(f"the pairs hold {', '.join(sorted(unknown))}, which is not in singles")
    numbers = {tuple(sorted((term[a], term[b]))): count for (a, b), count in pairs.items()}
    if len(numbers) < len(pairs):
        raise InputError("a pair is given in both orders: give it once")
    if not all(isinstance(n, int) for n in (*singles.values(), *pairs.values(), units)):
        raise InputError("counts are whole numbers")
    source = f"given-{text_digest(repr((unit, sorted(singles.items()), sorted(pairs.items())))):x}"
    request = Request.of(unit, [[one] for one in term.values()], list(numbers))
    tokens = Pipeline.parse("tokens")
    empty = Layout.of(request).zeros({"": PipelineStamp(repr(tokens), tokens.signature)})
    listed = [(empty.terms[a], empty.terms[b]) for a, b in empty.pairs.tolist()]
    counts = replace(
        empty,
        fingerprint=Fingerprint({source: ((0, units),)}, {source: text_digest(source)}),
        totals=Totals(units=units),
        singles=np.array([singles[str(one)] for one in empty.terms], dtype=np.int64),
        pair_counts=np.array([numbers[pair] for pair in listed], dtype=np.int64),
    )
    _check_possible(counts)
    return counts


def _check_possible(counts: Counts) -> None:
    """Refuse numbers that no text can have."""
    fewest = counts.singles[counts.pairs].min(axis=1, initial=counts.totals.units)
    if (counts.singles > counts.totals.units).any() or (counts.singles < 0).any():
        raise InputError(f"a word is in between 0 and all {counts.totals.units} units")
    if (counts.pair_counts < 0).any() or (
        counts.unit.kind != "context" and (counts.pair_counts > fewest).any()
    ):
        raise InputError("two words cannot be together more often than one of them occurs")


def joined(left: Counts, right: Counts) -> Counts:
    """Join counts of the same texts; where both counted something they must agree."""
    layout = Layout.of(left.request | right.request)
    result = layout.zeros(left.pipelines)
    for values in (result.singles, result.pair_counts, result.set_counts):
        values[:] = _UNKNOWN
    for counts in (left, right):
        place = np.array([result.positions[term] for term in counts.terms], dtype=np.int64)
        _fill(result.singles, place, counts.singles)
        if len(counts.pairs):
            rows = np.sort(place[counts.pairs], axis=1)
            keys = rows[:, 0] * len(result.terms) + rows[:, 1]
            _fill(result.pair_counts, np.searchsorted(result.pair_keys, keys), counts.pair_counts)
        numbers = [
            result.set_positions[tuple(sorted(place[list(members)].tolist()))]
            for members in counts.sets
        ]
        _fill(result.set_counts, np.array(numbers, dtype=np.int64), counts.set_counts)
    return replace(result, fingerprint=left.fingerprint, totals=left.totals)


def _fill(target: Integers, places: Integers, values: Integers) -> None:
    """Write values to their places; a place that holds another value already is an error."""
    known = target[places]
    if ((known != _UNKNOWN) & (known != values)).any():
        raise EvidenceError("the two counts of the same text disagree: one of them is damaged")
    target[places] = values
