"""Weights of bootstrap and jackknife samples, and permutations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.statistics.resampling import (
    cluster_weights,
    half_weights,
    jackknife_weights,
    memory_slices,
    permutations,
)

CLUSTERS = st.lists(st.integers(-3, 4), min_size=1, max_size=12).map(np.array)


@given(CLUSTERS, st.integers(0, 5))
def test_whole_clusters_are_drawn_as_many_as_there_are(clusters: np.ndarray, seed: int) -> None:
    weights = cluster_weights(clusters, draws=7, seed=seed)
    assert weights.shape == (7, len(clusters))
    names, first = np.unique(clusters, return_index=True)
    assert (weights[:, first].sum(axis=1) == len(names)).all()
    for name in names:
        within = weights[:, clusters == name]
        assert (within == within[:, :1]).all()


def test_a_seed_is_a_sample_and_another_seed_another() -> None:
    clusters = np.arange(30)
    one, same, other = (cluster_weights(clusters, 5, seed) for seed in (1, 1, 2))
    assert (one == same).all()
    assert (one != other).any()


def test_each_cluster_is_drawn_once_on_average_with_the_multinomial_variance() -> None:
    clusters = np.repeat(np.arange(10), 2)
    weights = cluster_weights(clusters, draws=20_000, seed=0)
    # Multinomial(10, 1/10): mean 1 and variance 10 * .1 * .9 = .9; the error of a mean is .0067
    assert np.abs(weights.mean(axis=0) - 1).max() < 0.03
    assert np.abs(weights.var(axis=0) - 0.9).max() < 0.06


@given(CLUSTERS)
def test_the_jackknife_leaves_each_cluster_out_once(clusters: np.ndarray) -> None:
    weights = jackknife_weights(clusters)
    names = np.unique(clusters)
    assert weights.shape == (len(names), len(clusters))
    for name, row in zip(names, weights, strict=True):
        assert (row == (clusters != name)).all()


def test_no_observations_are_no_error() -> None:
    nothing = np.array([], dtype=np.int64)
    assert cluster_weights(nothing, 3, 0).shape == (3, 0)
    assert jackknife_weights(nothing).shape == (0, 0)


def test_permutations_do_not_depend_on_how_many_are_made_at_once() -> None:
    n, draws = 8000, 600  # too many for one time
    found = list(permutations(n, draws, seed=4))
    whole = np.random.default_rng(4).permuted(np.tile(np.arange(n), (draws, 1)), axis=1)
    assert len(found) > 1
    assert (np.concatenate(found) == whole).all()


def test_every_permutation_is_equally_frequent() -> None:
    orders = np.concatenate(list(permutations(3, 60_000, seed=0)))
    _, counts = np.unique(orders @ [9, 3, 1], return_counts=True)
    # six orders of 10,000 each; the standard error is 91
    assert len(counts) == 6
    assert np.abs(counts - 10_000).max() < 400


@given(st.integers(0, 50), st.integers(1, 9), st.integers(1, 40))
def test_pieces_are_the_whole_in_order_and_within_the_budget(
    total: int, size: int, budget: int
) -> None:
    found = list(memory_slices(total, size, budget))
    assert [i for piece in found for i in range(total)[piece]] == list(range(total))
    assert all((piece.stop - piece.start) * size <= max(size, budget) for piece in found)


def test_halves_hold_whole_clusters_without_copies() -> None:
    clusters = np.repeat(np.arange(9), 3)
    found = half_weights(clusters, draws=200, seed=0)
    assert set(np.unique(found)) == {0.0, 1.0}
    assert (found.sum(axis=1) == 4 * 3).all()
    assert (found[:, ::3] == found[:, 1::3]).all()
    # each cluster is in four of nine halves
    assert found.mean(axis=0) == pytest.approx(np.full(27, 4 / 9), abs=0.12)


def test_halves_vary_about_the_whole_as_the_whole_about_the_truth() -> None:
    """The variance of the mean of halves is that of the mean itself."""
    values = np.random.default_rng(1).normal(size=400)
    halves = half_weights(np.arange(400), draws=4000, seed=2)
    means = halves @ values / 200
    assert means.std() == pytest.approx(values.std(ddof=1) / np.sqrt(400), rel=0.05)
