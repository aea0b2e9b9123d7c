"""``Additive``: a sum of broken lines, one for each signal, rising where that is known.

Each signal adds its own part to the prediction, a line of three pieces that meet at two knots, and
the slopes of most are 0 or more: so the model can be read, and a better signal never lowers it.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from tealeaves.arrays import Bools, Floats, Integers
from tealeaves.errors import InputError

#: How strongly slopes are drawn to 0, those that may fall or rise, and neighbouring ones to each
#: other. A signal that is good or bad depending on the corpus is believed less.
SHRINK, SHRINK_FREE, SMOOTH = 10.0, 500.0, 30.0
_QUANTILES = (1 / 3, 2 / 3)
_PIECES = len(_QUANTILES) + 1
_DECIMALS = 6
# what rounding leaves of equal numbers is no deviation
_SMALLEST = 1e-9


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The part of one signal: slopes of pieces that meet at knots, and its mean in training.

    A signal says nothing beyond what training saw of it: from ``lowest`` and ``highest`` on, the
    line is level.
    """

    signal: str
    knots: tuple[float, float]
    slopes: tuple[float, float, float]
    lowest: float
    highest: float
    mean: float

    def part(self, values: Floats) -> Floats:
        """Return what the signal adds, less what it adds to an average topic; 0 if it is NaN."""
        within = np.clip(values, self.lowest, self.highest)[:, None]
        pieces = _pieces(within, np.array([self.knots])).reshape(-1, _PIECES)
        return np.asarray(np.nan_to_num(pieces @ np.array(self.slopes) - self.mean, nan=0.0))


class Additive(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A prediction: what an average topic has, and the part of each signal."""

    average: float
    lines: tuple[Line, ...]

    @property
    def signals(self) -> tuple[str, ...]:
        """The signals that it reads, in the order of columns."""
        return tuple(line.signal for line in self.lines)

    def parts(self, values: Floats) -> Floats:
        """Return what each signal (column) adds for each topic (row)."""
        if values.shape[1] != len(self.lines):
            raise InputError(f"{values.shape[1]} signals, not {len(self.lines)}")
        columns = [line.part(values[:, place]) for place, line in enumerate(self.lines)]
        return np.stack(columns, axis=1) if columns else np.zeros((len(values), 0))

    def predict(self, values: Floats) -> Floats:
        """Return the prediction for each topic, from 0 to 1."""
        return np.asarray(np.clip(self.average + self.parts(values).sum(axis=1), 0.0, 1.0))


def fit_additive(
    values: Floats,
    target: Floats,
    *,
    signals: Sequence[str],
    free: Sequence[str] = (),
    weights: Floats | None = None,
    groups: Integers | None = None,
) -> Additive:
    """Fit it to topics (rows), by least squares with shrunken slopes.

    ``groups`` are sets of topics that people judged on scales of their own: each has its own
    level, so that only differences within a set teach. The level of the model is the mean of
    these, each with the mean weight of its topics. ``free`` are signals whose slopes may fall. A
    signal that some topics lack (NaN) is taken for the mean of the others.
    """
    values = _filled(values)
    weigh = np.ones(len(target)) if weights is None else weights
    group = np.zeros(len(target), dtype=np.int64) if groups is None else groups
    knots = np.quantile(values, _QUANTILES, axis=0).T
    scale = values.std(axis=0)
    scale = np.where(scale > _SMALLEST, scale, 1.0)
    design = (_pieces(values, knots) / scale[:, None]).reshape(len(values), -1)
    means, levels = _by_group(design, target, weigh, group)
    left, right = design - means[group], target - levels[group]
    falling = np.repeat([name in free for name in signals], _PIECES)
    slopes = _solved(left, right, weigh, falling)
    shares = _group_weights(weigh, group)
    middle = np.average(means, axis=0, weights=shares)
    average = float(np.average(levels, weights=shares))
    shown = (slopes.reshape(-1, _PIECES) / scale[:, None]).round(_DECIMALS)
    parts = (middle.reshape(-1, _PIECES) * scale[:, None] * shown).sum(axis=1)
    lines = [
        _line(name, knots[place], shown[place], values[:, place], float(parts[place]))
        for place, name in enumerate(signals)
    ]
    return Additive(round(average, _DECIMALS), tuple(lines))


def _line(name: str, knots: Floats, slopes: Floats, seen: Floats, mean: float) -> Line:
    one, other = (round(float(knot), _DECIMALS) for knot in knots)
    first, second, third = (float(slope) for slope in slopes)
    lowest, highest = (round(float(end), _DECIMALS) for end in (seen.min(), seen.max()))
    mean = round(mean, _DECIMALS)
    return Line(name, (one, other), (first, second, third), lowest, highest, mean)


def _filled(values: Floats) -> Floats:
    """Put the mean of a column where it is NaN; 0 where it is NaN throughout."""
    known = np.isfinite(values)
    number = np.maximum(known.sum(axis=0), 1)
    means = np.where(known, values, 0.0).sum(axis=0) / number
    return np.where(known, values, means)


def _group_weights(weights: Floats, groups: Integers) -> Floats:
    return np.array([weights[groups == number].mean() for number in range(int(groups.max()) + 1)])


def _pieces(values: Floats, knots: Floats) -> Floats:
    """Cut each value into what of it lies in each piece; their sum is the value."""
    low, high = knots[:, 0], knots[:, 1]
    between = np.clip(values, low, high) - low
    return np.stack([np.minimum(values, low), between, np.maximum(values - high, 0.0)], axis=2)


def _by_group(
    design: Floats, target: Floats, weights: Floats, groups: Integers
) -> tuple[Floats, Floats]:
    means, levels = [], []
    for number in range(int(groups.max()) + 1):
        mine = groups == number
        means.append(np.average(design[mine], axis=0, weights=weights[mine]))
        levels.append(np.average(target[mine], weights=weights[mine]))
    return np.array(means), np.array(levels)


def _solved(left: Floats, right: Floats, weights: Floats, falling: Bools) -> Floats:
    """Solve the shrunken least squares, with slopes of 0 or more but for the falling ones."""
    from scipy.optimize import nnls

    normal = left.T @ (left * weights[:, None]) + _penalty(falling)
    root = np.linalg.cholesky(normal)
    wanted = np.linalg.solve(root, left.T @ (right * weights))
    # a slope of either sign is the difference of two that are 0 or more
    both = np.hstack([root.T, -root.T[:, falling]])
    found, _ = nnls(both, wanted, maxiter=100 * both.shape[1])
    slopes: Floats = found[: left.shape[1]].copy()
    slopes[falling] -= found[left.shape[1] :]
    return slopes


def _penalty(falling: Bools) -> Floats:
    """Return the matrix of SHRINK · Σ slope² / pieces + SMOOTH · Σ (slope − next slope)²."""
    penalty = np.diag(np.where(falling, SHRINK_FREE, SHRINK) / _PIECES)
    for place in range(len(falling) - 1):
        if (place + 1) % _PIECES:
            two = np.ix_([place, place + 1], [place, place + 1])
            penalty[two] += SMOOTH * np.array([[1.0, -1.0], [-1.0, 1.0]])
    return penalty
