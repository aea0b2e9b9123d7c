"""The canonical JSON and the archive, of topics in one language and in several."""

from __future__ import annotations

import dataclasses
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tealeaves.topics
from tealeaves.artifacts import _checksum
from tealeaves.errors import InputError
from tealeaves.topics import MultilingualTopics, Topic, Topics, read_topics
from tealeaves.topics.assignments import Assignments
from tealeaves.topics.formats.canonical import (
    TOPICS,
    MultilingualFile,
    TopicsFile,
    arrays_of_topics,
)

SCHEMAS = Path(tealeaves.topics.__file__).parent
TEXT = st.text(st.characters(codec="utf-8"), min_size=1)
WORDS = TEXT.map(str.strip).filter(bool)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SHARES = st.floats(0, 1e300)
IDS = st.integers(-(2**63), 2**63) | TEXT


@st.composite
def topics_of_one_language(draw: st.DrawFn) -> Topics:
    topics = []
    for topic_id in draw(st.lists(IDS, min_size=1, max_size=4, unique_by=str)):
        listed = draw(st.lists(WORDS, min_size=1, max_size=4, unique=True))
        weights = draw(st.none() | st.tuples(*[FLOATS] * len(listed)))
        topics.append(Topic(topic_id, tuple(listed), weights, draw(st.none() | st.integers(0, 9))))
    words = tuple(draw(st.lists(WORDS, max_size=3, unique=True)))
    documents = draw(st.integers(0, 3))
    sized = {
        "topic_word": _matrix(len(topics), len(words)),
        "samples": st.integers(1, 2).flatmap(
            lambda count: st.tuples(*[_matrix(len(topics), len(words))] * count).map(np.array)
        ),
        "term_frequency": _whole(len(words), 0, 2**53),
    }
    others = {
        "document_topic": _matrix(documents, len(topics)).map(
            lambda table: table.reshape(documents, len(topics))
        ),
        "best_topic": _whole(documents, -1, len(topics) - 1),
        "document_ids": st.lists(TEXT, min_size=documents, max_size=documents, unique=True).map(
            tuple
        ),
        "document_lengths": _whole(documents, 0, 2**53),
        "assignments": _assignments(documents, len(topics), len(words)),
    }
    parts = others | (sized if words else {})
    known = {name: draw(st.none() | strategy) for name, strategy in parts.items()}
    return Topics(
        tuple(topics),
        model=draw(TEXT),
        language=draw(st.sampled_from(["", "en", "pt-BR"])),
        vocabulary=words or None,
        outliers=draw(st.integers(0, 5)),
        family=draw(st.sampled_from(["", "lda(k=20)"])),
        tokens=draw(st.sampled_from(["", "words(stopwords=en)"])),
        **known,
    )


def _whole(size: int, low: int, high: int) -> st.SearchStrategy[Any]:
    numbers = st.lists(st.integers(low, high), min_size=size, max_size=size)
    return numbers.map(lambda listed: np.array(listed, dtype=np.int64))


def _assignments(documents: int, topics: int, words: int) -> st.SearchStrategy[Assignments]:
    token = st.tuples(st.integers(-1, topics - 1), st.integers(-1, words - 1))
    texts = st.lists(st.lists(token, max_size=4), min_size=documents, max_size=documents)
    return texts.map(
        lambda result: Assignments.of(
            [[topic for topic, _ in text] for text in result],
            [[word for _, word in text] for text in result],
        )
    )


def _matrix(rows: int, columns: int) -> st.SearchStrategy[Any]:
    row = st.lists(SHARES, min_size=columns, max_size=columns)
    return st.lists(row, min_size=rows, max_size=rows).map(np.array)


def read(path: Path, data: str | bytes) -> Topics:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read_topics(path)


@pytest.mark.parametrize("suffix", [".json", ".topics"])
@settings(deadline=None)
@given(topics=topics_of_one_language())
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, topics: Topics, suffix: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"written{suffix}"
    topics.save(path)
    back = read_topics(path)
    assert back == topics
    before, after = arrays_of_topics(topics), arrays_of_topics(back)
    assert list(before) == list(after)
    for name, array in before.items():
        np.testing.assert_array_equal(after[name], array)
        assert after[name].dtype == array.dtype


