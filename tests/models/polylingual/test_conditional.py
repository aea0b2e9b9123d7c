"""The conditional that topics are drawn by, against its definition, and draws against it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.models.polylingual.kernels.random import key_of, uniform
from tealeaves.models.polylingual.layout import Layout
from tealeaves.models.polylingual.state import State

from .exact import brute_conditional, posterior, texts_of

if TYPE_CHECKING:
    from .exact import Tuples

Sampler = Literal["dense", "sparse"]
SAMPLERS: tuple[Sampler, ...] = ("dense", "sparse")

#: three languages; one tuple lacks two of them, one is empty
TINY: Tuples = [
    [[0, 1, 1], [2], [0, 0]],
    [[2, 0], [], []],
    [[], [], []],
    [[1], [0, 1, 2, 2], [1]],
]
TINY_SIZES = [3, 4, 2]


def state_of(
    tuples: Tuples,
    sizes: list[int],
    topics: list[int],
    alpha: list[float],
    beta: list[float],
    sampler: Sampler,
) -> State:
    return State(
        Layout.of(texts_of(tuples, sizes)),
        np.array(topics, dtype=np.int32),
        np.array(alpha),
        np.array(beta),
        sweep=0,
        seed=3,
        parts=1,
        sampler=sampler,
    )


def test_a_conditional_worked_out_by_hand() -> None:
    """One language of 2 words, 2 tuples; alpha .5, beta .1, so V beta = .2.

    Tokens and topics: tuple 0: word 0 topic 0, word 1 topic 1, word 0 topic 1; tuple 1: word 0
    topic 0. The first token without itself: n_d = (0, 2), of word 0 in topics (1, 1), topics have
    (1, 2) tokens. So topic 0: .5 * 1.1 / 1.2, topic 1: 2.5 * 1.1 / 2.2.
    """
    weights = np.array([0.5 * 1.1 / 1.2, 2.5 * 1.1 / 2.2])
    for sampler in SAMPLERS:
        state = state_of([[[0, 1, 0]], [[0]]], [2], [0, 1, 1, 0], [0.5, 0.5], [0.1], sampler)
        np.testing.assert_allclose(state.conditional(0), weights / weights.sum(), rtol=1e-14)


@pytest.mark.parametrize("sampler", SAMPLERS)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_the_conditional_is_the_ratio_of_joint_probabilities(
    sampler: Sampler, data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, 19))
    prior = st.floats(0.01, 3)
    alpha = data.draw(st.lists(prior, min_size=k, max_size=k))
    beta = data.draw(st.lists(prior, min_size=3, max_size=3))
    topics = data.draw(st.lists(st.integers(0, k - 1), min_size=14, max_size=14))
    token = data.draw(st.integers(0, 13))
    state = state_of(TINY, TINY_SIZES, topics, alpha, beta, sampler)
    wanted = brute_conditional(TINY, TINY_SIZES, topics, np.array(alpha), np.array(beta), token)
    np.testing.assert_allclose(state.conditional(token), wanted, rtol=0, atol=1e-9)
    assert state.topics.tolist() == topics


@given(
    seed=st.integers(0, 10**6),
    k=st.integers(1, 200),
    languages=st.integers(1, 3),
    sweeps=st.integers(0, 2),
)
@settings(max_examples=25, deadline=None)
def test_dense_and_sparse_agree_on_the_same_state(
    seed: int, k: int, languages: int, sweeps: int
) -> None:
    draw = np.random.default_rng(seed)
    tuples = [
        [draw.integers(0, 30, draw.integers(0, 40)).tolist() for _ in range(languages)]
        for _ in range(8)
    ]
    tokens = sum(len(side) for one in tuples for side in one)
    alpha, beta = draw.uniform(0.01, 2, k).tolist(), draw.uniform(0.001, 1, languages).tolist()
    topics = draw.integers(0, k, tokens).tolist()
    sizes = [30] * languages
    sparse = state_of(tuples, sizes, topics, alpha, beta, "sparse")
    for _ in range(sweeps):
        sparse.advance()
    dense = state_of(tuples, sizes, sparse.topics.tolist(), alpha, beta, "dense")
    np.testing.assert_array_equal(sparse.word_topics, dense.word_topics)
    for token in draw.integers(0, max(tokens, 1), 10 if tokens else 0).tolist():
        ours, other = dense.conditional(token), sparse.conditional(token)
        np.testing.assert_allclose(ours, other, rtol=0, atol=1e-9)
        assert ours.sum() == pytest.approx(1, abs=1e-12)
        assert other.sum() == pytest.approx(1, abs=1e-12)  # the sums that a sweep keeps are right


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("k", [5, 90])
def test_draws_have_the_frequencies_of_the_conditional(sampler: Sampler, k: int) -> None:
    """Each trial samples a tuple from the same state; its first token saw that state alone."""
    draw = np.random.default_rng(k)
    tuples = [[draw.integers(0, 4, 3).tolist(), [1]] for _ in range(30)]
    topics = draw.integers(0, k, 120).tolist()
    state = state_of(tuples, [4, 2], topics, [0.2] * k, [0.3, 0.1], sampler)
    wanted, trials = state.conditional(20), 6000
    kept = state._kind.of(state.layout, k, state.topics)
    found = np.zeros(k)
    for trial in range(trials):
        state.topics[:] = topics
        state._counts.assign(kept)  # type: ignore[arg-type]
        state._sample(state._counts, (5, 6), key_of(9, trial))
        found[state.topics[20]] += 1
    expected = wanted * trials
    assert expected.min() > 1
    # the statistic has the mean k - 1 and the variance 2 (k - 1); four deviations
    statistic = ((found - expected) ** 2 / expected).sum()
    assert abs(statistic - (k - 1)) < 4 * np.sqrt(2 * (k - 1)) + 4


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_the_chain_visits_states_as_often_as_they_are_likely(sampler: Sampler) -> None:
    tuples: Tuples = [[[0, 1], [0]], [[1], [1, 0]]]
    alpha, beta = np.array([0.4, 0.9]), np.array([0.3, 0.15])
    exact = posterior(tuples, [2, 2], alpha, beta)
    state = state_of(tuples, [2, 2], [0] * 6, alpha.tolist(), beta.tolist(), sampler)
    visits: dict[tuple[int, ...], int] = dict.fromkeys(exact, 0)
    sweeps = 10_000
    for _ in range(sweeps):
        state.advance()
        visits[tuple(state.topics.tolist())] += 1
    distance = sum(abs(visits[topics] / sweeps - p) for topics, p in exact.items()) / 2
    assert distance < 0.04  # 64 states; independent draws would have about 0.025
    likely = max(exact, key=lambda topics: exact[topics])
    assert visits[likely] / sweeps == pytest.approx(exact[likely], abs=0.015)


def test_random_numbers_are_even_and_have_no_memory() -> None:
    with np.errstate(over="ignore"):
        drawn = np.asarray(uniform(key_of(1, 2), np.arange(20_000)))  # type: ignore[arg-type]
    assert 0 <= drawn.min() <= drawn.max() < 1
    bins = np.histogram(drawn, 50, (0, 1))[0]
    assert ((bins - 400) ** 2 / 400).sum() == pytest.approx(49, abs=4 * np.sqrt(98))
    for step in (1, 2, 7):
        assert np.corrcoef(drawn[:-step], drawn[step:])[0, 1] == pytest.approx(0, abs=0.03)


@pytest.mark.parametrize("alpha", [(0.02, 0.5), (2.0, 9.0)])
@pytest.mark.parametrize("beta", [0.05, 2.0])
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_the_last_token_of_a_side_sees_all_that_the_sweep_has_changed(
    sampler: Sampler, beta: float, alpha: tuple[float, float]
) -> None:
    """Given where all others are after the side, it has each topic as its conditional says."""
    k, trials, last = 12, 1200, 11
    draw = np.random.default_rng(5)
    tuples = [[draw.integers(0, 3, 12).tolist(), draw.integers(0, 3, 4).tolist()] for _ in range(3)]
    topics = draw.integers(0, k, 48).astype(np.int32)
    layout = Layout.of(texts_of(tuples, [3, 3]))
    priors = draw.uniform(*alpha, k), np.array([beta, beta / 2])
    state = State(layout, topics.copy(), *priors, sweep=0, seed=1, parts=1, sampler=sampler)
    counts: Any = state._counts  # dense or sparse
    kept = state._kind.of(layout, k, topics)
    gap, variance = np.zeros(k), np.zeros(k)
    for trial in range(trials):
        state.topics[:] = topics
        counts.assign(kept)
        state._sample(state._counts, (0, 1), key_of(7, trial))
        state.topics[last + 1 :] = topics[last + 1 :]  # the second side came later: put it back
        counts.assign(state._kind.of(layout, k, state.topics))
        expected = state.conditional(last)
        gap[state.topics[last]] += 1
        gap -= expected
        variance += expected * (1 - expected)
    assert np.abs(gap / np.sqrt(variance)).max() < 4.5
