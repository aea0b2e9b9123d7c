"""Pearson's r of estimates with the target in one language, and in resamples of its models.

The topics of a model are not independent, nor are the cardinalities of a topic. So models are
drawn, with all their rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from zlib import crc32

import numpy as np

from tealeaves.arrays import Floats, Integers
from tealeaves.statistics.correlation import pearson
from tealeaves.statistics.intervals import NO_INTERVAL, Interval, bca_interval, bca_p
from tealeaves.statistics.resampling import cluster_weights, is_constant

#: The fewest rows of a correlation, and the fewest clusters of an interval.
FEWEST = 3


class CoefficientDifference(NamedTuple):
    """A difference of two coefficients; its interval and p are of the same draws."""

    value: float
    interval: Interval
    p: float


@dataclass(frozen=True)
class Resampled:
    """Coefficients (columns), those of draws (draws, columns), and of leaving one cluster out."""

    values: Floats
    draws: Floats
    jackknife: Floats

    @property
    def clusters(self) -> int:
        """The number of clusters."""
        return len(self.jackknife)

    def interval(self, column: int, level: float) -> Interval:
        """Return the interval of one coefficient."""
        parts = (self.values[column], self.draws[:, column], self.jackknife[:, column])
        return self._interval(*parts, level)

    def difference(self, column: int, from_: int, level: float) -> CoefficientDifference:
        """Return how much larger one coefficient is than another."""
        value = float(self.values[column] - self.values[from_])
        draws = np.asarray(self.draws[:, column] - self.draws[:, from_])
        left = np.asarray(self.jackknife[:, column] - self.jackknife[:, from_])
        p = bca_p(value, draws, left) if self.clusters >= FEWEST else math.nan
        return CoefficientDifference(value, self._interval(value, draws, left, level), p)

    def _interval(self, value: float, draws: Floats, left: Floats, level: float) -> Interval:
        # of a single cluster all draws are the same, which would look certain
        return (
            bca_interval(float(value), draws, left, level)
            if self.clusters >= FEWEST
            else NO_INTERVAL
        )


@dataclass(frozen=True)
class LanguageSample:
    """Rows of one language: columns to correlate with the target, and the model of each row."""

    columns: Floats
    target: Floats
    members: Integers

    def means(self, cardinalities: Integers) -> LanguageSample:
        """Return the means over topics: a row for each model and cardinality."""
        pairs = np.column_stack([self.members, cardinalities])
        kinds, number, size = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
        number = number.reshape(-1)

        def mean(values: Floats) -> Floats:
            return np.asarray(np.bincount(number, values, len(size)) / size, dtype=np.float64)

        columns = [mean(column) for column in self.columns.T]
        return LanguageSample(
            np.column_stack(columns), mean(self.target), kinds[:, 0].astype(np.int64)
        )

    def resampled(self, times: Floats) -> Resampled:
        """Correlate; ``times`` is how often each model is in each draw: (draws, models)."""
        width = self.columns.shape[1]
        present = np.unique(self.members)
        if len(self.target) < FEWEST:
            sizes = ((width,), (len(times), width), (len(present), width))
            return Resampled(*(np.full(size, np.nan) for size in sizes))
        left = (present[:, None] != self.members).astype(np.float64)
        weights = (None, times[:, self.members], left)
        coefficients = [np.array(pearson(self.columns, self.target, w)) for w in weights]
        flat = is_constant(self.target)
        for column, values in enumerate(self.columns.T):
            if flat or is_constant(values):
                for part in coefficients:
                    part[..., column] = np.nan
        return Resampled(*coefficients)


def drawn_models(models: Sequence[str], draws: int, seed: int) -> Floats:
    """Return how often each model is in each draw: (draws, models); the models are distinct.

    Languages with the same models share their draws, because a model may be good or bad in all of
    them; other languages are drawn independently.

    >>> drawn_models(["a", "b"], draws=3, seed=0).sum(axis=1).tolist()
    [2.0, 2.0, 2.0]
    """
    digest = crc32("\0".join(models).encode())
    mixed = int(np.random.SeedSequence([seed, digest]).generate_state(1)[0])
    return cluster_weights(np.arange(len(models)), draws, mixed)


def mean_of(parts: Sequence[Resampled], draws: int, seed: int) -> Resampled:
    """Return the mean over languages; languages are drawn too, and models within them.

    So the interval is for languages like these. A language with an undefined coefficient is left
    out.
    """
    whole = [part for part in parts if np.isfinite(part.values).all()]
    width = parts[0].values.shape[0] if parts else 0
    if not whole:
        return Resampled(np.full(width, np.nan), np.empty((draws, width)), np.empty((0, width)))
    values = np.stack([part.values for part in whole])
    drawn = np.stack([part.draws for part in whole], axis=1)
    times = cluster_weights(np.arange(len(whole)), draws, seed)[:, :, None]
    there = np.isfinite(drawn).all(axis=2, keepdims=True)  # both, for their difference
    total = (times * there).sum(axis=1)
    sums = (times * np.where(there, drawn, 0.0)).sum(axis=1)
    means = np.divide(
        sums, total, out=np.full_like(sums, np.nan), where=np.broadcast_to(total > 0, sums.shape)
    )
    rest = len(whole) - 1
    left = (values.sum(axis=0) - values) / rest if rest else np.full_like(values, np.nan)
    return Resampled(values.mean(axis=0), means, left)
