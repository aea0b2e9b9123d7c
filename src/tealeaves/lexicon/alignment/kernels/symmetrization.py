"""Grow-diag-final-and, as a compiled loop over the links of either direction.

``linked`` has, for each target place, the passage, counted from 1, in which it last got a link, so
that it does not have to be cleared for each passage.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.compiling.kernel import called, compiled

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F32, I32, I64, U8


@called
def count_links(token: int, starts: I64, grown: U8) -> int:
    """Return how many links a source token has so far."""
    count = 0
    for k in range(starts[token], starts[token + 1]):
        count += grown[k]
    return count


@called
def count_beside(first: int, last: int, place: int, starts: I64, places: I32, grown: U8) -> int:
    """Return how many links of these source tokens lead to a place or to its neighbours."""
    count = 0
    for k in range(starts[first], starts[last + 1]):
        if -1 <= places[k] - place <= 1:
            count += grown[k]
    return count


@called
def grow_once(
    begin: int, end: int, mark: int, starts: I64, places: I32, linked: I64, grown: U8
) -> int:
    """Add links next to others if one of the words has none yet; return how many."""
    added = 0
    for token in range(begin, end):
        for k in range(starts[token], starts[token + 1]):
            place = places[k]
            taken = linked[place] == mark and count_links(token, starts, grown) > 0
            if grown[k] == 0 and not taken:
                first, last = max(token - 1, begin), min(token + 1, end - 1)
                if count_beside(first, last, place, starts, places, grown) > 0:
                    grown[k] = 1
                    linked[place] = mark
                    added += 1
    return added


@called
def add_final(
    begin: int,
    end: int,
    mark: int,
    starts: I64,
    places: I32,
    direction: F32,
    linked: I64,
    grown: U8,
) -> None:
    """Add links of one direction if both words have none."""
    for token in range(begin, end):
        for k in range(starts[token], starts[token + 1]):
            alone = linked[places[k]] != mark and count_links(token, starts, grown) == 0
            if direction[k] > 0 and alone:
                grown[k] = 1
                linked[places[k]] = mark


@compiled
def grow_diag_final_and(
    passages: I64,
    starts: I64,
    places: I32,
    forward: F32,
    backward: F32,
    linked: I64,
    grown: U8,
) -> None:
    """Write 1 for each link that is kept; ``linked`` and ``grown`` are 0 before."""
    for row in range(len(passages) - 1):
        begin, end, mark = passages[row], passages[row + 1], row + 1
        for k in range(starts[begin], starts[end]):
            if forward[k] > 0 and backward[k] > 0:
                grown[k] = 1
                linked[places[k]] = mark
        while grow_once(begin, end, mark, starts, places, linked, grown) > 0:
            pass
        add_final(begin, end, mark, starts, places, forward, linked, grown)
        add_final(begin, end, mark, starts, places, backward, linked, grown)
