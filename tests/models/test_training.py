"""Training: what the topics of each model are."""

from __future__ import annotations

import sys
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tealeaves import demo
from tealeaves.errors import InputError, MissingExtraError, TealeavesWarning
from tealeaves.models import MODELS, model, train
from tealeaves.text import Pipeline
from tealeaves.topics.distributions import phi, theta

TEXTS = ["cat dog cat mouse", "dog cat mouse", "", "soup bread salt", "bread soup bread salt", "?"]


@pytest.mark.parametrize("name", MODELS)
def test_every_model_keeps_the_rows_of_the_corpus(name: str) -> None:
    size = {"k": 2} if "k" in model(name).accepts else {}
    topics = train(model(name)(iterations=200, max_df=0.5, **size), TEXTS)
    assert topics.documents == 6
    assert topics.document_ids is None
    assert topics.document_lengths is not None
    assert topics.document_lengths.tolist() == [4, 3, 0, 3, 4, 0]
    shares = theta(topics)
    assert shares[[2, 5]].sum() == 0
    assert np.allclose(shares[[0, 1, 3, 4]].sum(axis=1), 1)
    assert np.allclose(phi(topics).sum(axis=1), 1)
    counts = topics.documents_per_topic()
    assert counts is not None
    assert (sum(counts[0]), counts[1]) == (4, 2)
    assert topics.vocabulary is not None
    assert topics.term_frequency is not None
    frequency = dict(zip(topics.vocabulary, topics.term_frequency.tolist(), strict=True))
    assert frequency == {"cat": 3, "dog": 2, "mouse": 2, "soup": 2, "bread": 3, "salt": 2}
    assert topics.model == model(name)(**size).label


@pytest.mark.parametrize("name", ["lda", "nmf", "lda_vb", "pltm"])
def test_two_themes_are_two_topics(name: str) -> None:
    topics = train(name, TEXTS * 10, k=2, max_df=1, seed=3)
    themes = {frozenset(topic.words[:3]) for topic in topics.topics}
    assert themes == {frozenset(["cat", "dog", "mouse"]), frozenset(["soup", "bread", "salt"])}


def test_tokens_are_assigned_in_their_order() -> None:
    topics = train("lda", TEXTS, k=2, iterations=50)
    assert topics.assignments is not None
    assert topics.vocabulary is not None
    rows = [[topics.vocabulary[w] for w in words.tolist()] for _, words in topics.assignments]
    assert rows == [text.replace("?", "").split() for text in TEXTS]
    # θ is what the assignments say: (n_dt + α) / (n_d + Kα)
    shares = theta(topics)
    for row, (assigned, _) in enumerate(topics.assignments):
        if len(assigned):
            counted = np.bincount(assigned, minlength=2)
            expected = (counted + 0.05) / (len(assigned) + 2 * 0.05)
            assert np.allclose(shares[row], expected, atol=1e-6)


def test_a_sampled_phi_is_what_its_tokens_say() -> None:
    topics = train("lda", TEXTS, k=2, iterations=50, eta=0.3)
    assert topics.assignments is not None
    counts = np.zeros((2, 6))
    np.add.at(counts, (topics.assignments.topics, topics.assignments.words), 1)
    expected = (counts + 0.3) / (counts.sum(axis=1, keepdims=True) + 6 * 0.3)
    assert np.allclose(phi(topics), expected, atol=1e-6)


