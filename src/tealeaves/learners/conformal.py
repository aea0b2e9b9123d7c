"""Prediction intervals for new languages: hierarchical conformal prediction.

Lee, Barber & Willett (2023), "Distribution-free inference with hierarchical data". Languages, not
topics, are exchangeable: the errors in a new language may be as large as in any known language, or
larger than in all. So each of K languages has the mass 1 / (K + 1), spread evenly over its
residuals, and the last 1 / (K + 1) lies at infinity. A quantile of this mixture is the half width
of an interval.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.learners.results import check_level

#: The most residuals that are kept of a language and a cardinality, and their decimals.
MOST = 50
DECIMALS = 5

_SLACK = 1e-12  # by which sums of masses may be off


class Conformal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Absolute residuals of each language, of a learner that was fitted without it.

    ``residuals[language][cardinality]`` is sorted; it may be empty.

    >>> three = Conformal.of([0.1, -0.2, 0.3], ["ro", "sv", "tl"], [10, 10, 10])
    >>> three.half_width(0.5, 10), three.half_width(0.75, 10), three.half_width(0.8, 10)
    (0.2, 0.3, inf)
    """

    languages: list[str]
    cardinalities: list[int]
    residuals: list[list[list[float]]]

    @classmethod
    def of(
        cls,
        residuals: Sequence[float] | Floats,
        languages: Sequence[str],
        cardinalities: Sequence[int] | NDArray[np.int64],
    ) -> Conformal:
        """Return the intervals for the residual, language and cardinality of each topic.

        A residual is a target less its prediction by a learner that never saw the topic's
        language. NaN is left out.
        """
        errors = np.abs(np.asarray(residuals, dtype=np.float64))
        spoken, sizes = np.array(languages, dtype=str), np.asarray(cardinalities, dtype=np.int64)
        if not errors.shape == spoken.shape == sizes.shape:
            raise InputError(
                f"{len(errors)} residuals, {len(spoken)} languages and {len(sizes)} "
                "cardinalities: one of each is needed for each topic"
            )
        known = ~np.isnan(errors)
        errors, spoken, sizes = errors[known], spoken[known], sizes[known]
        names, every = np.unique(spoken).tolist(), np.unique(sizes).tolist()
        return cls(
            languages=names,
            cardinalities=every,
            residuals=[
                [thinned(errors[(spoken == name) & (sizes == size)]) for size in every]
                for name in names
            ],
        )

    def __post_init__(self) -> None:
        """Raise for residuals that are damaged: not sorted, negative, undefined, or of no one."""
        if len(set(self.languages)) != len(self.languages):
            raise InputError("languages: one is there twice: the intervals are damaged")
        if self.cardinalities != sorted(set(self.cardinalities)):
            raise InputError("cardinalities: not sorted: the intervals are damaged")
        if len(self.residuals) != len(self.languages):
            raise InputError(
                f"residuals: of {len(self.residuals)} languages, not {len(self.languages)}: "
                "the intervals are damaged"
            )
        for name, errors in zip(self.languages, self.residuals, strict=True):
            if len(errors) != len(self.cardinalities):
                raise InputError(
                    f"residuals of {name}: of {len(errors)} cardinalities, not "
                    f"{len(self.cardinalities)}: the intervals are damaged"
                )
            for some in errors:
                _check(name, some)

    def half_width(self, level: float, cardinality: int) -> float:
        """Return half the width of the interval around a prediction.

        The residuals are those of the nearest cardinality, the lower of two. The width is infinite
        if there are too few languages for the level: K of them reach K / (K + 1).
        """
        check_level(level)
        known = self._nearest(cardinality)
        if level > len(known) / (len(known) + 1) + _SLACK:
            return float("inf")
        values = np.concatenate(known)
        masses = np.concatenate([np.full(len(errors), 1 / len(errors)) for errors in known])
        order = np.argsort(values, kind="stable")
        reached = np.cumsum(masses[order]) / (len(known) + 1)
        # where the level is just reached, rounding of the sums must not push it past the end
        place = min(int(np.searchsorted(reached, level - _SLACK)), len(values) - 1)
        return float(values[order[place]])

    def _nearest(self, cardinality: int) -> list[Floats]:
        """Return the residuals of each language that has some for the nearest cardinality."""
        if not self.cardinalities:
            return []
        distances = np.abs(np.array(self.cardinalities) - cardinality)
        place = int(np.argmin(distances))
        return [np.array(errors[place]) for errors in self.residuals if errors[place]]


def thinned(errors: Floats, most: int = MOST) -> list[float]:
    """Return sorted errors, or ``most`` quantiles of them, each the highest of its share.

    Quantiles are rounded up, so that intervals may widen but never narrow.

    >>> thinned(np.array([5.0, 1.0, 2.0, 4.0, 3.0]), most=2)
    [3.0, 5.0]
    >>> thinned(np.array([0.1234501]))
    [0.12346]
    """
    ordered = np.sort(errors)
    if len(ordered) > most:
        ends = -(-np.arange(1, most + 1) * len(ordered) // most)  # rounded up
        ordered = ordered[ends - 1]
    rounded = np.round(ordered, DECIMALS)
    short = rounded < ordered
    rounded[short] = np.round(rounded[short] + 10.0**-DECIMALS, DECIMALS)
    result: list[float] = rounded.tolist()
    return result


def _check(name: str, some: list[float]) -> None:
    values = np.array(some, dtype=np.float64)
    if not np.isfinite(values).all() or (values < 0).any() or (np.diff(values) < 0).any():
        raise InputError(
            f"residuals of {name}: not all are sorted numbers from 0 on: the intervals are damaged"
        )
