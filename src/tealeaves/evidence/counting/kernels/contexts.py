"""Counts in context windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.evidence.counting.kernels.pairs import pair_of
from tealeaves.kernels import kernel

if TYPE_CHECKING:
    from tealeaves.evidence.counting.kernels.events import TermEvents
    from tealeaves.evidence.counting.kernels.pairs import CountSums, PartnerTable
    from tealeaves.kernels import I64


@kernel
def count_contexts(
    events: TermEvents, lengths: I64, size: int, table: PartnerTable, sums: CountSums
) -> int:
    """Add each occurrence, and each two occurrences of a pair at most ``size`` tokens apart."""
    units = 0
    for document in range(len(lengths)):
        units += lengths[document]
        for e in range(events.bounds[document], events.bounds[document + 1]):
            term = events.term[e]
            sums.singles[term] += 1
            f = e - 1
            while f >= events.bounds[document] and events.start[e] - events.end[f] <= size:
                pair = pair_of(term, events.term[f], table)
                if pair >= 0:
                    sums.pairs[pair] += 1
                f -= 1
    return units
