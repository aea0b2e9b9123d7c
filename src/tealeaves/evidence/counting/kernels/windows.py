"""Counts in sliding windows and documents.

No loop runs over windows. A window of size w is identified by its first token s; an event is in
the windows ``end - w + 1 <= s <= start``. Of the windows of an event of term a, those after the
start of a's previous event contain a for the first time; of these, the ones up to the start of b's
last event contain b too. A document is a window of its own length.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.kernels import Arguments, kernel

if TYPE_CHECKING:
    from tealeaves.evidence.counting.kernels.events import TermEvents
    from tealeaves.evidence.counting.kernels.pairs import PartnerTable
    from tealeaves.kernels import I32, I64


MOST_SIZES = 16
MOST_UNITS = 2**31  # that fit in a sum
_MOST_FOUND = 1 << 15  # pairs of a document that are listed


@dataclass(frozen=True)
class WindowWork(Arguments):
    """The units of each size so far, and work arrays of the library.

    ``distinct`` lists the terms of a document, ``found`` its pairs: two terms and the number of the
    pair, by turns. ``near`` has the same for each term, from entry ``near_start`` to ``near_end``:
    the terms that it is paired with, and the numbers of the pairs.
    """

    units: I64
    distinct: I32
    near_start: I32
    near_end: I32
    found: I32
    near: I32

    @classmethod
    def of(cls, sizes: int, terms: int, pairs: int) -> WindowWork:
        """Make the arrays for so many sizes, terms and pairs."""
        found = min(pairs, _MOST_FOUND)
        lengths = terms, terms, terms, 3 * found, 4 * found
        arrays = [np.empty(length, dtype=np.int32) for length in lengths]
        return cls(np.zeros(sizes, dtype=np.int64), *arrays)


@dataclass(frozen=True)
class WindowSums(Arguments):
    """Sums as in ``CountSums``, in half the memory: of fewer than ``MOST_UNITS`` units.

    The counts of a term, or of a pair, stand together, one a size.
    """

    last: I32
    singles: I32
    pairs: I32


@kernel
def count_windows(
    events: TermEvents,
    lengths: I64,
    sizes: I64,
    table: PartnerTable,
    windows: WindowWork,
    sums: WindowSums,
) -> None:
    """Add the windows of each size that contain each term and pair; size 0 stands for documents.

    There are at most ``MOST_SIZES`` sizes, in order, 0 last. The library looks for the partners of
    a term among the pairs of its document, or goes back through the events in reach of the widest
    window, whatever is less.
    """
    last, count, widths = sums.last, len(sizes), [0] * len(sizes)
    for document in range(len(lengths)):
        length = lengths[document]
        if length == 0:
            continue
        for size in range(count):
            widths[size] = min(sizes[size] or length, length)
            windows.units[size] += length - widths[size] + 1
        for e in range(events.bounds[document], events.bounds[document + 1]):
            term, start, before = events.term[e], events.start[e], last[events.term[e]]
            last[term] = start
            for size in range(count):
                reach = events.end[e] - widths[size] + 1
                low, high = max(reach, before + 1, 0), min(start, length - widths[size])
                if start < reach or high < low:
                    continue  # too long for the window, or not new
                sums.singles[term * count + size] += high - low + 1
                for k in range(table.start[term], table.start[term + 1]):
                    other = last[table.partner[k]]
                    if other >= low:
                        sums.pairs[table.pair[k] * count + size] += min(high, other) - low + 1
        for e in range(events.bounds[document], events.bounds[document + 1]):
            last[events.term[e]] = -1
