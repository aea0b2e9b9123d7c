"""Counts in windows by the rule of gensim 4.4.0, to compare with published numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.compiling.kernel import compiled, inlined

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64, U64


@inlined
def leave(
    term: int,
    window: int,
    since: I32,
    partner_start: I64,
    partner: I32,
    partner_pair: I32,
    singles: I64,
    pairs: I64,
) -> None:
    """Add the windows in which a term was present, up to ``window``, in which it no longer is."""
    singles[term] += window - since[term]
    for k in range(partner_start[term], partner_start[term + 1]):
        other = since[partner[k]]
        if other >= 0:
            pairs[partner_pair[k]] += window - max(since[term], other)
    since[term] = -1


@compiled
def count_windows_like_gensim(
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
    since: I32,
    singles: I64,
    pairs: I64,
) -> int:
    """Add windows; a term is absent once one of its occurrences leaves, present when one enters.

    ``since`` is the window in which each term last became present, -1 while it is absent.
    gensim does not know sequences of tokens.
    """
    units = 0
    for document in range(len(lengths)):
        length = lengths[document]
        width = length if size == 0 or size > length else size
        top = length - width
        units += top + 1
        begin, end = bounds[document], bounds[document + 1]
        leaving, entering = begin, begin
        while leaving < end or entering < end:
            # the windows in which the next two changes take effect; in one window, out comes first
            out = event_end[leaving] + 1 if leaving < end else top + 1
            enter = max(event_end[entering] - width + 1, 0) if entering < end else top + 1
            if out > top and enter > top:
                break
            if out <= enter:
                term = event_term[leaving]
                if event_start[leaving] == event_end[leaving] and since[term] >= 0:
                    leave(term, out, since, partner_start, partner, partner_pair, singles, pairs)
                leaving += 1
            else:
                term = event_term[entering]
                if event_start[entering] == event_end[entering] and since[term] < 0:
                    since[term] = enter
                entering += 1
        for e in range(begin, end):
            term = event_term[e]
            if since[term] >= 0:
                leave(term, top + 1, since, partner_start, partner, partner_pair, singles, pairs)
    return units
