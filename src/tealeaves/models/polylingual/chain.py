"""A Gibbs chain of the polylingual topic model."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from tealeaves.kernels import check_steps
from tealeaves.models.polylingual.counts import DenseCounts, SparseCounts
from tealeaves.models.polylingual.dirichlet import (
    CountHistogram,
    Priors,
    learn_asymmetric,
    learn_symmetric,
    log_dirichlet_multinomial,
    topics_in_tuples,
)
from tealeaves.models.polylingual.kernels.random import key_of

if TYPE_CHECKING:
    from tealeaves.arrays import Array
    from tealeaves.kernels import F64, I32, I64
    from tealeaves.models.texts import TrainingTexts

SamplerName: TypeAlias = Literal["auto", "dense", "sparse"]
_DENSE_TOPICS = 200  # up to this number of topics the dense sampler is faster
_MOST_PARTS = 16
_LEAST_PART = 250_000  # tokens
_LEAST_STEPS = 40  # as many topics as can be weighed while a token is drawn


def number_of_parts(tokens: int, cells: int) -> int:
    """Choose how many parts are sampled at the same time: a power of two, 16 at most.

    Each part works on its own copy of the counts. So a part has at least as many tokens as there
    are cells to copy (copying and adding a cell takes about a twentieth of sampling a token), and
    at least 250,000: smaller texts are sampled fast enough, and a chain of several parts needs
    more sweeps.

    >>> number_of_parts(40_000, 10_000), number_of_parts(2_000_000, 500_000)
    (1, 4)
    """
    most = min(_MOST_PARTS, tokens // max(cells, _LEAST_PART))
    return int(1 << max(0, int(most).bit_length() - 1))


def check_sampling(what: str, texts: TrainingTexts, k: int, iterations: int) -> None:
    """Raise an error if the sampler would run as Python, and for more than a few minutes."""
    check_steps(what, len(texts.words) * max(k, _LEAST_STEPS) * iterations)


class GibbsChain:
    """The state of a chain: the topic of each token, all counts, and the priors.

    Up to 200 topics the dense sampler is used, above that the sparse one (``sampler="auto"``); both
    draw from the same conditional, in double precision.

    Random numbers depend on the seed, the sweep and the token alone. The tuples are divided into
    ``parts``, which depends on the texts and ``parts`` alone. Each part is sampled against the
    counts at the start of the sweep plus its own changes, and then all changes are added (Newman
    et al. 2009). So the result is the same for any number of threads. One part is plain collapsed
    Gibbs sampling. :func:`number_of_parts` is the default.

    Parameters
    ----------
    topics, priors
        The topic of each token, and the priors of topics and words.
    sweep, seed, parts
        The number of sweeps that are done, the seed and the number of parts.
    """

    def __init__(
        self,
        texts: TrainingTexts,
        topics: I32,
        priors: Priors,
        *,
        sweep: int = 0,
        seed: int,
        parts: int | None = None,
        sampler: SamplerName = "auto",
    ) -> None:
        self.texts, self.topics, self.priors = texts, topics, priors
        self.sweep, self.seed = sweep, seed
        self._check()
        is_dense = sampler == "dense" or (sampler == "auto" and self.k <= _DENSE_TOPICS)
        self._kind: Any = DenseCounts if is_dense else SparseCounts
        self._counts: DenseCounts | SparseCounts = self._kind.of(texts, self.k, topics)
        self.parts = parts or number_of_parts(len(topics), self._counts.cells)
        self._spare: list[Any] = []  # counts whose memory is used again in each sweep
        self._lock = threading.Lock()

    @classmethod
    def start(
        cls,
        texts: TrainingTexts,
        *,
        k: int,
        alpha: float,
        beta: float,
        seed: int,
        parts: int | None = None,
        sampler: SamplerName = "auto",
    ) -> GibbsChain:
        """Return a chain that gives each token a random topic."""
        draws = np.random.default_rng([seed, 0x7EA]).integers(0, k, len(texts.words))
        priors = Priors(np.full(k, float(alpha)), np.full(len(texts.languages), float(beta)))
        return cls(texts, draws.astype(np.int32), priors, seed=seed, parts=parts, sampler=sampler)

    def _check(self) -> None:
        """Raise an error for topics outside of the kernels' tables, and for priors of 0."""
        topics = self.topics
        if topics.dtype != np.int32 or topics.shape != self.texts.words.shape:
            raise ValueError("the topics are not those of the tokens")
        if len(topics) and not 0 <= topics.min() <= topics.max() < self.k:
            raise ValueError("the topics are not those of the tokens")
        for prior in self.priors:
            if not (np.isfinite(prior).all() and (prior > 0).all()):
                raise ValueError("alpha and beta must be above 0")

    @property
    def k(self) -> int:
        """The number of topics."""
        return len(self.priors.alpha)

    @property
    def word_topics(self) -> I32:
        """How often each word has each topic: one row per word, language by language."""
        return self._counts.word_topics()

    @property
    def language_topics(self) -> I64:
        """How many tokens of each language have each topic."""
        return self._counts.language_topics()

    # ------------------------------------------------------------------ sampling

    def advance(self, *, threads: int = 1) -> None:
        """Sample the topic of each token once."""
        key = key_of(self.seed, self.sweep)
        if self.parts == 1:
            self._sample(self._counts, (0, len(self.texts)), key)
        else:
            self._advance_parts(key, threads)
        self.sweep += 1

    def _sample(self, counts: Any, span: tuple[int, int], key: int) -> None:
        counts.sample(self.topics, self.priors, span, key)

    def _advance_parts(self, key: int, threads: int) -> None:
        base, after, before = self._counts, self._take_spare(), self.topics.copy()
        after.copy_from(base)

        def advance(span: tuple[int, int]) -> None:
            with self._lock:
                counts = self._take_spare()
            counts.copy_from(base)
            self._sample(counts, span, key)
            with self._lock:
                after.add_changes(counts, base)
                self._spare.append(counts)

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(advance, self.texts.split_tuples(self.parts)))
        after.apply_moves(before, self.topics)
        self._counts = after
        self._spare.append(base)

    def _take_spare(self) -> Any:
        return self._spare.pop() if self._spare else self._kind.empty(self.texts, self.k)

    def conditional(self, token: int) -> F64:
        """Return how likely each topic is for a token, given the topics of all others."""
        return self._counts.conditional(self.topics, self.priors, token)

    # ------------------------------------------------------------------ likelihood and priors

    def log_likelihood(self) -> float:
        """Return the logarithm of p(words, topics), with theta and phi integrated out."""
        alpha, betas = self.priors
        tuples = topics_in_tuples(self.texts, self.topics, self.k)
        lengths = CountHistogram.of(self.texts.lengths)
        total = log_dirichlet_multinomial(alpha, float(alpha.sum()), tuples, lengths)
        for language, size in enumerate(self.texts.vocabulary_sizes.tolist()):
            words, sums = self._histograms(language)
            beta = betas[language : language + 1]
            total += log_dirichlet_multinomial(beta, float(beta[0]) * size, words, sums)
        return total

    def optimise(self) -> None:
        """Learn alpha, one for each topic, and beta, one for each language, from the counts."""
        alpha, betas = self.priors
        tuples = topics_in_tuples(self.texts, self.topics, self.k)
        lengths = CountHistogram.of(self.texts.lengths)
        learnt = [
            learn_symmetric(float(betas[language]), size, *self._histograms(language))
            for language, size in enumerate(self.texts.vocabulary_sizes.tolist())
        ]
        self.priors = Priors(
            learn_asymmetric(alpha, tuples, lengths), np.array(learnt, dtype=np.float64)
        )

    def _histograms(self, language: int) -> tuple[CountHistogram, CountHistogram]:
        """Return those of a language's words in topics, and of the sizes of topics."""
        words = CountHistogram.of(self._counts.word_counts(language))
        return words, CountHistogram.of(self.language_topics[language])

    # ------------------------------------------------------------------ results

    def phi(self, language: int) -> F64:
        """Return how likely each word of a language is in each topic: one row per topic."""
        first, last = self.texts.offsets[language : language + 2]
        smoothed = self.word_topics[first:last].T + self.priors.beta[language]
        return np.asarray(smoothed / smoothed.sum(axis=1, keepdims=True), dtype=np.float64)

    def theta(self) -> F64:
        """Return how likely each topic is in each tuple: one row per tuple."""
        tuples = np.repeat(np.arange(len(self.texts)), self.texts.lengths)
        size = len(self.texts) * self.k
        counts = np.bincount(tuples * self.k + self.topics, minlength=size)
        smoothed = counts.reshape(-1, self.k) + self.priors.alpha
        return np.asarray(smoothed / smoothed.sum(axis=1, keepdims=True), dtype=np.float64)

    def arrays(self) -> dict[str, Array]:
        """Return all that a checkpoint needs; counts can be counted again."""
        return {
            "topics": self.topics.copy(),
            "alpha": self.priors.alpha.copy(),
            "beta": self.priors.beta.copy(),
            "numbers": np.array([self.sweep, self.seed, self.parts], dtype=np.int64),
            **self._counts.arrays(),
        }

    @classmethod
    def from_arrays(
        cls, texts: TrainingTexts, arrays: Mapping[str, Array], *, sampler: SamplerName = "auto"
    ) -> GibbsChain:
        """Return the chain that :meth:`arrays` was called of; it goes on to the same bits."""
        sweep, seed, parts = map(int, arrays["numbers"].tolist())
        if sweep < 0 or seed < 0 or parts < 1:
            raise ValueError("the sweeps, the seed or the parts cannot be")
        topics, alpha, beta = (np.array(arrays[name]) for name in ("topics", "alpha", "beta"))
        priors = Priors(alpha, beta)
        chain = cls(texts, topics, priors, sweep=sweep, seed=seed, parts=parts, sampler=sampler)
        chain._counts.restore(arrays)
        return chain
