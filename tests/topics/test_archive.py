from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from tealeaves.artifacts import _checksum
from tealeaves.errors import InputError
from tealeaves.topics import Topics, read_topics, write_topics


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
    write_topics(example_topics(), tmp_path / "a.topics")
    write_topics(example_topics(), tmp_path / "b.topics")
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
        ({"version": b"1"}, "version 1 of the format"),
    ],
)
def test_a_file_changed_by_hand_is_damaged(
    tmp_path: Path, changes: dict[str, bytes | None], message: str
) -> None:
    example_topics().save(tmp_path / "a.topics")
    rewrite_archive(tmp_path / "a.topics", changes)
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
