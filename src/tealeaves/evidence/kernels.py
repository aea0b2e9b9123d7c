"""The loops over tokens, compiled by numba; they release the GIL and keep no state.

A block of documents is first turned into *events*: term ``event_term[e]`` occupies the tokens
``event_start[e]`` to ``event_end[e]`` of its document. Events are in the order of their ends.
Counting is done on events alone.

Sliding windows need no loop over windows. A window of size w is named by its first token s; an
event lies in the windows ``end - w + 1 <= s <= start``. When an event of term a comes, the windows
that hold a for the first time are those after the start of a's previous event, and of these the
ones up to the start of b's last event hold b too. A document is the window of its own length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile on first use, and keep the result on disk where there is a place for it."""
    try:
        return njit(cache=True, nogil=True)(function)
    except RuntimeError:  # nothing may be written, neither beside the source nor at home
        return njit(nogil=True)(function)


@_compiled
def find_events(
    ids: Ints,
    offsets: Ints,
    term_of_token: Ints,
    gram_start: Ints,
    grams: Ints,
    token_start: Ints,
    tokens: Ints,
) -> tuple[Ints, Ints, Ints, Ints]:
    """Find all terms in a block; ``offsets`` bound documents in ``ids``, -1 is no asked token."""
    capacity = 0
    for token in ids:
        if token >= 0:
            capacity += 1 + gram_start[token + 1] - gram_start[token]
    event_term = np.empty(capacity, dtype=np.int64)
    event_start = np.empty(capacity, dtype=np.int64)
    event_end = np.empty(capacity, dtype=np.int64)
    bounds = np.zeros(offsets.size, dtype=np.int64)
    found = 0
    for document in range(offsets.size - 1):
        first = offsets[document]
        for place in range(first, offsets[document + 1]):
            token = ids[place]
            if token < 0:
                continue
            if term_of_token[token] >= 0:
                event_term[found] = term_of_token[token]
                event_start[found] = place - first
                event_end[found] = place - first
                found += 1
            for g in range(gram_start[token], gram_start[token + 1]):
                term = grams[g]
                length = token_start[term + 1] - token_start[term]
                if place - length + 1 < first:
                    continue
                same = True
                for k in range(length - 1):
                    if ids[place - length + 1 + k] != tokens[token_start[term] + k]:
                        same = False
                        break
                if same:
                    event_term[found] = term
                    event_start[found] = place - first - length + 1
                    event_end[found] = place - first
                    found += 1
        bounds[document + 1] = found
    return event_term[:found], event_start[:found], event_end[:found], bounds


@_compiled
def count_windows(
    event_term: Ints,
    event_start: Ints,
    event_end: Ints,
    bounds: Ints,
    lengths: Ints,
    size: int,
    partner_start: Ints,
    partner: Ints,
    partner_pair: Ints,
    singles: Ints,
    pairs: Ints,
) -> int:
    """Add the windows that hold each term and pair; size 0 stands for whole documents."""
    last = np.full(singles.size, -1, dtype=np.int64)
    units = 0
    for document in range(lengths.size):
        length = lengths[document]
        if length == 0:
            continue
        width = length if size == 0 or size > length else size
        top = length - width
        units += top + 1
        for e in range(bounds[document], bounds[document + 1]):
            term, start = event_term[e], event_start[e]
            if start < event_end[e] - width + 1:
                continue  # a sequence longer than the window is in none
            low = max(event_end[e] - width + 1, last[term] + 1, 0)
            high = min(start, top)
            last[term] = start
            if high < low:
                continue
            singles[term] += high - low + 1
            for k in range(partner_start[term], partner_start[term + 1]):
                other = last[partner[k]]
                if other >= low:
                    pairs[partner_pair[k]] += min(high, other) - low + 1
        for e in range(bounds[document], bounds[document + 1]):
            last[event_term[e]] = -1
    return units