@pytest.mark.parametrize("name", ["lda", "nmf"])
def test_the_seed_decides(name: str) -> None:
    one, same, other = (train(name, demo.corpus("en"), k=4, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(phi(one), phi(same))
    assert np.array_equal(theta(one), theta(same))
    assert not np.array_equal(phi(one), phi(other))


def test_samples_do_not_change_the_chain() -> None:
    plain = train("lda", demo.corpus("en"), k=4, iterations=90)
    kept = train("lda", demo.corpus("en"), k=4, iterations=90, samples=7)
    assert np.array_equal(phi(plain), phi(kept))
    assert kept.samples is not None
    assert kept.samples.shape[:2] == (7, 4)
    assert np.allclose(kept.samples.sum(axis=2), 1)
    assert np.allclose(kept.samples[-1], phi(kept))  # the last is the end of the chain
    assert not np.array_equal(kept.samples[0], kept.samples[1])
    assert kept.family == plain.family == "lda(k=4, iterations=90)"


def test_nmf_is_that_of_scikit_learn() -> None:
    from sklearn.decomposition import NMF
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = [document.text for document in demo.corpus("en")]
    ours = train("nmf", texts, k=8, tokens="words", init="nndsvda", seed=5)
    split = Pipeline.parse("words").tokenizer()
    vectorizer = TfidfVectorizer(analyzer=split, min_df=2, max_df=0.5)
    matrix = vectorizer.fit_transform(texts)
    theirs = NMF(8, init="nndsvda", random_state=5, max_iter=1000)
    weights = theirs.fit_transform(matrix)
    assert ours.vocabulary == tuple(vectorizer.get_feature_names_out())
    sums = theirs.components_.sum(axis=1)
    assert np.allclose(phi(ours), theirs.components_ / sums[:, None])
    shares = weights * sums
    assert np.allclose(theta(ours), shares / shares.sum(axis=1, keepdims=True))


def test_lda_is_that_of_tomotopy() -> None:
    import tomotopy

    texts = [document.text for document in demo.corpus("en")]
    ours = train("lda", texts, k=8, tokens="words", max_df=1, min_df=1, iterations=60, seed=5)
    split = Pipeline.parse("words").tokenizer()
    theirs = tomotopy.LDAModel(k=8, alpha=0.05, eta=0.2, seed=5)
    for text in texts:
        theirs.add_doc(split(text))
    theirs.optim_interval = 0
    theirs.train(60, workers=1)
    for number, topic in enumerate(ours.topics):
        assert list(topic.words[:10]) == [word for word, _ in theirs.get_topic_words(number)]


def test_texts_that_say_their_language_lose_its_stop_words() -> None:
    topics = train("nmf", demo.corpus("es"), k=2)
    assert topics.vocabulary is not None
    assert not {"que", "los", "una"} & set(topics.vocabulary)
    silent = train("nmf", [d.text for d in demo.corpus("es")], k=2, max_df=1)
    assert silent.vocabulary is not None
    assert {"que", "los", "una"} <= set(silent.vocabulary)


class Lazy:
    """An estimator whose second topic comes out empty."""

    components_ = np.array([[3.0, 1.0], [0.0, 0.0]])

    def fit_transform(self, matrix: Any) -> Any:
        return np.ones((matrix.shape[0], 2))


def test_topics_without_words_are_left_out() -> None:
    lazy = replace(model("nmf(k=2, max_df=1)"), make=lambda *_: Lazy())  # type: ignore[call-arg]
    with pytest.warns(TealeavesWarning, match="1 of 2 topics have no words and are left out"):
        topics = train(lazy, ["cat dog", "cat dog"])
    assert [topic.words for topic in topics.topics] == [("cat", "dog")]
    assert phi(topics).tolist() == [[0.75, 0.25]]
    assert theta(topics).tolist() == [[1.0], [1.0]]


def test_what_does_not_settle_says_so() -> None:
    with pytest.warns(TealeavesWarning, match="not converged after 1 iterations"):
        train("nmf", demo.corpus("en"), k=8, iterations=1)


class Chatty(Lazy):
    """An estimator that warns of something else than its iterations."""

    def fit_transform(self, matrix: Any) -> Any:
        warnings.warn("the matrix is odd", UserWarning, stacklevel=1)
        return super().fit_transform(matrix)


def test_other_warnings_pass_as_they_are() -> None:
    chatty = replace(model("nmf(k=2, max_df=1)"), make=lambda *_: Chatty())  # type: ignore[call-arg]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        train(chatty, ["cat dog", "cat dog"])
    assert [str(one.message) for one in caught] == [
        "the matrix is odd",
        "nmf(k=2, max_df=1): 1 of 2 topics have no words and are left out",
    ]


@pytest.mark.parametrize(
    ("name", "module", "package"),
    [("lda", "tomotopy", "tomotopy"), ("nmf", "sklearn.decomposition", "scikit-learn")],
)
def test_a_missing_package_is_named_before_texts_are_read(
    name: str, module: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError) as caught:
        train(name, "no-such-file.txt")
    expected = f'training {name} needs the package {package}: pip install "tealeaves[models]"'
    assert str(caught.value) == expected


@pytest.mark.parametrize(
    ("texts", "message"),
    [([], "it holds no documents"), (["?", "!"], "none of its 2 documents has a token")],
)
def test_an_empty_corpus_is_an_error(texts: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        train("lda", texts)
