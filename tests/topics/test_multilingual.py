"""Aligned topics: sides, their agreement, and fields about tuples."""

from __future__ import annotations

import copy
import pickle
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tealeaves
from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.topics import MultilingualTopics, Topic, Topics, adapt, read_models
from tealeaves.topics.assignments import Assignments

ENGLISH = [["king", "no", "house"], ["bread"]]
SPANISH = [["rey", "no"], ["pan", "sopa"]]


def example_topics(**known: Any) -> MultilingualTopics:
    return MultilingualTopics.of_languages({"en": ENGLISH, "es": SPANISH}, model="toy", **known)


def test_a_side_is_plain_topics_with_the_name_and_its_language() -> None:
    topics = example_topics()
    assert topics.languages == ("en", "es")
    assert topics.side("es") == Topics.of(SPANISH, model="toy", language="es")
    assert isinstance(topics, Topics)
    assert len(topics) == 2
    assert repr(topics) == "MultilingualTopics(toy: 2 topics in en, es)"
    assert tealeaves.MultilingualTopics is MultilingualTopics


def test_the_words_of_all_languages_stand_one_language_after_the_other() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # "no" is a word of both, and no word listed twice
        topics = example_topics()
    assert topics[0].words == ("king", "no", "house", "rey", "no")
    assert topics.word_numbers == ((0, 1, 2, 3, 4), (5, 6, 7))


def test_a_word_listed_twice_in_one_language_counts_once_with_a_warning() -> None:
    with pytest.warns(TealeavesWarning, match=r"m: topic 0 lists a word more than once \(a\)"):
        topics = MultilingualTopics.of_languages({"en": [["a", "a"]], "es": [["b"]]}, model="m")
    assert topics[0].words == ("a", "b")


@pytest.mark.parametrize("name", ["es", "spa", "Spanish", "es-MX"])
def test_a_language_may_be_called_by_another_name(name: str) -> None:
    assert example_topics().side(name).language == "es"


def test_a_language_may_have_a_region() -> None:
    topics = MultilingualTopics.of_languages({"en-GB": [["a"]], "en-US": [["b"]], "fr": [["c"]]})
    assert topics.side("en-US")[0].words == ("b",)
    assert topics.side("fra")[0].words == ("c",)
    with pytest.raises(InputError, match=r"more than one side is in 'en'.*en-GB, en-US, fr"):
        topics.side("en")


@pytest.mark.parametrize("name", ["fr", "Klingon", "", "0"])
def test_a_language_that_is_not_there_is_an_error_that_names_those_that_are(name: str) -> None:
    with pytest.raises(
        InputError, match=rf"^toy: there are no topics in '{name}': the languages are en, es$"
    ):
        example_topics().side(name)


