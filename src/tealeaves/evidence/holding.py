"""Holding: whether evidence at hand was gathered for all that a request asks for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.evidence.counts import Counts
from tealeaves.evidence.request import Pair, Request
from tealeaves.evidence.terms import Term

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.evidence.embeddings.embeddings import WordVectors
    from tealeaves.evidence.relevance.relevance import Relevance
    from tealeaves.evidence.relevance.request import RelevanceRequest


def counts_hold(counts: Counts, request: Request) -> bool:
    """Tell whether the terms, pairs and sets of a request were counted in its unit.

    >>> from tealeaves.evidence.units import Unit
    >>> a, b, c = Term(("a",)), Term(("b",)), Term(("c",))
    >>> counts = Counts.of({"a": 2, "b": 3, "c": 1}, {("a", "b"): 1}, units=5)
    >>> [counts_hold(counts, Request.of(Unit(), [pair])) for pair in ([b, a], [b, c])]
    [True, False]
    """
    place = counts.positions
    if counts.unit != request.unit or not all(term in place for term in request.terms):
        return False
    keys = _pair_keys(request.pairs, place)
    if keys is None or not _all_among(keys, counts.pair_keys):
        return False
    larger = (tuple(sorted(place.get(term, -1) for term in one)) for one in request.sets)
    return all(members in counts.set_positions for members in larger)


def relevance_holds(relevance: Relevance, request: RelevanceRequest) -> bool:
    """Tell whether relevance was gathered for the terms and pairs of a request."""
    if request.improved and not relevance.stamp.improved:
        return False
    place = relevance.positions
    if not all(term in place for term in request.terms):
        return False
    if request.pairs is None:
        return relevance.asked is None
    keys = _pair_keys(request.pairs, place)
    return keys is not None and bool(relevance.frame.asked_keys(keys).all())


def vectors_hold(vectors: WordVectors | None, words: Collection[str]) -> bool:
    """Tell whether vectors were asked for with all these words."""
    return vectors is not None and all(word in vectors.numbers for word in words)


def _all_among(keys: NDArray[np.int64], ordered: NDArray[np.int64]) -> bool:
    """Tell whether all keys are among those that are ordered."""
    if not len(ordered):
        return not len(keys)
    places = np.minimum(np.searchsorted(ordered, keys), len(ordered) - 1)
    return bool((ordered[places] == keys).all())


def _pair_keys(pairs: Collection[Pair], place: Mapping[Term, int]) -> NDArray[np.int64] | None:
    """Return the key of each pair, as counts and relevance have them; None if a term is unknown."""
    flat = (place.get(term, -1) for pair in pairs for term in pair)
    rows = np.fromiter(flat, np.int64, count=2 * len(pairs)).reshape(-1, 2)
    if (rows < 0).any():
        return None
    rows.sort(axis=1)
    return rows[:, 0] * len(place) + rows[:, 1]
