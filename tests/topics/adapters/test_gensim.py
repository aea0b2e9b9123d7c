from __future__ import annotations

import copy
import re
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import tealeaves
from tealeaves import demo
from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.topics import adapt, read_models

Corpus = list[list[tuple[int, int]]]

pytestmark = [
    pytest.mark.skipif(not find_spec("gensim"), reason="gensim is not installed"),
    # BLAS may set the flag for invalid values where it reads beyond what it needs; numpy says so
    pytest.mark.filterwarnings("ignore:invalid value encountered in dot:RuntimeWarning"),
]


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [document.text for document in demo.corpus("en")]


@pytest.fixture(scope="module")
def tokens() -> list[list[str]]:
    """The longer words of each text, most of which have a meaning of their own."""
    return [re.findall(r"[a-z]{5,}", document.text.lower()) for document in demo.corpus("en")]


@pytest.fixture(scope="module")
def dictionary(tokens: list[list[str]]) -> Any:
    from gensim.corpora import Dictionary

    result = Dictionary(tokens)
    result.filter_extremes(no_below=2, no_above=0.5)
    return result


@pytest.fixture(scope="module")
def corpus(dictionary: Any, tokens: list[list[str]]) -> Corpus:
    return [dictionary.doc2bow(text) for text in tokens]


@pytest.fixture(scope="module")
def lda(dictionary: Any, corpus: Corpus) -> Any:
    from gensim.models import LdaModel

    return LdaModel(corpus, id2word=dictionary, num_topics=5, passes=3, random_state=1)


@pytest.fixture(scope="module")
def nmf(dictionary: Any, corpus: Corpus) -> Any:
    from gensim.models.nmf import Nmf

    return Nmf(corpus, id2word=dictionary, num_topics=4, random_state=1)


@pytest.fixture(scope="module")
def hdp(dictionary: Any, corpus: Corpus) -> Any:
    from gensim.models import HdpModel

    return HdpModel(corpus, dictionary, T=12, K=4, random_state=1)


@pytest.mark.parametrize("kind", ["lda", "nmf", "hdp"])
def test_topics_are_those_of_the_model(kind: str, request: pytest.FixtureRequest) -> None:
    model = request.getfixturevalue(kind)
    topics = adapt(model)
    np.testing.assert_allclose(np.asarray(topics.topic_word), model.get_topics(), rtol=1e-12)
    assert topics.vocabulary == tuple(model.id2word[n] for n in range(len(model.id2word)))
    shown = model.show_topics(num_topics=len(topics), num_words=25, formatted=False)
    assert len(shown) == len(topics)
    for topic, (number, pairs) in zip(topics.topics, sorted(shown), strict=True):
        assert topic.id == number
        weights = [float(weight) for _, weight in pairs]
        np.testing.assert_allclose(np.asarray(topic.weights), np.asarray(weights), rtol=1e-5)
        column = {word: number for number, word in model.id2word.items()}
        for own, (word, _) in zip(topic.words, pairs, strict=True):  # words of one weight may swap
            assert model.get_topics()[number][column[own]] == pytest.approx(
                model.get_topics()[number][column[word]], rel=1e-5
            )


def test_names(lda: Any, nmf: Any) -> None:
    assert adapt(lda).model == "gensim LdaModel"
    assert adapt(nmf).model == "gensim Nmf"
    assert adapt(nmf, name="mine").model == "mine"


@pytest.mark.parametrize("kind", ["lda", "nmf"])
def test_documents_are_inferred_by_the_model(
    kind: str, corpus: Corpus, request: pytest.FixtureRequest
) -> None:
    model = request.getfixturevalue(kind)
    bags: Corpus = [*corpus[:20], []]
    # inference draws random numbers: the same ones for both
    one, other = copy.deepcopy(model), copy.deepcopy(model)
    topics = adapt(one, documents=bags)
    assert topics.document_topic is not None
    assert topics.document_topic.shape == (21, len(topics))
    for row, bag in zip(topics.document_topic, bags, strict=True):
        expected = np.zeros(len(topics))
        for topic, share in other.get_document_topics(bag, minimum_probability=0):
            expected[topic] = share
        if kind == "nmf":  # what φ is divided by belongs to the documents
            expected *= model.get_topics(normalize=False).sum(axis=1)
            expected /= expected.sum() or 1.0
        np.testing.assert_allclose(row, expected, rtol=1e-6)
    assert topics.document_lengths is not None
    assert topics.document_lengths.tolist() == [sum(count for _, count in bag) for bag in bags]


def test_documents_of_a_hdp_model(hdp: Any, corpus: Corpus) -> None:
    topics = adapt(hdp, documents=corpus[:10])
    assert topics.document_topic is not None
    for row, bag in zip(topics.document_topic, corpus[:10], strict=True):
        expected = dict(hdp.__getitem__(bag, eps=0.0))
        np.testing.assert_allclose(row, [expected[k] for k in range(len(topics))], atol=1e-9)


