"""Gradient boosted regression trees.

Friedman (2001), "Greedy Function Approximation", and (2002), "Stochastic Gradient Boosting"; for
squared error, with features in bins, as is usual since LightGBM (Ke et al. 2017).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.estimator.learners.fitted import Fitted, numbers, training_rows
from tealeaves.estimator.learners.growing import Binned, Growth, grow
from tealeaves.estimator.learners.tree_kernels import add_leaves

#: The feature of a node that is a leaf.
LEAF = -1


class BoostedTrees(Fitted, frozen=True, tag="trees", kw_only=True):
    """The sum of trees: each row comes to one leaf of each, whose value is added.

    A tree is a list of nodes, its root first, children after their parents. A row goes left where
    its ``features[tree][node]`` is at most ``thresholds[tree][node]``. Leaves have feature -1.

    >>> step = BoostedTrees(
    ...     count=1, start=10, features=[[0, -1, -1]], thresholds=[[2, 0, 0]],
    ...     left=[[1, 0, 0]], right=[[2, 0, 0]], values=[[0, -1, 1]],
    ... )
    >>> step.predict(np.array([[2.0], [2.5]]))
    array([ 9., 11.])
    """

    count: int
    start: float
    features: list[list[int]]
    thresholds: list[list[float]]
    left: list[list[int]]
    right: list[list[int]]
    values: list[list[float]]

    def __post_init__(self) -> None:
        """Refuse trees that are no trees, or whose parts do not belong together."""
        if self.count < 1:
            raise InputError(f"count: {self.count} features: the estimator is damaged")
        numbers([self.start], 1, "start")
        for name in ("thresholds", "left", "right", "values"):
            trees = len(getattr(self, name))
            if trees != len(self.features):
                raise InputError(
                    f"{name}: of {trees} trees, not {len(self.features)}: the estimator is damaged"
                )
        for tree in range(len(self.features)):
            self._check_tree(tree)

    def _check_tree(self, tree: int) -> None:
        size = len(self.features[tree])
        where = f" of tree {tree + 1}"
        features = numbers(self.features[tree], size, f"features{where}").astype(np.int64)
        numbers(self.thresholds[tree], size, f"thresholds{where}")
        numbers(self.values[tree], size, f"values{where}")
        if not size or (features < LEAF).any() or (features >= self.count).any():
            raise InputError(
                f"features{where}: not all are below {self.count}: the estimator is damaged"
            )
        inner = features != LEAF
        for name in ("left", "right"):
            child = numbers(getattr(self, name)[tree], size, f"{name}{where}").astype(np.int64)
            # a child after its parent: no row can go in a circle
            if ((child <= np.arange(size)) | (child >= size))[inner].any():
                raise InputError(
                    f"{name}{where}: a node has no such child: the estimator is damaged"
                )

    @property
    def width(self) -> int:
        """How many features it wants."""
        return self.count

    def _predicted(self, rows: Floats) -> Floats:
        said = np.full(len(rows), float(self.start))
        sizes = [len(tree) for tree in self.features]
        add_leaves(
            np.ascontiguousarray(rows).ravel(),
            self.count,
            np.cumsum([0, *sizes[:-1]], dtype=np.int64) if sizes else np.zeros(0, np.int64),
            _joined(self.features, np.int64),
            _joined(self.thresholds, np.float64),
            _joined(self.left, np.int64),
            _joined(self.right, np.int64),
            _joined(self.values, np.float64),
            said,
        )
        return said


def fit_trees(
    X: Floats,  # noqa: N803
    y: Floats,
    *,
    trees: int = 200,
    depth: int = 3,
    learning_rate: float = 0.05,
    smallest_leaf: int = 20,
    share: float = 0.5,
    seed: int = 0,
) -> BoostedTrees:
    """Add trees, each grown on what those before it leave unexplained of a share of the rows.

    >>> rows = np.arange(40.0)[:, None]
    >>> half = fit_trees(rows, np.repeat([1.0, 3.0], 20), trees=1, learning_rate=1.0, share=1.0)
    >>> half.thresholds[0][0], half.predict(np.array([[0.0], [30.0]])).tolist()
    (19.5, [1.0, 3.0])
    """
    rows, targets = training_rows(X, y)
    _check(trees, depth, learning_rate, smallest_leaf, share)
    binned = Binned.of(rows)
    start = float(targets.mean())
    residuals = targets - start
    rng = np.random.default_rng(seed)
    drawn = np.arange(len(rows))
    grown: list[Growth] = []
    for _ in range(trees):
        if share < 1:
            some = max(1, round(share * len(rows)))
            drawn = np.sort(rng.choice(len(rows), size=some, replace=False, shuffle=False))
        tree, nodes = grow(binned, residuals, drawn, depth, smallest_leaf)
        np.multiply(tree.values, learning_rate, out=tree.values)
        residuals -= tree.values[nodes]
        grown.append(tree)
    return BoostedTrees(
        count=rows.shape[1],
        start=start,
        features=[tree.features.tolist() for tree in grown],
        thresholds=[tree.thresholds.tolist() for tree in grown],
        left=[tree.left.tolist() for tree in grown],
        right=[tree.right.tolist() for tree in grown],
        values=[tree.values.tolist() for tree in grown],
    )


def _joined(lists: Sequence[Sequence[float]], kind: type) -> NDArray[Any]:
    return np.array([value for some in lists for value in some], dtype=kind)


def _check(trees: int, depth: int, learning_rate: float, smallest_leaf: int, share: float) -> None:
    for name, value in (("trees", trees), ("depth", depth), ("smallest_leaf", smallest_leaf)):
        if value < 1:
            raise InputError(f"{name}={value}: must be 1 or more")
    for name, part in (("learning_rate", learning_rate), ("share", share)):
        if not 0 < part <= 1:
            raise InputError(f"{name}={part}: must be above 0 and at most 1")
