"""Numbers and intervals as tables of estimates write them."""

from __future__ import annotations

import math

SIGNIFICANT = 0.05


def number(value: float, digits: int = 3) -> str:
    """Write a number; a dash where it is undefined.

    >>> number(0.51249), number(math.nan), number(-math.inf)
    ('0.512', '–', '-∞')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def interval(low: float, high: float) -> str:
    """Write an interval to stand behind a number; nothing where there is none.

    >>> interval(0.1, 0.25), interval(math.nan, math.nan)
    (' [0.100, 0.250]', '')
    """
    return "" if math.isnan(low) else f" [{low:.3f}, {high:.3f}]"


def starred(value: float, p: float) -> str:
    """Write a number, with a star if its p is below .05.

    >>> starred(0.5, 0.049), starred(0.5, math.nan)
    ('0.500*', '0.500')
    """
    return number(value) + ("*" if p < SIGNIFICANT else "")


def share(value: float) -> str:
    """Write a share as a percentage.

    >>> share(0.905)
    '90.5%'
    """
    return "–" if math.isnan(value) else f"{value:.1%}"


def short_p(value: float) -> str:
    """Write a p.

    >>> short_p(0.0002), short_p(0.04)
    ('<0.001', '0.040')
    """
    return "<0.001" if value < 0.001 else number(value)
