"""Plain text: a document per line, and a document per file."""

from __future__ import annotations

import codecs
import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.text import Corpus

# ---------------------------------------------------------------------- lines


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


def test_lines_have_no_ids_and_blank_ones_count_as_positions(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n\nthree\n")
    documents = [(d.id, d.position, d.text) for d in Corpus.open(tmp_path / "a.txt")]
    assert documents == [("", 0, "one"), ("", 1, ""), ("", 2, "three")]


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


# ---------------------------------------------------------------------- whole files


def write_files(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())
    return root


def test_a_plain_file_in_a_folder_is_a_document_labelled_by_its_folder(tmp_path: Path) -> None:
    root = write_files(
        tmp_path, {"sport/b.txt": "ball\ngame\n", "sport/a.txt": "run", "food/de/c.md": "Brot"}
    )
    documents = [(d.id, d.label, d.text, d.position) for d in Corpus.open(root)]
    assert documents == [
        ("food/de/c.md", "de", "Brot", 0),
        ("sport/a.txt", "sport", "run", 1),
        ("sport/b.txt", "sport", "ball\ngame\n", 2),
    ]


def test_a_file_at_the_top_of_the_folder_has_no_label(tmp_path: Path) -> None:
    [document] = Corpus.open(write_files(tmp_path, {"a.txt": "one"}))
    assert (document.id, document.label) == ("a.txt", "")


def test_hidden_files_and_folders_are_passed_over(tmp_path: Path) -> None:
    root = write_files(
        tmp_path / ".cache" / "corpus",
        {"a/x.txt": "seen", "a/.DS_Store": "no", ".git/b/y.txt": "no", ".hidden.jsonl": "no"},
    )
    assert [d.text for d in Corpus.open(root)] == ["seen"]


def test_a_compressed_file_in_a_folder_is_unpacked(tmp_path: Path) -> None:
    write_files(tmp_path, {"x/a.txt": "plain"})
    (tmp_path / "x" / "b.txt.gz").write_bytes(gzip.compress(b"packed"))
    documents = [(d.id, d.text) for d in Corpus.open(tmp_path)]
    assert documents == [("x/a.txt", "plain"), ("x/b.txt.gz", "packed")]


def test_files_of_records_in_a_folder_are_read_as_such(tmp_path: Path) -> None:
    root = write_files(
        tmp_path,
        {
            "x/a.txt": "one\nwhole",
            "x/b.jsonl": '{"text": "two"}\n{"text": "three"}\n',
            "c.csv": "text\nfour\n",
        },
    )
    assert sorted(d.text for d in Corpus.open(root)) == ["four", "one\nwhole", "three", "two"]


def test_the_reader_lines_takes_the_files_of_a_folder_line_by_line(tmp_path: Path) -> None:
    root = write_files(tmp_path, {"a/1.txt": "one\ntwo\n", "b/2.txt": "three"})
    assert [d.text for d in Corpus.open(root, reader="lines")] == ["one", "two", "three"]


def test_the_reader_file_takes_one_file_whole(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.txt": "one\ntwo\n"})
    [document] = Corpus.open(tmp_path / "a.txt", reader="file")
    assert (document.text, document.id) == ("one\ntwo\n", "a.txt")


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(codecs.BOM_UTF8 + b"one")
    assert [d.text for d in Corpus.open(tmp_path)] == ["one"]


@pytest.mark.parametrize(("data", "byte"), [(b"ab\ncd\xff", 5), (codecs.BOM_UTF8 + b"a\nb\xff", 6)])
def test_invalid_utf8_is_an_error_that_names_file_and_byte(
    tmp_path: Path, data: bytes, byte: int
) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    with pytest.raises(InputError) as caught:
        list(Corpus.open(tmp_path))
    assert str(caught.value).startswith(f"{tmp_path / 'a.txt'}")
    assert f"invalid UTF-8 at byte {byte} of the file" in str(caught.value)


def test_invalid_utf8_is_an_error_that_names_the_line_too(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"ab\ncd\xff")
    with pytest.raises(InputError, match=r"a\.txt:2: invalid UTF-8"):
        list(Corpus.open(tmp_path))


def test_an_empty_file_is_an_empty_document(tmp_path: Path) -> None:
    assert [d.text for d in Corpus.open(write_files(tmp_path, {"a.txt": ""}))] == [""]
