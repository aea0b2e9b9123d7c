"""``Frame``: what all parts of one gathering of relevance share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from tealeaves.errors import EvidenceError
from tealeaves.evidence.relevance.heads import FixedHeads, HeadStatistics
from tealeaves.evidence.relevance.stamp import RelevanceStamp
from tealeaves.evidence.requests import Term

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Integers

_GATHER = "gather the relevance for these topics"


@dataclass(frozen=True, eq=False, repr=False)
class Frame:
    """The classifier and texts' reading, the words asked for, and the heads that were fixed.

    ``terms`` are sorted. ``asked`` has the unordered pairs, two term positions a row, the smaller
    first, rows sorted; None stands for all pairs of the terms. A pair has one number, its key:
    the first position times the number of terms, plus the second.
    """

    stamp: RelevanceStamp
    terms: tuple[Term, ...]
    asked: Integers | None
    sample: HeadStatistics
    fixed: FixedHeads

    def __repr__(self) -> str:
        pairs = "all" if self.asked is None else len(self.asked)
        return f"Frame({self.stamp.classifier}, {len(self.terms)} terms, {pairs} pairs)"

    @cached_property
    def positions(self) -> Mapping[Term, int]:
        """Where each term stands in ``terms``."""
        return {term: position for position, term in enumerate(self.terms)}

    @cached_property
    def pair_keys(self) -> Integers:
        """The keys of the asked pairs, ascending; none where all pairs are asked."""
        if self.asked is None:
            return np.zeros(0, dtype=np.int64)
        return self.asked[:, 0] * len(self.terms) + self.asked[:, 1]

    def numbers(self, terms: Iterable[Term]) -> Integers:
        """Return the positions of terms; one that was not asked for is an error."""
        found = []
        for term in terms:
            if term not in self.positions:
                raise EvidenceError(f"the word {str(term)!r} was not asked for: {_GATHER}")
            found.append(self.positions[term])
        return np.array(found, dtype=np.int64)

    def asked_keys(self, keys: Integers) -> Bools:
        """Tell which keys, in either order, are of pairs that were asked for."""
        left, right = np.divmod(np.asarray(keys, dtype=np.int64), max(len(self.terms), 1))
        if self.asked is None:
            return np.not_equal(left, right)
        unordered = np.minimum(left, right) * len(self.terms) + np.maximum(left, right)
        return contained(unordered, self.pair_keys)[1]

    def refuse_unasked(self, keys: Integers) -> None:
        """Refuse pairs of different words that were not asked for together."""
        wrong = ~self.asked_keys(keys)
        if wrong.any():
            left, right = divmod(int(keys[wrong][0]), len(self.terms))
            names = f"{str(self.terms[left])!r} and {str(self.terms[right])!r}"
            raise EvidenceError(f"the words {names} were not asked for together: {_GATHER}")

    # ------------------------------------------------------------------ comparing

    def same_words(self, other: Frame) -> bool:
        """Tell whether the same terms and pairs were asked for."""
        if self.asked is None or other.asked is None:
            return self.asked is other.asked and self.terms == other.terms
        return self.terms == other.terms and np.array_equal(self.pair_keys, other.pair_keys)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Frame):
            return NotImplemented
        return self is other or (
            self.stamp == other.stamp
            and self.same_words(other)
            and self.sample == other.sample
            and self.fixed == other.fixed
        )

    __hash__ = None  # type: ignore[assignment]

    def refuse_other(self, other: Frame) -> None:
        """Refuse a frame whose relevance does not add to that of this one."""
        if self is other:
            return
        if self.stamp != other.stamp:
            mine, theirs = msgspec.to_builtins(self.stamp), msgspec.to_builtins(other.stamp)
            field = next(name for name in mine if mine[name] != theirs[name])
            raise EvidenceError(
                f"relevance of different {field} cannot be added: {_said(mine[field])} and "
                f"{_said(theirs[field])}: gather both in the same way"
            )
        if not self.same_words(other):
            raise EvidenceError(
                "relevance of different words cannot be added: gather both for the same topics"
            )
        if self.fixed != other.fixed or self.sample != other.sample:
            raise EvidenceError(
                "the heads were fixed from different texts: gather the second with the heads of "
                "the first (--heads-of FILE)"
            )


def _said(value: object) -> str:
    return str(value["signature"]) if isinstance(value, dict) else str(value)


def contained(wanted: Integers, known: Integers) -> tuple[Integers, Bools]:
    """Return where each number stands in ascending ones, and whether it is there at all."""
    if not len(known):
        return np.zeros(wanted.shape, dtype=np.int64), np.zeros(wanted.shape, dtype=np.bool_)
    places = np.searchsorted(known, wanted)
    places[places == len(known)] = 0
    return places, known[places] == wanted
