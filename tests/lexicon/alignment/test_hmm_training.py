"""Training step by step, against dictionaries and all paths; and what must not change it."""

from __future__ import annotations

import math
import random
import tracemalloc
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from tealeaves.lexicon.alignment.hmm import Probabilities, Trainer
from tealeaves.lexicon.alignment.views import TokenGrid, WordView, beginnings
from tealeaves.lexicon.words import Words

from .plain_aligner import Table, train

Texts = list[list[str]]


def drawn(passages: int, longest: int, words: int, seed: int = 0) -> tuple[Texts, Texts]:
    """Return texts of two languages; half the words of one are translated in the other."""
    rng = random.Random(seed)
    source = [
        [f"s{rng.randrange(words)}" for _ in range(rng.randint(1, longest))]
        for _ in range(passages)
    ]
    target = []
    for text in source:
        kept = [f"{chr(97 + int(word[1:]) % 7)}{rng.choice('xyz')}" for word in text]
        rng.shuffle(kept)
        target.append([*kept, f"t{rng.randrange(words)}"][: rng.randint(1, longest)])
    return source, target


def grid_of(source: Texts, target: Texts) -> TokenGrid:
    return TokenGrid(Words.of(source), Words.of(target))


def trained(
    grid: TokenGrid, steps: int, jumping: int, *, letters: Sequence[int] = (), threads: int = 1
) -> Probabilities:
    seen = [grid.target.numbers, *(beginnings(grid.target, n) for n in letters)]
    return Trainer(grid, [WordView.of(grid, words) for words in seen], threads).train(
        steps, jumping
    )


def flat(tables: list[Table]) -> list[float]:
    return [p for table in tables for row in table for p in row]


