from __future__ import annotations

import copy
from collections import Counter
from importlib.util import find_spec
from itertools import pairwise
from math import log
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

import tealeaves
from tealeaves import demo
from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.topics import adapt, read_models
from tealeaves.topics.adapters import bertopic as adapter

pytestmark = [
    pytest.mark.skipif(not find_spec("bertopic"), reason="bertopic is not installed"),
    # umap, below BERTopic, says so when it is imported
    pytest.mark.filterwarnings("ignore:Tensorflow not installed:ImportWarning"),
]


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [document.text for document in demo.corpus("en")]


@pytest.fixture(scope="module")
def embeddings(texts: list[str]) -> Any:
    weights = TfidfVectorizer(stop_words="english").fit_transform(texts)
    return TruncatedSVD(10, random_state=0).fit_transform(weights)


@pytest.fixture(scope="module")
def kmeans(texts: list[str], embeddings: Any) -> Any:
    from bertopic import BERTopic

    model = BERTopic(
        embedding_model=None,
        umap_model=PCA(5, random_state=0),
        hdbscan_model=KMeans(8, random_state=0, n_init=3),
        vectorizer_model=CountVectorizer(ngram_range=(1, 2), stop_words="english"),
    )
    return model.fit(texts, embeddings)


@pytest.fixture(scope="module")
def hdbscan(texts: list[str], embeddings: Any) -> Any:
    from bertopic import BERTopic

    model = BERTopic(
        embedding_model=None,
        umap_model=PCA(5, random_state=0),
        hdbscan_model=pytest.importorskip("hdbscan").HDBSCAN(
            min_cluster_size=5, cluster_selection_method="leaf", prediction_data=True
        ),
        vectorizer_model=CountVectorizer(stop_words="english"),
        calculate_probabilities=True,
    )
    return model.fit(texts, embeddings)


def words_and_weights(model: Any, k: int) -> tuple[tuple[str, ...], tuple[float, ...]]:
    pairs = [(word, float(weight)) for word, weight in model.get_topic(k) if word]
    return tuple(word for word, _ in pairs), tuple(weight for _, weight in pairs)


@pytest.mark.parametrize("kind", ["kmeans", "hdbscan"])
def test_words_weights_and_counts_are_those_of_the_model(
    kind: str, request: pytest.FixtureRequest
) -> None:
    model = request.getfixturevalue(kind)
    topics = adapt(model)
    assert topics.model == "bertopic"
    ids = [k for k in sorted(model.get_topics()) if k != -1]
    assert [topic.id for topic in topics.topics] == ids
    sizes = dict(model.get_topic_freq().itertuples(index=False))
    for topic in topics.topics:
        assert (topic.words, topic.weights) == words_and_weights(model, int(topic.id))
        assert topic.documents == sizes[topic.id]
    assert topics.outliers == sizes.get(-1, 0)
    table = model.c_tf_idf_.toarray()[model._outliers :]
    np.testing.assert_array_equal(topics.topic_word, table)
    assert topics.vocabulary == tuple(model.vectorizer_model.get_feature_names_out())


def test_outliers_are_documents_without_a_topic(hdbscan: Any) -> None:
    assert -1 in hdbscan.get_topics()  # else nothing is tested here
    topics = adapt(hdbscan)
    assert topics.best_topic is not None
    assert topics.best_topic.tolist() == list(hdbscan.topics_)  # ids are positions here
    assert topics.outliers == Counter(hdbscan.topics_)[-1] > 0
    np.testing.assert_array_equal(topics.document_topic, hdbscan.probabilities_)
    assert topics.document_topic is not None
    assert topics.document_topic.sum(axis=1).min() < 0.999  # the rest is noise: kept as it is


def test_without_probabilities_the_best_topic_is_known(kmeans: Any) -> None:
    topics = adapt(kmeans)
    assert topics.document_topic is None
    assert topics.best_topic is not None
    assert topics.best_topic.tolist() == list(kmeans.topics_)


def test_ids_that_do_not_follow_each_other_survive(hdbscan: Any, texts: list[str]) -> None:
    model = copy.copy(hdbscan)
    names = {-1: -1} | {k: 3 * k + 2 for k in hdbscan.get_topics() if k != -1}
    model.topic_representations_ = {names[k]: v for k, v in hdbscan.get_topics().items()}
    model.topics_ = [names[k] for k in hdbscan.topics_]
    topics = adapt(model)
    ids = [names[k] for k in sorted(hdbscan.get_topics()) if k != -1]
    assert [topic.id for topic in topics.topics] == ids
    assert topics.best_topic is not None
    assert topics.best_topic.tolist() == list(hdbscan.topics_)
    np.testing.assert_array_equal(topics.topic_word, adapt(hdbscan).topic_word)
    scores = tealeaves.score(model, texts, "npmi@10")
    assert [row.topic for row in scores.rows if row.topic is not None] == ids


def test_padding_is_dropped_and_a_topic_of_nothing_else_too(hdbscan: Any) -> None:
    model = copy.copy(hdbscan)
    empty, short = ("", 1e-05), 1
    model.topic_representations_ = dict(hdbscan.get_topics())
    model.topic_representations_[0] = [empty] * 10
    model.topic_representations_[short] = [*hdbscan.get_topic(short)[:3], *[empty] * 7]
    with pytest.warns(TealeavesWarning, match="bertopic: topic 0 has no words"):
        topics = adapt(model)
    assert [topic.id for topic in topics.topics][:2] == [1, 2]
    assert topics[0].words == words_and_weights(hdbscan, short)[0][:3]
    full = adapt(hdbscan)
    assert full.topic_word is not None
    assert full.document_topic is not None
    np.testing.assert_array_equal(topics.topic_word, full.topic_word[1:])
    np.testing.assert_array_equal(topics.document_topic, full.document_topic[:, 1:])
    assert topics.best_topic is not None
    expected = [k - 1 if k > 0 else -1 for k in hdbscan.topics_]
    assert topics.best_topic.tolist() == expected
    assert topics.outliers == expected.count(-1)


