"""The bounds of a metric, in words."""

from __future__ import annotations

import math


def bounds_text(low: float, high: float) -> str:
    """Say between which numbers a value lies; infinity is no bound.

    >>> bounds_text(-1, 1), bounds_text(-math.inf, 0), bounds_text(-math.inf, math.inf)
    ('−1 to 1', '0 or less', 'any number')
    """
    least, greatest = (f"{value:g}".replace("-", "−") for value in (low, high))
    if math.isinf(low) and math.isinf(high):
        return "any number"
    if math.isinf(high):
        return f"{least} or more"
    if math.isinf(low):
        return f"{greatest} or less"
    return f"{least} to {greatest}"
