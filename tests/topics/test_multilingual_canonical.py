"""The canonical JSON and the archive of topics in several languages."""

from __future__ import annotations

import dataclasses
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.archives import array_bytes, checksum
from tealeaves.errors import InputError
from tealeaves.topics import MultilingualTopics, Topics, read_topics, write_topics
from tealeaves.topics.assignments import Assignments
from tealeaves.topics.canonical import arrays_of_topics
from tealeaves.topics.multilingual_canonical import SCHEMA_PATH, MultilingualFile, schema

SMALLEST = '{"languages": {"en": [["king", "house"], ["bread"]], "es": [["rey"], ["pan", "té"]]}}'
WORDS = st.lists(st.text('aé字"\\', min_size=1, max_size=3), min_size=1, max_size=3, unique=True)
LANGUAGES = st.sampled_from(["en", "es", "zh-Hans", "0", "assignments", "été", "a.b"])


@st.composite
def sides(draw: st.DrawFn, ids: list[int | str]) -> Topics:
    vocabulary = tuple(draw(WORDS))
    shape = (len(ids), len(vocabulary))
    weights = st.lists(st.floats(0, 1), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])
    known: dict[str, Any] = {
        "topic_word": draw(st.none() | weights.map(lambda row: np.reshape(row, shape))),
        "term_frequency": draw(st.none() | st.just(np.arange(shape[1]))),
        "assignments": draw(st.none() | st.just(Assignments.of([[0], []], [[-1], []]))),
        "tokens": draw(st.sampled_from(["", "words"])),
        "outliers": draw(st.integers(0, 2)),
    }
    listed = {topic: draw(WORDS) for topic in ids}
    documents = draw(st.none() | st.just([1] * len(ids)))
    return Topics.of(listed, vocabulary=vocabulary, documents=documents, **known)


@st.composite
def made(draw: st.DrawFn) -> MultilingualTopics:
    ids = draw(
        st.lists(
            st.integers(-3, 3) | st.text("xy", min_size=1), min_size=1, max_size=3, unique=True
        )
    )
    names = draw(st.lists(LANGUAGES, min_size=2, max_size=3, unique=True))
    keys = draw(st.lists(st.sampled_from(["", "GEN 1", "é"]), max_size=2, unique=True))
    rows, topics, languages = len(keys), len(ids), len(names)
    known: dict[str, Any] = {
        "document_ids": draw(st.none() | st.just(tuple(keys))),
        "document_topic": draw(st.none() | st.just(np.full((rows, topics), 1 / topics))),
        "best_topic": draw(st.none() | st.just(np.zeros(rows, dtype=np.int32))),
        "document_languages": draw(st.none() | st.just(np.eye(rows, languages, dtype=bool))),
        "document_lengths": draw(st.none() | st.just(np.arange(rows))),
        "family": draw(st.sampled_from(["", "pltm(k=2)"])),
        "outliers": draw(st.integers(0, 2)),
        "documents": draw(st.none() | st.just([4, *[None] * (topics - 1)])),
    }
    model = draw(st.text("mé/", min_size=1))
    return MultilingualTopics.of_languages(
        {name: draw(sides(ids)) for name in names}, model=model, **known
    )


@pytest.mark.parametrize("suffix", [".json", ".topics"])
@settings(deadline=None, max_examples=30)
@given(topics=made())
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, topics: MultilingualTopics, suffix: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"multilingual{suffix}"
    topics.save(path)
    back = read_topics(path)
    assert back == topics
    assert isinstance(back, MultilingualTopics)
    assert back.languages == topics.languages
    assert back.digest == topics.digest
    before, after = arrays_of_topics(topics), arrays_of_topics(back)
    assert list(before) == list(after)
    for name, array in before.items():
        np.testing.assert_array_equal(after[name], array)
        assert after[name].dtype == array.dtype
    first = path.read_bytes()
    write_topics(back, path)
    assert path.read_bytes() == first


