"""Multidimensional scaling, against configurations that are known and other implementations."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.lexicon.maps.distances import Distances
from tealeaves.lexicon.maps.mds import classical_mds, filled, smacof, stress

Points = Any


def between(points: Points) -> Any:
    return np.linalg.norm(points[:, None] - points[None], axis=2)


def known(values: Any, support: Any = None) -> Distances:
    size = len(values)
    return Distances(
        np.array(values, float), np.ones((size, size), np.int64) if support is None else support
    )


def plane(seed: int, size: int = 12) -> Points:
    return np.random.default_rng(seed).normal(size=(size, 2)) * [3, 1]


@pytest.mark.parametrize("scaling", [classical_mds, smacof])
def test_a_plane_is_found_again(scaling: Any) -> None:
    points = plane(1)
    layout = scaling(known(between(points)))
    np.testing.assert_allclose(between(layout.points), between(points), atol=1e-6)
    assert layout.stress == pytest.approx(0, abs=1e-6)
    assert sum(layout.explained) == pytest.approx(1)


def test_explained_is_the_share_of_the_variance() -> None:
    # a rectangle of 2 by 1: squares 4 and 1
    corners = np.array([[0, 0], [2, 0], [0, 1], [2, 1]], float)
    assert classical_mds(known(between(corners))).explained == pytest.approx((0.8, 0.2))


def test_as_the_eigenvectors_of_the_centred_squares() -> None:
    values = np.random.default_rng(5).random((9, 9))
    values = (values + values.T) / 2
    np.fill_diagonal(values, 0)
    centring = np.eye(9) - 1 / 9
    eigenvalues, vectors = np.linalg.eig(-centring @ values**2 @ centring / 2)
    best = np.argsort(-eigenvalues.real)[:2]
    wanted = vectors.real[:, best] * np.sqrt(eigenvalues.real[best])
    layout = classical_mds(known(values))
    np.testing.assert_allclose(np.abs(layout.points), np.abs(wanted), atol=1e-8)
    positive = eigenvalues.real[eigenvalues.real > 1e-9]
    assert layout.explained == pytest.approx(tuple(eigenvalues.real[best] / positive.sum()))


def test_stress_by_hand() -> None:
    # distances 1, 1, 1 shown as 1, 2, 1 on a line: √(1² / 3)
    triangle = known(1 - np.eye(3))
    line = np.array([[0.0], [1.0], [2.0]])
    assert stress(triangle, line) == pytest.approx(math.sqrt(1 / 3))
    # the pair that is shown wrongly weighs 4 of 6
    support = np.array([[9, 1, 4], [1, 9, 1], [4, 1, 9]])
    assert stress(known(1 - np.eye(3), support), line) == pytest.approx(math.sqrt(4 / 6))
    # and nothing where no language has both
    support[0, 2] = support[2, 0] = 0
    values = 1 - np.eye(3)
    values[0, 2] = values[2, 0] = np.nan
    assert stress(Distances(values, support), line) == 0


@pytest.mark.parametrize("seed", range(3))
def test_not_worse_than_sklearn(seed: int) -> None:
    manifold = pytest.importorskip("sklearn.manifold")
    values = between(np.random.default_rng(seed).random((25, 6)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # how arguments will be called one day
        found = manifold.smacof(values, n_components=2, n_init=4, random_state=seed, eps=1e-6)[0]
    ours = smacof(known(values))
    assert ours.stress <= 1.03 * stress(known(values), found)
    assert ours.stress < classical_mds(known(values)).stress


def test_unknown_distances_do_not_pull() -> None:
    points = plane(3, 10)
    values, support = between(points), np.full((10, 10), 3)
    values[0, 1] = values[1, 0] = np.nan
    support[0, 1] = support[1, 0] = 0
    layout = smacof(Distances(values, support), steps=2000)
    assert layout.stress < 0.01
    assert filled(values)[0, 1] == pytest.approx(
        (np.nanmean(values[0, 2:]) + np.nanmean(values[1, 2:])) / 2
    )


@pytest.mark.parametrize("scaling", [classical_mds, smacof])
@pytest.mark.parametrize("size", [0, 1, 2])
def test_few_tokens(scaling: Any, size: int) -> None:
    layout = scaling(known(1 - np.eye(size)))
    assert layout.points.shape == (size, 2)
    if size == 2:
        assert between(layout.points)[0, 1] == pytest.approx(1)
        assert layout.stress == pytest.approx(0)
    else:
        assert math.isnan(layout.stress)


@pytest.mark.parametrize("scaling", [classical_mds, smacof])
def test_tokens_that_are_all_alike_lie_at_one_point(scaling: Any) -> None:
    layout = scaling(known(np.zeros((4, 4))))
    assert not layout.points.any()
    assert math.isnan(layout.stress)
    assert all(map(math.isnan, layout.explained))


@given(st.integers(0, 1000), st.integers(3, 8))
def test_scaling_does_not_depend_on_the_order_of_tokens(seed: int, size: int) -> None:
    draw = np.random.default_rng(seed)
    values = between(draw.random((size, 5)))
    order = draw.permutation(size)
    one, other = (classical_mds(known(v)) for v in (values, values[np.ix_(order, order)]))
    np.testing.assert_allclose(
        between(one.points)[np.ix_(order, order)], between(other.points), atol=1e-6
    )
    assert one.stress >= 0
    # least stress is not more than what it began with
    least = smacof(known(values))
    assert least.stress <= one.stress + 1e-9
    assert least.points.mean(0) == pytest.approx([0, 0], abs=1e-9)
