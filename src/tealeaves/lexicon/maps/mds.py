"""Multidimensional scaling: points in a plane whose distances are those of tokens."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tealeaves.kernels import F64
    from tealeaves.lexicon.maps.distances import Distances


_LEAST_GAIN = 1e-5  # the gain in stress that is worth another step


@dataclass(frozen=True, eq=False)
class Layout:
    """The points of tokens.

    Parameters
    ----------
    points
        A row of coordinates for each token.
    stress
        Kruskal's stress-1 between the distances and those of the points: 0 is perfect, NaN if all
        distances are 0.
    explained
        The share of each dimension of the classical scaling in the positive eigenvalues; NaN if
        there are none.
    """

    points: F64
    stress: float
    explained: tuple[float, ...]

    @property
    def stress_text(self) -> str:
        """The stress with three digits; a dash if it is NaN."""
        return "–" if math.isnan(self.stress) else f"{self.stress:.3f}"


def classical_mds(distances: Distances, dimensions: int = 2) -> Layout:
    """Return the classical scaling of Torgerson (1952): the eigenvectors of squared distances.

    Unknown distances are replaced by the mean of the others of the two tokens. Each dimension has
    its farthest token on the positive side.

    >>> import numpy as np
    >>> from tealeaves.lexicon.maps.distances import Distances
    >>> line = np.abs(np.subtract.outer([0.0, 1.0, 3.0], [0.0, 1.0, 3.0]))
    >>> layout = classical_mds(Distances(line, np.ones((3, 3), np.int64)), 1)
    >>> layout.points.ravel().round(3).tolist()
    [-1.333, -0.333, 1.667]
    """
    size = len(distances.values)
    points = np.zeros((size, dimensions))
    if not size:
        return Layout(points, float("nan"), (float("nan"),) * dimensions)
    squares = filled(distances.values) ** 2
    means = squares.mean(0)
    product = -0.5 * (squares - means - means[:, None] + squares.mean())
    values, vectors = np.linalg.eigh(product)
    # eigenvalues that only rounding leaves are no dimensions
    positive = np.where(values > 1e-9 * max(1.0, float(values[-1])), values, 0.0)[::-1]
    kept = min(dimensions, size)
    points[:, :kept] = vectors[:, ::-1][:, :kept] * np.sqrt(positive[:kept])
    total = float(positive.sum())
    shares = [float(value) / total if total else float("nan") for value in positive[:kept]]
    shares += [0.0 if total else float("nan")] * (dimensions - kept)
    points = _turned(points)
    return Layout(points, stress(distances, points), tuple(shares))


def smacof(distances: Distances, dimensions: int = 2, *, steps: int = 300) -> Layout:
    """Return the scaling of least stress, starting from the classical one (de Leeuw 1977, SMACOF).

    The weight of a pair is the number of languages that express both of its tokens.
    """
    start = classical_mds(distances, dimensions)
    points, values = start.points, np.nan_to_num(distances.values)
    weights = distances.support * (1.0 - np.eye(len(values)))
    wanted = weights * values
    if not wanted.any():
        return start
    # Moving all tokens together changes nothing. What rounding leaves of that is not inverted.
    inverse = np.linalg.pinv(_laplacian(weights), rcond=1e-10, hermitian=True)
    apart = _between(points)
    before = _stress(weights, values, apart)
    for _ in range(steps):
        # tokens at the same point have no direction
        ratios = np.divide(wanted, apart, out=np.zeros_like(wanted), where=apart > 1e-12)
        points = inverse @ (_laplacian(ratios) @ points)
        apart = _between(points)
        now = _stress(weights, values, apart)
        if before - now < _LEAST_GAIN:
            break
        before = now
    points = _turned(_principal(points))
    return Layout(points, stress(distances, points), start.explained)


def stress(distances: Distances, points: F64) -> float:
    """Return Kruskal's stress-1 of points; pairs have the weights of :func:`smacof`."""
    weights = np.triu(distances.support, 1).astype(np.float64)
    return _stress(weights, np.nan_to_num(distances.values), _between(points))


def _stress(weights: F64, values: F64, shown: F64) -> float:
    total = float((weights * values**2).sum())
    missed = float((weights * (values - shown) ** 2).sum())
    return float(np.sqrt(missed / total)) if total else np.nan


def filled(values: F64) -> F64:
    """Return distances, with unknown ones replaced by the mean of the others of the two tokens."""
    missing = np.isnan(values)
    if not missing.any():
        return values
    others = ~missing & ~np.eye(len(values), dtype=bool)
    number = others.sum(1)
    all_mean = float(values[others].mean()) if others.any() else 1.0
    sums = np.where(others, values, 0.0).sum(1)
    means = np.where(number > 0, sums / np.maximum(number, 1), all_mean)
    complete: F64 = np.where(missing, (means + means[:, None]) / 2, values)
    np.fill_diagonal(complete, 0)
    return complete


def _laplacian(weights: F64) -> F64:
    return np.diag(weights.sum(1)) - weights


def _between(points: F64) -> F64:
    # dimension by dimension: three times as fast as all at once
    squares = sum(np.subtract.outer(column, column) ** 2 for column in points.T)
    return np.asarray(np.sqrt(squares))


def _principal(points: F64) -> F64:
    """Return points centred at 0, with most of their variance in the first dimension."""
    centred = points - points.mean(0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    return np.asarray(centred @ axes.T) if len(axes) == points.shape[1] else centred


def _turned(points: F64) -> F64:
    """Return points whose farthest in each dimension is on the positive side."""
    if not len(points):
        return points
    # rounded, so that the last digit does not decide between points that are equally far
    farthest = np.abs(points).round(9).argmax(0)
    signs = np.where(points[farthest, np.arange(points.shape[1])] < 0, -1.0, 1.0)
    return np.asarray(points * signs)
