"""One-to-one matching of the topics of several runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from tealeaves.arrays import Floats, Integers

Likeness = Callable[[range, range], Floats]


def matches(likeness: Likeness, sizes: Sequence[int]) -> tuple[Integers, Integers, Floats]:
    """Match the topics of each two runs one to one, so that their likeness is greatest in sum.

    This is the assignment problem that the Hungarian algorithm solves. Where one run has more
    topics than the other, those over are left without a partner.

    Parameters
    ----------
    likeness
        How alike the topics of some rows and columns are; topics are numbered run after run.
    sizes
        How many topics each run has.

    Returns
    -------
    The numbers of the topics of each match, the earlier run's first, and how alike they are.
    """
    from scipy.optimize import linear_sum_assignment

    edges = np.concatenate([[0], np.cumsum(sizes)]).tolist()
    left, right = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    values = [np.empty(0)]
    for start, stop in pairwise(edges[:-1]):
        later = likeness(range(start, stop), range(stop, edges[-1]))
        ahead = [edge - stop for edge in edges if edge >= stop]
        for first, last in pairwise(ahead):
            one, other = linear_sum_assignment(later[:, first:last], maximize=True)
            left.append(one + start)
            right.append(other + (first + stop))
            values.append(later[one, other + first])
    return np.concatenate(left), np.concatenate(right), np.concatenate(values)


def means_of_matches(
    found: tuple[Integers, Integers, Floats], share: Floats, runs: int
) -> tuple[Floats, Floats]:
    """Return each topic's mean likeness to its partners, and its support.

    ``share`` is how much of what was asked for each topic has; runs without a partner, and words
    that are not there, lower the support.
    """
    left, right, values = found
    both, twice = np.concatenate([left, right]), np.concatenate([values, values])
    weights = share[left] * share[right]
    partners = np.bincount(both, minlength=len(share))
    total = np.bincount(both, twice, minlength=len(share))
    known = np.bincount(both, np.concatenate([weights, weights]), minlength=len(share))
    alone = partners == 0
    means = np.where(alone, np.nan, total / np.where(alone, 1, partners))
    return means, known / max(1, runs - 1)
