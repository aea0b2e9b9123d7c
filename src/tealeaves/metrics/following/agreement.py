"""How well two ways to group the same documents agree, from their table of counts.

A row of the table is a topic, a column a label; the formulas are those of scikit-learn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers

Average = Literal["arithmetic", "geometric", "min", "max"]


def purities(table: Integers) -> Floats:
    """Return of each topic the share of documents with its most frequent label; NaN if empty.

    >>> purities(np.array([[3, 1], [0, 0]])).tolist()
    [0.75, nan]
    """
    sizes = table.sum(axis=1)
    most = table.max(axis=1, initial=0).astype(np.float64)
    shares: Floats = np.divide(most, sizes, out=np.full(len(most), np.nan), where=sizes > 0)
    return shares


def purity(table: Integers) -> float:
    """Return the share of documents that have the most frequent label of their topic."""
    return float(table.max(axis=1, initial=0).sum() / table.sum())


def normalised_mutual_information(table: Integers, average: Average) -> float:
    """Return the mutual information of topics and labels over a mean of their entropies.

    Where neither tells documents apart they agree, and the value is 1.
    """
    rows, columns = entropy(table.sum(axis=1)), entropy(table.sum(axis=0))
    if np.count_nonzero(table.sum(axis=1)) == np.count_nonzero(table.sum(axis=0)) == 1:
        return 1.0
    shared = rows + columns - entropy(table.ravel())
    if shared <= np.finfo(np.float64).eps:
        return 0.0
    between = {
        "arithmetic": (rows + columns) / 2,
        "geometric": float(np.sqrt(rows * columns)),
        "min": min(rows, columns),
        "max": max(rows, columns),
    }
    return min(1.0, shared / between[average])


def adjusted_rand_index(table: Integers) -> float:
    """Return the share of pairs of documents on which both agree, corrected for chance.

    Of the pairs, ``both`` are together by topic and by label, ``rows`` by topic, ``columns`` by
    label. Where all are together or none is, by both, the value is 1.
    """
    both, rows = _pairs(table.ravel()), _pairs(table.sum(axis=1))
    columns, every = _pairs(table.sum(axis=0)), _pairs(table.sum(keepdims=True).ravel())
    if rows == columns == both:
        return 1.0
    expected = rows * columns / every
    return (both - expected) / ((rows + columns) / 2 - expected)


def entropy(counts: Integers) -> float:
    """Return the entropy of counts, in nats."""
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log(shares)).sum())


def _pairs(counts: Integers) -> int:
    """Count the pairs within groups, with Python's numbers: these may be large."""
    return sum(n * (n - 1) // 2 for n in counts.tolist())
