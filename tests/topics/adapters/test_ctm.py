from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.topics import adapt

WORDS = ["cat", "dog", "soup", "bread"]
BETA = np.array([[2.0, 1.0, -1.0, -2.0], [-2.0, -1.0, 1.0, 2.0]])
THETA = np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])


class CombinedTM:
    """The methods of contextualized_topic_models/models/ctm.py that are asked here."""

    def __init__(self, *, fitted: bool = True, theta: Any = THETA) -> None:
        self.train_data = None
        self.training_doc_topic_distributions = theta
        if fitted:
            self.train_data = SimpleNamespace(idx2token=dict(enumerate(WORDS)))

    def get_topic_lists(self, k: int = 10) -> list[list[str]]:
        assert k <= len(WORDS), "k must be <= input size."
        return [[WORDS[column] for column in np.argsort(-row)[:k]] for row in BETA]

    def get_topic_word_matrix(self) -> Any:
        return BETA

    def get_topic_word_distribution(self) -> Any:
        return np.exp(BETA) / np.exp(BETA).sum(axis=1)[:, None]

    def get_doc_topic_distribution(self, dataset: Any, n_samples: int = 20) -> Any:
        return THETA[: len(dataset)]


def test_words_and_matrices_are_those_of_the_model() -> None:
    model = CombinedTM()
    topics = adapt(model)
    assert topics.model == "ctm CombinedTM"
    assert [list(topic.words) for topic in topics.topics] == model.get_topic_lists(4)
    phi = model.get_topic_word_distribution()
    np.testing.assert_array_equal(topics.topic_word, phi)
    assert topics[1].weights == tuple(phi[1][[3, 2, 1, 0]])
    assert topics.vocabulary == tuple(WORDS)
    np.testing.assert_array_equal(topics.document_topic, THETA)


def test_documents_are_inferred_by_the_model() -> None:
    topics = adapt(CombinedTM(theta=None), documents=["a dataset", "of two"])
    np.testing.assert_array_equal(topics.document_topic, THETA[:2])
    assert adapt(CombinedTM(theta=None)).document_topic is None


def test_an_unfitted_model() -> None:
    with pytest.raises(InputError, match="ctm CombinedTM: the model is not fitted"):
        adapt(CombinedTM(fitted=False))
