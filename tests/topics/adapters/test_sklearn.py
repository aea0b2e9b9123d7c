from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import NMF, LatentDirichletAllocation, MiniBatchNMF, TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.pipeline import Pipeline

import tealeaves
from tealeaves import demo
from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.topics import adapt, read_models


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [document.text for document in demo.corpus("en")]


@pytest.fixture(scope="module")
def counter(texts: list[str]) -> Any:
    return CountVectorizer(stop_words="english", min_df=2).fit(texts)


@pytest.fixture(scope="module")
def weigher(texts: list[str]) -> Any:
    return TfidfVectorizer(stop_words="english", min_df=2, ngram_range=(1, 2)).fit(texts)


@pytest.fixture(scope="module")
def lda(counter: Any, texts: list[str]) -> Any:
    model = LatentDirichletAllocation(5, max_iter=5, random_state=0)
    return model.fit(counter.transform(texts))


@pytest.fixture(scope="module")
def nmf(weigher: Any, texts: list[str]) -> Any:
    return NMF(4, random_state=0, init="nndsvd").fit(weigher.transform(texts))


def best_words(components: Any, words: Any, top: int = 25) -> list[tuple[str, ...]]:
    """As in scikit-learn's examples, but of equals the first."""
    return [tuple(words[np.argsort(-row, kind="stable")[:top]]) for row in components]


def test_lda(lda: Any, counter: Any, texts: list[str]) -> None:
    topics = adapt(lda, vectorizer=counter, documents=texts)
    assert topics.model == "scikit-learn LatentDirichletAllocation"
    phi = lda.components_ / lda.components_.sum(axis=1)[:, None]
    np.testing.assert_allclose(np.asarray(topics.topic_word), phi, rtol=1e-12)
    assert topics.vocabulary == tuple(counter.get_feature_names_out())
    expected = best_words(lda.components_, counter.get_feature_names_out())
    assert [topic.words for topic in topics.topics] == expected
    counts = counter.transform(texts)
    np.testing.assert_allclose(np.asarray(topics.document_topic), lda.transform(counts), rtol=1e-12)
    assert topics.document_lengths is not None
    assert topics.document_lengths.tolist() == counts.sum(axis=1).ravel().tolist()[0]
    assert topics.term_frequency is not None
    assert topics.term_frequency.tolist() == counts.sum(axis=0).ravel().tolist()[0]


def test_texts_and_their_matrix_are_the_same(lda: Any, counter: Any, texts: list[str]) -> None:
    counts = counter.transform(texts)
    expected = adapt((lda, counter), documents=texts).document_topic
    for documents in (counts, counts.toarray()):
        topics = adapt((lda, counter), documents=documents)
        np.testing.assert_array_equal(topics.document_topic, expected)
        assert topics.document_lengths is not None


def test_nmf(nmf: Any, weigher: Any, texts: list[str]) -> None:
    topics = adapt((nmf, weigher), documents=[*texts, "zzz"])
    phi = nmf.components_ / nmf.components_.sum(axis=1)[:, None]
    np.testing.assert_allclose(np.asarray(topics.topic_word), phi, rtol=1e-12)
    factors = nmf.transform(weigher.transform(texts))
    theta = topics.document_topic
    assert theta is not None
    # φᵀθ is W H of each document, divided by its sum
    whole = factors @ nmf.components_
    expected = whole / whole.sum(axis=1)[:, None]
    np.testing.assert_allclose(theta[:-1] @ np.asarray(topics.topic_word), expected, rtol=1e-9)
    np.testing.assert_allclose(theta[:-1].sum(axis=1), 1.0)
    assert not theta[-1].any()  # a text of none of the words has no topic
    assert topics.document_lengths is None  # TF-IDF has no counts
    assert any(" " in word for topic in topics.topics for word in topic.words)


def test_a_pair_in_any_order_is_one_model(lda: Any, counter: Any) -> None:
    expected = adapt(lda, vectorizer=counter)
    assert adapt((lda, counter)) == adapt((counter, lda)) == expected
    assert read_models((lda, counter)) == [expected]
    assert adapt(lda, vocabulary=list(counter.get_feature_names_out())) == expected


