"""How alike words are, and groups of words that are alike, as compiled loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.compiling.kernel import called, compiled

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64, I32, I64


@called
def edit_distance(one: int, end: int, other: int, stop: int, letters: I32, costs: I32) -> int:
    """Return how many letters must be put in, left out or changed (Levenshtein 1966)."""
    for j in range(stop - other + 1):
        costs[j] = j
    for i in range(one, end):
        diagonal = costs[0]
        costs[0] = i - one + 1
        for j in range(other, stop):
            k = j - other + 1
            above = costs[k]
            change = diagonal + (1 if letters[i] != letters[j] else 0)
            costs[k] = min(change, above + 1, costs[k - 1] + 1)
            diagonal = above
    return int(costs[stop - other])


@called
def compare_two(a: int, b: int, starts: I64, letters: I32, costs: I32) -> float:
    """Return which share of the longer of two words need not be changed."""
    longer = max(starts[a + 1] - starts[a], starts[b + 1] - starts[b], 1)
    edits = edit_distance(starts[a], starts[a + 1], starts[b], starts[b + 1], letters, costs)
    return float(1.0 - edits / longer)


@compiled
def compare_words(columns: int, starts: I64, letters: I32, costs: I32, alike: F64) -> None:
    """Write how alike each word is to each of the first, so many of them; row by row."""
    for a in range(len(starts) - 1):
        for b in range(columns):
            alike[a * columns + b] = compare_two(a, b, starts, letters, costs)


@called
def find_nearest(row: int, count: int, sizes: F64, alike: F64) -> int:
    """Return the group that one is most alike to; the first of equal ones, -1 if it is alone."""
    best = -1
    for other in range(count):
        if other == row or sizes[other] == 0:
            continue
        if best < 0 or alike[row * count + other] > alike[row * count + best]:
            best = other
    return best


@called
def find_closest(count: int, sizes: F64, nearest: I64, alike: F64) -> int:
    """Return the group that is most alike to its nearest one; -1 if there is one group alone."""
    best = -1
    for row in range(count):
        if sizes[row] == 0 or nearest[row] < 0:
            continue
        if best < 0 or alike[row * count + nearest[row]] > alike[best * count + nearest[best]]:
            best = row
    return best


@called
def join_groups(
    kept: int, gone: int, near: float,
    sizes: F64, means: F64, closest: F64, alike: F64, groups: I64,
) -> None:  # fmt: skip
    """Make one of two groups, and write how alike it is to others."""
    count, total = len(sizes), sizes[kept] + sizes[gone]
    for other in range(count):
        one, two, back = kept * count + other, gone * count + other, other * count + kept
        means[one] = means[back] = (sizes[kept] * means[one] + sizes[gone] * means[two]) / total
        closest[one] = closest[back] = max(closest[one], closest[two])
        alike[one] = alike[back] = (1.0 - near) * means[one] + near * closest[one]
        if groups[other] == gone:
            groups[other] = kept
    sizes[kept], sizes[gone] = total, 0.0


@compiled
def link_groups(
    least: float, near: float,
    means: F64, closest: F64, alike: F64, sizes: F64, nearest: I64, groups: I64,
) -> None:  # fmt: skip
    """Join the two groups that are most alike, until none are at least so much.

    Groups are as alike as their words are on average, but for a share ``near``, which their two
    words have that are most alike. ``groups`` are the groups' numbers, each word its own before;
    ``sizes`` what each weighs. ``means``, ``closest`` and ``alike`` hold how alike words are
    before, all three the same, and are overwritten.
    """
    count = len(sizes)
    for row in range(count):
        nearest[row] = find_nearest(row, count, sizes, alike)
    while True:
        best = find_closest(count, sizes, nearest, alike)
        if best < 0 or alike[best * count + nearest[best]] < least:
            return
        kept, gone = min(best, nearest[best]), max(best, nearest[best])
        join_groups(kept, gone, near, sizes, means, closest, alike, groups)
        for row in range(count):
            if sizes[row] == 0:
                continue
            if row == kept or nearest[row] == kept or nearest[row] == gone:
                nearest[row] = find_nearest(row, count, sizes, alike)
            elif alike[row * count + kept] > alike[row * count + nearest[row]]:
                nearest[row] = kept
