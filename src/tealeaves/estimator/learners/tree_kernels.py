"""The loops of boosted trees: sums in bins, and the way of a row from root to leaf."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.compiling.kernel import compiled

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64, I64, U8


@compiled
def sum_in_bins(
    bins: U8,
    drawn: I64,
    nodes: I64,
    residuals: F64,
    first: int,
    width: int,
    size: int,
    sums: F64,
    counts: I64,
) -> None:
    """Add the rows drawn to the bins of their nodes, from node ``first`` on.

    A row has ``width`` bins, one a feature; a feature has ``size`` bins in each node.
    """
    for row in drawn:
        node = nodes[row] - first
        if node >= 0:
            residual = residuals[row]
            for feature in range(width):
                cell = (node * width + feature) * size + bins[row * width + feature]
                sums[cell] += residual
                counts[cell] += 1


@compiled
def step_down(
    bins: U8, nodes: I64, width: int, features: I64, cuts: I64, left: I64, right: I64
) -> None:
    """Move each row from its node to the child it belongs to, if the node has children."""
    for row in range(len(nodes)):
        node = nodes[row]
        feature = features[node]
        if feature >= 0:
            if bins[row * width + feature] <= cuts[node]:
                nodes[row] = left[node]
            else:
                nodes[row] = right[node]


@compiled
def add_leaves(
    rows: F64,
    width: int,
    roots: I64,
    features: I64,
    thresholds: F64,
    left: I64,
    right: I64,
    values: F64,
    said: F64,
) -> None:
    """Add to each row's prediction the values of the leaves it comes to, one in each tree."""
    for row in range(len(said)):
        total = said[row]
        for root in roots:
            node = root
            while features[node] >= 0:
                if rows[row * width + features[node]] <= thresholds[node]:
                    node = root + left[node]
                else:
                    node = root + right[node]
            total += values[node]
        said[row] = total
