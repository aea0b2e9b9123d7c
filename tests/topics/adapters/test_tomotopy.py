from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tealeaves
from tealeaves import demo
from tealeaves.errors import InputError
from tealeaves.topics import adapt

tp = pytest.importorskip("tomotopy")


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [document.text for document in demo.corpus("en")]


@pytest.fixture(scope="module")
def tokens() -> list[list[str]]:
    """The longer words of each text, most of which have a meaning of their own."""
    return [re.findall(r"[a-z]{5,}", document.text.lower()) for document in demo.corpus("en")]


@pytest.fixture(scope="module")
def corpus(tokens: list[list[str]]) -> Any:
    result = tp.utils.Corpus()
    for number, text in enumerate(tokens):
        result.add_doc(text, uid=f"text-{number}")
    return result


@pytest.fixture(scope="module")
def lda(corpus: Any) -> Any:
    model = tp.LDAModel(k=6, rm_top=5, min_cf=2, seed=1, corpus=corpus)
    model.train(60, workers=1)
    return model


@pytest.fixture(scope="module")
def hdp(corpus: Any) -> Any:
    model = tp.HDPModel(min_cf=2, seed=1, initial_k=10, eta=1.0, corpus=corpus)
    model.train(20, workers=1)
    return model


def test_words_and_matrices_are_those_of_the_model(lda: Any) -> None:
    topics = adapt(lda)
    assert topics.model == "tomotopy LDAModel"
    assert topics.vocabulary == tuple(lda.used_vocabs)
    expected = np.array([lda.get_topic_word_dist(k) for k in range(6)])
    np.testing.assert_array_equal(topics.topic_word, expected)
    theta = np.array([document.get_topic_dist() for document in lda.docs])
    np.testing.assert_array_equal(topics.document_topic, theta)
    for k, topic in enumerate(topics.topics):
        pairs = lda.get_topic_words(k, top_n=25)
        assert topic.words == tuple(word for word, _ in pairs)
        assert topic.weights == tuple(float(weight) for _, weight in pairs)
    assert topics.term_frequency is not None
    assert topics.term_frequency.tolist() == list(lda.used_vocab_freq)
    assert topics.document_ids == tuple(f"text-{number}" for number in range(128))


def test_tokens_are_those_that_were_not_removed(lda: Any, tokens: list[list[str]]) -> None:
    topics = adapt(lda)
    assert lda.removed_top_words
    assert len(lda.used_vocabs) < len(lda.vocabs)
    used = set(lda.used_vocabs)
    assert topics.assignments is not None
    assert topics.vocabulary is not None
    assert topics.document_lengths is not None
    for (given, words), text, document, length in zip(
        topics.assignments, tokens, lda.docs, topics.document_lengths, strict=True
    ):
        kept = [(token, k) for token, k in zip(text, document.topics, strict=True) if token in used]
        assert [topics.vocabulary[word] for word in words] == [token for token, _ in kept]
        assert given.tolist() == [k for _, k in kept]
        assert length == len(kept)
    counts = np.bincount(topics.assignments.topics, minlength=6)
    assert counts.tolist() == list(lda.get_count_by_topics())


def test_dead_topics_are_left_out_and_ids_kept(hdp: Any, texts: list[str]) -> None:
    live = [k for k in range(hdp.k) if hdp.is_live_topic(k)]
    assert live != list(range(len(live)))  # else nothing is tested here
    topics = adapt(hdp)
    assert [topic.id for topic in topics.topics] == live
    expected = np.array([hdp.get_topic_word_dist(k) for k in live])
    np.testing.assert_array_equal(topics.topic_word, expected)
    theta = np.array([document.get_topic_dist() for document in hdp.docs])[:, live]
    np.testing.assert_array_equal(topics.document_topic, theta)
    assert topics.assignments is not None
    flat = np.concatenate([[k for k in document.topics if k >= 0] for document in hdp.docs])
    result = topics.assignments.topics
    assert [live[position] for position in result[result >= 0]] == flat.astype(int).tolist()
    scores = tealeaves.score(hdp, texts, "npmi@10")
    assert [row.topic for row in scores.rows if row.topic is not None] == live


def test_the_number_of_words(lda: Any) -> None:
    assert {len(topic.words) for topic in adapt(lda, top=7).topics} == {7}
    with pytest.raises(InputError, match="top must be a whole number of at least 1, not 0"):
        adapt(lda, top=0)


def test_documents_without_ids(tokens: list[list[str]]) -> None:
    model = tp.LDAModel(k=2, seed=1)
    for text in tokens[:5]:
        model.add_doc(text)
    model.train(2, workers=1)
    topics = adapt(model)
    assert topics.document_ids is None
    assert topics.documents == 5
    assert adapt(model, document_ids=list("abcde")).document_ids == tuple("abcde")


@pytest.mark.parametrize(
    ("kind", "settings", "topics", "shares"),
    [
        ("DMRModel", {"k": 3}, 3, True),
        ("CTModel", {"k": 3}, 3, True),
        ("PAModel", {"k1": 2, "k2": 3}, 3, True),  # subtopics have the words
        ("HPAModel", {"k1": 2, "k2": 3}, 6, False),  # a root, two supertopics, three subtopics
        ("HLDAModel", {"depth": 3}, None, False),  # its documents have levels
    ],
)
def test_other_models(
    kind: str, settings: dict[str, int], topics: int | None, shares: bool, tokens: list[list[str]]
) -> None:
    model = getattr(tp, kind)(seed=1, rm_top=2, **settings)
    for text in tokens[:30]:
        model.add_doc(text)
    model.train(5, workers=1)
    result = adapt(model)
    assert topics is None or len(result) == topics
    assert (result.document_topic is not None) == shares
    for topic in result.topics:
        assert topic.words == tuple(word for word, _ in model.get_topic_words(topic.id, top_n=25))
    if kind == "HLDAModel":
        assert result.assignments is not None
        assert result.assignments.topics.min() >= 0


def test_a_model_of_time_points_is_an_error_that_says_what_to_do(tokens: list[list[str]]) -> None:
    model = tp.DTModel(k=2, t=2, seed=1)
    for number, text in enumerate(tokens[:6]):
        model.add_doc(text, timepoint=number % 2)
    model.train(1, workers=1)
    with pytest.raises(InputError, match=r"for each time point: .* adapt\(topic_word=") as caught:
        adapt(model)
    assert "timepoint=t" in str(caught.value)
    phi = [model.get_topic_word_dist(k, timepoint=1) for k in range(model.k)]
    assert len(adapt(topic_word=phi, vocabulary=model.used_vocabs)) == 2


def test_an_untrained_model() -> None:
    with pytest.raises(InputError, match="the model is not trained: call train first"):
        adapt(tp.LDAModel(k=2))


def test_unused_arguments_are_refused(lda: Any, texts: list[str]) -> None:
    with pytest.raises(InputError, match="a model of tomotopy takes no documents="):
        adapt(lda, documents=texts)
