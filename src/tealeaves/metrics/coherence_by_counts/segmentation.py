"""Segmentation: which parts of a topic are compared with which.

A segment is a pair (W', W*) of tuples of ranks, the target and the condition: how far do the words
W* confirm the words W'?
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations, permutations
from typing import NamedTuple

from tealeaves.errors import InputError

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
    return [((word,), tuple(range(size))) for word in range(size)]


def _others(word: int, size: int) -> tuple[int, ...]:
    return tuple(other for other in range(size) if other != word)


class Segmentation(NamedTuple):
    """The segments of a topic with so many words, and how many segments these are."""

    segments: Callable[[int], list[Segment]]
    count: Callable[[int], int]


SEGMENTATIONS = {
    "one_one": Segmentation(_one_one, lambda n: n * (n - 1)),
    "one_pre": Segmentation(_one_pre, lambda n: n * (n - 1) // 2),
    "one_suc": Segmentation(_one_suc, lambda n: n * (n - 1) // 2),
    "one_all": Segmentation(_one_all, lambda n: n if n > 1 else 0),
    "one_any": Segmentation(_one_any, _count_any),
    "one_set": Segmentation(_one_set, lambda n: n),
}


def _segmentation(name: str, *, symmetric: bool) -> Segmentation:
    return SEGMENTATIONS["one_suc" if symmetric and name == "one_one" else name]
