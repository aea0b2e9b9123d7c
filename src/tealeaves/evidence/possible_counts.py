"""Checks of counts that were not counted here: no text has numbers that contradict each other.

Counts of a paper and counts of a file are checked alike. A checksum only says that a file is as it
was written, not that its numbers can be.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from tealeaves.arrays import offsets
from tealeaves.errors import InputError

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Integers
    from tealeaves.evidence.counts import Counts

_MOST = 2**53  # from here on, fractions of counts are not exact
_PAIRS_AT_ONCE = 1 << 20  # this bounds the memory


def check_possible(counts: Counts) -> None:
    """Raise for counts that no texts have: wrong sizes, order, or numbers."""
    _check_sizes(counts)
    _check_totals(counts)
    _check_order(counts)
    _check_words(counts)
    for start in range(0, len(counts.pairs), _PAIRS_AT_ONCE):
        _check_pairs(counts, slice(start, start + _PAIRS_AT_ONCE))
    _check_sets(counts)
    counts.fingerprint.check()


def _check_sizes(counts: Counts) -> None:
    terms, pairs, sets = len(counts.terms), len(counts.pairs), len(counts.sets)
    expected = {
        "singles": (terms,),
        "pairs": (pairs, 2),
        "pair_counts": (pairs,),
        "set_counts": (sets,),
    }
    for name, shape in expected.items():
        array = getattr(counts, name)
        if array.shape != shape:
            raise InputError(f"{name} has the wrong size")


def _check_totals(counts: Counts) -> None:
    totals = counts.totals
    for name, number in msgspec.structs.asdict(totals).items():
        if not 0 <= number <= _MOST:
            raise InputError(f"the number of {name} must be between 0 and {_MOST}, not {number}")
    if not (totals.documents or totals.tokens):  # only the number of units is known
        return
    filled = totals.documents - totals.empty - totals.dropped
    if filled < 0:
        raise InputError("more documents are empty or dropped than there are")
    counted = filled + (totals.empty if counts.unit.rule == "gensim" else 0)
    least, most = {
        "document": (counted, counted),
        "link": (counted, counted),
        "window": (counted, counted - filled + totals.tokens),
        "context": (totals.tokens, totals.tokens),
    }[counts.unit.kind]
    if not least <= totals.units <= most or totals.tokens < filled:
        raise InputError(
            f"{totals.documents} documents of {totals.tokens} tokens cannot have {totals.units} "
            f"{counts.unit.plural}"
        )


def _check_order(counts: Counts) -> None:
    """Check that all names are known and in order, each once."""
    if any(one >= other for one, other in pairwise(counts.terms)):
        raise InputError("the words are not sorted, or one is there twice")
    pairs, terms = counts.pairs, len(counts.terms)
    if len(pairs) and not (pairs.min() >= 0 and pairs.max() < terms):
        raise InputError("a pair has a word that is not there")
    if not (pairs[:, 0] < pairs[:, 1]).all() or not (np.diff(counts.pair_keys) > 0).all():
        raise InputError("the pairs are not sorted, or one is there twice")
    for members in counts.sets:
        if not all(one < other for one, other in pairwise((-1, *members, terms))):
            raise InputError("a set has a word twice, or one that is not there")
    if any(one >= other for one, other in pairwise(counts.sets)):
        raise InputError("the sets are not sorted, or one is there twice")


def _check_words(counts: Counts) -> None:
    units = counts.totals.units
    wrong = _first((counts.singles < 0) | (counts.singles > units))
    if wrong is not None:
        raise InputError(
            f"the count of a word must be between 0 and all {units} units, but that of "
            f"{str(counts.terms[wrong])!r} is {counts.singles[wrong]}"
        )


def _check_pairs(counts: Counts, part: slice) -> None:
    numbers = counts.pair_counts[part]
    left, right = (counts.singles[counts.pairs[part, side]] for side in (0, 1))
    fewest = np.minimum(left, right)
    if counts.unit.kind == "context":
        # that many occurrences of a word can be near one of another, and each two but once
        near = 2 * ((counts.unit.size or 0) + max(len(term.tokens) for term in counts.terms))
        most = fewest.astype(np.float64) * np.minimum(np.maximum(left, right), near)
        least = np.zeros_like(fewest)
    else:
        most, least = fewest.astype(np.float64), left + right - counts.totals.units
    wrong = _first((numbers < 0) | (numbers > most))
    if wrong is not None:
        raise InputError(
            f"{_pair_name(counts, part, wrong)} is {numbers[wrong]}: it must be at least 0, and "
            "two words cannot occur together more often than one of them occurs"
        )
    wrong = _first(numbers < least)
    if wrong is not None:
        raise InputError(
            f"{_pair_name(counts, part, wrong)} is {numbers[wrong]}: words in {left[wrong]} and "
            f"{right[wrong]} of {counts.totals.units} units share at least {least[wrong]}"
        )


def _pair_name(counts: Counts, part: slice, place: int) -> str:
    one, other = (str(counts.terms[number]) for number in counts.pairs[part][place].tolist())
    return f"the count of the pair {one!r} and {other!r}"


def _check_sets(counts: Counts) -> None:
    if not counts.sets:
        return
    starts = offsets([len(members) for members in counts.sets])[:-1]
    singles = counts.singles[np.concatenate([np.array(members) for members in counts.sets])]
    fewest = np.minimum.reduceat(singles, starts)
    wrong = _first((counts.set_counts < 0) | (counts.set_counts > fewest))
    if wrong is not None:
        names = ", ".join(repr(str(counts.terms[member])) for member in counts.sets[wrong])
        raise InputError(
            f"the count of the set {names} is {counts.set_counts[wrong]}: it must be at least 0, "
            "and words cannot occur together more often than one of them occurs"
        )


def _first(wrong: Bools) -> int | None:
    """Return the first place that is marked; None if there is none."""
    places: Integers = np.flatnonzero(wrong)
    return int(places[0]) if len(places) else None
