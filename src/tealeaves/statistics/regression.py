"""The least-squares line through points, and its confidence band."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from tealeaves.arrays import Floats

_STEPS = 41


class FittedLine(NamedTuple):
    """Points of a line, and the limits of its band; NaN if there is none."""

    x: Floats
    y: Floats
    low: Floats
    high: Floats


def fitted_line(x: Floats, y: Floats, level: float = 0.95) -> FittedLine | None:
    """Fit a line with the confidence band of its mean: where the line is, not where the points are.

    At x₀ the band is ŷ ± t s √(1/n + (x₀ − x̄)² / Σ(x − x̄)²), with t of n − 2 degrees of freedom.
    It takes the points for independent of each other. There is no line (None) if x is constant or
    there are fewer than two points; two points have a line without a band.

    >>> line = fitted_line(np.array([0.0, 1.0, 2.0]), np.array([0.0, 2.0, 1.0]))
    >>> float(line.y[0]), float(line.y[-1])
    (0.5, 1.5)
    """
    n = len(x)
    if n < 2 or np.ptp(x) == 0:
        return None
    at = np.linspace(x.min(), x.max(), _STEPS)
    away = x - x.mean()
    square = float(away @ away)
    slope = float(away @ (y - y.mean())) / square
    mean = y.mean() + slope * (at - x.mean())
    if n == 2:
        nothing = np.full(_STEPS, math.nan)
        return FittedLine(at, mean, nothing, nothing)
    from scipy.stats import t

    residual = y - y.mean() - slope * away
    deviation = math.sqrt(float(residual @ residual) / (n - 2))
    error = deviation * np.sqrt(1 / n + (at - x.mean()) ** 2 / square)
    half = t.ppf((1 + level) / 2, n - 2) * error
    return FittedLine(at, mean, mean - half, mean + half)
