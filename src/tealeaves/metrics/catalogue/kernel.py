"""Kernels: how many words a topic has of its own, and how much they say of it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from tealeaves.metrics.artm.coherence import KernelCoherence
from tealeaves.metrics.artm.family import KernelNumber, KernelSettings
from tealeaves.metrics.formulas import KERNEL, PMI

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
    formula=r"\lvert W_t \rvert, \quad " + KERNEL,
    misleads=(
        "Larger is better only up to a point: a topic of rare words has a large kernel that says "
        "little; look at purity too. Each word is in at most 1/threshold kernels, so the mean is "
        "at most V / (K threshold) for V words and K topics: models with other K or V do not "
        "compare."
    ),
    details="""\
    The number of kernel words W_t, those with a p(t|w) of at least the threshold τ.

    Defaults: threshold τ = 0.25, as in the paper (BigARTM's is 0.1). prior says what p(t) is taken
    from: tokens (token assignments, or theta and the documents' lengths), documents (the mean of
    theta) or uniform; auto takes the first of these that the model knows, and the signature says
    which it was. @n counts no more than the n most probable kernel words.
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
    formula=r"\sum_{w \in W_t} p(w \mid t), \quad " + KERNEL,
    misleads=(
        "With few topics p(t|w) reaches the threshold easily; with 1/threshold topics or fewer "
        "every word is in some kernel. A topic that one frequent word of its own fills is pure, "
        "whatever else is in it."
    ),
    details="""\
    The sum of p(w|t) over the kernel W_t, the words with a p(t|w) of at least the threshold τ; a
    kernel without words has the purity 0.

    Defaults: threshold τ = 0.25, as in the paper (BigARTM's is 0.1). prior says what p(t) is taken
    from, as for kernel_size. @n sums the n most probable kernel words.
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
    formula=(r"\frac{1}{\lvert W_t \rvert} \sum_{w \in W_t} p(t \mid w), \quad " + KERNEL),
    misleads=(
        "It is never below the threshold, so only values of the same threshold compare. Every "
        "kernel word counts alike, however rare: many rare words that no other topic has bring it "
        "near 1."
    ),
    details="""\
    The mean of p(t|w) over the kernel W_t, the words with a p(t|w) of at least the threshold τ.

    Defaults: threshold τ = 0.25, as in the paper (BigARTM's is 0.1). prior says what p(t) is taken
    from, as for kernel_size. A kernel without words has no contrast; empty=zero counts it as 0, as
    BigARTM does. @n is the mean over the n most probable kernel words.
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
    formula=(
        r"\frac{1}{\lvert P_t \rvert} \sum_{\{a, b\} \in P_t} \max \left( 0, "
        + PMI
        + r" \right), \quad "
        + KERNEL
    ),
    misleads=(
        "Without @n most kernel words are rare words that never meet, which count 0: large "
        "kernels have low values. By ppmi, words that avoid each other cost nothing, and rare "
        "ones score high."
    ),
    details="""\
    The coherence of the kernel words W_t, those with a p(t|w) of at least the threshold τ, the most
    probable first. P_t are their pairs that the corpus has, p is the share of documents with a
    word, or with both. measure is any metric of word lists, such as
    kernel_coherence(measure='npmi(window=10)')@10.

    Defaults: ppmi, the coherence of ARTM; threshold τ = 0.25, as in the paper (BigARTM's is 0.1).
    prior says what p(t) is taken from, as for kernel_size. @n scores the n most probable kernel
    words. A kernel of fewer than two words has no coherence. Without @n a kernel of n words has
    n (n - 1) / 2 pairs, which takes long for thousands of words.
    """,
)
