"""Expressivity: by hand, its invariants, and all kinds of weights."""

from __future__ import annotations

import math
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tealeaves
from tealeaves.errors import InputError
from tealeaves.metrics import metric
from tealeaves.text.stopwords import stopword_digest, stopword_set
from tealeaves.topics.topics import Topic, Topics

POINTS = {
    "cat": (1.0, 0.0), "dog": (0.0, 2.0), "soup": (-1.0, 1.0), "bread": (0.0, -3.0),
    "the": (3.0, 0.0), "of": (1.0, 0.0), "and": (2.0, 3.0),
}  # fmt: skip
LISTS = [["cat", "dog"], ["soup", "bread", "cat"]]
VOCABULARY = ("bread", "cat", "dog", "soup")
PHI = np.array([[0.1, 0.6, 0.2, 0.1], [0.3, 0.1, 0.0, 0.6]])


@pytest.fixture
def stop(tmp_path: Path) -> str:
    """Stop words whose centroid is (2, 1)."""
    path = tmp_path / "stop.txt"
    path.write_text("the\nOf\n\nand\n", encoding="utf-8")
    return str(path)


def model(**known: Any) -> Topics:
    return Topics.of(LISTS, **{"vocabulary": VOCABULARY, "topic_word": PHI, **known})


def weighted_model(*weights: tuple[float, ...]) -> Topics:
    numbered = enumerate(zip(LISTS, weights, strict=True))
    return Topics(tuple(Topic(k, tuple(words), given) for k, (words, given) in numbered))


def values_and_support(models: Any, spec: str, points: Any = None) -> list[Any]:
    scores = tealeaves.score(models, None, spec, embeddings=POINTS if points is None else points)
    return [(row.value, row.support) for row in scores.topics]


def near(value: float) -> Any:
    return pytest.approx(value, abs=1e-6)


# ---------------------------------------------------------------------- by hand


def test_by_hand(stop: str) -> None:
    # cat .6 and dog .2, made to sum to 1: 3/4 (1, 0) + 1/4 (0, 2) = (3/4, 1/2), to (2, 1)
    first = (3 / 4 * 2 + 1 / 2) / (sqrt(9 / 16 + 1 / 4) * sqrt(5))
    # soup .6, bread .3, cat .1: (-.6 + .1, .6 - .9) = (-.5, -.3)
    second = (-0.5 * 2 - 0.3) / (sqrt(0.34) * sqrt(5))
    assert values_and_support(model(), f"expressivity(stopwords='{stop}')") == [
        (near(first), 1.0),
        (near(second), 1.0),
    ]
    # with a single word the weight does not matter: (1, 0) and (-1, 1) to (2, 1)
    assert values_and_support(model(), f"expressivity(stopwords='{stop}')@1") == [
        (near(2 / sqrt(5)), 1.0),
        (near(-1 / sqrt(10)), 1.0),
    ]


def test_all_words_alike(stop: str) -> None:
    # (1, 2) and (0, -2), where only the direction counts, to (2, 1)
    spec = f"expressivity(stopwords='{stop}', weights=uniform)"
    expected = [(near(4 / 5), 1.0), (near(-1 / sqrt(5)), 1.0)]
    assert values_and_support(model(), spec) == expected
    assert values_and_support(Topics.of(LISTS), spec) == expected


def test_the_distance_is_one_minus_the_cosine(stop: str) -> None:
    spec = f"expressivity(stopwords='{stop}', measure=distance)"
    cosines = values_and_support(model(), f"expressivity(stopwords='{stop}')")
    assert values_and_support(model(), spec) == [(near(1 - value), 1.0) for value, _ in cosines]
    one, other = metric("expressivity@10"), metric(f"{spec}@10")
    assert (one.better, one.bounds) == ("lower", (-1.0, 1.0))
    assert (other.better, other.bounds) == ("higher", (0.0, 2.0))
    back = other(measure="similarity")
    assert (back.better, back.bounds) == ("lower", (-1.0, 1.0))