def test_word_pairs_are_looked_for_as_sequences(texts: list[str], embeddings: Any) -> None:
    from bertopic import BERTopic

    model = BERTopic(
        embedding_model=None,
        umap_model=PCA(5, random_state=0),
        hdbscan_model=KMeans(8, random_state=0, n_init=3),
        vectorizer_model=CountVectorizer(ngram_range=(2, 2), token_pattern=r"(?u)\b\w+\b"),
    ).fit(texts, embeddings)
    tokenize = tealeaves.Pipeline.parse("words").tokenizer()
    pairs = [set(pairwise(tokenize(text))) for text in texts]
    scores = tealeaves.score(model, texts, "npmi@2")
    values = {row.topic: row.value for row in scores.rows}
    compared = 0
    for topic in adapt(model).topics:
        one, other = (tuple(word.split()) for word in topic.words[:2])
        assert len(one) == len(other) == 2
        # NPMI = log(p(a,b) / (p(a) p(b))) / -log p(a,b), p the share of texts that have the pair
        n = len(texts)
        a, b = sum(one in text for text in pairs), sum(other in text for text in pairs)
        both = sum(one in text and other in text for text in pairs)
        if 0 < both < n:
            compared += 1
            by_hand = log(both * n / (a * b)) / -log(both / n)
            assert values[topic.id] == pytest.approx(by_hand)
    assert compared > 3


def test_weights_can_be_divided_by_their_sum(kmeans: Any) -> None:
    weights, divided = adapt(kmeans).topic_word, adapt(kmeans, normalize=True).topic_word
    assert weights is not None
    np.testing.assert_allclose(np.asarray(divided), weights / weights.sum(axis=1)[:, None])


def test_a_matrix_that_is_too_large_is_left_out(
    kmeans: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapter, "CELLS", 1000)
    with pytest.warns(TealeavesWarning, match=r"without its topic-word matrix.*too many to hold"):
        topics = adapt(kmeans)
    assert topics.topic_word is None
    assert topics[0].words == words_and_weights(kmeans, 0)[0]


def test_weights_of_other_topics_are_left_out(kmeans: Any) -> None:
    model = copy.copy(kmeans)
    model.c_tf_idf_ = sp.vstack([kmeans.c_tf_idf_, kmeans.c_tf_idf_[:1]])
    with pytest.warns(TealeavesWarning, match="c-TF-IDF has 9 rows for 8 topics"):
        assert adapt(model).topic_word is None
    model.c_tf_idf_ = None  # as in merged models
    assert adapt(model).topic_word is None


def test_rows_of_other_topics_are_left_out(hdbscan: Any) -> None:
    model = copy.deepcopy(hdbscan)
    model.delete_topics([2])
    with pytest.warns(TealeavesWarning, match="the rows of c-TF-IDF are not those of the topics"):
        topics = adapt(model)
    assert topics.topic_word is None
    for topic in topics.topics:
        assert (topic.words, topic.weights) == words_and_weights(model, int(topic.id))


def test_merged_topics(hdbscan: Any, texts: list[str]) -> None:
    model = copy.deepcopy(hdbscan)
    model.merge_topics(texts, [1, 2])
    topics = adapt(model)
    assert topics.topic_word is not None
    for topic, row in zip(topics.topics, topics.topic_word, strict=True):
        assert topic.weights is not None
        assert topic.weights[0] == row.max()
    np.testing.assert_array_equal(topics.document_topic, model.probabilities_)


def test_an_unfitted_model() -> None:
    from bertopic import BERTopic

    with pytest.raises(InputError, match="bertopic: the model is not fitted: call fit first"):
        adapt(BERTopic(embedding_model=None))


def test_all_outliers(kmeans: Any) -> None:
    model = copy.copy(kmeans)
    model.topic_representations_, model.topics_ = {-1: [("a", 1.0)]}, [-1]
    with pytest.raises(InputError, match="all documents are outliers"):
        adapt(model)


def test_models_are_scored_as_they_are(kmeans: Any, hdbscan: Any, texts: list[str]) -> None:
    alone = tealeaves.score(kmeans, texts, "npmi@10")
    assert {row.model for row in alone.rows} == {"bertopic"}
    both = tealeaves.score([kmeans, hdbscan], texts, "npmi@10")
    assert {row.model for row in both.rows} == {"bertopic 1", "bertopic 2"}
    label = both.rows[0].metric
    assert both.value("bertopic 1", label) == alone.value("bertopic", label)
    weighted = tealeaves.score(hdbscan, texts, "npmi@10", weight="documents")
    assert "weight=documents" in weighted.rows[-1].signature
    [renamed] = read_models({"mine": hdbscan})
    assert renamed.model == "mine"
    assert renamed.outliers == adapt(hdbscan).outliers


def test_a_vocabulary_of_another_size_is_an_error(kmeans: Any) -> None:
    with pytest.raises(InputError, match=r"bertopic: c-TF-IDF has \d+ columns for 2 words"):
        adapt(kmeans, vocabulary=["cat", "dog"])
