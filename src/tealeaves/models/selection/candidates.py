"""Candidates: the runs of one model with one number of topics, their means and intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

LEVEL = 0.95


@dataclass(frozen=True)
class TrainedRun:
    """One trained model: its label, seed and file, and the value and support of each metric."""

    label: str
    seed: int
    path: Path | None
    values: dict[str, float]
    support: dict[str, float]


@dataclass(frozen=True)
class CandidateMean:
    """The mean of a candidate's runs by one metric: its interval, its runs, their mean support.

    ``half`` is half the width of the interval; it and the limits are NaN if there is none. ``runs``
    counts the runs that have a value.
    """

    value: float
    half: float
    low: float
    high: float
    runs: int
    support: float


@dataclass(frozen=True)
class Candidate:
    """The runs of one model with one number of topics; a selection adds their means by metric."""

    kind: str
    k: int
    family: str
    runs: tuple[TrainedRun, ...]
    means: dict[str, CandidateMean] = field(default_factory=dict, compare=False)

    def has_value(self, metric: str) -> bool:
        """Tell whether the mean is a finite number, which can be compared."""
        return math.isfinite(self.means[metric].value)


@dataclass(frozen=True)
class RunMean:
    """The mean and variance of the runs that have a value; the variance of a single run is NaN.

    >>> mean_of_runs([1.0, 2.0, 3.0, math.nan])
    RunMean(value=2.0, variance=1.0, runs=3)
    """

    value: float
    variance: float
    runs: int


def mean_of_runs(values: Sequence[float]) -> RunMean:
    """Average the runs that have a value."""
    known = [value for value in values if not math.isnan(value)]
    n = len(known)
    if not n:
        return RunMean(math.nan, math.nan, 0)
    if not all(map(math.isfinite, known)):
        return RunMean(sum(known) / n, math.nan, n)
    mean = math.fsum(known) / n
    if n == 1:
        return RunMean(mean, math.nan, n)
    return RunMean(mean, math.fsum((value - mean) ** 2 for value in known) / (n - 1), n)


@dataclass(frozen=True)
class PooledVariance:
    """The variance of runs about their means, pooled over all candidates.

    With few runs the variance of one candidate alone says little; all together they tell how large
    a difference of two means must be (Fisher's least significant difference). The intervals that
    are shown use the same variance, so that they cannot contradict the choice.

    >>> pooled = pool_variances([mean_of_runs([1.0, 1.2, 0.8]), mean_of_runs([2.0, 2.1, 1.9])])
    >>> round(pooled.variance, 3), pooled.freedom  # (2 * 0.04 + 2 * 0.01) / 4
    (0.025, 4)
    >>> round(pooled.half(mean_of_runs([1.0, 1.2, 0.8])), 4)  # t(4) = 2.776; 2.776 * √(0.025 / 3)
    0.2535
    """

    variance: float
    freedom: int
    quantile: float  # of t

    def half(self, mean: RunMean) -> float:
        """Return half the width of a mean's interval; NaN if it has none."""
        if not self.freedom or not math.isfinite(mean.value):
            return math.nan
        return self.quantile * math.sqrt(self.variance / mean.runs)

    def clearly_differ(
        self, one: RunMean | CandidateMean, other: RunMean | CandidateMean
    ) -> bool | None:
        """Tell whether the interval of the difference of two means excludes 0.

        None if that cannot be known: every candidate has a single run, or a mean is not finite.
        """
        distance = abs(one.value - other.value)
        if not self.freedom or not math.isfinite(distance):
            return None
        error = math.sqrt(self.variance * (1 / one.runs + 1 / other.runs))
        return distance > self.quantile * error


def pool_variances(means: Iterable[RunMean]) -> PooledVariance:
    """Pool the variances of the candidates that have several runs."""
    known = [mean for mean in means if not math.isnan(mean.variance)]
    freedom = sum(mean.runs - 1 for mean in known)
    if not freedom:
        return PooledVariance(math.nan, 0, math.nan)
    squares = math.fsum((mean.runs - 1) * mean.variance for mean in known)
    from scipy.special import stdtrit

    quantile = float(stdtrit(freedom, (1 + LEVEL) / 2))
    return PooledVariance(squares / freedom, freedom, quantile)


def with_means(
    candidates: Iterable[Candidate], metrics: Iterable[str]
) -> tuple[list[Candidate], dict[str, PooledVariance]]:
    """Return the candidates with their means, and the variance of runs by each metric."""
    given = list(candidates)
    means: list[dict[str, CandidateMean]] = [{} for _ in given]
    spreads = {}
    for metric in metrics:
        by_candidate = [mean_of_runs([run.values[metric] for run in one.runs]) for one in given]
        spreads[metric] = spread = pool_variances(by_candidate)
        for one, mean, found in zip(given, by_candidate, means, strict=True):
            half = spread.half(mean)
            found[metric] = CandidateMean(
                value=mean.value,
                half=half,
                low=mean.value - half,
                high=mean.value + half,
                runs=mean.runs,
                support=math.fsum(run.support[metric] for run in one.runs) / len(one.runs),
            )
    return [replace(one, means=own) for one, own in zip(given, means, strict=True)], spreads
