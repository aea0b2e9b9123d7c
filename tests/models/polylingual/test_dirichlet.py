"""The likelihood of a chain and the priors that are learnt from it."""

from __future__ import annotations

from math import lgamma, log
from typing import Literal

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import gammaln

from tealeaves.models.polylingual.chain import GibbsChain
from tealeaves.models.polylingual.dirichlet import (
    SCALE,
    SHAPE,
    CountHistogram,
    Priors,
    learn_asymmetric,
    learn_symmetric,
    log_dirichlet_multinomial,
    topics_in_tuples,
)

from .exact import log_joint, texts_of

Sampler = Literal["dense", "sparse"]
SAMPLERS: tuple[Sampler, ...] = ("dense", "sparse")


def test_a_likelihood_worked_out_by_hand() -> None:
    """One tuple with two tokens of the one word of a language, both of topic 0; alpha (1, 1).

    Words of topics are certain, as there is but one. The topics: 1/2, then 2/3.
    """
    texts = texts_of([[[0, 0]]], [1])
    topics = np.zeros(2, dtype=np.int32)
    chain = GibbsChain(texts, topics, Priors(np.ones(2), np.array([0.1])), seed=1)
    assert chain.log_likelihood() == pytest.approx(log(1 / 2 * 2 / 3), abs=1e-14)


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("seed", range(5))
def test_the_likelihood_is_that_of_the_definition(sampler: Sampler, seed: int) -> None:
    draw = np.random.default_rng(seed)
    tuples = [[draw.integers(0, 6, draw.integers(0, 9)).tolist() for _ in "ab"] for _ in range(12)]
    sizes, k = [6, 7], 9
    texts = texts_of(tuples, sizes)
    topics = draw.integers(0, k, len(texts.words)).astype(np.int32)
    alpha, beta = draw.uniform(0.05, 2, k), draw.uniform(0.01, 1, 2)
    chain = GibbsChain(texts, topics, Priors(alpha, beta), seed=1, sampler=sampler)
    wanted = log_joint(tuples, sizes, topics.tolist(), alpha, beta)
    assert chain.log_likelihood() == pytest.approx(wanted, abs=1e-9)
    other = GibbsChain(texts, topics, Priors(alpha * 1.5, beta), seed=1)
    assert other.log_likelihood() != pytest.approx(wanted, abs=1e-3)


def test_theta_and_phi_are_smoothed_counts() -> None:
    """Tuple 0 has topics 0, 0, 1 and tuple 1 topic 1; alpha (.5, 1), beta .1, 2 words."""
    texts = texts_of([[[0, 1, 0]], [[1]]], [2])
    topics = np.array([0, 0, 1, 1], dtype=np.int32)
    chain = GibbsChain(texts, topics, Priors(np.array([0.5, 1]), np.array([0.1])), seed=1)
    np.testing.assert_allclose(chain.theta(), [[2.5 / 4.5, 2 / 4.5], [0.5 / 2.5, 2 / 2.5]])
    np.testing.assert_allclose(chain.phi(0), [[1.1 / 2.2, 1.1 / 2.2], [1.1 / 2.2, 1.1 / 2.2]])


# ------------------------------------------------------------------ learning


def dirichlet_counts(seed: int, alpha: np.ndarray, rows: int = 300) -> np.ndarray:
    """Draw counts of outcomes from Dirichlet-multinomials."""
    draw = np.random.default_rng(seed)
    sizes = draw.integers(5, 60, rows)
    return np.array(
        [draw.multinomial(n, p) for n, p in zip(sizes, draw.dirichlet(alpha, rows), strict=True)]
    )


def histograms(counts: np.ndarray) -> tuple[CountHistogram, CountHistogram]:
    rows, topics = counts.nonzero()
    values = counts[rows, topics]
    every = CountHistogram(values, np.ones_like(values), topics)
    return every, CountHistogram.of(counts.sum(axis=1))


