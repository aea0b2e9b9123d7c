"""Requests: of which words and pairs of words a metric wants the relevance."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.evidence.request import Pair
from tealeaves.evidence.terms import Term

if TYPE_CHECKING:
    from tealeaves.arrays import Integers


@dataclass(frozen=True)
class RelevanceRequest:
    """Terms and unordered pairs of terms whose relevance is asked for; requests join with ``|``.

    A pair is written in sorted order, so that it is one key. None asks for all pairs of the terms.
    ``improved`` asks for Improved LRP too, which takes most of the time.
    """

    terms: frozenset[Term] = frozenset()
    pairs: frozenset[Pair] | None = frozenset()
    improved: bool = False

    @classmethod
    def of(cls, topics: Iterable[Iterable[Term]], *, improved: bool = False) -> RelevanceRequest:
        """Ask for the terms of some topics, and for each topic's pairs.

        >>> a, b = Term(("a",)), Term(("b",))
        >>> sorted(RelevanceRequest.of([[b, a]]).pairs) == [(a, b)]
        True
        """
        terms: set[Term] = set()
        pairs: set[Pair] = set()
        for topic in topics:
            ordered = sorted(set(topic))
            terms.update(ordered)
            pairs.update(combinations(ordered, 2))
        return cls(frozenset(terms), frozenset(pairs), improved)

    def __or__(self, other: RelevanceRequest) -> RelevanceRequest:
        if self is other or self == other:
            return self  # the same sets stay the same objects, which is noticed
        both = self.pairs is not None and other.pairs is not None
        pairs = self.pairs | other.pairs if both else None  # type: ignore[operator]
        return RelevanceRequest(self.terms | other.terms, pairs, self.improved or other.improved)

    def laid_out(self) -> tuple[tuple[Term, ...], Integers | None]:
        """Return the terms, sorted, and the pairs as positions of terms, sorted."""
        if self.pairs is None:
            return tuple(sorted(self.terms)), None
        terms = tuple(sorted(self.terms | {term for pair in self.pairs for term in pair}))
        place = {term: position for position, term in enumerate(terms)}
        flat = (place[term] for pair in self.pairs for term in pair)
        pairs = np.fromiter(flat, np.int64, count=2 * len(self.pairs)).reshape(-1, 2)
        pairs.sort(axis=1)
        return terms, pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
