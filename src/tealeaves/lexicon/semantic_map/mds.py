"""Multidimensional scaling: distances as a picture."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64
    from tealeaves.lexicon.semantic_map.distances import Distances


_LEAST_GAIN = 1e-5  # of stress, for another step


@dataclass(frozen=True, eq=False)
class Layout:
    """Where tokens lie.

    Parameters
    ----------
    points
        A row of coordinates for each token.
    stress
        Kruskal's stress-1, between the distances and those of the picture: 0 is perfect, NaN where
        there is no distance to show.
    explained
        The share of each dimension of the classical scaling in the positive eigenvalues; NaN where
        there are none.
    """

    points: F64
    stress: float
    explained: tuple[float, ...]

    @property
    def stress_told(self) -> str:
        """The stress with three digits; a dash where there is none."""
        return "–" if math.isnan(self.stress) else f"{self.stress:.3f}"


def classical_mds(distances: Distances, dimensions: int = 2) -> Layout:
    """Return the classical scaling of Torgerson (1952): the eigenvectors of squared distances.

    Distances that are not known are taken for the mean of what the two tokens have else. Each
    dimension is turned so that its farthest token lies on the positive side.

    >>> import numpy as np
    >>> from tealeaves.lexicon.semantic_map.distances import Distances
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
    # what rounding leaves is no dimension
    positive = np.where(values > 1e-9 * max(1.0, float(values[-1])), values, 0.0)[::-1]
    kept = min(dimensions, size)
    points[:, :kept] = vectors[:, ::-1][:, :kept] * np.sqrt(positive[:kept])
    total = float(positive.sum())
    shares = [float(value) / total if total else float("nan") for value in positive[:kept]]
    shares += [0.0 if total else float("nan")] * (dimensions - kept)
    points = _turned(points)
    return Layout(points, stress(distances, points), tuple(shares))


def smacof(distances: Distances, dimensions: int = 2, *, steps: int = 300) -> Layout:
    """Return the scaling of least stress, from the classical one (de Leeuw 1977, SMACOF).

    A pair weighs as many as there are languages that express both of its tokens; one that no
    language does weighs nothing.
    """
    start = classical_mds(distances, dimensions)
    points, values = start.points, np.nan_to_num(distances.values)
    weights = distances.support * (1.0 - np.eye(len(values)))
    wanted = weights * values
    if not wanted.any():
        return start
    # tokens may be moved together for nothing: what rounding leaves of that must not be inverted
    inverse = np.linalg.pinv(_laplacian(weights), rcond=1e-10, hermitian=True)
    apart = _between(points)
    before = _stress(weights, values, apart)
    for _ in range(steps):
        # tokens at one point do not say where to
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
    """Return Kruskal's stress-1 of a picture; pairs weigh as in :func:`smacof`."""
    weights = np.triu(distances.support, 1).astype(np.float64)
    return _stress(weights, np.nan_to_num(distances.values), _between(points))


def _stress(weights: F64, values: F64, shown: F64) -> float:
    total = float((weights * values**2).sum())
    missed = float((weights * (values - shown) ** 2).sum())
    return float(np.sqrt(missed / total)) if total else np.nan


def filled(values: F64) -> F64:
    """Return distances, with those that are not known taken for the mean of the two tokens'."""
    missing = np.isnan(values)
    if not missing.any():
        return values
    others = ~missing & ~np.eye(len(values), dtype=bool)
    number = others.sum(1)
    all_mean = float(values[others].mean()) if others.any() else 1.0
    sums = np.where(others, values, 0.0).sum(1)
    means = np.where(number > 0, sums / np.maximum(number, 1), all_mean)
    made: F64 = np.where(missing, (means + means[:, None]) / 2, values)
    np.fill_diagonal(made, 0)
    return made


def _laplacian(weights: F64) -> F64:
    return np.diag(weights.sum(1)) - weights


def _between(points: F64) -> F64:
    # dimension by dimension: three times as quick as all at once
    squares = sum(np.subtract.outer(column, column) ** 2 for column in points.T)
    return np.asarray(np.sqrt(squares))


def _principal(points: F64) -> F64:
    """Return points around 0, with most of their spread along the first dimension."""
    centred = points - points.mean(0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    return np.asarray(centred @ axes.T) if len(axes) == points.shape[1] else centred


def _turned(points: F64) -> F64:
    """Return points whose farthest in each dimension is on the positive side."""
    if not len(points):
        return points
    # rounded: two that are equally far must not swap by the last digit
    farthest = np.abs(points).round(9).argmax(0)
    signs = np.where(points[farthest, np.arange(points.shape[1])] < 0, -1.0, 1.0)
    return np.asarray(points * signs)