@_compiled
def count_windows_like_gensim(
    event_term: Ints,
    event_start: Ints,
    event_end: Ints,
    bounds: Ints,
    lengths: Ints,
    size: int,
    partner_start: Ints,
    partner: Ints,
    partner_pair: Ints,
    singles: Ints,
    pairs: Ints,
) -> int:
    """Count windows by gensim 4.4.0's rule, for comparison with published numbers.

    A term is absent once one of its occurrences leaves the window, present again when one
    enters; ``since`` is the window in which it last became present. Sequences are unknown to it.
    """
    since = np.full(singles.size, -1, dtype=np.int64)
    units = 0
    for document in range(lengths.size):
        length = lengths[document]
        width = length if size == 0 or size > length else size
        top = length - width
        units += top + 1
        begin, end = bounds[document], bounds[document + 1]
        leaving, entering = begin, begin
        while leaving < end or entering < end:
            # the window in which each next change takes effect; of two in the same, first out
            out = event_end[leaving] + 1 if leaving < end else top + 1
            enter = max(event_end[entering] - width + 1, 0) if entering < end else top + 1
            if out > top and enter > top:
                break
            if out <= enter:
                term = event_term[leaving]
                leaving += 1
                if event_start[leaving - 1] != event_end[leaving - 1] or since[term] < 0:
                    continue
                singles[term] += out - since[term]
                for k in range(partner_start[term], partner_start[term + 1]):
                    other = since[partner[k]]
                    if other >= 0:
                        pairs[partner_pair[k]] += out - max(since[term], other)
                since[term] = -1
            else:
                term = event_term[entering]
                if event_start[entering] == event_end[entering] and since[term] < 0:
                    since[term] = enter
                entering += 1
        for e in range(begin, end):
            term = event_term[e]
            if since[term] < 0:
                continue
            singles[term] += top + 1 - since[term]
            for k in range(partner_start[term], partner_start[term + 1]):
                other = since[partner[k]]
                if other >= 0:
                    pairs[partner_pair[k]] += top + 1 - max(since[term], other)
            since[term] = -1
    return units


@_compiled
def count_contexts(
    event_term: Ints,
    event_start: Ints,
    event_end: Ints,
    bounds: Ints,
    lengths: Ints,
    size: int,
    partner_start: Ints,
    partner: Ints,
    partner_pair: Ints,
    singles: Ints,
    pairs: Ints,
) -> int:
    """Add each occurrence, and each two occurrences of a pair at most ``size`` tokens apart."""
    units = 0
    for document in range(lengths.size):
        units += lengths[document]
        for e in range(bounds[document], bounds[document + 1]):
            term = event_term[e]
            singles[term] += 1
            low, high = partner_start[term], partner_start[term + 1]
            f = e - 1
            while f >= bounds[document] and event_start[e] - event_end[f] <= size:
                k = low + np.searchsorted(partner[low:high], event_term[f])
                if k < high and partner[k] == event_term[f]:
                    pairs[partner_pair[k]] += 1
                f -= 1
    return units


@_compiled
def count_sets(
    event_term: Ints,
    event_start: Ints,
    event_end: Ints,
    bounds: Ints,
    lengths: Ints,
    size: int,
    member_start: Ints,
    member: Ints,
    set_start: Ints,
    sets_of_term: Ints,
    counts: Ints,
) -> None:
    """Add the windows that hold all members of each set; size 0 stands for whole documents.

    Windows that hold the whole set end at the earliest of its members' last starts.
    """
    hits = np.zeros(counts.size, dtype=np.int64)
    last = np.full(set_start.size - 1, -1, dtype=np.int64)
    member_of = np.zeros(set_start.size - 1, dtype=np.bool_)
    for document in range(lengths.size):
        length = lengths[document]
        width = length if size == 0 or size > length else size
        top = length - width
        begin, end = bounds[document], bounds[document + 1]
        complete = np.empty(0, dtype=np.int64)
        for stage in range(2):  # first how many sets are complete in this document, then which
            found = 0
            for e in range(begin, end):
                term = event_term[e]
                if last[term] == -1:
                    last[term] = 0
                    for k in range(set_start[term], set_start[term + 1]):
                        number = sets_of_term[k]
                        hits[number] += 1
                        if hits[number] == member_start[number + 1] - member_start[number]:
                            if stage == 1:
                                complete[found] = number
                            found += 1
            for e in range(begin, end):
                term = event_term[e]
                last[term] = -1
                for k in range(set_start[term], set_start[term + 1]):
                    hits[sets_of_term[k]] = 0
            if stage == 0:
                complete = np.empty(found, dtype=np.int64)
        for number in complete:
            low_member, high_member = member_start[number], member_start[number + 1]
            for m in range(low_member, high_member):
                member_of[member[m]] = True
            covered = -1
            for e in range(begin, end):
                term = event_term[e]
                if not member_of[term] or event_start[e] < event_end[e] - width + 1:
                    continue
                last[term] = event_start[e]
                high = top
                for m in range(low_member, high_member):
                    high = min(high, last[member[m]])
                low = max(event_end[e] - width + 1, covered + 1, 0)
                if high >= low:
                    counts[number] += high - low + 1
                covered = max(covered, high)
            for m in range(low_member, high_member):
                member_of[member[m]] = False
                last[member[m]] = -1
