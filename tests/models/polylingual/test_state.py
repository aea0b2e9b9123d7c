"""Where a chain stands: counts, threads, parts, resuming, planted topics."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest

from tealeaves.models.polylingual.kernels.dense import sample_dense
from tealeaves.models.polylingual.kernels.random import key_of
from tealeaves.models.polylingual.kernels.sparse import sample_sparse
from tealeaves.models.polylingual.layout import Layout, number_of_parts
from tealeaves.models.polylingual.state import State

from .exact import Sides, texts_of

if TYPE_CHECKING:
    from .exact import Tuples

Sampler = Literal["dense", "sparse"]
SAMPLERS: tuple[Sampler, ...] = ("dense", "sparse")


def random_texts(seed: int = 1, *, tuples: int = 60, languages: int = 2, words: int = 25) -> Sides:
    draw = np.random.default_rng(seed)
    made = [
        [draw.integers(0, words, draw.integers(0, 15)).tolist() for _ in range(languages)]
        for _ in range(tuples)
    ]
    return texts_of(made, [words] * languages)


def begun(texts: Sides, sampler: Sampler, *, k: int = 12, parts: int | None = None) -> State:
    return State.start(texts, k=k, alpha=0.1, beta=0.05, seed=4, parts=parts, sampler=sampler)


def recounted(texts: Sides, state: State) -> tuple[np.ndarray, np.ndarray]:
    """Count word by word, in Python."""
    languages = len(texts.vocabularies)
    rows = np.cumsum([0, *map(len, texts.vocabularies)])
    words = np.zeros((rows[-1], state.k), dtype=int)
    totals = np.zeros((languages, state.k), dtype=int)
    for side in range(len(texts.starts) - 1):
        for token in range(texts.starts[side], texts.starts[side + 1]):
            words[rows[side % languages] + texts.words[token], state.topics[token]] += 1
            totals[side % languages, state.topics[token]] += 1
    return words, totals


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("parts", [1, 3])
@pytest.mark.parametrize("k", [1, 8, 20])
def test_counts_are_those_of_the_topics(sampler: Sampler, parts: int, k: int) -> None:
    texts = random_texts()
    state = begun(texts, sampler, k=k, parts=parts)
    first = state.topics.copy()
    for _ in range(3):
        state.advance(threads=2)
        words, totals = recounted(texts, state)
        np.testing.assert_array_equal(state.word_topics, words)
        np.testing.assert_array_equal(state.language_topics, totals)
    assert (state.topics != first).any() == (k > 1)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_the_number_of_threads_changes_nothing(sampler: Sampler) -> None:
    texts = random_texts(tuples=100)
    found = []
    for threads in (1, 2, 3):
        state = begun(texts, sampler, parts=4)
        for _ in range(5):
            state.advance(threads=threads)
        found.append(state.topics.tolist())
    assert found[0] == found[1] == found[2]
    alone = begun(texts, sampler, parts=1)
    for _ in range(5):
        alone.advance()
    assert alone.topics.tolist() != found[0]


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("parts", [1, 2])
def test_a_resumed_chain_goes_on_as_if_unbroken(sampler: Sampler, parts: int) -> None:
    texts = random_texts()
    unbroken = begun(texts, sampler, parts=parts)
    for _ in range(4):
        unbroken.advance()
    unbroken.optimise()
    kept = unbroken.arrays()
    for _ in range(4):
        unbroken.advance()
    resumed = State.from_arrays(texts, kept, sampler=sampler)
    assert resumed.sweep == 4
    for _ in range(4):
        resumed.advance(threads=2)
    resumed.optimise()
    unbroken.optimise()
    assert resumed.topics.tolist() == unbroken.topics.tolist()
    assert resumed.alpha.tolist() == unbroken.alpha.tolist()
    assert resumed.beta.tolist() == unbroken.beta.tolist()
    assert resumed.sweep == unbroken.sweep == 8


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_machine_code_samples_as_the_python_does(sampler: Sampler) -> None:
    """The same functions, and Python's own arithmetic: every number is the same."""
    texts = random_texts(tuples=25)
    results = []
    for interpreted in (False, True):
        state = begun(texts, sampler, k=19)
        kernel = sample_dense if sampler == "dense" else sample_sparse
        arrays = state._counts._arrays(state.topics, state.alpha, state.beta)
        run = kernel.interpreted if interpreted else kernel
        for sweep in range(2):
            run(0, 25, 2, 19, key_of(8, sweep), *arrays)
        results.append([array.tolist() for array in arrays])
    assert results[0] == results[1]
    assert results[0][2] != begun(texts, sampler, k=19).topics.tolist()


def test_seeds_and_sweeps_differ() -> None:
    texts = random_texts()
    one, same, other = (
        State.start(texts, k=5, alpha=0.1, beta=0.1, seed=seed) for seed in (1, 1, 2)
    )
    assert one.topics.tolist() == same.topics.tolist() != other.topics.tolist()
    for state in (one, same):
        state.advance()
    assert one.topics.tolist() == same.topics.tolist()


def test_what_was_not_kept_by_us_is_refused() -> None:
    texts = random_texts()
    kept = begun(texts, "sparse").arrays()
    for name, value in (
        ("topics", np.full_like(kept["topics"], 12)),
        ("topics", kept["topics"][1:]),
        ("alpha", np.zeros(12)),
        ("beta", np.array([0.1, np.nan])),
        ("places", kept["places"] + 1),
        ("places", kept["places"][8:]),
    ):
        with pytest.raises(ValueError, match=r"topics|above 0"):
            State.from_arrays(texts, {**kept, name: value}, sampler="sparse")


def test_the_sampler_is_chosen_by_the_number_of_topics() -> None:
    texts = random_texts()
    kinds = [
        type(State.start(texts, k=k, alpha=0.1, beta=0.1, seed=1)._counts).__name__
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
            Layout.of(Sides(right.vocabularies, starts, words))


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_texts_without_words(sampler: Sampler) -> None:
    texts = texts_of([[[], []], [[], []]], [3, 0])
    state = begun(texts, sampler, k=2)
    state.advance()
    state.optimise()
    assert state.log_likelihood() == 0
    np.testing.assert_allclose(state.theta(), 0.5)
    np.testing.assert_allclose(state.phi(0), 1 / 3)


# ------------------------------------------------------------------ parts


def test_parts_have_about_as_many_tokens_each() -> None:
    layout = Layout.of(random_texts(tuples=200))
    parts = layout.divided(4)
    assert parts[0][0] == 0
    assert parts[-1][1] == 200
    assert all(one[1] == other[0] for one, other in pairwise(parts))
    sizes = [int(layout.lengths[first:last].sum()) for first, last in parts]
    assert max(sizes) - min(sizes) <= 2 * layout.lengths.max()
    assert [last - first for first, last in Layout.of(random_texts(tuples=2)).divided(5)].count(
        0
    ) >= 3


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
    state = State.start(texts, k=3, alpha=0.1, beta=0.05, seed=1, sampler=sampler)
    for _ in range(60):
        state.advance()
    theta = state.theta()
    topic_of = [int(theta[theme].argmax()) for theme in range(3)]
    assert sorted(topic_of) == [0, 1, 2]
    assert [int(row.argmax()) for row in theta] == [topic_of[theme] for theme in themes]
    for language in range(languages):
        phi = state.phi(language)
        np.testing.assert_allclose(phi.sum(axis=1), 1)
        for theme, topic in enumerate(topic_of):
            assert phi[topic, 5 * theme : 5 * theme + 5].sum() > 0.95
