from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.topics import adapt, read_models

PHI = np.array([[0.6, 0.3, 0.1], [0.1, 0.1, 0.8]])
THETA = np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5], [1.0, 0.0]])


def arrays(**other: Any) -> dict[str, Any]:
    """As the arguments of ``pyLDAvis.prepare``."""
    result = {
        "topic_term_dists": PHI,
        "doc_topic_dists": THETA,
        "doc_lengths": [4, 5, 6, 7],
        "vocab": np.array(["cat", "dog", "soup"]),
        "term_frequency": np.array([9.0, 6.0, 7.0]),
    }
    return result | other


def test_five_arrays_are_one_model() -> None:
    [topics] = read_models(arrays())
    assert topics.model == "pyldavis"
    np.testing.assert_array_equal(topics.topic_word, PHI)
    np.testing.assert_array_equal(topics.document_topic, THETA)
    assert topics.document_lengths is not None
    assert topics.document_lengths.tolist() == [4, 5, 6, 7]
    assert topics.term_frequency is not None
    assert topics.term_frequency.tolist() == [9, 6, 7]
    assert topics[1].words == ("soup", "cat", "dog")


def test_matrices_are_transposed_if_their_size_shows_it() -> None:
    topics = adapt(arrays(topic_term_dists=PHI.T, doc_topic_dists=THETA.T))
    np.testing.assert_array_equal(topics.topic_word, PHI)
    np.testing.assert_array_equal(topics.document_topic, THETA)
    square = np.array([[0.5, 0.5], [0.25, 0.75]])
    topics = adapt(arrays(topic_term_dists=square, vocab=["cat", "dog"], term_frequency=None))
    np.testing.assert_array_equal(topics.topic_word, square)
    with pytest.raises(InputError, match="topic_word_axes is 'topics words'"):
        adapt(arrays(topic_term_dists=PHI.T), topic_word_axes="topics words")


def test_frequencies_that_are_weights_are_left_out() -> None:
    assert adapt(arrays(term_frequency=[0.5, 0.2, 0.3])).term_frequency is None


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"topic_term_dists": PHI[0]}, "the topic-word matrix has 1 dimensions, not 2"),
        ({"topic_term_dists": PHI * 2}, r"row \d of the topic-word matrix sums to 2, not to 1"),
        ({"topic_term_dists": -PHI}, "the topic-word matrix holds negative or non-finite"),
        ({"doc_topic_dists": THETA[:, :1]}, r"the document-topic matrix is 4×1, but there are 2"),
        ({"doc_lengths": [1, 2]}, "there are 2 document lengths instead of 4"),
        ({"vocab": ["cat"]}, r"the topic-word matrix is 2×3, but there are 1 words"),
    ],
)
def test_arguments_that_do_not_fit_are_an_error(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"pyldavis: {message}"):
        adapt(arrays(**wrong))
