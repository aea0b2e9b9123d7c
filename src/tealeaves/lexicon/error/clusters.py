"""Tokens as clusters of those that are expressed alike: BCubed, and indices of single expressions.

E looks at pairs. These look at the same tokens as measures of clusterings do.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.lexicon.error.kinds import Kinds, Series, Side

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64


class BCubed(NamedTuple):
    """Precision, recall and their harmonic mean; NaN where there are no tokens."""

    precision: float
    recall: float
    f: float


class Indices(NamedTuple):
    """Indices of two clusterings, and how many tokens they rest on; NaN for fewer than two."""

    ari: float
    v_measure: float
    tokens: int


def bcubed(extracted: Series, annotated: Series) -> BCubed:
    """Return extended BCubed, where a token may have several expressions or none.

    For each token, over all tokens that share an extracted expression with it (itself included):
    how many of the expressions that they share are borne out by shared annotated ones, at most all.
    The mean over tokens is precision; recall is the same with sides exchanged. Tokens that nothing
    expresses share that.

    References
    ----------
    Amigó, Gonzalo, Artiles and Verdejo (2009). A comparison of extrinsic clustering evaluation
    metrics based on formal constraints. Information Retrieval 12. doi:10.1007/s10791-008-9066-8

    >>> bcubed([{"a"}, {"a"}, {"b"}], [{"x"}, {"x"}, {"x"}])  # recall: (2/3 + 2/3 + 1/3) / 3
    BCubed(precision=1.0, recall=0.555556, f=0.714286)
    """
    return bcubed_of(Kinds.of(extracted, annotated))


def bcubed_of(kinds: Kinds) -> BCubed:
    """Return extended BCubed of tokens that are sorted already."""
    if not kinds.tokens:
        return BCubed(math.nan, math.nan, math.nan)
    e, a = (_shared(side) for side in (kinds.extracted, kinds.annotated))
    borne = np.minimum(e, a)
    precision, recall = (_mean_share(borne, shared, kinds.counts) for shared in (e, a))
    return BCubed(precision, recall, 2 * precision * recall / (precision + recall))


def _shared(side: Side) -> F64:
    """Return how much two kinds share; those that nothing expresses share one thing."""
    found: F64 = side.shared + np.outer(side.empty, side.empty)
    return found


def _mean_share(borne: F64, shared: F64, counts: F64) -> float:
    shares = borne / np.maximum(shared, 1)
    by_kind = (shares @ counts) / ((shared > 0) @ counts)
    return float(by_kind @ counts / counts.sum())


def indices(extracted: Series, annotated: Series) -> Indices:
    """Return the adjusted Rand index and the V-measure of tokens with one expression on each side.

    Other tokens belong to no cluster, or to several, and are left out. Both are 1 where the two
    sides are the same clustering, even one that leaves nothing to be told apart.

    References
    ----------
    Hubert and Arabie (1985). Comparing partitions. Journal of Classification 2.
    Rosenberg and Hirschberg (2007). V-measure. EMNLP.

    >>> indices([{"a"}, {"a"}, {"b"}, set()], [{"x"}, {"y"}, {"y"}, {"y"}])
    Indices(ari=-0.5, v_measure=0.274018, tokens=3)
    """
    return indices_of(Kinds.of(extracted, annotated))


def indices_of(kinds: Kinds) -> Indices:
    """Return the indices of tokens that are sorted already."""
    cells: Counter[tuple[str, str]] = Counter()
    for e, a, count in zip(
        kinds.extracted.sets, kinds.annotated.sets, kinds.counts.tolist(), strict=True
    ):
        if len(e) == len(a) == 1:
            cells[min(e), min(a)] += int(count)
    tokens = cells.total()
    if tokens < 2:
        return Indices(math.nan, math.nan, tokens)
    rows: Counter[str] = Counter()
    columns: Counter[str] = Counter()
    for (e_label, a_label), count in cells.items():
        rows[e_label] += count
        columns[a_label] += count
    sizes = (list(cells.values()), list(rows.values()), list(columns.values()))
    return Indices(_ari(*sizes), _v_measure(*sizes), tokens)


def _ari(cells: list[int], rows: list[int], columns: list[int]) -> float:
    both, in_rows, in_columns = (
        sum(math.comb(n, 2) for n in some) for some in (cells, rows, columns)
    )
    expected = in_rows * in_columns / math.comb(sum(cells), 2)
    most = (in_rows + in_columns) / 2
    # nothing varies only where all tokens are one cluster, or each its own, on both sides
    return (both - expected) / (most - expected) if most != expected else 1.0


def _v_measure(cells: list[int], rows: list[int], columns: list[int]) -> float:
    joint, of_rows, of_columns = (_entropy(some) for some in (cells, rows, columns))
    shared = max(0.0, of_rows + of_columns - joint)
    # 2 h c / (h + c) with h = I / H(columns) and c = I / H(rows)
    total = of_rows + of_columns
    return min(1.0, 2 * shared / total) if total else 1.0


def _entropy(sizes: Iterable[int]) -> float:
    held = np.array(list(sizes), np.float64)
    shares = held / held.sum()
    return float(-(shares * np.log(shares)).sum())
