"""Embedding coherence: by hand, and by scikit-learn and gensim."""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
import pytest
from gensim.corpora import Dictionary
from gensim.models import CoherenceModel, KeyedVectors
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.pairwise import cosine_similarity

import tealeaves
from tealeaves.metrics import metric

POINTS = {"east": (1, 0), "ne": (3, 4), "north": (0, 2), "west": (-2, 0), "south": (0, -1)}
WORDS = tuple("abcdefghij")
FORMS = ("embedding_coherence", "embedding_coherence(form=centroid)")


def values_and_support(topics: Sequence[Sequence[str]], spec: str, points: Any = None) -> list[Any]:
    lists = [list(words) for words in topics]
    scores = tealeaves.score(lists, None, spec, embeddings=POINTS if points is None else points)
    return [(row.value, row.support) for row in scores.topics]


def near(value: float) -> Any:
    return pytest.approx(value, abs=1e-6)


def test_by_hand() -> None:
    topics = [["east", "ne", "north"], ["ne", "west"], ["east", "north", "west", "south"]]
    assert values_and_support(topics, FORMS[0]) == [
        # east ne .6, east north 0, ne north .8
        (near(1.4 / 3), 1.0),
        (near(-0.6), 1.0),
        # east west and north south -1, four right angles
        (near(-2 / 6), 1.0),
    ]
    assert values_and_support(topics, FORMS[1]) == [
        # the directions sum to (1.6, 1.8): the cosines to it are 1.6, 2.4 and 1.8 of its length
        (near((1.6 + 2.4 + 1.8) / 3 / sqrt(1.6**2 + 1.8**2)), 1.0),
        # (.6 - 1, .8): (-.24 + .64) and .4 of its length
        (near((0.4 + 0.4) / 2 / sqrt(0.4**2 + 0.8**2)), 1.0),
        # they cancel out: the mean direction has length 0
        (near(0), 1.0),
    ]


def test_support_is_the_share_of_pairs() -> None:
    topics = [["east", "ne", "xxx"], ["east", "north"], ["west"], ["xxx", "yyy"]]
    nothing = (pytest.approx(math.nan, nan_ok=True), 0.0)
    # 1 of 3 pairs; 1 of 1; a single word and unknown words have none
    assert values_and_support(topics, FORMS[0]) == [
        (near(0.6), near(1 / 3)),
        (near(0), 1.0),
        nothing,
        nothing,
    ]
    # at four words: 1 of 6 pairs
    assert values_and_support(topics, f"{FORMS[0]}@4")[:2] == [
        (near(0.6), near(1 / 6)),
        (near(0), near(1 / 6)),
    ]
    # to the centroid: 2 of 3 words, 2 of 2
    assert [support for _, support in values_and_support(topics, FORMS[1])] == [
        near(2 / 3),
        1.0,
        0.0,
        0.0,
    ]
    # xxx is the third word: of two, nothing is missing
    assert values_and_support(topics, f"{FORMS[0]}@2")[0] == (near(0.6), 1.0)


topics_of_ten = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=2, max_size=8, unique=True), min_size=1, max_size=4
)


def random_vectors(seed: int) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    rows = random.normal(size=(len(WORDS), 5)) * random.gamma(2.0, size=(len(WORDS), 1))
    return dict(zip(WORDS, rows.astype(np.float32), strict=True))


@settings(max_examples=30)
@given(topics_of_ten, st.integers(0, 99))
def test_the_same_as_scikit_learn(topics: list[list[str]], seed: int) -> None:
    points = random_vectors(seed)
    for words, (value, _) in zip(topics, values_and_support(topics, FORMS[0], points), strict=True):
        similar = cosine_similarity(np.array([points[word] for word in words], dtype=np.float64))
        assert value == pytest.approx(similar[np.triu_indices(len(words), 1)].mean(), abs=1e-9)


def test_the_centroid_form_of_unit_vectors_is_c_w2v_of_gensim() -> None:
    points = {word: row / np.linalg.norm(row) for word, row in random_vectors(1).items()}
    topics = [list("abcd"), list("efgh"), list("aceij")]
    vectors = KeyedVectors(5)
    vectors.add_vectors(list(points), list(points.values()))
    # gensim needs a dictionary and a corpus, but uses only the words
    theirs = [
        CoherenceModel(
            topics=[words],
            texts=[list(WORDS)],
            dictionary=Dictionary([list(WORDS)]),
            coherence="c_w2v",
            keyed_vectors=vectors,
            processes=1,
        ).get_coherence_per_topic()[0]
        for words in topics
    ]
    assert [value for value, _ in values_and_support(topics, FORMS[1], vectors)] == pytest.approx(
        theirs, abs=1e-5
    )


@settings(max_examples=30)
@given(topics_of_ten, st.sampled_from(FORMS), st.randoms(use_true_random=False))
def test_order_and_rotation_change_nothing(topics: list[list[str]], spec: str, random: Any) -> None:
    points = random_vectors(3)
    turn, _ = np.linalg.qr(np.random.default_rng(4).normal(size=(5, 5)))
    turned = {word: 100 * turn @ row for word, row in points.items()}
    other = [random.sample(words, len(words)) for words in topics]
    one, two = (
        values_and_support(lists, spec, where)
        for lists, where in ((topics, points), (other, turned))
    )
    assert [value for value, _ in two] == pytest.approx([value for value, _ in one], abs=1e-6)
    assert [support for _, support in two] == [support for _, support in one]


def test_equal_vectors_have_the_highest_value() -> None:
    alike = dict.fromkeys(WORDS, (0.1, 0.2, 0.7))
    for spec in FORMS:
        [(value, support)] = values_and_support([WORDS], spec, alike)
        assert value == near(1)
        assert value <= 1
        assert support == 1.0
    assert metric("we_coherence") == metric("embedding_coherence")