def test_the_weights_of_stream(stop: str) -> None:
    # φ of bread and cat, which come first in the vocabulary, for cat and dog: .1 and .6, that is
    # 1/7 (1, 0) + 6/7 (0, 2); of bread, cat, dog for soup, bread, cat: .3, .1, 0, that is
    # 3/4 (-1, 1) + 1/4 (0, -3) = (-3/4, 0)
    values = values_and_support(model(), f"expressivity(stopwords='{stop}', compat=stream)")
    assert values == [
        (near((2 + 12) / (sqrt(1 + 144) * sqrt(5))), 1.0),
        (near(-2 / sqrt(5)), 1.0),
    ]
    with pytest.raises(InputError, match="no topic-word matrix"):
        tealeaves.score(
            weighted_model((0.6, 0.2), (0.6, 0.3, 0.1)),
            None,
            f"expressivity(stopwords='{stop}', compat=stream)",
            embeddings=POINTS,
        )


# ---------------------------------------------------------------------- weights


def test_weights_of_topics_replace_the_matrix(stop: str) -> None:
    spec = f"expressivity(stopwords='{stop}')"
    expected = [(near(value), 1.0) for value, _ in values_and_support(model(), spec)]
    assert values_and_support(weighted_model((0.6, 0.2), (0.6, 0.3, 0.1)), spec) == expected
    # they need not sum to 1, nor to the same
    assert values_and_support(weighted_model((60, 20), (6, 3, 1)), spec) == expected


@settings(max_examples=20)
@given(st.permutations(range(4)), st.floats(0.01, 100))
def test_order_of_vocabulary_and_scale_of_phi_change_nothing(
    order: list[int], scale: float
) -> None:
    turned = model(
        vocabulary=tuple(VOCABULARY[at] for at in order), topic_word=PHI[:, order] * scale
    )
    spec = "expressivity(stopwords=en)"
    english = {"the": POINTS["the"], "and": POINTS["and"]}
    embedding = tealeaves.Embeddings.of(lambda words: [_any(word, english) for word in words])
    one, other = (values_and_support(m, spec, embedding) for m in (model(), turned))
    assert [value for value, _ in other] == pytest.approx([value for value, _ in one], abs=1e-9)


def _any(word: str, further: dict[str, tuple[float, float]]) -> tuple[float, float]:
    return (POINTS | further).get(word, (float(len(word)), 1.0))


def test_without_weights_of_words(stop: str) -> None:
    spec = f"expressivity(stopwords='{stop}')@2"
    with pytest.raises(InputError, match=r"cannot be computed: model: no weights of its words; .*"
                       r"weights=uniform\)@2 needs none"):  # fmt: skip
        tealeaves.score(LISTS, None, spec, embeddings=POINTS)
    bare = Topics.of(LISTS, model="bare")
    scores = tealeaves.score([model(), bare], None, spec, embeddings=POINTS)
    assert not math.isnan(scores.value("model", spec))
    assert [(row.value != row.value, row.support) for row in scores if row.model == "bare"] == [
        (True, 0.0)
    ] * 3
    assert any(note.startswith(f"bare: no {metric(spec)!r}: no weights") for note in scores.notes)


def test_weights_that_cannot_be_used(stop: str) -> None:
    spec = f"expressivity(stopwords='{stop}')"
    for weights, lack in [
        (((-0.5, 0.2), (1.0, 1.0, 1.0)), "topic 0 has negative weights"),
        (((0.0, 0.0), (0.0, 0.0, 0.0)), "all weights are 0"),
    ]:
        with pytest.raises(InputError, match=f"{lack}; .*weights=uniform. needs none"):
            tealeaves.score(weighted_model(*weights), None, spec, embeddings=POINTS)
    # a single topic of zeros has no score, the others do; in a matrix as well
    nothing = (pytest.approx(math.nan, nan_ok=True), 0.0)
    zero = [nothing, (near(-1.3 / sqrt(1.7)), 1.0)]
    assert values_and_support(weighted_model((0.0, 0.0), (0.6, 0.3, 0.1)), spec) == zero
    assert values_and_support(model(topic_word=PHI * [[0.0], [1.0]]), spec) == zero
    # words that the vocabulary lacks weigh nothing: bread is left
    short = model(vocabulary=("bread", "cat"), topic_word=[[0.1, 0.6], [0.3, 0.0]])
    assert values_and_support(short, spec)[1] == (near(-1 / sqrt(5)), 1.0)
    # so do those that STREAM would take after the last column: cat and dog, soup and bread
    spec = f"expressivity(stopwords='{stop}', compat=stream)"
    assert values_and_support(short, spec)[1] == (near(-1 / sqrt(10)), 1.0)


# ---------------------------------------------------------------------- stop words


