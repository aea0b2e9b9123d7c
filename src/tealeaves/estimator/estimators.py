"""Estimators: from the features of a topic to the CNPMI that a rich reference would give it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import msgspec
import numpy as np

from tealeaves.errors import InputError
from tealeaves.estimator.features import FEATURES, Features, TopicFeatures, in_order
from tealeaves.learners.catalogue import AnyFitted
from tealeaves.learners.conformal import Conformal
from tealeaves.learners.results import LEVEL
from tealeaves.learners.shapley import contributions
from tealeaves.learners.storage import LearnedFile, open_learned
from tealeaves.version import __version__

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers


class Seen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The distribution of a number in the training rows."""

    mean: float
    sd: float
    low: float
    high: float

    @classmethod
    def of(cls, column: Floats) -> Seen:
        """Describe a column with at least one defined number."""
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

    ``estimate`` are the estimates of languages that were left out, which vary less than targets.
    """

    raw: Seen
    target: Seen
    estimate: Seen
    features: tuple[Seen, ...]


class Reached(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How well languages that were left out were estimated: means over languages.

    ``raw`` and ``estimate`` are Pearson's r of CNPMI and of estimates with the target, over topics
    of all cardinalities; ``raw_models`` and ``estimate_models`` those of the means of models;
    ``error`` is the mean absolute error, ``covered`` the share of targets inside 90 % intervals.
    A correlation is None where nothing varies, and the share where intervals are infinite.
    """

    raw: float | None
    estimate: float | None
    raw_models: float | None
    estimate_models: float | None
    error: float
    covered: float | None


class Estimator(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One fitted estimator: its features, what it learned, and how well it predicts."""

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
            raise InputError("an estimator has a feature twice")
        if self.rows < 1 or min(self.cardinalities, default=1) < 1:
            raise InputError("an estimator needs at least one row and one word to learn from")
        if not self.features or len(self.seen) != len(self.features):
            raise InputError("an estimator needs one description for each feature")
        if self.fitted.width != len(self.features):
            raise InputError(f"{len(self.features)} features, but {self.fitted.width} were learned")
        if not self.cardinalities:
            raise InputError("an estimator needs at least one cardinality")
        if any(len(at.features) != len(self.features) for at in self.cardinalities.values()):
            raise InputError("each cardinality needs one description for each feature")

    def __repr__(self) -> str:
        return f"Estimator({', '.join(self.features)}; {len(self.languages)} languages)"

    def predict(self, matrix: Floats) -> Floats:
        """Estimate topics (rows) from features (columns); NaN where a feature is undefined."""
        estimates = np.full(len(matrix), np.nan)
        known = ~np.isnan(matrix).any(axis=1)
        if known.any():
            estimates[known] = np.clip(self.fitted.predict(matrix[known]), -1.0, 1.0)
        return estimates

    def contributions(
        self, matrix: Floats, cardinality: float, groups: Sequence[Sequence[int]] | None = None
    ) -> Floats:
        """Return what each feature (or group of columns) adds to the estimate of an average topic.

        The average is that of topics of this cardinality, because else the number of words would
        have the largest contribution to all of them.
        """
        return contributions(self.predict, matrix, self._centre(cardinality), groups)

    def average(self, cardinality: float) -> float:
        """Return the estimate of an average topic of a cardinality."""
        return float(self.predict(self._centre(cardinality))[0])

    def _centre(self, cardinality: float) -> Floats:
        return np.array([[one.mean for one in self.nearest(cardinality).features]])

    def standing(self, name: str, value: float, cardinality: float) -> float:
        """Return how many standard deviations a feature lies above its mean at a cardinality."""
        return self.nearest(cardinality).features[self.features.index(name)].standing(value)

    def half_width(self, cardinality: float, level: float) -> float:
        """Return half the width of the interval of a topic in another language."""
        return self.conformal.half_width(level, round(cardinality))

    def nearest(self, cardinality: float) -> AtCardinality:
        """Return what was seen at the nearest cardinality."""
        return self.cardinalities[min(self.cardinalities, key=lambda c: abs(c - cardinality))]

    def beyond(self, row: Sequence[float]) -> list[str]:
        """Return the features of a topic that lie outside the range of the training rows."""
        triples = zip(self.features, self.seen, row, strict=True)
        return [name for name, seen, value in triples if not seen.low <= value <= seen.high]


class Estimates(NamedTuple):
    """The estimates of topics, with intervals; ``which`` is the estimator's number, -1 if none."""

    values: Floats
    low: Floats
    high: Floats
    which: Integers


class Estimators(LearnedFile, frozen=True, kw_only=True):
    """Estimators of the same target, the best first, and where they come from."""

    holds: ClassVar[str] = "estimators"
    file_format: ClassVar[tuple[str, int]] = ("tealeaves-estimator", 1)
    made_by: ClassVar[str] = "tealeaves estimator fit"

    format: Literal["tealeaves-estimator"] = "tealeaves-estimator"
    version: int = 1
    made_with: str = __version__
    pivot: str
    learner: str
    source: str = ""
    estimators: tuple[Estimator, ...]

    def __repr__(self) -> str:
        spoken = len({name for one in self.estimators for name in one.languages})
        return (
            f"Estimators({len(self.estimators)} by {self.learner}, learned from {self.pivot} "
            f"beside {spoken} languages)"
        )

    @property
    def features(self) -> Features:
        """The features that must be computed."""
        return Features(more=self.more, pivot=self.pivot)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features that any of them needs."""
        return in_order(name for one in self.estimators for name in one.features)

    @property
    def more(self) -> tuple[str, ...]:
        """The features that are metrics, named by their expressions."""
        return tuple(name for name in self.names if name not in FEATURES)

    def estimate(self, topics: TopicFeatures, level: float = LEVEL) -> Estimates:
        """Estimate each topic by the first estimator all of whose features it has.

        A topic has no estimate if the reference has no pair of its words.
        """
        size = len(topics.support)
        values, width = np.full(size, np.nan), np.full(size, np.nan)
        which = np.full(size, -1, dtype=np.int64)
        for number, one in enumerate(self.estimators):
            estimates = one.predict(topics.matrix(one.features))
            mine = (which < 0) & ~np.isnan(estimates) & (topics.support > 0)
            which[mine], values[mine] = number, estimates[mine]
            for row in np.flatnonzero(mine):
                width[row] = one.half_width(topics.values["cardinality"][row], level)
        low, high = np.clip([values - width, values + width], -1.0, 1.0)  # the range of CNPMI
        return Estimates(values, low, high, which)

    def check(self) -> None:
        """Raise if there are no estimators, or if a feature cannot be computed."""
        if not self.estimators:
            raise InputError("there are no estimators in it")
        _ = self.features


def open_estimators(path: str | os.PathLike[str] | None = None) -> Estimators:
    """Read saved estimators; without a path, those that come with tealeaves.

    Parameters
    ----------
    path
        A file of ``tealeaves estimator fit``.
    """
    return open_learned(Estimators, path)
