"""Counts in windows by the rule of gensim 4.4.0, to compare with published numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.kernels import kernel

if TYPE_CHECKING:
    from tealeaves.evidence.counting.kernels.events import TermEvents
    from tealeaves.evidence.counting.kernels.pairs import CountSums, PartnerTable
    from tealeaves.kernels import I64


def leave(term: int, window: int, table: PartnerTable, sums: CountSums) -> None:
    """Add the windows in which a term was present, up to ``window``, in which it no longer is."""
    since = sums.last
    sums.singles[term] += window - since[term]
    for k in range(table.start[term], table.start[term + 1]):
        other = since[table.partner[k]]
        if other >= 0:
            sums.pairs[table.pair[k]] += window - max(since[term], other)
    since[term] = -1


@kernel
def count_windows_like_gensim(
    events: TermEvents, lengths: I64, size: int, table: PartnerTable, sums: CountSums
) -> int:
    """Add windows; a term is absent once one of its occurrences leaves, present when one enters.

    ``sums.last`` is the window in which each term last became present, -1 while it is absent.
    gensim does not know sequences of tokens.
    """
    units = 0
    since = sums.last
    for document in range(len(lengths)):
        length = lengths[document]
        width = length if size == 0 or size > length else size
        top = length - width
        units += top + 1
        begin, end = events.bounds[document], events.bounds[document + 1]
        leaving, entering = begin, begin
        while leaving < end or entering < end:
            # the windows in which the next two changes take effect; in one window, out comes first
            out = events.end[leaving] + 1 if leaving < end else top + 1
            enter = max(events.end[entering] - width + 1, 0) if entering < end else top + 1
            if out > top and enter > top:
                break
            if out <= enter:
                term = events.term[leaving]
                if events.start[leaving] == events.end[leaving] and since[term] >= 0:
                    leave(term, out, table, sums)
                leaving += 1
            else:
                term = events.term[entering]
                if events.start[entering] == events.end[entering] and since[term] < 0:
                    since[term] = enter
                entering += 1
        for e in range(begin, end):
            term = events.term[e]
            if since[term] >= 0:
                leave(term, top + 1, table, sums)
    return units
