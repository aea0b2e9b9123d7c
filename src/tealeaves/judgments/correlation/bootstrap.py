"""Coefficients of metrics with people, on the same topics and on resamples of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats, Integers
from tealeaves.judgments.correlation.clusters import clusters_of
from tealeaves.judgments.correlation.matching import MatchedScores
from tealeaves.judgments.correlation.plan import FEWEST, CorrelationPlan
from tealeaves.statistics.correlation import COEFFICIENTS
from tealeaves.statistics.hypothesis_tests import permutation_p
from tealeaves.statistics.intervals import NO_INTERVAL, Interval, bca_interval, normal_interval
from tealeaves.statistics.partial import partial, partial_p
from tealeaves.statistics.phi_k import PhiKOptions, phi_k, phi_k_draws, phi_k_p
from tealeaves.statistics.resampling import (
    cluster_weights,
    half_weights,
    jackknife_weights,
)

#: Groups that the jackknife leaves out at most: the acceleration needs no more.
LEFT_OUT = 200
# phi_K's table of half of fewer clusters is almost empty
_FEWEST_FOR_HALVES = 20


@dataclass(frozen=True)
class ResampledValues:
    """A statistic of several metrics: values, draws of the bootstrap (draws, metrics), jackknife.

    phi_K would take the copies in a bootstrap sample for dependence: its draws are ``halves``.
    """

    values: Floats
    draws: Floats
    jackknife: Floats
    clusters: int
    halves: bool = False

    def interval(self, column: int, level: float) -> Interval:
        """Return the interval of one metric's value."""
        value, draws = float(self.values[column]), self.draws[:, column]
        if not self.halves:
            return bca_interval(
                value, draws, self.jackknife[:, column], level, clusters=self.clusters
            )
        if self.clusters < _FEWEST_FOR_HALVES:
            return NO_INTERVAL
        return normal_interval(value, draws, level, bounds=(0.0, 1.0))


@dataclass(frozen=True)
class MetricGroup:
    """Metrics that have values for the same topics, and people's scores of these: complete rows."""

    metrics: list[str]
    rows: Integers
    x: Floats
    y: Floats
    clusters: Integers
    plan: CorrelationPlan
    classes: bool = False
    control: Floats | None = None

    @property
    def n(self) -> int:
        """How many topics or models there are."""
        return len(self.y)

    @cached_property
    def number_of_clusters(self) -> int:
        """How many clusters of near-identical ones there are."""
        return len(np.unique(self.clusters))

    @property
    def enough(self) -> bool:
        """Whether there are enough clusters for a coefficient."""
        return self.number_of_clusters >= FEWEST

    def signs(self, better: Mapping[str, str]) -> Floats:
        """Return -1 for metrics for which lower is better, else 1."""
        return np.array([-1.0 if better.get(name) == "lower" else 1.0 for name in self.metrics])

    @cached_property
    def _jackknife(self) -> Floats:
        if not self.plan.draws:  # no interval needs it
            return np.empty((0, self.n))
        return jackknife_weights(self.clusters, most=LEFT_OUT)

    def coefficient(self, name: str) -> ResampledValues:
        """Return a coefficient of all metrics with people, and its resamples."""
        if name == "phik":
            return self._phik()
        compute = COEFFICIENTS[name]

        def correlated(weights: Floats | None) -> Floats:
            xy = np.asarray(compute(self.x, self.y, weights))
            if self.control is None:
                return xy
            z = self.control
            sides = np.column_stack([z, self.y])
            xz = np.asarray(compute(self.x, z, weights))
            yz = np.asarray(compute(sides, z, weights))[..., 1:]
            return np.asarray(partial(xy, xz, yz))

        weights = cluster_weights(self.clusters, self.plan.draws_of(name), self.plan.seed)
        values, draws, left = map(correlated, (None, weights, self._jackknife))
        return ResampledValues(values, draws, left, self.number_of_clusters)

    def _phik(self) -> ResampledValues:
        binning = self._binning(classes=self.classes)
        weights = half_weights(self.clusters, self.plan.draws_of("phik"), self.plan.seed)
        columns = [self.x[:, m] for m in range(len(self.metrics))]
        values = [phi_k(x, self.y, **binning) for x in columns]
        draws = [phi_k_draws(x, self.y, weights, **binning) for x in columns]
        empty = np.empty((0, len(columns)))
        clusters = self.number_of_clusters
        return ResampledValues(
            np.array(values), np.column_stack(draws), empty, clusters, halves=True
        )

    def _binning(self, *, classes: bool) -> PhiKOptions:
        noise = self.plan.noise_correction
        return {"bins": self.plan.bins, "noise_correction": noise, "classes": classes}

    def p(self, name: str) -> Floats:
        """Return the permutation p of each metric.

        Near-identical topics are no independent evidence: if there are any, the means of clusters
        are permuted.
        """
        x, y, z = self._permuted
        draws, seed = self.plan.permutations_of(name), self.plan.seed
        if name == "phik":
            # the mean of a cluster is no class
            binning = self._binning(classes=self.classes and len(y) == self.n)
            columns = (x[:, m] for m in range(x.shape[1]))
            return np.array([phi_k_p(c, y, draws=draws, seed=seed, **binning) for c in columns])
        if z is None:
            return permutation_p(name, x, y, draws, seed)
        return partial_p(name, x, y, z, draws, seed)

    @cached_property
    def _permuted(self) -> tuple[Floats, Floats, Floats | None]:
        if self.number_of_clusters == self.n:
            return self.x, self.y, self.control
        _, number, size = np.unique(self.clusters, return_inverse=True, return_counts=True)

        def mean(values: Floats) -> Floats:
            return np.asarray(np.bincount(number, values) / size, dtype=np.float64)

        x = np.column_stack([mean(self.x[:, m]) for m in range(self.x.shape[1])])
        return x, mean(self.y), None if self.control is None else mean(self.control)


def groups_of(
    matched: MatchedScores, plan: CorrelationPlan, control: str = ""
) -> Iterator[MetricGroup]:
    """Put metrics together that have values for the same topics.

    With a control, topics without a value of it are left out, and it is no metric itself.
    """
    clusters = clusters_for(matched, plan)
    held = matched.scores[control] if control else None
    usable = np.ones(len(matched), dtype=bool) if held is None else np.isfinite(held)
    together: dict[bytes, list[str]] = {}
    masks: dict[bytes, NDArray[np.bool_]] = {}
    for name, column in matched.scores.items():
        if name != control:
            mask = np.isfinite(column) & usable
            together.setdefault(mask.tobytes(), []).append(name)
            masks[mask.tobytes()] = mask
    for pattern, names in together.items():
        yield group_of(matched, names, np.flatnonzero(masks[pattern]), clusters, plan, held)


def group_of(
    matched: MatchedScores,
    names: list[str],
    rows: Integers,
    clusters: Integers,
    plan: CorrelationPlan,
    control: Floats | None = None,
) -> MetricGroup:
    """Return the complete rows of some metrics."""
    return MetricGroup(
        names,
        rows,
        np.column_stack([matched.scores[name][rows] for name in names]),
        matched.human[rows],
        clusters[rows],
        plan,
        matched.classes,
        None if control is None else control[rows],
    )


def clusters_for(matched: MatchedScores, plan: CorrelationPlan) -> Integers:
    """Return the cluster of near-identical topics that each belongs to; each model is its own."""
    if matched.by == "model":
        return np.arange(len(matched))
    return np.asarray(clusters_of(matched.words, plan.near), dtype=np.int64)
