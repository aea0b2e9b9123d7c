"""``Counts``: how many units hold each word, pair and set. Exact integers that add."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from tealeaves.errors import EvidenceError
from tealeaves.evidence.request import Request
from tealeaves.evidence.terms import Term
from tealeaves.evidence.units import Unit
from tealeaves.text.fingerprint import Fingerprint

if TYPE_CHECKING:
    from tealeaves.arrays import Integers


class Totals(msgspec.Struct, frozen=True):
    """Sizes of what was read.

    ``units`` is the denominator of all probabilities. Of the ``documents``, the ``empty`` ones
    had no token and the ``dropped`` ones too few (``min_tokens``).
    """

    units: int = 0
    tokens: int = 0
    documents: int = 0
    empty: int = 0
    dropped: int = 0

    def __add__(self, other: Totals) -> Totals:
        mine, theirs = msgspec.structs.astuple(self), msgspec.structs.astuple(other)
        return Totals(*(a + b for a, b in zip(mine, theirs, strict=True)))


class PipelineStamp(msgspec.Struct, frozen=True, omit_defaults=True):
    """A token pipeline as it was used: how to make it again, and what made its tokens.

    ``unit`` is what texts were joined into before, such as ``chapter``.
    """

    expression: str
    signature: str
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.unit} {self.signature}" if self.unit else self.signature


@dataclass(frozen=True, eq=False, repr=False)
class Counts:
    """How many units hold each asked term, pair of terms and larger set.

    ``Counts`` of other texts add with ``+``; more words of the same text join with ``|``.
    Something that was not asked for is an error, never a zero.

    ``pairs`` holds two term positions a row, the smaller first, rows sorted; ``sets`` term
    positions in ascending order. ``pipelines`` maps each language to the pipeline of its texts.
    """

    unit: Unit
    pipelines: Mapping[str, PipelineStamp]
    fingerprint: Fingerprint
    totals: Totals
    terms: tuple[Term, ...]
    singles: Integers
    pairs: Integers
    pair_counts: Integers
    sets: tuple[tuple[int, ...], ...]
    set_counts: Integers

    def __repr__(self) -> str:
        return (
            f"Counts({len(self.terms)} terms, {len(self.pairs)} pairs, {len(self.sets)} sets in "
            f"{self.totals.units} units: {self.unit})"
        )

    @classmethod
    def of(
        cls,
        singles: Mapping[str, int],
        pairs: Mapping[tuple[str, str], int],
        units: int,
        *,
        unit: Unit | None = None,
    ) -> Counts:
        """Make counts of numbers that somebody else counted, such as those of a paper.

        >>> import tealeaves
        >>> counts = Counts.of({"canção": 4, "exílio": 7}, {("canção", "exílio"): 4}, units=684)
        >>> topic = [["canção", "exílio"]]
        >>> scores = tealeaves.score(topic, None, "pmi(base=2) npmi", counts=counts)
        >>> [round(row.value, 3) for row in scores.models]
        [6.61, 0.891]
        """
        from tealeaves.evidence.layout import filled

        return filled(unit or Unit(), singles, pairs, units)

    # ------------------------------------------------------------------ looking up

    @cached_property
    def positions(self) -> Mapping[Term, int]:
        """Where each term stands in ``terms``."""
        return {term: position for position, term in enumerate(self.terms)}

    @cached_property
    def pair_keys(self) -> Integers:
        """One number for each pair, ascending."""
        return self.pairs[:, 0] * len(self.terms) + self.pairs[:, 1]

    @cached_property
    def set_positions(self) -> Mapping[tuple[int, ...], int]:
        """Where each set stands in ``sets``."""
        return {members: number for number, members in enumerate(self.sets)}

    def single(self, term: Term) -> int:
        """Return the number of units that hold the term."""
        return int(self.singles[self.position(term)])

    def pair(self, left: Term, right: Term) -> int:
        """Return the number of units that hold both terms."""
        one, other = (np.array([self.position(term)]) for term in (left, right))
        return int(self.together(one, other)[0])

    def position(self, term: Term) -> int:
        """Return where a term stands in ``terms``; one that was not asked for is an error."""
        if term not in self.positions:
            raise EvidenceError(f"the word {str(term)!r} was not counted in {self.unit}")
        return self.positions[term]

    def together(self, left: Integers, right: Integers) -> Integers:
        """Count pairs given by arrays of term positions; a term is together with itself."""
        keys = np.minimum(left, right) * len(self.terms) + np.maximum(left, right)
        found = np.zeros(keys.shape, dtype=np.int64)
        same = left == right
        found[same] = self.singles[left[same]]
        asked = keys[~same]
        places = np.searchsorted(self.pair_keys, asked)
        places[places == len(self.pair_keys)] = 0
        known = (self.pair_keys[places] == asked) if len(self.pair_keys) else asked < 0
        if not known.all():
            a, b = divmod(int(asked[~known][0]), len(self.terms))
            names = f"{str(self.terms[a])!r} and {str(self.terms[b])!r}"
            raise EvidenceError(f"the words {names} were not counted together in {self.unit}")
        found[~same] = self.pair_counts[places]
        return found

    def all_together(self, members: tuple[int, ...]) -> int:
        """Count a set given by distinct term positions, of any size."""
        if len(members) == 1:
            return int(self.singles[members[0]])
        if len(members) == 2:
            return int(self.together(np.array(members[:1]), np.array(members[1:]))[0])
        number = self.set_positions.get(tuple(sorted(members)))
        if number is None:
            names = ", ".join(str(self.terms[member]) for member in members)
            raise EvidenceError(f"the words {names} were not counted together in {self.unit}")
        return int(self.set_counts[number])

    @property
    def provenance(self) -> str:
        """What was counted, and how it was read: the tokens and the texts, for signatures."""
        tokens = "+".join(
            f"{language}:{stamp}" if language else str(stamp)
            for language, stamp in sorted(self.pipelines.items())
        )
        return f"tokens={tokens}|texts={self.fingerprint}"

    @property
    def request(self) -> Request:
        """What these counts were asked for."""
        return Request(
            self.unit,
            frozenset(self.terms),
            frozenset((self.terms[a], self.terms[b]) for a, b in self.pairs.tolist()),
            frozenset(tuple(self.terms[m] for m in members) for members in self.sets),
        )

    # ------------------------------------------------------------------ adding and joining

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        return (
            self._same_frame(other)
            and self.fingerprint == other.fingerprint
            and self.totals == other.totals
            and np.array_equal(self.singles, other.singles)
            and np.array_equal(self.pair_counts, other.pair_counts)
            and np.array_equal(self.set_counts, other.set_counts)
        )

    __hash__ = None  # type: ignore[assignment]

    def _same_frame(self, other: Counts) -> bool:
        """Tell whether unit, pipelines and everything asked for are the same."""
        return (
            self.unit == other.unit
            and dict(self.pipelines) == dict(other.pipelines)
            and self.terms == other.terms
            and np.array_equal(self.pairs, other.pairs)
            and self.sets == other.sets
        )

    def __add__(self, other: Counts) -> Counts:
        """Add the counts of other texts; texts in both are an error."""
        self._check_unit_and_pipeline(other)
        if not self._same_frame(other):
            raise EvidenceError("counts of different words cannot be added: count the same words")
        return replace(
            self,
            fingerprint=self.fingerprint + other.fingerprint,
            totals=self.totals + other.totals,
            singles=self.singles + other.singles,
            pair_counts=self.pair_counts + other.pair_counts,
            set_counts=self.set_counts + other.set_counts,
        )

    def __or__(self, other: Counts) -> Counts:
        """Join the counts of more words in the same texts."""
        from tealeaves.evidence.layout import joined

        self._check_unit_and_pipeline(other)
        if self.fingerprint != other.fingerprint or self.totals != other.totals:
            raise EvidenceError("counts of different texts cannot be joined: add them with +")
        return joined(self, other)

    def _check_unit_and_pipeline(self, other: Counts) -> None:
        if self.unit != other.unit:
            raise EvidenceError(f"counts of {self.unit} and of {other.unit} do not go together")
        if dict(self.pipelines) != dict(other.pipelines):
            mine, theirs = (
                "; ".join(map(str, counts.pipelines.values())) for counts in (self, other)
            )
            units = [{one.unit for one in c.pipelines.values()} for c in (self, other)]
            if units[0] != units[1]:
                named = [", ".join(one or "documents as read" for one in sorted(u)) for u in units]
                raise EvidenceError(f"counts of {named[0]} and of {named[1]} do not go together")
            raise EvidenceError(
                f"different token pipelines do not go together: {mine} and {theirs}"
            )

    # ------------------------------------------------------------------ files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write one file, whole or not at all."""
        from tealeaves.evidence.storage import save_counts

        save_counts([self], path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Counts:
        """Read a file that holds the counts of one unit."""
        from tealeaves.evidence.storage import load_counts

        found = load_counts(path)
        if len(found) != 1:
            units = ", ".join(str(counts.unit) for counts in found)
            raise EvidenceError(f"{path} holds several units ({units}): use tealeaves.load_counts")
        return found[0]
