"""Optimising the parameters of Dirichlet priors by Minka's fixed point (2000), on histograms.

A weak gamma prior keeps a parameter that nothing speaks for above zero: without it the parameter
of a topic that lost all its tokens would become 0, and the topic could never return.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64
    from tealeaves.models.polylingual.histograms import Histogram

SHAPE, SCALE = 1.001, 1.0  # of the gamma prior
_MOST_STEPS = 500
_ENOUGH = 1e-7  # the greatest relative change of a last step


def learn_asymmetric(parameters: F64, counts: Histogram, sums: Histogram) -> F64:
    """Return the best parameters, one for each outcome, such as a topic of tuples.

    Each step raises the posterior of the parameters.
    """
    return _fixed_point(parameters, counts, sums, 1)


def learn_symmetric(parameter: float, size: int, counts: Histogram, sums: Histogram) -> float:
    """Return the best parameter that ``size`` outcomes share, such as the words of a language."""
    return float(_fixed_point(np.array([parameter]), counts, sums, size)[0])


def _fixed_point(parameters: F64, counts: Histogram, sums: Histogram, size: int) -> F64:
    from scipy.special import digamma

    for _ in range(_MOST_STEPS):
        own, total = parameters[counts.topics], float(parameters.sum()) * size
        gains = counts.times * (digamma(counts.counts + own) - digamma(own))
        gained = np.bincount(counts.topics, gains, minlength=len(parameters))
        lost = size * (sums.times @ (digamma(sums.counts + total) - digamma(total)))
        better = (SHAPE - 1 + parameters * gained) / (1 / SCALE + lost)
        change = float(np.max(np.abs(better - parameters) / parameters))
        parameters = better
        if change < _ENOUGH:
            break
    return parameters
