"""Counts of sets of more than two terms, in windows and documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tealeaves.kernels import Arguments, kernel

if TYPE_CHECKING:
    from tealeaves.evidence.counting.kernels.events import TermEvents
    from tealeaves.kernels import I32, I64, U8


@dataclass(frozen=True)
class SetTable(Arguments):
    """The sets that are counted.

    The members of set s are ``member[member_start[s]:member_start[s + 1]]``; the sets of term t are
    ``sets_of_term[set_start[t]:set_start[t + 1]]``.
    """

    member_start: I64
    member: I64
    set_start: I64
    sets_of_term: I64


@dataclass(frozen=True)
class SetSums(Arguments):
    """Sums of sets: ``counts``. The others are work arrays.

    ``seen`` and ``is_member`` are 0 and ``last`` is -1 everywhere, before and after.
    """

    seen: I64
    last: I32
    is_member: U8
    complete: I64
    counts: I64


def complete_sets(term_of: I32, begin: int, end: int, table: SetTable, sums: SetSums) -> int:
    """List the sets whose members are all in a document; return their number."""
    found = 0
    for e in range(begin, end):
        term = term_of[e]
        if sums.last[term] == -1:
            sums.last[term] = 0
            for k in range(table.set_start[term], table.set_start[term + 1]):
                number = table.sets_of_term[k]
                sums.seen[number] += 1
                members = table.member_start[number + 1] - table.member_start[number]
                if sums.seen[number] == members:
                    sums.complete[found] = number
                    found += 1
    for e in range(begin, end):
        term = term_of[e]
        if sums.last[term] == 0:
            sums.last[term] = -1
            for k in range(table.set_start[term], table.set_start[term + 1]):
                sums.seen[table.sets_of_term[k]] = 0
    return found


def windows_with_all(
    number: int, events: TermEvents, document: int, width: int, top: int,
    table: SetTable, sums: SetSums,
) -> int:  # fmt: skip
    """Return the number of windows that contain all members of a set.

    The last of these windows begins where the earliest of the members' last events starts.
    """
    members = table.member[table.member_start[number] : table.member_start[number + 1]]
    for member in members:
        sums.is_member[member] = 1
    total, covered = 0, -1
    for e in range(events.bounds[document], events.bounds[document + 1]):
        term, reach = events.term[e], events.end[e] - width + 1
        if not sums.is_member[term] or events.start[e] < reach:
            continue
        sums.last[term] = events.start[e]
        high = min(top, *(sums.last[member] for member in members))
        low = max(reach, covered + 1, 0)
        if high >= low:
            total += high - low + 1
        covered = max(covered, high)
    for member in members:
        sums.is_member[member] = 0
        sums.last[member] = -1
    return total


@kernel
def count_sets(events: TermEvents, lengths: I64, size: int, table: SetTable, sums: SetSums) -> None:
    """Add the windows that contain all members of each set; size 0 stands for whole documents."""
    for document in range(len(lengths)):
        length = lengths[document]
        width = length if size == 0 or size > length else size
        begin, end = events.bounds[document], events.bounds[document + 1]
        for k in range(complete_sets(events.term, begin, end, table, sums)):
            number = sums.complete[k]
            sums.counts[number] += windows_with_all(
                number, events, document, width, length - width, table, sums
            )
