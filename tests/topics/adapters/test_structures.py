"""Plain arrays, word lists, weighted words, and the arguments of ``adapt``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.topics import Topics, adapt, read_models

WORDS = ["cat", "dog", "soup"]
PHI = np.array([[0.7, 0.2, 0.1], [0.0, 0.4, 0.6]])
THETA = np.array([[0.9, 0.1], [0.2, 0.8], [0.0, 0.0], [0.5, 0.5]])


@pytest.mark.parametrize("make", [np.asarray, sp.csr_matrix, sp.csr_array, np.ndarray.tolist])
@pytest.mark.parametrize("turned", [False, True])
def test_a_matrix_with_its_vocabulary(make: Any, turned: bool) -> None:
    for model, parts in (
        (make(PHI.T if turned else PHI), {}),
        (None, {"topic_word": make(PHI.T if turned else PHI)}),
    ):
        theta = THETA.T if turned else THETA
        topics = adapt(model, vocabulary=WORDS, document_topic=theta, name="mine", **parts)
        assert topics.model == "mine"
        np.testing.assert_array_equal(topics.topic_word, PHI)
        np.testing.assert_array_equal(topics.document_topic, THETA)
        assert [topic.words for topic in topics.topics] == [("cat", "dog", "soup"), ("soup", "dog")]
        assert topics[0].weights == (0.7, 0.2, 0.1)


def test_all_arguments_together() -> None:
    topics = adapt(
        PHI,
        vocabulary=WORDS,
        document_topic=THETA,
        document_ids=list("abcd"),
        document_lengths=[1, 2, 0, 3],
        term_frequency=[3, 2, 1],
        topic_ids=["pets", 7],
        top=1,
        language="en",
    )
    assert [(topic.id, topic.words) for topic in topics.topics] == [
        ("pets", ("cat",)),
        (7, ("soup",)),
    ]
    assert topics.document_ids == tuple("abcd")
    assert topics.language == "en"
    assert topics.term_frequency is not None
    assert topics.term_frequency.tolist() == [3, 2, 1]
    assert topics.documents_per_topic() == ([2, 1], 1)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({}, "needs its vocabulary=, or vectorizer="),
        (
            {"vocabulary": WORDS[:2], "topic_ids": [1, 2, 3, 4]},
            r"is 2×3, but there are 4 topics and 2",
        ),
        ({"vocabulary": [*WORDS, "x"]}, r"the topic-word matrix is 2×3, but there are 4 words"),
        ({"vocabulary": WORDS, "topic_word_axes": "words topics"}, "axes is 'words topics'"),
        ({"vocabulary": WORDS, "document_topic": THETA[:, :1]}, r"is 4×1, but there are 2 topics"),
        (
            {"vocabulary": WORDS, "document_topic": THETA * 3},
            r"row \d of the document-topic matrix",
        ),
        ({"vocabulary": WORDS, "document_topic": -THETA}, "document-topic matrix holds negative"),
        (
            {"vocabulary": WORDS, "document_topic": THETA, "document_ids": ["a"]},
            r"document-topic matrix is 4×2, but there are 1 documents and 2 topics",
        ),
    ],
)
def test_arguments_that_do_not_fit_are_an_error(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"model: .*{message}"):
        adapt(PHI, **parts)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (-PHI, "the topic-word matrix holds negative or non-finite numbers"),
        (PHI * 2, r"row \d of the topic-word matrix sums to 2, not to 1: .* normalize=True"),
        (PHI * [[1], [0]], "row 1 of the topic-word matrix is all zeros"),
        (PHI[0], "the topic-word matrix has 1 dimensions, not 2"),
        (np.full((3, 3), 1 / 3), "is 3×3, which may be topics × words or the reverse: say"),
    ],
)
def test_a_wrong_matrix_is_an_error(matrix: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        adapt(matrix, vocabulary=WORDS)


def test_weights_are_divided_on_request() -> None:
    topics = adapt(PHI * 5, vocabulary=WORDS, document_topic=THETA * 2, normalize=True)
    np.testing.assert_allclose(np.asarray(topics.topic_word), PHI)
    np.testing.assert_allclose(np.asarray(topics.document_topic), THETA)


def test_sums_show_the_orientation_of_a_square_matrix_of_documents() -> None:
    square = np.array([[0.9, 0.1], [0.0, 0.0]])  # a document without a topic sums to 0
    for given_ in (square, square.T):
        topics = adapt(PHI, vocabulary=WORDS, document_topic=given_)
        np.testing.assert_array_equal(topics.document_topic, square)


@given(st.integers(2, 6), st.integers(2, 6), st.integers(0, 99))
def test_the_words_of_most_weight_come_first(topics: int, words: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    phi = rng.dirichlet(np.ones(words), size=topics)
    names = [f"w{number}" for number in range(words)]
    result = adapt(phi, vocabulary=names, topic_word_axes="topics words", top=3)
    for topic, row in zip(result.topics, phi, strict=True):
        expected = sorted(names, key=lambda name: -row[int(name[1:])])[:3]
        assert list(topic.words) == expected


def test_nothing_to_adapt() -> None:
    with pytest.raises(InputError, match="nothing to adapt: give a model, or topic_word="):
        adapt()


def test_an_unknown_object_is_an_error_that_lists_the_adapters() -> None:
    class Wonder: ...

    message = (
        r"no adapter knows a Wonder: known are BERTopic, .*, gensim, .* word lists, .* always work"
    )
    with pytest.raises(InputError, match=message):
        adapt(Wonder())
    with pytest.raises(InputError, match=message):
        read_models({"a": Wonder()})
    with pytest.raises(InputError, match=message):
        read_models([{"topics": [["cat"]], "topic-word-matrix": PHI}, Wonder()])
    with pytest.raises(InputError, match="no adapter knows a str; read_topics reads files"):
        adapt("model.json")


def test_word_lists_are_topics() -> None:
    lists = [["cat", "dog"], ["soup", "bread"]]
    many = [[f"w{number}" for number in range(50)]]
    assert adapt(lists) == Topics.of(lists)
    assert adapt({7: ["cat"]})[0].id == 7
    assert len(adapt(many)[0].words) == 50
    assert len(adapt(many, top=5)[0].words) == 5
    assert adapt(lists, topic_ids=["a", "b"])[1].id == "b"
    with pytest.raises(InputError, match="1 topic_ids for 2 topics"):
        adapt(lists, topic_ids=["a"])


def test_word_lists_with_matrices() -> None:
    lists = [["cat", "dog"], ["soup", "dog"]]
    topics = adapt(lists, topic_word=PHI.T, vocabulary=WORDS, document_topic=THETA)
    assert [list(topic.words) for topic in topics.topics] == lists
    np.testing.assert_array_equal(topics.topic_word, PHI)
    np.testing.assert_array_equal(topics.document_topic, THETA)
    with pytest.raises(InputError, match="a topic-word matrix needs its vocabulary="):
        adapt(lists, topic_word=PHI)
    with pytest.raises(InputError, match="arrays take no documents="):
        adapt(PHI, vocabulary=WORDS, documents=["a"])
    with pytest.raises(InputError, match="two topic-word matrices are given"):
        adapt(PHI, vocabulary=WORDS, topic_word=PHI)


def test_topics_are_returned_unchanged() -> None:
    topics = Topics.of([["cat", "dog"]], model="a")
    assert adapt(topics) is topics
    assert adapt(topics, name="b").model == "b"


@pytest.mark.parametrize(
    ("model", "said", "message"),
    [
        (Topics.of([["cat"]]), {"top": 1}, "topics take no top="),
        (Topics.of([["cat"]]), {"language": "en"}, "topics take no language="),
        (Topics.of([["cat"]]), {"document_topic": THETA}, "topics take no document_topic="),
        ([["cat"]], {"documents": ["a text"]}, "word lists take no documents="),
        ([["cat"]], {"vectorizer": object()}, "word lists take no vectorizer="),
        ([["cat"]], {"vocabulary": ["cat"]}, "word lists take no vocabulary="),
        ({0: [("cat", 0.5)]}, {"documents": ["a"]}, "weighted words take no documents="),
    ],
)
def test_arguments_without_effect_are_refused(
    model: Any, said: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        adapt(model, **said)


@pytest.mark.parametrize("top", [0, -1, 2.5, True])
def test_top_is_a_number_of_words(top: Any) -> None:
    with pytest.raises(InputError, match=f"top must be a whole number of at least 1, not {top}"):
        adapt(PHI, vocabulary=WORDS, top=top)


def test_a_word_has_one_column() -> None:
    with pytest.raises(InputError, match="mine: the vocabulary has the word 'dog' more than once"):
        adapt(PHI, vocabulary=["cat", "dog", "dog"], name="mine")


def test_a_tensor_is_an_array() -> None:
    torch = pytest.importorskip("torch")
    phi = torch.tensor(PHI, requires_grad=True)
    for topics in (
        adapt(phi, vocabulary=WORDS, document_topic=torch.tensor(THETA)),
        adapt(topic_word=phi, vocabulary=WORDS, document_topic=torch.tensor(THETA)),
    ):
        np.testing.assert_array_equal(topics.topic_word, PHI)
        np.testing.assert_array_equal(topics.document_topic, THETA)


def test_sums_near_one_are_kept_unless_normalize_is_given() -> None:
    rounded = np.array([[0.333, 0.333, 0.333], [0.5, 0.25, 0.25]])
    kept = adapt(rounded, vocabulary=WORDS)
    np.testing.assert_array_equal(kept.topic_word, rounded)
    divided = adapt(rounded, vocabulary=WORDS, normalize=True)
    np.testing.assert_allclose(np.asarray(divided.topic_word)[0], 1 / 3, rtol=1e-15)


def test_weighted_words_as_bertopic_returns_them() -> None:
    """As ``get_topics()``: the outliers first, and padding of empty words."""
    given_ = {
        -1: [("the", 0.1), ("of", 0.1)],
        0: [("cat", 0.5), ("dog", np.float64(0.25))],
        3: [("soup", 0.75), ("", 1e-05)],
    }
    topics = adapt(given_)
    assert [(topic.id, topic.words, topic.weights) for topic in topics.topics] == [
        (0, ("cat", "dog"), (0.5, 0.25)),
        (3, ("soup",), (0.75,)),
    ]
    assert adapt(given_, top=1)[0].words == ("cat",)
    assert read_models(given_) == [topics]
    assert [model.model for model in read_models({"a": given_, "b": [["cat"]]})] == ["a", "b"]
    with pytest.raises(InputError, match="all documents are outliers"):
        adapt({-1: [("the", 0.1)]})


def test_a_warning_points_to_the_line_that_asked() -> None:
    with pytest.warns(TealeavesWarning, match="topic 1 has no words") as caught:
        adapt({0: [("cat", 0.5)], 1: [("", 0.5)]})
    assert caught[0].filename == __file__


def test_a_table_of_strings_is_word_lists() -> None:
    table = np.array([["cat", "dog"], ["soup", "bread"]])
    expected = Topics.of([["cat", "dog"], ["soup", "bread"]])
    assert read_models(table) == [expected]
    assert read_models({"model": table}) == [expected]
    assert [model.model for model in read_models([table, table])] == ["model 1", "model 2"]
    assert read_models(list(table)) == [expected]


def test_a_matrix_among_models_needs_its_vocabulary() -> None:
    with pytest.raises(InputError, match="needs its vocabulary="):
        read_models([PHI, PHI])
    with pytest.raises(InputError, match="needs its vocabulary="):
        read_models(PHI.tolist())
