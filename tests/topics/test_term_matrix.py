"""The matrix of terms and topics."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.topics import MultilingualTopics, Topic, Topics
from tealeaves.topics.term_matrix import TERMS, saliency, term_matrix

WORDS = ("cat", "dog", "soup")
PHI = np.array([[0.5, 0.5, 0.0], [0.25, 0.25, 0.5]])


def with_phi(**more: Any) -> Topics:
    lists = [["cat", "dog"], ["soup", "cat"]]
    return Topics.of(lists, vocabulary=WORDS, topic_word=PHI, **more)


def random_topics(topics: int, vocabulary: int, seed: int = 0) -> Topics:
    phi = np.random.default_rng(seed).dirichlet(np.full(vocabulary, 0.05), topics)
    words = tuple(f"w{number}" for number in range(vocabulary))
    lists = [[words[place] for place in np.argsort(-row)[:10]] for row in phi]
    return Topics.of(lists, vocabulary=words, topic_word=phi)


def test_saliency_by_hand() -> None:
    # p(t) = 1/2 each. cat: p(w) = 3/8, p(t|w) = 2/3, 1/3:
    # 3/8 (2/3 log 4/3 + 1/3 log 2/3) = 3/8 (.1917880 − .1351550) = .0212374
    # soup: p(w) = 1/4, p(t|w) = 0, 1: 1/4 log 2 = .1732868
    result = saliency(PHI, np.array([0.5, 0.5]))
    assert result == pytest.approx([0.0212374, 0.0212374, 0.1732868], abs=1e-6)
    # p(t) = 1/4, 3/4. cat: p(w) = 5/16, p(t|w) = 2/5, 3/5
    expected = 5 / 16 * (0.4 * math.log(0.4 / 0.25) + 0.6 * math.log(0.6 / 0.75))
    assert saliency(PHI, np.array([0.25, 0.75]))[0] == pytest.approx(expected)


def test_saliency_adds_up_to_the_information_that_words_and_topics_share() -> None:
    # Σ_w p(w) KL(p(t|w) || p(t)) is their mutual information
    rng = np.random.default_rng(0)
    phi, shares = rng.dirichlet(np.full(50, 0.1), 7), rng.dirichlet(np.ones(7))
    joint = phi * shares[:, None]
    independent = np.outer(shares, joint.sum(axis=0))
    information = (joint * np.log(joint / independent)).sum()
    assert saliency(phi, shares).sum() == pytest.approx(information)
    assert (saliency(phi, shares) >= -1e-15).all()


def test_weights_are_probabilities_where_the_model_has_them() -> None:
    result = term_matrix(with_phi())
    assert (result.weights, result.topics, result.terms) == ("probabilities", (0, 1), WORDS)
    assert result.values.tolist() == PHI.T.tolist()
    assert result.saliency == pytest.approx([0.0212374, 0.0212374, 0.1732868], abs=1e-6)
    assert result.words == (("cat", "dog"), ("soup", "cat"))
    assert result.to_dicts()[:2] == [
        {"term": "cat", "topic": 0, "weight": 0.5},
        {"term": "cat", "topic": 1, "weight": 0.25},
    ]
    assert [(row["term"], row["topic"]) for row in result.to_dicts(0.6)] == [
        ("cat", 0), ("dog", 0), ("soup", 1),
    ]  # fmt: skip


def test_saliency_knows_how_large_topics_are() -> None:
    theta = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]])
    result = term_matrix(with_phi(document_topic=theta))
    expected = saliency(PHI, np.array([0.25, 0.75]))
    assert dict(zip(result.terms, result.saliency, strict=True)) == pytest.approx(
        dict(zip(WORDS, expected, strict=True))
    )


def test_a_matrix_of_weights_is_divided_by_its_sums() -> None:
    topics = Topics.of([["cat", "dog"], ["soup", "cat"]], vocabulary=WORDS, topic_word=PHI * 8)
    result = term_matrix(topics)
    assert result.weights == "weights"
    assert result.values.tolist() == PHI.T.tolist()


def topics_with_weights(*weights: tuple[float, ...]) -> Topics:
    words = [("cat", "dog"), ("soup", "cat")]
    each = zip(words, weights, strict=True)
    return Topics(tuple(Topic(k, word, weight) for k, (word, weight) in enumerate(each)))


@pytest.mark.parametrize(
    ("weights", "cat", "kind"),
    [
        (((0.3, 0.2), (0.4, 0.1)), [0.3, 0.1], "weights"),  # as they are
        (((30.0, 20.0), (60.0, 20.0)), [0.6, 0.25], "weights"),  # counts
        (((-1.0, -2.0), (-1.5, -3.0)), [1.0, 0.5], "ranks"),  # logarithms
        (((0.0, 0.0), (0.4, 0.1)), [1.0, 0.5], "ranks"),
    ],
)
def test_weights_of_lists(
    weights: tuple[tuple[float, ...], ...], cat: list[float], kind: str
) -> None:
    result = term_matrix(topics_with_weights(*weights))
    assert result.weights == kind
    assert result.values[result.terms.index("cat")].tolist() == pytest.approx(cat)


def test_a_word_outside_the_vocabulary_leaves_the_matrix_unused() -> None:
    topics = Topics.of([["cat", "dog"], ["bread"]], vocabulary=WORDS, topic_word=PHI)
    assert term_matrix(topics).weights == "ranks"


def test_words_beyond_the_first_count_where_another_topic_begins_with_them() -> None:
    topics = Topics.of([["a", "b", "c"], ["c", "d"]])
    result = term_matrix(topics, words=2)
    assert set(result.terms) == {"a", "b", "c", "d"}
    assert result.values[result.terms.index("c")].tolist() == pytest.approx([1 / 3, 1])


def test_topics_that_share_words_stand_together_and_keep_their_ids() -> None:
    lists = {"x": ["a", "b"], "y": ["k", "l"], "z": ["b", "c"], "u": ["l", "m"], "v": ["c", "d"]}
    result = term_matrix(Topics.of(lists))
    assert result.topics == ("x", "z", "v", "y", "u")
    assert result.terms == ("a", "b", "c", "d", "k", "l", "m")
    for topic, words in zip(result.topics, result.words, strict=True):
        assert list(words) == lists[str(topic)]


@given(st.permutations(range(6)))
def test_the_order_of_topics_changes_nothing(order: list[int]) -> None:
    whole = random_topics(6, 40)
    assert whole.topic_word is not None
    first = term_matrix(whole)
    moved = Topics(
        tuple(whole.topics[place] for place in order),
        vocabulary=whole.vocabulary,
        topic_word=whole.topic_word[order],
    )
    result = term_matrix(moved)
    assert result.topics in (first.topics, first.topics[::-1])
    cells = {(row["term"], row["topic"]): row["weight"] for row in first.to_dicts()}
    assert {(row["term"], row["topic"]): row["weight"] for row in result.to_dicts()} == cells


def test_first_words_come_before_more_salient_ones() -> None:
    topics = random_topics(30, 400)
    everything = term_matrix(topics, terms=None)
    assert everything.left_out == 0
    salient = dict(zip(everything.terms, everything.saliency.tolist(), strict=True))
    firsts = {topic.words[0] for topic in topics.topics}
    seconds = {topic.words[1] for topic in topics.topics}
    result = term_matrix(topics)
    assert len(result.terms) == TERMS
    assert result.left_out == len(everything.terms) - TERMS
    kept = set(result.terms)
    assert firsts | seconds <= kept
    others = kept - firsts - seconds
    assert min(salient[word] for word in others) >= max(
        salient[word] for word in salient.keys() - kept
    )
    # if not all first words fit, the most salient of them are kept
    few = set(term_matrix(topics, terms=10).terms)
    assert few <= firsts
    assert min(salient[word] for word in few) >= max(salient[word] for word in firsts - few)


def test_ranks_give_saliency() -> None:
    # of ranks p(w|t) is 2/3 and 1/3; "b" is in both topics, so it is less salient
    result = term_matrix(Topics.of([["a", "b"], ["c", "b"]]))
    given_ = dict(zip(result.terms, result.saliency.tolist(), strict=True))
    assert given_ == pytest.approx({"a": math.log(2) / 3, "b": 0.0, "c": math.log(2) / 3})


def test_wrong_arguments_are_an_error() -> None:
    both = MultilingualTopics.of_languages({"en": [["king"]], "es": [["rey"]]}, model="m")
    with pytest.raises(InputError, match=r"m: each language .* topics\.side\('en'\)"):
        term_matrix(both)
    assert term_matrix(both.side("es")).terms == ("rey",)
    for wrong in ({"words": 0}, {"terms": 0}):
        with pytest.raises(InputError, match="at least 1"):
            term_matrix(with_phi(), **wrong)
