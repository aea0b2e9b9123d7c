"""One-to-one matching of the topics of several runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from tealeaves.arrays import Floats, Integers, offsets

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
    from scipy.optimize import linear_sum_assignment

    edges = offsets(sizes).tolist()
    left, right = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    values = [np.empty(0)]
    for start, stop in pairwise(edges[:-1]):
        with_later = similarity(range(start, stop), range(stop, edges[-1]))
        later_edges = [edge - stop for edge in edges if edge >= stop]
        for first, last in pairwise(later_edges):
            one, other = linear_sum_assignment(with_later[:, first:last], maximize=True)
            left.append(one + start)
            right.append(other + (first + stop))
            values.append(with_later[one, other + first])
    return np.concatenate(left), np.concatenate(right), np.concatenate(values)


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
