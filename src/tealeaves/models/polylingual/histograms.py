"""What likelihood and hyper-parameters need of a chain: how many counts of each size there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.models.polylingual.kernels.counting import count_in_tuples

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64
    from tealeaves.models.polylingual.layout import Layout


@dataclass(frozen=True, eq=False)
class Histogram:
    """Counts and how many times each occurs; zeros are left out.

    ``topics`` is the topic of each count, where topics differ in their parameter.
    """

    counts: I64
    times: I64
    topics: I64

    @classmethod
    def of(cls, counts: I64) -> Histogram:
        """Count the counts."""
        return cls.of_times(np.bincount(counts, minlength=1))

    @classmethod
    def of_times(cls, times: I64) -> Histogram:
        """Take how many counts of 0, 1, 2 and so on there are."""
        counts = np.flatnonzero(times)
        counts = counts[counts > 0]
        return cls(counts, times[counts], np.zeros(len(counts), dtype=np.int64))


def topics_in_tuples(layout: Layout, topics: I32, k: int) -> Histogram:
    """Count how many tuples have each topic once, twice and so on."""
    found, counts = np.empty_like(topics), np.empty_like(topics)
    room = np.zeros(k, dtype=np.int64)
    pairs = count_in_tuples(layout.languages, layout.starts, topics, room, found, counts)
    packed = counts[:pairs].astype(np.int64) * k + found[:pairs]
    values, times = np.unique(packed, return_counts=True)
    return Histogram(values // k, times, values % k)
