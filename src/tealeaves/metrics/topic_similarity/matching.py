"""One-to-one matching of the topics of several runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.arrays import Floats, Integers, offsets
from tealeaves.kernels import Arguments, kernel

if TYPE_CHECKING:
    from tealeaves.kernels import F64, I64, U8

#: The similarity of the topics of some rows to those of some columns.
SimilarityFunction = Callable[[range, range], Floats]


def match_topics(
    similarity: SimilarityFunction, sizes: Sequence[int]
) -> tuple[Integers, Integers, Floats]:
    """Match the topics of each two runs one to one, so that the sum of similarities is greatest.

    This is the assignment problem that the Hungarian algorithm solves. Where one run has more
    topics than the other, the surplus topics have no partner.

    Parameters
    ----------
    similarity
        How similar the topics of some rows and columns are; topics are numbered run after run.
    sizes
        How many topics each run has.

    Returns
    -------
    The numbers of the topics of each match, the earlier run's first, and how similar they are.
    """
    edges = offsets(sizes)
    work = AssignmentWork.of(max(sizes))
    left, right = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    values = [np.empty(0)]
    for run, (start, stop) in enumerate(pairwise(edges[:-1].tolist())):
        with_later = similarity(range(start, stop), range(stop, int(edges[-1])))
        if np.isnan(with_later).any():
            raise ValueError("matrix contains invalid numeric entries")
        later_edges = edges[run + 1 :] - stop
        partners = np.empty((len(later_edges) - 1, stop - start), dtype=np.int64)
        flat = np.ascontiguousarray(with_later).ravel()
        match_rows(flat, with_later.shape[1], later_edges, partners.ravel(), work)
        one = np.nonzero(partners >= 0)[1]
        other = partners[partners >= 0]
        left.append(one + start)
        right.append(other + stop)
        values.append(with_later[one, other])
    return np.concatenate(left), np.concatenate(right), np.concatenate(values)


@dataclass(frozen=True)
class AssignmentWork(Arguments):
    """Arrays that the library works with."""

    cost: F64
    row_price: F64
    column_price: F64
    distance: F64
    column_of: I64
    row_of: I64
    before: I64
    remaining: I64
    row_seen: U8
    column_seen: U8

    @classmethod
    def of(cls, size: int) -> AssignmentWork:
        """Make the arrays for runs of at most ``size`` topics."""
        return cls(
            cost=np.empty(size * size),
            row_price=np.empty(size),
            column_price=np.empty(size),
            distance=np.empty(size),
            column_of=np.empty(size, dtype=np.int64),
            row_of=np.empty(size, dtype=np.int64),
            before=np.empty(size, dtype=np.int64),
            remaining=np.empty(size, dtype=np.int64),
            row_seen=np.empty(size, dtype=np.uint8),
            column_seen=np.empty(size, dtype=np.uint8),
        )


@kernel
def match_rows(
    similarity: F64,
    width: int,
    edges: I64,
    partners: I64,
    work: AssignmentWork,  # noqa: ARG001
) -> None:
    """Match rows with the columns of each block, which begin and end at ``edges``.

    Write for each block and row the column that is its partner, -1 for none.
    """
    from scipy.optimize import linear_sum_assignment

    matrix = np.array(similarity).reshape(-1, width)
    for block, (start, stop) in enumerate(pairwise(edges)):
        found = [-1] * len(matrix)
        for row, column in zip(
            *linear_sum_assignment(matrix[:, start:stop], maximize=True), strict=True
        ):
            found[row] = start + column
        partners[block * len(matrix) : (block + 1) * len(matrix)] = found


def means_of_matches(
    matches: tuple[Integers, Integers, Floats], share: Floats, runs: int
) -> tuple[Floats, Floats]:
    """Return each topic's mean similarity to its partners, and its support.

    ``share`` is the share of the requested words that each topic has. Missing words, and runs
    without a partner, lower the support.
    """
    left, right, values = matches
    both, twice = np.concatenate([left, right]), np.concatenate([values, values])
    weights = share[left] * share[right]
    partners = np.bincount(both, minlength=len(share))
    total = np.bincount(both, twice, minlength=len(share))
    known = np.bincount(both, np.concatenate([weights, weights]), minlength=len(share))
    alone = partners == 0
    means = np.where(alone, np.nan, total / np.where(alone, 1, partners))
    return means, known / max(1, runs - 1)
