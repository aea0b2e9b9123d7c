"""Distances between tokens, and between languages."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.lexicon.maps import distances as module
from tealeaves.lexicon.maps.distances import language_distances, token_distances

Series = list[frozenset[str] | None]


def f(*expressions: str) -> frozenset[str]:
    return frozenset(expressions)


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other)


def plainly(languages: list[Series], i: int, j: int) -> tuple[float, int]:
    """Return the distance of two tokens, and its support, by loops."""
    found = [1 - jaccard(a, b) for one in languages if (a := one[i]) and (b := one[j])]
    return (sum(found) / len(found) if found else math.nan), len(found)


def tables(least: int = 1) -> st.SearchStrategy[list[Series]]:
    cell = st.one_of(st.none(), st.frozensets(st.sampled_from("abc"), max_size=2))
    return st.integers(0, 6).flatmap(
        lambda size: st.lists(
            st.lists(cell, min_size=size, max_size=size), min_size=least, max_size=4
        )
    )


def test_by_hand() -> None:
    english: Series = [f("hand"), f("hand", "arm"), f("arm")]
    russian: Series = [f("ruka"), f("ruka"), f("ruka")]
    zero: Series = [f("x"), f(), None]
    found = token_distances([english, russian, zero])
    # 0-1: (1 - 1/2 + 0) / 2; 0-2: (1 + 0) / 2; 1-2: (1/2 + 0) / 2
    assert found.values.tolist() == [[0, 0.25, 0.5], [0.25, 0, 0.25], [0.5, 0.25, 0]]
    assert found.support.tolist() == [[3, 2, 2], [2, 2, 2], [2, 2, 2]]


def test_tokens_that_share_no_language_have_no_distance() -> None:
    found = token_distances([[f("a"), None, f()], [f(), f("b"), f()]])
    assert math.isnan(found.values[0, 1])
    assert found.support[0, 1] == 0
    assert found.placed.tolist() == [0, 1]
    assert found.among(found.placed).support.tolist() == [[1, 0], [0, 1]]


@given(tables())
def test_as_by_loops(languages: list[Series]) -> None:
    found = token_distances(languages)
    size = len(languages[0])
    for i in range(size):
        for j in range(size):
            value, support = plainly(languages, i, j)
            assert found.support[i, j] == support
            assert found.values[i, j] == pytest.approx(value, nan_ok=True)


@given(tables())
def test_neither_names_nor_the_order_of_languages_matter(languages: list[Series]) -> None:
    renamed = [
        [None if one is None else frozenset(f"{number}{name}" for name in one) for one in series]
        for number, series in enumerate(languages)
    ][::-1]
    before, after = token_distances(languages), token_distances(renamed)
    np.testing.assert_allclose(before.values, after.values, atol=1e-12)
    assert (before.support == after.support).all()


@given(tables(), st.integers(1, 40))
def test_languages_as_by_loops_whatever_the_blocks(languages: list[Series], cells: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CELLS", cells)
        found = language_distances(languages)
    for i, one in enumerate(languages):
        for j, other in enumerate(languages):
            pairs = [
                abs(jaccard(one[a], one[b]) - jaccard(other[a], other[b]))  # type: ignore[arg-type]
                for a in range(len(one))
                for b in range(a)
                if all((one[a], one[b], other[a], other[b]))
            ]
            wanted = sum(pairs) / len(pairs) if pairs else math.nan
            assert found[i, j] == pytest.approx(0.0 if i == j else wanted, nan_ok=True)


def test_no_languages() -> None:
    assert token_distances([]).values.shape == (0, 0)
    assert language_distances([]).shape == (0, 0)


def test_languages_that_share_no_pair_are_at_no_distance_whatever_rounding_leaves() -> None:
    one: Series = [frozenset({"b"}), frozenset({"b"}), None]
    other: Series = [frozenset({"a", "b"}), None, frozenset({"a", "c"})]
    assert np.isnan(language_distances([one, other])[0, 1])
