"""The topics of new documents."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from tealeaves import infer
from tealeaves.errors import InputError
from tealeaves.models import train
from tealeaves.text import Corpus, Document
from tealeaves.text.paired import PairedCorpus
from tealeaves.text.paired.links import LinkById
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topics

from .polylingual.planted import THEMES, planted, planted_tuples

PHI = np.array([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]])
TOY = Topics.of(
    [["a", "b", "c"], ["c", "b", "a"]], vocabulary=("a", "b", "c"), topic_word=PHI, model="toy"
)


@pytest.fixture(scope="module")
def topics() -> MultilingualTopics:
    """A model of planted topics."""
    trained = train("pltm(k=3, iterations=60, max_df=0.5)", planted(40))
    assert isinstance(trained, MultilingualTopics)
    return trained


def test_new_tuples_have_the_topics_of_their_themes(topics: MultilingualTopics) -> None:
    assert topics.document_topic is not None
    of_theme = topics.document_topic[:THEMES].argmax(axis=1)  # the first tuples' themes are 0 1 2
    new = planted(12, seed=9, lacking=4)
    theta = infer(topics, new)
    assert theta.shape == (12, 3)
    assert np.allclose(theta.sum(axis=1), 1)
    assert theta.argmax(axis=1).tolist() == [of_theme[row % THEMES] for row in range(12)]
    swedish = [sides["sv"] for sides in planted_tuples(12, seed=9)]
    alone = infer(topics, swedish, language="swe")
    assert alone.argmax(axis=1).tolist() == theta.argmax(axis=1).tolist()


def test_theta_is_that_of_the_posterior() -> None:
    text, alpha = "a b c c", 0.5
    words = [0, 1, 2, 2]
    # all 2**4 assignments of topics, by p(z) Π φ, with p(z) of the Dirichlet-multinomial: the
    # product over tokens of (tokens of that topic before + α) / (tokens before + Kα)
    expected, total = np.zeros(2), 0.0
    for topics_of_tokens in product(range(2), repeat=4):
        weight, counts = 1.0, np.zeros(2)
        for word, topic in zip(words, topics_of_tokens, strict=True):
            weight *= (counts[topic] + alpha) / (counts.sum() + 2 * alpha) * PHI[topic, word]
            counts[topic] += 1
        expected += weight * (counts + alpha) / (4 + 2 * alpha)
        total += weight
    theta = infer(TOY, [text], alpha=alpha, iterations=100_000)[0]
    assert theta == pytest.approx(expected / total, abs=0.01)


def test_documents_without_known_words_have_no_topic() -> None:
    theta = infer(TOY, ["a x", "x y", ""])
    assert theta[1:].tolist() == [[0, 0], [0, 0]]
    assert theta[0].sum() == pytest.approx(1)


def test_words_that_no_topic_has_are_not_known() -> None:
    phi = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    bare = Topics.of([["a"], ["b"]], vocabulary=("a", "b", "c"), topic_word=phi)
    assert infer(bare, ["c", "c a"], seed=2).argmax(axis=1).tolist() == [0, 0]
    assert infer(bare, ["c"]).tolist() == [[0, 0]]


def test_other_documents_change_nothing() -> None:
    texts = ["a b c", "b b", "c a a b"]
    together = infer(TOY, texts)
    assert np.array_equal(together[[2, 0]], infer(TOY, [texts[2], texts[0]]))


def test_the_seed_decides_and_threads_do_not_show() -> None:
    texts = ["a b c", "b b", "c a a b"] * 20
    one = infer(TOY, texts, threads=1, iterations=20)
    assert np.array_equal(one, infer(TOY, texts, threads=3, iterations=20))
    assert not np.array_equal(one, infer(TOY, texts, seed=2, iterations=20))


def test_alpha_is_one_number_or_one_for_each_topic() -> None:
    texts = ["b"] * 50
    assert np.array_equal(infer(TOY, texts, alpha=0.1), infer(TOY, texts, alpha=[0.1, 0.1]))
    leaning = infer(TOY, texts, alpha=[5.0, 0.05]).mean(axis=0)
    assert leaning[0] > 0.9


def test_tokens_are_those_of_the_model() -> None:
    made = Topics.of(
        [["A-b"], ["c"]], vocabulary=("A-b", "c"), topic_word=[[1, 0], [0, 1]], tokens="tokens"
    )
    assert infer(made, ["A-b A-b A-b", "C"]).round().tolist() == [[1, 0], [0, 0]]


def test_rows_are_those_of_the_tuples(topics: MultilingualTopics) -> None:
    texts = planted_tuples(6, seed=5)
    sides = {
        "sv": Corpus.of([Document(texts[row]["sv"], id=f"d{row}") for row in (5, 1, 3)]),
        "eng": Corpus.of([Document(texts[row]["en"], id=f"d{row}") for row in (0, 1, 5)]),
    }
    paired = PairedCorpus(sides)
    theta = infer(topics, paired)
    assert [key for key, _ in paired.tuples()] == ["d5", "d1", "d3", "d0"]
    alone = infer(topics, [texts[row]["en"] for row in (5, 1, 3, 0)], language="en")
    assert theta.argmax(axis=1).tolist() == alone.argmax(axis=1).tolist()


def test_tuples_without_a_language_of_the_model_have_rows(topics: MultilingualTopics) -> None:
    texts = planted_tuples(3, seed=5)
    turkish = [Document("merhaba", id=name) for name in ("d9", "d1", "", "d0")]
    english = [Document(one["en"], id=f"d{row}") for row, one in enumerate(texts)]
    paired = PairedCorpus({"tr": Corpus.of(turkish), "en": Corpus.of(english)}, links=LinkById())
    theta = infer(topics, paired)
    assert [key for key, _ in paired.tuples()] == ["d9", "d1", "", "d0", "d2"]
    alone = infer(topics, [texts[row]["en"] for row in (1, 0, 2)], language="en")
    np.testing.assert_array_equal(theta, [np.zeros(3), alone[0], np.zeros(3), *alone[1:]])


@pytest.mark.parametrize(
    ("model", "corpus", "known", "message"),
    [
        ("toy", planted(3), {}, "toy is in one language: give one side of the paired texts"),
        ("several", ["a"], {}, "is in en, sv: name the language of the texts, language='en'"),
        ("several", ["a"], {"language": "tr"}, "there are no topics in 'tr'"),
        ("toy", ["a"], {"alpha": [1, 2, 3]}, "one for each of 2 topics, not 3"),
        ("toy", ["a"], {"alpha": 0}, "alpha must be above 0"),
        ("toy", ["a"], {"iterations": 0}, "iterations must be at least 1, not 0"),
        ("words", ["a"], {}, "no topic-word matrix"),
        (
            "several",
            PairedCorpus.of([{"tr": "a", "zh": "b"}]),
            {},
            "is in en, sv, but the texts are in tr, zh",
        ),
    ],
)
def test_what_cannot_be_inferred_is_one_clear_line(
    topics: MultilingualTopics, model: str, corpus: Any, known: dict[str, Any], message: str
) -> None:
    models = {"toy": TOY, "several": topics, "words": Topics.of([["a"]])}
    with pytest.raises(InputError) as caught:
        infer(models[model], corpus, **known)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
