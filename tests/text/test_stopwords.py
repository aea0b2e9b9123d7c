from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tealeaves.errors import InputError, MissingExtraError
from tealeaves.text import Pipeline
from tealeaves.text.stopwords import stopword_digest, stopword_set


def tokens(pipeline: str, text: str) -> list[str]:
    return Pipeline.parse(pipeline).tokenizer()(text)


@pytest.mark.parametrize(
    ("language", "text", "rest"),
    [
        ("en", "The cat and THE dog", ["cat", "dog"]),
        ("es", "el perro y la casa", ["perro", "casa"]),
        ("de", "der Hund und die Brücke", ["hund", "brücke"]),
        ("ru", "я и собака", ["собака"]),
        ("hi", "यह और किताब", ["किताब"]),
        ("no", "hund og katt", ["hund", "katt"]),
    ],
)
def test_the_stop_words_of_a_language_are_removed(
    language: str, text: str, rest: list[str]
) -> None:
    assert tokens(f"words(stopwords={language})", text) == rest


def test_two_languages_are_joined() -> None:
    assert tokens("words(stopwords=en+es)", "the perro and la house") == ["perro", "house"]
    assert stopword_set("en+es") == stopword_set("en") | stopword_set("es")


def test_no_piece_of_a_contraction_is_left_over() -> None:
    """``words`` splits at apostrophes, so the pieces of a stop word must go too."""
    assert tokens("words(stopwords=en)", "they hadn't, he mustn't, ain't") == []


def test_a_list_may_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "stop.txt"
    path.write_text("Cat\n\n  Dog \nCafe\u0301\n", encoding="utf-8")
    assert tokens(f"words(stopwords='{path}')", "the cat, a dog, café") == ["the", "a"]


def test_a_byte_order_mark_in_the_file_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "stop.txt"
    path.write_text("cat\ndog\n", encoding="utf-8-sig")
    assert stopword_set(str(path)) == {"cat", "dog"}


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "stop.txt"
    path.write_text("cat\n")
    before = Pipeline.parse(f"words(stopwords='{path}')").signature
    path.write_text("cat\ndog\n")
    assert tokens(f"words(stopwords='{path}')", "cat dog horse") == ["horse"]
    assert Pipeline.parse(f"words(stopwords='{path}')").signature != before


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no\.txt: no such file of stop words"):
        stopword_set(str(tmp_path / "no.txt"))


def test_invalid_utf8_is_an_error_that_names_the_byte(tmp_path: Path) -> None:
    path = tmp_path / "stop.txt"
    path.write_bytes(b"cat\n\xff\n")
    with pytest.raises(InputError, match=r"stop\.txt:2: invalid UTF-8 at byte 4"):
        stopword_set(str(path))


@pytest.mark.parametrize("name", ["xx", "en+xx", "english", "en+"])
def test_an_unknown_language_is_an_error_that_lists_the_known(name: str) -> None:
    with pytest.raises(InputError, match=r"no stop words for the language '\w*'.*\ben\b.*\bes\b"):
        stopword_set(name)


def test_the_digest_depends_on_the_words_and_not_on_their_order(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("cat\ndog\n")
    (tmp_path / "b.txt").write_text("dog\ncat\ncat\n")
    (tmp_path / "c.txt").write_text("dog\n")
    a, b, c = (stopword_digest(str(tmp_path / f"{name}.txt")) for name in "abc")
    assert a == b != c


def test_a_missing_package_is_an_error_that_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "stopwordsiso", None)
    with pytest.raises(MissingExtraError, match=r"stopwords.*stopwordsiso.*tealeaves\[langs\]"):
        Pipeline.parse("words(stopwords=zu)").tokenizer()  # not cached by another test


def test_a_list_from_a_file_needs_no_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "stopwordsiso", None)
    (tmp_path / "stop.txt").write_text("cat\n")
    assert tokens(f"words(stopwords='{tmp_path / 'stop.txt'}')", "cat dog") == ["dog"]
