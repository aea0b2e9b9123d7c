"""Strings of a seed as Conceptualizer finds them, and the way back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.lexicon.extraction.result import Extracted
from tealeaves.lexicon.markers.measures import chi_square
from tealeaves.lexicon.markers.spanning import EDGE, SpanIndex, bounded
from tealeaves.lexicon.words import Words

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64


@dataclass(frozen=True)
class FoundString:
    """A string, how many passages of the seed it covers, in how many others it is, its score."""

    text: str
    covered: int
    elsewhere: int
    score: float


def find_strings(
    index: SpanIndex, rows: I64, *, coverage: float = 0.85, rounds: int = 5
) -> list[FoundString]:
    """Find the strings that go with the passages of a seed, each row given once.

    The string with the highest χ² (with Yates's correction) is taken and the passages that it
    covers are put away, until so large a share is covered, after so many rounds, or when a string
    would cover but one passage more. Left out are strings in too few passages of the seed (fewer
    than a tenth of those left, where that is below 3), in more than 20 times as many others, in
    more than a tenth of all others, or in no more than by chance. Of equally good strings that
    contain each other the longest counts; of others the one most like those taken before, by edit
    distance, then the longest, then the first in the alphabet.

    >>> texts = [["käsi"], ["käden"], ["käsi"], ["jalka"]] + [["on"], ["ei"]] * 8
    >>> index = SpanIndex.of(Words.of(texts))
    >>> [(one.text, one.covered) for one in find_strings(index, np.array([0, 1, 2]))]
    [('$kä', 3)]
    """
    left, total = np.asarray(rows, np.int64), len(index.starts) - 1
    inside, everywhere = index.count(left).astype(np.int64), index.frequencies.astype(np.int64)
    outside = everywhere - inside
    found: list[FoundString] = []
    while len(left) and len(found) <= rounds and len(left) > (1 - coverage) * len(rows):
        least = min(max(1, len(left) // 10), 3)
        kept = np.flatnonzero(
            (inside >= least)
            & (outside // 20 <= inside)
            & (outside <= total // 10)
            & (inside * total > (inside + outside) * len(left))
        )
        if not len(kept):
            break
        both = inside[kept]
        scores = chi_square(both, both + outside[kept], len(left), total)
        # scores that only rounding tells apart are equal
        top = kept[scores >= scores.max() * (1 - 1e-12)]
        best = _best(index, top, found)
        if found and inside[best] <= 1:  # hardly a gain
            break
        found.append(
            FoundString(
                index.text(int(best)), int(inside[best]), int(outside[best]), float(scores.max())
            )
        )
        covered = index.among(int(best), left)
        inside = inside - index.count(left[covered])
        total -= int(covered.sum())
        left = left[~covered]
    return found


def _best(index: SpanIndex, top: I64, found: Sequence[FoundString]) -> int:
    """Return the best of equally good strings."""
    texts = {index.text(int(number)): int(number) for number in top}
    outer = [one for one in texts if not any(one in two for two in texts if one != two)]
    winner = min(
        outer,
        key=lambda text: (sum(edit_distance(text, one.text) for one in found), -len(text), text),
    )
    return texts[winner]


def edit_distance(one: str, other: str) -> int:
    """Return how many letters must be put in, taken out or changed, edges not counted.

    >>> edit_distance("$käsi", "käden")
    3
    """
    one, other = one.replace(EDGE, ""), other.replace(EDGE, "")
    before = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, there in enumerate(other, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != there)))
        before = row
    return before[-1]


def first_string(words: Words, rows: I32, strings: Sequence[str]) -> list[Extracted]:
    """Express each token by the first string that its passage has; by nothing if it has none."""
    passages, tokens = np.unique(rows, return_inverse=True)
    made = [_first_in(bounded(words.text(int(row))), strings) for row in passages]
    return [made[token] for token in tokens]


def _first_in(passage: str, strings: Sequence[str]) -> Extracted:
    for string in strings:
        if string in passage:
            return Extracted(frozenset([string]), tuple(sorted(_places(passage, string))))
    return Extracted()


def _places(passage: str, string: str) -> set[int]:
    """Return the places of the words that a string is, or is part of."""
    places: set[int] = set()
    at = passage.find(string)
    while at >= 0:
        inner = string.strip(EDGE)
        begin = at + string.index(inner)
        first = passage.count(EDGE, 0, begin) - 1
        places |= set(range(first, first + inner.count(EDGE) + 1))
        at = passage.find(string, at + 1)
    return places


def backward(
    source: SpanIndex, target: SpanIndex, strings: Sequence[str], **how: float
) -> list[FoundString]:
    """Find the strings of the source language that go with strings of the target language.

    It tells what else the strings of a seed express; nothing is extracted with it.
    """
    rows = [
        row
        for row in range(len(target.starts) - 1)
        if any(s in target.letters[target.starts[row] : target.starts[row + 1]] for s in strings)
    ]
    return find_strings(source, np.array(rows, np.int64), **how)  # type: ignore[arg-type]