def test_every_field_is_written(tmp_path: Path) -> None:
    """A field that somebody adds must be added to the file too."""
    topics = MultilingualTopics.of_languages(
        {"en": [["a"]], "es": [["b"]]},
        documents=[1],
        document_topic=[[1]],
        outliers=1,
        best_topic=[0],
        document_ids=("d",),
        document_lengths=[2],
        document_languages=[[True, False]],
        family="pltm",
    )
    topics.save(tmp_path / "a.json")
    content = json.loads((tmp_path / "a.json").read_text())
    own = {field.name for field in dataclasses.fields(MultilingualTopics)}
    of_sides = {"topics", "language", "vocabulary", "topic_word", "term_frequency"}
    of_sides |= {"assignments", "samples", "tokens", "by_language"}
    assert own - of_sides <= content.keys()
    assert content["languages"] == {
        "en": {"topics": [{"words": ["a"], "id": 0}]},
        "es": {"topics": [{"words": ["b"], "id": 0}]},
    }
    assert (content["format"], content["version"]) == ("tealeaves-multilingual-topics", 1)
    assert content["document_languages"] == [[True, False]]


def test_the_smallest_form(tmp_path: Path) -> None:
    path = tmp_path / "toy.json"
    path.write_text(SMALLEST, encoding="utf-8")
    assert read_topics(path) == MultilingualTopics.of_languages(
        {"en": [["king", "house"], ["bread"]], "es": [["rey"], ["pan", "té"]]}, model="toy"
    )


