"""Clusters of texts against hand-made groups."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.cluster
import sklearn.decomposition

from tealeaves.errors import InputError
from tealeaves.evidence.attention.training.examples import cluster_texts

GROUPS = (
    ("cat", "dog", "pet", "fur", "paw", "tail"),
    ("car", "road", "wheel", "motor", "speed", "tyre"),
    ("rain", "sun", "wind", "cloud", "storm", "snow"),
)


def _texts(number: int = 20, seed: int = 0) -> tuple[list[list[str]], list[int]]:
    random = np.random.default_rng(seed)
    groups = [row % 3 for row in range(3 * number)]
    return [["the", *random.choice(GROUPS[group], 5).tolist()] for group in groups], groups


def test_clusters_find_groups_that_share_no_typical_word() -> None:
    texts, groups = _texts()
    names = cluster_texts(texts, 3, seed=1)
    assert len(set(zip(names, groups, strict=True))) == len(set(names)) == 3
    for name, group in zip(names, groups, strict=True):
        assert set(name.split()) <= set(GROUPS[group])  # "the" is typical of none
        assert len(name.split()) == 3


def test_clusters_are_those_of_the_definition() -> None:
    """K-means, on a truncated SVD of TF-IDF that is written down here with numpy."""
    texts, _ = _texts(seed=4)
    words = sorted({word for text in texts for word in text})
    counts = np.array([[text.count(word) for word in words] for text in texts], dtype=float)
    inverse = np.log((1 + len(texts)) / (1 + (counts > 0).sum(axis=0))) + 1
    weights = counts * inverse
    weights /= np.linalg.norm(weights, axis=1, keepdims=True)
    left, strength, _ = np.linalg.svd(weights, full_matrices=False)
    found = sklearn.cluster.KMeans(4, n_init=10, random_state=3).fit_predict(left * strength)
    names = cluster_texts(texts, 4, seed=3)
    assert len(set(zip(names, found.tolist(), strict=True))) == len(set(names)) == 4


def test_a_name_is_made_of_the_words_that_are_most_above_the_mean() -> None:
    """In the cluster of x, x is above the mean of all texts, z as it is there, and y below."""
    texts = [["x"], ["x"], ["x", "z"], ["y"], ["y"], ["y", "z"]]
    assert cluster_texts(texts, 2) == ["x z y"] * 3 + ["y z x"] * 3


def test_the_seed_decides() -> None:
    texts, _ = _texts(seed=2)
    assert cluster_texts(texts, 5, seed=1) == cluster_texts(texts, 5, seed=1)


def test_equal_names_are_told_apart() -> None:
    texts = [["a", "b"], ["a", "b"], ["a"] * 9 + ["b"], ["a"] * 9 + ["b"]]
    names = cluster_texts(texts, 2)
    assert len(set(names)) == 2
    assert names[0] == names[1] != names[2] == names[3]


def test_equal_texts_make_fewer_clusters() -> None:
    assert set(cluster_texts([["a"]] * 5 + [["b"]] * 5, 4)) == {"a b", "b a"}


@pytest.mark.parametrize(
    ("texts", "clusters", "message"),
    [
        ([["a"]] * 3, 4, "3 texts for 4 clusters: give more texts, or fewer clusters"),
        ([["a"]] * 3, 1, "clusters must be at least 2, not 1"),
    ],
)
def test_too_few_texts_or_clusters(texts: list[list[str]], clusters: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        cluster_texts(texts, clusters)
