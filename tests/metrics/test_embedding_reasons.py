"""What is said of languages, stop words and weights, and why metrics of vectors have no number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import tealeaves
from tealeaves import Topics
from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.embeddings import Embedder
from tealeaves.metrics import metric
from tealeaves.metrics.scores import Scores
from tealeaves.text.languages import language_code
from tealeaves.text.stopwords import stopword_digest, stopword_set
from tealeaves.topics.topics import Topic

LISTS = [["cat", "dog"], ["soup", "bread"]]
PLAIN = "expressivity(weights=uniform)"


class Fluent(Embedder):
    """An embedding of some languages that knows all words but those that it is told."""

    def __init__(self, codes: str, *, unknown: Sequence[str] = ()) -> None:
        self.name, self.codes, self.unknown = "toy", frozenset(codes.split()), unknown

    @property
    def fingerprint(self) -> str:
        return ""

    def embed(self, words: Sequence[str]) -> Any:
        rows = [(float(len(word)), 1.0 + len(set(word))) for word in words]
        return np.array([
            (math.nan, math.nan) if word in self.unknown else row
            for word, row in zip(words, rows, strict=True)
        ])  # fmt: skip


def named(model: str, language: str = "") -> Topics:
    return Topics.of(LISTS, model=model, language=language)


def scored(models: Any, spec: str, embeddings: Any) -> Scores:
    return tealeaves.score(models, None, spec, embeddings=embeddings)


def said(found: Scores, part: str) -> list[str]:
    return [note for note in found.notes if part in note]


# ---------------------------------------------------------------------- languages


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("en", "en"), ("EN", "en"), ("eng", "en"), ("English", "en"), (" en_GB ", "en"),
        ("es-ES", "es"), ("es_MX", "es"), ("SPANISH", "es"), ("ger", "de"), ("deu", "de"),
        ("zh-Hant-TW", "zh"), ("cmn", "zh"), ("nb", "no"), ("nn_NO", "no"), ("rus", "ru"),
        ("ka", "ka"), ("qq", "qq"), ("Klingon", ""), ("tlh", ""), ("", ""), ("e1", ""),
    ],
)  # fmt: skip
def test_codes_of_languages(text: str, code: str) -> None:
    assert language_code(text) == code


@pytest.mark.parametrize("language", ["en", "English", "eng", "en_GB", "en-US", "Klingon", ""])
def test_no_false_note_of_another_language(language: str) -> None:
    assert not said(scored(named("m", language), "isim", Fluent("en")), "was made for")


def test_one_note_for_all_models_of_a_language() -> None:
    models = [named("a", "es"), named("b", "Spanish"), named("c", "ka"), named("d", "en")]
    assert said(scored(models, "isim int", Fluent("en")), "was made for") == [
        "toy was made for en, but a, b say their language is es: -e use knows es",
        "toy was made for en, but c says its language is ka",
    ]
    assert not said(scored(models, "isim", Fluent("")), "was made for")


# ---------------------------------------------------------------------- stop words


def test_a_language_without_stop_words_costs_no_other_model_its_score() -> None:
    found = scored([named("plain", "en"), named("georgian", "ka")], PLAIN, Fluent(""))
    assert not math.isnan(found.value("plain", PLAIN))
    rows = [(row.value != row.value, row.support) for row in found if row.model == "georgian"]
    assert rows == [(True, 0.0)] * 3
    assert said(found, "georgian") == [
        f"georgian: no {PLAIN}: no stop words are known for its language ka; "
        "expressivity(stopwords=...) names a list"
    ]
    with pytest.raises(InputError, match="georgian: no stop words are known for its language ka"):
        scored(named("georgian", "ka"), PLAIN, Fluent(""))
    # a list of one's own will do; one that is not there is refused whatever the model says
    spec = "expressivity(stopwords=en, weights=uniform)"
    listed = scored(named("georgian", "ka"), spec, Fluent(""))
    assert not math.isnan(listed.models.rows[0].value)
    with pytest.raises(InputError, match="no stop words for the language 'xx'"):
        scored([named("m", "en")], "expressivity(stopwords=xx, weights=uniform)", Fluent(""))


@pytest.mark.parametrize("language", ["es-ES", "es_MX", "spa", "Spanish"])
def test_stop_words_of_a_language_however_it_is_written(language: str) -> None:
    found = scored(named("m", language), PLAIN, Fluent(""))
    assert f"stopwords=es:{stopword_digest('es')}" in found.models.rows[0].signature
    assert not said(found, "stop words")


def test_an_unknown_language_has_english_stop_words_and_a_note() -> None:
    found = scored(named("m", "Klingon"), PLAIN, Fluent(""))
    assert f"stopwords=en:{stopword_digest('en')}" in found.models.rows[0].signature
    size = len(stopword_set("en"))
    assert said(found, "stop words") == [
        "stop words: en (m says its language is Klingon, which is not known), "
        f"{size} of {size} have vectors in toy"
    ]


def test_an_embedding_of_one_language_names_its_stop_words() -> None:
    size = len(stopword_set("en"))
    note = f"stop words: en (no language is said), {size} of {size} have vectors in toy"
    remedy = ", but it was made for ru: expressivity(stopwords=ru, weights=uniform)@1"
    for codes, expected in [("ru", note + remedy), ("en", note), ("ru de", note), ("", note)]:
        found = scored(named("m"), f"{PLAIN}@1", Fluent(codes))
        assert said(found, "stop words") == [expected]
    size = len(stopword_set("ru"))
    found = scored(named("m", "ru"), PLAIN, Fluent("ru", unknown=["не"]))
    assert said(found, "stop words") == [
        f"stop words: ru, {size - 1} of {size} have vectors in toy"
    ]


# ---------------------------------------------------------------------- weights


@pytest.mark.parametrize(
    ("weights", "lack"),
    [
        ([None, None], "no weights of its words"),
        ([(1.0, 2.0), None], "topic 1 has no weights"),
        ([(1.0, -2.0), (1.0, 1.0)], "topic 0 has negative weights"),
        ([(1.0, -2.0), (-1.0, 1.0)], "topics 0, 1 have negative weights"),
        ([(0.0, 0.0), (0.0, 0.0)], "all weights are 0"),
    ],
)
@pytest.mark.parametrize("name", ["expressivity(stopwords=en)", "embedding_diversity(weights=phi)"])
def test_why_weights_are_not_known(
    weights: list[tuple[float, ...] | None], lack: str, name: str
) -> None:
    numbered = enumerate(zip(LISTS, weights, strict=True))
    model = Topics(tuple(Topic(k, tuple(words), given) for k, (words, given) in numbered))
    one = metric(name)
    assert one.lacks(model) == f"{lack}; {one(weights='uniform')!r} needs none"


# ---------------------------------------------------------------------- why there is no number

# a and b cancel out, c and d do not; the stop words point north
POINTS = {"a": (1, 0), "b": (-1, 0), "c": (1, 1), "d": (1, 2), "e": (2, 1), "the": (0, 1)}
CANCELLED = "or as their vectors cancel out"


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("ish", True),
        ("isim", False),
        ("embedding_diversity", True),
        ("embedding_diversity(form=pairwise)", False),
        ("we_irbo(form=centroid)", True),
        ("we_irbo", False),
        ("expressivity(stopwords=en, weights=uniform)", True),
    ],
)
def test_vectors_that_cancel_out(spec: str, says: bool) -> None:
    topics = [["a", "b"], ["c", "d"], ["e", "d"]]
    found = scored(topics, spec, POINTS)
    undefined = [row.topic for row in found.topics if math.isnan(row.value)]
    # where it cannot be the reason, topics that cancel out have a number
    assert undefined == ([0] if says else [])
    assert bool(said(found, CANCELLED)) == says
    assert (CANCELLED in metric(spec).why(Topics.of(topics))) == says


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("expressivity(stopwords=en)", True),
        ("expressivity(stopwords=en, weights=uniform)", False),
        ("embedding_diversity(weights=phi)", True),
        ("embedding_diversity", False),
    ],
)
def test_a_topic_whose_words_weigh_nothing(spec: str, says: bool) -> None:
    weights = [(0.0, 0.0), (1.0, 1.0), (1.0, 2.0)]
    lists = [("c", "e"), ("c", "d"), ("e", "d")]
    numbered = enumerate(zip(lists, weights, strict=True))
    found = scored(Topics(tuple(Topic(k, *of) for k, of in numbered)), spec, POINTS)
    assert [row.topic for row in found.topics if math.isnan(row.value)] == [0] * says
    assert bool(said(found, "or of weights above 0")) == says


def test_coherence_takes_two_words() -> None:
    for form in ("", "(form=centroid)"):
        found = scored([["c", "d"], ["e", "d"]], f"embedding_coherence{form}@1", POINTS)
        assert said(found, ", as it compares two words or more: 0, 1")
        found = scored([["c"], ["e", "d"], ["c", "d", "e"]], f"embedding_coherence{form}", POINTS)
        assert said(found, ", for lack of two words with vectors: 0")
