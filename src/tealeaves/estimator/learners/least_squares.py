"""Ordinary least squares for bootstrap samples of the same rows, many times over."""

from __future__ import annotations

import numpy as np

from tealeaves.arrays import Floats

#: Below this ratio of eigenvalues a sample is solved from its rows: products would lose digits.
SOUND = 1e-7


class Samples:
    """Rows from which samples are drawn, and the linear model of least squares for each.

    A sample is how often each row is in it. The rows are rotated once to uncorrelated columns; in
    these the normal equations of a sample are well conditioned, so that a sample costs two
    matrix products and no decomposition of all rows.
    """

    def __init__(self, rows: Floats, targets: Floats) -> None:
        self.rows, self.targets = rows, targets
        self.centre = rows.mean(axis=0)
        centred = rows - self.centre
        centred[:, np.ptp(rows, axis=0) == 0] = 0  # the mean of equal numbers may be off by a bit
        spread = np.sqrt((centred**2).mean(axis=0))
        self.spread = np.where(spread > 0, spread, 1.0)
        left, singular, right = np.linalg.svd(centred / self.spread, full_matrices=False)
        rank = int((singular > max(rows.shape) * np.finfo(float).eps * max(singular[0], 1)).sum())
        size = np.sqrt(len(rows))
        #: an intercept, then the rotated columns, all of mean square 1; each lies in one piece
        self.columns = np.vstack([np.ones(len(rows)), left[:, :rank].T * size])
        self.back = (right[:rank].T / singular[:rank]) * size  # rotated to standardised slopes
        self.shortest = self._shortest(right[:rank]) if rank < rows.shape[1] else None

    def _shortest(self, right: Floats) -> Floats:
        """Return the projection to slopes of the least norm, where columns are collinear."""
        basis, _ = np.linalg.qr(self.spread[:, None] * right.T)
        projection: Floats = basis @ basis.T
        return projection

    def solve(self, counts: Floats) -> tuple[Floats, float, Floats]:
        """Return slopes and intercept for a sample, and what they say of every row."""
        root = np.sqrt(counts)
        scaled = self.columns * root
        values, vectors = np.linalg.eigh(scaled @ scaled.T)
        if values[0] <= SOUND * values[-1]:
            return self._solve_rows(counts)
        rotated = vectors @ ((vectors.T @ (scaled @ (self.targets * root))) / values)
        slopes = (self.back @ rotated[1:]) / self.spread
        if self.shortest is not None:
            slopes = self.shortest @ slopes
        return slopes, float(rotated[0] - self.centre @ slopes), rotated @ self.columns

    def _solve_rows(self, counts: Floats) -> tuple[Floats, float, Floats]:
        """Solve from the rows of the sample: it has too few, or too similar ones, for products."""
        drawn = np.flatnonzero(counts)
        times = counts[drawn]
        rows, targets = self.rows[drawn], self.targets[drawn]
        centre, middle = np.average(rows, axis=0, weights=times), np.average(targets, weights=times)
        centred = np.where(np.ptp(rows, axis=0) == 0, 0, rows - centre)  # as above
        root = np.sqrt(times)
        tolerance = max(times.sum(), rows.shape[1]) * np.finfo(float).eps
        scaled = centred * root[:, None], (targets - middle) * root
        slopes: Floats = np.linalg.lstsq(*scaled, rcond=tolerance)[0].astype(np.float64)
        intercept = float(middle - centre @ slopes)
        return slopes, intercept, self.rows @ slopes + intercept
