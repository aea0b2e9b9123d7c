"""Cells, pairs and views, against dictionaries and plain loops."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.kernels import Kernel
from tealeaves.lexicon.alignment.kernels.pairs import (
    add_cells,
    add_margins,
    name_pairs,
    number_pairs,
    spread_pairs,
)
from tealeaves.lexicon.alignment.views import TokenGrid, WordView, beginnings, endings
from tealeaves.lexicon.words import Words

texts = st.lists(st.sampled_from("abcde"), max_size=4)
bitexts = st.lists(st.tuples(texts, texts), max_size=6)
Sides = list[tuple[list[str], list[str]]]


def grid_of(sides: Sides) -> TokenGrid:
    return TokenGrid(Words.of([a for a, _ in sides]), Words.of([b for _, b in sides]))


def cells_of(sides: Sides) -> list[tuple[str, str]]:
    return [pair for a, b in sides for pair in product(a, b)]


@given(bitexts)
def test_cells_stand_source_token_by_source_token(sides: Sides) -> None:
    grid = grid_of(sides)
    assert np.diff(grid.starts).tolist() == [len(a) * len(b) for a, b in sides]
    assert np.diff(grid.firsts).tolist() == [len(b) for a, b in sides for _ in a]
    assert grid.starts[0] == grid.firsts[0] == 0


@given(bitexts)
def test_pairs_are_numbered_as_by_a_dictionary(sides: Sides) -> None:
    grid = grid_of(sides)
    view = WordView.of(grid, grid.target.numbers)
    vocabularies = grid.source.vocabulary, grid.target.vocabulary
    named = [
        (vocabularies[0][a], vocabularies[1][b])
        for a, b in zip(view.pair_source, view.pair_target, strict=True)
    ]
    # each pair has one number, and each number is given
    assert len(set(named)) == len(named) == len(set(cells_of(sides)))
    assert [named[number] for number in view.cells] == cells_of(sides)


def test_pairs_are_those_of_the_view() -> None:
    grid = grid_of([(["hand", "the"], ["käsi", "käden"]), (["hand"], ["käsi", "jalka"])])
    view = WordView.of(grid, beginnings(grid.target, 2))
    assert set(view.target.tolist()) == {0, 1}
    assert view.cells[0] == view.cells[1] == view.cells[4]
    assert len(view.pair_source) == 3  # hand kä, the kä, hand ja


@given(bitexts, st.integers(0, 10**6))
def test_adding_up_and_spreading_are_plain_loops(sides: Sides, seed: int) -> None:
    grid = grid_of(sides)
    view = WordView.of(grid, grid.target.numbers)
    rng = np.random.default_rng(seed)
    forward, backward = rng.random((2, len(view.cells)), np.float32)
    sums = np.zeros(len(view.pair_source))
    add_cells(view.cells, forward, sums)
    for pair, total in enumerate(sums):
        assert total == pytest.approx(forward[view.cells == pair].sum(dtype=float))
    values = rng.random(len(sums), np.float32)
    spread = backward.copy()
    spread_pairs(view.cells, values, spread)
    assert np.array_equal(spread, backward + values[view.cells])
    targets, sources = np.zeros(len(grid.target.numbers)), np.zeros(len(grid.source.numbers))
    add_margins(grid.tokens(grid.target.numbers), forward, backward, targets, sources)
    there, here = [], []
    for (a, b), first in zip(sides, grid.starts[:-1], strict=True):
        cells = slice(first, first + len(a) * len(b))
        there += forward[cells].reshape(len(a), len(b)).sum(axis=0, dtype=float).tolist()
        here += backward[cells].reshape(len(a), len(b)).sum(axis=1, dtype=float).tolist()
    assert targets == pytest.approx(there)
    assert sources == pytest.approx(here)


@given(bitexts, st.integers(0, 10**6))
def test_python_and_c_agree_in_every_bit(sides: Sides, seed: int) -> None:
    grid = grid_of(sides)
    tokens, order = grid.tokens(grid.target.numbers), np.argsort(grid.source.numbers, kind="stable")
    results = []
    for how in (Kernel.__call__, Kernel.python):
        rng = np.random.default_rng(seed)
        cells = np.zeros(grid.firsts[-1], np.int32)
        last_pairs = np.full(2 * len(grid.target.vocabulary), -1, np.int32)
        pairs = how(number_pairs, order, tokens, last_pairs, cells)
        named = np.zeros((2, pairs), np.int32)
        how(name_pairs, tokens, cells, *named)
        forward, backward = rng.random((2, len(cells)), np.float32)
        sums, values = rng.random(pairs), rng.random(pairs, np.float32)
        how(add_cells, cells, forward, sums)
        how(spread_pairs, cells, values, backward)
        targets, sources = np.zeros(len(tokens.target)), np.zeros(len(tokens.source))
        how(add_margins, tokens, forward, backward, targets, sources)
        arrays = (cells, *named, sums, backward, targets, sources)
        results.append([pairs, *(array.tobytes() for array in arrays)])
    assert results[0] == results[1]
    assert results[0][0] == len(set(cells_of(sides)))


@given(st.lists(st.text("abc", min_size=1, max_size=6), min_size=1), st.integers(1, 5))
def test_words_are_seen_by_their_first_or_last_letters(words: list[str], letters: int) -> None:
    made = Words.of([words])
    for numbers, seen in (
        (beginnings(made, letters), [word[:letters] for word in words]),
        (endings(made, letters), [word[-letters:] for word in words]),
    ):
        assert numbers.dtype == np.int32
        known = dict(zip(seen, numbers.tolist(), strict=True))
        assert [known[part] for part in seen] == numbers.tolist()
        assert sorted(known.values()) == list(range(len(known)))


def test_some_passages_are_evenly_spaced_and_stay_side_by_side() -> None:
    grid = grid_of([([f"s{n}"], [f"t{n}", "."]) for n in range(10)])
    some = grid.sample(4)
    assert [text[0] for text in some.source] == ["s0", "s3", "s6", "s9"]
    assert [text[0] for text in some.target] == ["t0", "t3", "t6", "t9"]
    assert grid.sample(10) is grid
    # the numbers of words stay, so that what is seen of some is seen of all
    assert some.target.vocabulary == grid.target.vocabulary
