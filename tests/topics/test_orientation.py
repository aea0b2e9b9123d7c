"""Which way round a matrix is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.topics.orientation import DOCUMENT_TOPIC, TOPIC_WORD, distributions, oriented

PHI = np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])  # 2 topics, 3 words
SQUARE = np.array([[0.9, 0.1], [0.4, 0.6]])  # rows sum to 1, columns do not


def test_the_size_tells() -> None:
    np.testing.assert_array_equal(oriented(PHI, TOPIC_WORD, "m", columns=3), PHI)
    np.testing.assert_array_equal(oriented(PHI.T, TOPIC_WORD, "m", columns=3), PHI)
    np.testing.assert_array_equal(oriented(PHI.T, DOCUMENT_TOPIC, "m", columns=2), PHI.T)


def test_the_sums_tell_where_the_size_does_not() -> None:
    np.testing.assert_array_equal(oriented(SQUARE, TOPIC_WORD, "m", columns=2), SQUARE)
    np.testing.assert_array_equal(oriented(SQUARE.T, TOPIC_WORD, "m", columns=2), SQUARE)


def test_what_fits_both_ways_is_an_error_that_says_how_to_state_it() -> None:
    weights = np.array([[3.0, 1.0], [2.0, 5.0]])
    message = (
        r"m: the topic-word matrix is 2×2, which may be topics × words or the reverse: say "
        r"topic_word_axes='topics words' or 'words topics'"
    )
    with pytest.raises(InputError, match=message):
        oriented(weights, TOPIC_WORD, "m", columns=2)
    kept = oriented(weights, TOPIC_WORD, "m", columns=2, stated="topics words")
    np.testing.assert_array_equal(kept, weights)
    turned = oriented(weights, TOPIC_WORD, "m", columns=2, stated="words topics")
    np.testing.assert_array_equal(turned, weights.T)


def test_doubly_stochastic_is_ambiguous() -> None:
    with pytest.raises(InputError, match="may be documents × topics or the reverse"):
        oriented(np.full((2, 2), 0.5), DOCUMENT_TOPIC, "m", columns=2)


def test_what_is_stated_must_fit() -> None:
    with pytest.raises(InputError, match=r"is 3×2, but there are 3 words, and topic_word_axes is"):
        oriented(PHI.T, TOPIC_WORD, "m", columns=3, stated="topics words")
    with pytest.raises(InputError, match="topic_word_axes is 'topics words' or 'words topics'"):
        oriented(PHI, TOPIC_WORD, "m", columns=3, stated="sideways")


def test_a_wrong_size_names_what_there_is() -> None:
    with pytest.raises(InputError, match=r"m: the topic-word matrix is 2×3, but there are 4 words"):
        oriented(PHI, TOPIC_WORD, "m", columns=4)


@pytest.mark.parametrize("bad", [-0.1, np.nan, np.inf])
def test_negative_and_unknown_numbers_are_refused(bad: float) -> None:
    wrong = PHI.copy()
    wrong[0, 0] = bad
    with pytest.raises(InputError, match="negative or non-finite"):
        oriented(wrong, TOPIC_WORD, "m", columns=3)


def test_rows_that_do_not_sum_to_one_are_divided_only_if_told_so() -> None:
    weights = np.array([[1.0, 3.0], [2.0, 2.0]])
    message = r"row \d of the topic-word matrix sums to 4, not to 1: .* normalize=True"
    with pytest.raises(InputError, match=message):
        distributions(weights, "topic-word", "m", normalize=False)
    divided = distributions(weights, "topic-word", "m", normalize=True)
    np.testing.assert_array_equal(divided, [[0.25, 0.75], [0.5, 0.5]])


def test_a_document_may_have_no_topic_but_a_topic_has_words() -> None:
    shares = np.array([[0.0, 0.0], [0.5, 0.5]])
    kept = distributions(shares, "document-topic", "m", normalize=False)
    np.testing.assert_array_equal(kept, shares)
    with pytest.raises(InputError, match="row 0 of the topic-word matrix is all zeros"):
        distributions(shares, "topic-word", "m", normalize=True)


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 99))
def test_turning_a_matrix_changes_nothing(topics: int, words: int, seed: int) -> None:
    if topics == words:
        return
    matrix = np.random.default_rng(seed).dirichlet(np.ones(words), size=topics)
    for given_ in (matrix, matrix.T):
        found = oriented(given_, TOPIC_WORD, "m", columns=words)
        np.testing.assert_array_equal(found, matrix)