def test_every_field_of_topics_is_written(tmp_path: Path) -> None:
    """A field that somebody adds to Topics must be added to the file too."""
    topics = Topics.of(
        [["a"], ["b"]],
        model="m",
        language="en",
        vocabulary=("a", "b"),
        topic_word=[[1, 0], [0, 1]],
        document_topic=[[1, 0]],
        outliers=1,
        best_topic=[0],
        document_ids=("d",),
        document_lengths=[2],
        term_frequency=[1, 1],
        assignments=Assignments.of([[0, 1]], [[0, 1]]),
        samples=[[[1, 0], [0, 1]]],
        family="lda",
        tokens="words",
    )
    topics.save(tmp_path / "a.json")
    content = json.loads((tmp_path / "a.json").read_text())
    assert {field.name for field in dataclasses.fields(Topics)} <= content.keys()
    assert content["assignments"] == {"starts": [0, 2], "words": [0, 1], "topics": [0, 1]}


def test_the_written_form_is_json_with_a_line_for_each_topic(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    Topics.of([["é", "b"], ["c"]], model="m", documents=[1, 2]).save(path)
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content == {
        "format": "tealeaves-topics",
        "version": 1,
        "model": "m",
        "topics": [
            {"id": 0, "words": ["é", "b"], "documents": 1},
            {"id": 1, "words": ["c"], "documents": 2},
        ],
    }
    lines = path.read_text(encoding="utf-8").splitlines()
    assert sum('"words"' in line for line in lines) == 2
    assert "é" in path.read_text(encoding="utf-8")


def test_numbers_of_numpy_can_be_written(tmp_path: Path) -> None:
    weights = tuple(np.array([0.5, 0.25]))
    [size] = np.array([3])
    topics = Topics((Topic(size, (np.str_("a"), "b"), weights, size),))
    topics.save(tmp_path / "a.json")
    assert read_topics(tmp_path / "a.json")[0] == Topic(3, ("a", "b"), (0.5, 0.25), 3)


def test_an_empty_document_topic_matrix_is_read_back(tmp_path: Path) -> None:
    Topics.of([["a"]], document_topic=np.zeros((0, 1))).save(tmp_path / "a.json")
    assert read_topics(tmp_path / "a.json").documents_per_topic() == ([0], 0)


def test_the_file_names_a_model_without_a_name(tmp_path: Path) -> None:
    assert read(tmp_path / "lda.v2.json", '{"topics": [["a"]]}').model == "lda.v2"
    assert read(tmp_path / "a.json", '{"topics": [["a"]], "model": "lda"}').model == "lda"


@pytest.mark.parametrize(
    "data",
    [
        '[["a", "b"], ["c"]]',
        '\n  [["a", "b"],\n ["c"]]\n',
        '{"topics": [["a", "b"], ["c"]]}',
        '{"topics": [{"words": ["a", "b"]}, ["c"]]}',
        '{"topics": [{"words": ["a", "b"], "id": 0, "weights": null}, {"id": 1, "words": ["c"]}]}',
        '\ufeff{"topics": [["a", "b"], ["c"]]}',
        '\ufeff[["a", "b"], ["c"]]',
    ],
)
def test_shorter_forms_are_read_too(tmp_path: Path, data: str) -> None:
    result = read(tmp_path / "toy.json", data)
    assert result == Topics.of([["a", "b"], ["c"]], model="toy")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ('{"topics": [["a"]], "modle": "x"}', r"unknown field `modle`"),
        ('{"topics": [{"words": ["a"], "wieghts": []}]}', r"unknown field `wieghts`.*topics\[0\]"),
        ('{"topics": [["a"], ["b", 5]]}', r"got `int` - at `\$\.topics\[1\]\[1\]`"),
        ('[["a"], "b"]', r"got `str` - at `\$\[1\]`"),
        ('[{"words": ["a"]}]', r"\$\[0\]"),
        ('{"topics": [{"words": ["a"], "documents": -1}]}', r"\$\.topics\[0\]\.documents"),
        ('{"topics": {"0": ["a"]}}', r"\$\.topics"),
        ('{"model": "x"}', r"missing required field `topics`"),
        ('{"topics": [["a"]], "version": 2}', r"\$\.version"),
        ('{"topics": [["a"]], "outliers": -1}', r"\$\.outliers"),
        ('{"topics": [["a"]], "format": "something-else"}', r"format"),
        ('{"topics": []}', r"no topics"),
        ("[]", r"no topics"),
        ('[["a"], []]', r"topic 1 has no words"),
        ('{"topics": [["a"], ["b", " "]], "model": "m"}', r"topic 1: word 2 is empty"),
        ('{"topics": [{"id": 5, "words": ["a"], "weights": []}]}', r"topic 5 has 1 words but 0"),
        ('{"topics": [["a"]], "topic_word": [[1]]}', r"needs its vocabulary"),
        ('{"topics": [["a"]], "document_topic": [[1, 2]]}', r"1×2, but there are 1 topics"),
        ('{"topics": [["a"]], "best_topic": [1]}', r"best topics must be between -1 and 0"),
        ('{"topics": [["a"]], "best_topic": [-2]}', r"\$\.best_topic\[0\]"),
        ('{"topics": [["a"]], "best_topic": [0.5]}', r"\$\.best_topic\[0\]"),
        ('{"topics": [["a"]], "document_lengths": [9223372036854775808]}', r"document_lengths"),
        ('{"topics": [["a"]], "document_ids": ["x", "x"]}', r"id 'x' is given twice"),
        ('{"topics": [["a"]], "assignments": {"starts": [0]}}', r"field `words`.*assignments"),
        (
            '{"topics": [["a"]], "assignments": {"starts": [0, 2], "words": [0], "topics": [0]}}',
            r"assignments do not fit together",
        ),
        (
            '{"topics": [["a"]], "vocabulary": ["a", "b"], "samples": [[[1, 2]], [[1]]]}',
            r"samples are not tables of numbers of one size",
        ),
    ],
)
def test_wrong_content_is_an_error_that_names_file_and_place(
    tmp_path: Path, data: str, message: str
) -> None:
    path = tmp_path / "a.json"
    with pytest.raises(InputError, match=message) as caught:
        read(path, data)
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ('{"topics": [["a",]]}', 1),
        ('{\n "topics": [\n  ["a"],\n  ["b"\n ]\n', 6),
        ('[\n["a"]\n["b"]\n]', 3),
        ('{"topics": [["a"]]} x', 1),
        ("[['a']]", 1),
    ],
)
def test_broken_json_is_an_error_that_names_the_line(tmp_path: Path, data: str, line: int) -> None:
    path = tmp_path / "a.json"
    with pytest.raises(InputError, match="not valid JSON at column") as caught:
        read(path, data)
    assert str(caught.value).startswith(f"{path}:{line}: ")


