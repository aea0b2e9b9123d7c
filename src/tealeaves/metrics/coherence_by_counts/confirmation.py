"""Confirmation: how far the presence of the words W* confirms the words W'.

Each measure takes the probabilities of W', of W* and of both, and the settings. It gives NaN where
it is undefined. The caller handles words that the corpus does not have.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Floats
    from tealeaves.metrics.coherence_by_counts.settings import CoherenceSettings


@dataclass(frozen=True)
class SegmentProbabilities:
    """Probabilities of W' (``target``), W* (``condition``) and both (``joint``), from counts.

    ``joint`` has ``eps`` or ``smooth`` added. ``never`` marks segments whose words were never
    together, ``always`` those whose words were together in every unit.
    """

    target: Floats
    condition: Floats
    joint: Floats
    never: Bools
    always: Bools

    @classmethod
    def of(
        cls,
        target: Floats,
        condition: Floats,
        joint: Floats,
        units: int,
        settings: CoherenceSettings,
    ) -> SegmentProbabilities:
        """Divide counts by the number of units.

        In contexts two words may be counted together more often than one of them occurs. Their
        joint count is then the smaller of their two counts.
        """
        together = np.minimum(joint, np.minimum(target, condition))
        smoothed = (together + (settings.smooth or 0.0)) / units + (settings.eps or 0.0)
        return cls(target / units, condition / units, smoothed, together == 0, together == units)


def log_ratio(p: SegmentProbabilities, settings: CoherenceSettings) -> Floats:
    r"""PMI, :math:`\log \frac{P(W', W^*)}{P(W') P(W^*)}`."""
    return np.log(p.joint / (p.target * p.condition)) / _unit_of_logarithm(settings)


def normalised_log_ratio(p: SegmentProbabilities, settings: CoherenceSettings) -> Floats:
    r"""NPMI, :math:`\log \frac{P(W', W^*)}{P(W') P(W^*)} / -\log P(W', W^*)`.

    Words that are together in every unit have the limit, 1; gensim's formula gives them -1.
    """
    value = np.log(p.joint / (p.target * p.condition)) / -np.log(p.joint)
    if settings.compat is None:
        value = np.where(p.always | (p.joint >= 1.0), 1.0, value)
    return value


def positive_log_ratio(p: SegmentProbabilities, settings: CoherenceSettings) -> Floats:
    r"""PPMI, :math:`\max(0, \mathrm{PMI})`."""
    return np.maximum(log_ratio(p, settings), 0.0)


def log_conditional(p: SegmentProbabilities, settings: CoherenceSettings) -> Floats:
    r"""Logarithm of :math:`P(W' | W^*)`."""
    return np.log(p.joint / p.condition) / _unit_of_logarithm(settings)


def conditional(p: SegmentProbabilities, settings: CoherenceSettings) -> Floats:  # noqa: ARG001
    r""":math:`P(W' | W^*)`."""
    return p.joint / p.condition


def difference(p: SegmentProbabilities, settings: CoherenceSettings) -> Floats:  # noqa: ARG001
    r""":math:`P(W' | W^*) - P(W')`."""
    return p.joint / p.condition - p.target


def fitelson(p: SegmentProbabilities, settings: CoherenceSettings) -> Floats:  # noqa: ARG001
    r"""Fitelson's :math:`\frac{P(W'|W^*) - P(W'|\neg W^*)}{P(W'|W^*) + P(W'|\neg W^*)}`.

    Where W* is in every unit, P(W'|not W*) is 0, as in Palmetto.
    """
    with_condition = p.joint / p.condition
    absent = 1.0 - p.condition
    # p.target can fall below p.joint by the eps that was added
    without = np.maximum(p.target - p.joint, 0.0) / np.where(absent > 0, absent, 1.0)
    return (with_condition - without) / (with_condition + without)


def jaccard(p: SegmentProbabilities, settings: CoherenceSettings) -> Floats:  # noqa: ARG001
    r""":math:`P(W', W^*) / P(W' \vee W^*)`."""
    return p.joint / (p.target + p.condition - p.joint)


@dataclass(frozen=True)
class ConfirmationMeasure:
    """A confirmation measure.

    ``limit`` is the value of words that are never together, to which the measure tends as their
    joint probability falls to 0; None leaves it to the formula.
    """

    value: Callable[[SegmentProbabilities, CoherenceSettings], Floats]
    limit: float | None
    symmetric: bool = False


CONFIRMATIONS = {
    "log_ratio": ConfirmationMeasure(log_ratio, -math.inf, symmetric=True),
    "normalised_log_ratio": ConfirmationMeasure(normalised_log_ratio, -1.0, symmetric=True),
    "positive_log_ratio": ConfirmationMeasure(positive_log_ratio, 0.0, symmetric=True),
    "log_conditional": ConfirmationMeasure(log_conditional, -math.inf),
    "conditional": ConfirmationMeasure(conditional, 0.0),
    "difference": ConfirmationMeasure(difference, None),
    "fitelson": ConfirmationMeasure(fitelson, -1.0),
    "jaccard": ConfirmationMeasure(jaccard, 0.0, symmetric=True),
}


def confirm(p: SegmentProbabilities, settings: CoherenceSettings) -> Floats:
    """Apply the chosen measure; words that are never together may have a value of their own."""
    with np.errstate(divide="ignore", invalid="ignore"):
        value = CONFIRMATIONS[settings.confirmation].value(p, settings)
    if settings.never is not None:
        value = np.where(p.never, settings.never, value)
    return np.where(np.isfinite(value), value, np.nan)


def _unit_of_logarithm(settings: CoherenceSettings) -> float:
    return 1.0 if settings.base == "e" else math.log(settings.base)
