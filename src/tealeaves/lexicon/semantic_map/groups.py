"""``Groups``: tokens that lie close together, each group around one of its tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64, I64

MOST = 8  # groups that are tried, where their number is not given
_SWAPS = 100


@dataclass(frozen=True, eq=False)
class Groups:
    """Tokens in groups, the largest group first.

    Parameters
    ----------
    members
        The number of each token's group.
    medoids
        The token of each group that is nearest to all its others: its example.
    silhouette
        The mean silhouette of the tokens (Rousseeuw 1987): 1 where groups are far from each other
        and close in themselves, 0 where there is nothing to tell them apart by. NaN for one group.
    """

    members: I64
    medoids: I64
    silhouette: float

    def __len__(self) -> int:
        return len(self.medoids)

    @property
    def sizes(self) -> I64:
        """How many tokens each group has."""
        return np.bincount(self.members, minlength=len(self))


def group_tokens(distances: F64, number: int | None = None) -> Groups:
    """Group tokens around medoids; of 2 to 8 groups take the number of the largest silhouette.

    There is one group where no division has a positive silhouette. Distances must all be known.

    >>> line = np.array([0.0, 1.0, 2.0, 10.0, 11.0])
    >>> groups = group_tokens(np.abs(np.subtract.outer(line, line)))
    >>> groups.members.tolist(), groups.medoids.tolist(), round(groups.silhouette, 3)
    ([0, 0, 0, 1, 1], [1, 3], 0.873)
    """
    # tokens at one place cannot be told apart: they are one group at most
    places = len(np.unique(distances.round(9), axis=0))
    if number is not None:
        return _grouped(distances, min(number, places))
    best = _grouped(distances, min(1, places))
    for count in range(2, min(MOST, places, len(distances) - 1) + 1):
        found = _grouped(distances, count)
        if found.silhouette > (best.silhouette if len(best) > 1 else 0.0):
            best = found
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
    """Return the tokens to which all are nearest in sum: PAM (Kaufman and Rousseeuw 1990).

    Each medoid is first added for the most gain; then one is swapped for another token as long as
    that makes the sum smaller.

    >>> line = np.array([0.0, 1.0, 2.0, 10.0, 11.0])
    >>> find_medoids(np.abs(np.subtract.outer(line, line)), 2).tolist()
    [1, 3]
    """
    medoids: list[int] = []
    nearest = np.full(len(distances), np.inf)
    for _ in range(number):
        costs = np.minimum(distances, nearest[:, None]).sum(0)
        # a second medoid at the place of the first would gain nothing
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
    # where a medoid goes, its tokens have the second nearest or the new one
    without = [np.where(own == number, second, first) for number in range(len(medoids))]
    costs = np.array([np.minimum(distances, left[:, None]).sum(0) for left in without])
    out, into = np.unravel_index(int(costs.argmin()), costs.shape)
    if costs[out, into] >= first.sum() - 1e-9:
        return False
    medoids[int(out)] = int(into)
    return True


def _grouped(distances: F64, number: int) -> Groups:
    size = len(distances)
    if number < 1:
        return Groups(np.zeros(size, np.int64), np.zeros(0, np.int64), float("nan"))
    medoids = find_medoids(distances, number)
    # where languages are missing, two medoids can lie at distance 0: one has all, the other goes
    used, members = np.unique(distances[:, medoids].argmin(1), return_inverse=True)
    medoids, number = medoids[used], len(used)
    # the largest first; of equal ones that of the earlier example
    order = np.argsort(-np.bincount(members, minlength=number), kind="stable")
    members = np.argsort(order)[members]
    silhouette = float(silhouettes(distances, members).mean()) if number > 1 else float("nan")
    return Groups(members, medoids[order], silhouette)
