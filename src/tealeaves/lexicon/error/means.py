"""Means over lemmas, then over target languages, with intervals by a bootstrap of lemmas.

Every language counts the same. Unknown values (NaN) are left out of a mean; a mean of none is NaN.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import astuple

from tealeaves.lexicon.error.measures import MEASURES, LemmaError
from tealeaves.statistics.hypothesis_tests import sign_flip_ps
from tealeaves.statistics.intervals import NO_INTERVAL, Interval, bca_interval
from tealeaves.statistics.resampling import cluster_weights, jackknife_weights, memory_slices

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.kernels import F64

#: The fewest lemmas that are resampled: with fewer, intervals are much too narrow, and t is used.
FEWEST_RESAMPLED = 10
_FEWEST = 2  # lemmas that have an interval
_FEWEST_DRAWS = 1000
_MOST_WEIGHTS = 10_000_000  # weights of all samples, which bound the memory
_BUDGET = 64 << 20  # bytes that are computed with at once
_ROUNDING = 1e-12


def over_lemmas(values: F64, weights: F64) -> F64:
    """Return weighted means: (…, targets, lemmas) by (samples, lemmas) to (…, targets, samples).

    >>> values = np.array([[[1.0, 3.0, math.nan]]])
    >>> over_lemmas(values, np.array([[1.0, 1.0, 1.0], [0.0, 2.0, 1.0], [0.0, 0.0, 3.0]])).tolist()
    [[[2.0, 3.0, nan]]]
    """
    known = np.isfinite(values)
    summed = np.where(known, values, 0.0) @ weights.T
    # usually nothing is missing, which saves a matrix product
    number = weights.sum(axis=1) if known.all() else known.astype(np.float64) @ weights.T
    return _shares(summed, number)


def over_targets(means: F64) -> F64:
    """Return the mean over languages: (…, targets, samples) to (…, samples).

    >>> over_targets(np.array([[1.0, math.nan], [2.0, math.nan]])).tolist()
    [1.5, nan]
    """
    known = np.isfinite(means)
    return _shares(np.where(known, means, 0.0).sum(axis=-2), known.sum(axis=-2))


def _shares(summed: F64, number: F64) -> F64:
    shares: F64 = np.where(number > 0, summed / np.maximum(number, 1), math.nan)
    return shares


@dataclass(frozen=True, eq=False)
class ErrorGrid:
    """The values of one measure: model × target language × lemma; NaN if there is none.

    The mean of a language is over its lemmas, the total over languages.
    """

    models: tuple[str, ...]
    targets: tuple[str, ...]
    lemmas: tuple[str, ...]
    values: F64

    @cached_property
    def totals(self) -> list[float]:
        """The total of each model."""
        means = over_lemmas(self.values, np.ones((1, len(self.lemmas))))
        totals: list[float] = over_targets(means)[:, 0].tolist()
        return totals

    @property
    def lemma_counts(self) -> list[int]:
        """The number of lemmas of each total, in any language."""
        counts: list[int] = np.isfinite(self.values).any(axis=1).sum(axis=1).tolist()
        return counts

    def at(self, target: str) -> ErrorGrid:
        """Keep one language."""
        place = self.targets.index(target)
        return replace(self, targets=(target,), values=self.values[:, place : place + 1])

    def differences(self, pairs: Iterable[tuple[int, int]]) -> ErrorGrid:
        """Return a - b of each two models, if both are known."""
        chosen = list(pairs)
        a, b = (self.values[[pair[side] for pair in chosen]] for side in (0, 1))
        names = tuple(f"{self.models[i]} - {self.models[j]}" for i, j in chosen)
        return replace(self, models=names, values=a - b)

    def merged(self, name: str) -> ErrorGrid:
        """Return the mean over models; for a measure of annotations alone that is its value."""
        known = np.isfinite(self.values)
        number = known.sum(axis=0, keepdims=True)
        summed = np.where(known, self.values, 0.0).sum(axis=0, keepdims=True)
        values = np.where(number > 0, summed / np.maximum(number, 1), math.nan)
        return replace(self, models=(name,), values=values)

    def ps(self, draws: int, seed: int) -> list[float]:
        """Test whether each total is 0, by flipping the signs of whole lemmas."""
        # apart from the number of languages, a total is the sum of the lemmas' shares in means
        known: NDArray[np.bool_] = np.isfinite(self.values)
        number = known.sum(axis=2, keepdims=True)
        shares = np.where(known, self.values, 0.0) / np.maximum(number, 1)
        parts, has_lemma = shares.sum(axis=1), np.any(known, axis=1)
        ps = [math.nan] * len(parts)
        sizes = has_lemma.sum(axis=1).tolist()
        # totals of the same number of lemmas have the same patterns of signs, made once
        for size in dict.fromkeys(sizes):
            members = [place for place, one in enumerate(sizes) if one == size]
            rows = np.array([parts[place][has_lemma[place]] for place in members])
            for place, p in zip(members, sign_flip_ps(rows, draws, seed).tolist(), strict=True):
                ps[place] = p
        return ps


def grids_of(rows: Sequence[LemmaError]) -> dict[str, ErrorGrid]:
    """Return the grid of each measure; models, languages and lemmas in the order of the rows."""
    models, targets, lemmas = (
        {name: place for place, name in enumerate(dict.fromkeys(named))}
        for named in (
            [row.model for row in rows],
            [row.target for row in rows],
            [row.lemma for row in rows],
        )
    )
    values = np.full((len(MEASURES), len(models), len(targets), len(lemmas)), math.nan)
    at = [(models[row.model], targets[row.target], lemmas[row.lemma]) for row in rows]
    measured = np.array([astuple(row.measures) for row in rows])
    values[:, *np.array(at).T] = measured.T
    names = tuple(models), tuple(targets), tuple(lemmas)
    return {name: ErrorGrid(*names, some) for name, some in zip(MEASURES, values, strict=True)}


class LemmaBootstrap:
    """Intervals of totals by samples of lemmas, which are drawn with all of their languages.

    Parameters
    ----------
    draws
        The number of samples; fewer if there are very many lemmas.
    level
        The level of intervals.
    seed
        Where random numbers start.
    """

    def __init__(self, draws: int, level: float, seed: int) -> None:
        self.draws, self.level, self.seed = draws, level, seed
        self._weights: dict[int, F64] = {}

    def intervals(self, values: F64, lowest: float, highest: float) -> list[Interval]:
        """Return the interval of each total.

        There is none if a language has a single lemma: the variance of its lemmas is unknown, and
        without that lemma the total would be of other languages.

        Parameters
        ----------
        values
            The values of each total: (totals, targets, lemmas); NaN if there is none.
        lowest, highest
            The limits of a total, and of its interval.
        """
        intervals = [NO_INTERVAL] * len(values)
        known: NDArray[np.bool_] = np.isfinite(values)
        for has_lemma, members in _with_same_lemmas(np.any(known, axis=1)):
            count = int(has_lemma.sum())
            several = [place for place in members if not single_lemmas(known[place]).any()]
            if count < _FEWEST or not several:
                continue
            part = values[several][:, :, has_lemma]
            for place, one in zip(several, self._of_same(part, count), strict=True):
                intervals[place] = Interval(*(min(max(end, lowest), highest) for end in one))
        return intervals

    def _of_same(self, values: F64, count: int) -> Iterator[Interval]:
        """Yield the intervals of totals over the same number of lemmas."""
        totals = over_targets(over_lemmas(values, np.ones((1, count))))[:, 0].tolist()
        left = over_targets(over_lemmas(values, jackknife_weights(np.arange(count))))
        size = 8 * values.shape[1] * max(count, self._drawn(count))
        for part in memory_slices(len(values), size, _BUDGET):
            drawn: list[F64] | F64 = [np.empty(0)] * len(values[part])
            if count >= FEWEST_RESAMPLED:
                drawn = over_targets(over_lemmas(values[part], self._samples(count)))
            for total, own, without, draws in zip(
                totals[part], values[part], left[part], drawn, strict=True
            ):
                yield self._interval(total, own, without, draws)

    def _interval(self, total: float, values: F64, left: F64, drawn: F64) -> Interval:
        if _is_constant(values):
            return Interval(total, total)
        if len(drawn):
            return bca_interval(total, drawn, left, self.level)
        # lemmas vary, but the totals without one of them are equal by chance
        return NO_INTERVAL if np.ptp(left) <= _ROUNDING else _student(total, left, self.level)

    def _samples(self, count: int) -> F64:
        """Return how often each lemma is drawn in each sample."""
        if count not in self._weights:
            self._weights[count] = cluster_weights(np.arange(count), self._drawn(count), self.seed)
        return self._weights[count]

    def _drawn(self, count: int) -> int:
        return min(self.draws, max(_FEWEST_DRAWS, _MOST_WEIGHTS // count))


def single_lemmas(known: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which languages have a single lemma: (…, targets, lemmas) to (…, targets).

    >>> single_lemmas(np.array([[True, True], [False, True], [False, False]])).tolist()
    [False, True, False]
    """
    single: NDArray[np.bool_] = known.sum(axis=-1) == 1
    return single


def _is_constant(values: F64) -> bool:
    """Tell whether all lemmas of each language have the same value: (targets, lemmas)."""
    kept = values[np.isfinite(values).any(axis=1)]
    return bool(np.all(np.nanmax(kept, axis=1) - np.nanmin(kept, axis=1) <= _ROUNDING))


def _with_same_lemmas(
    has_lemma: NDArray[np.bool_],
) -> Iterator[tuple[NDArray[np.bool_], list[int]]]:
    """Yield the lemmas, and the totals that are over exactly these."""
    groups: dict[bytes, list[int]] = {}
    for place, row in enumerate(has_lemma):
        groups.setdefault(row.tobytes(), []).append(place)
    for members in groups.values():
        yield has_lemma[members[0]], members


def _student(value: float, left: F64, level: float) -> Interval:
    """Return Student's interval by the jackknife; for a plain mean it is the usual one."""
    from scipy.special import stdtrit

    count = len(left)
    variance = (count - 1) / count * float(((left - left.mean()) ** 2).sum())
    half = float(stdtrit(count - 1, (1 + level) / 2)) * math.sqrt(variance)
    return Interval(value - half, value + half)
