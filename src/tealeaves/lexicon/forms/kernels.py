"""Compiled loops: how similar words are, groups of similar words, changes from form to form.

The change between two forms is what is left of either without the letters that they share at the
beginning and at the end: si and den of käsi and käden, a and u of anapenda and unapenda. It has a
number, the same whichever form comes first, which depends on the end of the word that it is at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.compiling.kernel import called, compiled

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64, I32, I64

_BASIS, _PRIME = 1469598103934665603, 1099511628211  # of the hash FNV-1a


# ---------------------------------------------------------------------- groups


@called
def edit_distance(one: int, end: int, other: int, stop: int, letters: I32, costs: I32) -> int:
    """Return how many letters must be inserted, deleted or changed (Levenshtein 1966)."""
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
    """Return the share of the longer of two words that need not be changed."""
    longer = max(starts[a + 1] - starts[a], starts[b + 1] - starts[b], 1)
    edits = edit_distance(starts[a], starts[a + 1], starts[b], starts[b + 1], letters, costs)
    return float(1.0 - edits / longer)


@compiled
def compare_words(columns: int, starts: I64, letters: I32, costs: I32, alike: F64) -> None:
    """Write how similar each word is to each of the first ``columns`` words, row by row."""
    for a in range(len(starts) - 1):
        for b in range(columns):
            alike[a * columns + b] = compare_two(a, b, starts, letters, costs)


@called
def find_nearest(row: int, count: int, sizes: F64, alike: F64) -> int:
    """Return the group most similar to a group, the first of equals; -1 if it is the only one."""
    best = -1
    for other in range(count):
        if other == row or sizes[other] == 0:
            continue
        if best < 0 or alike[row * count + other] > alike[row * count + best]:
            best = other
    return best


@called
def find_closest(count: int, sizes: F64, nearest: I64, alike: F64) -> int:
    """Return the group that is most similar to its nearest one; -1 if there is only one group."""
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
    """Join two groups, and write how similar the new one is to others."""
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
    """Join the two most similar groups, until no two have at least the similarity ``least``.

    The similarity of groups is the mean of that of their words, and, with the weight ``near``, that
    of the two most similar words. ``groups`` are the numbers of groups, at first one for each word;
    ``sizes`` are their weights. ``means``, ``closest`` and ``alike`` are at first all three the
    similarities of words, and are overwritten.
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


# ---------------------------------------------------------------------- changes


@called
def hash_letters(begin: int, end: int, letters: I32) -> int:
    """Return a number for some letters; products wrap around."""
    number = _BASIS
    for k in range(begin, end):
        number = (number ^ letters[k]) * _PRIME
    return number


@called
def count_first(a: int, b: int, starts: I64, letters: I32) -> int:
    """Return how many letters two words share at the beginning."""
    shared = 0
    most = min(starts[a + 1] - starts[a], starts[b + 1] - starts[b])
    while shared < most and letters[starts[a] + shared] == letters[starts[b] + shared]:
        shared += 1
    return shared


@called
def count_last(a: int, b: int, first: int, starts: I64, letters: I32) -> int:
    """Return how many letters two words share at the end, after the ``first`` at the beginning."""
    shared = 0
    most = min(starts[a + 1] - starts[a], starts[b + 1] - starts[b]) - first
    one, other = starts[a + 1] - 1, starts[b + 1] - 1
    while shared < most and letters[one - shared] == letters[other - shared]:
        shared += 1
    return shared


@called
def number_change(a: int, b: int, least: float, starts: I64, letters: I32) -> int:
    """Return the number of the change between two words; 0 if they share less than ``least``."""
    first = count_first(a, b, starts, letters)
    last = count_last(a, b, first, starts, letters)
    longer = max(starts[a + 1] - starts[a], starts[b + 1] - starts[b])
    if first + last < least * longer:
        return 0
    one = hash_letters(starts[a] + first, starts[a + 1] - last, letters)
    other = hash_letters(starts[b] + first, starts[b + 1] - last, letters)
    ends = (1 if first == 0 else 0) + (2 if last == 0 else 0)
    return (min(one, other) * 31 + max(one, other)) * 4 + ends


@compiled
def collect_changes(
    least: float, group_starts: I64, members: I64, starts: I64, letters: I32, changes: I64
) -> int:
    """Write the changes between each two words of each group; return how many there are.

    Changes for which ``changes`` has no space are counted but not written.
    """
    count = 0
    for group in range(len(group_starts) - 1):
        for x in range(group_starts[group], group_starts[group + 1]):
            for y in range(group_starts[group], x):
                change = number_change(members[x], members[y], least, starts, letters)
                if change != 0:
                    if count < len(changes):
                        changes[count] = change
                    count += 1
    return count


@compiled
def number_changes(columns: int, least: float, starts: I64, letters: I32, changes: I64) -> None:
    """Write the change between each word and each of the first ``columns`` words, row by row."""
    for a in range(len(starts) - 1):
        for b in range(columns):
            changes[a * columns + b] = number_change(a, b, least, starts, letters)