@pytest.mark.parametrize(
    "data",
    [
        b'{"topics": [{"words": ["a"], "weights": [NaN]}]}',
        b'[["\\ud800"]]',
        b'[["caf\xe9"]]',
        b'[["\xed\xa0\x80"]]',
        '[["a"]]'.encode("utf-16-le"),
        '[["a"]]'.encode("utf-16"),
    ],
)
def test_json_that_only_python_reads_is_an_input_error(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.json"
    with pytest.raises(InputError) as caught:
        read(path, data)
    assert str(path) in str(caught.value)


def json_schema(kind: type[TopicsFile | MultilingualFile]) -> bytes:
    """Return what the file of the schema must hold."""
    title = "tealeaves topics"
    if kind is MultilingualFile:
        title += " in several languages"
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    return json.dumps(schema | msgspec.json.schema(kind), indent=2).encode() + b"\n"


# msgspec lists the alternatives of a value in another order before version 0.22
same_order = pytest.mark.skipif(msgspec.__version__ < "0.22", reason="another order of schemas")


@same_order
def test_the_shipped_schema_is_the_schema() -> None:
    assert (SCHEMAS / "topics.schema.json").read_bytes() == json_schema(TopicsFile)
    assert json.loads(json_schema(TopicsFile))["$ref"] == "#/$defs/TopicsFile"


SMALLEST = '{"languages": {"en": [["king", "house"], ["bread"]], "es": [["rey"], ["pan", "té"]]}}'
WORD_LISTS = st.lists(
    st.text('aé字"\\', min_size=1, max_size=3), min_size=1, max_size=3, unique=True
)
LANGUAGES = st.sampled_from(["en", "es", "zh-Hans", "0", "assignments", "été", "a.b"])


@st.composite
def sides(draw: st.DrawFn, ids: list[int | str]) -> Topics:
    vocabulary = tuple(draw(WORD_LISTS))
    shape = (len(ids), len(vocabulary))
    weights = st.lists(st.floats(0, 1), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])
    known: dict[str, Any] = {
        "topic_word": draw(st.none() | weights.map(lambda row: np.reshape(row, shape))),
        "term_frequency": draw(st.none() | st.just(np.arange(shape[1]))),
        "assignments": draw(st.none() | st.just(Assignments.of([[0], []], [[-1], []]))),
        "tokens": draw(st.sampled_from(["", "words"])),
        "outliers": draw(st.integers(0, 2)),
    }
    listed = {topic: draw(WORD_LISTS) for topic in ids}
    documents = draw(st.none() | st.just([1] * len(ids)))
    return Topics.of(listed, vocabulary=vocabulary, documents=documents, **known)


