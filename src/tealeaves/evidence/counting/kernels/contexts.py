"""Counts in context windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.compiling.kernel import compiled
from tealeaves.evidence.counting.kernels.pairs import pair_of

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64, U64


@compiled
def count_contexts(
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
    """Add each occurrence, and each two occurrences of a pair at most ``size`` tokens apart."""
    units = 0
    for document in range(len(lengths)):
        units += lengths[document]
        for e in range(bounds[document], bounds[document + 1]):
            term = event_term[e]
            singles[term] += 1
            f = e - 1
            while f >= bounds[document] and event_start[e] - event_end[f] <= size:
                pair = pair_of(
                    term, event_term[f], partner_start, partner, partner_pair, asked, bits
                )
                if pair >= 0:
                    pairs[pair] += 1
                f -= 1
    return units
