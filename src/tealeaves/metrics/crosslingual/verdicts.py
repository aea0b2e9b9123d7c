"""What a number of coherence says of a topic: a zero alone would hide it."""

from __future__ import annotations

import math
from typing import Literal

Verdict = Literal["coherent", "incoherent", "unjudgeable"]


def verdict(value: float) -> Verdict:
    """Tell topics that are incoherent from those of which the reference says nothing.

    Incoherent are words that the reference has, but no more often together than by chance;
    unjudgeable are topics without one pair of words that the reference has.

    >>> verdict(0.2), verdict(0.0), verdict(float("nan"))
    ('coherent', 'incoherent', 'unjudgeable')
    """
    if math.isnan(value):
        return "unjudgeable"
    return "coherent" if value > 0 else "incoherent"


def incoherent(value: float) -> bool:
    """Tell whether a topic can be judged, and is not coherent."""
    return verdict(value) == "incoherent"
