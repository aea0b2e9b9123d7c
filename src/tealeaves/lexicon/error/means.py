"""Means over lemmas, then over target languages: every language counts alike.

What is not known is left out of a mean; where nothing is known, there is none (NaN).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64


def over_lemmas(values: F64, weights: F64) -> F64:
    """Return weighted means: (…, targets, lemmas) by (samples, lemmas) to (…, targets, samples).

    >>> values = np.array([[[1.0, 3.0, math.nan]]])
    >>> over_lemmas(values, np.array([[1.0, 1.0, 1.0], [0.0, 2.0, 1.0], [0.0, 0.0, 3.0]])).tolist()
    [[[2.0, 3.0, nan]]]
    """
    known = np.isfinite(values)
    summed = np.where(known, values, 0.0) @ weights.T
    # a matrix product less where nothing is missing, which is the rule
    number = weights.sum(axis=1) if known.all() else known.astype(np.float64) @ weights.T
    return _shares(summed, number)


def over_targets(means: F64) -> F64:
    """Return the mean over languages: (…, targets, samples) to (…, samples).

    >>> over_targets(np.array([[1.0, math.nan], [2.0, math.nan]])).tolist()
    [1.5, nan]
    """
    known = np.isfinite(means)
    return _shares(np.where(known, means, 0.0).sum(axis=-2), known.sum(axis=-2))


def _shares(summed: F64, number: F64) -> F64:
    found: F64 = np.where(number > 0, summed / np.maximum(number, 1), math.nan)
    return found
