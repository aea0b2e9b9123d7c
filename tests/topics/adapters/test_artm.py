from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.topics import adapt, read_models

TOKENS = ["cat", "dog", "soup"]
TOPICS = ["topic_0", "topic_1"]
VALUES = np.array([[0.7, 0.0], [0.2, 0.4], [0.1, 0.6]])  # V×K
THETA = pd.DataFrame(  # K×D; batches come back in any order
    [[0.9, 0.2, 0.5, 1.0], [0.1, 0.8, 0.5, 0.0]], index=TOPICS, columns=[3, 0, 1, 2]
)


def phi(index: Any = TOKENS, values: Any = VALUES, columns: Any = TOPICS) -> pd.DataFrame:
    return pd.DataFrame(values, index=index, columns=columns)


def both_modalities(*names: str) -> pd.DataFrame:
    """As ``get_phi`` of BigARTM from 0.10, and of TopicNet: (modality, token)."""
    pairs = [(name, token) for name in names for token in TOKENS]
    return phi(pd.MultiIndex.from_tuples(pairs), np.vstack([VALUES] * len(names)))


class ARTM:
    """``get_phi`` and ``get_theta`` of python/artm/artm_model.py; without ``cache_theta`` there is
    no theta.
    """

    def __init__(self, frame: pd.DataFrame, theta: pd.DataFrame | None = THETA) -> None:
        self.frame, self.theta = frame, theta

    def get_phi(self, topic_names: Any = None, class_ids: Any = None) -> pd.DataFrame:
        return self.frame

    def get_theta(self, topic_names: Any = None) -> pd.DataFrame:
        if self.theta is None:
            raise ValueError("cache_theta == False. Set ARTM.cache_theta = True")
        return self.theta


@pytest.mark.parametrize("index", [TOKENS, "modalities"])
def test_a_model_and_its_frames(index: Any) -> None:
    frame = both_modalities("@default_class") if index == "modalities" else phi()
    topics = adapt(ARTM(frame))
    assert topics.model == "artm"
    assert [topic.id for topic in topics.topics] == TOPICS
    assert [topic.words for topic in topics.topics] == [("cat", "dog", "soup"), ("soup", "dog")]
    np.testing.assert_array_equal(topics.topic_word, VALUES.T)
    np.testing.assert_array_equal(topics.document_topic, THETA.to_numpy().T)
    assert topics.document_ids == ("3", "0", "1", "2")
    framed = adapt(frame, document_topic=THETA)
    assert framed == topics
    np.testing.assert_array_equal(framed.document_topic, topics.document_topic)
    assert read_models([frame])[0].topics == topics.topics


def test_labels_show_the_orientation_of_theta() -> None:
    turned = adapt(phi(), document_topic=THETA.T)
    np.testing.assert_array_equal(turned.document_topic, THETA.to_numpy().T)
    shuffled = adapt(phi(), document_topic=THETA.iloc[::-1])
    np.testing.assert_array_equal(shuffled.document_topic, THETA.to_numpy().T)
    with pytest.raises(InputError, match="artm: theta has other topics than phi"):
        adapt(phi(), document_topic=THETA.rename(index={"topic_0": "other"}))
    plain = adapt(phi(), document_topic=THETA.to_numpy())
    np.testing.assert_array_equal(plain.document_topic, THETA.to_numpy().T)


def test_without_theta() -> None:
    with pytest.warns(
        TealeavesWarning, match="artm: without its document-topic matrix: cache_thet"
    ):
        assert adapt(ARTM(phi(), None)).document_topic is None


def test_any_error_of_theta_leaves_it_out() -> None:
    class InvalidOperationError(Exception):
        """As those of artm.wrapper.exceptions: of no class that Python knows."""

    class Broken(ARTM):
        def get_theta(self, topic_names: Any = None) -> pd.DataFrame:
            raise InvalidOperationError("Theta was not\ncached")

    with pytest.warns(
        TealeavesWarning, match="without its document-topic matrix: Theta was not ca"
    ):
        topics = adapt(Broken(phi()))
    np.testing.assert_array_equal(topics.topic_word, VALUES.T)


def test_modalities() -> None:
    topics = adapt(both_modalities("@author", "@default_class"))
    assert topics.vocabulary == tuple(TOKENS)
    with pytest.raises(InputError, match=r"has the modalities @author, @word: give one of them"):
        adapt(both_modalities("@author", "@word"))
    assert len(adapt(both_modalities("@word"))) == 2


def test_a_column_of_zeros_is_no_topic() -> None:
    values = VALUES.copy()
    values[:, 0] = 0
    with pytest.warns(TealeavesWarning, match="artm: topic topic_0 has no words"):
        topics = adapt(ARTM(phi(values=values)))
    assert [topic.id for topic in topics.topics] == ["topic_1"]
    np.testing.assert_array_equal(topics.document_topic, [[1.0], [1.0], [1.0], [0.0]])


def test_counters_are_not_probabilities() -> None:
    counters = phi(values=VALUES * 10)
    with pytest.raises(InputError, match=r"row \d of the topic-word matrix sums to 10, not to 1"):
        adapt(counters, topic_word_axes="words topics")
    divided = adapt(counters, normalize=True, topic_word_axes="words topics")
    np.testing.assert_allclose(np.asarray(divided.topic_word), VALUES.T)


def test_a_frame_may_be_topics_by_words() -> None:
    expected = adapt(phi())
    turned = adapt(phi().T, document_topic=THETA)
    assert turned.topics == expected.topics
    assert turned.vocabulary == tuple(TOKENS)
    np.testing.assert_array_equal(turned.topic_word, VALUES.T)
    assert adapt(both_modalities("@word").T).topics == expected.topics
    assert adapt(phi(columns=[0, 1]), topic_ids=TOPICS).topics == expected.topics


def test_axes_must_be_stated_if_neither_labels_nor_sums_show_them() -> None:
    weights = phi(values=VALUES * 10)
    message = r"artm: neither .* say topic_word_axes='words topics' or 'topics words'"
    for frame in (weights, weights.T):
        with pytest.raises(InputError, match=message):
            adapt(frame, normalize=True)
    turned = adapt(weights.T, normalize=True, topic_word_axes="topics words")
    assert turned.vocabulary == tuple(TOKENS)
    assert [topic.id for topic in turned.topics] == TOPICS
    np.testing.assert_allclose(np.asarray(turned.topic_word), VALUES.T)
    with pytest.raises(
        InputError, match="topic_word_axes must be 'topics words' or 'words topics'"
    ):
        adapt(weights, topic_word_axes="sideways")


def test_stated_axes_of_a_frame_are_not_guessed() -> None:
    """The columns sum to 1; by what is said the rows are topics, which sum to other numbers."""
    with pytest.raises(InputError, match=r"row \d of the topic-word matrix sums to"):
        adapt(phi(), topic_word_axes="topics words")


def test_a_frame_whose_columns_are_words() -> None:
    frame = pd.DataFrame(VALUES.T, columns=TOKENS)
    topics = adapt(frame)
    assert topics.vocabulary == tuple(TOKENS)
    np.testing.assert_array_equal(topics.topic_word, VALUES.T)
