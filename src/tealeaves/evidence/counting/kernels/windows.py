"""Counts in sliding windows and documents.

No loop runs over windows. A window of size w is identified by its first token s; an event is in
the windows ``end - w + 1 <= s <= start``. Of the windows of an event of term a, those after the
start of a's previous event contain a for the first time; of these, the ones up to the start of b's
last event contain b too. A document is a window of its own length.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tealeaves.kernels import Arguments, kernel

if TYPE_CHECKING:
    from tealeaves.evidence.counting.kernels.events import TermEvents
    from tealeaves.evidence.counting.kernels.pairs import CountSums, PairTable
    from tealeaves.kernels import I64


@kernel
def count_windows(
    events: TermEvents, lengths: I64, size: int, sequences: int, table: PairTable, sums: CountSums
) -> int:
    """Add the windows that contain each term and pair; size 0 stands for whole documents.

    ``sequences`` says that there may be terms of several tokens, whose starts are not in order.
    """
    units = 0
    last = sums.last
    for document in range(len(lengths)):
        length = lengths[document]
        if length == 0:
            continue
        width = length if size == 0 or size > length else size
        top = length - width
        units += top + 1
        for e in range(events.bounds[document], events.bounds[document + 1]):
            term, start = events.term[e], events.start[e]
            if start < events.end[e] - width + 1:
                continue  # a sequence that is longer than the window is in no window
            low = max(events.end[e] - width + 1, last[term] + 1, 0)
            high = min(start, top)
            last[term] = start
            if high < low:
                continue
            sums.singles[term] += high - low + 1
            for k in range(table.start[term], table.start[term + 1]):
                other = last[table.partner[k]]
                if other >= low:
                    sums.pairs[table.pair[k]] += min(high, other) - low + 1
        for e in range(events.bounds[document], events.bounds[document + 1]):
            last[events.term[e]] = -1
    return units


@dataclass(frozen=True)
class SeveralWindows(Arguments):
    """Work arrays for windows of several sizes, with a number for each size, and their units."""

    widths: I64
    lows: I64
    highs: I64
    units: I64


@kernel
def count_several_windows(
    events: TermEvents,
    lengths: I64,
    sizes: I64,
    sequences: int,
    table: PairTable,
    windows: SeveralWindows,
    sums: CountSums,
) -> None:
    """Add the windows of each size that contain each term and pair; size 0 stands for documents.

    It counts as :func:`count_windows` does, but looks up the last events of a term's partners once
    for all sizes, which is most of the work if there are many pairs. Sizes are in order, 0 last.
    Counts of the first size come first, then those of the second.
    """
    last = sums.last
    terms, pairs = len(last), len(sums.pairs) // len(sizes)
    for document in range(len(lengths)):
        length = lengths[document]
        if length == 0:
            continue
        for size in range(len(sizes)):
            width = length if sizes[size] == 0 or sizes[size] > length else sizes[size]
            windows.widths[size] = width
            windows.units[size] += length - width + 1
        for e in range(events.bounds[document], events.bounds[document + 1]):
            term, start, before = events.term[e], events.start[e], last[events.term[e]]
            last[term] = start
            for size in range(len(sizes)):
                reach = events.end[e] - windows.widths[size] + 1
                low, high = max(reach, before + 1, 0), min(start, length - windows.widths[size])
                if start < reach or high < low:
                    continue  # too long for the window, or not new
                sums.singles[size * terms + term] += high - low + 1
                for k in range(table.start[term], table.start[term + 1]):
                    other = last[table.partner[k]]
                    if other >= low:
                        sums.pairs[size * pairs + table.pair[k]] += min(high, other) - low + 1
        for e in range(events.bounds[document], events.bounds[document + 1]):
            last[events.term[e]] = -1
