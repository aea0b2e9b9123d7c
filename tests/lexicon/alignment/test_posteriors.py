"""The probabilities of links and jumps, against all paths that there are, and Python against C."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tealeaves.arrays import offsets
from tealeaves.lexicon.alignment.kernels.posteriors import (
    Direction,
    PassageStarts,
    expect,
    exponential,
    work_size,
)

from .plain_aligner import by_all_paths, by_logarithms, by_words

F64 = NDArray[np.float64]
JUMPS = [np.exp(-0.3 * np.abs(np.arange(-12, 13) - shift)) for shift in (1.0, 0.0)]


@dataclass
class Passage:
    """What is believed of one passage; logarithms have source words in rows."""

    forward: NDArray[np.float32]
    backward: NDArray[np.float32]
    forward_null: F64
    backward_null: F64

    @classmethod
    def drawn(cls, sources: int, targets: int, seed: int, least: float = -6.0) -> Passage:
        rng = np.random.default_rng(seed)
        logs = [rng.uniform(least, 0, (sources, targets)).astype(np.float32) for _ in range(2)]
        return cls(logs[0], logs[1], rng.uniform(0.01, 1, targets), rng.uniform(0.01, 1, sources))

    @property
    def swapped(self) -> Passage:
        """The same, with the directions exchanged."""
        return Passage(self.backward, self.forward, self.backward_null, self.forward_null)

    @property
    def turned(self) -> Passage:
        """The same, with the languages exchanged."""
        return Passage(self.backward.T, self.forward.T, self.backward_null, self.forward_null)

    def emissions(self) -> list[list[float]]:
        """Return how likely source words bring about target words."""
        return [[exponential(float(log)) for log in row] for row in self.forward]


@dataclass
class Found:
    forward: list[NDArray[np.float32]]
    backward: list[NDArray[np.float32]]
    counts: F64


def run(passages: list[Passage], jumps: list[F64], alone: float = 0.2, call: Any = expect) -> Found:
    shapes = np.array([passage.forward.shape for passage in passages], np.int64).reshape(-1, 2)
    source, target, cells = (
        offsets(n) for n in (shapes[:, 0], shapes[:, 1], shapes[:, 0] * shapes[:, 1])
    )
    links = [np.full(cells[-1], 9, np.float32) for _ in range(2)]
    counts = np.zeros((2, len(jumps[0])))
    sides = [
        Direction(
            np.concatenate([np.zeros(0, np.float32), *(p.forward.ravel() for p in each)]),
            np.concatenate([np.zeros(0), *(p.forward_null for p in each)]),
            jumps[side],
            counts[side],
            links[side],
        )
        for side, each in enumerate((passages, [p.swapped for p in passages]))
    ]
    work = np.full(work_size(int(shapes.max(initial=0)), len(jumps[0]) // 2), np.nan)
    # passages need not begin at the first token
    call(alone, PassageStarts(source + 7, target + 3), *sides, work)
    forward, backward = (
        [part.reshape(n) for part, n in zip(np.split(x, cells[1:-1]), shapes, strict=True)]
        if len(passages)
        else []
        for x in links
    )
    return Found(forward, backward, counts)


sizes = st.tuples(st.integers(1, 3), st.integers(1, 4))
seeds = st.integers(0, 10**6)


@settings(max_examples=40)
@given(sizes, seeds, st.integers(1, 4), st.floats(0.05, 0.9))
def test_links_and_jumps_are_those_of_all_paths(
    size: tuple[int, int], seed: int, reach: int, alone: float
) -> None:
    rng = np.random.default_rng(seed)
    passage, jumps = Passage.drawn(*size, seed), list(rng.uniform(0.01, 1, (2, 2 * reach + 1)))
    here, there = run([passage], jumps, alone), run([passage.turned], jumps[::-1], alone)
    for found, known, weights in ((here, passage, jumps[0]), (there, passage.turned, jumps[1])):
        null = known.forward_null.tolist()
        links, counts = by_all_paths(known.emissions(), null, alone, weights.tolist())
        np.testing.assert_allclose(found.forward[0], links, rtol=2e-7)
        np.testing.assert_allclose(found.counts[0], counts, rtol=1e-9, atol=1e-12)
    # the other direction of the languages exchanged is the same
    np.testing.assert_array_equal(here.forward[0].T, there.backward[0])
    np.testing.assert_array_equal(here.backward[0].T, there.forward[0])
    np.testing.assert_array_equal(here.counts, there.counts[::-1])


@given(sizes, seeds, st.floats(0.05, 0.9))
def test_without_jumps_it_is_model_1(size: tuple[int, int], seed: int, alone: float) -> None:
    passage = Passage.drawn(*size, seed)
    found = run([passage], [np.zeros(0)] * 2, alone)
    turned = run([passage.turned], [np.zeros(0)] * 2, alone)
    links = by_words(passage.emissions(), passage.forward_null.tolist(), alone)
    np.testing.assert_allclose(found.forward[0], links, rtol=2e-7)
    np.testing.assert_array_equal(found.forward[0].T, turned.backward[0])
    np.testing.assert_array_equal(found.backward[0].T, turned.forward[0])


@given(st.floats(-80, 80, width=32))
def test_exponentials_are_right_to_the_last_digit(value: float) -> None:
    exact = math.exp(value)
    # rounded to the nearest number of single precision, but for a hundredth of its distance
    assert abs(exponential(value) - exact) <= 0.51 * float(np.spacing(np.float32(exact)))
    assert exponential(value) == float(np.float32(exponential(value)))


def test_by_hand() -> None:
    # one word on either side, alike likely with and without the other: half of what is left of
    # ``alone`` = 1/2; the only jump is from the beginning to the first state
    zero, one = np.zeros((1, 1), np.float32), np.ones(1)
    found = run([Passage(zero, zero, one, one)], [np.array([0.25, 0.25, 0.5])] * 2, alone=0.5)
    assert found.forward[0].tolist() == found.backward[0].tolist() == [[0.5]]
    assert found.counts.tolist() == [[0, 0, 0.5], [0, 0, 0.5]]


@pytest.mark.parametrize("least", [-1.0, np.log(1e-9)])
@pytest.mark.parametrize("shape", [(200, 200), (1, 300), (300, 1)])
def test_long_passages_neither_vanish_nor_overflow(shape: tuple[int, int], least: float) -> None:
    passage = Passage.drawn(*shape, seed=1, least=least)
    # a run of words that nothing brings about, and states that bring about nothing
    passage.forward[:, 50:120] = passage.backward[50:120] = least
    passage.forward_null[60:80] = 1e-12
    found = run([passage], JUMPS)
    expected = (
        by_logarithms(passage.forward.astype(float), passage.forward_null, 0.2, JUMPS[0].tolist()),
        by_logarithms(
            passage.backward.T.astype(float), passage.backward_null, 0.2, JUMPS[1].tolist()
        ).T,
    )
    np.testing.assert_allclose(found.forward[0], expected[0], rtol=1e-5, atol=1e-30)
    np.testing.assert_allclose(found.backward[0], expected[1], rtol=1e-5, atol=1e-30)
    assert found.forward[0].sum(axis=0).max() <= 1 + 1e-5


def test_logarithms_and_all_paths_say_the_same() -> None:
    passage = Passage.drawn(3, 4, seed=3)
    logs = passage.forward.astype(float)
    found = by_logarithms(logs, passage.forward_null, 0.2, JUMPS[0].tolist())
    paths, _ = by_all_paths(
        np.exp(logs).tolist(), passage.forward_null.tolist(), 0.2, JUMPS[0].tolist()
    )
    np.testing.assert_allclose(found, paths, rtol=1e-12)


@pytest.mark.parametrize("jumps", [JUMPS, [np.zeros(0)] * 2], ids=["jumps", "words"])
def test_passages_do_not_touch_each_other(jumps: list[F64]) -> None:
    sizes = [(2, 3), (4, 0), (5, 2), (0, 3), (1, 1), (3, 4), (0, 0)]
    passages = [Passage.drawn(*size, seed=n) for n, size in enumerate(sizes)]
    found = run(passages, jumps)
    parts = [run([passage], jumps) for passage in passages if passage.forward.size]
    together = [links for links in found.forward if links.size]
    for one, part in zip(together, parts, strict=True):
        assert np.array_equal(one, part.forward[0])
    np.testing.assert_allclose(found.counts, sum(part.counts for part in parts), rtol=1e-12)


edges = st.sampled_from([1, 2, 3, 5, 6, 7, 8, 9, 11, 12, 13, 15, 16, 17, 23, 24, 25, 26, 31, 33])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3) | edges, st.integers(0, 3) | edges), max_size=4),
    st.sampled_from([0, 1, 2, 3, 6, 7, 12, 13]),
    seeds,
    st.floats(0.05, 0.9),
)
def test_python_and_c_agree_in_every_bit(
    sizes: list[tuple[int, int]], reach: int, seed: int, alone: float
) -> None:
    """Sizes are about those where jumps reach beyond a passage, and those of blocks in C."""
    rng = np.random.default_rng(seed)
    jumps = list(rng.uniform(0.001, 1, (2, 2 * reach + 1 if reach else 0)))
    passages = [Passage.drawn(*size, seed=seed + n, least=-20) for n, size in enumerate(sizes)]
    one, other = (run(passages, jumps, alone, call) for call in (expect, expect.python))
    for a, b in zip((*one.forward, *one.backward), (*other.forward, *other.backward), strict=True):
        assert a.tobytes() == b.tobytes()
    assert one.counts.tobytes() == other.counts.tobytes()
