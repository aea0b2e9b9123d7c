"""Compact letter display."""

from __future__ import annotations

import math
import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tealeaves.errors import InputError
from tealeaves.statistics.letters import compact_letters


def matrix(size: int, pairs: list[tuple[int, int]]) -> NDArray[np.bool_]:
    different = np.zeros((size, size), dtype=bool)
    for i, j in pairs:
        different[i, j] = different[j, i] = True
    return different


def members(found: list[str]) -> dict[str, set[int]]:
    """Which models have each letter."""
    groups: dict[str, set[int]] = {}
    for model, text in enumerate(found):
        for letter in re.findall(r"[a-zA-Z]|\(\d+\)", text):
            groups.setdefault(letter, set()).add(model)
    return groups


def test_a_published_example() -> None:
    # Gramm and others (2007), Fig. 2: 1-5, 2-3, 2-5 and 3-5 differ; so 1, 2, 4 do not differ,
    # nor do 1, 3, 4, nor 4, 5, and there is no larger group
    different = matrix(5, [(0, 4), (1, 2), (1, 4), (2, 4)])
    assert compact_letters([5, 4, 3, 2, 1], different) == ["ab", "a", "b", "abc", "c"]


def test_a_letter_that_others_say_already_is_left_out() -> None:
    # 0, 1 and 2 are alike, but 0, 1, 3 are too, and 1, 2, 4, and 0, 2, 5: no need of a fourth
    alike = {(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (1, 4), (2, 4), (0, 5), (2, 5)}
    far = matrix(6, [pair for pair in combinations(range(6), 2) if pair not in alike])
    assert compact_letters([6, 5, 4, 3, 2, 1], far) == ["ab", "ac", "bc", "a", "c", "b"]


def test_all_alike_and_all_different() -> None:
    assert compact_letters([1, 3, 2], matrix(3, [])) == ["a", "a", "a"]
    assert compact_letters([1, 3, 2], matrix(3, [(0, 1), (0, 2), (1, 2)])) == ["c", "a", "b"]
    assert compact_letters([], matrix(0, [])) == []


@st.composite
def displays(draw: st.DrawFn) -> tuple[list[float], NDArray[np.bool_]]:
    size = draw(st.integers(1, 9))
    pairs = draw(st.sets(st.sampled_from(list(combinations(range(size), 2)) or [(0, 0)])))
    values = draw(st.lists(st.integers(0, 4).map(float), min_size=size, max_size=size))
    return values, matrix(size, [pair for pair in pairs if pair[0] != pair[1]])


@given(displays())
def test_two_share_a_letter_if_and_only_if_they_do_not_differ(
    display: tuple[list[float], NDArray[np.bool_]],
) -> None:
    values, different = display
    found = compact_letters(values, different)
    assert all(found)
    for i, j in combinations(range(len(values)), 2):
        assert bool(set(found[i]) & set(found[j])) != bool(different[i, j])


@given(displays())
def test_no_letter_lies_in_another(display: tuple[list[float], NDArray[np.bool_]]) -> None:
    groups = list(members(compact_letters(*display)).values())
    for one, other in combinations(groups, 2):
        assert not one <= other
        assert not other <= one


@given(displays())
def test_the_best_has_a_and_letters_are_in_order(
    display: tuple[list[float], NDArray[np.bool_]],
) -> None:
    values, different = display
    found = compact_letters(values, different)
    assert found[int(np.argmax(values))].startswith("a")
    assert all(list(text) == sorted(text) for text in found)
    used = sorted(set("".join(found)))
    assert used == list("abcdefghijklmnopqrstuvwxyz"[: len(used)])


@given(displays(), st.integers(0, 9))
def test_a_model_without_a_value_has_no_letter_and_does_not_matter(
    display: tuple[list[float], NDArray[np.bool_]], place: int
) -> None:
    values, different = display
    place = min(place, len(values))
    more = np.insert(np.insert(different, place, False, axis=0), place, False, axis=1)
    expected = compact_letters(values, different)
    expected.insert(place, "")
    assert compact_letters([*values[:place], math.nan, *values[place:]], more) == expected


def test_many_letters_stay_apart() -> None:
    size = 60
    all_pairs = list(combinations(range(size), 2))
    found = compact_letters(np.arange(size, 0, -1.0), matrix(size, all_pairs))
    assert (found[0], found[25], found[26], found[51]) == ("a", "z", "A", "Z")
    assert (found[52], found[59]) == ("(53)", "(60)")
    assert len(set(found)) == size
    # each like its neighbours alone: two letters each, and the last two have a number
    far = matrix(size, [(i, j) for i, j in all_pairs if j - i > 1])
    found = compact_letters(np.arange(size, 0, -1.0), far)
    assert found[:3] == ["a", "ab", "bc"]
    assert found[-2:] == ["(58)(59)", "(59)"]
    assert sorted(map(sorted, members(found).values())) == [[i, i + 1] for i in range(size - 1)]


def test_a_wrong_matrix_is_an_error() -> None:
    with pytest.raises(InputError, match="2 × 2"):
        compact_letters([1, 2], matrix(3, []))
    with pytest.raises(InputError, match="symmetric"):
        compact_letters([1, 2], np.array([[False, True], [False, False]]))
    with pytest.raises(InputError, match="itself"):
        compact_letters([1, 2], np.eye(2, dtype=bool))
