"""Kernels: the words that distinguish a topic from the others, and how much they say of it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

import msgspec
import numpy as np
from msgspec import Meta

from tealeaves.errors import InputError, warn_caller
from tealeaves.expressions import Value
from tealeaves.metrics.base import Metric, Result, TextlessMetric
from tealeaves.metrics.distributions import DistributionMetric, word_distributions
from tealeaves.metrics.formulas import KERNEL, PMI
from tealeaves.metrics.registry import metric
from tealeaves.topics.distributions import (
    Prior,
    missing_part,
    phi,
    topic_shares,
    topics_given_words,
)
from tealeaves.topics.topics import Topic, Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers
    from tealeaves.evidence.evidence import Evidence
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics.base import AnyRequest


_CITE = "Vorontsov & Potapenko 2015"
_ROUNDING = 1e-12  # p(t|w) is a quotient: a value that equals the threshold but for rounding counts
_MANY_PAIRS = 5_000_000
_FEWEST_WORDS = 2  # for a coherence


class KernelSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Which words are a topic's kernel.

    Parameters
    ----------
    threshold
        The least p(t|w) of a kernel word.
    prior
        What p(t) is taken from; ``auto`` takes tokens, documents or uniform, whichever is known
        first.
    empty
        The contrast of a kernel without words: ``skip`` says nothing, ``zero`` counts it as 0.
    measure
        The coherence of the kernel words, an expression.
    """

    threshold: Annotated[float, Meta(gt=0, le=1)] = 0.25
    prior: Prior = "auto"
    empty: Literal["skip", "zero"] = "skip"
    measure: str = "ppmi"


@dataclass(frozen=True, eq=False)
class TopicKernel:
    """The kernel words of one topic, the most probable first.

    ``columns`` are their places in the vocabulary, ``probability`` is p(w|t), ``posterior`` p(t|w).
    """

    columns: Integers
    probability: Floats
    posterior: Floats

    def __len__(self) -> int:
        return len(self.columns)


@dataclass(frozen=True, repr=False, eq=False)
class KernelMetric(DistributionMetric):
    """Does a topic have words of its own?"""

    settings: KernelSettings

    def lacks(self, model: Topics) -> str:
        """Ask for probabilities of words, and for what the prior is taken from."""
        return missing_part(model, "phi") or self.lack_of_prior(model)

    def kernels_of(self, model: Topics) -> list[TopicKernel]:
        """Return W_t = {w : p(t|w) >= threshold} of each topic, or its most probable words.

        Of words that are equally probable the one with the larger p(t|w) comes first.
        """
        probability = word_distributions(model)
        posterior = topics_given_words(phi(model), topic_shares(model, self.settings.prior).values)
        threshold = self.settings.threshold * (1.0 - _ROUNDING)
        kernels = []
        for number in range(len(model)):
            columns = np.flatnonzero(posterior[number] >= threshold)
            of_word, of_topic = probability[number, columns], posterior[number, columns]
            order = np.lexsort((-of_topic, -of_word))[: self.top]
            kernels.append(TopicKernel(columns[order], of_word[order], of_topic[order]))
        return kernels


