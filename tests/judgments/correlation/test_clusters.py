"""Clusters of near-identical topics."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.judgments.correlation import clusters
from tealeaves.judgments.correlation.clusters import clusters_of

WORDS = st.lists(st.sampled_from("abcdefgh"), max_size=6)


def plainly(words: Sequence[Sequence[str]], threshold: float) -> list[int]:
    """Each topic takes over the cluster of every earlier one that is near."""
    sets = [frozenset(row) for row in words]
    cluster = list(range(len(sets)))
    for j, second in enumerate(sets):
        for i, first in enumerate(sets[:j]):
            union = len(first | second)
            if union and len(first & second) / union >= threshold and cluster[i] != cluster[j]:
                old, new = cluster[j], cluster[i]
                cluster = [new if number == old else number for number in cluster]
    names = {number: place for place, number in enumerate(dict.fromkeys(cluster))}
    return [names[number] for number in cluster]


@given(st.lists(WORDS, max_size=20), st.sampled_from([0.1, 0.3, 1 / 3, 0.5, 0.6, 2 / 3, 1.0]))
def test_clusters_are_those_of_all_pairs(words: list[list[str]], threshold: float) -> None:
    assert clusters_of(words, threshold).tolist() == plainly(words, threshold)


@given(st.lists(WORDS, max_size=20), st.integers(1, 4))
def test_blocks_do_not_show(words: list[list[str]], block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clusters, "_BLOCK", block)
        assert clusters_of(words).tolist() == plainly(words, 0.5)


def test_the_threshold_itself_is_near() -> None:
    # two of four words in common is .5, and two of five is not
    assert clusters_of([["a", "b", "c"], ["a", "b", "d"]]).tolist() == [0, 0]
    assert clusters_of([["a", "b", "c"], ["a", "b", "d", "e"]]).tolist() == [0, 1]


def test_near_through_another_is_one_cluster() -> None:
    chain = [["a", "b", "c"], ["x", "y"], ["c", "d", "e"], ["b", "c", "d"]]
    assert clusters_of(chain).tolist() == [0, 1, 0, 0]


def test_words_are_compared_as_given_and_as_sets() -> None:
    assert clusters_of([["a", "b"], ["b", "a", "a"], ["A", "B"]]).tolist() == [0, 0, 1]


def test_topics_without_words_are_alone() -> None:
    assert clusters_of([[], ["a"], [], ["a"]]).tolist() == [0, 1, 2, 1]
    assert clusters_of([]).tolist() == []
    assert clusters_of([[]]).dtype == np.int64


@pytest.mark.parametrize("threshold", [0, -0.5, 1.1, float("nan")])
def test_what_is_no_threshold_is_said(threshold: float) -> None:
    with pytest.raises(InputError, match="no threshold"):
        clusters_of([["a"]], threshold)


def test_many_topics_that_are_all_near_need_no_square_of_memory() -> None:
    rng = np.random.default_rng(0)
    words = [[str(w) for w in rng.permutation(30)[:20]] for _ in range(4000)]
    tracemalloc.start()
    try:
        found = clusters_of(words)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.max() == 0
    # a square of single bytes for each pair, and its list of links, would be 16 and 128 million
    assert peak < 110e6


@pytest.mark.reference
@pytest.mark.parametrize(
    ("folder", "words", "clusters", "largest"),
    [("khodorchenko2022", 15, 197, 37), ("hoyle2021", 10, 139, 2)],
)
def test_published_topics(
    reference_data: Path, folder: str, words: int, clusters: int, largest: int
) -> None:
    with gzip.open(reference_data / folder / "topics.jsonl.gz", "rt", encoding="utf-8") as file:
        topics = [json.loads(line)["words"][:words] for line in file]
    found = clusters_of(topics)
    assert found.tolist() == plainly(topics, 0.5)
    assert (found.max() + 1, np.bincount(found).max()) == (clusters, largest)
