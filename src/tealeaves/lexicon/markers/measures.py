"""Measures of association: how far a marker and a seed occur in the same passages.

All take four numbers: the passages with both, with the marker, with the seed, and all passages. All
are larger the stronger the association is, and are at most 0 if marker and seed occur together no
more often than by chance (but ``fisher``, which is never negative).
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from tealeaves.kernels import F64


def expected(marker: ArrayLike, seed: float, total: float) -> F64:
    """Return the number of passages with both that is expected by chance."""
    return np.asarray(marker, np.float64) * seed / total


def t_score(both: ArrayLike, marker: ArrayLike, seed: int, total: int) -> F64:
    """Return (O - E) / √O (Fung and Church 1994); NaN if no passage has both.

    >>> t_score([4, 1], [5, 10], 10, 100).tolist()
    [1.75, 0.0]
    """
    observed = np.asarray(both, np.float64)
    root = np.sqrt(np.where(observed > 0, observed, np.nan))
    score: F64 = (observed - expected(marker, seed, total)) / root
    return score


def log_likelihood(both: ArrayLike, marker: ArrayLike, seed: int, total: int) -> F64:
    """Return Dunning's G², 2 Σ O ln(O / E) over the four cells; negative below chance.

    >>> log_likelihood([4, 1, 0], [5, 10, 30], 10, 100).round(3).tolist()
    [15.254, 0.0, -7.6]
    """
    cells, chance = _tables(both, marker, seed, total)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(cells > 0, cells * np.log(cells / chance), 0.0)
    # rounding can make it negative
    return _signed(2 * np.maximum(parts.sum(axis=0), 0.0), cells, chance)


def chi_square(
    both: ArrayLike, marker: ArrayLike, seed: int, total: int, *, yates: bool = True
) -> F64:
    """Return Pearson's χ², with Yates's correction or without; negative below chance.

    It is NaN if a margin is empty.

    >>> chi_square([4], [5], 10, 100, yates=False).round(3).tolist()
    [28.655]
    >>> chi_square([4], [5], 10, 100).round(3).tolist()
    [21.053]
    """
    cells, chance = _tables(both, marker, seed, total)
    apart = np.abs(cells - chance)
    if yates:
        apart -= np.minimum(0.5, apart)
    with np.errstate(divide="ignore", invalid="ignore"):
        return _signed((apart * apart / chance).sum(axis=0), cells, chance)


def fisher(both: ArrayLike, marker: ArrayLike, seed: int, total: int) -> F64:
    """Return -log10 p of Fisher's exact test, one-sided: 6 stands for p = 10⁻⁶.

    It is never negative: if both occur together as often as by chance, it is near 0.

    >>> fisher([4], [5], 10, 100).round(4).tolist()
    [3.5945]
    """
    from tealeaves.lexicon.markers.kernels import upper_tails

    observed = np.ascontiguousarray(np.atleast_1d(both), np.int64)
    margin = np.ascontiguousarray(np.atleast_1d(marker), np.int64)
    logs = np.zeros(int(total) + 1)
    np.cumsum(np.log(np.arange(1, int(total) + 1)), out=logs[1:])
    tails = np.empty(len(observed))
    upper_tails(observed, margin, int(seed), int(total), logs, tails)
    # not -0.0 if p is 1
    score: F64 = np.abs(tails) / np.log(10)
    return score


def _tables(both: ArrayLike, marker: ArrayLike, seed: int, total: int) -> tuple[F64, F64]:
    """Return the observed and expected cells: both, marker only, seed only, neither."""
    a, f = np.asarray(both, np.float64), np.asarray(marker, np.float64)
    cells = np.stack([a, f - a, seed - a, total - f - seed + a])
    shares = np.array([seed, total - seed], np.float64) / total
    chance = np.stack(
        [f * shares[0], f * shares[1], (total - f) * shares[0], (total - f) * shares[1]]
    )
    return cells, chance


def _signed(score: F64, cells: F64, chance: F64) -> F64:
    return np.where(cells[0] < chance[0], -score, score)


#: The measures by name.
MEASURES: MappingProxyType[str, Any] = MappingProxyType(
    {"g2": log_likelihood, "t": t_score, "chi2": chi_square, "fisher": fisher}
)
#: The least score of a marker, if no other is set: for G² and χ² that of p = .001.
THRESHOLDS = MappingProxyType({"g2": 10.83, "t": 2.0, "chi2": 10.83, "fisher": 6.0})