@dataclass(frozen=True, repr=False, eq=False)
class KernelNumber(KernelMetric, TextlessMetric):
    """A number that is computed from one kernel alone."""

    source: ClassVar[str] = "topic-word matrix"

    def results(self, models: Sequence[Topics]) -> list[Result]:
        """Judge the kernel of each topic."""
        results = []
        for model in models:
            values = np.array([self.number(kernel) for kernel in self.kernels_of(model)])
            results.append(Result(values, (~np.isnan(values)).astype(np.float64)))
        return results

    def origin(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Return what the topics' probabilities were taken from."""
        return self.origin_of_prior(model)

    @abstractmethod
    def number(self, kernel: TopicKernel) -> float:
        """Return the value of one topic."""


@dataclass(frozen=True, repr=False, eq=False)
class KernelSize(KernelNumber):
    """How many words distinguish the topic from the others?"""

    def number(self, kernel: TopicKernel) -> float:
        """Count its words."""
        return float(len(kernel))


@dataclass(frozen=True, repr=False, eq=False)
class Purity(KernelNumber):
    """How much of the topic are words of its own?"""

    def number(self, kernel: TopicKernel) -> float:
        """Sum the p(w|t) of its words."""
        return float(kernel.probability.sum())


@dataclass(frozen=True, repr=False, eq=False)
class Contrast(KernelNumber):
    """How surely do the topic's own words distinguish it from the others?"""

    def number(self, kernel: TopicKernel) -> float:
        """Average the p(t|w) of its words."""
        if len(kernel):
            return float(kernel.posterior.mean())
        return 0.0 if self.settings.empty == "zero" else float("nan")


@dataclass(frozen=True, repr=False, eq=False)
class KernelCoherence(KernelMetric):
    """Do the words that distinguish a topic from the others belong together?

    The kernels become topics, and another metric scores these.
    """

    @property
    def measure(self) -> Metric:
        """The metric that scores the kernel words."""
        return metric(self.settings.measure)

    @property
    def source(self) -> str:
        """The matrix that gives the kernels, and what their coherence is computed from."""
        return f"topic-word matrix; {self.measure.source}"

    def __call__(self, **changes: Value) -> Self:
        """Return this metric with other parameters; the measure decides bounds and direction."""
        changed = super().__call__(**changes)
        inner = changed.measure
        return replace(changed, bounds=inner.bounds, better=inner.better)

    def _changed(self, changes: dict[str, Value]) -> KernelSettings:
        settings: KernelSettings = super()._changed(changes)
        inner = metric(settings.measure)
        if inner.top is not None:
            raise InputError(
                f"{self.name}: write the number of words at the end: {self.name}(measure="
                f"{inner.name})@{inner.top}, not measure={settings.measure}"
            )
        textless = isinstance(inner, TextlessMetric)
        if inner.level != "topic" or textless or inner.lacks(Topics.of([["some", "words"]])):
            raise InputError(
                f"{self.name}: {inner.name} does not score lists of words by texts: choose a "
                "coherence such as npmi"
            )
        return msgspec.structs.replace(settings, measure=repr(inner))

    def _written(self) -> dict[str, Value]:
        return super()._written() | {"measure": self.measure.signature}

    # ------------------------------------------------------------------ evidence to scores

    def lacks(self, model: Topics) -> str:
        """Ask for what the kernels and the measure need."""
        return super().lacks(model) or self.measure.lacks(_words_only(model))

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[AnyRequest]:
        """Ask for what the measure needs to score the kernel words."""
        kernels = [topics for topics, _ in map(self._kernel_topics, models) if topics is not None]
        for topics in kernels:
            self._warn_of_pairs(topics)
        # even if there is no kernel, the counts are part of the signature
        return self.measure.needs(kernels or [_words_only(model) for model in models], wording)

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Score the kernel words of each topic."""
        kernels = [self._kernel_topics(model) for model in models]
        known = [topics for topics, _ in kernels if topics is not None]
        scored = iter(self.measure.score(known, evidence, wording) if known else ())
        results = []
        for model, (topics, rows) in zip(models, kernels, strict=True):
            result = Result.undefined(model)
            if topics is not None:
                inner = next(scored)
                result.values[rows], result.support[rows] = inner.values, inner.support
            results.append(result)
        return results

    def missing(
        self, models: Sequence[Topics], evidence: Evidence, wording: Wording
    ) -> list[list[str]]:
        """Return the kernel words that are not in the evidence."""
        kernels = [topics for topics, _ in map(self._kernel_topics, models)]
        known = [topics for topics in kernels if topics is not None]
        words = iter(self.measure.missing(known, evidence, wording) if known else ())
        return [[] if topics is None else next(words) for topics in kernels]

    def provenance(self, evidence: Evidence) -> str:
        """Return what of the evidence changes the measure's numbers."""
        return self.measure.provenance(evidence)

    def origin(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Return what the topics' probabilities, and the measure's numbers, were taken from."""
        prior = self.origin_of_prior(model)
        topics = self._kernel_topics(model)[0]
        inner = "" if topics is None else self.measure.provenance_of(topics, [topics], evidence)
        return f"{prior}|{inner}" if inner else prior

    def _kernel_topics(self, model: Topics) -> tuple[Topics | None, list[int]]:
        """Return the kernels as topics, and whose kernels these are; none if all are too small."""
        words = model.vocabulary or ()
        topics, rows = [], []
        for row, kernel in enumerate(self.kernels_of(model)):
            stripped = (words[column].strip() for column in kernel.columns.tolist())
            distinct = tuple(dict.fromkeys(word for word in stripped if word))
            if len(distinct) >= _FEWEST_WORDS:
                topics.append(Topic(model[row].id, distinct))
                rows.append(row)
        if not topics:
            return None, rows
        kernels = Topics(
            tuple(topics), model=model.model, language=model.language, tokens=model.tokens
        )
        return kernels, rows

    def _warn_of_pairs(self, kernels: Topics) -> None:
        pairs = sum(len(topic.words) * (len(topic.words) - 1) // 2 for topic in kernels.topics)
        if pairs > _MANY_PAIRS:
            message = (
                f"{kernels.model}: the kernels have {pairs:,} pairs of words, which takes long; "
                f"{self!r}@50 scores the 50 most probable words of each"
            )
            warn_caller(message)


def _words_only(model: Topics) -> Topics:
    """Return the model with nothing but its word lists; kernels have nothing else either."""
    return Topics(model.topics, model=model.model, language=model.language)


kernel_size = KernelSize(
    name="kernel_size",
    summary="number of words that distinguish the topic from the others, p(t|w) >= threshold",
    better="higher",
    bounds=(0.0, inf),
    cite=_CITE,
    settings=KernelSettings(),
    accepts=("threshold", "prior"),
    formula=r"\lvert W_t \rvert, \quad " + KERNEL,
    misleads=(
        "Larger is better only up to a point: a topic of rare words has a large kernel that says "
        "little; look at purity too. Each word is in at most 1/threshold kernels, so the mean is "
        "at most V / (K threshold) for V words and K topics: models with different K or V cannot "
        "be compared."
    ),
    details="""\
    The number of kernel words W_t, those with a p(t|w) of at least the threshold τ.

    Defaults: threshold τ = 0.25, as in the paper (BigARTM's is 0.1). prior says what p(t) is taken
    from: tokens (token assignments, or theta and the documents' lengths), documents (the mean of
    theta) or uniform; auto takes the first of these that the model knows, and the signature says
    which. @n counts at most the n most probable kernel words.
    """,
)

purity = Purity(
    name="purity",
    summary="probability of the words that distinguish the topic from the others",
    better="higher",
    bounds=(0.0, 1.0),
    cite=_CITE,
    settings=KernelSettings(),
    accepts=("threshold", "prior"),
    formula=r"\sum_{w \in W_t} p(w \mid t), \quad " + KERNEL,
    misleads=(
        "With few topics p(t|w) reaches the threshold easily; with 1/threshold topics or fewer "
        "every word is in some kernel. A topic in which one frequent word of its own has most of "
        "the probability is pure, whatever else is in it."
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
    summary="mean p(t|w) of the words that distinguish the topic from the others",
    better="higher",
    bounds=(0.0, 1.0),
    cite=_CITE,
    settings=KernelSettings(),
    accepts=("threshold", "prior", "empty"),
    formula=(r"\frac{1}{\lvert W_t \rvert} \sum_{w \in W_t} p(t \mid w), \quad " + KERNEL),
    misleads=(
        "It is never below the threshold, so only values of the same threshold can be compared. "
        "Every kernel word counts the same, however rare: many rare words that no other topic has "
        "bring it near 1."
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
    summary="coherence of the words that distinguish the topic from the others",
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
        "Without @n most kernel words are rare words that never occur together, and such pairs "
        "count 0: large kernels have low values. With ppmi, words that avoid each other cost "
        "nothing, and rare words score high."
    ),
    details="""\
    The coherence of the kernel words W_t, those with a p(t|w) of at least the threshold τ, the most
    probable first. P_t are the pairs of those that the corpus has, p is the share of documents with
    a word, or with both words. measure is any metric of word lists, such as
    kernel_coherence(measure='npmi(window=10)')@10.

    Defaults: ppmi, the coherence of ARTM; threshold τ = 0.25, as in the paper (BigARTM's is 0.1).
    prior says what p(t) is taken from, as for kernel_size. @n scores the n most probable kernel
    words. A kernel of fewer than two words has no coherence. Without @n a kernel of n words has
    n (n - 1) / 2 pairs, which takes long for thousands of words.
    """,
)
