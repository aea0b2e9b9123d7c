"""Intruders as frequent as the topic's words; and topics of which little can be said."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tealeaves
from tealeaves.errors import InputError
from tealeaves.evidence.gathering import gather
from tealeaves.evidence.storage import save_counts
from tealeaves.evidence.wording import Wording
from tealeaves.metrics import metric
from tealeaves.metrics.planning import count_requests
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.topics import Topics

Lists = Sequence[Sequence[str]]
MATCHED = "isim(intruders=matched)"
THREE = ("isim", "int", "ish")


def texts_of(frequencies: Mapping[str, int]) -> list[str]:
    """Return texts in which each word is in so many."""
    most = max(frequencies.values(), default=0)
    found = [" ".join(w for w, times in frequencies.items() if times > n) for n in range(most)]
    return [*found, "filler"]


def pairs(scores: tealeaves.Scores) -> list[Any]:
    return [(row.value, row.support) for row in scores.topics]


# ---------------------------------------------------------------------- matched

FREQUENCIES = {"a": 4, "b": 1, "c": 7, "d": 1, "e": 2, "gone": 0}
ANGLES = {"a": 0, "b": 90, "c": 60, "d": 180, "e": 120, "gone": 270}
ROUND = {w: (math.cos(math.radians(x)), math.sin(math.radians(x))) for w, x in ANGLES.items()}
TOPICS = [["a", "b"], ["c", "d", "e", "gone"]]
COS_30 = math.sqrt(3) / 2


def test_by_hand() -> None:
    found = tealeaves.score(TOPICS, texts_of(FREQUENCIES), MATCHED, embeddings=ROUND)
    # classes of texts: a 4-7, b 1; c 4-7, d 1, e 2-3, gone none.
    # Into the first: c for a, d for b. a, b to c: cos 60°, cos 30°; to d: -1, 0
    first = ((0.5 + COS_30) / 2 + (-1 + 0) / 2) / 2
    # Into the second: a for c, b for d; for e a and b are as near, and b, the rarer, is taken.
    # c, d, e, gone to a: .5, -1, -.5, 0; to b: cos 30°, 0, cos 30°, -1
    second = (-1 / 4) / 3 + ((2 * COS_30 - 1) / 4) * 2 / 3
    # gone is one of four that could intrude into the first, and one of four words of the second
    assert pairs(found) == [
        (pytest.approx(first, abs=1e-6), 0.75),
        (pytest.approx(second, abs=1e-6), 0.75),
    ]
    assert "the corpus has only 8 texts: the numbers are rough" in found.notes
    assert "model: not in the corpus: gone" in found.notes


def test_the_signature_names_texts_and_tokens() -> None:
    other = FREQUENCIES | {"e": 4}
    signatures = set()
    for texts in (texts_of(FREQUENCIES), texts_of(other)):
        found = tealeaves.score(TOPICS, texts, MATCHED, embeddings=ROUND)
        [signature] = {row.signature for row in found}
        assert "|tokens=words" in signature
        assert "|texts=" in signature
        signatures.add(signature)
    assert len(signatures) == 2
    [plain] = {row.signature for row in tealeaves.score(TOPICS, None, "isim", embeddings=ROUND)}
    assert "texts=" not in plain


def test_no_word_in_the_texts() -> None:
    found = tealeaves.score(TOPICS, ["nothing of it"], MATCHED, embeddings=ROUND)
    assert all(math.isnan(row.value) and row.support == 0 for row in found)
    [note] = [note for note in found.notes if "have no" in note]
    assert "whose frequency in the texts is known" in note
    assert "model: not in the corpus: a, b, c, d, e, gone" in found.notes


def slowly(topics: Lists, frequencies: Mapping[str, int]) -> list[float]:
    """Take intruders for each word of each topic, by plain loops over classes."""
    classes = {word: times.bit_length() for word, times in frequencies.items()}  # 0: not there
    found = []
    for t, topic in enumerate(topics):
        others = [[w for w in other if w not in topic] for s, other in enumerate(topics) if s != t]
        others = [other for other in others if other]
        likely: dict[str, float] = {}
        for other in others:
            for word in other:
                if classes[word]:
                    likely[word] = likely.get(word, 0) + 1 / len(others) / len(other)
        wanted = [classes[word] for word in topic if classes[word]] if likely else []
        value = 0.0
        for one in wanted:
            near = min({classes[word] for word in likely}, key=lambda c: (abs(c - one), c))
            those = {word: p for word, p in likely.items() if classes[word] == near}
            for word, p in those.items():
                cosines = [np.dot(ROUND[word], ROUND[own]) for own in topic]
                value += p / sum(those.values()) * sum(cosines) / len(cosines) / len(wanted)
        found.append(value if wanted else math.nan)
    return found


@settings(max_examples=40)
@given(
    st.lists(st.lists(st.sampled_from(sorted(ROUND)), min_size=1, max_size=4, unique=True),
             min_size=1, max_size=4),
    st.fixed_dictionaries(dict.fromkeys(ROUND, st.integers(0, 20))),
)  # fmt: skip
def test_the_same_as_plain_loops(topics: Lists, frequencies: dict[str, int]) -> None:
    found = tealeaves.score(topics, texts_of(frequencies), MATCHED, embeddings=ROUND)
    expected = slowly(topics, frequencies)
    assert [value for value, _ in pairs(found)] == pytest.approx(expected, abs=1e-6, nan_ok=True)
    assert all((support > 0) == (value == value) for value, support in pairs(found))


def test_drawn_ones_come_to_the_expectation() -> None:
    texts = texts_of(FREQUENCIES)
    exact = tealeaves.score(TOPICS, texts, MATCHED, embeddings=ROUND)
    spec = "isim(draws=20000, intruders=matched)"
    drawn = tealeaves.score(TOPICS, texts, spec, embeddings=ROUND)
    for one, other in zip(exact, drawn, strict=True):
        assert other.error is not None
        assert abs(one.value - other.value) < 4 * other.error


def test_counts_will_do(tmp_path: Path) -> None:
    texts, pipeline = texts_of(FREQUENCIES), Pipeline.parse("words")
    model = Topics.of(TOPICS)
    requests = count_requests([model], [metric(MATCHED)], Wording(pipeline))
    counts = gather(Corpus.of(texts), pipeline, requests)
    expected = tealeaves.score(TOPICS, texts, MATCHED, embeddings=ROUND)
    found = tealeaves.score(TOPICS, None, MATCHED, counts=counts, embeddings=ROUND)
    assert pairs(found) == pairs(expected)
    save_counts(counts, tmp_path / "words.counts")
    path = tmp_path / "words.counts"
    found = tealeaves.score(TOPICS, None, MATCHED, counts=path, embeddings=ROUND)
    assert pairs(found) == pairs(expected)


def test_it_needs_texts() -> None:
    with pytest.raises(InputError, match=r"need a corpus \(counts of .*\): give corpus or counts"):
        tealeaves.score(TOPICS, None, MATCHED, embeddings=ROUND)
    assert metric(MATCHED).source == "vectors of words, document counts"
    assert metric("isim").source == "vectors of words"


# ---------------------------------------------------------------------- little to say


@pytest.mark.parametrize("name", THREE)
@pytest.mark.parametrize("draws", ["", "(draws=10)", "(compat=stream)"])
def test_a_single_topic_has_no_intruders(name: str, draws: str) -> None:
    found = tealeaves.score([["a", "b", "c"]], None, name + draws, embeddings=ROUND)
    assert all(math.isnan(row.value) and row.support == 0 for row in found)
    assert len(found) == 2
    [note] = [note for note in found.notes if "have no" in note]
    assert note == (
        f"model: 1 of 1 topics have no {metric(name + draws)!r}, as there is no other topic that a "
        "word could intrude from: 0"
    )


def test_a_word_alone_has_no_partner() -> None:
    found = tealeaves.score(TOPICS, None, "int@1", embeddings=ROUND)
    [note] = [note for note in found.notes if "have no" in note]
    assert "as it compares 2 words or more" in note


@pytest.mark.parametrize("name", THREE)
def test_topics_of_the_same_words_have_no_intruders(name: str) -> None:
    found = tealeaves.score([["a", "b"], ["b", "a"], ["c"]], None, name, embeddings=ROUND)
    # the third topic gives the first two an intruder, and they alone give it any
    assert [support for _, support in pairs(found)] == [1.0, 1.0, float(name != "int")]
    alike = tealeaves.score([["a", "b"], ["b", "a"]], None, name, embeddings=ROUND)
    assert all(math.isnan(value) and support == 0 for value, support in pairs(alike))
    # STREAM draws the topic's own words then: each is 1 and cos 90° = 0 to the two
    own = tealeaves.score([["a", "b"], ["b", "a"]], None, "isim(compat=stream)", embeddings=ROUND)
    assert pairs(own) == [(pytest.approx(0.5), 1.0)] * 2


def test_fewer_words_than_asked_for_lower_the_support() -> None:
    topics = [["a", "b"], ["c", "xxx", "d"]]
    found = tealeaves.score(topics, None, "isim@4", embeddings=ROUND)
    # of 4 words there are 2; of their intruders c, xxx and d two thirds have a vector. Of the
    # second topic's 4 words 2 have one, all of their intruders do
    assert [support for _, support in pairs(found)] == pytest.approx([2 / 4 * 2 / 3, 2 / 4])
    assert found.value("model", "isim@4") == pytest.approx(
        ((0.5 + COS_30 - 1 + 0) / 4 + (0.5 - 1 + COS_30 + 0) / 4) / 2, abs=1e-6
    )
    assert "model: no vector in given: xxx" in found.notes


@pytest.mark.parametrize("name", THREE)
@pytest.mark.parametrize("nothing", [{}, {"a": (0.0, 0.0), "b": (math.nan, 1.0)}])
def test_no_vectors_at_all(name: str, nothing: dict[str, tuple[float, float]]) -> None:
    found = tealeaves.score([["a", "b"], ["c", "d"]], None, name, embeddings=nothing)
    assert all(math.isnan(row.value) and row.support == 0 for row in found)
    assert "model: no vector in given: a, b, c, d" in found.notes


@pytest.mark.parametrize("bad", [(0.0, 0.0), (math.nan, 1.0), (math.inf, 1.0)])
def test_vectors_without_a_direction_are_none(bad: tuple[float, float]) -> None:
    topics = [["a", "b", "bad"], ["c", "e"]]
    whole = tealeaves.score([["a", "b"], ["c", "e"]], None, list(THREE), embeddings=ROUND)
    found = tealeaves.score(topics, None, list(THREE), embeddings=ROUND | {"bad": bad})
    assert [v for v, _ in pairs(found)] == pytest.approx([v for v, _ in pairs(whole)])
    assert {support for _, support in pairs(found)} == {2 / 3}


def test_topics_of_one_word() -> None:
    found = tealeaves.score([["a"], ["c"]], None, list(THREE), embeddings=ROUND)
    # cos 60° both ways; a word alone has no partner; replaced, it has become the intruder
    for topic in (0, 1):
        assert found.value("model", "isim", topic) == pytest.approx(0.5, abs=1e-6)
        assert math.isnan(found.value("model", "int", topic))
        assert found.value("model", "ish", topic) == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("seed", range(8))
def test_words_that_cancel_out_have_no_centroid_to_shift(seed: int) -> None:
    # what is left of the sum of three words is rounding
    one, two, other = np.random.default_rng(seed).normal(size=(3, 4))
    points = {"a": one, "b": two, "c": -(one + two), "d": other}
    specs = ["ish", "ish(compat=stream)", "ish(draws=5)"]
    found = tealeaves.score([["a", "b", "c"], ["d", "b"]], None, specs, embeddings=points)
    for spec in specs:
        assert math.isnan(found.value("model", spec, 0))
        assert not math.isnan(found.value("model", spec, 1))


@pytest.mark.parametrize("seed", range(8))
def test_rounding_breaks_no_tie(seed: int) -> None:
    # the intruder has the direction of the second word: to the first both are equal, and the
    # second finds the first less similar
    one, two = np.random.default_rng(seed).normal(size=(2, 4))
    points = {"a": one, "b": two, "c": two * 0.3, "d": two * 7.1}
    topics = [["a", "b"], ["c"], ["d"]]
    found = tealeaves.score(topics, None, "int int(compat=stream)", embeddings=points)
    assert found.value("model", "int", 0) == 0
    assert found.value("model", "int(compat=stream)", 0) == 0.5


def test_an_intruder_that_leaves_nothing_is_left_out() -> None:
    points = {"east": (1, 0), "up": (1, 1), "west": (-1, 0), "north": (0, 1)}
    found = tealeaves.score([["east", "up"], ["west", "north"]], None, "ish", embeddings=points)
    # the sum (2, 1) becomes (0, 1) by west for east, nothing by west for up, (1, 2) by north for
    # east, (1, 1) by north for up: three of four
    expected = (1 / math.sqrt(5) + 4 / 5 + 3 / math.sqrt(10)) / 3
    assert pairs(found)[0] == (pytest.approx(expected, abs=1e-6), pytest.approx(3 / 4))
