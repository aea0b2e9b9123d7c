"""``Estimator``: from the features of a topic to the CNPMI that a rich reference would give it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from tealeaves.errors import InputError
from tealeaves.estimator.conformal import Conformal
from tealeaves.estimator.learners.kinds import AnyFitted
from tealeaves.estimator.shapley import contributions

if TYPE_CHECKING:
    from tealeaves.arrays import Floats


class Seen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a column of numbers was like in the rows that were learned from."""

    mean: float
    sd: float
    low: float
    high: float

    @classmethod
    def of(cls, column: Floats) -> Seen:
        """Look at a column, of which something must be defined."""
        known = column[~np.isnan(column)]
        return cls(float(known.mean()), float(known.std()), float(known.min()), float(known.max()))

    def standing(self, value: float) -> float:
        """Return how many standard deviations a value lies above the mean.

        >>> Seen(mean=1.0, sd=0.5, low=0.0, high=3.0).standing(2.0)
        2.0
        """
        return (value - self.mean) / self.sd if self.sd > 0 else 0.0


class AtCardinality(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reference's CNPMI, the target and the features in rows of one cardinality.

    ``estimate`` are the estimates of languages that were left out: they lie closer together than
    targets.
    """

    raw: Seen
    target: Seen
    estimate: Seen
    features: tuple[Seen, ...]


class Reached(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How well languages were estimated that were left out: means over them.

    ``raw`` and ``estimate`` are Pearson's r of CNPMI and of estimates with the target, over topics
    of all cardinalities; ``raw_models`` and ``estimate_models`` those of the means of models;
    ``error`` is the mean absolute error, ``covered`` the share of targets inside 90 % intervals.
    There is no correlation where nothing varies, and no share where intervals have no end.
    """

    raw: float | None
    estimate: float | None
    raw_models: float | None
    estimate_models: float | None
    error: float
    covered: float | None


class Estimator(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One fitted estimator: what it needs, what it learned, and how far it can be trusted."""

    features: tuple[str, ...]
    fitted: AnyFitted
    settings: dict[str, float | int | str]
    seen: tuple[Seen, ...]
    cardinalities: dict[int, AtCardinality]
    languages: tuple[str, ...]
    rows: int
    conformal: Conformal
    reached: Reached

    def __post_init__(self) -> None:
        if len(set(self.features)) != len(self.features):
            raise InputError("a feature of an estimator is there twice")
        if self.rows < 1 or min(self.cardinalities, default=1) < 1:
            raise InputError("an estimator was learned from rows and words, one at least")
        if not self.features or len(self.seen) != len(self.features):
            raise InputError("an estimator has as many descriptions as features")
        if self.fitted.width != len(self.features):
            raise InputError(f"{len(self.features)} features, but {self.fitted.width} were learned")
        if not self.cardinalities:
            raise InputError("an estimator was learned at one cardinality at least")
        if any(len(at.features) != len(self.features) for at in self.cardinalities.values()):
            raise InputError("each cardinality has as many descriptions as features")

    def __repr__(self) -> str:
        return f"Estimator({', '.join(self.features)}; {len(self.languages)} languages)"

    def predict(self, matrix: Floats) -> Floats:
        """Estimate topics: a row each, a column a feature; NaN where a feature is undefined."""
        found = np.full(len(matrix), np.nan)
        known = ~np.isnan(matrix).any(axis=1)
        if known.any():
            found[known] = np.clip(self.fitted.predict(matrix[known]), -1.0, 1.0)
        return found

    def contributions(
        self, matrix: Floats, cardinality: float, groups: Sequence[Sequence[int]] | None = None
    ) -> Floats:
        """Return what each feature (or group of columns) adds to estimates, beside one as usual.

        The topics are of this cardinality, and as usual is what is the mean there: else the number
        of words would be what moved each of them most.
        """
        return contributions(self.predict, matrix, self._centre(cardinality), groups)

    def usual(self, cardinality: float) -> float:
        """Return the estimate of a topic all whose features are the mean of a cardinality."""
        return float(self.predict(self._centre(cardinality))[0])

    def _centre(self, cardinality: float) -> Floats:
        return np.array([[one.mean for one in self.nearest(cardinality).features]])

    def standing(self, name: str, value: float, cardinality: float) -> float:
        """Return how many standard deviations a feature lies above its mean at a cardinality."""
        return self.nearest(cardinality).features[self.features.index(name)].standing(value)

    def half_width(self, cardinality: float, level: float) -> float:
        """Return half the width of the interval that holds a topic of another language."""
        return self.conformal.half_width(level, round(cardinality))

    def nearest(self, cardinality: float) -> AtCardinality:
        """Return what was seen at the cardinality that is nearest to this."""
        return self.cardinalities[min(self.cardinalities, key=lambda c: abs(c - cardinality))]

    def beyond(self, row: Sequence[float]) -> list[str]:
        """Name the features of a topic that lie outside all that was learned from."""
        triples = zip(self.features, self.seen, row, strict=True)
        return [name for name, seen, value in triples if not seen.low <= value <= seen.high]
