"""The topic of each token, and other fields about documents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.topics import Topics
from tealeaves.topics.assignments import Assignments


def model(**known: Any) -> Topics:
    return Topics.of([["a", "b"], ["c", "a"]], model="m", vocabulary=("a", "b", "c"), **known)


def test_documents_are_stored_one_after_the_other() -> None:
    result = Assignments.of([[0, 1], [], [1]], words=[[2, 0], [], [1]])
    assert len(result) == 3
    assert [(t.tolist(), w.tolist()) for t, w in result] == [([0, 1], [2, 0]), ([], []), ([1], [1])]
    assert result.lengths.tolist() == [2, 0, 1]


def test_each_token_needs_a_word_and_a_topic() -> None:
    with pytest.raises(InputError, match="a word and a topic"):
        Assignments.of([[0, 1]], words=[[2]])


def test_unknown_topics_and_words_are_refused() -> None:
    with pytest.raises(InputError, match="m: a token is assigned to topic 2, but there are 2"):
        model(assignments=Assignments.of([[0, 2]]))
    with pytest.raises(InputError, match="m: a token is assigned to word 3, but there are 3"):
        model(assignments=Assignments.of([[0]], words=[[3]]))
    broken = Assignments(np.array([0, 5]), np.zeros(2, np.int32), np.zeros(2, np.int32))
    with pytest.raises(InputError, match="do not fit together"):
        model(assignments=broken)


def test_all_parts_have_the_same_number_of_documents() -> None:
    with pytest.raises(InputError, match=r"differ \(document-topic matrix: 1, document ids: 2\)"):
        model(document_topic=[[1.0, 0.0]], document_ids=("x", "y"))
    with pytest.raises(InputError, match="document lengths instead of 1"):
        model(document_topic=[[1.0, 0.0]], document_lengths=[1, 2])
    with pytest.raises(InputError, match="the document id 'x' is given twice"):
        model(document_ids=("x", "x"))


def test_best_topics_count_documents() -> None:
    result = model(best_topic=[0, 1, 1, -1])
    assert result.documents_per_topic() == ([1, 2], 1)
    assert result.documents == 4
    with pytest.raises(InputError, match="best topics must be between -1 and 1"):
        model(best_topic=[2])


def test_the_best_topic_of_each_document() -> None:
    best = model(document_topic=[[0.2, 0.8], [0.0, 0.0], [0.5, 0.5]]).topic_of_documents()
    assert best is not None
    assert best.tolist() == [1, -1, 0]
    assert model().topic_of_documents() is None


def test_samples_have_the_shape_of_the_model() -> None:
    assert model(samples=np.ones((4, 2, 3)) / 3).samples.shape == (4, 2, 3)  # type: ignore[union-attr]
    with pytest.raises(InputError, match="the samples are 4×3×2, but there are 2 topics and 3"):
        model(samples=np.ones((4, 3, 2)))
    with pytest.raises(InputError, match="a samples matrix needs its vocabulary"):
        Topics.of([["a"]], samples=np.ones((1, 1, 1)))


def test_frequencies_are_whole_numbers() -> None:
    assert model(term_frequency=[3.0, 2.0, 1.0]).term_frequency.tolist() == [3, 2, 1]  # type: ignore[union-attr]
    with pytest.raises(InputError, match="word frequencies are not whole numbers"):
        model(term_frequency=[0.5, 1, 1])
