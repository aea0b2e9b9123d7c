"""Grow-diag-final-and, as a loop over the links of either direction.

``linked`` has, for each target place, the passage, counted from 1, in which it last got a link, so
that it does not have to be cleared for each passage.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.kernels import kernel

if TYPE_CHECKING:
    from tealeaves.kernels import F32, I64, U8
    from tealeaves.lexicon.alignment.symmetrization import Either


def count_links(token: int, starts: I64, grown: U8) -> int:
    """Return how many links a source token has so far."""
    count = 0
    for k in range(starts[token], starts[token + 1]):
        count += grown[k]
    return count


def count_beside(first: int, last: int, place: int, either: Either, grown: U8) -> int:
    """Return how many links of these source tokens lead to a place or to its neighbours."""
    count = 0
    for k in range(either.starts[first], either.starts[last + 1]):
        if -1 <= either.places[k] - place <= 1:
            count += grown[k]
    return count


def grow_once(begin: int, end: int, mark: int, either: Either, linked: I64, grown: U8) -> int:
    """Add links next to others if one of the words has none yet; return how many."""
    added = 0
    for token in range(begin, end):
        for k in range(either.starts[token], either.starts[token + 1]):
            place = either.places[k]
            taken = linked[place] == mark and count_links(token, either.starts, grown) > 0
            if grown[k] == 0 and not taken:
                first, last = max(token - 1, begin), min(token + 1, end - 1)
                if count_beside(first, last, place, either, grown) > 0:
                    grown[k] = 1
                    linked[place] = mark
                    added += 1
    return added


def add_final(
    begin: int, end: int, mark: int, either: Either, direction: F32, linked: I64, grown: U8
) -> None:
    """Add links of one direction if both words have none."""
    for token in range(begin, end):
        for k in range(either.starts[token], either.starts[token + 1]):
            place = either.places[k]
            alone = linked[place] != mark and count_links(token, either.starts, grown) == 0
            if direction[k] > 0 and alone:
                grown[k] = 1
                linked[place] = mark


@kernel
def grow_diag_final_and(passages: I64, either: Either, linked: I64, grown: U8) -> None:
    """Write 1 for each link that is kept; ``linked`` and ``grown`` are 0 before.

    ``passages`` is where the source tokens of each passage begin.
    """
    for row in range(len(passages) - 1):
        begin, end, mark = passages[row], passages[row + 1], row + 1
        for k in range(either.starts[begin], either.starts[end]):
            if either.forward[k] > 0 and either.backward[k] > 0:
                grown[k] = 1
                linked[either.places[k]] = mark
        while grow_once(begin, end, mark, either, linked, grown) > 0:
            pass
        add_final(begin, end, mark, either, either.forward, linked, grown)
        add_final(begin, end, mark, either, either.backward, linked, grown)
