"""Numbers in charts: values, counts and intervals as text, and ticks of axes."""

from __future__ import annotations

import math
from collections.abc import Iterable

from tealeaves.tables.numbers import DASH

_TICKS = 5
_FEWEST = 4  # powers of ten alone are too few

#: What coefficients are called on charts.
COEFFICIENTS = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall": "Kendall",
    "phik": "phi_K",
}
#: How Vega writes the label of a tick: without exponent unless it would have many zeros.
LABEL = (
    "datum.value && (abs(datum.value) < 1e-3 || abs(datum.value) >= 1e6)"
    " ? format(datum.value, '.2~e') : format(datum.value, ',.6~f')"
)


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


def log_ticks(low: float, high: float, bend: float) -> list[float]:
    """Return the ticks of a signed logarithm: 0 and the powers of ten within the limits.

    None is smaller than ``bend``, below which the axis is linear. If the powers are few, 3, 30 and
    so on are added.

    >>> log_ticks(-20, 5000, 3)
    [-10.0, 0.0, 10.0, 100.0, 1000.0]
    >>> log_ticks(0.5, 20, 0.7)
    [1.0, 3.0, 10.0]
    """
    first = math.floor(math.log10(bend))
    last = max(first, math.floor(math.log10(max(abs(low), abs(high), bend))))
    step = max(1, math.ceil((last - first) / _TICKS))
    powers = [float(f"1e{power}") for power in range(first, last + 1, step)]
    ticks = _ticks_within(powers, low, high, bend)
    if len(ticks) < _FEWEST:
        multiples = [factor * power for power in powers for factor in (1, 3)]
        ticks = _ticks_within(multiples, low, high, bend)
    return ticks


def _ticks_within(sizes: list[float], low: float, high: float, bend: float) -> list[float]:
    far = [size for size in sizes if size >= bend]
    both = [*(-size for size in reversed(far)), 0.0, *far]
    return [tick for tick in both if low <= tick <= high]
