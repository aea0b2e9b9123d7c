"""Contributions: the axioms that only Shapley's values have, and cases by hand."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.learners.catalogue import LEARNERS
from tealeaves.learners.shapley import contributions, shapley_values

worths = st.integers(1, 4).flatmap(
    lambda players: st.lists(st.floats(-10, 10), min_size=2**players, max_size=2**players).map(
        np.array
    )
)


def by_orders(worth: Floats) -> Floats:
    """Shapley's own definition: what a player adds on joining, over all orders."""
    players = len(worth).bit_length() - 1
    orders = list(permutations(range(players)))
    values = np.zeros(players)
    for order in orders:
        inside = 0
        for player in order:
            values[player] += worth[inside | 1 << player] - worth[inside]
            inside |= 1 << player
    return values / len(orders)


@given(worths)
def test_values_are_means_over_all_orders(worth: Floats) -> None:
    np.testing.assert_allclose(shapley_values(worth), by_orders(worth), atol=1e-9)
    np.testing.assert_allclose(shapley_values(worth).sum(), worth[-1] - worth[0], atol=1e-9)


def test_the_glove_game() -> None:
    """One has a left glove, two a right one; a pair is worth 1: 2/3, 1/6, 1/6."""
    worth = np.array([0, 0, 0, 1, 0, 1, 0, 1], dtype=float)
    np.testing.assert_allclose(shapley_values(worth), [2 / 3, 1 / 6, 1 / 6])


def test_a_linear_model_has_its_slopes() -> None:
    """Of 3a - 2b at (5, 7) from (1, 1): 3 * 4 and -2 * 6."""

    def line(rows: Floats) -> Floats:
        return 3 * rows[:, 0] - 2 * rows[:, 1]

    np.testing.assert_allclose(
        contributions(line, np.array([[5.0, 7.0]]), np.array([[1.0, 1.0]])), [[12.0, -12.0]]
    )


def crooked(rows: Floats) -> Floats:
    """Symmetric in the first two features; the fourth is never looked at."""
    return rows[:, 0] * rows[:, 1] + np.sin(rows[:, 0] + rows[:, 1]) * rows[:, 2]


@given(st.lists(st.floats(-5, 5), min_size=4, max_size=4))
@settings(max_examples=30)
def test_axioms(values: list[float]) -> None:
    row, base = np.array([values]), np.array([0.5, 0.5, -1.0, 2.0])
    found = contributions(crooked, row, base)[0]
    whole = crooked(row)[0] - crooked(base[None])[0]
    np.testing.assert_allclose(found.sum(), whole, atol=1e-9)  # efficiency
    assert found[3] == 0  # dummy
    swapped = contributions(crooked, row[:, [1, 0, 2, 3]], base)[0]
    np.testing.assert_allclose(swapped, found[[1, 0, 2, 3]], atol=1e-9)  # symmetry

    def other(rows: Floats) -> Floats:
        return np.abs(rows[:, 3]) * rows[:, 0]

    both = contributions(lambda rows: crooked(rows) + 2 * other(rows), row, base)
    apart = contributions(crooked, row, base) + 2 * contributions(other, row, base)
    np.testing.assert_allclose(both, apart, atol=1e-9)  # additivity


def test_a_feature_as_in_the_background_contributes_nothing() -> None:
    base = np.array([0.5, 0.5, -1.0, 2.0])
    found = contributions(crooked, np.array([[0.5, 3.0, 1.0, 0.0]]), base)[0]
    assert found[0] == 0
    assert found[1] != 0


def test_groups_join_together() -> None:
    """For a b + c at (2, 3, 5) from 0: the group of a and b is worth 6, c 5; a alone nothing."""

    def product(rows: Floats) -> Floats:
        return rows[:, 0] * rows[:, 1] + rows[:, 2]

    row = np.array([[2.0, 3.0, 5.0]])
    assert contributions(product, row, np.zeros(3), [[0, 1], [2]]).tolist() == [[6.0, 5.0]]
    assert contributions(product, row, np.zeros(3), [[0]]).tolist() == [[0.0]]


@pytest.mark.parametrize("name", LEARNERS)
def test_contributions_of_learners_sum_to_their_predictions(name: str) -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(80, 5))
    fitted = LEARNERS[name].fit(rows, rows[:, 0] * rows[:, 1] + rng.normal(size=80))
    base = rows.mean(axis=0, keepdims=True)
    found = contributions(fitted.predict, rows[:4], base)
    wanted = fitted.predict(rows[:4]) - fitted.predict(base)
    np.testing.assert_allclose(found.sum(axis=1), wanted, atol=1e-12)
    assert np.abs(found).max() > 0.01


def test_a_row_without_a_prediction_has_no_contributions() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(40, 2))
    fitted = LEARNERS["adaboost"].fit(rows, rows[:, 0] + rng.normal(size=40))
    found = contributions(fitted.predict, np.array([[np.nan, 1.0], [1.0, 1.0]]), np.zeros(2))
    assert np.isnan(found[0]).all()
    assert np.isfinite(found[1]).all()


@pytest.mark.parametrize(
    ("rows", "base", "groups", "message"),
    [
        (np.ones((1, 2)), np.zeros(3), None, "one column for each feature"),
        (np.ones((1, 2)), np.array([0.0, np.nan]), None, "background of feature 2"),
        (np.ones((1, 17)), np.zeros(17), None, "17 features to tell apart"),
        (np.ones((1, 2)), np.zeros(2), [[0], [0, 1]], "in one group"),
        (np.ones((1, 2)), np.zeros(2), [[2]], "in one group"),
    ],
)
def test_wrong_calls_are_refused(rows: Any, base: Any, groups: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        contributions(crooked, rows, base, groups)
