"""``TokenGroups``: tokens that are close to each other, grouped around medoids, and their order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.statistics.seriation import seriation_order

if TYPE_CHECKING:
    from tealeaves.kernels import F64, I64

_MOST = 8  # groups that are tried if their number is not given
_SWAPS = 100


@dataclass(frozen=True, eq=False)
class TokenGroups:
    """Tokens in groups, the largest group first.

    Parameters
    ----------
    members
        The number of each token's group.
    medoids
        The token of each group that is nearest to all others: its example.
    silhouette
        The mean silhouette of the tokens (Rousseeuw 1987): 1 if groups are far from each other and
        their tokens close, 0 if they do not differ. NaN for one group.
    """

    members: I64
    medoids: I64
    silhouette: float

    def __len__(self) -> int:
        return len(self.medoids)

    @property
    def sizes(self) -> I64:
        """The number of tokens of each group."""
        return np.bincount(self.members, minlength=len(self))


def group_tokens(distances: F64, number: int | None = None) -> TokenGroups:
    """Group tokens around medoids; by default 2 to 8 groups, with the largest silhouette.

    There is one group if no division has a positive silhouette. All distances must be known.

    >>> line = np.array([0.0, 1.0, 2.0, 10.0, 11.0])
    >>> groups = group_tokens(np.abs(np.subtract.outer(line, line)))
    >>> groups.members.tolist(), groups.medoids.tolist(), round(groups.silhouette, 3)
    ([0, 0, 0, 1, 1], [1, 3], 0.873)
    """
    # tokens with the same distances cannot be separated: they are one group at most
    places = len(np.unique(distances.round(9), axis=0))
    if number is not None:
        return _grouped(distances, min(number, places))
    best = _grouped(distances, min(1, places))
    for count in range(2, min(_MOST, places, len(distances) - 1) + 1):
        groups = _grouped(distances, count)
        if groups.silhouette > (best.silhouette if len(best) > 1 else 0.0):
            best = groups
    return best


def silhouettes(distances: F64, members: I64) -> F64:
    """Return (b - a) / max(a, b) of each token.

    Its mean distance to its own group is a, that to the nearest other group b. It is 0 for a token
    that is alone in its group.

    >>> line = np.array([0.0, 1.0, 4.0])
    >>> silhouettes(np.abs(np.subtract.outer(line, line)), np.array([0, 0, 1])).tolist()
    [0.75, 0.6666666666666666, 0.0]
    """
    rows = np.arange(len(members))
    inside = np.eye(int(members.max()) + 1)[members]
    sizes = inside.sum(0)
    sums = distances @ inside
    own = sums[rows, members] / np.maximum(sizes[members] - 1, 1)
    means = sums / sizes
    means[rows, members] = np.inf
    other = means.min(1)
    larger = np.maximum(own, other)
    alone = (sizes[members] == 1) | (larger == 0)
    return np.where(alone, 0.0, (other - own) / np.where(alone, 1.0, larger))


def find_medoids(distances: F64, number: int) -> I64:
    """Return the tokens with the least sum of distances to all: PAM (Kaufman and Rousseeuw 1990).

    Medoids are added one by one, each for the most gain. Then one is swapped for another token as
    long as that makes the sum smaller.

    >>> line = np.array([0.0, 1.0, 2.0, 10.0, 11.0])
    >>> find_medoids(np.abs(np.subtract.outer(line, line)), 2).tolist()
    [1, 3]
    """
    medoids: list[int] = []
    nearest = np.full(len(distances), np.inf)
    for _ in range(number):
        costs = np.minimum(distances, nearest[:, None]).sum(0)
        # a medoid is not added twice
        costs[medoids] = np.inf
        medoids.append(int(costs.argmin()))
        nearest = np.minimum(nearest, distances[:, medoids[-1]])
    for _ in range(_SWAPS):
        if not _swapped(distances, medoids):
            break
    return np.array(sorted(medoids), np.int64)


def _swapped(distances: F64, medoids: list[int]) -> bool:
    """Swap the medoid and the token that make the sum of distances smallest, if it gets smaller."""
    to_medoids = distances[:, medoids]
    rows, own = np.arange(len(distances)), to_medoids.argmin(1)
    first = to_medoids[rows, own]
    others = to_medoids.copy()
    others[rows, own] = np.inf
    second = others.min(1)
    # without a medoid, its tokens belong to their second nearest, or to the new one
    without = [np.where(own == number, second, first) for number in range(len(medoids))]
    costs = np.array([np.minimum(distances, left[:, None]).sum(0) for left in without])
    out, into = np.unravel_index(int(costs.argmin()), costs.shape)
    if costs[out, into] >= first.sum() - 1e-9:
        return False
    medoids[int(out)] = int(into)
    return True


def _grouped(distances: F64, number: int) -> TokenGroups:
    size = len(distances)
    if number < 1:
        return TokenGroups(np.zeros(size, np.int64), np.zeros(0, np.int64), float("nan"))
    medoids = find_medoids(distances, number)
    # if languages are missing, two medoids can have the distance 0: then one has no tokens
    used, members = np.unique(distances[:, medoids].argmin(1), return_inverse=True)
    medoids, number = medoids[used], len(used)
    # the largest first; among equal ones, that with the earlier example
    order = np.argsort(-np.bincount(members, minlength=number), kind="stable")
    members = np.argsort(order)[members]
    silhouette = float(silhouettes(distances, members).mean()) if number > 1 else float("nan")
    return TokenGroups(members, medoids[order], silhouette)


def seriate_groups(distances: F64, groups: TokenGroups) -> I64:
    """Return an order of tokens that keeps groups together, with near groups side by side.

    >>> line = np.array([0.0, 10.0, 1.0, 11.0, 2.0])
    >>> distances = np.abs(np.subtract.outer(line, line))
    >>> line[seriate_groups(distances, group_tokens(distances))].tolist()
    [0.0, 1.0, 2.0, 10.0, 11.0]
    """
    order = seriation_order(distances[np.ix_(groups.medoids, groups.medoids)])
    if len(order) and groups.sizes[order[-1]] > groups.sizes[order[0]]:
        order = order[::-1]  # the larger of the two ends comes first
    placed: list[int] = []
    for number in order:
        rows = np.flatnonzero(groups.members == number)
        inside = rows[seriation_order(distances[np.ix_(rows, rows)])]
        placed += _joined(distances, placed, inside, groups, order).tolist()
    return np.array(placed, np.int64)


def _joined(distances: F64, placed: list[int], rows: I64, groups: TokenGroups, order: I64) -> I64:
    """Return the tokens of a group in the direction that continues those before it."""
    if placed:
        turned = distances[placed[-1], rows[-1]] < distances[placed[-1], rows[0]]
    else:
        # the first group ends near the second
        following = groups.medoids[order[min(1, len(order) - 1)]]
        turned = distances[rows[0], following] < distances[rows[-1], following]
    return rows[::-1] if turned else rows
