"""Requests: what metrics want counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from tealeaves.evidence.terms import Term
from tealeaves.evidence.units import Unit

Pair = tuple[Term, Term]
TermSet = tuple[Term, ...]
T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    """Terms, pairs and larger sets to be counted in one kind of unit; requests join with ``|``.

    Pairs and sets are written in sorted order, so that each is one key.
    """

    unit: Unit
    terms: frozenset[Term] = frozenset()
    pairs: frozenset[Pair] = frozenset()
    sets: frozenset[TermSet] = frozenset()

    @classmethod
    def of(
        cls,
        unit: Unit,
        topics: Iterable[Iterable[Term]],
        sets: Iterable[Iterable[Term]] = (),
    ) -> Request:
        """Ask for the terms of some topics, each topic's pairs, and sets beside them.

        >>> a, b = Term(("a",)), Term(("b",))
        >>> sorted(Request.of(Unit(), [[b, a]]).pairs) == [(a, b)]
        True
        """
        terms: set[Term] = set()
        pairs: set[Pair] = set()
        larger: set[TermSet] = set()
        for topic in topics:
            ordered = sorted(set(topic))
            terms.update(ordered)
            pairs.update(combinations(ordered, 2))
        for members in sets:
            key = tuple(sorted(set(members)))
            terms.update(key)
            if len(key) == 2:
                pairs.add((key[0], key[1]))
            elif len(key) > 2:
                larger.add(key)
        return cls(unit, frozenset(terms), frozenset(pairs), frozenset(larger))

    def __or__(self, other: Request) -> Request:
        if self.unit != other.unit:
            raise ValueError(f"requests for {self.unit} and {other.unit} cannot be joined")
        return Request(
            self.unit,
            _union(self.terms, other.terms),
            _union(self.pairs, other.pairs),
            _union(self.sets, other.sets),
        )


def _union(one: frozenset[T], other: frozenset[T]) -> frozenset[T]:
    """Join sets; one that is the same, or empty, makes no copy of the other.

    So metrics that ask for the same words keep asking with the same sets, which is noticed.
    """
    if one is other or not other:
        return one
    return one | other if one else other


def join_requests(requests: Iterable[Request]) -> list[Request]:
    """Make one request of all that ask for the same unit."""
    joined: dict[Unit, Request] = {}
    for request in requests:
        known = joined.get(request.unit)
        joined[request.unit] = known | request if known else request
    return [joined[unit] for unit in sorted(joined, key=repr)]
