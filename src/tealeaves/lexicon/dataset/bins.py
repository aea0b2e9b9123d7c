"""Frequency bins: how often lemmas occur, per million tokens of the source text."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from tealeaves.errors import InputError

#: The bins of the paper.
BINS = "30-100,100-300,300+"

_BIN = re.compile(r"(\d+(?:\.\d+)?)\s*(?:[-–]\s*(\d+(?:\.\d+)?)|\+)")


@dataclass(frozen=True, repr=False)
class Bin:
    """Lemmas that occur at least ``least`` times per million tokens, and fewer than ``below``.

    >>> Bin(30, 100), 99.9 in Bin(30, 100), 100 in Bin(30, 100)
    (30-100, True, False)
    """

    least: float
    below: float = math.inf

    def __contains__(self, per_million: object) -> bool:
        return isinstance(per_million, int | float) and self.least <= per_million < self.below

    def __repr__(self) -> str:
        return f"{self.least:g}+" if math.isinf(self.below) else f"{self.least:g}-{self.below:g}"


def read_bins(text: str) -> tuple[Bin, ...]:
    """Read bins, in ascending order.

    >>> read_bins("30-100,100-300,300+")
    (30-100, 100-300, 300+)
    """
    found = []
    for part in text.split(","):
        match = _BIN.fullmatch(part.strip())
        if match is None:
            raise InputError(f"{part.strip()!r} is no frequency bin: write 30-100, or 300+")
        found.append(Bin(float(match[1]), float(match[2] or math.inf)))
    for one, after in zip(found, [*found[1:], Bin(math.inf)], strict=True):
        if one.least >= one.below or one.below > after.least:
            raise InputError(f"{text}: bins must ascend and not overlap, as in {BINS}")
    return tuple(found)


def bin_of(per_million: float, bins: tuple[Bin, ...]) -> Bin | None:
    """Return the bin of a frequency; None if it is in none."""
    return next((one for one in bins if per_million in one), None)
