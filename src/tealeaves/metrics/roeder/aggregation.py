"""Aggregation: from the values of segments to the value of a topic."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

AGGREGATIONS: dict[str, Callable[..., Floats]] = {
    "mean": np.nanmean,
    "median": np.nanmedian,
    "sum": np.nansum,
    "min": np.nanmin,
    "max": np.nanmax,
}


def aggregate(name: str, values: Floats) -> Floats:
    """Summarise each row, passing over NaN; a row of nothing but NaN stays NaN.

    >>> aggregate("mean", np.array([[1.0, 3.0, np.nan], [np.nan] * 3])).tolist()
    [2.0, nan]
    """
    result = np.full(len(values), np.nan)
    some = ~np.isnan(values).all(axis=1) if values.size else np.zeros(len(values), dtype=bool)
    if some.any():
        result[some] = AGGREGATIONS[name](values[some], axis=1)
    return result
