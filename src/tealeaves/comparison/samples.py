"""Two samples of one metric: their tests, effect sizes and intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.comparison.groups import FEWEST, Pairing, UnitGroup
from tealeaves.statistics.effects import cliff_delta, cohen_dz, hedges_g
from tealeaves.statistics.hypothesis_tests import (
    least_p,
    mann_whitney_p,
    paired_t_p,
    sign_flip_ps,
    two_sample_ps,
    welch_t_p,
    wilcoxon_p,
)
from tealeaves.statistics.intervals import Interval, bca_interval
from tealeaves.statistics.resampling import cluster_weights, is_constant

TESTS = ("permutation", "t", "wilcoxon")
#: With fewer units, resampled intervals are much too narrow: Student's t is used instead.
FEWEST_RESAMPLED = 10
_MOST_WEIGHTS = 10_000_000  # numbers at once, to limit the memory
_FEWEST_DRAWS = 1000


@dataclass(frozen=True)
class TwoSamples:
    """The values of two models that are tested; in pairs, equal positions belong together.

    ``dropped_a`` and ``dropped_b`` count the units without a value, and those whose partner has
    none or that have no partner.
    """

    a: Floats
    b: Floats
    paired: bool
    dropped_a: int = 0
    dropped_b: int = 0

    @classmethod
    def of(cls, a: UnitGroup, b: UnitGroup, metric: str, pairing: Pairing) -> TwoSamples:
        """Take the values of one metric; units without a value, and their partners, are dropped."""
        left, right = a.values[metric], b.values[metric]
        paired = pairing.kind != "none"
        if paired:
            x, y = left[pairing.left], right[pairing.right]
            known = ~(np.isnan(x) | np.isnan(y))
            x, y = x[known], y[known]
        else:
            x, y = left[~np.isnan(left)], right[~np.isnan(right)]
        return cls(x, y, paired, len(left) - len(x), len(right) - len(y))

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
    def equal(self) -> bool:
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


# ---------------------------------------------------------------------- tests


def p_values(samples: Sequence[TwoSamples], test: str, draws: int, seed: int) -> list[float]:
    """Test whether two samples differ, for each of several; NaN if they cannot be tested.

    ``permutation`` flips the signs of paired differences, or permutes the values of both samples;
    ``t`` is Student's test of pairs, or Welch's; ``wilcoxon`` is the signed rank test, or Mann and
    Whitney's.
    """
    ps = [math.nan] * len(samples)
    places: dict[tuple[bool, int, int], list[int]] = {}
    for place, sample in enumerate(samples):
        if not sample.refusal:
            small, large = sorted((len(sample.a), len(sample.b)))
            places.setdefault((sample.paired, small, large), []).append(place)
    for (paired, _, _), those in places.items():
        # samples of the same sizes have the same arrangements, which are made once for all; without
        # pairs every test is two-sided, so that the smaller side may come first
        sides = [(samples[place].a, samples[place].b) for place in those]
        if not paired:
            sides = [(a, b) if len(a) <= len(b) else (b, a) for a, b in sides]
        a, b = (np.array(rows) for rows in zip(*sides, strict=True))
        p = _paired_ps(a - b, test, draws, seed) if paired else _two_ps(a, b, test, draws, seed)
        for place, one in zip(those, p, strict=True):
            ps[place] = float(one)
    return ps


def _paired_ps(rows: Floats, test: str, draws: int, seed: int) -> Iterable[float]:
    if test == "permutation":
        return sign_flip_ps(rows, draws, seed)
    return map(paired_t_p if test == "t" else wilcoxon_p, rows)


def _two_ps(a: Floats, b: Floats, test: str, draws: int, seed: int) -> Iterable[float]:
    if test == "permutation":
        return two_sample_ps(a, b, draws, seed)
    return map(welch_t_p if test == "t" else mann_whitney_p, a, b)


def smallest_p(n: int, m: int, test: str, draws: int | None = None, *, paired: bool) -> float:
    """Return the smallest p that the test can give with so many units; NaN if there is none.

    ``draws`` bounds it if permutations are drawn; without it, all are taken.

    >>> smallest_p(5, 5, "permutation", paired=True), smallest_p(2, 2, "wilcoxon", paired=False)
    (0.0625, 0.333333)
    """
    if test == "t":
        return math.nan
    drawn = draws if test == "permutation" else None
    if paired:
        return least_p("sign_flip" if test == "permutation" else "wilcoxon", n, draws=drawn)
    name = "two_sample" if test == "permutation" else "mann_whitney"
    return least_p(name, n, m, draws=drawn)


# ---------------------------------------------------------------------- effect sizes


class Effect(NamedTuple):
    """An effect size and its name: Cohen's d of paired differences, else Hedges' g."""

    value: float
    name: str
    cliff_delta: float


def effect_of(sample: TwoSamples) -> Effect:
    """Return how large the difference is, whatever its p."""
    delta = cliff_delta(sample.a, sample.b)
    if sample.paired:
        return Effect(cohen_dz(sample.differences), "cohen_dz", delta)
    return Effect(hedges_g(sample.a, sample.b), "hedges_g", delta)


# ---------------------------------------------------------------------- intervals


def interval_of_mean(values: Floats, draws: int, seed: int, level: float) -> Interval:
    """Return the interval of a mean: bootstrapped (BCa), or Student's t of few values.

    NaN of a single value, and if a value is infinite.
    """
    if len(values) < 2 or not np.isfinite(values).all():
        return Interval(math.nan, math.nan)
    mean = float(values.mean())
    if is_constant(values):
        return Interval(mean, mean)
    if len(values) < FEWEST_RESAMPLED:
        return _student(mean, float(values.var(ddof=1)) / len(values), len(values) - 1, level)
    return bca_interval(mean, _resampled_means(values, draws, seed), _left_out(values), level)


def interval_of_difference(sample: TwoSamples, draws: int, seed: int, level: float) -> Interval:
    """Return the interval of the difference of two means; pairs are drawn together."""
    if sample.paired:
        return interval_of_mean(sample.differences, draws, seed, level)
    a, b = sample.a, sample.b
    difference = sample.difference
    if is_constant(a) and is_constant(b):
        return Interval(difference, difference)
    if min(len(a), len(b)) < FEWEST_RESAMPLED:
        return _welch(a, b, level)
    # other samples of b than of a, or equal sizes would be drawn as pairs
    drawn = _resampled_means(a, draws, seed) - _resampled_means(b, draws, seed + 1)
    left_out = np.concatenate([_left_out(a) - b.mean(), a.mean() - _left_out(b)])
    return bca_interval(difference, drawn, left_out, level)


def has_student_interval(values: Floats) -> bool:
    """Tell whether the interval of a mean is Student's t, as there are too few to resample."""
    return 2 <= len(values) < FEWEST_RESAMPLED and not is_constant(values)


