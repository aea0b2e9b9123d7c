"""Dirichlet priors: the likelihood of counts, and priors learnt from them.

Both are computed from histograms: how many counts of each size there are. Priors are learnt by
Minka's fixed point (2000). A weak gamma prior keeps every parameter above zero: without it, the
parameter of a topic that lost all its tokens would become 0, and the topic could never return.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.models.polylingual.kernels.counts import count_in_tuples

if TYPE_CHECKING:
    from tealeaves.kernels import F64, I32, I64
    from tealeaves.models.texts import TrainingTexts

SHAPE, SCALE = 1.001, 1.0  # of the gamma prior
_MAX_STEPS = 500
_TOLERANCE = 1e-7  # the largest relative change of the last step


class Priors(NamedTuple):
    """The prior of each topic in tuples, and that of words in each language."""

    alpha: F64
    beta: F64


@dataclass(frozen=True, eq=False)
class CountHistogram:
    """Counts and how many times each occurs; zeros are left out.

    ``topics`` is the topic of each count, where topics have different parameters.
    """

    counts: I64
    times: I64
    topics: I64

    @classmethod
    def of(cls, counts: I32 | I64) -> CountHistogram:
        """Return the histogram of some counts."""
        times = np.bincount(counts, minlength=1)
        positive = np.flatnonzero(times[1:]) + 1
        return cls(positive, times[positive], np.zeros(len(positive), dtype=np.int64))


def topics_in_tuples(texts: TrainingTexts, topics: I32, k: int) -> CountHistogram:
    """Count how many tuples have each topic once, twice and so on."""
    topics_of_pairs, counts = np.empty_like(topics), np.empty_like(topics)
    buffer = np.zeros(k, dtype=np.int64)
    pairs = count_in_tuples(
        len(texts.languages), texts.starts, topics, buffer, topics_of_pairs, counts
    )
    packed = counts[:pairs].astype(np.int64) * k + topics_of_pairs[:pairs]
    values, times = np.unique(packed, return_counts=True)
    return CountHistogram(values // k, times, values % k)


def log_dirichlet_multinomial(
    parameters: F64, total: float, counts: CountHistogram, sums: CountHistogram
) -> float:
    """Return the log-likelihood of sequences drawn from Dirichlet-multinomials.

    ``counts`` are those of each outcome in each sequence and ``sums`` the lengths of sequences.
    ``parameters`` are those of the topics that the counts name, and ``total`` is their sum over
    all outcomes.
    """
    from scipy.special import gammaln

    prior = parameters[counts.topics]
    inner = counts.times @ (gammaln(counts.counts + prior) - gammaln(prior))
    outer = sums.times @ (gammaln(sums.counts + total) - gammaln(total))
    return float(inner - outer)


def learn_asymmetric(parameters: F64, counts: CountHistogram, sums: CountHistogram) -> F64:
    """Return the best parameters, one for each outcome, such as the topics of tuples."""
    return _fixed_point(parameters, counts, sums, 1)


def learn_symmetric(
    parameter: float, size: int, counts: CountHistogram, sums: CountHistogram
) -> float:
    """Return the best parameter that ``size`` outcomes share, such as the words of a language."""
    return float(_fixed_point(np.array([parameter]), counts, sums, size)[0])


def _fixed_point(parameters: F64, counts: CountHistogram, sums: CountHistogram, size: int) -> F64:
    """Repeat Minka's step, each of which raises the posterior of the parameters."""
    from scipy.special import digamma

    for _ in range(_MAX_STEPS):
        prior, total = parameters[counts.topics], float(parameters.sum()) * size
        gains = counts.times * (digamma(counts.counts + prior) - digamma(prior))
        gain = np.bincount(counts.topics, gains, minlength=len(parameters))
        loss = size * (sums.times @ (digamma(sums.counts + total) - digamma(total)))
        better = (SHAPE - 1 + parameters * gain) / (1 / SCALE + loss)
        change = float(np.max(np.abs(better - parameters) / parameters))
        parameters = better
        if change < _TOLERANCE:
            break
    return parameters
