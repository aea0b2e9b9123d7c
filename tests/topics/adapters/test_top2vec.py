from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from tealeaves.topics import adapt, read_models


class Top2Vec:
    """The attributes of Top2Vec (top2vec/top2vec.py): words and scores are K×50 arrays, sizes a
    series, and ``doc_top`` and ``document_ids`` have an entry for each document.
    """

    def __init__(self, **other: Any) -> None:
        self.topic_words = np.array([["cat", "dog", "cow"], ["soup", "bread", "salt"]])
        self.topic_word_scores = np.array([[0.9, 0.5, -0.1], [0.8, 0.7, 0.2]])
        self.topic_sizes = pd.Series([3, 1])
        self.doc_top = np.array([0, 0, 1, 0])
        self.document_ids = np.array([10, 11, 12, 13])
        self.contextual_top2vec = False
        self.__dict__ |= other


def test_words_scores_and_documents() -> None:
    topics = adapt(Top2Vec())
    assert topics.model == "top2vec"
    assert topics[0].words == ("cat", "dog", "cow")
    assert topics[0].weights == (0.9, 0.5, -0.1)
    assert topics.documents_per_topic() == ([3, 1], 0)
    assert topics.best_topic is not None
    assert topics.best_topic.tolist() == [0, 0, 1, 0]
    assert topics.document_ids == ("10", "11", "12", "13")
    assert topics.topic_word is None
    assert [topic.words for topic in adapt(Top2Vec(), top=1).topics] == [("cat",), ("soup",)]


def test_a_contextual_model_says_nothing_of_documents() -> None:
    topics = adapt(Top2Vec(contextual_top2vec=True))
    assert topics.documents_per_topic() is None
    assert topics.best_topic is None


def test_two_models() -> None:
    assert [model.model for model in read_models([Top2Vec(), Top2Vec()])] == [
        "top2vec 1",
        "top2vec 2",
    ]
