"""Confirmation: how far the presence of some words confirms others.

Each measure takes the probabilities of W', of W* and of both, and the policy. It gives NaN where
it is undefined; words that the text does not have are left to the caller.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.metrics.roeder.policy import Policy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Floats


@dataclass(frozen=True)
class Probabilities:
    """Probabilities of W' (``one``), W* (``given``) and both (``joint``), from counts.

    ``joint`` has ``eps`` or ``smooth`` added; ``never`` marks what was never together, ``always``
    what was together in every unit.
    """

    one: Floats
    given: Floats
    joint: Floats
    never: NDArray[np.bool_]
    always: NDArray[np.bool_]

    @classmethod
    def of(
        cls, one: Floats, given: Floats, joint: Floats, units: int, policy: Policy
    ) -> Probabilities:
        """Divide counts by the number of units.

        In context windows two words may meet more often than one of them occurs; they are then
        together as often as they can be.
        """
        met = np.minimum(joint, np.minimum(one, given))
        smoothed = (met + (policy.smooth or 0.0)) / units + (policy.eps or 0.0)
        return cls(one / units, given / units, smoothed, met == 0, met == units)


def log_ratio(p: Probabilities, policy: Policy) -> Floats:
    r"""PMI, :math:`\log \frac{P(W', W^*)}{P(W') P(W^*)}`."""
    return np.log(p.joint / (p.one * p.given)) / _unit_of_log(policy)


def normalised_log_ratio(p: Probabilities, policy: Policy) -> Floats:
    r"""NPMI, :math:`\log \frac{P(W', W^*)}{P(W') P(W^*)} / -\log P(W', W^*)`.

    What is together in every unit is at the limit 1; gensim's formula gives -1 there.
    """
    value = np.log(p.joint / (p.one * p.given)) / -np.log(p.joint)
    if policy.compat is None:
        value = np.where(p.always | (p.joint >= 1.0), 1.0, value)
    return value


def positive_log_ratio(p: Probabilities, policy: Policy) -> Floats:
    r"""PPMI, :math:`\max(0, \mathrm{PMI})`."""
    return np.maximum(log_ratio(p, policy), 0.0)


def log_conditional(p: Probabilities, policy: Policy) -> Floats:
    r"""Logarithm of :math:`P(W' | W^*)`."""
    return np.log(p.joint / p.given) / _unit_of_log(policy)


def conditional(p: Probabilities, policy: Policy) -> Floats:  # noqa: ARG001
    r""":math:`P(W' | W^*)`."""
    return p.joint / p.given


def difference(p: Probabilities, policy: Policy) -> Floats:  # noqa: ARG001
    r""":math:`P(W' | W^*) - P(W')`."""
    return p.joint / p.given - p.one


def fitelson(p: Probabilities, policy: Policy) -> Floats:  # noqa: ARG001
    r"""Fitelson's :math:`\frac{P(W'|W^*) - P(W'|\neg W^*)}{P(W'|W^*) + P(W'|\neg W^*)}`.

    Where W* is in every unit, the second term is 0, as in Palmetto.
    """
    with_given = p.joint / p.given
    absent = 1.0 - p.given
    # p.one can fall below p.joint by the eps that was added
    without = np.maximum(p.one - p.joint, 0.0) / np.where(absent > 0, absent, 1.0)
    return (with_given - without) / (with_given + without)


def jaccard(p: Probabilities, policy: Policy) -> Floats:  # noqa: ARG001
    r""":math:`P(W', W^*) / P(W' \vee W^*)`."""
    return p.joint / (p.one + p.given - p.joint)


@dataclass(frozen=True)
class Measure:
    """A confirmation measure, its value for what is never together, and whether order matters.

    ``limit`` is what the measure tends to; None leaves it to the formula.
    """

    value: Callable[[Probabilities, Policy], Floats]
    limit: float | None
    symmetric: bool = False


CONFIRMATIONS = {
    "log_ratio": Measure(log_ratio, -math.inf, symmetric=True),
    "normalised_log_ratio": Measure(normalised_log_ratio, -1.0, symmetric=True),
    "positive_log_ratio": Measure(positive_log_ratio, 0.0, symmetric=True),
    "log_conditional": Measure(log_conditional, -math.inf),
    "conditional": Measure(conditional, 0.0),
    "difference": Measure(difference, None),
    "fitelson": Measure(fitelson, -1.0),
    "jaccard": Measure(jaccard, 0.0, symmetric=True),
}


def confirm(p: Probabilities, policy: Policy) -> Floats:
    """Apply the policy's measure, with its value for what is never together."""
    with np.errstate(divide="ignore", invalid="ignore"):
        value = CONFIRMATIONS[policy.confirmation].value(p, policy)
    if policy.never is not None:
        value = np.where(p.never, policy.never, value)
    return np.where(np.isfinite(value), value, np.nan)


def _unit_of_log(policy: Policy) -> float:
    return 1.0 if policy.base == "e" else math.log(policy.base)
