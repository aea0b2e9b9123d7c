"""The shares of topics in new tuples."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tealeaves.models.inference import infer_theta

from .polylingual.exact import Tuples, log_multinomial, texts_of

PHI = [
    np.array([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8], [0.3, 0.4, 0.3]]),
    np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]]),
]
ALPHA = np.array([0.3, 0.5, 1.1])


def exact_theta(sides: list[list[int]]) -> np.ndarray:
    """Return the posterior mean of theta, all assignments of topics enumerated."""
    tokens = [(language, word) for language, side in enumerate(sides) for word in side]
    total, mean = 0.0, np.zeros(3)
    for topics in product(range(3), repeat=len(tokens)):
        counts = np.array([topics.count(topic) for topic in range(3)], dtype=float)
        weight = np.exp(log_multinomial(counts, ALPHA))
        for topic, (language, word) in zip(topics, tokens, strict=True):
            weight *= PHI[language][topic, word]
        total += weight
        mean += weight * (counts + ALPHA) / (len(tokens) + ALPHA.sum())
    return np.asarray(mean / total)


TUPLES: Tuples = [[[0, 0, 2], [1]], [[2, 2], []], [[], [0, 0, 0, 1]], [[], []], [[1], [1]]]


def inferred(tuples: list[list[list[int]]], iterations: int = 200, **options: int) -> np.ndarray:
    return infer_theta(
        texts_of(tuples, [3, 2]),
        phi=PHI,
        alpha=ALPHA,
        iterations=iterations,
        **{"seed": 1, **options},
    )


def test_theta_is_the_posterior_mean() -> None:
    theta = inferred(TUPLES, iterations=60_000)
    wanted = np.array([exact_theta(sides) for sides in TUPLES])
    np.testing.assert_allclose(theta, wanted, atol=0.006)
    np.testing.assert_allclose(wanted[3], ALPHA / ALPHA.sum())


def test_the_posterior_mean_of_one_token_by_hand() -> None:
    """p(z = k) is as alpha_k phi_k, and theta is (alpha + one token of it) / (1 + 1.9)."""
    weights = ALPHA * PHI[0][:, 2]
    wanted = (weights / weights.sum() + ALPHA) / 2.9
    np.testing.assert_allclose(exact_theta([[2], []]), wanted)
    np.testing.assert_allclose(inferred([[[2], []]], 60_000)[0], wanted, atol=0.006)


def test_neither_other_tuples_nor_threads_change_a_tuple() -> None:
    together = inferred(TUPLES)
    for threads in (2, 3):
        np.testing.assert_array_equal(inferred(TUPLES, threads=threads), together)
    for place, one in enumerate(TUPLES):
        np.testing.assert_array_equal(inferred([one])[0], together[place])
    np.testing.assert_array_equal(inferred(TUPLES[::-1]), together[::-1])
    assert (inferred(TUPLES, seed=2)[0] != together[0]).any()


def test_one_iteration_is_a_sample() -> None:
    theta = inferred(TUPLES, iterations=1)
    np.testing.assert_allclose(theta.sum(axis=1), 1)
    whole = theta[0] * (4 + ALPHA.sum()) - ALPHA
    np.testing.assert_allclose(whole, whole.round(), atol=1e-9)


def test_a_word_that_no_topic_has_says_nothing() -> None:
    phi = [np.concatenate([PHI[0], np.zeros((3, 1))], axis=1), PHI[1]]
    theta = infer_theta(
        texts_of([[[3], []]], [4, 2]), phi=phi, alpha=ALPHA, iterations=40_000, seed=1
    )
    np.testing.assert_allclose(theta[0], ALPHA / ALPHA.sum(), atol=0.006)


@pytest.mark.parametrize(
    "phi",
    [[PHI[0], PHI[1].T], [PHI[0] - 0.2, PHI[1]], [PHI[0], PHI[1] * np.nan]],
    ids=["turned", "negative", "undefined"],
)
def test_what_is_no_phi_is_refused(phi: list[np.ndarray]) -> None:
    with pytest.raises(ValueError, match="phi"):
        infer_theta(texts_of(TUPLES, [3, 2]), phi=phi, alpha=ALPHA, iterations=5, seed=1)


def test_many_topics() -> None:
    """Planted words of 130 topics: each tuple has the topic of its words."""
    phi = np.full((130, 130), 1e-4) + np.eye(130)
    phi /= phi.sum(axis=1, keepdims=True)
    texts = texts_of([[[topic] * 10] for topic in range(130)], [130])
    theta = infer_theta(
        texts, phi=[phi], alpha=np.full(130, 0.01), iterations=20, seed=3, threads=2
    )
    assert theta.argmax(axis=1).tolist() == list(range(130))
    assert theta.max(axis=1).min() > 0.8
