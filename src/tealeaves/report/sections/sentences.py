"""Numbers and lists in the sentences of a report."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence

from tealeaves.tables.numbers import DASH

_SHOWN = 6
#: From here on numbers have an exponent, and below ten to this power.
LARGE, SMALL = 1e9, -4
# what is written from right to left, or turns what stands beside it
_TURNING = {"R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"}
_ISOLATE, _END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


def isolated(name: str) -> str:
    """Return a name that does not change the order of the sentence it stands in.

    >>> isolated("lda"), isolated("עברית") == "\\u2068עברית\\u2069"
    ('lda', True)
    """
    turning = any(unicodedata.bidirectional(one) in _TURNING for one in name)
    return f"{_ISOLATE}{name}{_END}" if turning else name


def number(value: float, digits: int = 3) -> str:
    """Write a number for a sentence.

    >>> number(-0.12345), number(float("nan")), number(1234.5), number(-0.00012), number(0.0)
    ('−0.123', '–', '1,234', '−0.00012', '0.000')
    """
    if math.isnan(value):
        return DASH
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value and not float(f"1e-{digits}") <= abs(value) < LARGE:
        return "−" * (value < 0) + short(abs(value))
    text = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.{digits}f}"
    return text.replace("-", "−")


def short(size: float) -> str:
    """Write the two digits that count of a size that is very large or very small.

    >>> short(0.00012), short(1.2e-06), short(1e200)
    ('0.00012', '1.2e−6', '1.0e200')
    """
    figures, _, power = f"{size:.1e}".partition("e")
    exponent = int(power)
    if SMALL <= exponent < 0:
        return f"0.{'0' * (-exponent - 1)}{figures.replace('.', '')}"
    return f"{figures}e{exponent}".replace("-", "−")


def interval(low: float, high: float, digits: int = 3) -> str:
    """Write an interval; nothing where there is none.

    >>> interval(0.1, 0.25)
    '0.100 to 0.250'
    """
    if math.isnan(low) or math.isnan(high):
        return ""
    return f"{number(low, digits)} to {number(high, digits)}"


def support(share: float) -> float | str:
    """Return a support for a table, where what is not whole must not be rounded to it.

    >>> support(0.75), support(0.99999)
    (0.75, '> 0.999')
    """
    return "> 0.999" if 0.9995 <= share < 1 else share


def percent(share: float) -> str:
    """Write a share.

    >>> percent(0.125), percent(1.0), percent(0.9999), percent(0.0001)
    ('12 %', '100 %', 'over 99 %', 'under 1 %')
    """
    if math.isnan(share):
        return DASH
    if 0.99 < share < 1:
        return "over 99 %"
    if 0 < share < 0.01:
        return "under 1 %"
    return f"{100 * share:.0f} %"


def listed(names: Sequence[str], most: int = _SHOWN) -> str:
    """Write names as a sentence does; of many the first ones.

    >>> listed(["a", "b", "c"]), listed(["a"]), listed(list("abcdefgh"))
    ('a, b and c', 'a', 'a, b, c, d, e, f and 2 more')
    """
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def quoted(names: Sequence[str]) -> str:
    """Write names of models in a sentence.

    >>> quoted(["lda", "nmf"])
    '“lda” and “nmf”'
    """
    return listed([f"“{isolated(name)}”" for name in names])
