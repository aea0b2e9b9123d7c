"""Coefficients of all columns with all, each pair where both have a value."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats
from tealeaves.statistics.coefficients import COEFFICIENTS


class Pairwise(NamedTuple):
    """Coefficients of all columns with all, and the number of rows that each rests on."""

    values: Floats
    n: NDArray[np.int64]


def pairwise(columns: Floats, coefficient: str, *, fewest: int) -> Pairwise:
    """Correlate all columns with each other; NaN and infinite values are missing.

    Fewer rows than ``fewest`` have no coefficient, which is NaN.

    >>> columns = np.array([[1.0, 1.0], [2.0, 3.0], [3.0, 2.0], [4.0, 4.0], [5.0, np.nan]])
    >>> found = pairwise(columns, "spearman", fewest=4)
    >>> found.values.round(3).tolist(), found.n.tolist()
    ([[1.0, 0.8], [0.8, 1.0]], [[5, 4], [4, 4]])
    """
    there = np.isfinite(columns)
    size = columns.shape[1]
    values = np.full((size, size), math.nan)
    n = there.T.astype(np.int64) @ there.astype(np.int64)
    for j in range(size):
        # columns that miss the same rows are done at once
        together: dict[bytes, list[int]] = {}
        for i in range(j, size):
            together.setdefault((there[:, i] & there[:, j]).tobytes(), []).append(i)
        for members in together.values():
            if n[members[0], j] < fewest:
                continue
            rows = there[:, members[0]] & there[:, j]
            found = COEFFICIENTS[coefficient](columns[rows][:, members], columns[rows, j])
            values[members, j] = values[j, members] = found
    return Pairwise(values, n)