@st.composite
def topics_of_languages(draw: st.DrawFn) -> MultilingualTopics:
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
@given(topics=topics_of_languages())
def test_what_is_written_in_several_languages_is_read_back(
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
    back.save(path)
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


def test_sides_may_have_more_fields(tmp_path: Path) -> None:
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
    result = read_topics(path)
    assert result == Topics.of(
        [["rey"], ["pan"]],
        model="toy",
        language="es",
        documents=[3, 4],
        document_ids=("a",),
        family="lda",
    )
    assert type(result) is Topics
    assert result.document_topic is not None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ('{"languages": {}}', r"multilingual topics need two languages: there is none"),
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


def test_language_has_no_meaning_for_several_languages(tmp_path: Path) -> None:
    path = tmp_path / "toy.json"
    path.write_text(SMALLEST, encoding="utf-8")
    with pytest.raises(InputError, match=r"language has no meaning for topics in en, es"):
        read_topics(path, language="en")


def test_the_arrays_of_an_archive_lie_under_their_language(tmp_path: Path) -> None:
    side = Topics.of([["a"]], vocabulary=("a", "b"), topic_word=[[0.75, 0.25]])
    topics = MultilingualTopics.of_languages(
        {"en": side, "es": [["c"]]}, document_languages=[[True, False]]
    )
    topics.save(tmp_path / "a.topics")
    with zipfile.ZipFile(tmp_path / "a.topics") as file:
        assert set(file.namelist()) == {
            "header.json",
            "en/topic_word.npy",
            "document_languages.npy",
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
def test_an_unknown_array_is_an_error(tmp_path: Path, name: str, kind: str, message: str) -> None:
    path = tmp_path / "a.topics"
    TOPICS.save(path, msgspec.Raw(SMALLEST.encode()), {name: np.ones((2, 1), kind)})
    with pytest.raises(InputError, match=message):
        read_topics(path)


@same_order
def test_the_schema_file_is_that_of_the_code() -> None:
    assert (SCHEMAS / "multilingual.schema.json").read_bytes() == json_schema(MultilingualFile)
    described = json.loads(json_schema(MultilingualFile))["$defs"]
    assert {"MultilingualFile", "TopicsFile", "TopicRecord"} <= described.keys()
    names = set(MultilingualFile.__struct_fields__)
    assert described["MultilingualFile"]["properties"].keys() == names


# ---------------------------------------------------------------------- archives


def example_topics() -> Topics:
    return Topics.of(
        [["cat", "dog"], ["soup"]],
        model="lda",
        vocabulary=("cat", "dog", "soup"),
        topic_word=[[0.5, 0.5, 0], [0, 0, 1]],
        document_topic=[[1, 0], [0.25, 0.75]],
    )


def rewrite_archive(path: Path, changes: dict[str, bytes | None], *, sign: bool = False) -> None:
    """Write the archive anew with other arrays or header fields; ``sign`` mends the checksum."""
    with zipfile.ZipFile(path) as file:
        arrays = {name: file.read(name) for name in file.namelist()}
    header = msgspec.json.decode(arrays.pop("header.json"), type=dict[str, msgspec.Raw])
    for name, data in changes.items():
        members: dict[str, Any] = arrays if name.endswith(".npy") else header
        members.pop(name, None)
        if data is not None:
            members[name] = data if members is arrays else msgspec.Raw(data)
    if sign:
        digest = _checksum(bytes(header["content"]), arrays)
        header["checksum"] = msgspec.Raw(msgspec.json.encode(digest))
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("header.json", msgspec.json.encode(header))
        for name, data in arrays.items():
            file.writestr(name, data)


def npy(array: object, *, allow_pickle: bool = False) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.asarray(array), allow_pickle=allow_pickle)
    return stream.getvalue()


def test_an_archive_is_json_and_arrays_that_anybody_can_read(tmp_path: Path) -> None:
    example_topics().save(tmp_path / "a.topics")
    with zipfile.ZipFile(tmp_path / "a.topics") as file:
        content = json.loads(file.read("header.json"))["content"]
        phi = np.load(io.BytesIO(file.read("topic_word.npy")), allow_pickle=False)
        assert file.namelist()[0] == "header.json"
    assert content["model"] == "lda"
    assert "topic_word" not in content
    assert phi.tolist() == [[0.5, 0.5, 0], [0, 0, 1]]


def test_the_same_topics_make_the_same_bytes(tmp_path: Path) -> None:
    example_topics().save(tmp_path / "a.topics")
    example_topics().save(tmp_path / "b.topics")
    assert (tmp_path / "a.topics").read_bytes() == (tmp_path / "b.topics").read_bytes()


def test_an_archive_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    example_topics().save(tmp_path / "a.topics")
    (tmp_path / "a.topics").rename(tmp_path / "other.zip")
    assert read_topics(tmp_path / "other.zip") == example_topics()


@pytest.mark.parametrize("name", ["a.txt", "a", "a.npz", "a.json.gz", "topics"])
def test_another_suffix_is_an_error_that_names_the_two(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"\.json file or.*\.topics file"):
        example_topics().save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_file_cut_short_anywhere_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.topics"
    example_topics().save(path)
    data = path.read_bytes()
    for size in range(0, len(data), 13):
        path.write_bytes(data[:size])
        with pytest.raises(InputError, match=r"a\.topics: ") as caught:
            read_topics(path)
        assert "\n" not in str(caught.value)


def test_a_changed_byte_is_never_read_as_other_topics(tmp_path: Path) -> None:
    path = tmp_path / "a.topics"
    example_topics().save(path)
    data = path.read_bytes()
    for place in range(0, len(data), 5):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x41]) + data[place + 1 :])
        try:
            result = read_topics(path)
        except InputError:
            continue
        assert result == example_topics()  # dates and flags of the members mean nothing
        np.testing.assert_array_equal(result.topic_word, example_topics().topic_word)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"topic_word.npy": npy([[0.0, 0.5, 0.5], [0, 0, 1]])}, "checksum is wrong"),
        ({"document_topic.npy": None}, "checksum is wrong"),
        ({"checksum": None}, "not a complete file of topics: .*`checksum`"),
        ({"checksum": b'"0"'}, "checksum is wrong"),
        ({"content": b'{"topics": [["cat"], ["soup"]]}'}, "checksum is wrong"),
        ({"format": b'"tealeaves-counts"'}, "not a file of topics"),
        ({"version": b"1"}, "file version 1"),
    ],
)
def test_a_file_changed_by_hand_is_damaged(
    tmp_path: Path, changes: dict[str, bytes | None], message: str
) -> None:
    example_topics().save(tmp_path / "a.topics")
    rewrite_archive(tmp_path / "a.topics", changes)
    with pytest.raises(InputError, match=message):
        read_topics(tmp_path / "a.topics")


