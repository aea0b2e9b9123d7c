"""Groups around medoids, silhouettes, and an order that shows them."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.lexicon.maps.groups import find_medoids, group_tokens, seriate_groups, silhouettes
from tealeaves.statistics.seriation import seriation_order


def line(*places: float) -> Any:
    return np.abs(np.subtract.outer(places, places)).astype(float)


def cost(distances: Any, medoids: Any) -> float:
    return float(distances[:, list(medoids)].min(1).sum())


@given(st.integers(0, 500), st.integers(4, 9), st.integers(1, 3))
def test_no_swap_makes_medoids_better(seed: int, size: int, number: int) -> None:
    points = np.random.default_rng(seed).random((size, 2))
    distances = np.linalg.norm(points[:, None] - points, axis=2)
    found = find_medoids(distances, number)
    assert len(set(found.tolist())) == number
    swaps = [
        cost(distances, [*kept, other])
        for kept in combinations(found.tolist(), number - 1)
        for other in range(size)
    ]
    assert cost(distances, found) <= min(swaps) + 1e-9


def test_far_clusters_have_the_best_medoids_of_all() -> None:
    distances = line(0, 1, 2, 50, 51, 52, 99, 100)
    best = min(combinations(range(8), 3), key=lambda some: cost(distances, some))
    assert cost(distances, find_medoids(distances, 3)) == cost(distances, best)
    groups = group_tokens(distances)
    assert groups.members.tolist() == [0, 0, 0, 1, 1, 1, 2, 2]
    assert groups.sizes.tolist() == [3, 3, 2]


@given(st.integers(0, 500), st.integers(5, 12))
def test_silhouettes_are_those_of_sklearn(seed: int, size: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    draw = np.random.default_rng(seed)
    points = draw.random((size, 3))
    distances = np.linalg.norm(points[:, None] - points, axis=2)
    members = np.concatenate([[0, 1, 2], draw.integers(0, 3, size - 3)])
    wanted = metrics.silhouette_samples(distances, members, metric="precomputed")
    np.testing.assert_allclose(silhouettes(distances, members), wanted, atol=1e-12)


def test_the_largest_group_is_the_first() -> None:
    groups = group_tokens(line(100, 0, 1, 2, 101))
    assert groups.members.tolist() == [1, 0, 0, 0, 1]
    assert groups.medoids.tolist() == [2, 0]


@pytest.mark.parametrize("size", [0, 1, 2, 5])
def test_what_is_all_alike_is_one_group(size: int) -> None:
    groups = group_tokens(np.zeros((size, size)))
    assert len(groups) == min(size, 1)
    assert groups.members.tolist() == [0] * size
    assert math.isnan(groups.silhouette)


def test_what_is_all_different_is_one_group() -> None:
    # each token as far from every other: no division is better than none
    assert len(group_tokens(1 - np.eye(6))) == 1


def test_as_many_groups_as_are_asked_for() -> None:
    assert len(group_tokens(line(0, 1, 2, 3, 4, 5), 4)) == 4
    # but not more than there are places
    groups = group_tokens(line(0, 0, 0, 7, 7), 4)
    assert groups.members.tolist() == [0, 0, 0, 1, 1]


def test_a_line_is_seriated() -> None:
    places = np.array([3.0, 9.0, 1.0, 20.0, 4.0])
    order = places[seriation_order(line(*places))].tolist()
    assert order in (sorted(places), sorted(places, reverse=True))


@given(st.integers(0, 300), st.integers(0, 12), st.integers(1, 4))
def test_each_group_stands_together(seed: int, size: int, number: int) -> None:
    points = np.random.default_rng(seed).random((size, 2))
    distances = np.linalg.norm(points[:, None] - points, axis=2)
    groups = group_tokens(distances, number)
    order = seriate_groups(distances, groups)
    assert sorted(order.tolist()) == list(range(size))
    members = groups.members[order]
    changes = int((np.diff(members) != 0).sum())
    assert changes == max(0, len(groups) - 1)


def test_groups_follow_each_other_where_they_are_near() -> None:
    places = np.array([0.0, 30.0, 10.0, 31.0, 11.0, 1.0, 12.0])
    distances = line(*places)
    assert places[seriate_groups(distances, group_tokens(distances, 3))].tolist() in (
        [0.0, 1.0, 10.0, 11.0, 12.0, 30.0, 31.0],
        [31.0, 30.0, 12.0, 11.0, 10.0, 1.0, 0.0],
    )


def test_groups_that_nothing_belongs_to_are_none() -> None:
    # b is expressed as a is and as c is, in different languages: all lie at the first two medoids
    distances = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    found = group_tokens(distances, 3)
    assert len(found) == 2
    assert found.sizes.tolist() == [2, 1]
    assert sorted(seriate_groups(distances, found).tolist()) == [0, 1, 2]
