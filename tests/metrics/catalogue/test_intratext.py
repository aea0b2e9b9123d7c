"""Intra-text coherence: worked examples, and a loop that walks through the texts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tealeaves
from tealeaves import Topics, demo
from tealeaves.errors import InputError
from tealeaves.metrics import metric
from tealeaves.topics.assignments import Assignments


def sampled(rows: list[list[int]], topics: int = 3, **known: Any) -> Topics:
    words = known.pop("words", None)
    lists = [[f"w{k}"] for k in range(topics)]
    return Topics.of(lists, model="m", assignments=Assignments.of(rows, words), **known)


def worded(phi: Any, words: str = "vwxyz", **known: Any) -> Topics:
    lists = [[words[0]]] * len(phi)
    return Topics.of(lists, model="m", vocabulary=tuple(words), topic_word=np.array(phi), **known)


def values(topics: Topics, spec: str, texts: Any = None, tokens: str = "tokens") -> list[float]:
    return [row.value for row in tealeaves.score(topics, texts, spec, tokens=tokens).topics]


# ------------------------------------------------------------------ worked examples


def test_by_hand() -> None:
    # 0 0 1 0 2 2 0 | 0 1 | with gap 1:
    # topic 0, text 1: "0 0 . 0" of 3 words, then "0" of 1, mean 2; text 2: 1; mean 1.5
    # topic 1: 1 and 1; topic 2: 2 in text 1, none in text 2
    topics = sampled([[0, 0, 1, 0, 2, 2, 0], [0, 1]])
    assert values(topics, "intratext(gap=1)") == [1.5, 1.0, 2.0]
    # over all segments of topic 0: (3 + 1 + 1) / 3
    assert values(topics, "intratext(gap=1, average=segments)") == pytest.approx([5 / 3, 1, 2])
    # gap 0: 2, 1, 1 in text 1, mean 4/3; gap 2: all 4 words are one segment
    assert values(topics, "intratext(gap=0)")[0] == pytest.approx((4 / 3 + 1) / 2)
    assert values(topics, "intratext(gap=2)")[0] == pytest.approx((4 + 1) / 2)


def test_weights_by_hand() -> None:
    phi = [[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]]
    topics = worded(phi, "abc")
    # a and b are topic 0's: .5 + .3 in the first segment, .5 in the second; c is topic 1's
    actual = values(topics, "intratext(measure=weight, gap=1, assignment=word)", ["a b c c a"])
    assert actual == pytest.approx([(0.8 + 0.5) / 2, 1.6])
    tokens = sampled(
        [[0, 0, 1, 1, 0]], 2, words=[[0, 1, 2, 2, 0]], vocabulary=("a", "b", "c"),
        topic_word=np.array(phi),
    )  # fmt: skip
    assert values(tokens, "intratext(measure=weight, gap=1)") == pytest.approx(actual)


def test_the_tenth_other_word_ends_a_segment() -> None:
    for others, expected in ((9, 2.0), (10, 1.0)):
        assert values(sampled([[0, *[1] * others, 0]]), "intratext")[0] == expected


def test_a_topic_that_never_occurs_has_no_value() -> None:
    scores = tealeaves.score(sampled([[0, 0], []]), None, "intratext")
    assert scores.topics.rows[0].value == 2.0
    assert all(math.isnan(row.value) and row.support == 0 for row in scores.topics.rows[1:])
    [row] = scores.models
    assert row.value == 2.0  # the mean of the topics that have one
    assert scores.topics.rows[0].support == 0.5  # one of two texts
    [note] = scores.notes
    assert (
        note
        == "m: 2 of 3 topics have no intratext, because no word of the texts belongs to them: 1, 2"
    )


# ------------------------------------------------------------------ a loop


def walked(topic: int, z: list[int], weights: list[float], limit: int) -> list[tuple[int, float]]:
    """Walk through a text as TopicNet does: a segment ends after ``limit`` other words."""
    segments, index = [], 0
    while index < len(z):
        if z[index] != topic:
            index += 1
            continue
        length, weight, others = 1, weights[index], 0
        index += 1
        while index < len(z) and others < limit:
            if z[index] == topic:
                length, weight, others = length + 1, weight + weights[index], 0
            else:
                others += 1
            index += 1
        segments.append((length, weight))
    return segments


def naive(
    rows: list[list[int]], weights: list[list[float]], topics: int, limit: int, part: int
) -> tuple[list[float], list[float]]:
    """Return the means over texts and over segments; part 0 is the length, 1 the weight."""
    by_text, by_segment = [], []
    for t in range(topics):
        each = [
            [one[part] for one in walked(t, row, given, limit)]
            for row, given in zip(rows, weights, strict=True)
        ]
        there = [np.mean(lengths) for lengths in each if lengths]
        flat = [length for lengths in each for length in lengths]
        by_text.append(float(np.mean(there)) if there else math.nan)
        by_segment.append(float(np.mean(flat)) if flat else math.nan)
    return by_text, by_segment


@given(
    st.lists(st.lists(st.integers(-1, 3), max_size=12), min_size=1, max_size=5),
    st.integers(0, 4),
)
def test_lengths_are_those_of_a_loop(rows: list[list[int]], gap: int) -> None:
    nothing = [[0.0] * len(row) for row in rows]
    by_text, by_segment = naive(rows, nothing, 4, gap + 1, 0)
    topics = sampled(rows, 4)
    assert values(topics, f"intratext(gap={gap})") == pytest.approx(by_text, nan_ok=True)
    spec = f"intratext(gap={gap}, average=segments)"
    assert values(topics, spec) == pytest.approx(by_segment, nan_ok=True)


@given(
    st.lists(st.lists(st.integers(0, 5), max_size=10), min_size=1, max_size=5),
    st.integers(0, 10**6),
    st.integers(0, 3),
)
def test_weights_are_those_of_a_loop(texts: list[list[int]], seed: int, gap: int) -> None:
    if not any(texts):
        return
    rng = np.random.default_rng(seed)
    phi, theta = rng.dirichlet([0.3] * 5, size=3), rng.dirichlet([0.3] * 3, size=len(texts))
    lists = [["vwxyz!"[w] for w in text] for text in texts]  # ! is passed over
    own = [[w for w in text if w < 5] for text in texts]
    ways = {
        "word": [[int(np.argmax(phi[:, w])) for w in row] for row in own],
        "probable": [
            [int(np.argmax(phi[:, w] * theta[d])) for w in row] for d, row in enumerate(own)
        ],
    }
    topics = worded(phi, document_topic=theta)
    for assignment, rows in ways.items():
        weights = [
            [float(phi[t, w]) for t, w in zip(row, words, strict=True)]
            for row, words in zip(rows, own, strict=True)
        ]
        spec = f"intratext(measure=weight, gap={gap}, assignment={assignment})"
        expected, _ = naive(rows, weights, 3, gap + 1, 1)
        assert values(topics, spec, lists) == pytest.approx(expected, nan_ok=True)


# ------------------------------------------------------------------ what must hold


def test_a_wider_gap_never_shortens_segments(rich_models: list[Topics]) -> None:
    actual = [values(rich_models[1], f"intratext(gap={gap}, average=segments)") for gap in range(6)]
    assert (np.diff(np.array(actual), axis=0) >= 0).all()


def test_without_gaps_it_is_one_over_the_share_of_switches() -> None:
    # a run of n words that another topic follows starts n pairs, of which one switches
    topics = sampled([[0, 0, 1, 1, 1, 0, 2, 2, 0]])
    runs = values(topics, "intratext(gap=0, average=segments)")
    switches = values(topics, "switchp")
    assert runs[1:] == pytest.approx([1 / share for share in switches[1:]])


def test_it_prefers_topics_that_last(rich_models: list[Topics]) -> None:
    scores = tealeaves.score(rich_models, None, "intratext")
    assert scores.value("good", "intratext") > scores.value("shuffled", "intratext")


def test_given_topics_are_the_probable_ones_where_these_were_given(
    rich_models: list[Topics],
) -> None:
    for measure in ("length", "weight"):
        given_ones = values(rich_models[1], f"intratext(measure={measure})")
        spec = f"intratext(measure={measure}, assignment=probable)"
        probable = values(rich_models[1], spec, demo.corpus(), "words")
        assert given_ones == pytest.approx(probable)


def test_weights_need_words() -> None:
    with pytest.raises(InputError, match="no topic-word matrix"):
        values(sampled([[0, 1]], words=[[0, 0]], vocabulary=("a",)), "intratext(measure=weight)")
    phi: dict[str, Any] = {"vocabulary": ("a",), "topic_word": np.ones((3, 1))}
    with pytest.raises(InputError, match="do not say which words"):
        values(sampled([[0, 1]], **phi), "intratext(measure=weight)")


def test_its_published_name() -> None:
    assert metric("toplen") == metric("intratext")
