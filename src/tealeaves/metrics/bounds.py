"""Bounds: between which numbers a value lies, in words."""

from __future__ import annotations

import math


def told_bounds(low: float, high: float) -> str:
    """Say between which numbers a value lies; infinity is no bound.

    >>> told_bounds(-1, 1), told_bounds(-math.inf, 0), told_bounds(-math.inf, math.inf)
    ('−1 to 1', '0 or less', 'any number')
    """
    if math.isinf(low) and math.isinf(high):
        return "any number"
    if math.isinf(high):
        return f"{_number(low)} or more"
    if math.isinf(low):
        return f"{_number(high)} or less"
    return f"{_number(low)} to {_number(high)}"


def _number(value: float) -> str:
    return f"{value:g}".replace("-", "−")
