"""Batches: chosen texts of about one length, and the places of their pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.evidence.relevance.sampling import Chosen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Integers


class Entries(NamedTuple):
    """The pieces of all pairs of occurrences of a batch.

    Pair ``k`` of occurrences is of text ``text[k]`` and of the words ``key[k]``. Piece ``i`` of
    one and ``j`` of the other are an entry, of the pair ``pair``, in the text ``b``; ``share`` is
    one by the number of pieces of the word that attends.
    """

    text: Integers
    key: Integers
    b: Integers
    i: Integers
    j: Integers
    pair: Integers
    share: NDArray[np.float64]

    @property
    def is_plain(self) -> bool:
        """Whether each pair is one entry."""
        return len(self.pair) == len(self.key)


def entries_of(texts: Sequence[Chosen]) -> Entries:
    """Return the entries of the pairs of some texts."""
    text = np.repeat(np.arange(len(texts)), [len(one.pairs) for one in texts])
    starts, sizes = [], []
    for side in ("left", "right"):
        which = [getattr(one.pairs, side) for one in texts]
        starts.append(
            np.concatenate([one.text.starts[w] for one, w in zip(texts, which, strict=True)])
        )
        ends = np.concatenate([one.text.stops[w] for one, w in zip(texts, which, strict=True)])
        sizes.append(ends - starts[-1])
    number = sizes[0] * sizes[1]
    pair = np.repeat(np.arange(len(text)), number)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(number) - number, number)
    return Entries(
        text,
        np.concatenate([one.pairs.keys for one in texts]),
        text[pair],
        starts[0][pair] + within // sizes[1][pair],
        starts[1][pair] + within % sizes[1][pair],
        pair,
        1.0 / sizes[0][pair],
    )


def filled(rows: Sequence[Integers], filling: int) -> Integers:
    """Put rows into a matrix, filled up to the longest.

    >>> filled([np.array([1, 2, 3]), np.array([4])], 0).tolist()
    [[1, 2, 3], [4, 0, 0]]
    """
    found = np.full((len(rows), max(map(len, rows))), filling, dtype=np.int64)
    for place, row in zip(found, rows, strict=True):
        place[: len(row)] = row
    return found


def in_batches(texts: Sequence[Chosen], pieces: int) -> Iterator[list[Chosen]]:
    """Put texts of about one length together, about so many pieces at a time; longest first.

    The same texts make the same batches, and memory that is too small shows at once.
    """
    ordered = sorted(texts, key=lambda one: -len(one.text))
    start = 0
    while start < len(ordered):
        size = max(1, pieces // len(ordered[start].text))
        yield ordered[start : start + size]
        start += size
