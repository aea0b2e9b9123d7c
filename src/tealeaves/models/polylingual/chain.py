"""A Gibbs chain of the polylingual topic model."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from tealeaves.models.polylingual.counts import DenseCounts, SparseCounts
from tealeaves.models.polylingual.dirichlet import (
    CountHistogram,
    learn_asymmetric,
    learn_symmetric,
    log_dirichlet_multinomial,
    topics_in_tuples,
)
from tealeaves.models.polylingual.kernels.random import key_of
from tealeaves.models.polylingual.texts import PolylingualTexts, TokenLayout, number_of_parts

if TYPE_CHECKING:
    from tealeaves.arrays import Array
    from tealeaves.compiling.arrays import F64, I32, I64

SamplerName: TypeAlias = Literal["auto", "dense", "sparse"]
_DENSE_TOPICS = 200  # up to this number of topics the dense sampler is faster


class GibbsChain:
    """The state of a chain: the topic of each token, all counts, and the priors.

    Up to 200 topics the dense sampler is used, above that the sparse one (``sampler="auto"``); both
    draw from the same conditional, in double precision.

    Random numbers depend on the seed, the sweep and the token alone. The tuples are divided into
    ``parts``, which depends on the texts and ``parts`` alone. Each part is sampled against the
    counts at the start of the sweep plus its own changes, and then all changes are added (Newman
    et al. 2009). So the result is the same for any number of threads. One part is plain collapsed
    Gibbs sampling. :func:`~tealeaves.models.polylingual.texts.number_of_parts` is the default.

    Parameters
    ----------
    topics, alpha, beta
        The topic of each token, the prior of each topic in tuples, that of words in each language.
    sweep, seed, parts
        The number of sweeps that are done, the seed and the number of parts.
    """

    def __init__(
        self,
        layout: TokenLayout,
        topics: I32,
        alpha: F64,
        beta: F64,
        *,
        sweep: int,
        seed: int,
        parts: int | None = None,
        sampler: SamplerName = "auto",
    ) -> None:
        self.layout = layout
        self.topics, self.alpha, self.beta = topics, alpha, beta
        self.sweep, self.seed = sweep, seed
        self._check()
        is_dense = sampler == "dense" or (sampler == "auto" and len(alpha) <= _DENSE_TOPICS)
        self._kind: Any = DenseCounts if is_dense else SparseCounts
        self._counts: DenseCounts | SparseCounts = self._kind.of(layout, len(alpha), topics)
        self.parts = parts or number_of_parts(len(topics), self._counts.cells)
        self._spare: list[Any] = []  # counts whose memory is used again in each sweep
        self._lock = threading.Lock()

    @classmethod
    def start(
        cls,
        texts: PolylingualTexts,
        *,
        k: int,
        alpha: float,
        beta: float,
        seed: int,
        parts: int | None = None,
        sampler: SamplerName = "auto",
    ) -> GibbsChain:
        """Return a chain that gives each token a random topic."""
        layout = TokenLayout.of(texts)
        draws = np.random.default_rng([seed, 0x7EA]).integers(0, k, len(layout.words))
        return cls(
            layout,
            draws.astype(np.int32),
            np.full(k, alpha, dtype=np.float64),
            np.full(layout.languages, beta, dtype=np.float64),
            sweep=0,
            seed=seed,
            parts=parts,
            sampler=sampler,
        )

    def _check(self) -> None:
        """Raise an error for topics outside of the kernels' tables, and for priors of 0."""
        topics = self.topics
        if topics.dtype != np.int32 or topics.shape != self.layout.words.shape:
            raise ValueError("the topics are not those of the tokens")
        if len(topics) and not 0 <= topics.min() <= topics.max() < self.k:
            raise ValueError("the topics are not those of the tokens")
        for prior in (self.alpha, self.beta):
            if not (np.isfinite(prior).all() and (prior > 0).all()):
                raise ValueError("alpha and beta must be above 0")

    @property
    def k(self) -> int:
        """The number of topics."""
        return len(self.alpha)

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
            self._sample(self._counts, (0, self.layout.tuples), key)
        else:
            self._advance_parts(key, threads)
        self.sweep += 1

    def _sample(self, counts: Any, span: tuple[int, int], key: int) -> None:
        counts.sample(self.topics, self.alpha, self.beta, span, key)

    def _advance_parts(self, key: int, threads: int) -> None:
        base, after, before = self._counts, self._take_spare(), self.topics.copy()
        after.copy_from(base)

        def advance(span: tuple[int, int]) -> None:
            with self._lock:
                own = self._take_spare()
            own.copy_from(base)
            self._sample(own, span, key)
            with self._lock:
                after.add_changes(own, base)
                self._spare.append(own)

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(advance, self.layout.split_tuples(self.parts)))
        after.apply_moves(before, self.topics)
        self._counts = after
        self._spare.append(base)

    def _take_spare(self) -> Any:
        return self._spare.pop() if self._spare else self._kind.empty(self.layout, self.k)

    def conditional(self, token: int) -> F64:
        """Return how likely each topic is for a token, given the topics of all others."""
        return self._counts.conditional(self.topics, self.alpha, self.beta, token)

    # ------------------------------------------------------------------ likelihood and priors

    def log_likelihood(self) -> float:
        """Return the logarithm of p(words, topics), with theta and phi integrated out."""
        tuples = topics_in_tuples(self.layout, self.topics, self.k)
        lengths = CountHistogram.of(self.layout.lengths)
        total = log_dirichlet_multinomial(self.alpha, float(self.alpha.sum()), tuples, lengths)
        for language, size in enumerate(self.layout.vocabulary.tolist()):
            words, sums = self._histograms(language)
            beta = self.beta[language : language + 1]
            total += log_dirichlet_multinomial(beta, float(beta[0]) * size, words, sums)
        return total

    def optimise(self) -> None:
        """Learn alpha, one for each topic, and beta, one for each language, from the counts."""
        tuples = topics_in_tuples(self.layout, self.topics, self.k)
        self.alpha = learn_asymmetric(self.alpha, tuples, CountHistogram.of(self.layout.lengths))
        beta = [
            learn_symmetric(float(self.beta[language]), size, *self._histograms(language))
            for language, size in enumerate(self.layout.vocabulary.tolist())
        ]
        self.beta = np.array(beta, dtype=np.float64)

    def _histograms(self, language: int) -> tuple[CountHistogram, CountHistogram]:
        """Return those of a language's words in topics, and of the sizes of topics."""
        words = CountHistogram.of_times(self._counts.word_counts(language))
        return words, CountHistogram.of(self._counts.language_topics()[language])

    # ------------------------------------------------------------------ results

    def phi(self, language: int) -> F64:
        """Return how likely each word of a language is in each topic: one row per topic."""
        first, last = self.layout.rows[language : language + 2]
        smoothed = self.word_topics[first:last].T + self.beta[language]
        return np.asarray(smoothed / smoothed.sum(axis=1, keepdims=True), dtype=np.float64)

    def theta(self) -> F64:
        """Return how likely each topic is in each tuple: one row per tuple."""
        tuples = np.repeat(np.arange(self.layout.tuples), self.layout.lengths)
        size = self.layout.tuples * self.k
        counts = np.bincount(tuples * self.k + self.topics, minlength=size)
        smoothed = counts.reshape(-1, self.k) + self.alpha
        return np.asarray(smoothed / smoothed.sum(axis=1, keepdims=True), dtype=np.float64)

    def arrays(self) -> dict[str, Array]:
        """Return all that a checkpoint needs; counts can be counted again."""
        numbers = [self.sweep, self.seed, self.parts]
        return {
            "topics": self.topics.copy(),
            "alpha": self.alpha.copy(),
            "beta": self.beta.copy(),
            "numbers": np.array(numbers, dtype=np.int64),
            **self._counts.arrays(),
        }

    @classmethod
    def from_arrays(
        cls, texts: PolylingualTexts, arrays: Mapping[str, Array], *, sampler: SamplerName = "auto"
    ) -> GibbsChain:
        """Return the chain that :meth:`arrays` was called of; it goes on to the same bits."""
        sweep, seed, parts = arrays["numbers"].tolist()
        topics, alpha, beta = (np.array(arrays[name]) for name in ("topics", "alpha", "beta"))
        chain = cls(
            TokenLayout.of(texts), topics, alpha, beta, sweep=sweep, seed=seed, parts=parts,
            sampler=sampler,
        )  # fmt: skip
        chain._counts.restore(arrays)
        return chain
