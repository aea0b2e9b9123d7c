from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.topics import Topic, Topics, read_topics
from tealeaves.topics.canonical import SCHEMA_PATH, schema, write_topics

TEXT = st.text(st.characters(codec="utf-8"), min_size=1)
WORDS = TEXT.map(str.strip).filter(bool)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SHARES = st.floats(0, 1e300)
IDS = st.integers(-(2**63), 2**63) | TEXT


@st.composite
def made_topics(draw: st.DrawFn) -> Topics:
    topics = []
    for topic_id in draw(st.lists(IDS, min_size=1, max_size=4, unique=True)):
        words = draw(st.lists(WORDS, min_size=1, max_size=4, unique=True))
        weights = draw(st.none() | st.tuples(*[FLOATS] * len(words)))
        topics.append(Topic(topic_id, tuple(words), weights, draw(st.none() | st.integers(0, 9))))
    vocabulary = draw(st.none() | st.lists(WORDS, max_size=3, unique=True).map(tuple))
    return Topics(
        tuple(topics),
        model=draw(TEXT),
        language=draw(st.sampled_from(["", "en", "pt-BR"])),
        vocabulary=vocabulary,
        topic_word=draw(_matrix(len(topics), len(vocabulary or ()))) if vocabulary else None,
        document_topic=draw(st.none() | _matrix(draw(st.integers(1, 3)), len(topics))),
        outliers=draw(st.integers(0, 5)),
    )


def _matrix(rows: int, columns: int) -> st.SearchStrategy[Any]:
    row = st.lists(SHARES, min_size=columns, max_size=columns)
    return st.lists(row, min_size=rows, max_size=rows).map(np.array)


def read(path: Path, data: str | bytes) -> Topics:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read_topics(path)


@settings(deadline=None)
@given(made_topics())
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, topics: Topics
) -> None:
    path = tmp_path_factory.getbasetemp() / "written.json"
    write_topics(topics, path)
    back = read_topics(path)
    assert back == topics
    for one, two in (
        (back.topic_word, topics.topic_word),
        (back.document_topic, topics.document_topic),
    ):
        assert (one is None) == (two is None)
        if one is not None and two is not None:
            np.testing.assert_array_equal(one, two)


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
