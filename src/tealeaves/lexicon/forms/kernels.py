"""Kernels: how similar words are, groups of similar words, changes from form to form.

The change between two forms is what is left of either without the letters that they share at the
beginning and at the end: si and den of käsi and käden, a and u of anapenda and unapenda. It has a
number, the same whichever form comes first, which depends on the end of the word that it is at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tealeaves.kernels import Arguments, kernel

if TYPE_CHECKING:
    from tealeaves.kernels import F64, I32, I64

_BASIS, _PRIME = 1469598103934665603, 1099511628211  # of the hash FNV-1a


@dataclass(frozen=True, eq=False)
class Spelling(Arguments):
    """The letters of all words, and where those of each word begin."""

    starts: I64
    letters: I32

    def length(self, word: int) -> int:
        """Return how many letters a word has."""
        return int(self.starts[word + 1] - self.starts[word])


# ---------------------------------------------------------------------- groups


def edit_distance(a: int, b: int, words: Spelling, costs: I32) -> int:
    """Return how many letters must be inserted, deleted or changed (Levenshtein 1966)."""
    one, end, other = words.starts[a], words.starts[a + 1], words.starts[b]
    size = words.length(b)
    for k in range(size + 1):
        costs[k] = k
    for i in range(one, end):
        diagonal = costs[0]
        costs[0] = i - one + 1
        for k in range(1, size + 1):
            above = costs[k]
            change = diagonal + (1 if words.letters[i] != words.letters[other + k - 1] else 0)
            costs[k] = min(change, above + 1, costs[k - 1] + 1)
            diagonal = above
    return int(costs[size])


@kernel
def compare_words(columns: int, words: Spelling, costs: I32, alike: F64) -> None:
    """Write how similar each word is to each of the first ``columns`` words, row by row.

    That is the share of the longer of both that need not be changed.
    """
    for a in range(len(words.starts) - 1):
        for b in range(columns):
            longer = max(words.length(a), words.length(b), 1)
            alike[a * columns + b] = 1.0 - edit_distance(a, b, words, costs) / longer


@dataclass(frozen=True, eq=False)
class GroupTables(Arguments):
    """Groups of words, as they are joined.

    ``groups`` are the numbers of groups, at first one for each word; ``sizes`` are their weights,
    ``nearest`` the most similar group of each. ``means``, ``closest`` and ``alike`` are the
    similarities of groups, row by row: of their words on average, of the two most similar words,
    and of both together. At first all three are the similarities of words.
    """

    means: F64
    closest: F64
    alike: F64
    sizes: F64
    nearest: I64
    groups: I64


def find_nearest(row: int, sizes: F64, alike: F64) -> int:
    """Return the group most similar to a group, the first of equals; -1 if it is the only one."""
    best, count = -1, len(sizes)
    for other in range(count):
        if other == row or sizes[other] == 0:
            continue
        if best < 0 or alike[row * count + other] > alike[row * count + best]:
            best = other
    return best


def find_closest(tables: GroupTables) -> int:
    """Return the group that is most similar to its nearest one; -1 if there is only one group."""
    best, count = -1, len(tables.sizes)
    alike, nearest = tables.alike, tables.nearest
    for row in range(count):
        if tables.sizes[row] == 0 or nearest[row] < 0:
            continue
        if best < 0 or alike[row * count + nearest[row]] > alike[best * count + nearest[best]]:
            best = row
    return best


def join_groups(kept: int, gone: int, near: float, tables: GroupTables) -> None:
    """Join two groups, and write how similar the new one is to others."""
    sizes, means, closest = tables.sizes, tables.means, tables.closest
    count, total = len(sizes), sizes[kept] + sizes[gone]
    for other in range(count):
        one, two, back = kept * count + other, gone * count + other, other * count + kept
        means[one] = means[back] = (sizes[kept] * means[one] + sizes[gone] * means[two]) / total
        closest[one] = closest[back] = max(closest[one], closest[two])
        alike = (1.0 - near) * means[one] + near * closest[one]
        tables.alike[one] = tables.alike[back] = alike
        if tables.groups[other] == gone:
            tables.groups[other] = kept
    sizes[kept], sizes[gone] = total, 0.0


@kernel
def link_groups(least_alike: float, near: float, tables: GroupTables) -> None:
    """Join the two most similar groups, until no two are similar by ``least_alike`` or more.

    The similarity of groups is the mean of that of their words, and, with the weight ``near``, that
    of the two most similar words.
    """
    sizes, alike, nearest, count = tables.sizes, tables.alike, tables.nearest, len(tables.sizes)
    for row in range(count):
        nearest[row] = find_nearest(row, sizes, alike)
    while True:
        best = find_closest(tables)
        if best < 0 or alike[best * count + nearest[best]] < least_alike:
            return
        kept, gone = min(best, nearest[best]), max(best, nearest[best])
        join_groups(kept, gone, near, tables)
        for row in range(count):
            if sizes[row] == 0:
                continue
            if row == kept or nearest[row] == kept or nearest[row] == gone:
                nearest[row] = find_nearest(row, sizes, alike)
            elif alike[row * count + kept] > alike[row * count + nearest[row]]:
                nearest[row] = kept


# ---------------------------------------------------------------------- changes


def wrapped(number: int) -> int:
    """Return a number as 64 bits with a sign hold it.

    >>> wrapped(2**63), wrapped(-1)
    (-9223372036854775808, -1)
    """
    return (number + 2**63) % 2**64 - 2**63


def hash_letters(begin: int, end: int, letters: I32) -> int:
    """Return a number for some letters; products wrap around."""
    number = _BASIS
    for k in range(begin, end):
        number = wrapped((number ^ int(letters[k])) * _PRIME)
    return number


def count_first(a: int, b: int, words: Spelling) -> int:
    """Return how many letters two words share at the beginning."""
    shared, letters = 0, words.letters
    one, other = words.starts[a], words.starts[b]
    most = min(words.length(a), words.length(b))
    while shared < most and letters[one + shared] == letters[other + shared]:
        shared += 1
    return shared


def count_last(a: int, b: int, first: int, words: Spelling) -> int:
    """Return how many letters two words share at the end, after the ``first`` at the beginning."""
    shared, letters = 0, words.letters
    one, other = words.starts[a + 1] - 1, words.starts[b + 1] - 1
    most = min(words.length(a), words.length(b)) - first
    while shared < most and letters[one - shared] == letters[other - shared]:
        shared += 1
    return shared


def number_change(a: int, b: int, least_shared: float, words: Spelling) -> int:
    """Return the number of the change between two words; 0 if they share less than a part."""
    first = count_first(a, b, words)
    last = count_last(a, b, first, words)
    if first + last < least_shared * max(words.length(a), words.length(b)):
        return 0
    starts, letters = words.starts, words.letters
    one = hash_letters(starts[a] + first, starts[a + 1] - last, letters)
    other = hash_letters(starts[b] + first, starts[b + 1] - last, letters)
    ends = (1 if first == 0 else 0) + (2 if last == 0 else 0)
    return wrapped((min(one, other) * 31 + max(one, other)) * 4 + ends)


@kernel
def collect_changes(
    least_shared: float, group_starts: I64, members: I64, words: Spelling, changes: I64
) -> int:
    """Write the changes between each two words of each group; return how many there are.

    Changes for which ``changes`` has no space are counted but not written.
    """
    count = 0
    for group in range(len(group_starts) - 1):
        for x in range(group_starts[group], group_starts[group + 1]):
            for y in range(group_starts[group], x):
                change = number_change(members[x], members[y], least_shared, words)
                if change != 0:
                    if count < len(changes):
                        changes[count] = change
                    count += 1
    return count


@kernel
def number_changes(columns: int, least_shared: float, words: Spelling, changes: I64) -> None:
    """Write the change between each word and each of the first ``columns`` words, row by row."""
    for a in range(len(words.starts) - 1):
        for b in range(columns):
            changes[a * columns + b] = number_change(a, b, least_shared, words)
