"""Numbers, p values, shares, intervals, counts and lists of names as text."""

from __future__ import annotations

import math
from collections.abc import Iterable

#: The text of a value that is not defined.
DASH = "–"
#: A star marks a p below this level.
SIGNIFICANCE_LEVEL = 0.05


def number_text(value: float, digits: int = 3) -> str:
    """Return a number with fixed decimals, and a dash for NaN.

    >>> number_text(0.51249), number_text(math.nan), number_text(-math.inf)
    ('0.512', '–', '-∞')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return DASH if math.isnan(value) else f"{value:.{digits}f}"


def interval_text(low: float, high: float, digits: int = 3) -> str:
    """Return an interval in brackets, and nothing if it is not defined.

    >>> interval_text(0.1, 0.25), interval_text(math.nan, math.nan)
    ('[0.100, 0.250]', '')
    """
    return "" if math.isnan(low) else f"[{number_text(low, digits)}, {number_text(high, digits)}]"


def append_interval(text: str, low: float, high: float) -> str:
    """Return the text of a number with its interval, if that is defined.

    >>> append_interval("0.200", 0.1, 0.25), append_interval("0.200", math.nan, math.nan)
    ('0.200 [0.100, 0.250]', '0.200')
    """
    return f"{text} {interval_text(low, high)}".rstrip()


def starred_number(value: float, p: float) -> str:
    """Return a number, with a star if its p is below the significance level.

    >>> starred_number(0.5, 0.049), starred_number(0.5, math.nan)
    ('0.500*', '0.500')
    """
    return number_text(value) + "*" * (p < SIGNIFICANCE_LEVEL)


def p_text(value: float, digits: int = 3) -> str:
    """Return a p value; one that would be rounded to 0 is shown as less than the last digit.

    >>> p_text(0.0002), p_text(0.04), p_text(0.0002, 4)
    ('<0.001', '0.040', '0.0002')
    """
    least = 10**-digits
    return f"<{least:.{digits}f}" if value < least else number_text(value, digits)


def percent_text(share: float) -> str:
    """Return a share as a percentage, and a dash for NaN.

    >>> percent_text(0.905)
    '90.5%'
    """
    return DASH if math.isnan(share) else f"{share:.1%}"


def count_text(count: int, one: str, several: str = "") -> str:
    """Return a count with its noun; ``several`` is the plural if it does not end in s.

    >>> count_text(1, "topic"), count_text(2000, "topic"), count_text(2, "family", "families")
    ('1 topic', '2,000 topics', '2 families')
    """
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def list_text(names: Iterable[object], most: int = 10) -> str:
    """Return the first names, and how many more there are.

    >>> list_text(["a", "b"]), list_text(["a", "b", "c", "d"], most=2)
    ('a, b', 'a, b and 2 more')
    """
    texts = [str(name) for name in names]
    shown = ", ".join(texts[:most])
    return f"{shown} and {len(texts) - most} more" if len(texts) > most else shown