def impossible(name: str, values: Any, kind: str) -> dict[str, bytes | None]:
    return {f"{name}.npy": npy(np.array(values, kind))}


PHI = [[0.5, 0.5, 0], [0, 0, 1]]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (impossible("topic_word", [[-0.5, 1.5, 0], [0, 0, 1]], "<f8"), "negative or non-finite"),
        (impossible("topic_word", [[np.nan, 1, 0], [0, 0, 1]], "<f8"), "negative or non-finite"),
        (impossible("document_topic", [[np.inf, 0]], "<f8"), "negative or non-finite"),
        (impossible("document_topic", [[1.0, 0, 0]], "<f8"), "1×3, but there are 2 topics"),
        (impossible("samples", [[PHI[0]]], "<f8"), "samples are 1×1×3"),
        (impossible("samples", [[PHI[0], [0, -1, 1]]], "<f8"), "negative or non-finite"),
        (impossible("term_frequency", [1, 2, -3], "<i8"), "between 0 and 9007.*one is -3"),
        (impossible("term_frequency", [1, 2**62, 3], "<i8"), "between 0 and 9007"),
        (impossible("term_frequency", [1, 2], "<i8"), "2 word frequencies instead of 3"),
        (impossible("document_lengths", [4, -1], "<i8"), "lengths must be between 0 .*one is -1"),
        (impossible("document_lengths", [4], "<i8"), "1 document lengths instead of 2"),
        (impossible("best_topic", [0, 2], "<i4"), "topics must be between -1 and 1.*one is 2"),
        (impossible("best_topic", [0, -2], "<i4"), "topics must be between -1 and 1.*one is -2"),
        (impossible("best_topic", [0], "<i4"), "numbers of documents differ"),
    ],
)
def test_an_archive_of_impossible_numbers_is_refused(
    tmp_path: Path, changes: dict[str, bytes | None], message: str
) -> None:
    example_topics().save(tmp_path / "a.topics")
    rewrite_archive(tmp_path / "a.topics", changes, sign=True)
    with pytest.raises(InputError, match=message):
        read_topics(tmp_path / "a.topics")