def test_a_pipeline(texts: list[str]) -> None:
    steps = [
        ("count", CountVectorizer(min_df=2)),
        ("weigh", TfidfTransformer()),
        ("nmf", MiniBatchNMF(3, random_state=0, tol=0)),
    ]
    pipeline = Pipeline(steps).fit(texts)
    topics = adapt(pipeline, documents=texts)
    assert topics.model == "scikit-learn MiniBatchNMF"
    words = pipeline["count"].get_feature_names_out()
    listed = [topic.words for topic in topics.topics]
    expected = best_words(pipeline["nmf"].components_, words)
    assert listed == [row[: len(own)] for row, own in zip(expected, listed, strict=True)]
    factors = pipeline.transform(texts) * pipeline["nmf"].components_.sum(axis=1)
    np.testing.assert_allclose(
        np.asarray(topics.document_topic), factors / factors.sum(axis=1)[:, None], rtol=1e-9
    )


def test_models_are_scored_in_a_mapping_and_in_a_list(
    lda: Any, nmf: Any, counter: Any, weigher: Any, texts: list[str]
) -> None:
    mapped = tealeaves.score({"a": (lda, counter), "b": (weigher, nmf)}, texts, "npmi@10")
    listed = tealeaves.score([(lda, counter), (weigher, nmf)], texts, "npmi@10")
    assert [row.value for row in mapped.rows] == [row.value for row in listed.rows]
    assert [row.model for row in mapped.rows][:1] == ["a"]


def test_a_model_without_its_words_is_an_error_that_says_what_to_do(lda: Any) -> None:
    message = r"does not know its words: give \(model, vectorizer\), adapt\(model, vectorizer="
    with pytest.raises(InputError, match=message):
        adapt(lda)
    with pytest.raises(InputError, match=message):
        read_models([lda, lda])
    with pytest.raises(InputError, match="no vectoriser"):
        adapt(lda, vectorizer=object())


def test_a_model_fitted_on_a_frame_knows_its_words() -> None:
    words = ["cat", "dog", "soup", "bread"]
    frame = pd.DataFrame([[3, 2, 0, 0], [0, 0, 2, 3], [1, 1, 0, 0]], columns=words)
    model = NMF(2, random_state=0, init="nndsvd").fit(frame)
    topics = adapt(model, documents=frame)
    assert topics.vocabulary == tuple(words)
    assert topics.document_lengths is not None
    assert topics.document_lengths.tolist() == [5, 5, 2]
    assert adapt(model, vocabulary=list("abcd")).vocabulary == tuple("abcd")


def test_a_vectoriser_of_other_words(lda: Any, weigher: Any) -> None:
    with pytest.raises(InputError, match=r"matrix is 5×\d+, but there are 5 topics and \d+ words"):
        adapt((lda, weigher))


def test_truncated_svd_is_refused(counter: Any, texts: list[str]) -> None:
    model = TruncatedSVD(4, random_state=0).fit(counter.transform(texts))
    with pytest.raises(InputError, match="a TruncatedSVD has negative numbers"):
        adapt((model, counter))


def test_an_unfitted_model(counter: Any) -> None:
    with pytest.raises(InputError, match="the model is not fitted"):
        adapt((NMF(3), counter))
    model = NMF(3)
    model.components_ = np.ones((3, 4))
    with pytest.raises(InputError, match=r"scikit-learn NMF: .*[Vv]ocabulary"):
        adapt((model, CountVectorizer()))


def test_one_text_is_not_taken_for_its_letters(lda: Any, counter: Any) -> None:
    with pytest.raises(InputError, match="give a list of texts"):
        adapt((lda, counter), documents="a text")


def test_a_component_of_zeros_is_no_topic(counter: Any, texts: list[str]) -> None:
    model = NMF(3, random_state=0).fit(counter.transform(texts))
    model.components_[1] = 0.0
    with pytest.warns(TealeavesWarning, match="topic 1 has no words"):
        topics = adapt((model, counter), documents=texts)
    assert [topic.id for topic in topics.topics] == [0, 2]
    assert topics.document_topic is not None
    assert topics.document_topic.shape == (128, 2)
