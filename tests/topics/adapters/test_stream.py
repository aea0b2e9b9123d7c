from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.topics import adapt

WORDS = ["cat", "dog", "soup", "bread"]
BETA = np.array([[4.0, 2.0, 1.0, 0.0], [0.0, 1.0, 2.0, 4.0]])
THETA = np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])


class Model:
    """The methods of stream_topic/models/abstract_helper_models/base.py, which every model has.

    Beta is V×K in LDA and KmeansTM and K×V in ETM; ``feature_names`` is LDA's, ``data_module``
    that of the neural models; theta is D×K, a frame in LDA.
    """

    def __init__(self, beta: Any, theta: Any = THETA, *, ids: Any = (0, 1), **other: Any) -> None:
        self.beta, self.theta = beta, theta
        rows = beta if len(beta) == len(ids) else beta.T
        self.topic_dict = {
            k: [(WORDS[column], row[column]) for column in np.argsort(-row)]
            for k, row in zip(ids, rows, strict=True)
        }
        self.__dict__ |= other

    def get_topics(self, n_words: int = 10) -> list[list[str]]:
        return [[word for word, _ in pairs[:n_words]] for pairs in self.topic_dict.values()]

    def get_beta(self) -> Any:
        return self.beta

    def get_theta(self) -> Any:
        return self.theta


class Untrained(Model):
    def get_topics(self, n_words: int = 10) -> list[list[str]]:
        raise RuntimeError("Model has not been trained yet or failed.")


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("framed", [False, True])
def test_beta_may_have_either_orientation(turned: bool, framed: bool) -> None:
    theta = pd.DataFrame(THETA, columns=["topic_0", "topic_1"]) if framed else THETA
    model = Model(BETA.T if turned else BETA, theta, feature_names=np.array(WORDS))
    topics = adapt(model)
    assert topics.model == "stream Model"
    np.testing.assert_array_equal(topics.topic_word, BETA)
    np.testing.assert_array_equal(topics.document_topic, THETA)
    assert [list(topic.words) for topic in topics.topics] == model.get_topics(25)
    assert topics[1].weights == (4.0, 2.0, 1.0, 0.0)


def test_words_of_a_neural_model_and_of_the_caller() -> None:
    neural = Model(BETA, data_module=SimpleNamespace(vocab=WORDS))
    np.testing.assert_array_equal(adapt(neural).topic_word, BETA)
    np.testing.assert_array_equal(adapt(Model(BETA), vocabulary=WORDS).topic_word, BETA)
    assert adapt(Model(BETA)).topic_word is None
    with pytest.raises(InputError, match=r"stream Model: .* not in the order of the columns"):
        adapt(Model(BETA), vocabulary=sorted(WORDS))
    with pytest.raises(InputError, match=r"stream Model: .* is 2×4, but there are .* 5 words"):
        adapt(Model(BETA), vocabulary=[*WORDS, "more"])
    words: Any = np.array(WORDS)
    with pytest.warns(TealeavesWarning, match="without its topic-word matrix.*negative"):
        assert adapt(Model(-BETA), vocabulary=words).topic_word is None


def test_the_cluster_of_outliers_is_no_topic() -> None:
    model = Model(BETA.T, ids=(-1, 0), feature_names=WORDS)
    topics = adapt(model)
    assert [topic.id for topic in topics.topics] == [0]
    np.testing.assert_array_equal(topics.topic_word, BETA[1:])
    np.testing.assert_array_equal(topics.document_topic, [[0.0], [1.0], [0.0]])


def test_a_square_beta_is_ambiguous_until_it_is_stated() -> None:
    square = BETA[:, :2] + [[0.0, 0.0], [0.0, 1.0]]  # [[4, 2], [0, 2]]
    model = Model(square, feature_names=WORDS[:2])
    with pytest.warns(TealeavesWarning, match="say topic_word_axes='topics words' or"):
        assert adapt(model).topic_word is None
    stated = adapt(model, topic_word_axes="topics words")
    np.testing.assert_array_equal(stated.topic_word, square)


def test_an_untrained_model() -> None:
    with pytest.raises(InputError, match="stream Untrained: Model has not been trained yet"):
        adapt(Untrained(BETA))
