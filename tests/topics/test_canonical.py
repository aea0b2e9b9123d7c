from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.topics import Topic, Topics, read_topics
from tealeaves.topics.assignments import Assignments
from tealeaves.topics.canonical import SCHEMA_PATH, arrays_of_topics, schema, write_topics

TEXT = st.text(st.characters(codec="utf-8"), min_size=1)
WORDS = TEXT.map(str.strip).filter(bool)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SHARES = st.floats(0, 1e300)
IDS = st.integers(-(2**63), 2**63) | TEXT


@st.composite
def made_topics(draw: st.DrawFn) -> Topics:
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
        lambda found: Assignments.of(
            [[topic for topic, _ in text] for text in found],
            [[word for _, word in text] for text in found],
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
@given(topics=made_topics())
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, topics: Topics, suffix: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"written{suffix}"
    write_topics(topics, path)
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
    write_topics(topics, tmp_path / "a.json")
    content = json.loads((tmp_path / "a.json").read_text())
    assert {field.name for field in dataclasses.fields(Topics)} <= content.keys()
    assert content["assignments"] == {"starts": [0, 2], "words": [0, 1], "topics": [0, 1]}


def test_the_written_form_is_json_with_a_line_for_each_topic(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_topics(Topics.of([["é", "b"], ["c"]], model="m", documents=[1, 2]), path)
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
    write_topics(topics, tmp_path / "a.json")
    assert read_topics(tmp_path / "a.json")[0] == Topic(3, ("a", "b"), (0.5, 0.25), 3)


def test_an_empty_document_topic_matrix_is_read_back(tmp_path: Path) -> None:
    write_topics(Topics.of([["a"]], document_topic=np.zeros((0, 1))), tmp_path / "a.json")
    assert read_topics(tmp_path / "a.json").documents_per_topic() == ([0], 0)


def test_the_model_is_named_by_the_file_where_it_does_not_say(tmp_path: Path) -> None:
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
    found = read(tmp_path / "toy.json", data)
    assert found == Topics.of([["a", "b"], ["c"]], model="toy")


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
        ('{"topics": [["a"]], "best_topic": [1]}', r"best topic is none of 1"),
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
            r"samples are not of one size",
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


def test_the_shipped_schema_is_the_schema() -> None:
    assert SCHEMA_PATH.read_bytes() == schema()
    assert json.loads(schema())["$ref"] == "#/$defs/TopicsFile"
