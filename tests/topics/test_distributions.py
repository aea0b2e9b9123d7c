"""Probabilities from a model's matrices, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.topics import Topics
from tealeaves.topics.assignments import Assignments
from tealeaves.topics.distributions import (
    missing_part,
    phi,
    theta,
    topic_shares,
    topics_given_words,
)

PHI = [[0.5, 0.5, 0.0], [0.25, 0.25, 0.5]]
THETA = [[1.0, 0.0], [0.5, 0.5], [0.0, 0.0]]


def model(**known: Any) -> Topics:
    return Topics.of([["a", "b"], ["c", "a"]], model="m", vocabulary=("a", "b", "c"), **known)


def test_shares_by_documents_are_the_mean_of_theta() -> None:
    shares = topic_shares(model(document_topic=THETA))
    # (1 + 0.5) / 2 and 0.5 / 2: the third document has no topic
    np.testing.assert_allclose(shares.values, [0.75, 0.25])
    assert shares.origin == "documents"


def test_shares_by_tokens_weigh_documents_by_their_length() -> None:
    shares = topic_shares(model(document_topic=THETA, document_lengths=[1, 4, 9]))
    # topic 0: 1·1 + 4·0.5 = 3, topic 1: 4·0.5 = 2
    np.testing.assert_allclose(shares.values, [0.6, 0.4])
    assert shares.origin == "tokens"


def test_shares_of_assigned_tokens_go_first() -> None:
    assigned = Assignments.of([[0, 1, 1], [], [1, -1]])
    shares = topic_shares(model(document_topic=THETA, assignments=assigned))
    np.testing.assert_allclose(shares.values, [0.25, 0.75])
    assert shares.origin == "tokens"


def test_without_documents_shares_are_uniform() -> None:
    assert topic_shares(model()).origin == "uniform"
    np.testing.assert_allclose(topic_shares(model()).values, [0.5, 0.5])


def test_a_prior_that_is_not_known_is_an_error() -> None:
    with pytest.raises(InputError, match="m: prior=documents needs a document-topic matrix"):
        topic_shares(model(), "documents")
    with pytest.raises(InputError, match="prior=tokens needs token assignments, or"):
        topic_shares(model(document_topic=THETA), "tokens")


def test_topics_given_words_by_hand() -> None:
    result = topics_given_words(np.array(PHI), np.array([0.75, 0.25]))
    # a: 0.5·0.75 = 0.375 against 0.25·0.25 = 0.0625, together 0.4375: 6/7 and 1/7
    np.testing.assert_allclose(result, [[6 / 7, 6 / 7, 0], [1 / 7, 1 / 7, 1]])


def test_a_word_of_no_topic_has_none() -> None:
    phi = np.array([[1.0, 0.0]])
    np.testing.assert_array_equal(topics_given_words(phi, np.array([1.0])), [[1.0, 0.0]])


def test_the_part_that_a_model_lacks_is_named() -> None:
    assert missing_part(model(), "phi") == "no topic-word matrix"
    assert missing_part(model(topic_word=PHI), "phi") == ""
    assert "no document-topic matrix" in missing_part(model(topic_word=PHI), "phi", "theta")
    assert "weights, not probabilities" in missing_part(
        model(topic_word=[[2, 0, 0], [0, 1, 0]]), "phi"
    )


def test_matrices_that_are_not_there_are_errors() -> None:
    with pytest.raises(InputError, match="m: no topic-word matrix"):
        phi(model())
    with pytest.raises(InputError, match="m: no document-topic matrix"):
        theta(model())
    with pytest.raises(InputError, match="normalize=True"):
        phi(model(topic_word=[[2, 0, 0], [0, 1, 0]]))


def test_theta_is_always_a_distribution() -> None:
    result = theta(model(document_topic=[[2.0, 2.0], [0.0, 0.0]]))
    np.testing.assert_array_equal(result, [[0.5, 0.5], [0.0, 0.0]])


def test_phi_sums_to_one_even_if_a_file_rounded() -> None:
    kept = model(topic_word=[[0.333, 0.333, 0.333], [0.25, 0.25, 0.5]])
    np.testing.assert_allclose(phi(kept)[0], 1 / 3, rtol=1e-15)
    np.testing.assert_array_equal(phi(kept)[1], [0.25, 0.25, 0.5])
    assert kept.topic_word is not None
    assert kept.topic_word[0, 0] == 0.333  # what the model holds is what was given