def test_frequencies_are_those_of_the_dictionary(lda: Any, corpus: Corpus, dictionary: Any) -> None:
    topics = adapt(lda, documents=corpus)
    assert topics.term_frequency is not None
    assert topics.term_frequency.tolist() == [dictionary.cfs[n] for n in range(len(dictionary))]


@pytest.mark.parametrize(
    "wrong", ["a text", ["a text"], [["a", "list", "of", "tokens"]], [[(0, 1, 2)]]]
)
def test_documents_must_be_bags_of_words(wrong: Any, lda: Any) -> None:
    with pytest.raises(InputError, match=r"are its bag-of-words corpus, \[dictionary\.doc2bow"):
        adapt(lda, documents=wrong)


def test_documents_of_another_dictionary(lda: Any) -> None:
    with pytest.raises(InputError, match="a document has word 1000000, but the model has "):
        adapt(lda, documents=[[(10**6, 1)]])


def test_latent_semantic_indexing_has_no_topics(dictionary: Any, corpus: Corpus) -> None:
    from gensim.models import LsiModel

    model = LsiModel(corpus, id2word=dictionary, num_topics=3)
    with pytest.raises(InputError, match="a LsiModel has negative numbers"):
        adapt(model)


def test_time_slices_are_an_error_that_says_what_to_do(dictionary: Any, corpus: Corpus) -> None:
    from gensim.models import LdaSeqModel

    model = LdaSeqModel(id2word=dictionary, num_topics=2, time_slice=[4, 4], initialize="none")
    model.topic_chains = []
    with pytest.raises(InputError, match=r"for each time slice: .* model\.dtm_vis\(time, corpus\)"):
        adapt(model)


def test_a_word_that_the_dictionary_lacks_is_an_error(lda: Any) -> None:
    model = copy.copy(lda)
    model.id2word = {0: "only"}
    with pytest.raises(
        InputError, match=r"gensim LdaModel: id2word has no word .* give vocabulary="
    ):
        adapt(model)


def test_a_model_without_words_says_so(corpus: Corpus) -> None:
    from gensim.models import LdaModel

    model = LdaModel(corpus[:5], num_topics=2, random_state=1)
    with pytest.warns(TealeavesWarning, match="gensim LdaModel: its words are numbers"):
        adapt(model)
    size = model.get_topics().shape[1]
    adapt(model, vocabulary=[f"w{number}" for number in range(size)])  # no warning


def test_the_factors_of_nmf_are_kept(nmf: Any, corpus: Corpus) -> None:
    """φᵀθ is W h of each document, but for its sum."""
    bags = corpus[:10]
    one, other = copy.deepcopy(nmf), copy.deepcopy(nmf)
    topics = adapt(one, documents=bags)
    made = np.asarray(topics.document_topic) @ np.asarray(topics.topic_word)
    for row, bag in zip(made, bags, strict=True):
        weights = np.zeros(len(topics))
        for topic, weight in other.get_document_topics(bag, minimum_probability=0):
            weights[topic] = weight
        expected = weights @ nmf.get_topics(normalize=False)
        np.testing.assert_allclose(row, expected / expected.sum(), rtol=1e-6)


def test_a_topic_without_weight_is_left_out(nmf: Any, corpus: Corpus) -> None:
    model = copy.deepcopy(nmf)
    model._W[:, 1] = 0.0
    with (
        np.errstate(invalid="ignore"),
        pytest.warns(TealeavesWarning, match="topic 1 has no words"),
    ):
        topics = adapt(model, documents=corpus[:5])
    assert [topic.id for topic in topics.topics] == [0, 2, 3]
    assert topics.document_topic is not None
    assert topics.document_topic.shape == (5, 3)


def test_a_model_of_authors_cannot_infer_documents(lda: Any, corpus: Corpus) -> None:
    class OfAuthors:
        """As AuthorTopicModel: ``get_document_topics`` is not implemented."""

        id2word = lda.id2word
        get_topics = lda.get_topics

        def get_document_topics(self, bag: Any, minimum_probability: float) -> None:
            raise NotImplementedError("use get_author_topics")

    assert len(adapt(OfAuthors())) == 5
    with pytest.raises(InputError, match="gensim OfAuthors: use get_author_topics"):
        adapt(OfAuthors(), documents=corpus)


def test_several_models_are_scored_together(lda: Any, nmf: Any, texts: list[str]) -> None:
    scores = tealeaves.score({"a": lda, "b": nmf}, texts, "npmi@10")
    assert {row.model for row in scores.rows} == {"a", "b"}
    assert [model.model for model in read_models([lda, nmf, lda])] == [
        "gensim LdaModel 1",
        "gensim Nmf",
        "gensim LdaModel 2",
    ]
