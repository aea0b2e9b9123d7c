"""Kernels: how many words a topic has of its own, and how much they say of it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from tealeaves.metrics.artm.coherence import KernelCoherence
from tealeaves.metrics.artm.family import KernelNumber, KernelSettings

if TYPE_CHECKING:
    from tealeaves.metrics.artm.kernels import Kernel

_CITE = "Vorontsov & Potapenko 2015"


@dataclass(frozen=True, repr=False, eq=False)
class KernelSize(KernelNumber):
    """How many words tell the topic from the others?"""

    def number(self, kernel: Kernel) -> float:
        """Count its words."""
        return float(len(kernel))


@dataclass(frozen=True, repr=False, eq=False)
class Purity(KernelNumber):
    """How much of the topic are words of its own?"""

    def number(self, kernel: Kernel) -> float:
        """Sum the p(w|t) of its words."""
        return float(kernel.probability.sum())


@dataclass(frozen=True, repr=False, eq=False)
class Contrast(KernelNumber):
    """How surely do the topic's own words tell it from the others?"""

    def number(self, kernel: Kernel) -> float:
        """Average the p(t|w) of its words."""
        if len(kernel):
            return float(kernel.given.mean())
        return 0.0 if self.settings.empty == "zero" else float("nan")


kernel_size = KernelSize(
    name="kernel_size",
    summary="number of words that tell the topic from the others, p(t|w) >= threshold",
    better="higher",
    bounds=(0.0, inf),
    cite=_CITE,
    settings=KernelSettings(),
    accepts=("threshold", "prior"),
    details="""\
    |W_t|, the number of kernel words W_t = {w : p(t|w) >= threshold}, where
    p(t|w) = p(w|t) p(t) / sum over topics s of p(w|s) p(s).

    Defaults: threshold 0.25, as in the paper (BigARTM's is 0.1). prior says what p(t) is taken
    from: tokens (token assignments, or theta and the documents' lengths), documents (the mean of
    theta) or uniform; auto takes the first of these that the model knows, and the signature says
    which it was. @n counts no more than the n most probable kernel words.
    Misleads: larger is better only up to a point. Each word is in at most 1/threshold kernels, so
    the mean is at most V / (K threshold) for V words and K topics: models with other K or V do
    not compare. A topic of rare words has a large kernel that says little; look at purity too.
    """,
)

purity = Purity(
    name="purity",
    summary="probability of the words that tell the topic from the others",
    better="higher",
    bounds=(0.0, 1.0),
    cite=_CITE,
    settings=KernelSettings(),
    accepts=("threshold", "prior"),
    details="""\
    The sum of p(w|t) over the kernel W_t = {w : p(t|w) >= threshold}; a kernel without words has
    the purity 0.

    Defaults: threshold 0.25, as in the paper (BigARTM's is 0.1). prior says what p(t) is taken
    from, as for kernel_size. @n sums the n most probable kernel words.
    Misleads: with few topics p(t|w) reaches the threshold easily; with 1/threshold topics or fewer
    every word is in some kernel.
    """,
)

contrast = Contrast(
    name="contrast",
    summary="mean p(t|w) of the words that tell the topic from the others",
    better="higher",
    bounds=(0.0, 1.0),
    cite=_CITE,
    settings=KernelSettings(),
    accepts=("threshold", "prior", "empty"),
    details="""\
    The mean of p(t|w) over the kernel W_t = {w : p(t|w) >= threshold}.

    Defaults: threshold 0.25, as in the paper (BigARTM's is 0.1). prior says what p(t) is taken
    from, as for kernel_size. A kernel without words has no contrast; empty=zero counts it as 0, as
    BigARTM does. @n is the mean over the n most probable kernel words.
    Misleads: it is never below the threshold, so only values of the same threshold compare; every
    kernel word counts alike, however rare.
    """,
)

kernel_coherence = KernelCoherence(
    name="kernel_coherence",
    summary="coherence of the words that tell the topic from the others",
    better="higher",
    bounds=(0.0, inf),
    cite="Vorontsov & Potapenko 2015; the kernel coherence of BigARTM (Vorontsov et al. 2015)",
    settings=KernelSettings(),
    accepts=("measure", "threshold", "prior"),
    details="""\
    The coherence of the kernel words W_t = {w : p(t|w) >= threshold}, the most probable first.
    measure is any metric of word lists, such as kernel_coherence(measure='npmi(window=10)')@10.

    Defaults: ppmi, the coherence of ARTM; threshold 0.25, as in the paper (BigARTM's is 0.1).
    prior says what p(t) is taken from, as for kernel_size. @n scores the n most probable kernel
    words. A kernel of fewer than two words has no coherence.
    Misleads: without @n a kernel of n words has n (n - 1) / 2 pairs, which takes long for
    thousands of words, and most are rare words that never meet.
    """,
)
