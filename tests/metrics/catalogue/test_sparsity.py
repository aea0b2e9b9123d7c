"""Sparsity: by hand, and what counts as zero."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tealeaves
from tealeaves import Topics
from tealeaves.errors import InputError
from tealeaves.metrics import metric

PHI = [[0.5, 0.5, 0.0, 0.0], [0.9, 0.1 - 1e-6, 1e-6, 0.0]]
THETA = [[1.0, 0.0], [0.5, 0.5], [1.0, 0.0]]


def model(phi: Any = PHI, theta: Any = THETA) -> Topics:
    words = None if phi is None else tuple(f"w{i}" for i in range(len(phi[0])))
    lists = [["a"], ["b"]]
    return Topics.of(lists, model="m", vocabulary=words, topic_word=phi, document_topic=theta)


def values(spec: str, topics: Topics) -> list[float]:
    return [row.value for row in tealeaves.score(topics, metrics=spec)]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("sparsity", [2 / 4, 1 / 4, 3 / 8]),  # the last is the model's: 3 zeros of 8
        ("sparsity(threshold=1e-6)", [2 / 4, 2 / 4, 4 / 8]),
        ("sparsity(threshold=0)", [2 / 4, 1 / 4, 3 / 8]),
        ("sparsity(of=theta)", [0 / 3, 2 / 3, 2 / 6]),
        ("sparsity(of=theta, threshold=0.5)", [1 / 3, 3 / 3, 4 / 6]),
    ],
)
def test_by_hand(spec: str, expected: list[float]) -> None:
    assert values(spec, model()) == pytest.approx(expected)


def test_weights_have_zeros_too() -> None:
    assert values("sparsity", model([[7.0, 0.0, 3.0], [0.0, 0.0, 9.0]])) == pytest.approx(
        [1 / 3, 2 / 3, 3 / 6]
    )


def test_what_is_lacking() -> None:
    assert metric("sparsity").lacks(model(phi=None)) == "no topic-word matrix"
    assert metric("sparsity(of=theta)").lacks(model(theta=None)) == "no document-topic matrix"
    assert metric("sparsity(of=theta)").lacks(model(phi=None)) == ""
    with pytest.raises(InputError, match=r"first words of topics: leave out @10"):
        values("sparsity@10", model())
    rows = tealeaves.score(model(theta=np.empty((0, 2))), metrics="sparsity(of=theta)")
    assert [row.support for row in rows] == [0, 0, 0]


rows_of_weights = st.lists(st.sampled_from([0.0, 1e-38, 0.3, 2.0]), min_size=3, max_size=3)


@given(st.lists(rows_of_weights, min_size=2, max_size=2))
def test_against_a_loop(weights: list[list[float]]) -> None:
    shares = [[one / (sum(row) or 1.0) for one in row] for row in weights]
    zeros = [sum(1 for one in row if one < 1e-37) for row in shares]
    total = sum(zeros) / 6
    assert values("sparsity", model(weights)) == pytest.approx([*(n / 3 for n in zeros), total])


def test_weights_are_divided_by_their_sum_first() -> None:
    heavy = [[1e-3, 1000.0, 1000.0, 1000.0], [1e-3, 1e-3, 1000.0, 1000.0]]
    topics = Topics.of([["a"], ["b"]], vocabulary=tuple("abcd"), topic_word=heavy)
    scores = tealeaves.score(topics, metrics="sparsity(threshold=1e-5)")
    assert [row.value for row in scores.topics] == [0.25, 0.5]