def log_posterior(counts: np.ndarray, alpha: np.ndarray) -> float:
    """Return the likelihood with the gamma prior, from the whole matrix of counts."""
    total = alpha.sum()
    log_probability = (gammaln(counts + alpha) - gammaln(alpha)).sum()
    log_probability -= (gammaln(counts.sum(axis=1) + total) - gammaln(total)).sum()
    return float(log_probability + ((SHAPE - 1) * np.log(alpha) - alpha / SCALE).sum())


def test_asymmetric_parameters_are_those_of_a_general_optimiser() -> None:
    true = np.array([0.05, 0.3, 0.6, 1.4])
    counts = dirichlet_counts(3, true)
    learnt = learn_asymmetric(np.full(4, 0.5), *histograms(counts))
    best = minimize(
        lambda logs: -log_posterior(counts, np.exp(logs)), np.zeros(4), options={"gtol": 1e-8}
    )
    np.testing.assert_allclose(learnt, np.exp(best.x), rtol=1e-3)
    np.testing.assert_allclose(learnt, true, rtol=0.35)


def test_the_symmetric_parameter_is_that_of_a_general_optimiser() -> None:
    counts = dirichlet_counts(4, np.full(30, 0.07), rows=60)
    values = counts[counts > 0]
    words = CountHistogram.of(values)
    learnt = learn_symmetric(1.0, 30, words, CountHistogram.of(counts.sum(axis=1)))

    def lost(beta: float) -> float:
        log_probability = sum(lgamma(n + beta) - lgamma(beta) for n in values.tolist())
        log_probability -= sum(
            lgamma(n + 30 * beta) - lgamma(30 * beta) for n in counts.sum(axis=1).tolist()
        )
        return -(log_probability + (SHAPE - 1) * log(beta) - beta / SCALE)

    nearby = np.exp(np.linspace(-0.01, 0.01, 41)) * learnt
    best = float(nearby[np.argmin([lost(beta) for beta in nearby])])
    assert learnt == pytest.approx(best, rel=1e-3)
    assert learnt == pytest.approx(0.07, rel=0.15)


def test_an_outcome_that_never_occurs_keeps_a_little() -> None:
    counts = dirichlet_counts(5, np.array([0.5, 0.5]))
    wider = np.concatenate([counts, np.zeros((len(counts), 1), dtype=int)], axis=1)
    learnt = learn_asymmetric(np.full(3, 0.5), *histograms(wider))
    assert 0 < learnt[2] < 1e-3
    np.testing.assert_allclose(learnt[:2], 0.5, rtol=0.3)


def test_histograms_change_nothing() -> None:
    """Counts in classes give what single counts give."""
    draw = np.random.default_rng(2)
    texts = texts_of([[draw.integers(0, 9, 20).tolist()] for _ in range(40)], [9])
    topics = draw.integers(0, 5, 800).astype(np.int32)
    histogram = topics_in_tuples(texts, topics, 5)
    table = np.array([np.bincount(row, minlength=5) for row in topics.reshape(40, 20)])
    single, sums = histograms(table)
    assert len(histogram.counts) < len(single.counts)
    alpha = draw.uniform(0.1, 1, 5)
    ours = log_dirichlet_multinomial(alpha, float(alpha.sum()), histogram, sums)
    assert ours == pytest.approx(log_dirichlet_multinomial(alpha, float(alpha.sum()), single, sums))
    np.testing.assert_allclose(
        learn_asymmetric(alpha, histogram, sums), learn_asymmetric(alpha, single, sums)
    )


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_optimising_raises_the_likelihood(sampler: Sampler) -> None:
    draw = np.random.default_rng(7)
    tuples = [
        [draw.integers(0, 20, 15).tolist(), draw.integers(0, 9, 5).tolist()] for _ in "x" * 50
    ]
    chain = GibbsChain.start(
        texts_of(tuples, [20, 9]), k=6, alpha=2, beta=0.9, seed=2, sampler=sampler
    )
    for _ in range(10):
        chain.advance()
    before = chain.log_likelihood()
    chain.optimise()
    assert chain.log_likelihood() > before
    alpha, beta = chain.priors
    assert len(set(alpha.tolist())) == 6
    assert beta[0] != beta[1]
    chain.optimise()
    np.testing.assert_allclose(chain.priors.alpha, alpha, rtol=1e-3)