@pytest.mark.parametrize(
    ("sides", "message"),
    [
        ({}, "m: multilingual topics need two languages: there is none"),
        ({"en": [["a"]]}, "m: multilingual topics need two languages: there is only en"),
        (
            {"en": [["a"], ["b"]], "es": [["c"]], "fr": [["d"]]},
            "m: the languages have different numbers of topics: en has 2, es has 1, fr has 1",
        ),
        (
            {"en": {"x": ["a"], "y": ["b"]}, "es": {"x": ["c"], "z": ["d"]}},
            "m: the languages have different topics: topic number 2 is 'y' in en, 'z' in es",
        ),
        (
            {"en": [["a"]], "fr": {"x": ["a"]}, "es": {7: ["c"]}},
            "m: the languages have different topics: topic number 1 is 'x' in fr, 7 in es",
        ),
        ({"en": [["a"]], "es": [[]]}, "m: es: topic 0 has no words"),
        ({"en": [["a"]], "es": "b"}, "m: es: 'b' is no list of topics"),
        ({"en": [["a"]], "es": ["b"]}, "m: es: topic 0 is a string; give a list of words"),
        ({"en": [["a"]], "es": 5}, "m: es: 5 is no list of topics"),
        (
            {"en": [["a"]], "e s": [["a"]]},
            "m: 'e s' is no name of a language: a name has letters, digits, - and _, such as en or "
            "pt-BR",
        ),
        (
            {"en": [["a"]], 5: [["a"]]},
            "m: 5 is no name of a language: a name has letters, digits, - and _, such as en or "
            "pt-BR",
        ),
        (
            {"en": [["a"]], "es": Topics.of([["b"]], language="fr")},
            "m: the topics given for es say that they are in fr",
        ),
        (
            {"en": example_topics(), "es": SPANISH},
            "m: the topics of en are in several languages themselves: en, es",
        ),
    ],
)
def test_sides_that_do_not_fit_are_an_error_in_one_line(sides: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        MultilingualTopics.of_languages(sides, model="m")
    assert str(caught.value) == message


def test_ids_are_those_that_are_given() -> None:
    topics = MultilingualTopics.of_languages(
        {"en": [["a"], ["b"]], "es": {"7": ["c"], "x": ["d"]}, "fr": {7: ["e"], "x": ["f"]}}
    )
    assert [topic.id for topic in topics.topics] == ["7", "x"]
    for language in topics.languages:
        assert [topic.id for topic in topics.side(language).topics] == ["7", "x"]


@pytest.mark.parametrize(
    "known",
    [
        {"vocabulary": ("a",)},
        {"language": "en"},
        {"tokens": "words"},
        {"topic_word": np.ones((2, 1))},
        {"term_frequency": [1]},
        {"samples": np.ones((1, 2, 1))},
        {"assignments": Assignments.of([[0]])},
    ],
)
def test_fields_about_words_belong_to_a_side(known: dict[str, Any]) -> None:
    name = next(iter(known))
    with pytest.raises(InputError, match=f"^toy: {name} belongs to each language, not to all "):
        example_topics(**known)


def test_documents_are_tuples() -> None:
    shares = [[0.9, 0.1], [0.2, 0.8], [0.3, 0.7]]
    present = [[True, True], [True, False], [False, True]]
    topics = example_topics(
        document_topic=shares, document_ids=("GEN 1", "", ""), document_languages=present
    )
    assert topics.documents == 3
    assert topics.documents_per_topic() == ([1, 2], 0)
    assert topics.document_languages is not None
    assert topics.document_languages.dtype == np.bool_
    assert topics.document_languages.tolist() == present


def test_tuples_without_a_key_are_no_tuples_with_the_same() -> None:
    example_topics(document_ids=("", "a", "", "b"))
    with pytest.raises(InputError, match="toy: the document id 'a' is given twice"):
        example_topics(document_ids=("a", "", "a"))


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"document_languages": [[1, 1, 1]]}, r"are 1×3, but there are 2 languages .*: en, es"),
        ({"document_languages": [1, 1]}, r"are 2, but there are 2 languages"),
        ({"document_languages": [[1, 1], [1]]}, r"documents' languages differ in length"),
        ({"document_languages": [[1, 2]]}, r"must be true or false"),
        ({"document_languages": [["y", "n"]]}, r"must be true or false"),
        (
            {"document_languages": [[1, 1]], "document_topic": [[1, 0], [0, 1]]},
            r"the numbers of documents differ \(document-topic matrix: 2, languages .*: 1\)",
        ),
        ({"document_topic": [[1, 0, 0]]}, r"1×3, but there are 2 topics"),
        ({"documents": [1]}, r"1 document counts for 2 topics"),
        ({"documents": [1, -1]}, r"topic 1 has a negative number of documents"),
    ],
)
def test_fields_that_do_not_fit_the_tuples_are_an_error(
    known: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        example_topics(**known)
    assert str(caught.value).startswith("toy: ")
    assert "\n" not in str(caught.value)


def test_a_topic_has_the_documents_that_are_given_else_those_the_sides_agree_on() -> None:
    english = Topics.of([["a"], ["b"]], documents=[3, 4])
    sides = {"en": english, "es": Topics.of([["c"], ["d"]], documents=[3, 5])}
    result = MultilingualTopics.of_languages(sides)
    assert [topic.documents for topic in result.topics] == [3, None]
    assert result.documents_per_topic() is None
    counted = MultilingualTopics.of_languages(sides, documents=[1, 2])
    assert counted.documents_per_topic() == ([1, 2], 0)
    assert replace(counted, model="x").documents_per_topic() == ([1, 2], 0)


def test_a_new_name_goes_to_the_sides_too() -> None:
    topics = example_topics(document_ids=("x", "y"))
    named = replace(topics, model="other")
    assert {side.model for side in named.by_language.values()} == {"other"}
    assert replace(named, model="toy") == topics != named
    assert named.digest == topics.digest


def test_topics_are_changed_by_their_sides_only() -> None:
    topics = example_topics()
    with pytest.raises(InputError, match="toy: topics follow from those of the languages"):
        replace(topics, topics=topics.topics[:1])
    same = replace(topics, topics=tuple(Topic(topic.id, ("x",)) for topic in topics.topics))
    assert same == topics


def test_equality_hash_and_digest_see_every_side() -> None:
    topics = example_topics()
    assert topics == example_topics()
    assert hash(topics) == hash(example_topics())
    # the same joined words, split differently
    other = MultilingualTopics.of_languages(
        {"en": [["king", "no"], ["bread"]], "es": [["house", "rey", "no"], ["pan", "sopa"]]},
        model="toy",
    )
    assert topics[0].words == other[0].words
    assert topics != other
    assert topics.digest != other.digest
    assert topics.digest != Topics(topics.side("en").topics, model="toy").digest
    assert topics != topics.side("en")


def test_the_digest_sees_a_distribution_of_the_last_side() -> None:
    def with_phi(share: float) -> MultilingualTopics:
        phi = [[share, 1 - share]]
        side = Topics.of([["x"]], vocabulary=("x", "y"), topic_word=phi)
        return MultilingualTopics.of_languages({"en": [["a"]], "es": side})

    assert with_phi(0.5).digest == with_phi(0.5).digest != with_phi(0.25).digest


def test_they_can_be_copied_and_sent_to_other_processes() -> None:
    topics = example_topics(document_topic=[[1, 0]])
    assert copy.deepcopy(topics) == topics
    assert pickle.loads(pickle.dumps(topics)) == topics


@given(
    st.lists(
        st.lists(st.text("abc", min_size=1, max_size=2), min_size=1, max_size=3, unique=True),
        min_size=1,
        max_size=4,
    ),
    st.integers(2, 4),
)
def test_the_same_words_in_every_language_are_other_words(
    words: list[list[str]], languages: int
) -> None:
    topics = MultilingualTopics.of_languages({f"l{n}": words for n in range(languages)})
    plain = Topics.of(words)
    kinds = len({number for row in plain.word_numbers for number in row})
    assert len({number for row in topics.word_numbers for number in row}) == languages * kinds
    assert all(
        topic.words == one.words * languages
        for topic, one in zip(topics.topics, plain.topics, strict=True)
    )


def test_models_may_be_in_several_languages_wherever_models_stand() -> None:
    topics = example_topics()
    assert read_models(topics) == [topics]
    assert [model.model for model in read_models([topics, example_topics()])] == ["toy 1", "toy 2"]
    [result] = read_models({"x": topics})
    assert isinstance(result, MultilingualTopics)
    assert result.side("en").model == "x"
    assert adapt(topics, name="y").model == "y"


def test_models_of_languages_are_joined_by_adapt() -> None:
    phi = [[0.7, 0.3], [0.1, 0.9]]
    english = adapt(topic_word=phi, vocabulary=["king", "bread"])
    result = adapt(
        {"languages": {"en": english, "es": [["rey"], ["pan"]]}},
        name="both",
        document_topic=[[1, 0], [0, 1], [1, 0]],
        document_ids=["a", "b", "c"],
    )
    assert isinstance(result, MultilingualTopics)
    assert result.model == "both"
    assert result.side("en").topic_word is not None
    assert result.document_ids == ("a", "b", "c")
    assert result.documents_per_topic() == ([2, 1], 0)
    [same] = read_models({"languages": {"en": [["king"]], "es": [["rey"]]}})
    assert same.topics[0].words == ("king", "rey")


@pytest.mark.parametrize(
    ("sides", "known", "message"),
    [
        ({"en": [["a"]], "es": "b"}, {}, "m: es: no adapter knows a str"),
        ({"en": [["a"]]}, {}, "m: multilingual topics need two languages: there is only en"),
        ({}, {}, "m: multilingual topics need two languages: there is none"),
        ({"en": [["a"]], "es": [["b"]]}, {"language": "en"}, "several languages take no language="),
        ({"en": [["a"]], "es": [["b"]]}, {"vocabulary": ["a"]}, "languages take no vocabulary="),
    ],
)
def test_models_that_adapt_cannot_join_are_an_error(
    sides: dict[str, Any], known: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        adapt({"languages": sides}, name="m", **known)
