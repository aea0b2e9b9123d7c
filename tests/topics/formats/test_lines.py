from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.topics import Topics, read_topics

WORDS = st.text(st.characters(categories=["L", "M", "N"]), min_size=1)


def words(path: Path, data: str | bytes, separator: str | None = None) -> list[tuple[str, ...]]:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return [topic.words for topic in read_topics(path, separator=separator).topics]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("a b\nc\n", [("a", "b"), ("c",)]),
        ("a  b \n c", [("a", "b"), ("c",)]),
        ("a b\r\nc\r\n", [("a", "b"), ("c",)]),
        ("\ufeffa b\nc\n", [("a", "b"), ("c",)]),
        ("a b\nc\n\n\n", [("a", "b"), ("c",)]),
        ("new york\tparis\nrome\t \toslo\t\n", [("new york", "paris"), ("rome", "oslo")]),
        ("one\ttwo\nnew york\n", [("one", "two"), ("new york",)]),
        ("new_york 1,000 paris\n", [("new_york", "1,000", "paris")]),
    ],
)
def test_each_line_is_a_topic(tmp_path: Path, data: str, expected: list[tuple[str, ...]]) -> None:
    assert words(tmp_path / "a.txt", data) == expected


@settings(deadline=None)
@given(st.lists(st.lists(WORDS, min_size=1, unique=True), min_size=1))
def test_any_words_are_read_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, lists: list[list[str]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "topics.txt"
    expected = [tuple(topic) for topic in lists]
    for sign in (" ", "\t", ","):
        data = "\n".join(sign.join(topic) for topic in lists)
        assert words(path, data, "comma" if sign == "," else None) == expected


def test_ids_are_numbers_from_zero_and_the_file_names_the_model(tmp_path: Path) -> None:
    (tmp_path / "lda.txt").write_text("a b\nc\n")
    assert read_topics(tmp_path / "lda.txt") == Topics.of([["a", "b"], ["c"]], model="lda")


def test_the_separator_may_be_stated(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    assert words(path, "new york, rome\noslo", "comma") == [("new york", "rome"), ("oslo",)]
    assert words(path, "a, b\n", "space") == [("a,", "b")]
    assert words(path, "new york\tparis\n", "space") == [("new", "york", "paris")]
    assert words(path, "new york\n", "tab") == [("new york",)]
    assert words(path, "[x] y\n", "space") == [("[x]", "y")]


@pytest.mark.parametrize(
    "line", ["a, b, c", "cat, dog", "cat,dog,horse", "new york, los angeles, rome", "a,b, c"]
)
def test_commas_are_not_guessed_but_asked_about(tmp_path: Path, line: str) -> None:
    path = tmp_path / "a.txt"
    with pytest.raises(InputError, match=r"separated by commas.*--separator comma") as caught:
        words(path, f"one two\n{line}\n")
    assert str(caught.value).startswith(f"{path}:2: ")


@pytest.mark.parametrize("name", [";", "pipe"])
def test_an_unknown_separator_is_an_error_that_lists_the_known(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="space, tab, comma"):
        words(tmp_path / "a.txt", "a b\n", name)


@pytest.mark.parametrize(
    ("data", "line"), [("a b\n\nc d\n", 2), ("\na b\n", 1), ("a b\n \t\nc\td\n", 2)]
)
def test_a_blank_line_before_the_end_is_an_error_that_names_it(
    tmp_path: Path, data: str, line: int
) -> None:
    path = tmp_path / "a.txt"
    with pytest.raises(InputError) as caught:
        words(path, data)
    assert str(caught.value) == f"{path}:{line}: topic {line - 1} has no words"


def test_invalid_utf8_is_an_error_that_names_line_and_byte(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with pytest.raises(InputError) as caught:
        words(path, b"a b\ncaf\xe9 d\n")
    assert str(caught.value).startswith(f"{path}:2: invalid UTF-8 at byte 7")
