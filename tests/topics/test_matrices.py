from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.topics import Topics
from tealeaves.topics.matrices import best_topics

SHARES = st.lists(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=3, max_size=3))


def topics(**known: Any) -> Topics:
    return Topics.of([["a", "b"], ["c"]], model="toy", **known)


def test_matrices_become_arrays_of_floats() -> None:
    made = topics(
        vocabulary=("a", "b", "c"), topic_word=[[2, 1, 0], [0, 0, 1]], document_topic=[[1, 0]]
    )
    assert made.topic_word is not None
    assert made.document_topic is not None
    assert made.topic_word.shape == (2, 3)
    assert made.document_topic.shape == (1, 2)
    assert made.topic_word.dtype == made.document_topic.dtype == np.dtype(np.float64)
    np.testing.assert_array_equal(made.topic_word, [[2, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"topic_word": [[1.0], [1.0]]}, r"^toy: a topic-word matrix needs its vocabulary$"),
        (
            {"topic_word": [[1.0, 2.0], [3.0, 4.0]], "vocabulary": ("a", "b", "c")},
            r"^toy: the topic-word matrix is 2×2, but there are 2 topics and 3 words",
        ),
        (
            {"topic_word": [[1.0, 2.0]], "vocabulary": ("a", "b")},
            r"^toy: the topic-word matrix is 1×2, but there are 2 topics and 2 words",
        ),
        (
            {"document_topic": [[1.0, 0.0, 0.0]] * 4},
            r"^toy: the document-topic matrix is 4×3, but there are 2 topics \(one column each\)$",
        ),
        ({"document_topic": [1.0, 0.0]}, r"document-topic matrix has 1 dimensions, not 2"),
        ({"document_topic": 1.0}, r"document-topic matrix has 0 dimensions, not 2"),
        ({"document_topic": [[1.0, 0.0], [1.0]]}, r"document-topic matrix is not a table of num"),
        ({"document_topic": [["x", "y"]]}, r"document-topic matrix is not a table of numbers"),
        ({"document_topic": [[1.0, -0.1]]}, r"holds negative or non-finite numbers"),
        ({"document_topic": [[1.0, float("nan")]]}, r"holds negative or non-finite numbers"),
        ({"document_topic": [[float("inf"), 0.0]]}, r"holds negative or non-finite numbers"),
        (
            {"topic_word": [[1.0], [float("nan")]], "vocabulary": ("a",)},
            r"^toy: the topic-word matrix holds negative or non-finite numbers",
        ),
    ],
)
def test_a_matrix_that_does_not_fit_is_an_error(known: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        topics(**known)


@settings(deadline=None)
@given(SHARES)
def test_every_document_counts_once_or_is_an_outlier(rows: list[list[float]]) -> None:
    counts, outliers = best_topics(np.array(rows, dtype=np.float64).reshape(-1, 3))
    assert len(counts) == 3
    assert sum(counts) + outliers == len(rows)
    assert outliers == sum(1 for row in rows if not any(row))


@settings(deadline=None)
@given(SHARES)
def test_a_document_counts_for_its_largest_share_the_first_of_equals(
    rows: list[list[float]],
) -> None:
    counts, _ = best_topics(np.array(rows, dtype=np.float64).reshape(-1, 3))
    best = [row.index(max(row)) for row in rows if any(row)]
    assert counts == [best.count(topic) for topic in range(3)]
