"""Counts of sets of more than two terms, in windows and documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.compiling.kernel import compiled, inlined

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64, U8


@inlined
def complete_sets(
    event_term: I32,
    begin: int,
    end: int,
    member_start: I64,
    set_start: I64,
    sets_of_term: I64,
    hits: I64,
    last: I32,
    complete: I64,
) -> int:
    """List the sets whose members are all in a document; return their number."""
    found = 0
    for e in range(begin, end):
        term = event_term[e]
        if last[term] == -1:
            last[term] = 0
            for k in range(set_start[term], set_start[term + 1]):
                number = sets_of_term[k]
                hits[number] += 1
                if hits[number] == member_start[number + 1] - member_start[number]:
                    complete[found] = number
                    found += 1
    for e in range(begin, end):
        term = event_term[e]
        if last[term] == 0:
            last[term] = -1
            for k in range(set_start[term], set_start[term + 1]):
                hits[sets_of_term[k]] = 0
    return found


@inlined
def windows_with_all(
    first: int,
    behind: int,
    event_term: I32,
    event_start: I32,
    event_end: I32,
    begin: int,
    end: int,
    width: int,
    top: int,
    member: I64,
    is_member: U8,
    last: I32,
) -> int:
    """Return the number of windows that contain all members of a set.

    The last of these windows begins where the earliest of the members' last events starts.
    """
    for m in range(first, behind):
        is_member[member[m]] = 1
    total, covered = 0, -1
    for e in range(begin, end):
        term = event_term[e]
        if not is_member[term] or event_start[e] < event_end[e] - width + 1:
            continue
        last[term] = event_start[e]
        high = top
        for m in range(first, behind):
            high = min(high, last[member[m]])
        low = max(event_end[e] - width + 1, covered + 1, 0)
        if high >= low:
            total += high - low + 1
        covered = max(covered, high)
    for m in range(first, behind):
        is_member[member[m]] = 0
        last[member[m]] = -1
    return total


@compiled
def count_sets(
    event_term: I32,
    event_start: I32,
    event_end: I32,
    bounds: I64,
    lengths: I64,
    size: int,
    member_start: I64,
    member: I64,
    set_start: I64,
    sets_of_term: I64,
    hits: I64,
    last: I32,
    is_member: U8,
    complete: I64,
    counts: I64,
) -> None:
    """Add the windows that contain all members of each set; size 0 stands for whole documents.

    ``hits`` and ``is_member`` are 0 and ``last`` is -1 everywhere, before and after.
    """
    for document in range(len(lengths)):
        length = lengths[document]
        width = length if size == 0 or size > length else size
        begin, end = bounds[document], bounds[document + 1]
        found = complete_sets(
            event_term, begin, end, member_start, set_start, sets_of_term, hits, last, complete
        )
        for k in range(found):
            number = complete[k]
            counts[number] += windows_with_all(
                member_start[number], member_start[number + 1], event_term, event_start, event_end,
                begin, end, width, length - width, member, is_member, last,
            )  # fmt: skip
