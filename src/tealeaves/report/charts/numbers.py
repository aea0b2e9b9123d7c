"""Numbers on axes that may be of any size, from shares of relevance to counts of texts."""

from __future__ import annotations

import math

_TICKS = 5
_FEWEST = 4  # powers of ten alone are too few

#: How Vega writes the label of a tick: without exponent unless it would have many zeros.
LABEL = (
    "datum.value && (abs(datum.value) < 1e-3 || abs(datum.value) >= 1e6)"
    " ? format(datum.value, '.2~e') : format(datum.value, ',.6~f')"
)


def short(value: float) -> str:
    """Write a number of any size with three digits.

    >>> short(-0.000271828), short(1234567.0)
    ('−0.000272', '1.23e+06')
    """
    return f"{value:.3g}".replace("-", "−")


def log_ticks(low: float, high: float, bend: float) -> list[float]:
    """Return ticks of a signed logarithm: 0 and powers of ten on both sides, where they are inside.

    None is smaller than ``bend``, below which the axis is linear; where powers are few, 3, 30 and
    so on come between them.

    >>> log_ticks(-20, 5000, 3)
    [-10.0, 0.0, 10.0, 100.0, 1000.0]
    >>> log_ticks(0.5, 20, 0.7)
    [1.0, 3.0, 10.0]
    """
    first = math.floor(math.log10(bend))
    last = max(first, math.floor(math.log10(max(abs(low), abs(high), bend))))
    step = max(1, math.ceil((last - first) / _TICKS))
    powers = [float(f"1e{power}") for power in range(first, last + 1, step)]
    ticks = _inside(powers, low, high, bend)
    if len(ticks) < _FEWEST:
        ticks = _inside([side * one for one in powers for side in (1, 3)], low, high, bend)
    return ticks


def _inside(sizes: list[float], low: float, high: float, bend: float) -> list[float]:
    far = [size for size in sizes if size >= bend]
    both = [*(-size for size in reversed(far)), 0.0, *far]
    return [tick for tick in both if low <= tick <= high]
