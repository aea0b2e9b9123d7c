"""Intervals over lemmas: the bootstrap, which draws lemmas with all languages that they have."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.lexicon.error.means import over_lemmas, over_targets
from tealeaves.statistics.intervals import NO_INTERVAL, Interval, bca_interval
from tealeaves.statistics.resampling import cluster_weights, jackknife_weights, memory_slices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tealeaves.compiling.arrays import F64

#: Resampled from fewer lemmas than these, an interval is much too narrow: t is taken instead.
FEWEST_RESAMPLED = 10
_FEWEST = 2
_FEWEST_DRAWS = 1000
_MOST_WEIGHTS = 10_000_000  # numbers at once: what bounds the memory
_BUDGET = 64 << 20
_ROUNDING = 1e-12


class LemmaBootstrap:
    """Samples of lemmas, the same for all that is averaged over as many.

    Parameters
    ----------
    draws
        How many samples; fewer where there are very many lemmas.
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

        There is none where a language has a single lemma: how far its lemmas vary is not known, and
        without that lemma the total would be of other languages.

        Parameters
        ----------
        values
            What totals are of: (totals, targets, lemmas); NaN where there is none.
        lowest, highest
            What a total can be; an interval does not go beyond.
        """
        found = [NO_INTERVAL] * len(values)
        known: NDArray[np.bool_] = np.isfinite(values)
        for held, members in _alike(np.any(known, axis=1)):
            count = int(held.sum())
            told = [place for place in members if not single_lemmas(known[place]).any()]
            if count < _FEWEST or not told:
                continue
            kept = values[told][:, :, held]
            for place, one in zip(told, self._of_same(kept, count), strict=True):
                found[place] = Interval(*(min(max(end, lowest), highest) for end in one))
        return found

    def _of_same(self, values: F64, count: int) -> Iterator[Interval]:
        """Yield the intervals of totals that rest on the same number of lemmas."""
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
        # lemmas vary, but the totals without one of them are equal by chance: these tell nothing
        return NO_INTERVAL if np.ptp(left) <= _ROUNDING else _student(total, left, self.level)

    def _samples(self, count: int) -> F64:
        """Return how often each lemma is drawn."""
        if count not in self._weights:
            self._weights[count] = cluster_weights(np.arange(count), self._drawn(count), self.seed)
        return self._weights[count]

    def _drawn(self, count: int) -> int:
        return min(self.draws, max(_FEWEST_DRAWS, _MOST_WEIGHTS // count))


def single_lemmas(known: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell the languages that have one lemma: (…, targets, lemmas) to (…, targets).

    >>> single_lemmas(np.array([[True, True], [False, True], [False, False]])).tolist()
    [False, True, False]
    """
    found: NDArray[np.bool_] = known.sum(axis=-1) == 1
    return found


def _is_constant(values: F64) -> bool:
    """Tell whether the lemmas of each language are all alike: (targets, lemmas)."""
    kept = values[np.isfinite(values).any(axis=1)]
    return bool(np.all(np.nanmax(kept, axis=1) - np.nanmin(kept, axis=1) <= _ROUNDING))


def _alike(held: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.bool_], list[int]]]:
    """Yield the rows that rest on the same lemmas."""
    found: dict[bytes, list[int]] = {}
    for place, row in enumerate(held):
        found.setdefault(row.tobytes(), []).append(place)
    for members in found.values():
        yield held[members[0]], members


def _student(value: float, left: F64, level: float) -> Interval:
    """Return Student's interval by the jackknife; of a plain mean it is the usual one."""
    from scipy.special import stdtrit

    count = len(left)
    variance = (count - 1) / count * float(((left - left.mean()) ** 2).sum())
    half = float(stdtrit(count - 1, (1 + level) / 2)) * math.sqrt(variance)
    return Interval(value - half, value + half)
