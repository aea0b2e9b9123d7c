"""Counts in sliding windows and documents.

No loop runs over windows. A window of size w is identified by its first token s; an event is in
the windows ``end - w + 1 <= s <= start``. Of the windows of an event of term a, those after the
start of a's previous event contain a for the first time; of these, the ones up to the start of b's
last event contain b too. A document is a window of its own length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.compiling.kernel import compiled, inlined
from tealeaves.evidence.counting.kernels.pairs import pair_of

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64, U64

_WALK = 6  # one event takes as long as so many partners


@inlined
def add_by_partners(
    low: int,
    high: int,
    first: int,
    last_partner: int,
    last: I32,
    partner: I32,
    partner_pair: I32,
    pairs: I64,
) -> None:
    """Add an event's pairs by going through all partners of its term."""
    for k in range(first, last_partner):
        other = last[partner[k]]
        if other >= low:
            pairs[partner_pair[k]] += min(high, other) - low + 1


@inlined
def add_by_events(
    event: int,
    first: int,
    low: int,
    high: int,
    event_term: I32,
    event_start: I32,
    last: I32,
    partner_start: I64,
    partner: I32,
    partner_pair: I32,
    asked: U64,
    bits: int,
    pairs: I64,
) -> None:
    """Add an event's pairs by going back through the events in the window."""
    term = event_term[event]
    for before in range(event - 1, first - 1, -1):
        start, other = event_start[before], event_term[before]
        if start < low:
            return
        if last[other] != start:
            continue  # the term occurs again later, and was counted there
        pair = pair_of(term, other, partner_start, partner, partner_pair, asked, bits)
        if pair >= 0:
            pairs[pair] += min(high, start) - low + 1


@compiled
def count_windows(
    event_term: I32,
    event_start: I32,
    event_end: I32,
    bounds: I64,
    lengths: I64,
    size: int,
    sequences: int,
    partner_start: I64,
    partner: I32,
    partner_pair: I32,
    asked: U64,
    bits: int,
    last: I32,
    singles: I64,
    pairs: I64,
) -> int:
    """Add the windows that contain each term and pair; size 0 stands for whole documents.

    ``last`` is -1 for each term, before and after. ``sequences`` says that there may be terms
    of several tokens, whose starts are not in order.
    """
    units = 0
    for document in range(len(lengths)):
        length = lengths[document]
        if length == 0:
            continue
        width = length if size == 0 or size > length else size
        top = length - width
        units += top + 1
        nearest = bounds[document]  # the first event that the window reaches back to
        for e in range(bounds[document], bounds[document + 1]):
            term, start = event_term[e], event_start[e]
            if start < event_end[e] - width + 1:
                continue  # a sequence that is longer than the window is in no window
            low = max(event_end[e] - width + 1, last[term] + 1, 0)
            high = min(start, top)
            last[term] = start
            if high < low:
                continue
            singles[term] += high - low + 1
            while event_start[nearest] < start - width + 1:
                nearest += 1
            first_partner, last_partner = partner_start[term], partner_start[term + 1]
            if sequences or (e - nearest) * _WALK > last_partner - first_partner:
                add_by_partners(
                    low, high, first_partner, last_partner, last, partner, partner_pair, pairs
                )
            else:
                add_by_events(
                    e, nearest, low, high, event_term, event_start, last,
                    partner_start, partner, partner_pair, asked, bits, pairs,
                )  # fmt: skip
        for e in range(bounds[document], bounds[document + 1]):
            last[event_term[e]] = -1
    return units
