"""The kernel of a topic: the words that tell it from the other topics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.topics.distributions import Prior, phi, topic_shares, topics_given_words
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from numpy.typing import NDArray

# p(t|w) is a quotient: what equals the threshold but for rounding reaches it
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Kernel:
    """The kernel words of one topic, the most probable first.

    ``columns`` are their places in the vocabulary, ``probability`` is p(w|t) and ``given`` p(t|w).
    """

    columns: NDArray[np.int64]
    probability: NDArray[np.float64]
    given: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.columns)


def kernels(topics: Topics, threshold: float, prior: Prior, top: int | None) -> list[Kernel]:
    """Return W_t = {w : p(t|w) >= threshold} of each topic, or its ``top`` most probable words.

    Of words that are equally probable the one with the larger p(t|w) comes first.
    """
    probability = phi(topics)
    probability = probability / probability.sum(axis=1, keepdims=True)  # files round
    given = topics_given_words(topics, topic_shares(topics, prior).values)
    least = threshold * (1.0 - _ROUNDING)
    found = []
    for number in range(len(topics)):
        columns = np.flatnonzero(given[number] >= least)
        inside, telling = probability[number, columns], given[number, columns]
        order = np.lexsort((-telling, -inside))[:top]
        found.append(Kernel(columns[order], inside[order], telling[order]))
    return found
