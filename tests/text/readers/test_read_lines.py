from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.text import Corpus

LINES = st.lists(st.text(st.characters(exclude_characters="\r\n", codec="utf-8")))


def texts(path: Path, data: bytes) -> list[str]:
    path.write_bytes(data)
    return [document.text for document in Corpus.open(path)]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"one\ntwo\n", ["one", "two"]),
        (b"one\ntwo", ["one", "two"]),
        (b"one\r\ntwo\r\n", ["one", "two"]),
        (b"one\n\ntwo\n", ["one", "", "two"]),
        (b"\r\n\r\n", ["", ""]),
        (b"", []),
        (b"\n", [""]),
        (b"  one \t\n", ["  one \t"]),
        (codecs.BOM_UTF8 + b"one\ntwo", ["one", "two"]),
        (b"one\n" + codecs.BOM_UTF8 + b"two", ["one", "\ufefftwo"]),
    ],
)
def test_each_line_is_a_document(tmp_path: Path, data: bytes, expected: list[str]) -> None:
    assert texts(tmp_path / "a.txt", data) == expected


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1e"])
def test_only_a_line_feed_ends_a_line(tmp_path: Path, sign: str) -> None:
    text = f"one{sign}two"
    assert texts(tmp_path / "a.txt", f"{text}\nthree\n".encode()) == [text, "three"]


@settings(deadline=None)
@given(lines=LINES, end=st.sampled_from(["\n", "\r\n"]))
def test_any_text_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], end: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "lines.txt"
    mark = codecs.BOM_UTF8 if lines else b""
    data = mark + "".join(line + end for line in lines).encode()
    assert texts(path, data) == lines


def test_lines_have_no_ids_and_blank_ones_keep_positions_true(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n\nthree\n")
    found = [(d.id, d.position, d.text) for d in Corpus.open(tmp_path / "a.txt")]
    assert found == [("", 0, "one"), ("", 1, ""), ("", 2, "three")]


def test_a_file_of_unknown_ending_is_read_line_by_line(tmp_path: Path) -> None:
    assert texts(tmp_path / "notes.log", b"one\ntwo\n") == ["one", "two"]


@pytest.mark.parametrize(
    ("data", "line", "byte"),
    [
        (b"\xffone\n", 1, 0),
        (b"one\ntw\xe9\nthree\n", 2, 6),
        ("né\n".encode() + b"a\r\nb\xc3\n", 3, 8),
        (codecs.BOM_UTF8 + b"ab\xff\n", 1, 5),
        (b"one\n" + "é".encode()[:1], 2, 4),
        (b"a\n\xed\xa0\x80\n", 2, 2),
    ],
)
def test_invalid_utf8_is_an_error_that_names_line_and_byte(
    tmp_path: Path, data: bytes, line: int, byte: int
) -> None:
    path = tmp_path / "a.txt"
    with pytest.raises(InputError) as caught:
        texts(path, data)
    assert str(caught.value).startswith(f"{path}:{line}: invalid UTF-8 at byte {byte} of the file")
    assert f"0x{data[byte]:02x}" in str(caught.value)


def test_utf16_is_an_error_and_not_garbage(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="invalid UTF-8 at byte 0"):
        texts(tmp_path / "a.txt", "one\ntwo\n".encode("utf-16"))
