"""A Gibbs chain: counts, threads, parts, resuming, planted topics, conditionals and draws."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.models.polylingual.chain import GibbsChain, number_of_parts
from tealeaves.models.polylingual.dirichlet import Priors
from tealeaves.models.polylingual.kernels.random import key_of, uniform
from tealeaves.models.texts import TrainingTexts

from .exact import brute_conditional, posterior, texts_of

if TYPE_CHECKING:
    from .exact import Tuples

Sampler = Literal["dense", "sparse"]
SAMPLERS: tuple[Sampler, ...] = ("dense", "sparse")


def random_texts(
    seed: int = 1, *, tuples: int = 60, languages: int = 2, words: int = 25
) -> TrainingTexts:
    draw = np.random.default_rng(seed)
    made = [
        [draw.integers(0, words, draw.integers(0, 15)).tolist() for _ in range(languages)]
        for _ in range(tuples)
    ]
    return texts_of(made, [words] * languages)


def start_chain(
    texts: TrainingTexts, sampler: Sampler, *, k: int = 12, parts: int | None = None
) -> GibbsChain:
    return GibbsChain.start(texts, k=k, alpha=0.1, beta=0.05, seed=4, parts=parts, sampler=sampler)


def count_words(texts: TrainingTexts, chain: GibbsChain) -> tuple[np.ndarray, np.ndarray]:
    """Count word by word, in Python."""
    languages = len(texts.vocabularies)
    rows = np.cumsum([0, *map(len, texts.vocabularies)])
    words = np.zeros((rows[-1], chain.k), dtype=int)
    totals = np.zeros((languages, chain.k), dtype=int)
    for side in range(len(texts.starts) - 1):
        for token in range(texts.starts[side], texts.starts[side + 1]):
            words[rows[side % languages] + texts.words[token], chain.topics[token]] += 1
            totals[side % languages, chain.topics[token]] += 1
    return words, totals


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("parts", [1, 3])
@pytest.mark.parametrize("k", [1, 8, 20])
def test_counts_are_those_of_the_topics(sampler: Sampler, parts: int, k: int) -> None:
    texts = random_texts()
    chain = start_chain(texts, sampler, k=k, parts=parts)
    first = chain.topics.copy()
    for _ in range(3):
        chain.advance(threads=2)
        words, totals = count_words(texts, chain)
        np.testing.assert_array_equal(chain.word_topics, words)
        np.testing.assert_array_equal(chain.language_topics, totals)
    assert (chain.topics != first).any() == (k > 1)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_the_number_of_threads_changes_nothing(sampler: Sampler) -> None:
    texts = random_texts(tuples=100)
    results = []
    for threads in (1, 2, 3):
        chain = start_chain(texts, sampler, parts=4)
        for _ in range(5):
            chain.advance(threads=threads)
        results.append(chain.topics.tolist())
    assert results[0] == results[1] == results[2]
    alone = start_chain(texts, sampler, parts=1)
    for _ in range(5):
        alone.advance()
    assert alone.topics.tolist() != results[0]


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("parts", [1, 2])
def test_a_resumed_chain_goes_on_as_if_unbroken(sampler: Sampler, parts: int) -> None:
    texts = random_texts()
    unbroken = start_chain(texts, sampler, parts=parts)
    for _ in range(4):
        unbroken.advance()
    unbroken.optimise()
    kept = unbroken.arrays()
    for _ in range(4):
        unbroken.advance()
    resumed = GibbsChain.from_arrays(texts, kept, sampler=sampler)
    assert resumed.sweep == 4
    for _ in range(4):
        resumed.advance(threads=2)
    resumed.optimise()
    unbroken.optimise()
    assert resumed.topics.tolist() == unbroken.topics.tolist()
    assert resumed.priors.alpha.tolist() == unbroken.priors.alpha.tolist()
    assert resumed.priors.beta.tolist() == unbroken.priors.beta.tolist()
    assert resumed.sweep == unbroken.sweep == 8


def test_seeds_and_sweeps_differ() -> None:
    texts = random_texts()
    one, same, other = (
        GibbsChain.start(texts, k=5, alpha=0.1, beta=0.1, seed=seed) for seed in (1, 1, 2)
    )
    assert one.topics.tolist() == same.topics.tolist() != other.topics.tolist()
    for chain in (one, same):
        chain.advance()
    assert one.topics.tolist() == same.topics.tolist()


def test_what_was_not_kept_by_us_is_refused() -> None:
    texts = random_texts()
    kept = start_chain(texts, "sparse").arrays()
    for name, value in (
        ("topics", np.full_like(kept["topics"], 12)),
        ("topics", kept["topics"][1:]),
        ("alpha", np.zeros(12)),
        ("beta", np.array([0.1, np.nan])),
        ("places", kept["places"] + 1),
        ("places", kept["places"][8:]),
    ):
        with pytest.raises(ValueError, match=r"topics|above 0"):
            GibbsChain.from_arrays(texts, {**kept, name: value}, sampler="sparse")


def test_the_sampler_is_chosen_by_the_number_of_topics() -> None:
    texts = random_texts()
    kinds = [
        type(GibbsChain.start(texts, k=k, alpha=0.1, beta=0.1, seed=1)._counts).__name__
        for k in (2, 100, 5000)
    ]
    assert kinds == ["DenseCounts", "DenseCounts", "SparseCounts"]


def test_texts_that_contradict_themselves_are_refused() -> None:
    right = random_texts()
    for starts, words in (
        (right.starts[:-1], right.words),
        (right.starts + 1, right.words),
        (right.starts, right.words[1:]),
        (right.starts, right.words - 1),
        (right.starts, right.words + 25),
        (np.r_[0, right.starts[1:-1][::-1], right.starts[-1]], right.words),
    ):
        with pytest.raises(ValueError, match=r"starts|vocabulary"):
            replace(right, starts=starts, words=words)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_texts_without_words(sampler: Sampler) -> None:
    texts = texts_of([[[], []], [[], []]], [3, 0])
    chain = start_chain(texts, sampler, k=2)
    chain.advance()
    chain.optimise()
    assert chain.log_likelihood() == 0
    np.testing.assert_allclose(chain.theta(), 0.5)
    np.testing.assert_allclose(chain.phi(0), 1 / 3)


# ------------------------------------------------------------------ parts


def test_parts_have_about_as_many_tokens_each() -> None:
    texts = random_texts(tuples=200)
    parts = texts.split_tuples(4)
    assert parts[0][0] == 0
    assert parts[-1][1] == 200
    assert all(one[1] == other[0] for one, other in pairwise(parts))
    sizes = [int(texts.lengths[first:last].sum()) for first, last in parts]
    assert max(sizes) - min(sizes) <= 2 * texts.lengths.max()
    sizes = [last - first for first, last in random_texts(tuples=2).split_tuples(5)]
    assert sizes.count(0) >= 3


def test_small_texts_are_one_part() -> None:
    assert number_of_parts(0, 0) == number_of_parts(90_000, 100) == 1
    assert number_of_parts(10**9, 1000) == 16
    assert number_of_parts(10**7, 10**7) == 1


# ------------------------------------------------------------------ planted topics


def planted(languages: int, *, linked: float, seed: int) -> tuple[Tuples, list[int]]:
    """Make tuples of one theme each; theme t has the words 5 t to 5 t + 4 of each language."""
    draw = np.random.default_rng(seed)
    tuples: Tuples = []
    themes = []
    for number in range(90):
        theme = number % 3
        sides = [draw.integers(5 * theme, 5 * theme + 5, 12).tolist() for _ in range(languages)]
        if draw.random() >= linked:  # only one language is there
            stays = number % languages
            sides = [side if place == stays else [] for place, side in enumerate(sides)]
        tuples.append(sides)
        themes.append(theme)
    return tuples, themes


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("languages", [2, 3])
def test_planted_topics_are_found_in_all_languages(sampler: Sampler, languages: int) -> None:
    tuples, themes = planted(languages, linked=0.6, seed=5)
    texts = texts_of(tuples, [15] * languages)
    chain = GibbsChain.start(texts, k=3, alpha=0.1, beta=0.05, seed=1, sampler=sampler)
    for _ in range(60):
        chain.advance()
    theta = chain.theta()
    topic_of = [int(theta[theme].argmax()) for theme in range(3)]
    assert sorted(topic_of) == [0, 1, 2]
    assert [int(row.argmax()) for row in theta] == [topic_of[theme] for theme in themes]
    for language in range(languages):
        phi = chain.phi(language)
        np.testing.assert_allclose(phi.sum(axis=1), 1)
        for theme, topic in enumerate(topic_of):
            assert phi[topic, 5 * theme : 5 * theme + 5].sum() > 0.95


# ------------------------------------------------------------------ the conditional

#: three languages; one tuple lacks two of them, one is empty
TINY: Tuples = [
    [[0, 1, 1], [2], [0, 0]],
    [[2, 0], [], []],
    [[], [], []],
    [[1], [0, 1, 2, 2], [1]],
]
TINY_SIZES = [3, 4, 2]


def chain_of(
    tuples: Tuples,
    sizes: list[int],
    topics: list[int],
    alpha: list[float],
    beta: list[float],
    sampler: Sampler,
) -> GibbsChain:
    return GibbsChain(
        texts_of(tuples, sizes),
        np.array(topics, dtype=np.int32),
        Priors(np.array(alpha), np.array(beta)),
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
        chain = chain_of([[[0, 1, 0]], [[0]]], [2], [0, 1, 1, 0], [0.5, 0.5], [0.1], sampler)
        np.testing.assert_allclose(chain.conditional(0), weights / weights.sum(), rtol=1e-14)


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
    chain = chain_of(TINY, TINY_SIZES, topics, alpha, beta, sampler)
    wanted = brute_conditional(TINY, TINY_SIZES, topics, np.array(alpha), np.array(beta), token)
    np.testing.assert_allclose(chain.conditional(token), wanted, rtol=0, atol=1e-9)
    assert chain.topics.tolist() == topics


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
    sparse = chain_of(tuples, sizes, topics, alpha, beta, "sparse")
    for _ in range(sweeps):
        sparse.advance()
    dense = chain_of(tuples, sizes, sparse.topics.tolist(), alpha, beta, "dense")
    np.testing.assert_array_equal(sparse.word_topics, dense.word_topics)
    for token in draw.integers(0, max(tokens, 1), 10 if tokens else 0).tolist():
        ours, other = dense.conditional(token), sparse.conditional(token)
        np.testing.assert_allclose(ours, other, rtol=0, atol=1e-9)
        assert ours.sum() == pytest.approx(1, abs=1e-12)
        assert other.sum() == pytest.approx(1, abs=1e-12)  # the sums that a sweep keeps are right


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("k", [5, 90])
def test_draws_have_the_frequencies_of_the_conditional(sampler: Sampler, k: int) -> None:
    """Each trial samples a tuple from the same chain; its first token saw that chain alone."""
    draw = np.random.default_rng(k)
    tuples = [[draw.integers(0, 4, 3).tolist(), [1]] for _ in range(30)]
    topics = draw.integers(0, k, 120).tolist()
    chain = chain_of(tuples, [4, 2], topics, [0.2] * k, [0.3, 0.1], sampler)
    wanted, trials = chain.conditional(20), 6000
    kept = chain._kind.of(chain.texts, k, chain.topics)
    counts = np.zeros(k)
    for trial in range(trials):
        chain.topics[:] = topics
        chain._counts.copy_from(kept)
        chain._sample(chain._counts, (5, 6), key_of(9, trial))
        counts[chain.topics[20]] += 1
    expected = wanted * trials
    assert expected.min() > 1
    # the statistic has the mean k - 1 and the variance 2 (k - 1); four deviations
    statistic = ((counts - expected) ** 2 / expected).sum()
    assert abs(statistic - (k - 1)) < 4 * np.sqrt(2 * (k - 1)) + 4


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_the_chain_visits_states_as_often_as_they_are_likely(sampler: Sampler) -> None:
    tuples: Tuples = [[[0, 1], [0]], [[1], [1, 0]]]
    alpha, beta = np.array([0.4, 0.9]), np.array([0.3, 0.15])
    exact = posterior(tuples, [2, 2], alpha, beta)
    chain = chain_of(tuples, [2, 2], [0] * 6, alpha.tolist(), beta.tolist(), sampler)
    visits: dict[tuple[int, ...], int] = dict.fromkeys(exact, 0)
    sweeps = 10_000
    for _ in range(sweeps):
        chain.advance()
        visits[tuple(chain.topics.tolist())] += 1
    distance = sum(abs(visits[topics] / sweeps - p) for topics, p in exact.items()) / 2
    assert distance < 0.04  # 64 states; independent draws would have about 0.025
    likely = max(exact, key=lambda topics: exact[topics])
    assert visits[likely] / sweeps == pytest.approx(exact[likely], abs=0.015)


def test_random_numbers_are_even_and_have_no_memory() -> None:
    drawn = np.array([uniform(key_of(1, 2), number) for number in range(20_000)])
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
    texts = texts_of(tuples, [3, 3])
    priors = Priors(draw.uniform(*alpha, k), np.array([beta, beta / 2]))
    chain = GibbsChain(texts, topics.copy(), priors, seed=1, parts=1, sampler=sampler)
    counts: Any = chain._counts  # dense or sparse
    kept = chain._kind.of(texts, k, topics)
    gap, variance = np.zeros(k), np.zeros(k)
    for trial in range(trials):
        chain.topics[:] = topics
        counts.copy_from(kept)
        chain._sample(chain._counts, (0, 1), key_of(7, trial))
        chain.topics[last + 1 :] = topics[last + 1 :]  # the second side came later: put it back
        counts.copy_from(chain._kind.of(texts, k, chain.topics))
        expected = chain.conditional(last)
        gap[chain.topics[last]] += 1
        gap -= expected
        variance += expected * (1 - expected)
    assert np.abs(gap / np.sqrt(variance)).max() < 4.5
