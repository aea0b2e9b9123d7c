"""The growth of one regression tree, level by level, on features in bins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats, Integers
from tealeaves.estimator.learners.tree_kernels import step_down, sum_in_bins

#: Bins of a feature at most; with fewer values each has its own.
BINS = 128


@dataclass(frozen=True)
class Binned:
    """Rows of features as numbers of bins; ``edges[feature][bin]`` is the bin's highest value."""

    bins: NDArray[np.uint8]
    edges: list[Floats]

    @classmethod
    def of(cls, rows: Floats) -> Binned:
        """Put values into bins: one for each value, or so that bins have as many rows.

        >>> Binned.of(np.array([[1.0], [2.0], [4.0]])).edges
        [array([1.5, 3. ])]
        """
        edges = [_edges(column) for column in rows.T]
        bins = np.empty(rows.shape, dtype=np.uint8)
        for feature, cuts in enumerate(edges):
            bins[:, feature] = np.searchsorted(cuts, rows[:, feature], side="left")
        return cls(bins.ravel(), edges)


@dataclass(frozen=True)
class Growth:
    """A tree as it grows: arrays with a number for each node; feature -1 is a leaf."""

    features: Integers
    cuts: Integers
    thresholds: Floats
    left: Integers
    right: Integers
    values: Floats

    def cut_to(self, size: int) -> Growth:
        """Return the nodes that there are."""
        return Growth(*(getattr(self, name)[:size] for name in self.__dataclass_fields__))


@dataclass(frozen=True)
class Level:
    """The nodes of a level: their sums and counts in bins, (node, feature, bin)."""

    sums: Floats
    counts: Integers


def grow(
    binned: Binned, residuals: Floats, drawn: Integers, depth: int, smallest_leaf: int
) -> tuple[Growth, Integers]:
    """Grow a tree on the rows drawn; return it and the leaf of every row, drawn or not."""
    most = 2 ** (depth + 1) - 1
    whole = [np.zeros(most, dtype=np.int64) for _ in range(4)]
    tree = Growth(whole[0] - 1, whole[1], np.zeros(most), whole[2], whole[3], np.zeros(most))
    nodes = np.zeros(len(residuals), dtype=np.int64)
    tree.values[0] = residuals[drawn].mean()
    first, size = 0, 1
    for _ in range(depth):
        level = _level(binned, residuals, drawn, nodes, first, size)
        before = size
        for node, feature, cut in _splits(level, first, smallest_leaf):
            _split(tree, level, node - first, node, feature, cut, size)
            tree.thresholds[node] = binned.edges[feature][cut]
            size += 2
        if size == before:
            break
        step_down(
            binned.bins, nodes, len(binned.edges), tree.features, tree.cuts, tree.left, tree.right
        )
        first = before
    tree.values[tree.features >= 0] = 0
    return tree.cut_to(size), nodes


def _level(
    binned: Binned, residuals: Floats, drawn: Integers, nodes: Integers, first: int, size: int
) -> Level:
    width = len(binned.edges)
    bins = max(map(len, binned.edges)) + 1
    shape = (size - first, width, bins)
    sums, counts = np.zeros(shape), np.zeros(shape, dtype=np.int64)
    sum_in_bins(
        binned.bins, drawn, nodes, residuals, first, width, bins, sums.ravel(), counts.ravel()
    )
    return Level(sums, counts)


def _splits(level: Level, first: int, smallest_leaf: int) -> list[tuple[int, int, int]]:
    """Return (node, feature, cut) of the best split of each node that has one.

    The best one lowers the squared error most: by a**2 / n of the sides, less that of the whole.
    """
    sums, counts = level.sums.cumsum(axis=2), level.counts.cumsum(axis=2)
    total, number = sums[:, :, -1:], counts[:, :, -1:]
    sound = (counts >= smallest_leaf) & (number - counts >= smallest_leaf)
    here, there = np.where(sound, counts, 1), np.where(sound, number - counts, 1)
    gain = sums**2 / here + (total - sums) ** 2 / there - total**2 / np.maximum(number, 1)
    gain = np.where(sound, gain, -np.inf).reshape(len(sums), -1)
    best = gain.argmax(axis=1)
    # a gain of rounding alone is none
    least = 1e-12 * np.square(total[:, 0, 0]) / np.maximum(number[:, 0, 0], 1)
    found = np.flatnonzero(gain[np.arange(len(best)), best] > least)
    return [(first + int(k), *divmod(int(best[k]), sums.shape[2])) for k in found]


def _split(
    tree: Growth, level: Level, place: int, node: int, feature: int, cut: int, size: int
) -> None:
    """Give a node two children, with the means of their rows."""
    tree.features[node], tree.cuts[node] = feature, cut
    sums, counts = level.sums[place, feature], level.counts[place, feature]
    for child, part in ((size, slice(0, cut + 1)), (size + 1, slice(cut + 1, None))):
        tree.values[child] = sums[part].sum() / counts[part].sum()
    tree.left[node], tree.right[node] = size, size + 1


def _edges(column: Floats) -> Floats:
    values = np.unique(column)
    if len(values) > BINS:
        cuts = np.quantile(column, np.arange(1, BINS) / BINS, method="midpoint")
        return np.unique(cuts)
    return (values[:-1] + values[1:]) / 2
