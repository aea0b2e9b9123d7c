"""Outputs of OCTIS, written as its ``save_model_output`` does: ``np.savez_compressed``."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.topics import Topics, read_topics

VOCABULARY = ["cat", "dog", "soup", "bread", "spoon"]
PHI = np.array([[0.5, 0.3, 0.1, 0.1, 0.0], [0.0, 0.1, 0.5, 0.3, 0.1]])
THETA = np.array([[0.9, 0.2, 0.5], [0.1, 0.8, 0.5]])  # topics × documents
WORDS = [["cat", "dog"], ["soup", "bread"]]


def output(**changes: Any) -> dict[str, Any]:
    made = {
        "topics": WORDS,
        "topic-word-matrix": PHI,
        "topic-document-matrix": THETA,
        "test-topic-document-matrix": THETA[:, :1],
    }
    return {key: value for key, value in (made | changes).items() if value is not None}


def write(path: Path, content: dict[str, Any]) -> Path:
    if path.suffix == ".npz":
        np.savez_compressed(path, **content)
    else:
        lists = {
            key: value.tolist() if isinstance(value, np.ndarray) else value
            for key, value in content.items()
        }
        path.write_text(json.dumps(lists))
    return path


def check_topics(result: Topics) -> None:
    assert [topic.words for topic in result.topics] == [("cat", "dog"), ("soup", "bread")]
    assert result.document_topic is not None
    np.testing.assert_allclose(result.document_topic, THETA.T)
    assert result.topic_word is not None
    np.testing.assert_allclose(result.topic_word, PHI)
    assert result.vocabulary == tuple(VOCABULARY)


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_an_output_is_read_with_the_stated_vocabulary(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"etm{suffix}", output())
    result = read_topics(path, vocabulary=VOCABULARY)
    check_topics(result)
    assert result.model == "etm"


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_an_output_is_read_with_the_vocabulary_beside_it(tmp_path: Path, suffix: str) -> None:
    write(tmp_path / f"output{suffix}", output())
    (tmp_path / "vocabulary.txt").write_text("\n".join(VOCABULARY) + "\n")
    check_topics(read_topics(tmp_path))


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_without_a_vocabulary_there_are_words_and_documents(tmp_path: Path, suffix: str) -> None:
    result = read_topics(write(tmp_path / f"a{suffix}", output()))
    assert [topic.words for topic in result.topics] == [("cat", "dog"), ("soup", "bread")]
    assert result.topic_word is None
    assert result.document_topic is not None


def test_words_may_come_from_the_matrix(tmp_path: Path) -> None:
    path = write(tmp_path / "a.npz", output(topics=None))
    result = read_topics(path, vocabulary=VOCABULARY, top=2)
    assert [topic.words for topic in result.topics] == [("cat", "dog"), ("soup", "bread")]
    with pytest.raises(InputError, match=r"a\.npz: no topics"):
        read_topics(path)


def test_topics_may_have_weights_as_octis_loads_them(tmp_path: Path) -> None:
    pairs = [[["cat", 0.5], ["dog", 0.3]], [["soup", 0.5]]]
    result = read_topics(write(tmp_path / "a.json", output(topics=pairs)))
    assert [topic.words for topic in result.topics] == [("cat", "dog"), ("soup",)]


def test_pickled_topics_are_refused_with_what_to_do(tmp_path: Path) -> None:
    ragged = np.array([["cat"], ["soup", "bread"]], dtype=object)
    path = write(tmp_path / "a.npz", output(topics=ragged))
    with pytest.raises(InputError, match=r"topics is an array of Python objects.*as JSON"):
        read_topics(path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.npz", {"weights": PHI}, "no output of OCTIS: it has no topics, topic-word-matrix"),
        ("a.npz", {"topics": np.arange(4)}, "topic 0 is 0; give a list of words"),
        ("a.json", output(topics=[["a"], []]), "topic 1 has no words"),
        ("a.json", output(topics="x"), "'x' is no list of topics"),
    ],
)
def test_a_wrong_output_is_an_error_that_names_the_file(
    tmp_path: Path, name: str, content: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_topics(write(tmp_path / name, content))
    assert str(tmp_path / name) in str(caught.value)


def test_an_array_may_be_laid_out_by_columns(tmp_path: Path) -> None:
    changes = {"topic-word-matrix": np.asfortranarray(PHI)}
    check_topics(read_topics(write(tmp_path / "a.npz", output(**changes)), vocabulary=VOCABULARY))


def test_a_damaged_archive_of_arrays_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "a.npz", output())
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(InputError, match=r"a\.npz: not a complete file of arrays"):
        read_topics(path)


def test_two_outputs_in_a_folder_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "vocabulary.txt").write_text("\n".join(VOCABULARY))
    write(tmp_path / "a.npz", output())
    write(tmp_path / "b.json", output())
    with pytest.raises(InputError, match=r"two outputs of OCTIS, a\.npz and b\.json"):
        read_topics(tmp_path)


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_top_is_how_many_words_a_topic_lists(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"a{suffix}", output())
    assert [topic.words for topic in read_topics(path, top=1).topics] == [("cat",), ("soup",)]
    with pytest.raises(
        InputError, match=rf"a\{suffix}: top must be a whole number of at least 1, not 0"
    ):
        read_topics(path, top=0)


def test_a_matrix_with_nan_is_left_out_and_named(tmp_path: Path) -> None:
    """``json.dumps`` writes NaN, which is no JSON."""
    damaged = THETA.copy()
    damaged[0, 0] = np.nan
    path = write(tmp_path / "a.json", output(**{"topic-document-matrix": damaged}))
    assert "NaN" in path.read_text()
    with pytest.warns(TealeavesWarning, match="document-topic matrix holds .*non-finite"):
        result = read_topics(path, vocabulary=VOCABULARY)
    assert result.document_topic is None
    assert result.topic_word is not None


def test_a_vocabulary_that_does_not_fit_is_an_error_that_names_the_folder(tmp_path: Path) -> None:
    write(tmp_path / "output.npz", output())
    (tmp_path / "vocabulary.txt").write_text("cat dog")
    with pytest.raises(InputError, match=r"is 2×5, but there are 2 topics and 2 words") as caught:
        read_topics(tmp_path)
    assert str(caught.value).startswith(str(tmp_path))


def test_matrices_are_transposed_if_their_size_shows_it(tmp_path: Path) -> None:
    turned = {"topic-word-matrix": PHI.T, "topic-document-matrix": THETA.T}
    check_topics(read_topics(write(tmp_path / "a.npz", output(**turned)), vocabulary=VOCABULARY))


def test_numbers_that_are_no_characters_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.npz", output(topics=np.array([["ab", "c"], ["d", "e"]])))
    for wrong in (0x110000, 0xD800, 0xFFFFFFFF):
        with zipfile.ZipFile(path) as file:
            members = {name: file.read(name) for name in file.namelist()}
        topics = members["topics.npy"]
        start = topics.index(b"\n") + 1
        members["topics.npy"] = topics[:start] + wrong.to_bytes(4, "little") + topics[start + 4 :]
        with zipfile.ZipFile(tmp_path / "b.npz", "w") as file:
            for name, data in members.items():
                file.writestr(name, data)
        with pytest.raises(InputError, match="topics cannot be read: a text has a number that is"):
            read_topics(tmp_path / "b.npz", vocabulary=VOCABULARY)
