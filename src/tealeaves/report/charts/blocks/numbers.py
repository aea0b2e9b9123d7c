"""Numbers in charts: values, counts and intervals as text."""

from __future__ import annotations

import math
from collections.abc import Iterable

from tealeaves.tables.numbers import DASH

#: What coefficients are called on charts.
COEFFICIENTS = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall": "Kendall",
    "phik": "phi_K",
}


def decimal(value: float | None) -> str:
    """Return a coefficient with two digits, and a dash if there is none.

    >>> decimal(-0.5), decimal(float("nan"))
    ('−0.50', '–')
    """
    if value is None or math.isnan(value):
        return DASH
    return f"{value:.2f}".replace("-", "−").replace("−0.00", "0.00")


def interval_words(low: float, high: float) -> str:
    """Return an interval of coefficients.

    >>> interval_words(-0.5, 0.25)
    '−0.50 to 0.25'
    """
    return f"{decimal(low)} to {decimal(high)}"


def significant(value: float) -> str:
    """Return a number of any size with three significant digits.

    >>> significant(-0.000271828), significant(1234567.0)
    ('−0.000272', '1.23e+06')
    """
    return f"{value:.3g}".replace("-", "−")


def percent(share: float) -> str:
    """Return the level of intervals.

    >>> percent(0.95)
    '95 %'
    """
    return f"{100 * share:g} %"


def span(counts: Iterable[int]) -> str:
    """Return a count, or the range of several.

    >>> span([3, 3]), span([1200, 3])
    ('3', '3 to 1,200')
    """
    known = sorted(set(counts))
    if not known:
        return "0"
    return f"{known[0]:,}" if len(known) == 1 else f"{known[0]:,} to {known[-1]:,}"