def test_stop_words_without_vectors_are_left_out(stop: str) -> None:
    spec = f"expressivity(stopwords='{stop}', weights=uniform)@1"
    points = {word: point for word, point in POINTS.items() if word != "and"}
    # of the and of, both to the east; the second topic's soup is at 135°
    assert values_and_support(LISTS, spec, points) == [(near(1), 1.0), (near(-1 / sqrt(2)), 1.0)]
    scores = tealeaves.score(LISTS, None, spec, embeddings=points)
    assert f"stop words: {stop}, 2 of 3 have vectors in given" in scores.notes
    none = {word: POINTS[word] for word in ("cat", "dog", "soup", "bread")}
    scores = tealeaves.score(LISTS, None, spec, embeddings=none)  # no warning: topics are known
    assert all(math.isnan(row.value) and row.support == 0 for row in scores)
    assert any("for lack of words, or of stop words, with vectors" in note for note in scores.notes)


def test_a_list_without_stop_words_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n", encoding="utf-8")
    spec = f"expressivity(stopwords='{tmp_path / 'empty.txt'}', weights=uniform)"
    with pytest.raises(InputError, match=r"empty.txt: no stop words in this list"):
        tealeaves.score(LISTS, None, spec, embeddings=POINTS)


def test_compat_stream_refuses_weights() -> None:
    with pytest.raises(InputError, match="compat=stream has weights of its own"):
        metric("expressivity(compat=stream, weights=uniform)")


def test_words_without_vectors_give_their_weight_to_the_others(stop: str) -> None:
    points = {word: point for word, point in POINTS.items() if word != "bread"}
    values = values_and_support(model(), f"expressivity(stopwords='{stop}')", points)
    # soup .6 and cat .1 are left: (-.5, .6) to (2, 1); a third of the words is missing
    assert values[1] == (near(-0.4 / (sqrt(0.61) * sqrt(5))), near(2 / 3))


def test_stop_words_of_a_language() -> None:
    def points(words: list[str]) -> list[tuple[float, float]]:
        known = {"the": (1.0, 0.0), "der": (0.0, 1.0), "cat": (1.0, 0.0)}
        return [known.get(word, (math.nan, math.nan)) for word in words]

    specs = [
        "expressivity(weights=uniform)",
        "expressivity(stopwords=en, weights=uniform)",
        "expressivity(stopwords=de, weights=uniform)",
        "expressivity(stopwords=de+en, weights=uniform)",
    ]
    models = [
        Topics.of([["cat"]], model="unsaid"),
        Topics.of([["cat"]], model="german", language="de"),
    ]
    scores = tealeaves.score(models, None, specs, embeddings=points)
    size = len(stopword_set("en"))
    assert (
        f"stop words: en (the model names no language), 1 of {size} have vectors in given"
        in scores.notes
    )
    values = [[scores.value(one.model, spec) for spec in specs] for one in models]
    # English if neither the metric nor the model names a language
    assert values == [near_all(1, 1, 0, 1 / sqrt(2)), near_all(0, 1, 0, 1 / sqrt(2))]
    signatures = {(row.model, row.metric): row.signature for row in scores.models}
    assert f"stopwords=en:{stopword_digest('en')}" in signatures["unsaid", specs[0]]
    assert f"stopwords=de:{stopword_digest('de')}" in signatures["german", specs[0]]
    assert f"stopwords=de+en:{stopword_digest('de+en')}" in signatures["german", specs[3]]


def near_all(*values: float) -> Any:
    return pytest.approx(list(values), abs=1e-6)


def test_the_signature_names_the_list(tmp_path: Path) -> None:
    path = tmp_path / "stop.txt"
    signatures = []
    for words in ("the\nof\n", "of\nthe\n", "the\nand\n"):
        path.write_text(words, encoding="utf-8")
        spec = f"expressivity(stopwords='{path}', weights=uniform)"
        scores = tealeaves.score(LISTS, None, spec, embeddings=POINTS)
        signatures.append(scores.models.rows[0].signature)
        assert f"stopwords={path}:{stopword_digest(str(path))}" in signatures[-1]
    # not only because they asked for other vectors
    digests = [signature.split(f"{path}:")[1] for signature in signatures]
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.parametrize(
    ("stopwords", "message"),
    [
        ("xx", "no stop words for the language 'xx'"),
        ("none.txt", "none.txt: no such file of stop words"),
    ],
)
def test_unknown_stop_words_are_refused(stopwords: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        tealeaves.score(model(), None, f"expressivity(stopwords={stopwords})", embeddings=POINTS)