@pytest.mark.parametrize(
    ("starts", "words", "topics", "message"),
    [
        ([0, 1, 2], [0, 3], [0, 0], "assigned to word 3, but there are 3 words"),
        ([0, 1, 2], [0, -2], [0, 0], "assigned to word -2"),
        ([0, 1, 2], [0, 1], [0, 2], "assigned to topic 2, but there are 2 topics"),
        ([0, 3, 2], [0, 1], [0, 0], "do not fit together"),
        ([1, 1, 2], [0, 1], [0, 0], "do not fit together"),
        ([0, 1, 2], [0], [0, 0], "do not fit together"),
        ([0, 2], [0, 1], [0, 0], "numbers of documents differ"),
    ],
)
def test_impossible_assignments_are_refused(
    tmp_path: Path, starts: list[int], words: list[int], topics: list[int], message: str
) -> None:
    changes = impossible("assignments/starts", starts, "<i8")
    changes |= impossible("assignments/words", words, "<i4")
    changes |= impossible("assignments/topics", topics, "<i4")
    example_topics().save(tmp_path / "a.topics")
    rewrite_archive(tmp_path / "a.topics", changes, sign=True)
    with pytest.raises(InputError, match=message):
        read_topics(tmp_path / "a.topics")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"topic_word.npy": npy([[1.0, 2.0]])}, r"1×2, but there are 2 topics"),
        ({"topic_word.npy": npy([["x"]])}, r"array topic_word is of kind <U1, not <f8"),
        ({"topic_word.npy": b"\x93NUMPY nonsense"}, r"array topic_word cannot be read"),
        ({"topic_word.npy": npy(np.zeros((2, 3)))[:-8]}, r"cannot be read: an array is cut short"),
        ({"more.npy": npy([1])}, r"array 'more' is not known: known are topic_word, "),
        ({"assignments/words.npy": npy(np.zeros(1, "<i4"))}, r"assignments do not fit together"),
        ({"content": b'{"topics": [["a"], ["b"]], "x": 1}'}, r"unknown field `x`"),
        (
            {"topic_word.npy": npy([[{}]], allow_pickle=True)},
            r"cannot be read: an array of Python objects, which is a pickle",
        ),
    ],
)
def test_an_archive_of_another_program_is_checked_too(
    tmp_path: Path, changes: dict[str, bytes | None], message: str
) -> None:
    example_topics().save(tmp_path / "a.topics")
    rewrite_archive(tmp_path / "a.topics", changes, sign=True)
    with pytest.raises(InputError, match=message) as caught:
        read_topics(tmp_path / "a.topics")
    assert str(caught.value).startswith(str(tmp_path / "a.topics"))


def test_a_huge_array_is_refused_before_memory_is_allocated(tmp_path: Path) -> None:
    example_topics().save(tmp_path / "a.topics")
    header = npy(np.zeros((2, 3))).replace(b"(2, 3), }", b"(2, 3000000000000), }")
    rewrite_archive(tmp_path / "a.topics", {"topic_word.npy": header}, sign=True)
    with pytest.raises(InputError, match=r"topic_word cannot be read"):
        read_topics(tmp_path / "a.topics")


def test_a_foreign_archive_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as file:
        file.writestr("readme.txt", "hello")
    with pytest.raises(InputError, match="an archive, not topics; counts are given with --counts"):
        read_topics(tmp_path / "a.zip")
    (tmp_path / "a.zip").rename(tmp_path / "a.topics")
    with pytest.raises(
        InputError, match=r"not a complete file of topics: there is no header\.json"
    ):
        read_topics(tmp_path / "a.topics")
    (tmp_path / "b.topics").write_text("cat dog\n")
    with pytest.raises(InputError, match="not a complete file of topics"):
        read_topics(tmp_path / "b.topics")
