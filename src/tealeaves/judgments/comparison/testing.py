"""Tests of two samples by their name, and effect sizes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.judgments.comparison.sampling import Sample
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

TESTS = ("permutation", "t", "wilcoxon")


class Effect(NamedTuple):
    """An effect size and its name: Cohen's d of paired differences, else Hedges' g."""

    value: float
    name: str
    cliff_delta: float


def ps_of(samples: Sequence[Sample], test: str, draws: int, seed: int) -> list[float]:
    """Test whether two samples differ, of each; in pairs, or each side by itself.

    ``permutation`` flips the signs of paired differences, or deals the values of both out anew;
    ``t`` is Student's of pairs, or Welch's; ``wilcoxon`` is of signed ranks, or Mann and Whitney's.
    NaN where a sample cannot be tested.
    """
    found = [math.nan] * len(samples)
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
            found[place] = float(one)
    return found


def _paired_ps(rows: Floats, test: str, draws: int, seed: int) -> Iterable[float]:
    if test == "permutation":
        return sign_flip_ps(rows, draws, seed)
    return map(paired_t_p if test == "t" else wilcoxon_p, rows)


def _two_ps(a: Floats, b: Floats, test: str, draws: int, seed: int) -> Iterable[float]:
    if test == "permutation":
        return two_sample_ps(a, b, draws, seed)
    return map(welch_t_p if test == "t" else mann_whitney_p, a, b)


def effect_of(sample: Sample) -> Effect:
    """Return how large the difference is, whatever its p."""
    delta = cliff_delta(sample.a, sample.b)
    if sample.paired:
        return Effect(cohen_dz(sample.differences), "cohen_dz", delta)
    return Effect(hedges_g(sample.a, sample.b), "hedges_g", delta)


def smallest_p(n: int, m: int, test: str, draws: int | None = None, *, paired: bool) -> float:
    """Return the smallest p that the test can give with so many units; NaN where none is.

    ``draws`` bounds it where permutations are drawn; without it, all are taken.

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
