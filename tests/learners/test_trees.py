"""Boosted trees: as scikit-learn has them, and by hand."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.learners.catalogue import AnyFitted
from tealeaves.learners.trees import BINS, Binned, BoostedTrees, fit_trees


def test_by_hand() -> None:
    """Values 1, 2, 3, 4; targets 0, 0, 6, 10, mean 4: residuals -4, -4, 2, 6.

    A cut after 1 lowers the squares by 16/1 + 16/3 = 21.3; after 2 by 64/2 + 64/2 = 64; after 3
    by 36/3 + 36/1 = 48. So 2.5 is the first, with means -4 and 4. On the right, 3 and 4 are
    parted at 3.5 (2 and 6); on the left no cut gains. With a learning rate of 1/2, leaves are
    -2, 1 and 3 from the start of 4.
    """
    rows = np.array([[1.0], [2.0], [3.0], [4.0]])
    fitted = fit_trees(
        rows,
        np.array([0.0, 0.0, 6.0, 10.0]),
        trees=1,
        depth=2,
        learning_rate=0.5,
        smallest_leaf=1,
        share=1.0,
    )
    assert fitted == BoostedTrees(
        count=1,
        start=4.0,
        features=[[0, -1, 0, -1, -1]],
        thresholds=[[2.5, 0.0, 3.5, 0.0, 0.0]],
        left=[[1, 0, 3, 0, 0]],
        right=[[2, 0, 4, 0, 0]],
        values=[[0.0, -2.0, 0.0, 1.0, 3.0]],
    )
    assert fitted.predict(rows).tolist() == [2.0, 2.0, 5.0, 7.0]


def test_the_second_tree_is_grown_on_what_the_first_left() -> None:
    """After -2 and 2 for the halves -4 and 4, -2 and 2 are left: -1 and 1 more."""
    rows, targets = np.array([[0.0], [1.0]]), np.array([-4.0, 4.0])
    fitted = fit_trees(
        rows, targets, trees=2, depth=1, learning_rate=0.5, smallest_leaf=1, share=1.0
    )
    assert fitted.predict(rows).tolist() == [-3.0, 3.0]


@pytest.mark.parametrize("depth", [1, 3])
def test_it_predicts_as_scikit_learn_does(depth: int) -> None:
    """With a bin for each value. Of other rows, those with bins say the same (they add in single
    precision); those without cut in the middle of the rows of a node, where we cut between bins.
    """
    from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingRegressor

    rng = np.random.default_rng(0)
    rows, others = rng.integers(-60, 60, size=(2, 500, 3)).astype(float)
    targets = 0.1 * rows[:, 0] + np.sin(rows[:, 1] / 10) + rng.normal(size=500)
    same: dict[str, Any] = {"max_depth": depth, "learning_rate": 0.1, "min_samples_leaf": 30}
    exact = GradientBoostingRegressor(n_estimators=25, **same).fit(rows, targets)
    binned = HistGradientBoostingRegressor(
        max_iter=25, early_stopping=False, max_leaf_nodes=None, **same
    ).fit(rows, targets)
    ours = fit_trees(
        rows, targets, trees=25, depth=depth, learning_rate=0.1, smallest_leaf=30, share=1.0
    )
    np.testing.assert_allclose(ours.predict(rows), exact.predict(rows), atol=1e-9)
    np.testing.assert_allclose(ours.predict(others), binned.predict(others), atol=1e-5)


def test_with_bins_it_learns_as_well_as_scikit_learn() -> None:
    from sklearn.ensemble import HistGradientBoostingRegressor

    rng = np.random.default_rng(1)
    rows = rng.normal(size=(3000, 3))
    truth = rows[:, 0] + np.sin(2 * rows[:, 1])
    targets = truth + 0.5 * rng.normal(size=3000)
    theirs = HistGradientBoostingRegressor(
        max_depth=3, max_iter=80, learning_rate=0.1, early_stopping=False
    ).fit(rows[:2000], targets[:2000])
    ours = fit_trees(rows[:2000], targets[:2000], trees=80, learning_rate=0.1)
    error, error_theirs = (
        np.mean((fitted.predict(rows[2000:]) - truth[2000:]) ** 2) for fitted in (ours, theirs)
    )
    assert error < 1.2 * error_theirs < 0.1


@given(
    st.lists(
        st.tuples(*[st.floats(-1e6, 1e6, width=32)] * 2, st.integers(-9, 9)),
        min_size=2,
        max_size=30,
    ),
    st.integers(1, 4),
)
@settings(max_examples=40, deadline=None)
def test_leaves_are_large_enough_and_rows_stay_between_the_targets(
    given_rows: list[tuple[float, float, int]], smallest: int
) -> None:
    """A single tree with rate 1 says the mean of each leaf, whatever the rows are."""
    rows = np.array([row[:2] for row in given_rows])
    targets = np.array([row[2] for row in given_rows], dtype=float)
    fitted = fit_trees(
        rows, targets, trees=1, depth=3, learning_rate=1.0, smallest_leaf=smallest, share=1.0
    )
    said = fitted.predict(rows)
    for value in np.unique(said.round(9)):
        leaf = np.abs(said - value) < 1e-8
        assert leaf.sum() >= min(smallest, len(rows))
        np.testing.assert_allclose(targets[leaf].mean(), value, atol=1e-7)


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=400), st.floats(0, 1))
@settings(max_examples=30, deadline=None)
def test_bins_and_thresholds_agree(values: list[float], place: float) -> None:
    """A value is in a bin up to k exactly where it is at most the edge of k, as in prediction."""
    column = np.array(values * 2)
    binned = Binned.of(column[:, None])
    edges = binned.edges[0]
    assert len(edges) < BINS
    if len(edges):
        k = int(place * (len(edges) - 1))
        np.testing.assert_array_equal(binned.bins <= k, column <= edges[k])


def test_the_share_is_drawn_by_the_seed() -> None:
    rng = np.random.default_rng(2)
    rows, targets = rng.normal(size=(100, 2)), rng.normal(size=100)
    first, same, other = (fit_trees(rows, targets, trees=5, seed=seed) for seed in (0, 0, 1))
    assert first == same != other


def test_json_gives_the_same_bits_back() -> None:
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(200, 3))
    fitted = fit_trees(rows, rng.normal(size=200), trees=20)
    again: Any = msgspec.json.decode(msgspec.json.encode(fitted), type=AnyFitted)
    assert again == fitted
    assert again.predict(rows).tobytes() == fitted.predict(rows).tobytes()


def test_equal_targets_and_constant_features_make_no_split() -> None:
    for size in range(42, 52):
        targets = np.full(size, 0.1)
        assert targets.mean() != 0.1  # what is left is a bit, the same everywhere
        rows = np.random.default_rng(size).normal(size=(size, 2))
        fitted = fit_trees(rows, targets, trees=3, smallest_leaf=5)
        assert fitted.features == [[-1], [-1], [-1]]
    only = fit_trees(np.ones((50, 1)), np.arange(50.0), trees=2)
    assert only.features == [[-1], [-1]]


GOOD: dict[str, Any] = {
    "count": 1,
    "start": 0.0,
    "features": [[0, -1, -1]],
    "thresholds": [[0.5, 0.0, 0.0]],
    "left": [[1, 0, 0]],
    "right": [[2, 0, 0]],
    "values": [[0.0, -1.0, 1.0]],
}


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ({"count": 0}, "count: 0 features"),
        ({"start": float("nan")}, "start: number 1 is nan"),
        ({"features": [[1, -1, -1]]}, "features of tree 1: not all are below 1"),
        ({"features": [[-2, -1, -1]]}, "features of tree 1"),
        ({"features": [[]]}, "of tree 1: 3 numbers, not 0"),
        ({"thresholds": [[0.5, 0.0]]}, "thresholds of tree 1: 2 numbers, not 3"),
        ({"thresholds": []}, "thresholds: 0 trees, not 1"),
        ({"values": [[0.0, float("inf"), 0.0]]}, "values of tree 1: number 2 is inf"),
        ({"left": [[0, 0, 0]]}, "left of tree 1: a node has no such child"),
        ({"right": [[3, 0, 0]]}, "right of tree 1: a node has no such child"),
    ],
)
def test_damaged_trees_are_refused(damage: dict[str, Any], message: str) -> None:
    BoostedTrees(**GOOD)
    with pytest.raises(InputError, match=message):
        BoostedTrees(**(GOOD | damage))


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("trees", 0, "at least 1"),
        ("depth", 0, "at least 1"),
        ("smallest_leaf", 0, "at least 1"),
        ("share", 0.0, "above 0, and at most 1"),
        ("learning_rate", 1.5, "above 0, and at most 1"),
    ],
)
def test_settings_are_checked(name: str, value: Any, allowed: str) -> None:
    with pytest.raises(InputError, match=f"^{name} must be {allowed}, not {value}$"):
        fit_trees(np.eye(3), np.arange(3.0), **{name: value})