def bootstrap_samples(size: int, draws: int) -> int:
    """Return how many samples are drawn of so many units: fewer if they would need much memory.

    >>> bootstrap_samples(1000, 10_000), bootstrap_samples(5000, 10_000)
    (10000, 2000)
    """
    return min(draws, max(_FEWEST_DRAWS, _MOST_WEIGHTS // size))


def _resampled_means(values: Floats, draws: int, seed: int) -> Floats:
    size = len(values)
    means: Floats = _weights(size, bootstrap_samples(size, draws), seed) @ values / size
    return means


@lru_cache(maxsize=4)
def _weights(size: int, draws: int, seed: int) -> Floats:
    """Return how often each unit is drawn; many pairs of models have the same sizes."""
    return cluster_weights(np.arange(size), draws, seed)


def _left_out(values: Floats) -> Floats:
    """Return the means without each value in turn."""
    means: Floats = (values.sum() - values) / (len(values) - 1)
    return means


def _welch(a: Floats, b: Floats, level: float) -> Interval:
    """Return Welch's interval of the difference of two means."""
    parts = [float(side.var(ddof=1)) / len(side) for side in (a, b)]
    squares = sum(part**2 / (len(side) - 1) for part, side in zip(parts, (a, b), strict=True))
    freedom = sum(parts) ** 2 / squares
    return _student(float(a.mean() - b.mean()), sum(parts), freedom, level)


def _student(value: float, variance: float, freedom: float, level: float) -> Interval:
    from scipy.special import stdtrit

    half = float(stdtrit(freedom, (1 + level) / 2)) * math.sqrt(variance)
    return Interval(value - half, value + half)
