"""Segmentation: which parts of a topic are compared with which.

A segment is a pair (W', W*) of tuples of ranks, the target and the condition: how far do the words
W* confirm the words W'?
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations, permutations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.errors import InputError

if TYPE_CHECKING:
    from tealeaves.arrays import Integers

Segment = tuple[tuple[int, ...], tuple[int, ...]]

SETS = ("one_all", "one_any")  # their W* has more than one word

_MOST_WORDS_FOR_ANY = 12
_MOST_TO_COUNT = 40


@cache
def segments(name: str, size: int, *, symmetric: bool = False) -> tuple[Segment, ...]:
    """Return the segments of a topic of ``size`` words.

    A symmetric confirmation measure gets each pair of words in one order only.

    >>> segments("one_pre", 3)
    (((1,), (0,)), ((2,), (0,)), ((2,), (1,)))
    """
    return tuple(_segmentation(name, symmetric=symmetric).segments(size))


def count_segments(name: str, size: int, *, symmetric: bool = False) -> int:
    """Return the number of segments, without making them.

    >>> count_segments("one_one", 10, symmetric=True)
    45
    """
    return _segmentation(name, symmetric=symmetric).count(size)


def pair_ranks(
    name: str, size: int, numbers: range, *, symmetric: bool = False
) -> tuple[Integers, Integers]:
    """Return the ranks of W' and of W* of some segments, if they all are pairs of words.

    They are the same as those of ``segments``, whose tuples take far more memory.

    >>> [ranks.tolist() for ranks in pair_ranks("one_pre", 3, range(1, 3))]
    [[2, 2], [0, 1]]
    """
    pairs = _segmentation(name, symmetric=symmetric).pairs
    if pairs is None:
        raise ValueError(f"the segments of {name} are no pairs")
    return pairs(np.arange(numbers.start, numbers.stop), size)


def _ordered_pairs(numbers: Integers, size: int) -> tuple[Integers, Integers]:
    one, other = np.divmod(numbers, max(1, size - 1))
    return one, other + (other >= one)


def _first_and_second(numbers: Integers, size: int) -> tuple[Integers, Integers]:
    one = np.arange(size)
    starts = one * (2 * size - one - 1) // 2
    first = np.searchsorted(starts, numbers, side="right") - 1
    return first, numbers - starts[first] + first + 1


def _second_and_first(numbers: Integers, size: int) -> tuple[Integers, Integers]:
    first, second = _first_and_second(numbers, size)
    return second, first


def _one_one(size: int) -> list[Segment]:
    """Each pair in both orders."""
    return [((a,), (b,)) for a, b in permutations(range(size), 2)]


def _one_pre(size: int) -> list[Segment]:
    """Each word given each word before it."""
    return [((b,), (a,)) for a, b in combinations(range(size), 2)]


def _one_suc(size: int) -> list[Segment]:
    """Each word given each word after it."""
    return [((a,), (b,)) for a, b in combinations(range(size), 2)]


def _one_all(size: int) -> list[Segment]:
    """Each word given all others together."""
    return [((word,), _others(word, size)) for word in range(size)] if size > 1 else []


def _one_any(size: int) -> list[Segment]:
    """Each word given each subset of the others."""
    if size > _MOST_WORDS_FOR_ANY:
        raise InputError(
            f"one_any takes at most {_MOST_WORDS_FOR_ANY} words per topic, not {size}, because it "
            f"compares with all subsets: use @{_MOST_WORDS_FOR_ANY} or fewer"
        )
    return [
        ((word,), subset)
        for word in range(size)
        for count in range(1, size)
        for subset in combinations(_others(word, size), count)
    ]


def _count_any(size: int) -> int:
    if size > _MOST_TO_COUNT:
        raise InputError(f"one_any@{size}: use at most @{_MOST_TO_COUNT}")
    return size * (2 ** (size - 1) - 1) if size else 0


def _one_set(size: int) -> list[Segment]:
    """Each word with the whole topic, itself included."""
    every = tuple(range(size))
    return [((word,), every) for word in every]


def _others(word: int, size: int) -> tuple[int, ...]:
    return tuple(other for other in range(size) if other != word)


class Segmentation(NamedTuple):
    """The segments of a topic with so many words, and how many segments these are.

    ``pairs`` returns the ranks of some segments by their numbers, if segments are pairs of words.
    """

    segments: Callable[[int], list[Segment]]
    count: Callable[[int], int]
    pairs: Callable[[Integers, int], tuple[Integers, Integers]] | None = None


SEGMENTATIONS = {
    "one_one": Segmentation(_one_one, lambda n: n * (n - 1), _ordered_pairs),
    "one_pre": Segmentation(_one_pre, lambda n: n * (n - 1) // 2, _second_and_first),
    "one_suc": Segmentation(_one_suc, lambda n: n * (n - 1) // 2, _first_and_second),
    "one_all": Segmentation(_one_all, lambda n: n if n > 1 else 0),
    "one_any": Segmentation(_one_any, _count_any),
    "one_set": Segmentation(_one_set, lambda n: n),
}


def _segmentation(name: str, *, symmetric: bool) -> Segmentation:
    return SEGMENTATIONS["one_suc" if symmetric and name == "one_one" else name]
