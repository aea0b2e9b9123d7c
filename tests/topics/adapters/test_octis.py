from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.topics import adapt, read_models

WORDS = ["cat", "dog", "soup", "bread"]
TOPICS = [["cat", "dog"], ["bread", "soup"]]
PHI = np.array([[0.6, 0.3, 0.1, 0.0], [0.0, 0.1, 0.3, 0.6]])
SHARES = np.array([[0.9, 0.2, 0.5], [0.1, 0.8, 0.5]])  # K×D, as OCTIS has it


def output(**other: Any) -> dict[str, Any]:
    """As the dictionary that ``train_model`` of octis/models/LDA.py returns."""
    result = {
        "topics": TOPICS,
        "topic-word-matrix": PHI,
        "topic-document-matrix": SHARES,
        "test-topic-document-matrix": SHARES[:, :1],
    }
    return result | {name.replace("_", "-"): value for name, value in other.items()}


def test_without_its_vocabulary_words_and_documents_are_known() -> None:
    topics = adapt(output())
    assert topics.model == "octis"
    assert [topic.words for topic in topics.topics] == [("cat", "dog"), ("bread", "soup")]
    np.testing.assert_array_equal(topics.document_topic, SHARES.T)
    assert topics.topic_word is None


def test_the_vocabulary_gives_the_matrix() -> None:
    topics = adapt(output(), vocabulary=WORDS, top=1)
    np.testing.assert_array_equal(topics.topic_word, PHI)
    assert [topic.words for topic in topics.topics] == [("cat",), ("bread",)]


def test_a_vocabulary_in_another_order_is_found_out() -> None:
    message = "octis: the vocabulary is not in the order of the columns"
    with pytest.raises(InputError, match=message):
        adapt(output(), vocabulary=sorted(WORDS))
    with pytest.raises(InputError, match=r"octis: .* is 2×4, but there are 2 topics and 3 words"):
        adapt(output(), vocabulary=WORDS[:3])


def test_the_dictionary_is_one_model() -> None:
    assert [model.model for model in read_models(output())] == ["octis"]
    assert [model.model for model in read_models([output(), output()])] == ["octis 1", "octis 2"]
    assert [model.model for model in read_models({"a": output(), "b": TOPICS})] == ["a", "b"]


def test_a_square_matrix_is_topics_by_documents() -> None:
    square = np.array([[0.9, 0.9], [0.1, 0.1]])
    topics = adapt(output(topic_document_matrix=square))
    np.testing.assert_array_equal(topics.document_topic, square.T)


def test_factors_are_divided_by_their_sum() -> None:
    topics = adapt(output(topic_document_matrix=SHARES * 4))
    np.testing.assert_allclose(np.asarray(topics.document_topic), SHARES.T)


def test_documents_of_other_topics_are_left_out() -> None:
    with pytest.warns(TealeavesWarning, match=r"without its document-topic matrix.* is 1×3, but"):
        assert adapt(output(topic_document_matrix=SHARES[:1])).document_topic is None


def test_topics_from_the_matrix_alone() -> None:
    without = output()
    del without["topics"]
    topics = adapt(without, vocabulary=WORDS)
    assert [topic.words for topic in topics.topics] == [
        ("cat", "dog", "soup"),
        ("bread", "soup", "dog"),
    ]
    with pytest.raises(InputError, match="no topics in it: train with top_words above 0"):
        adapt(without)


def test_latent_semantic_indexing_keeps_its_words() -> None:
    with pytest.warns(TealeavesWarning, match="without its topic-word matrix.*negative"):
        topics = adapt(output(topic_word_matrix=-PHI), vocabulary=WORDS)
    assert topics.topic_word is None
    assert topics[0].words == ("cat", "dog")


def test_a_matrix_is_transposed_if_its_size_shows_it() -> None:
    turned = output(topic_word_matrix=PHI.T, topic_document_matrix=SHARES.T)
    words: Any = np.array(WORDS)
    topics = adapt(turned, vocabulary=words)
    np.testing.assert_array_equal(topics.topic_word, PHI)
    np.testing.assert_array_equal(topics.document_topic, SHARES.T)


def test_stated_axes_must_fit() -> None:
    with pytest.raises(InputError, match=r"is 4×2, .* topic_word_axes is 'topics words'"):
        adapt(output(topic_word_matrix=PHI.T), vocabulary=WORDS, topic_word_axes="topics words")
    with pytest.raises(InputError, match=r"octis: the document-topic matrix is 2×3"):
        adapt(output(), document_topic_axes="documents topics")
    with pytest.raises(InputError, match="document_topic_axes must be"):
        adapt(output(), document_topic_axes="sideways")
    square = np.array([[0.9, 0.1], [0.2, 0.8]])
    stated = output(topic_document_matrix=square)
    topics = adapt(stated, document_topic_axes="documents topics")
    np.testing.assert_array_equal(topics.document_topic, square)


def test_words_alone_are_an_output() -> None:
    topics = adapt({"topics": TOPICS}, top=1)
    assert [topic.words for topic in topics.topics] == [("cat",), ("bread",)]
    assert [model.model for model in read_models([{"topics": TOPICS}])] == ["octis"]
    assert [model.model for model in read_models({"a": {"topics": TOPICS}})] == ["a"]


@pytest.mark.parametrize(
    ("topics", "message"),
    [
        ([["cat"], []], "octis: topic 1 has no words"),
        (["cat", "dog"], "octis: topic 0 is a string; give a list of words"),
        (5, "octis: 5 is no list of topics"),
    ],
)
def test_wrong_topics_are_an_error(topics: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        adapt(output(topics=topics), vocabulary=WORDS)