def tables(grid: TokenGrid, values: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    shapes = zip(np.diff(grid.source.starts), np.diff(grid.target.starts), strict=True)
    parts = np.split(values, grid.starts[1:-1])
    return [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]


@pytest.mark.parametrize(
    ("steps", "jumping", "letters"),
    [
        pytest.param(1, 0, (), id="uniform"),
        pytest.param(2, 0, (), id="one step of model 1"),
        pytest.param(6, 0, (), id="model 1"),
        pytest.param(3, 0, (1,), id="two views"),
        pytest.param(2, 1, (), id="first jumps"),
        pytest.param(2, 2, (), id="agreeing"),
        pytest.param(2, 4, (1,), id="agreeing in two views"),
        pytest.param(0, 2, (1, 2), id="jumps from the beginning"),
    ],
)
def test_training_is_that_of_dictionaries(
    steps: int, jumping: int, letters: tuple[int, ...]
) -> None:
    source, target = drawn(12, 4, 9)
    sees = [lambda word: word, *(lambda word, n=n: word[:n] for n in letters)]
    forward, backward = train(source, target, sees, steps, jumping)
    found = trained(grid_of(source, target), steps, jumping, letters=letters)
    np.testing.assert_allclose(found.forward, flat(forward), rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(found.backward, flat(backward), rtol=1e-4, atol=1e-6)
    assert np.ptp(found.forward) > 0


def test_the_first_step_by_hand() -> None:
    # with nothing known, each of two source words, and no word, explains a target word: .4 .4 .2;
    # a source word is explained by one target word or by none: .8 .2
    found = trained(grid_of([["a", "b"]], [["x"]]), 1, 0)
    np.testing.assert_allclose(found.forward, [0.4, 0.4])
    np.testing.assert_allclose(found.backward, [0.8, 0.8])


@pytest.mark.parametrize("threads", [2, 7])
def test_threads_change_no_bit(threads: int) -> None:
    grid = grid_of(*drawn(300, 9, 40))
    one = trained(grid, 3, 3, letters=(1,))
    many = trained(grid, 3, 3, letters=(1,), threads=threads)
    assert one.forward.tobytes() == many.forward.tobytes()
    assert one.backward.tobytes() == many.backward.tobytes()


def test_the_order_of_passages_does_not_matter() -> None:
    source, target = drawn(150, 7, 25)
    order = random.Random(1).sample(range(150), 150)
    grid = grid_of(source, target)
    mixed = grid_of([source[n] for n in order], [target[n] for n in order])
    one, other = trained(grid, 3, 3, letters=(1,)), trained(mixed, 3, 3, letters=(1,))
    for side in ("forward", "backward"):
        here, there = tables(grid, getattr(one, side)), tables(mixed, getattr(other, side))
        for place, n in enumerate(order):
            np.testing.assert_allclose(there[place], here[n], rtol=2e-3, atol=1e-5)


def test_languages_can_be_exchanged() -> None:
    source, target = drawn(80, 6, 15)
    grid, turned = grid_of(source, target), grid_of(target, source)
    one, other = trained(grid, 3, 3), trained(turned, 3, 3)
    pairs = zip(tables(grid, one.forward), tables(turned, other.backward), strict=True)
    for here, there in pairs:
        np.testing.assert_allclose(here, there.T, rtol=2e-3, atol=1e-5)


def test_empty_passages_say_nothing() -> None:
    source, target = drawn(40, 5, 12)
    holes = [([], ["x0"]), (["s0"], []), ([], [])]
    pairs = list(zip(source, target, strict=True))
    filled = [*holes, *pairs[:20], *holes, *pairs[20:], *holes]
    one = trained(grid_of(source, target), 2, 3)
    with_holes = grid_of([a for a, _ in filled], [b for _, b in filled])
    other = trained(with_holes, 2, 3)
    # words beside nothing have no counterpart, which is learned from, a little
    np.testing.assert_allclose(one.forward, other.forward, atol=0.1)
    only = grid_of([*source, [], []], [*target, [], []])
    assert np.array_equal(trained(only, 2, 3).backward, one.backward)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        pytest.param([["a"]], [["x"]], id="one word"),
        pytest.param([["a"]] * 50, [["x"]] * 50, id="one word over and over"),
        pytest.param([["a"] * 5] * 9, [["x"] * 7] * 9, id="vocabularies of one word"),
        pytest.param([["a"] * 200], [["x"] * 200], id="a long passage of one word"),
        pytest.param([["a", "b"]], [["x"] * 90], id="unequal"),
        pytest.param([[], ["a"]], [["x"], []], id="no cells"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_odd_texts_have_probabilities_too(source: Texts, target: Texts) -> None:
    grid = grid_of(source, target)
    found = trained(grid, 4, 5, letters=(1,), threads=2)
    for values in (found.forward, found.backward):
        assert len(values) == grid.starts[-1]
        assert np.all((values >= 0) & (values <= 1 + 1e-6))
    for table in tables(grid, found.forward) if source else []:
        assert np.all(table.sum(axis=0) <= 1 + 1e-5)
    for table in tables(grid, found.backward) if source else []:
        assert np.all(table.sum(axis=1) <= 1 + 1e-5)


def test_words_that_are_always_together_by_hand() -> None:
    # a brings about x for certain, nothing brings about x half the time: .8 x 1 against .2 x 1/2
    found = trained(grid_of([["a"]] * 50 + [["b"]] * 50, [["x"]] * 50 + [["y"]] * 50), 4, 5)
    np.testing.assert_allclose(found.forward, 8 / 9, rtol=1e-6)
    np.testing.assert_allclose(found.backward, 8 / 9, rtol=1e-6)


def test_long_passages_have_probabilities() -> None:
    rng = random.Random(0)
    words = [rng.randrange(400) for _ in range(200)]
    source = [[f"s{n}" for n in words], *([f"s{n}"] for n in range(400))]
    target = [[f"t{n}" for n in words], *([f"t{n}"] for n in range(400))]
    grid = grid_of(source, target)
    long = tables(grid, trained(grid, 3, 3).forward)[0]
    assert long.diagonal().min() > 0.5


def test_agreement_by_hand() -> None:
    forward, backward = np.array([1, 0.5, 0], np.float32), np.array([1, 0, 0], np.float32)
    assert Probabilities(forward, backward).agreement == 0.8
    assert Probabilities(forward, forward).agreement == pytest.approx(2.5 / 3)
    nothing = np.zeros(3, np.float32)
    assert math.isnan(Probabilities(nothing, nothing).agreement)


def test_agreement_of_many_is_not_rounded_away() -> None:
    # single precision would be wrong in the fourth digit
    third = np.full(2**20, 1 / 3, np.float32)
    assert Probabilities(third, third).agreement == pytest.approx(float(third[0]), rel=1e-9)


def test_each_step_is_reported() -> None:
    grid = grid_of(*drawn(5, 3, 4))
    calls = []
    Trainer(grid, [WordView.of(grid, grid.target.numbers)]).train(2, 3, lambda: calls.append(1))
    assert len(calls) == 5


def test_memory_grows_with_cells_not_with_vocabularies() -> None:
    # 12,000 words of each language, each once: a table of all pairs would be of 144 million
    source = [[f"s{n}", f"s{n + 1}"] for n in range(0, 12_000, 2)]
    target = [[f"t{n}", f"t{n + 1}"] for n in range(0, 12_000, 2)]
    grid = grid_of(source, target)
    trained(grid_of(source[:2], target[:2]), 1, 2, letters=(4,))
    tracemalloc.start()
    try:
        trained(grid, 1, 2, letters=(4,))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 300 * int(grid.starts[-1])
