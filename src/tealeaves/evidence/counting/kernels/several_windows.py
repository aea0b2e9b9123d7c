"""Counts in windows of several sizes at once, for the same terms and pairs.

This counts as :mod:`.windows` does, but looks up the last events of a term's partners once for all
sizes, which is most of the work if there are many pairs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.compiling.kernel import compiled, inlined
from tealeaves.evidence.counting.kernels.pairs import pair_of

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64, U64

_WALK = 6  # one event takes as long as so many partners
_NEVER = (1 << 31) - 1  # stands for the first window in which an event is new, if there is none


@inlined
def add_pair(pair: int, other: int, lows: I64, highs: I64, count: int, pairs: I64) -> None:
    """Add the windows of each size with a pair; ``other`` is the other term's last start."""
    for size in range(len(lows)):
        low = lows[size]
        if other >= low:
            pairs[size * count + pair] += min(highs[size], other) - low + 1


@compiled
def count_several_windows(
    event_term: I32,
    event_start: I32,
    event_end: I32,
    bounds: I64,
    lengths: I64,
    sizes: I64,
    sequences: int,
    partner_start: I64,
    partner: I32,
    partner_pair: I32,
    asked: U64,
    bits: int,
    last: I32,
    widths: I64,
    lows: I64,
    highs: I64,
    units: I64,
    singles: I64,
    pairs: I64,
) -> int:
    """Add the windows of each size that contain each term and pair; size 0 stands for documents.

    Sizes are in order, 0 last. Counts of the first size come first, then those of the second.
    ``last`` is -1 for each term, before and after. ``widths``, ``lows`` and ``highs`` are work
    arrays.
    """
    terms, count, widest = len(last), len(pairs) // len(sizes), len(sizes) - 1
    for document in range(len(lengths)):
        length = lengths[document]
        if length == 0:
            continue
        for size in range(len(sizes)):
            width = length if sizes[size] == 0 or sizes[size] > length else sizes[size]
            widths[size] = width
            units[size] += length - width + 1
        nearest = bounds[document]  # the first event that the widest window reaches back to
        for e in range(bounds[document], bounds[document + 1]):
            term, start = event_term[e], event_start[e]
            lowest = _NEVER
            for size in range(len(sizes)):
                reach = event_end[e] - widths[size] + 1
                low, high = max(reach, last[term] + 1, 0), min(start, length - widths[size])
                lows[size] = _NEVER
                if start >= reach and high >= low:  # else too long for the window, or not new
                    lows[size], highs[size] = low, high
                    singles[size * terms + term] += high - low + 1
                    lowest = min(lowest, low)
            last[term] = start
            if lowest == _NEVER:
                continue
            while event_start[nearest] < start - widths[widest] + 1:
                nearest += 1
            first_partner, last_partner = partner_start[term], partner_start[term + 1]
            if sequences or (e - nearest) * _WALK > last_partner - first_partner:
                for k in range(first_partner, last_partner):
                    other = last[partner[k]]
                    if other >= lowest:
                        add_pair(partner_pair[k], other, lows, highs, count, pairs)
                continue
            for before in range(e - 1, nearest - 1, -1):
                other = event_start[before]
                if other < lowest:
                    break
                if last[event_term[before]] != other:
                    continue  # the term occurs again later, and was counted there
                pair = pair_of(
                    term, event_term[before], partner_start, partner, partner_pair, asked, bits
                )
                if pair >= 0:
                    add_pair(pair, other, lows, highs, count, pairs)
        for e in range(bounds[document], bounds[document + 1]):
            last[event_term[e]] = -1
    return 0
