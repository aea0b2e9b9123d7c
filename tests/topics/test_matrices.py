"""The checks of matrices, their orientation, and rows as distributions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.topics import Topics
from tealeaves.topics.matrices import DOCUMENT_TOPIC, TOPIC_WORD, orient_matrix, row_distributions

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


def documents_per_topic(rows: list[list[float]]) -> tuple[list[int], int]:
    result = Topics.of([["a"], ["b"], ["c"]], document_topic=rows).documents_per_topic()
    assert result is not None
    return result


@settings(deadline=None)
@given(SHARES)
def test_every_document_counts_once_or_is_an_outlier(rows: list[list[float]]) -> None:
    counts, outliers = documents_per_topic(rows)
    assert len(counts) == 3
    assert sum(counts) + outliers == len(rows)
    assert outliers == sum(1 for row in rows if not any(row))


@settings(deadline=None)
@given(SHARES)
def test_a_document_counts_for_its_largest_share_the_first_of_equals(
    rows: list[list[float]],
) -> None:
    counts, _ = documents_per_topic(rows)
    best = [row.index(max(row)) for row in rows if any(row)]
    assert counts == [best.count(topic) for topic in range(3)]


PHI = np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])  # 2 topics, 3 words
SQUARE = np.array([[0.9, 0.1], [0.4, 0.6]])  # rows sum to 1, columns do not


def test_the_size_shows_the_orientation() -> None:
    np.testing.assert_array_equal(orient_matrix(PHI, TOPIC_WORD, "m", columns=3), PHI)
    np.testing.assert_array_equal(orient_matrix(PHI.T, TOPIC_WORD, "m", columns=3), PHI)
    np.testing.assert_array_equal(orient_matrix(PHI.T, DOCUMENT_TOPIC, "m", columns=2), PHI.T)


def test_the_sums_show_the_orientation_if_the_size_does_not() -> None:
    np.testing.assert_array_equal(orient_matrix(SQUARE, TOPIC_WORD, "m", columns=2), SQUARE)
    np.testing.assert_array_equal(orient_matrix(SQUARE.T, TOPIC_WORD, "m", columns=2), SQUARE)


def test_an_ambiguous_orientation_is_an_error_that_says_how_to_state_it() -> None:
    weights = np.array([[3.0, 1.0], [2.0, 5.0]])
    message = (
        r"m: the topic-word matrix is 2×2, which may be topics × words or the reverse: say "
        r"topic_word_axes='topics words' or 'words topics'"
    )
    with pytest.raises(InputError, match=message):
        orient_matrix(weights, TOPIC_WORD, "m", columns=2)
    kept = orient_matrix(weights, TOPIC_WORD, "m", columns=2, order="topics words")
    np.testing.assert_array_equal(kept, weights)
    turned = orient_matrix(weights, TOPIC_WORD, "m", columns=2, order="words topics")
    np.testing.assert_array_equal(turned, weights.T)


def test_doubly_stochastic_is_ambiguous() -> None:
    with pytest.raises(InputError, match="may be documents × topics or the reverse"):
        orient_matrix(np.full((2, 2), 0.5), DOCUMENT_TOPIC, "m", columns=2)


def test_stated_axes_must_fit() -> None:
    with pytest.raises(InputError, match=r"is 3×2, but there are 3 words, and topic_word_axes is"):
        orient_matrix(PHI.T, TOPIC_WORD, "m", columns=3, order="topics words")
    with pytest.raises(
        InputError, match="topic_word_axes must be 'topics words' or 'words topics'"
    ):
        orient_matrix(PHI, TOPIC_WORD, "m", columns=3, order="sideways")


def test_a_wrong_size_names_the_expected_one() -> None:
    with pytest.raises(InputError, match=r"m: the topic-word matrix is 2×3, but there are 4 words"):
        orient_matrix(PHI, TOPIC_WORD, "m", columns=4)


@pytest.mark.parametrize("bad", [-0.1, np.nan, np.inf])
def test_negative_and_unknown_numbers_are_refused(bad: float) -> None:
    wrong = PHI.copy()
    wrong[0, 0] = bad
    with pytest.raises(InputError, match="negative or non-finite"):
        orient_matrix(wrong, TOPIC_WORD, "m", columns=3)


def test_rows_that_do_not_sum_to_one_are_divided_only_on_request() -> None:
    weights = np.array([[1.0, 3.0], [2.0, 2.0]])
    message = r"row \d of the topic-word matrix sums to 4, not to 1: .* normalize=True"
    with pytest.raises(InputError, match=message):
        row_distributions(weights, "topic-word", "m", normalize=False)
    shares = row_distributions(weights, "topic-word", "m", normalize=True)
    np.testing.assert_array_equal(shares, [[0.25, 0.75], [0.5, 0.5]])


def test_a_document_may_have_no_topic_but_a_topic_has_words() -> None:
    shares = np.array([[0.0, 0.0], [0.5, 0.5]])
    kept = row_distributions(shares, "document-topic", "m", normalize=False)
    np.testing.assert_array_equal(kept, shares)
    with pytest.raises(InputError, match="row 0 of the topic-word matrix is all zeros"):
        row_distributions(shares, "topic-word", "m", normalize=True)


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 99))
def test_transposing_a_matrix_changes_nothing(topics: int, words: int, seed: int) -> None:
    if topics == words:
        return
    matrix = np.random.default_rng(seed).dirichlet(np.ones(words), size=topics)
    for given_ in (matrix, matrix.T):
        result = orient_matrix(given_, TOPIC_WORD, "m", columns=words)
        np.testing.assert_array_equal(result, matrix)
