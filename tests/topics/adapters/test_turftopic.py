from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tealeaves
from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.topics import adapt, read_models

VOCABULARY = np.array(["cat", "dog", "soup", "bread"])
IMPORTANCE = np.array([[3.0, 1.0, 0.0, 0.0], [0.0, 0.5, 2.0, 4.0]])
SHARES = np.array([[1.0, 3.0], [2.0, 0.0], [0.0, 0.0]])


class Data(Mapping[str, Any]):
    """As TopicData of turftopic 0.28: keys are attributes, and one it lacks is an AttributeError.

    ``classes`` is an attribute but no key; ``topic_names`` begin with the topics' numbers.
    """

    def __init__(self, **fields: Any) -> None:
        self.__dict__ |= fields
        self.components_ = fields["topic_term_matrix"]
        self._attributes = [name for name in fields if name != "classes"]

    def __getitem__(self, key: str) -> Any:
        return getattr(self, key)

    def __len__(self) -> int:
        return len(self._attributes)

    def __iter__(self) -> Iterator[str]:
        return iter(self._attributes)

    def get_vocab(self) -> Any:
        return self.__dict__["vocab"]


def fields(**other: Any) -> dict[str, Any]:
    return {
        "corpus": ["a", "b", "c"],
        "vocab": VOCABULARY,
        "topic_term_matrix": IMPORTANCE,
        "document_topic_matrix": SHARES,
        "topic_names": ["0_cat_dog", "1_bread_soup"],
        "transform": None,
    } | other


@pytest.mark.parametrize("kind", [dict, Data, SimpleNamespace])
def test_data_may_be_a_mapping_or_have_attributes(kind: Any) -> None:
    data = kind(**fields())
    topics = adapt(data)
    assert topics.model.startswith("turftopic")
    assert [topic.words for topic in topics.topics] == [("cat", "dog"), ("bread", "soup", "dog")]
    assert topics[1].weights == (4.0, 2.0, 0.5)
    np.testing.assert_array_equal(topics.topic_word, IMPORTANCE)
    np.testing.assert_array_equal(topics.document_topic, [[0.25, 0.75], [1, 0], [0, 0]])
    assert read_models(data)[0].topics == topics.topics  # one model, not one for each key


def test_outliers_are_no_topic() -> None:
    classes = np.array([-1, 4])
    importance = np.array([[9.0, 9, 9, 9], [0, 0.5, 2, 4]])
    data = Data(**fields(classes=classes, topic_term_matrix=importance))
    topics = adapt(data)
    assert [topic.id for topic in topics.topics] == [4]
    # shares (1, 3), (2, 0), (0, 0) of the outliers and of topic 4: the first alone is in a topic
    np.testing.assert_array_equal(topics.document_topic, [[1.0], [0.0], [0.0]])
    assert topics.documents_per_topic() == ([1], 2)
    soft = Data(**fields(classes=classes, document_topic_matrix=[[0.6, 0.4], [0.4, 0.6]]))
    np.testing.assert_array_equal(adapt(soft).document_topic, [[0.0], [1.0]])
    named = dict(fields(topic_term_matrix=importance, topic_names=["-1_the_of", "4_bread_soup"]))
    assert adapt(named).topics == topics.topics


def test_names_without_numbers_are_no_ids() -> None:
    assert [topic.id for topic in adapt(fields(topic_names=["Pets", "Food"])).topics] == [0, 1]


def test_negative_importance_ranks_words_but_is_no_matrix() -> None:
    signed = np.array([[3.0, 1.0, -1.0, -2.0], [-3.0, -1.0, 1.0, 2.0]])
    data = fields(topic_term_matrix=signed, document_topic_matrix=-SHARES)
    with pytest.warns(TealeavesWarning) as warned:
        topics = adapt(data)
    assert len(warned) == 2
    assert "turftopic: without its topic-word matrix" in str(warned[0].message)
    assert "turftopic: without its document-topic matrix" in str(warned[1].message)
    assert topics[0].words == ("cat", "dog", "soup", "bread")
    assert topics[0].weights == (3.0, 1.0, -1.0, -2.0)
    assert topics.topic_word is None
    assert topics.document_topic is None


def test_a_live_model() -> None:
    class Model:
        """As a fitted model: ``components_``, ``get_vocab`` and ``transform``."""

        components_ = IMPORTANCE

        def get_vocab(self) -> Any:
            return VOCABULARY

        def transform(self, texts: list[str]) -> Any:
            return SHARES[: len(texts)]

    topics = adapt(Model())
    assert topics.model == "turftopic Model"
    assert topics.document_topic is None
    inferred = adapt(Model(), documents=["a", "b"])
    np.testing.assert_array_equal(inferred.document_topic, [[0.25, 0.75], [1, 0]])
    scores = tealeaves.score([Model(), fields()], ["cat dog", "soup bread", "dog"], "npmi@2")
    assert {row.model for row in scores.rows} == {"turftopic Model", "turftopic"}


def test_an_unfitted_model() -> None:
    class Model:
        def get_vocab(self) -> None: ...

        def prepare_topic_data(self) -> None: ...

    with pytest.raises(InputError, match="turftopic Model: the model is not fitted"):
        adapt(Model())


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"vocab": VOCABULARY[:3]}, "4 columns for 3 words of the vocabulary"),
        ({"classes": [0, 1, 2]}, "3 classes for 2 topics"),
        ({"classes": [-1, -1]}, "all documents are outliers"),
        ({"topic_term_matrix": IMPORTANCE * np.nan}, "not a table of finite numbers"),
    ],
)
def test_arguments_that_do_not_fit_are_an_error(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"turftopic: .*{message}"):
        adapt(fields(**wrong))


def test_a_topic_without_importance_is_left_out() -> None:
    empty = IMPORTANCE.copy()
    empty[0] = 0
    with pytest.warns(TealeavesWarning, match="topic 0 has no words"):
        topics = adapt(fields(topic_term_matrix=empty))
    assert [topic.id for topic in topics.topics] == [1]


def test_shares_of_other_topics_are_left_out() -> None:
    with pytest.warns(TealeavesWarning, match="it is 3×3 for 2 topics"):
        assert adapt(fields(document_topic_matrix=np.ones((3, 3)))).document_topic is None
