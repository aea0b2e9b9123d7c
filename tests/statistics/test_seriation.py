"""Seriation: what is alike stands together, however it was given."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tealeaves.arrays import Floats
from tealeaves.statistics.seriation import (
    cosines,
    diagonal_order,
    seriation_order,
    similarity_order,
)


def shuffled(matrix: Floats, seed: int) -> tuple[Floats, NDArray[np.int64]]:
    order = np.random.default_rng(seed).permutation(len(matrix))
    return matrix[np.ix_(order, order)], order


@given(st.integers(3, 30), st.integers(0, 10**6))
def test_a_shuffled_band_is_recovered(size: int, seed: int) -> None:
    places = np.arange(size)
    band = np.exp(-np.abs(np.subtract.outer(places, places)) / 3)
    given_, order = shuffled(band, seed)
    found = order[similarity_order(given_)].tolist()
    assert found in (places.tolist(), places[::-1].tolist())


@given(st.lists(st.integers(1, 6), min_size=1, max_size=6), st.integers(0, 10**6))
def test_blocks_stand_together_in_the_order_of_their_first_members(
    sizes: list[int], seed: int
) -> None:
    block = np.repeat(np.arange(len(sizes)), sizes)
    given_, order = shuffled((block[:, None] == block) * 1.0, seed)
    found = block[order][similarity_order(given_)]
    runs = [int(key) for key, _ in itertools.groupby(found)]
    assert runs == list(dict.fromkeys(block[order].tolist()))


def test_the_order_does_not_depend_on_the_order_given() -> None:
    rng = np.random.default_rng(3)
    similarity = cosines(rng.random((25, 8)) ** 4)
    first = similarity_order(similarity)
    for seed in range(5):
        given_, order = shuffled(similarity, seed)
        assert order[similarity_order(given_)].tolist() in (first, first[::-1])


def test_no_order_that_the_tree_allows_is_shorter() -> None:
    # of five things all orders can be tried: none that keeps the two clusters is shorter
    rng = np.random.default_rng(0)
    places = np.concatenate([rng.random((2, 2)), 10 + rng.random((3, 2))])
    distances = np.sqrt(np.square(places[:, None] - places).sum(-1))

    def length(order: tuple[int, ...]) -> float:
        return float(sum(distances[a, b] for a, b in itertools.pairwise(order)))

    best = min(
        length((*first, *second))
        for first in itertools.permutations([0, 1])
        for second in itertools.permutations([2, 3, 4])
    )
    assert length(tuple(seriation_order(distances).tolist())) == pytest.approx(best)


def test_what_is_unknown_or_unrelated_keeps_the_order_given() -> None:
    assert similarity_order(np.eye(4)) == [0, 1, 2, 3]
    assert similarity_order(np.full((3, 3), np.nan)) == [0, 1, 2]
    assert similarity_order(np.zeros((0, 0))) == []
    assert similarity_order(np.ones((1, 1))) == [0]
    assert similarity_order(np.full((2, 2), 0.5)) == [0, 1]
    # the first belongs to the third
    related = np.eye(4)
    related[0, 2] = related[2, 0] = 0.5
    assert similarity_order(related) == [0, 2, 1, 3]


def test_negative_similarity_is_far() -> None:
    related = np.array([[1, -0.9, 0.1], [-0.9, 1, 0.1], [0.1, 0.1, 1]])
    assert similarity_order(related) == [0, 2, 1]


def test_rows_lie_along_the_diagonal() -> None:
    matrix = np.zeros((12, 6))
    for row in range(12):
        matrix[row, row * 5 // 12] = 1
        matrix[row, row * 5 // 12 + 1] = row / 24  # each leans further than the last
    order = np.random.default_rng(1).permutation(12)
    assert order[diagonal_order(matrix[order])].tolist() == list(range(12))
    assert diagonal_order(np.zeros((2, 3))) == [0, 1]
    # of those that lean alike, the largest comes first
    assert diagonal_order(np.array([[0.0, 1.0], [0.0, 2.0], [3.0, 0.0]])) == [2, 1, 0]


def test_many_are_ordered_by_the_tree_alone() -> None:
    block = np.repeat(np.arange(10), 60)
    similarity = 0.1 + 0.9 * (block[:, None] == block)
    found = block[similarity_order(similarity)]
    assert len(list(itertools.groupby(found))) == 10
