"""Two samples of one metric: what is left of two models where a value is missing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.judgments.comparison.groups import Group
from tealeaves.judgments.comparison.pairing import FEWEST, Pairing


@dataclass(frozen=True)
class Sample:
    """The values of two models that are tested; in pairs, they stand side by side.

    ``dropped_a`` and ``dropped_b`` count the units without a value, and those whose partner has
    none or that have no partner.
    """

    a: Floats
    b: Floats
    paired: bool
    dropped_a: int = 0
    dropped_b: int = 0

    @property
    def n(self) -> int:
        """The number of pairs, else of all units on both sides."""
        return len(self.a) if self.paired else len(self.a) + len(self.b)

    @property
    def differences(self) -> Floats:
        """The differences of pairs."""
        return self.a - self.b

    @property
    def difference(self) -> float:
        """The difference of the means."""
        if self.paired:
            return float(self.differences.mean())
        return float(self.a.mean() - self.b.mean())

    @property
    def alike(self) -> bool:
        """Tell whether nothing differs at all: all pairs are equal, or all values."""
        if self.paired:
            return not self.differences.any()
        return len(np.unique(np.concatenate([self.a, self.b]))) == 1

    @property
    def refusal(self) -> str:
        """Why this cannot be tested; empty if it can."""
        if min(len(self.a), len(self.b)) < FEWEST:
            return "not tested, as fewer than two have a value"
        if not (np.isfinite(self.a).all() and np.isfinite(self.b).all()):
            return "not tested, as a value is infinite"
        return ""


def sample_of(a: Group, b: Group, metric: str, pairing: Pairing) -> Sample:
    """Take the values of one metric; what has no value, or whose partner has none, is dropped."""
    left, right = a.values[metric], b.values[metric]
    paired = pairing.kind != "none"
    if paired:
        x, y = left[pairing.left], right[pairing.right]
        known = ~(np.isnan(x) | np.isnan(y))
        x, y = x[known], y[known]
    else:
        x, y = left[~np.isnan(left)], right[~np.isnan(right)]
    return Sample(x, y, paired, len(left) - len(x), len(right) - len(y))
