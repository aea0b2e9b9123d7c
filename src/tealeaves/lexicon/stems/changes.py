"""Changes from one form to another, as compiled loops.

What two forms share at the beginning and at the end is put away; what is left of either is the
change between them: si and den of käsi and käden, a and u of anapenda and unapenda. It has a
number, the same whichever form comes first, that tells at which end it stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.compiling.kernel import called, compiled

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64

_BASIS, _PRIME = 1469598103934665603, 1099511628211  # of the hash FNV-1a


@called
def hash_letters(begin: int, end: int, letters: I32) -> int:
    """Return a number for some letters; products wrap around."""
    found = _BASIS
    for k in range(begin, end):
        found = (found ^ letters[k]) * _PRIME
    return found


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
    """Return how many letters two words share at the end, but for those shared at the beginning."""
    shared = 0
    most = min(starts[a + 1] - starts[a], starts[b + 1] - starts[b]) - first
    one, other = starts[a + 1] - 1, starts[b + 1] - 1
    while shared < most and letters[one - shared] == letters[other - shared]:
        shared += 1
    return shared


@called
def number_change(a: int, b: int, least: float, starts: I64, letters: I32) -> int:
    """Return the number of the change between two words; 0 if they share less than a share."""
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
    least: float, group_starts: I64, members: I64, starts: I64, letters: I32, found: I64
) -> int:
    """Write the changes between each two words of each group; return how many there are.

    So many may be more than there is room for: then none of those after is written.
    """
    count = 0
    for group in range(len(group_starts) - 1):
        for x in range(group_starts[group], group_starts[group + 1]):
            for y in range(group_starts[group], x):
                change = number_change(members[x], members[y], least, starts, letters)
                if change != 0:
                    if count < len(found):
                        found[count] = change
                    count += 1
    return count


@compiled
def number_changes(columns: int, least: float, starts: I64, letters: I32, found: I64) -> None:
    """Write the change between each word and each of the first, so many of them; row by row."""
    for a in range(len(starts) - 1):
        for b in range(columns):
            found[a * columns + b] = number_change(a, b, least, starts, letters)
