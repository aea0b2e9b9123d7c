"""Correction of p values for many tests: Holm, and Benjamini and Hochberg."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.errors import InputError, did_you_mean

METHODS = ("bh", "holm", "none")


def correct_p(p: Floats | Sequence[float], method: str = "bh") -> Floats:
    """Return p values corrected for the number of tests; all values of an array are one family.

    ``bh`` bounds the expected share of false findings (Benjamini and Hochberg 1995), ``holm`` the
    chance of a single one (Holm 1979), ``none`` corrects nothing. NaN means that there was no test:
    it stays NaN and is not counted.

    >>> correct_p([0.01, 0.04, float("nan"), 0.03], "holm").tolist()
    [0.03, 0.06, nan, 0.06]
    >>> correct_p([0.01, 0.04, float("nan"), 0.03], "bh").tolist()
    [0.03, 0.04, nan, 0.04]
    """
    if method not in METHODS:
        hint = did_you_mean(method, METHODS)
        raise InputError(f"no correction named {method!r}: one of {', '.join(METHODS)}{hint}")
    raw = np.asarray(p, dtype=np.float64)
    if ((raw < 0) | (raw > 1)).any():
        raise InputError("a p value must be between 0 and 1")
    result = raw.copy()
    tested = ~np.isnan(raw)
    if method != "none" and tested.any():
        family = raw[tested]
        order = np.argsort(family, kind="stable")
        steps = (_holm if method == "holm" else _benjamini_hochberg)(family[order])
        family[order] = np.minimum(steps, 1.0)
        result[tested] = family
    return result


def _holm(ascending: Floats) -> Floats:
    """Multiply the smallest by the number of tests, the next by one less, and so on, never down."""
    return np.maximum.accumulate(ascending * np.arange(ascending.size, 0, -1))


def _benjamini_hochberg(ascending: Floats) -> Floats:
    """Multiply each by the number of tests over its rank; none is above the next larger one."""
    ranks = np.arange(1, ascending.size + 1)
    # in this order p * (m / m) is exactly p, so that no p becomes smaller
    return np.minimum.accumulate((ascending * (ascending.size / ranks))[::-1])[::-1]
