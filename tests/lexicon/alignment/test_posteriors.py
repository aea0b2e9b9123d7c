"""The probabilities of links and jumps, against all paths that there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tealeaves.lexicon.alignment.kernels.posteriors import expect

from .plain_aligner import Table, by_all_paths, by_logarithms, by_words

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
    def turned(self) -> Passage:
        """The same, with the languages exchanged."""
        return Passage(self.backward.T, self.forward.T, self.backward_null, self.forward_null)


@dataclass
class Found:
    forward: list[NDArray[np.float32]]
    backward: list[NDArray[np.float32]]
    counts: F64
    #: of the last passage's last direction, target words in rows: how likely they bring about
    #: source words, and the links in double precision
    emissions: Table
    exact: F64


def run(
    passages: list[Passage], jumps: list[F64], alone: float = 0.2,
    some: slice = slice(None), call: Any = expect,
) -> Found:  # fmt: skip
    shapes = np.array([passage.forward.shape for passage in passages])
    source, target, cells = (
        np.concatenate([[0], np.cumsum(n)]).astype(np.int64)
        for n in (shapes[:, 0], shapes[:, 1], shapes[:, 0] * shapes[:, 1])
    )
    rows = range(len(passages))[some]
    most = int(shapes.max()) + 2
    line, square = most, most * most
    sizes = (square, square, line, line, line, square, square, line, line, line)
    buffers = [np.full(n, np.nan) for n in sizes]
    links = [np.full(cells[-1], 9, np.float32) for _ in range(2)]
    counts = np.zeros((2, len(jumps[0])))
    call(
        rows.start, rows.stop, source, target, cells,
        np.concatenate([p.forward.ravel() for p in passages]),
        np.concatenate([p.backward.ravel() for p in passages]),
        np.concatenate([p.forward_null for p in passages]),
        np.concatenate([p.backward_null for p in passages]),
        alone, *jumps, *counts, *buffers, *links,
    )  # fmt: skip
    forward, backward = (
        [part.reshape(n) for part, n in zip(np.split(x, cells[1:-1]), shapes, strict=True)]
        for x in links
    )
    last = [part[: shapes[-1].prod()].reshape(shapes[-1][::-1]) for part in buffers[:2]]
    return Found(forward, backward, counts, last[0].tolist(), last[1])


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
    for found, other, null, weights in (
        (here, there, passage.backward_null, jumps[1]),
        (there, here, passage.forward_null, jumps[0]),
    ):
        links, counts = by_all_paths(found.emissions, null.tolist(), alone, weights.tolist())
        np.testing.assert_allclose(found.exact, links, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(found.counts[1], counts, rtol=1e-9, atol=1e-12)
        # the other direction of either run is the same
        np.testing.assert_array_equal(found.backward[0].T, other.forward[0])
        np.testing.assert_array_equal(found.backward[0].T, found.exact.astype(np.float32))
        np.testing.assert_array_equal(found.counts, other.counts[::-1])


@given(sizes, seeds, st.floats(0.05, 0.9))
def test_without_jumps_it_is_model_1(size: tuple[int, int], seed: int, alone: float) -> None:
    passage = Passage.drawn(*size, seed)
    found = run([passage], [np.zeros(0)] * 2, alone)
    turned = run([passage.turned], [np.zeros(0)] * 2, alone)
    back = by_words(found.emissions, passage.backward_null.tolist(), alone)
    np.testing.assert_allclose(found.exact, back, rtol=1e-12)
    np.testing.assert_array_equal(found.backward[0].T, found.exact.astype(np.float32))
    there = by_words(turned.emissions, passage.forward_null.tolist(), alone)
    np.testing.assert_allclose(found.forward[0], there, rtol=1e-6)


def test_words_are_given_by_their_logarithms() -> None:
    passage = Passage.drawn(4, 5, seed=2)
    np.testing.assert_allclose(
        run([passage], JUMPS).emissions, np.exp(passage.backward.T), rtol=1e-6
    )


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
    middle = run(passages, jumps, some=slice(1, 4))
    assert all((links == 9).all() for n, links in enumerate(middle.backward) if n not in (1, 2, 3))
    assert np.array_equal(middle.backward[2], found.backward[2])


@pytest.mark.parametrize("jumps", [JUMPS, [np.zeros(0)] * 2], ids=["jumps", "words"])
def test_the_kernel_does_what_its_python_does(jumps: list[F64]) -> None:
    passages = [Passage.drawn(*size, seed=5) for size in ((3, 5), (0, 2), (4, 1))]
    one, other = (run(passages, jumps, call=call) for call in (expect, expect.interpreted))
    for a, b in zip((*one.forward, *one.backward), (*other.forward, *other.backward), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6)
    np.testing.assert_allclose(one.counts, other.counts, rtol=1e-6)