def test_a_topic_is_a_line_of_the_written_form(tmp_path: Path) -> None:
    path = tmp_path / "toy.json"
    path.write_text(SMALLEST, encoding="utf-8")
    read_topics(path).save(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert '    {"words":["pan","té"],"id":1}' in lines
    assert sum('"words"' in line for line in lines) == 4


def test_sides_may_say_more(tmp_path: Path) -> None:
    path = tmp_path / "toy.json"
    english = '{"topics": [{"words": ["a"], "id": "x", "weights": [2]}], "model": "other"}'
    path.write_text('\ufeff{"model": "m", "languages": {"es": [["b"]], "en": ' + english + "}}")
    topics = read_topics(path)
    assert isinstance(topics, MultilingualTopics)
    assert topics.side("en")[0].weights == (2.0,)
    assert [side.model for side in topics.by_language.values()] == ["m", "m"]
    assert topics.side("es")[0].id == "x"


def test_a_file_of_one_language_is_read_as_plain_topics(tmp_path: Path) -> None:
    path = tmp_path / "toy.json"
    path.write_text(
        '{"languages": {"es": [["rey"], ["pan"]]}, "documents": [3, 4], "document_ids": ["a"],'
        ' "document_topic": [[0.5, 0.5]], "document_languages": [[true]], "family": "lda"}'
    )
    found = read_topics(path)
    assert found == Topics.of(
        [["rey"], ["pan"]],
        model="toy",
        language="es",
        documents=[3, 4],
        document_ids=("a",),
        family="lda",
    )
    assert type(found) is Topics
    assert found.document_topic is not None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ('{"languages": {}}', r"topics across languages need two languages: there is none"),
        ('{"languages": []}', r"Expected `object`, got `array` - at `\$\.languages`"),
        ('{"languages": null}', r"\$\.languages"),
        (
            '{"languages": {"en": [["a"]], "es": [["b", 5]]}}',
            r"es: .*got `int` - at `\$\[0\]\[1\]`",
        ),
        ('{"languages": {"en": [["a"]], "es": 5}}', r"es: Expected"),
        ('{"languages": {"en": [["a"]], "es": {"topic": []}}}', r"es: .*unknown field `topic`"),
        ('{"languages": {"en": [["a"]], "en": [["b"]]}}', r"the language 'en' is given twice"),
        ('{"languages": {"en": [["a"]], "es": [["b"], ["c"]]}}', r"numbers.*en has 1, es has 2"),
        ('{"languages": {"en": [["a"]], "es": [[" "]]}}', r"es: topic 0: word 1 is empty"),
        ('{"languages": {"en": [["a"]], "es": []}}', r"es: no topics"),
        ('{"languages": {"en": [["a"]], "e/s": [["b"]]}}', r"'e/s' is no name of a language"),
        ('{"languages": {"en": [["a"]], "es": [["b"]]}, "topics": []}', r"unknown field `topics`"),
        ('{"languages": {"en": [["a"]], "es": [["b"]]}, "version": 2}', r"\$\.version"),
        ('{"languages": {"en": [["a"]], "es": [["b"]]}, "documents": [1, 2]}', r"2 document count"),
        ('{"languages": {"en": [["a"]]}, "documents": [1, 2]}', r"2 document counts for 1 topics"),
        ('{"languages": {"en": [["a"]], "es": [["b"]]}, "documents": [-1]}', r"documents"),
        (
            '{"languages": {"en": [["a"]], "es": [["b"]]}, "document_topic": [[1, 0]]}',
            r"1×2, but there are 1 topics",
        ),
        (
            '{"languages": {"en": {"topics": [["a"]], "topic_word": [[1]]}, "es": [["b"]]}}',
            r"en: a topic-word matrix needs its vocabulary",
        ),
        ('{"languages": {"en": [["a"]], "es": [[NaN]]}}', r"not valid JSON"),
        ('{"languages": {"en": [["a"]], "es": [["b"]}}', r"toy.json:1: not valid JSON at column"),
        ('{"format": "tealeaves-multilingual-topics"}', r"missing required field `languages`"),
        ('{"languages": {"en": [["a"]], "es": [["b"]]}, "format": "tealeaves-topics"}', r"format"),
    ],
)
def test_a_wrong_file_is_an_error_in_one_line_that_names_it(
    tmp_path: Path, data: str, message: str
) -> None:
    path = tmp_path / "toy.json"
    path.write_text(data)
    with pytest.raises(InputError, match=message) as caught:
        read_topics(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_the_language_of_the_words_is_not_said_of_several(tmp_path: Path) -> None:
    path = tmp_path / "toy.json"
    path.write_text(SMALLEST, encoding="utf-8")
    with pytest.raises(InputError, match=r"language= has no meaning for topics in en, es"):
        read_topics(path, language="en")


def archive(path: Path, header: str, arrays: dict[str, bytes]) -> Path:
    """Write an archive whose checksum is right."""
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("topics.json", header)
        for name, data in arrays.items():
            file.writestr(name, data)
        file.writestr("checksum.txt", checksum(header.encode(), arrays))
    return path


def test_the_arrays_of_an_archive_lie_under_their_language(tmp_path: Path) -> None:
    side = Topics.of([["a"]], vocabulary=("a", "b"), topic_word=[[0.75, 0.25]])
    topics = MultilingualTopics.of_languages(
        {"en": side, "es": [["c"]]}, document_languages=[[True, False]]
    )
    topics.save(tmp_path / "a.topics")
    with zipfile.ZipFile(tmp_path / "a.topics") as file:
        assert set(file.namelist()) == {
            "topics.json",
            "en/topic_word.npy",
            "document_languages.npy",
            "checksum.txt",
        }


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("fr/topic_word", "<f8", r"the array 'fr/topic_word' is of none of the languages en, es"),
        ("topic_word", "<f8", r"the array 'topic_word' is of none of the languages en, es"),
        ("en/tpoic_word", "<f8", r"the array 'en/tpoic_word' is not known: known are topic_word"),
        ("en/topic_word", "<f4", r"the array en/topic_word is of kind <f4, not <f8"),
        ("document_languages", "<i8", r"is of kind <i8, not \|b1"),
        ("en/assignments/words", "<i4", r"en/assignments/words is not a plain list of numbers"),
    ],
)
def test_an_array_that_has_no_place_is_an_error(
    tmp_path: Path, name: str, kind: str, message: str
) -> None:
    path = archive(
        tmp_path / "a.topics", SMALLEST, {f"{name}.npy": array_bytes(np.ones((2, 1)), kind)}
    )
    with pytest.raises(InputError, match=message):
        read_topics(path)


def test_the_schema_file_is_that_of_the_code() -> None:
    assert SCHEMA_PATH.read_bytes() == schema()
    described = json.loads(schema())["$defs"]
    assert {"MultilingualFile", "TopicsFile", "TopicRecord"} <= described.keys()
    names = set(MultilingualFile.__struct_fields__)
    assert described["MultilingualFile"]["properties"].keys() == names
